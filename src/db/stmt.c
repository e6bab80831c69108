/* Prepared statements and their arguments. */
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "db/db.h"
#include "db/internal.h"

static void drop_prepared(struct prepared *prepared)
{
	if (prepared->stmt)
		mysql_stmt_close(prepared->stmt);
	free(prepared->text);
	*prepared = (struct prepared){ 0 };
}

/* Returns the slot with the prepared statement for the text of `build`. If no slot has this
 * statement, returns an empty slot. If no slot is empty, empties the least recently used slot. */
static struct prepared *find_slot(struct db *db, const struct sql_build *build)
{
	struct prepared *slot = &db->prepared[0];
	for (size_t i = 0; i < DB_PREPARED_MAX; i++) {
		struct prepared *at = &db->prepared[i];
		if (at->stmt && at->len == build->len &&
		    memcmp(at->text, build->text, build->len) == 0)
			return at;
		if (slot->stmt && (!at->stmt || at->last_used < slot->last_used))
			slot = at;
	}
	drop_prepared(slot);
	return slot;
}

/* Finds the prepared statement, or prepares it. Each connection prepares a statement once. */
static enum result prepare_statement(struct db *db, const struct sql_build *build,
				     struct prepared **prepared, struct error *error)
{
	struct prepared *slot = find_slot(db, build);
	if (slot->stmt && build->is_prepared_anew)
		drop_prepared(slot);
	if (!slot->stmt) {
		MYSQL_STMT *stmt = mysql_stmt_init(db->mysql);
		if (!stmt)
			die("db: out of memory");
		if (mysql_stmt_prepare(stmt, build->text, build->len) != 0) {
			/* is_write is false here: a statement that could not be prepared has
			 * changed nothing. */
			enum result result = db_failure(db, mysql_stmt_errno(stmt),
							mysql_stmt_error(stmt), false, error);
			mysql_stmt_close(stmt);
			return result;
		}
		*slot = (struct prepared){ .text = strdup(build->text),
					   .len = build->len,
					   .stmt = stmt,
					   .columns = mysql_stmt_field_count(stmt) };
		if (!slot->text)
			die("db: out of memory");
	}
	slot->last_used = db->queries;
	*prepared = slot;
	return OK;
}

static void fill_binds(const struct sql_build *build, MYSQL_BIND *binds)
{
	for (size_t i = 0; i < build->count; i++) {
		const struct sql_arg *arg = &build->args[i];
		MYSQL_BIND *bind = &binds[i];
		*bind = (MYSQL_BIND){ 0 };
		switch (arg->kind) {
		case SQL_NULL:
			bind->buffer_type = MYSQL_TYPE_NULL;
			break;
		case SQL_INT:
			bind->buffer_type = MYSQL_TYPE_LONGLONG;
			bind->buffer = (void *)(uintptr_t)&arg->number;
			break;
		case SQL_TEXT:
		case SQL_BYTES:
			bind->buffer_type = arg->kind == SQL_TEXT ? MYSQL_TYPE_STRING
								  : MYSQL_TYPE_BLOB;
			bind->buffer = (void *)(uintptr_t)arg->bytes.data;
			bind->buffer_length = arg->bytes.len;
			break;
		}
	}
}

/* Binds the arguments. The client library copies the binds, but keeps pointers to the arguments. */
static bool bind_args(MYSQL_STMT *stmt, const struct sql_build *build)
{
	MYSQL_BIND few[SQL_ARGS_MAX], *binds = few;
	if (build->count > ARRAY_LEN(few))
		binds = calloc(build->count, sizeof(*binds));
	if (!binds)
		die("db: out of memory");
	fill_binds(build, binds);
	bool is_bound = mysql_stmt_bind_param(stmt, binds) == 0;
	if (binds != few)
		free(binds);
	return is_bound;
}

/* Rejects a statement that is larger than max_allowed_packet: the server would close the
 * connection, usually without an error. Small statements are not checked: this saves a query. */
static enum result check_size(struct db *db, const struct sql_build *build, struct error *error)
{
	enum { UNASKED_BYTES = 64 * 1024, ARGUMENT_BYTES = 16 };
	int64_t bytes = (int64_t)(build->len + build->count * ARGUMENT_BYTES), max;
	for (size_t i = 0; i < build->count; i++)
		bytes += (int64_t)build->args[i].bytes.len;
	if (bytes <= UNASKED_BYTES)
		return OK;
	enum result result = db_packet_max(db, &max, error);
	return result != OK || bytes <= max ? result : db_too_large(error, bytes, max);
}

static enum result run_once(struct db *db, const struct sql_build *build, bool is_write,
			    struct prepared **ran, struct error *error)
{
	enum result result = db_connect(db, error);
	if (result == OK)
		result = check_size(db, build, error);
	if (result != OK)
		return result;
	db_count(db);
	struct prepared *prepared = NULL;
	result = prepare_statement(db, build, &prepared, error);
	if (result != OK)
		return result;
	MYSQL_STMT *stmt = prepared->stmt;
	if (mysql_stmt_param_count(stmt) != build->count)
		die("db: %zu arguments for: %s", build->count, build->text);
	if (!bind_args(stmt, build) || mysql_stmt_execute(stmt) != 0)
		return db_failure(db, mysql_stmt_errno(stmt), mysql_stmt_error(stmt), is_write,
				  error);
	*ran = prepared;
	return OK;
}

enum result db_run(struct db *db, const struct sql_build *build, bool is_write,
		   struct prepared **ran, struct error *error)
{
	enum { STALE_WITHIN_MS = 1000 };
	bool was_in_transaction = db->is_in_transaction;
	if (!was_in_transaction)
		db_look_around(db);
	bool was_connected = db->mysql != NULL;
	int64_t began_ms = clock_ms();
	enum result result = run_once(db, build, is_write, ran, error);
	/* Only a quick failure shows that the connection was stale. After a longer time the server
	 * may have run the statement. */
	bool was_stale = was_connected && clock_ms() - began_ms < STALE_WITHIN_MS;
	bool is_worth_again = (result == E_UNAVAILABLE && was_stale) ||
			      (result == E_RETRY && !is_write);
	if (is_worth_again && !was_in_transaction)
		result = run_once(db, build, is_write, ran, error);
	return result;
}

enum result db_write(struct db *db, const struct sql_build *build, struct db_done *done,
		     struct error *error)
{
	struct prepared *ran;
	enum result result = db_run(db, build, true, &ran, error);
	if (result == OK && done)
		*done = (struct db_done){ (int64_t)mysql_stmt_insert_id(ran->stmt),
					  (int64_t)mysql_stmt_affected_rows(ran->stmt) };
	return result;
}

enum result db_insert(struct db *db, const struct sql_build *build, int64_t *id,
		      struct error *error)
{
	struct db_done done;
	enum result result = db_write(db, build, &done, error);
	if (result == OK)
		*id = done.id;
	return result;
}

enum result db_write_found(struct db *db, const struct sql_build *build, struct error *error)
{
	struct db_done done;
	enum result result = db_write(db, build, &done, error);
	return result == OK && done.rows == 0 ? E_NOT_FOUND : result;
}
