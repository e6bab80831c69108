/* The internal header of this folder. No file outside this folder uses the client library. */
#ifndef DB_INTERNAL_H
#define DB_INTERNAL_H

#include <stdbool.h>

#include "base/backoff.h"
#include "db/client.h"
#include "db/db.h"
#include "db/failure.h"
#include "db/hosts.h"

/* The boolean of the client library: bool since MySQL 8, my_bool in MariaDB. */
#if !defined(MARIADB_BASE_VERSION) && !defined(MARIADB_VERSION_ID) && MYSQL_VERSION_ID >= 80001
typedef bool db_bool;
#else
typedef my_bool db_bool;
#endif

/* The most prepared statements of a connection. A further statement replaces the least recently
 * used one. */
enum { DB_PREPARED_MAX = 96 };

/* The most columns of a result, and the size of a cell in bytes. The widest table, status_pages,
 * has fewer columns. */
enum { DB_COLUMNS_MAX = 80, DB_CELL_BYTES = 256 };

struct prepared {
	char *text;
	size_t len;
	MYSQL_STMT *stmt;
	uint64_t last_used;
	unsigned columns;	   /* the number of columns of the result */
	const struct field *bound; /* the field table to which the columns are bound; NULL: none */
};

/* The memory into which the client library writes the columns of the present row. */
struct row_cells {
	unsigned long lengths[DB_COLUMNS_MAX];
	db_bool nulls[DB_COLUMNS_MAX];
	union {
		long long number;
		MYSQL_TIME time;
		char text[DB_CELL_BYTES]; /* a longer text is fetched separately */
	} cells[DB_COLUMNS_MAX];
};

struct db {
	struct db_login login;
	struct db_hosts hosts;
	MYSQL *mysql; /* NULL: not connected */
	size_t host;  /* index of the connected host */
	struct prepared prepared[DB_PREPARED_MAX];
	struct row_cells row;
	struct db_rows *spare_rows; /* reused for the next result; NULL while a result is read */
	uint64_t queries;
	unsigned last_errno;
	struct backoff retry;	  /* the wait between attempts to connect */
	int64_t look_again_ms;	  /* do not look for a better host before this time */
	int64_t packet_max_bytes; /* the server's max_allowed_packet; 0: not read yet */
	bool is_read_only;	  /* the host is read-only, and no writable host was found */
	bool is_in_transaction;
};

/* Runs a statement. Outside a transaction repeats it once in two cases: the server had closed the
 * connection, or a read failed with E_RETRY. */
enum result db_run(struct db *db, const struct sql_build *build, bool is_write,
		   struct prepared **ran, struct error *error) MUST_USE;
/* Connects if there is no connection. */
enum result db_connect(struct db *db, struct error *error) MUST_USE;
/* Closes the connection with its prepared statements. */
void db_disconnect(struct db *db);
/* Disconnects from the current host, and shuns it. Returns false, and stays connected, if there is
 * no other host, or if the last look found no writable host. */
bool db_leave_host(struct db *db);
/* Changes to a better host, if one is available now. Any writable host is better than a read-only
 * host. Of two writable hosts, the earlier in the list is better. */
void db_look_around(struct db *db);
/* For /metrics, count a statement, and a failed statement or a failed connection. */
void db_count(struct db *db);
void db_count_failure(unsigned number);
/* Handles the failure of a statement, and returns its result. Disconnects if the connection is
 * unusable. */
enum result db_failure(struct db *db, unsigned number, const char *text, bool is_write,
		       struct error *error);
/* Sets the error of a statement that is too large to be sent. Returns E_REFUSED. */
enum result db_too_large(struct error *error, int64_t bytes, int64_t max);

#endif
