/* What the files of this folder share: only they know mysql.h. */
#ifndef DB_INTERNAL_H
#define DB_INTERNAL_H

#include <mysql.h>
#include <stdbool.h>

#include "db/db.h"
#include "db/failure.h"
#include "db/hosts.h"

/* MySQL 8 took my_bool away and has bool in its place; MariaDB keeps it. */
#if !defined(MARIADB_BASE_VERSION) && !defined(MARIADB_VERSION_ID) && MYSQL_VERSION_ID >= 80001
typedef bool db_bool;
#else
typedef my_bool db_bool;
#endif

/* Distinct statements of the service; the oldest goes when there are more. */
enum { DB_PREPARED_MAX = 96 };

struct prepared {
	char *text;
	MYSQL_STMT *stmt;
	uint64_t last_used;
	const struct field *checked; /* the table whose names its columns have */
};

struct db {
	struct db_login login;
	struct db_hosts hosts;
	MYSQL *mysql; /* NULL: not connected */
	size_t host;  /* which of the hosts it is */
	struct prepared prepared[DB_PREPARED_MAX];
	uint64_t queries;
	unsigned last_errno;
	int64_t retry_at_ms;	  /* no attempt to connect before this (clock_ms) */
	int64_t look_again_ms;	  /* no search for a better host before this */
	int64_t packet_max_bytes; /* the server's max_allowed_packet; 0: not asked yet */
	bool is_read_only;	  /* this host takes no changes, and is the best there is */
	bool is_in_transaction;
};

/* Connects when needed. */
enum result db_connect(struct db *db, struct error *error) MUST_USE;
/* Drops the connection with everything prepared on it. */
void db_disconnect(struct db *db);
/*
 * Gives up a host that does not serve, so that the next connection is to another.
 * False: there is no other, or none that is better.
 */
bool db_leave_host(struct db *db);
/* Goes back to an earlier host, or on to one that takes changes, once there is one. */
void db_look_around(struct db *db);
/* What a failure means; disconnects where the connection is of no use any more. */
enum result db_failure(struct db *db, unsigned number, const char *text, bool is_write,
		       struct error *error);
/* The failure of a statement that is too large to be sent. */
enum result db_too_large(struct error *error, int64_t bytes, int64_t max);

#endif
