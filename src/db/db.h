/*
 * A connection to MySQL or MariaDB with prepared statements and transactions. Translates the errors
 * of the server into results for the caller.
 *
 * The connection is made when it is first needed, and again after a loss. If there are several
 * hosts, the connection uses the first host that accepts writes. If no host accepts writes, it uses
 * the first host that can be read. A statement outside a transaction is repeated once if the server
 * has closed the connection. A read outside a transaction is also repeated once on E_RETRY. A
 * statement inside a transaction is not repeated: db_transact() repeats the whole transaction on
 * E_RETRY.
 *
 * Threads must not share a connection. Only this folder includes mysql.h (see db/client.h).
 */
#ifndef DB_DB_H
#define DB_DB_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/config/config.h"
#include "base/error.h"
#include "base/field.h"
#include "db/sql.h"

struct db;
struct db_rows;

/*
 * Loads the client library of the database. Without this call the first connection loads the
 * library. E_UNAVAILABLE: the library is missing, or too old. The text of `error` for the log tells
 * the reason.
 */
enum result db_client_load(struct error *error) MUST_USE;

struct db_login {
	const char *hosts;  /* see db/hosts.h; the first host that accepts writes is used */
	const char *socket; /* instead of hosts */
	const char *name;
	const char *user;
	const char *password;
	int64_t timeout_s;    /* the time-out for connecting and for locks */
	int64_t io_timeout_s; /* the time-out for each read and write on the network */
};

/* The texts of `login` must outlive the connection. */
struct db *db_new(const struct db_login *login);
void db_free(struct db *db);

/* Returns the login of the service, or if is_migration is true, the login for changes of tables. */
struct db_login db_login_of(const struct config *config, bool is_migration);

/* Returns the number of statements since db_new(); 0 if `db` is NULL. Tests and logs use it to
 * count the statements of a request. */
uint64_t db_queries(const struct db *db);

/*
 * The functions below return these results (db/failure.c lists MySQL's error numbers for each):
 *   E_UNAVAILABLE  no connection; nothing was changed
 *   E_REFUSED      the database cannot do this now: full, busy, read-only, or a lock
 *                  was not free in time; nothing was changed
 *   E_RETRY        a deadlock, or the connection was lost inside a transaction; the
 *                  transaction is rolled back
 *   E_UNCERTAIN    a commit, or a write outside a transaction, was sent, but the
 *                  response is missing or does not tell the outcome
 *   E_CONFLICT     a unique key is in use
 *   E_FAILED       any other failure: a defect of the program or of the schema
 */
/* Begin and commit a transaction. The isolation is always REPEATABLE READ: all reads of a
 * transaction show the state at its first SELECT. */
enum db_mode { DB_READ, DB_WRITE, DB_TRY /* writes, which are rolled back */ };
enum result db_begin(struct db *db, enum db_mode mode, struct error *error) MUST_USE;
enum result db_commit(struct db *db, struct error *error) MUST_USE;
/* Rolls the transaction back. Does nothing outside a transaction. */
void db_rollback(struct db *db);

/* The work inside a transaction. db_transact() may call the function several times. */
typedef enum result db_work(struct db *db, void *context, struct error *error);
/*
 * Runs `work` in a transaction. Commits if the result is OK and the mode is DB_WRITE, otherwise
 * rolls back. A reading transaction inside another transaction becomes a part of that transaction.
 * On E_RETRY runs `work` again in a new transaction: at most five runs, and none begins later than
 * four seconds after the first. E_UNCERTAIN is not repeated.
 */
enum result db_transact(struct db *db, enum db_mode mode, db_work *work, void *context,
			struct error *error) MUST_USE;

/* What a write has done. */
struct db_done {
	int64_t id;   /* the AUTO_INCREMENT value; 0: none */
	int64_t rows; /* for an UPDATE, the rows that its WHERE matches */
};
/* Runs a statement that writes. `done` may be NULL. */
enum result db_write(struct db *db, const struct sql_build *build, struct db_done *done,
		     struct error *error) MUST_USE;
/* Writes a row, and sets `id` to its AUTO_INCREMENT value. */
enum result db_insert(struct db *db, const struct sql_build *build, int64_t *id,
		      struct error *error) MUST_USE;
/* Runs an UPDATE or DELETE. E_NOT_FOUND: its WHERE matches no row. */
enum result db_write_found(struct db *db, const struct sql_build *build, struct error *error)
	MUST_USE;

/* Runs a SELECT and fetches all its rows. Call db_rows_close() before the next statement. */
enum result db_read(struct db *db, const struct sql_build *build, struct db_rows **rows,
		    struct error *error) MUST_USE;
/*
 * Reads the next row into the struct that `fields` describes. The statement must select exactly the
 * columns of `fields`, in the same order and with the same names; otherwise the program ends. The
 * names of a UNION are those of its first part. SQL's NULL becomes the empty value of the field's
 * kind. A FIELD_IDS column has a text such as "1,2,3". `arena` owns the texts and ids, and may be
 * NULL if there are no such fields. Returns false if there are no more rows.
 */
bool db_next(struct db_rows *rows, struct fields fields, void *row, struct arena *arena);
size_t db_rows_count(const struct db_rows *rows);
void db_rows_close(struct db_rows *rows);
static inline void db_rows_cleanup(struct db_rows **rows)
{
	db_rows_close(*rows);
}

/* Reads at most one row. E_NOT_FOUND: there is no row. */
enum result db_read_one(struct db *db, const struct sql_build *build, struct fields fields,
			void *row, struct arena *arena, struct error *error) MUST_USE;

/* Read the only column of the first row. E_NOT_FOUND: there is no row; then *number is 0, or *text
 * is NULL. */
enum result db_read_int(struct db *db, const struct sql_build *build, int64_t *number,
			struct error *error) MUST_USE;
enum result db_read_text(struct db *db, const struct sql_build *build, struct arena *arena,
			 const char **text, struct error *error) MUST_USE;

/* How db_read_list() reads a list. */
struct db_shape {
	struct fields fields;
	size_t row_bytes; /* the size of the struct that the fields describe */
	size_t limit;	  /* more rows are not read */
};
struct db_list {
	void *rows; /* an array of the structs that the fields describe, owned by the arena */
	size_t count;
};
#define DB_SHAPE(table, type, most) \
	(&(const struct db_shape){ .fields = (table), .row_bytes = sizeof(type), .limit = (most) })
/* Reads up to shape->limit rows. */
enum result db_read_list(struct db *db, const struct sql_build *build, const struct db_shape *shape,
			 struct arena *arena, struct db_list *list, struct error *error) MUST_USE;

/* Points to the members `rows` and `count` of the struct that receives a list. */
struct db_into {
	void *rows; /* the address of the member `rows` */
	size_t *count;
	size_t row_bytes;
	size_t most; /* more rows are not read */
};
#define DB_INTO(list, its_most) \
	(&(const struct db_into){ &(list)->rows, &(list)->count, sizeof(*(list)->rows), its_most })
/* Reads up to into->most rows into the list that `into` describes. */
enum result db_read_into(struct db *db, const struct sql_build *build, struct fields fields,
			 const struct db_into *into, struct arena *arena, struct error *error)
	MUST_USE;

/* Reads up to `most` ids, in the order of the statement. It must select only the column `id`. */
enum result db_read_ids(struct db *db, const struct sql_build *build, size_t most,
			struct arena *arena, struct id_list *ids, struct error *error) MUST_USE;

/* The bytes of one column of the row that db_next_blobs() reads. */
struct db_blob {
	void *data; /* owned by the arena; NULL for SQL's NULL */
	size_t len;
};
/* Reads the next row's columns as bytes, for rows without a field table. Returns false if there are
 * no more rows. */
bool db_next_blobs(struct db_rows *rows, struct db_blob *blobs, size_t count, struct arena *arena);

/* Runs a statement that MySQL cannot prepare, such as DDL. It has no arguments, and returns no
 * rows. */
enum result db_script(struct db *db, const char *text, struct error *error) MUST_USE;
/* Reads the server's max_allowed_packet: the size of the largest statement, with its arguments. */
enum result db_packet_max(struct db *db, int64_t *bytes, struct error *error) MUST_USE;
/* Returns MySQL's error number of the last failure, for migrations. */
unsigned db_errno(const struct db *db);
/* Returns whether the last failure was a refused login, or a login without access to the
 * database. */
bool db_is_denied(const struct db *db);

#endif
