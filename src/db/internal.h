/* What db.c and stmt.c share: the only two files that know mysql.h. */
#ifndef DB_INTERNAL_H
#define DB_INTERNAL_H

#include <mysql.h>
#include <stdbool.h>

#include "db/db.h"

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
};

struct db {
	struct db_login login;
	MYSQL *mysql; /* NULL: not connected */
	struct prepared prepared[DB_PREPARED_MAX];
	uint64_t queries;
	unsigned last_errno;
	int64_t retry_at_ms; /* no attempt to connect before this (clock_ms) */
	bool is_in_transaction;
};

/* Connects when needed. */
enum result db_connect(struct db *db, struct error *error) MUST_USE;
/* Drops the connection with everything prepared on it. */
void db_disconnect(struct db *db);
/* Whether MySQL's error number says that the connection is gone. */
bool db_is_lost(unsigned number);
/* What a failure means; disconnects where the connection is gone. */
enum result db_failure(struct db *db, unsigned number, const char *text, bool is_write,
		       struct error *error);

#endif
