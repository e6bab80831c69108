/*
 * The outcome of a function, and the details of a failure.
 *
 * enum result has one value for each outcome that callers treat differently. The function that
 * detects a failure sets its details, and callers pass the details on unchanged. The details have
 * two texts: one for the client, and one for the log only.
 */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"

enum result {
	OK = 0,
	E_MALFORMED,	       /* bytes that cannot be decoded */
	E_INVALID,	       /* decoded, but wrong values; the violations name the fields */
	E_NOT_FOUND,	       /* does not exist, or belongs to another account */
	E_CONFLICT,	       /* a unique value is in use */
	E_PRECONDITION_FAILED, /* a precondition (If-Match) does not hold */
	E_TOO_LARGE,	       /* too large: a body, a JSON text, or the data of a page */
	E_UNSUPPORTED,	       /* an unsupported media type */
	E_METHOD_NOT_ALLOWED,  /* the path exists, but not with this method */
	E_UNAUTHENTICATED,     /* no valid API key */
	E_FORBIDDEN,	       /* a valid key without permission for the request */
	E_RATE_LIMITED,	       /* too many requests in this time */
	E_QUOTA_EXCEEDED,      /* a quota of the account is used up */
	E_BUSY,		       /* too much memory is in use for a request of this size */
	E_CROWDED,     /* an incomplete request, dropped because other requests needed its place */
	E_TOO_SLOW,    /* the body of a request, or the publishing of a page, took too long */
	E_REPLAYED,    /* a repeated request: respond with the stored response */
	E_RETRY,       /* rolled back by the database; the transaction may be repeated */
	E_UNAVAILABLE, /* the database cannot be reached; nothing was changed */
	E_REFUSED,     /* the database cannot do this now (busy, full); nothing was changed */
	E_UNCERTAIN,   /* the connection was lost during a commit: the outcome is unknown */
	E_FAILED,      /* a defect of the program, or of the machine (disk, memory) */
};

struct error {
	char client[256];  /* safe to show to the client; may be empty */
	char log[512];	   /* for the operator; without secrets */
	int retry_after_s; /* seconds until the client may repeat the request; 0: the default */
};

/* Whether the database caused the failure: it cannot be reached, is busy, or its response was lost.
 * The operation may succeed later. */
bool result_is_of_database(enum result result);

/* Sets the client's text and returns `result`, for `return error_client(…);`. */
enum result error_client(struct error *error, enum result result, const char *format, ...)
	PRINTF_LIKE(3, 4);
/* Sets the log's text and returns `result`. The client gets only the kind of failure. */
enum result error_log(struct error *error, enum result result, const char *format, ...)
	PRINTF_LIKE(3, 4);

/* Returns the text to print on a terminal: the client's text, or the log's text if the client's
 * text is empty. `error` owns the text. */
const char *error_text(const struct error *error);

#endif
