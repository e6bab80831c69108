/*
 * What a function can say of its outcome, and the detail of a failure.
 *
 * `enum result` has one value for each thing a caller can act on. The detail
 * is set once, where the fault is, and passed up untouched. It has two texts:
 * one that a client may read and one for the log only.
 */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stddef.h>

#include "base/attr.h"

enum result {
	OK = 0,
	E_MALFORMED,	       /* bytes that cannot be decoded */
	E_INVALID,	       /* decoded, but not allowed; the violations name the fields */
	E_NOT_FOUND,	       /* no such thing, or not this account's */
	E_CONFLICT,	       /* a unique value is in use */
	E_PRECONDITION_FAILED, /* a precondition (If-Match) does not hold */
	E_TOO_LARGE,	       /* over a limit on the whole request */
	E_UNSUPPORTED,	       /* a media type that is not read here */
	E_METHOD_NOT_ALLOWED,  /* a known path, but not with this method */
	E_UNAUTHENTICATED,     /* no valid API key */
	E_FORBIDDEN,	       /* a valid key that may not do this */
	E_RATE_LIMITED,	       /* more requests than are allowed in this time */
	E_QUOTA_EXCEEDED,      /* a quota of the account is used up */
	E_BUSY,		       /* too much memory is in use for a request of this size */
	E_CROWDED,     /* the request was unfinished for long, and others needed its place */
	E_TOO_SLOW,    /* the request's body did not come to its end in time */
	E_REPLAYED,    /* done before: the response is the first one's */
	E_RETRY,       /* rolled back by the database; the transaction may be repeated */
	E_UNAVAILABLE, /* the database cannot be reached; nothing was changed */
	E_REFUSED,     /* it can be, but cannot do this now (busy, full); nothing was changed */
	E_UNCERTAIN,   /* the connection was lost in a commit: done or not, unknown */
	E_FAILED,      /* a defect, or the machine's (disk, memory) */
};

struct error {
	char client[256];  /* safe to show to whoever asked; may be empty */
	char log[512];	   /* for the operator; never holds a secret */
	int retry_after_s; /* when to try again; 0: not known better than usual */
};

/* Sets the client's text; returns `result`, so that it can end a function. */
enum result error_client(struct error *error, enum result result, const char *format, ...)
	PRINTF_LIKE(3, 4);
/* Sets the log's text; the client learns no more than the kind of failure. */
enum result error_log(struct error *error, enum result result, const char *format, ...)
	PRINTF_LIKE(3, 4);

/* The text to show on a terminal: the client's, else the log's. Borrowed. */
const char *error_text(const struct error *error);

#endif
