#include "db/failure.h"

#include <stddef.h>

const char *const failure_kind_words[FAILURE_KINDS] = {
	[FAILURE_OTHER] = "other",
	[FAILURE_TAKEN] = "duplicate",
	[FAILURE_ROLLED_BACK] = "rolled_back",
	[FAILURE_UNDECIDED] = "undecided",
	[FAILURE_UNSENT] = "no_connection",
	[FAILURE_LOST] = "connection_lost",
	[FAILURE_AWAY] = "away",
	[FAILURE_READ_ONLY] = "read_only",
	[FAILURE_BUSY] = "lock_timeout",
	[FAILURE_REFUSED] = "refused",
	[FAILURE_TOO_LARGE] = "too_large",
};

struct failure {
	unsigned number;
	enum failure_kind kind;
	const char *meaning;
};

/*
 * Error numbers of MySQL and MariaDB. They are written as numbers, because neither client library
 * has names for all of them. Numbers below 1000 come from the file system, 2000 to 2999 from the
 * client library.
 */
static const struct failure failures[] = {
	{ 1062, FAILURE_TAKEN, "duplicate key" },
	{ 1586, FAILURE_TAKEN, "duplicate key, named" },

	{ 1213, FAILURE_ROLLED_BACK, "deadlock" },
	{ 1020, FAILURE_ROLLED_BACK, "the row has changed since it was read" },
	{ 1412, FAILURE_ROLLED_BACK, "the table has changed since the transaction began" },
	{ 1615, FAILURE_ROLLED_BACK, "the statement must be prepared again" },
	{ 3101, FAILURE_ROLLED_BACK, "refused by the group while committing" },

	{ 1180, FAILURE_UNDECIDED, "failed while committing" },

	{ 2002, FAILURE_UNSENT, "no connection to the socket" },
	{ 2003, FAILURE_UNSENT, "no connection to the host" },
	{ 2006, FAILURE_UNSENT, "the connection has gone" },
	{ 4031, FAILURE_UNSENT, "the connection was idle for too long" },

	{ 2013, FAILURE_LOST, "the connection was lost, or no response came in time" },
	{ 2027, FAILURE_LOST, "a malformed response" },
	{ 2055, FAILURE_LOST, "the connection was lost" },
	{ 1927, FAILURE_LOST, "the connection was killed" },
	{ 3169, FAILURE_LOST, "the session was killed" },

	{ 1047, FAILURE_AWAY, "a node that has lost its cluster" },
	{ 1053, FAILURE_AWAY, "the server is shutting down" },
	{ 3032, FAILURE_AWAY, "the server is in offline mode" },

	{ 1290, FAILURE_READ_ONLY, "read_only" },
	{ 1836, FAILURE_READ_ONLY, "read-only mode" },
	{ 1874, FAILURE_READ_ONLY, "InnoDB is in read-only mode" },
	{ 1036, FAILURE_READ_ONLY, "the table is read-only" },

	{ 1205, FAILURE_BUSY, "another transaction held a lock for too long" },
	{ 3572, FAILURE_BUSY, "another transaction holds a lock" },

	{ 1, FAILURE_REFUSED, "a file cannot be created" },
	{ 3, FAILURE_REFUSED, "a file cannot be written" },
	{ 5, FAILURE_REFUSED, "out of memory" },
	{ 20, FAILURE_REFUSED, "the disk is full" },
	{ 23, FAILURE_REFUSED, "out of file descriptors" },
	{ 28, FAILURE_REFUSED, "no space left on the device" },
	{ 1004, FAILURE_REFUSED, "a file cannot be created" },
	{ 1021, FAILURE_REFUSED, "the disk is full" },
	{ 1026, FAILURE_REFUSED, "a file cannot be written" },
	{ 1030, FAILURE_REFUSED,
	  "the storage engine has failed, usually because the disk is full" },
	{ 1037, FAILURE_REFUSED, "out of memory" },
	{ 1038, FAILURE_REFUSED, "out of memory for sorting" },
	{ 1040, FAILURE_REFUSED, "too many connections" },
	{ 1041, FAILURE_REFUSED, "out of memory" },
	{ 1114, FAILURE_REFUSED, "the table is full" },
	{ 1135, FAILURE_REFUSED, "out of threads" },
	{ 1197, FAILURE_REFUSED, "the transaction is larger than the binary log's cache" },
	{ 1203, FAILURE_REFUSED, "too many connections of this user" },
	{ 1206, FAILURE_REFUSED, "too many locks" },
	{ 1226, FAILURE_REFUSED, "a limit of this user is reached" },
	{ 1317, FAILURE_REFUSED, "the statement was interrupted" },
	{ 1461, FAILURE_REFUSED, "too many prepared statements" },
	{ 1467, FAILURE_REFUSED, "no next number for a row, usually because the disk is full" },
	{ 1598, FAILURE_REFUSED, "the binary log cannot be written" },
	{ 1637, FAILURE_REFUSED, "too many transactions" },
	{ 1878, FAILURE_REFUSED, "a temporary file cannot be written" },
	{ 1969, FAILURE_REFUSED, "max_statement_time" },
	{ 3024, FAILURE_REFUSED, "max_execution_time" },

	{ 1153, FAILURE_TOO_LARGE, "max_allowed_packet" },
	{ 1301, FAILURE_TOO_LARGE, "max_allowed_packet, of a function's result" },
	{ 2020, FAILURE_TOO_LARGE, "max_allowed_packet, of the client" },
};

static const struct failure *find_failure(unsigned number)
{
	for (size_t i = 0; i < ARRAY_LEN(failures); i++)
		if (failures[i].number == number)
			return &failures[i];
	return NULL;
}

enum failure_kind failure_kind(unsigned number)
{
	const struct failure *failure = find_failure(number);
	return failure ? failure->kind : FAILURE_OTHER;
}

const char *failure_meaning(unsigned number)
{
	const struct failure *failure = find_failure(number);
	return failure ? failure->meaning : NULL;
}

/* Returns the result of a failed COMMIT. Only some failures prove that the transaction was rolled
 * back. */
static enum result commit_result(enum failure_kind kind)
{
	switch (kind) {
	case FAILURE_ROLLED_BACK:
	case FAILURE_UNSENT:
		return E_RETRY;
	/* The server detects these failures before the commit begins, and rolls back. */
	case FAILURE_READ_ONLY:
	case FAILURE_BUSY:
		return E_REFUSED;
	default:
		return E_UNCERTAIN;
	}
}

enum result failure_result(enum failure_kind kind, enum failure_moment moment)
{
	if (moment == MOMENT_COMMITTING)
		return commit_result(kind);
	switch (kind) {
	case FAILURE_TAKEN:
		return E_CONFLICT;
	case FAILURE_ROLLED_BACK:
		return E_RETRY;
	case FAILURE_UNDECIDED:
		return moment == MOMENT_WRITING ? E_UNCERTAIN : E_RETRY;
	case FAILURE_UNSENT:
		return moment == MOMENT_IN_TRANSACTION ? E_RETRY : E_UNAVAILABLE;
	case FAILURE_LOST:
	case FAILURE_AWAY:
		if (moment == MOMENT_IN_TRANSACTION)
			return E_RETRY;
		return moment == MOMENT_WRITING ? E_UNCERTAIN : E_UNAVAILABLE;
	case FAILURE_READ_ONLY:
	case FAILURE_BUSY:
	case FAILURE_REFUSED:
	case FAILURE_TOO_LARGE:
		return E_REFUSED;
	case FAILURE_OTHER:
	case FAILURE_KINDS:
		break;
	}
	return E_FAILED;
}
