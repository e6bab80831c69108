/* What MySQL's error numbers mean for whoever has sent the statement: one table, pure. */
#ifndef DB_FAILURE_H
#define DB_FAILURE_H

#include "base/error.h"

enum failure_kind {
	FAILURE_OTHER,	     /* a defect of ours or of the schema */
	FAILURE_TAKEN,	     /* a unique key is in use */
	FAILURE_ROLLED_BACK, /* the database has undone the transaction: repeat it */
	FAILURE_UNDECIDED,   /* it failed while committing */
	FAILURE_UNSENT,	     /* the connection was gone before the statement was sent */
	FAILURE_LOST,	     /* the connection is gone, and with it the response */
	FAILURE_AWAY,	     /* this server answers, and serves nobody */
	FAILURE_READ_ONLY,   /* this server takes no changes */
	FAILURE_BUSY,	     /* it waited too long for another transaction */
	FAILURE_REFUSED,     /* it cannot do this now: full, overloaded, interrupted */
	FAILURE_TOO_LARGE,   /* the statement is larger than a packet may be */
};

/* When it happened. */
enum failure_moment {
	MOMENT_ASKING,	       /* outside of a transaction, by what changes nothing */
	MOMENT_WRITING,	       /* a write outside of a transaction, which commits by itself */
	MOMENT_IN_TRANSACTION, /* any statement inside */
	MOMENT_COMMITTING,
};

enum failure_kind failure_kind(unsigned number);
/* In words, for the log; NULL for what the table does not know. */
const char *failure_meaning(unsigned number);
/* What the caller is told. */
enum result failure_result(enum failure_kind kind, enum failure_moment moment);

#endif
