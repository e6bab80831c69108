/*
 * One connection to MySQL or MariaDB: prepared statements only, transactions,
 * and what a failure means for the caller.
 *
 * The connection is made when it is first needed and again when it was lost.
 * Of several hosts it is to the first that takes changes, or else to one that
 * can be read from.
 * A statement outside a transaction that fails because the connection had
 * gone stale is repeated once. Inside one nothing is repeated here: the whole
 * transaction is, by whoever began it, on E_RETRY.
 *
 * Not shared between threads. mysql.h stays in this folder.
 */
#ifndef DB_DB_H
#define DB_DB_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/config.h"
#include "base/error.h"
#include "base/field.h"
#include "db/sql.h"

struct db;
struct db_rows;

struct db_login {
	const char *hosts;  /* see db/hosts.h; the first that takes changes is used */
	const char *socket; /* instead of hosts */
	const char *name;
	const char *user;
	const char *password;
	int64_t timeout_s; /* for connecting, and for locks */
	int64_t answer_s;  /* for each read and write */
};

/* The texts of `login` must outlive the connection. */
struct db *db_new(const struct db_login *login);
void db_free(struct db *db);

/* How the service logs in; with `is_migration`, as the user that may change tables. */
struct db_login db_login_of(const struct config *config, bool is_migration);

/* Statements sent since db_new(): what a request costs. */
uint64_t db_queries(const struct db *db);

/*
 * Every function below that returns a result may say
 *   E_UNAVAILABLE  no connection; nothing was changed
 *   E_REFUSED      the database cannot do this now: it is full, busy, takes no
 *                  changes, waited too long for a lock; nothing was changed
 *   E_RETRY        deadlock, or connection lost inside a transaction, which is
 *                  thereby rolled back
 *   E_UNCERTAIN    a commit, or a write outside a transaction, was sent, and no
 *                  answer came, or one that does not say what became of it
 *   E_CONFLICT        a unique key is in use
 *   E_FAILED       anything else: a defect of ours or of the schema
 * db/failure.c has MySQL's numbers for each.
 */
/* Transactions are REPEATABLE READ, whatever the server's default: all that one of them reads
 * is the state of one moment, that of its first SELECT. */
enum db_mode { DB_READ, DB_WRITE };
enum result db_begin(struct db *db, enum db_mode mode, struct error *error) MUST_USE;
enum result db_commit(struct db *db, struct error *error) MUST_USE;
/* Does nothing outside a transaction. */
void db_rollback(struct db *db);

/* What is done inside a transaction. May run more than once. */
typedef enum result db_work(struct db *db, void *context, struct error *error);
/*
 * Runs `work` in a transaction: committed on OK, rolled back on anything else.
 * Repeated when the database itself rolled it back (E_RETRY), up to five
 * times in some seconds; an uncertain commit is not.
 */
enum result db_transact(struct db *db, enum db_mode mode, db_work *work, void *context,
			struct error *error) MUST_USE;

/* What a write did. */
struct db_done {
	int64_t id;   /* the AUTO_INCREMENT value it made, or 0 */
	int64_t rows; /* changed or found, as MySQL counts matched rows */
};
/* `done` may be NULL. */
enum result db_write(struct db *db, const struct sql_build *build, struct db_done *done,
		     struct error *error) MUST_USE;

/* Runs a SELECT; its rows are fetched at once. Close them before the next statement. */
enum result db_read(struct db *db, const struct sql_build *build, struct db_rows **rows,
		    struct error *error) MUST_USE;
/*
 * The next row into the struct that `fields` describes, column by column: the
 * statement selects exactly the table's columns, in its order and under its
 * names (a UNION, those of its first part), or the program ends. NULL is the
 * kind's empty value; texts belong to `arena`; FIELD_IDS reads "1,2,3". False
 * at the end.
 */
bool db_next(struct db_rows *rows, struct fields fields, void *row, struct arena *arena);
size_t db_rows_count(const struct db_rows *rows);
void db_rows_close(struct db_rows *rows);
static inline void db_rows_cleanup(struct db_rows **rows)
{
	db_rows_close(*rows);
}

/* Reads at most one row. E_NOT_FOUND when there is none. */
enum result db_read_one(struct db *db, const struct sql_build *build, struct fields fields,
			void *row, struct arena *arena, struct error *error) MUST_USE;

/* What a list is made of. */
struct db_shape {
	struct fields fields;
	size_t row_bytes; /* sizeof the struct that the fields describe */
	size_t limit;	  /* rows beyond it are not read */
};
struct db_list {
	void *rows; /* an array of the structs, owned by the arena */
	size_t count;
};
#define DB_SHAPE(table, type, most) \
	(&(const struct db_shape){ .fields = (table), .row_bytes = sizeof(type), .limit = (most) })
/* Reads up to shape->limit rows. */
enum result db_read_list(struct db *db, const struct sql_build *build, const struct db_shape *shape,
			 struct arena *arena, struct db_list *list, struct error *error) MUST_USE;

/* One column of bytes of the current row of the next db_next(): see struct db_blob. */
struct db_blob {
	void *data; /* owned by the arena; NULL for NULL */
	size_t len;
};
/* The next row's columns as bytes, for what no field table describes. */
bool db_next_blobs(struct db_rows *rows, struct db_blob *blobs, size_t count, struct arena *arena);

/* A statement that MySQL does not prepare (DDL of migrations, GET_LOCK). No arguments. */
enum result db_script(struct db *db, const char *text, struct error *error) MUST_USE;
/* The largest statement that the server takes, with its arguments: max_allowed_packet. */
enum result db_packet_max(struct db *db, int64_t *bytes, struct error *error) MUST_USE;
/* MySQL's number of the last failure, for the migrations. */
unsigned db_errno(const struct db *db);
/* Whether the last failure was that the server refused the login, or the database to it. */
bool db_is_denied(const struct db *db);

#endif
