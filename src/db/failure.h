/* Translates MySQL's error numbers into results for the caller of a statement. */
#ifndef DB_FAILURE_H
#define DB_FAILURE_H

#include "base/error.h"

enum failure_kind {
	FAILURE_OTHER,	     /* a defect of the program or of the schema */
	FAILURE_TAKEN,	     /* a unique key is in use */
	FAILURE_ROLLED_BACK, /* the database has rolled the transaction back: repeat it */
	FAILURE_UNDECIDED,   /* a commit failed, but may have taken effect */
	FAILURE_UNSENT,	     /* the connection was lost before the statement was sent */
	FAILURE_LOST,	     /* the connection was lost after the statement was sent */
	FAILURE_AWAY,	     /* the server refuses all statements: no cluster, shutting down */
	FAILURE_READ_ONLY,   /* the server is read-only */
	FAILURE_BUSY,	     /* a lock was not free in time */
	FAILURE_REFUSED,     /* the server cannot do this now: full, overloaded, interrupted */
	FAILURE_TOO_LARGE,   /* the statement exceeds max_allowed_packet */
	FAILURE_KINDS,
};
/* The words by which /metrics names the kinds. */
extern const char *const failure_kind_words[FAILURE_KINDS];

/* The kind of statement that failed, and whether it was in a transaction. */
enum failure_moment {
	MOMENT_ASKING,	       /* a read outside a transaction */
	MOMENT_WRITING,	       /* a write outside a transaction, which commits by itself */
	MOMENT_IN_TRANSACTION, /* any statement inside a transaction */
	MOMENT_COMMITTING,
};

enum failure_kind failure_kind(unsigned number);
/* Returns the meaning of the number in words, for the log; NULL: the number is not in the table. */
const char *failure_meaning(unsigned number);
/* Returns the result that the caller of the statement gets. */
enum result failure_result(enum failure_kind kind, enum failure_moment moment);

#endif
