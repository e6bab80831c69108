/* Prepared statements: binding arguments and reading rows. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/log.h"
#include "db/db.h"
#include "db/internal.h"

/* The widest table, status_pages, has fewer columns. */
enum { DB_COLUMNS_MAX = 32 };

struct db_rows {
	struct prepared *prepared;
	MYSQL_STMT *stmt; /* of `prepared` */
	unsigned columns;
	MYSQL_BIND binds[DB_COLUMNS_MAX];
	unsigned long lengths[DB_COLUMNS_MAX];
	db_bool nulls[DB_COLUMNS_MAX];
};

/* The prepared statement for `text`; each connection prepares it once. */
static enum result prepare_statement(struct db *db, const char *text, struct prepared **prepared,
				     struct error *error)
{
	struct prepared *slot = &db->prepared[0];
	for (size_t i = 0; i < DB_PREPARED_MAX; i++) {
		struct prepared *at = &db->prepared[i];
		if (at->stmt && strcmp(at->text, text) == 0) {
			at->last_used = db->queries;
			*prepared = at;
			return OK;
		}
		if (slot->stmt && (!at->stmt || at->last_used < slot->last_used))
			slot = at;
	}
	MYSQL_STMT *stmt = mysql_stmt_init(db->mysql);
	if (!stmt)
		die("db: out of memory");
	if (mysql_stmt_prepare(stmt, text, strlen(text)) != 0) {
		/* A statement that could not be prepared has changed nothing. */
		enum result result = db_failure(db, mysql_stmt_errno(stmt), mysql_stmt_error(stmt),
						false, error);
		mysql_stmt_close(stmt);
		return result;
	}
	if (slot->stmt)
		mysql_stmt_close(slot->stmt);
	free(slot->text);
	*slot = (struct prepared){ strdup(text), stmt, db->queries, NULL };
	if (!slot->text)
		die("db: out of memory");
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

/* The client library copies the binds, and keeps pointers to the arguments. */
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

/*
 * Rejects statements larger than max_allowed_packet: the server would close the connection, usually
 * without an error. Small statements are not checked, which saves the query.
 */
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
	db->queries++;
	struct prepared *prepared = NULL;
	result = prepare_statement(db, build->text, &prepared, error);
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

static enum result run_statement(struct db *db, const struct sql_build *build, bool is_write,
				 struct prepared **ran, struct error *error)
{
	enum { STALE_WITHIN_MS = 1000 };
	bool was_in_transaction = db->is_in_transaction;
	if (!was_in_transaction)
		db_look_around(db);
	bool was_connected = db->mysql != NULL;
	int64_t began_ms = clock_ms();
	enum result result = run_once(db, build, is_write, ran, error);
	/* A stale connection fails at once; after a longer time, the statement was tried. */
	bool was_stale = was_connected && clock_ms() - began_ms < STALE_WITHIN_MS;
	if (result == E_UNAVAILABLE && was_stale && !was_in_transaction)
		result = run_once(db, build, is_write, ran, error);
	return result;
}

enum result db_write(struct db *db, const struct sql_build *build, struct db_done *done,
		     struct error *error)
{
	struct prepared *ran;
	enum result result = run_statement(db, build, true, &ran, error);
	if (result == OK && done)
		*done = (struct db_done){ (int64_t)mysql_stmt_insert_id(ran->stmt),
					  (int64_t)mysql_stmt_affected_rows(ran->stmt) };
	return result;
}

enum result db_read(struct db *db, const struct sql_build *build, struct db_rows **rows,
		    struct error *error)
{
	struct prepared *ran;
	*rows = NULL;
	enum result result = run_statement(db, build, false, &ran, error);
	if (result != OK)
		return result;
	MYSQL_STMT *stmt = ran->stmt;
	struct db_rows *fetched = calloc(1, sizeof(*fetched));
	if (!fetched)
		die("db: out of memory");
	fetched->prepared = ran;
	fetched->stmt = stmt;
	fetched->columns = mysql_stmt_field_count(stmt);
	if (fetched->columns > DB_COLUMNS_MAX)
		die("db: %u columns from: %s", fetched->columns, build->text);
	/* Bind buffers of size 0: the fetch gives each column's length, and the bytes are then
	 * read straight into the arena. */
	for (unsigned i = 0; i < fetched->columns; i++) {
		fetched->binds[i].buffer_type = MYSQL_TYPE_STRING;
		fetched->binds[i].length = &fetched->lengths[i];
		fetched->binds[i].is_null = &fetched->nulls[i];
	}
	if (mysql_stmt_bind_result(stmt, fetched->binds) != 0 ||
	    mysql_stmt_store_result(stmt) != 0) {
		result = db_failure(db, mysql_stmt_errno(stmt), mysql_stmt_error(stmt), false,
				    error);
		free(fetched);
		return result;
	}
	*rows = fetched;
	return OK;
}

void db_rows_close(struct db_rows *rows)
{
	if (!rows)
		return;
	mysql_stmt_free_result(rows->stmt);
	free(rows);
}

/* The bytes of a column, NUL-terminated in the arena; NULL for SQL's NULL. */
static char *column_text(struct db_rows *rows, unsigned column, struct arena *arena)
{
	unsigned long len = rows->lengths[column];
	if (rows->nulls[column])
		return NULL;
	char *text = arena_alloc(arena, len + 1);
	MYSQL_BIND bind = {
		.buffer_type = MYSQL_TYPE_STRING,
		.buffer = text,
		.buffer_length = len + 1,
		.length = &rows->lengths[column],
	};
	if (len > 0 && mysql_stmt_fetch_column(rows->stmt, &bind, column, 0) != 0)
		die("db: column %u cannot be fetched", column);
	return text;
}

static struct id_list ids_from(const char *text, struct arena *arena)
{
	struct id_list list = { 0 };
	if (!text)
		return list;
	size_t count = 1;
	for (const char *c = text; *c; c++)
		count += *c == ',';
	list.ids = ARENA_ARRAY(arena, count, int64_t);
	struct str rest = str_from(text), item;
	while (str_split(&rest, ',', &item))
		if (str_to_int64(item, &list.ids[list.count]))
			list.count++;
	return list;
}

/* The column converted to a type by the client library. False: NULL. */
static bool column_as(struct db_rows *rows, unsigned column, enum enum_field_types type,
		      void *value)
{
	MYSQL_BIND bind = { .buffer_type = type, .buffer = value };
	if (rows->nulls[column])
		return false;
	if (mysql_stmt_fetch_column(rows->stmt, &bind, column, 0) != 0)
		die("db: column %u cannot be fetched", column);
	return true;
}

static int64_t column_int(struct db_rows *rows, unsigned column)
{
	long long value;
	return column_as(rows, column, MYSQL_TYPE_LONGLONG, &value) ? value : 0;
}

static struct instant column_time(struct db_rows *rows, unsigned column)
{
	MYSQL_TIME value = { 0 };
	if (!column_as(rows, column, MYSQL_TYPE_DATETIME, &value))
		return (struct instant){ 0 };
	return (struct instant){ timegm(&(struct tm){
		.tm_year = (int)value.year - 1900,
		.tm_mon = (int)value.month - 1,
		.tm_mday = (int)value.day,
		.tm_hour = (int)value.hour,
		.tm_min = (int)value.minute,
		.tm_sec = (int)value.second,
	}) };
}

static void column_into(struct db_rows *rows, unsigned column, const struct field *field, void *row,
			struct arena *arena)
{
	switch (field->kind) {
	case FIELD_INT:
		*FIELD_AT(row, field, int64_t) = column_int(rows, column);
		break;
	case FIELD_CHOICE:
		*FIELD_AT(row, field, int) = (int)column_int(rows, column);
		break;
	case FIELD_BOOL:
		*FIELD_AT(row, field, bool) = column_int(rows, column) != 0;
		break;
	case FIELD_TEXT:
		*FIELD_AT(row, field, const char *) = column_text(rows, column, arena);
		break;
	case FIELD_IDS:
		*FIELD_AT(row, field, struct id_list) =
			ids_from(column_text(rows, column, arena), arena);
		break;
	case FIELD_TIME:
		*FIELD_AT(row, field, struct instant) = column_time(rows, column);
		break;
	case FIELD_FILE:
	case FIELD_OBJECT:
		die("db: %s is no column", field->name);
	}
}

static bool fetch_row(struct db_rows *rows)
{
	int outcome = mysql_stmt_fetch(rows->stmt);
	return outcome == 0 || outcome == MYSQL_DATA_TRUNCATED;
}

/* Checks the column names, once for each statement and table, to detect swapped columns. */
static void check_columns(struct db_rows *rows, struct fields fields)
{
	struct prepared *prepared = rows->prepared;
	if (prepared->checked == fields.rows)
		return;
	if (rows->columns != fields.count)
		die("db: %u columns for a table of %zu: %s", rows->columns, fields.count,
		    prepared->text);
	MYSQL_RES *columns = mysql_stmt_result_metadata(rows->stmt);
	if (!columns)
		die("db: out of memory");
	const MYSQL_FIELD *names = mysql_fetch_fields(columns);
	for (size_t i = 0; i < fields.count; i++)
		if (strcmp(names[i].name, fields.rows[i].name) != 0)
			die("db: the column %s where %s is read: %s", names[i].name,
			    fields.rows[i].name, prepared->text);
	mysql_free_result(columns);
	prepared->checked = fields.rows;
}

size_t db_rows_count(const struct db_rows *rows)
{
	return mysql_stmt_num_rows(rows->stmt);
}

bool db_next(struct db_rows *rows, struct fields fields, void *row, struct arena *arena)
{
	check_columns(rows, fields);
	if (!fetch_row(rows))
		return false;
	for (unsigned i = 0; i < rows->columns; i++)
		column_into(rows, i, &fields.rows[i], row, arena);
	return true;
}

bool db_next_blobs(struct db_rows *rows, struct db_blob *blobs, size_t count, struct arena *arena)
{
	if (rows->columns != count)
		die("db: %u columns for %zu blobs", rows->columns, count);
	if (!fetch_row(rows))
		return false;
	for (unsigned i = 0; i < rows->columns; i++)
		blobs[i] = (struct db_blob){ column_text(rows, i, arena), rows->lengths[i] };
	return true;
}

enum result db_read_one(struct db *db, const struct sql_build *build, struct fields fields,
			void *row, struct arena *arena, struct error *error)
{
	struct db_rows *rows CLEANUP(db_rows_cleanup) = NULL;
	enum result result = db_read(db, build, &rows, error);
	if (result != OK)
		return result;
	return db_next(rows, fields, row, arena) ? OK : E_NOT_FOUND;
}

enum result db_read_list(struct db *db, const struct sql_build *build, const struct db_shape *shape,
			 struct arena *arena, struct db_list *list, struct error *error)
{
	struct db_rows *rows CLEANUP(db_rows_cleanup) = NULL;
	*list = (struct db_list){ 0 };
	enum result result = db_read(db, build, &rows, error);
	if (result != OK)
		return result;
	/* Allocate for the rows that were found, not for the limit. */
	size_t found = db_rows_count(rows);
	size_t room = found < shape->limit ? found : shape->limit;
	char *row = arena_array(arena, room, shape->row_bytes);
	list->rows = row;
	while (list->count < room && db_next(rows, shape->fields, row, arena)) {
		row += shape->row_bytes;
		list->count++;
	}
	return OK;
}
