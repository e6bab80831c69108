/* The rows of prepared statements. */
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "db/db.h"
#include "db/internal.h"

struct db_rows {
	struct db *db;
	struct prepared *prepared;
	MYSQL_STMT *stmt; /* the statement of `prepared` */
};

/* Returns a struct for a new result. Takes the spare struct of an earlier result, or allocates one
 * if there is none. */
static struct db_rows *take_rows(struct db *db, struct prepared *prepared)
{
	struct db_rows *rows = db->spare_rows ? db->spare_rows : malloc(sizeof(*rows));
	if (!rows)
		die("db: out of memory");
	db->spare_rows = NULL;
	*rows = (struct db_rows){ db, prepared, prepared->stmt };
	return rows;
}

enum result db_read(struct db *db, const struct sql_build *build, struct db_rows **rows,
		    struct error *error)
{
	struct prepared *ran;
	*rows = NULL;
	enum result result = db_run(db, build, false, &ran, error);
	if (result != OK)
		return result;
	if (ran->columns > DB_COLUMNS_MAX)
		die("db: %u columns from: %s", ran->columns, build->text);
	if (mysql_stmt_store_result(ran->stmt) != 0)
		return db_failure(db, mysql_stmt_errno(ran->stmt), mysql_stmt_error(ran->stmt),
				  false, error);
	*rows = take_rows(db, ran);
	return OK;
}

void db_rows_close(struct db_rows *rows)
{
	if (!rows)
		return;
	mysql_stmt_free_result(rows->stmt);
	if (rows->db->spare_rows)
		free(rows);
	else
		rows->db->spare_rows = rows;
}

/* Returns a NUL-terminated copy of a column's bytes in the arena; NULL for SQL's NULL. */
static char *column_text(struct db_rows *rows, unsigned column, struct arena *arena)
{
	const struct row_cells *row = &rows->db->row;
	unsigned long len = row->lengths[column];
	if (row->nulls[column])
		return NULL;
	if (rows->prepared->bound && len <= DB_CELL_BYTES)
		return arena_strndup(arena, row->cells[column].text, len);
	char *text = arena_alloc(arena, len + 1);
	MYSQL_BIND bind = {
		.buffer_type = MYSQL_TYPE_STRING,
		.buffer = text,
		.buffer_length = len + 1,
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

static int64_t column_int(const struct db_rows *rows, unsigned column)
{
	const struct row_cells *row = &rows->db->row;
	return row->nulls[column] ? 0 : row->cells[column].number;
}

static struct instant column_time(const struct db_rows *rows, unsigned column)
{
	const struct row_cells *row = &rows->db->row;
	if (row->nulls[column])
		return (struct instant){ 0 };
	const MYSQL_TIME *value = &row->cells[column].time;
	return instant_of(&(struct instant_parts){
		.year = (int)value->year,
		.month = (int)value->month,
		.day = (int)value->day,
		.hour = (int)value->hour,
		.minute = (int)value->minute,
		.second = (int)value->second,
	});
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
	case FIELD_PERCENT:
	case FIELD_OBJECT:
	case FIELD_ROWS:
		die("db: %s is no column", field->name);
	}
}

static bool fetch_row(struct db_rows *rows)
{
	int outcome = mysql_stmt_fetch(rows->stmt);
	return outcome == 0 || outcome == MYSQL_DATA_TRUNCATED;
}

/* Checks the column names, to detect swapped columns. bind_columns() calls this once for each
 * statement and field table. A field without a name accepts any column name. */
static void check_columns(const struct db_rows *rows, struct fields fields)
{
	const struct prepared *prepared = rows->prepared;
	if (prepared->columns != fields.count)
		die("db: %u columns for a table of %zu: %s", prepared->columns, fields.count,
		    prepared->text);
	MYSQL_RES *columns = mysql_stmt_result_metadata(rows->stmt);
	if (!columns)
		die("db: out of memory");
	const MYSQL_FIELD *names = mysql_fetch_fields(columns);
	for (size_t i = 0; i < fields.count; i++)
		if (fields.rows[i].name && strcmp(names[i].name, fields.rows[i].name) != 0)
			die("db: the column %s where %s is read: %s", names[i].name,
			    fields.rows[i].name, prepared->text);
	mysql_free_result(columns);
}

static void bind_cell(MYSQL_BIND *bind, struct row_cells *row, size_t column, enum field_kind kind)
{
	*bind = (MYSQL_BIND){
		.buffer = &row->cells[column],
		.length = &row->lengths[column],
		.is_null = &row->nulls[column],
	};
	switch (kind) {
	case FIELD_INT:
	case FIELD_CHOICE:
	case FIELD_BOOL:
		bind->buffer_type = MYSQL_TYPE_LONGLONG;
		return;
	case FIELD_TIME:
		bind->buffer_type = MYSQL_TYPE_DATETIME;
		return;
	default:
		bind->buffer_type = MYSQL_TYPE_STRING;
		bind->buffer_length = DB_CELL_BYTES;
	}
}

/* Binds the columns to the cells. The client library keeps the binding with the statement. */
static void bind_columns(struct db_rows *rows, struct fields fields)
{
	MYSQL_BIND binds[DB_COLUMNS_MAX];
	if (rows->prepared->bound == fields.rows)
		return;
	check_columns(rows, fields);
	for (size_t i = 0; i < fields.count; i++)
		bind_cell(&binds[i], &rows->db->row, i, fields.rows[i].kind);
	if (mysql_stmt_bind_result(rows->stmt, binds) != 0)
		die("db: the columns cannot be bound: %s", rows->prepared->text);
	rows->prepared->bound = fields.rows;
}

/* Binds the columns without memory for their bytes. A fetch then returns only the lengths, and
 * column_text() copies the bytes to the arena. */
static void bind_lengths(struct db_rows *rows)
{
	MYSQL_BIND binds[DB_COLUMNS_MAX];
	for (unsigned i = 0; i < rows->prepared->columns; i++) {
		bind_cell(&binds[i], &rows->db->row, i, FIELD_TEXT);
		binds[i].buffer_length = 0;
	}
	if (mysql_stmt_bind_result(rows->stmt, binds) != 0)
		die("db: the columns cannot be bound: %s", rows->prepared->text);
	rows->prepared->bound = NULL;
}

size_t db_rows_count(const struct db_rows *rows)
{
	return mysql_stmt_num_rows(rows->stmt);
}

bool db_next(struct db_rows *rows, struct fields fields, void *row, struct arena *arena)
{
	bind_columns(rows, fields);
	if (!fetch_row(rows))
		return false;
	for (unsigned i = 0; i < fields.count; i++)
		column_into(rows, i, &fields.rows[i], row, arena);
	return true;
}

bool db_next_blobs(struct db_rows *rows, struct db_blob *blobs, size_t count, struct arena *arena)
{
	if (rows->prepared->columns != count)
		die("db: %u columns for %zu blobs", rows->prepared->columns, count);
	bind_lengths(rows);
	if (!fetch_row(rows))
		return false;
	for (unsigned i = 0; i < count; i++)
		blobs[i] =
			(struct db_blob){ column_text(rows, i, arena), rows->db->row.lengths[i] };
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

enum result db_read_int(struct db *db, const struct sql_build *build, int64_t *number,
			struct error *error)
{
	static const struct field fields[] = { { .kind = FIELD_INT } };
	*number = 0;
	return db_read_one(db, build, FIELDS(fields), number, NULL, error);
}

enum result db_read_text(struct db *db, const struct sql_build *build, struct arena *arena,
			 const char **text, struct error *error)
{
	static const struct field fields[] = { { .kind = FIELD_TEXT } };
	*text = NULL;
	return db_read_one(db, build, FIELDS(fields), text, arena, error);
}

enum result db_read_list(struct db *db, const struct sql_build *build, const struct db_shape *shape,
			 struct arena *arena, struct db_list *list, struct error *error)
{
	struct db_rows *rows CLEANUP(db_rows_cleanup) = NULL;
	*list = (struct db_list){ 0 };
	enum result result = db_read(db, build, &rows, error);
	if (result != OK)
		return result;
	/* Allocate memory for the rows that were found, not for the limit. */
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

enum result db_read_into(struct db *db, const struct sql_build *build, struct fields fields,
			 const struct db_into *into, struct arena *arena, struct error *error)
{
	const struct db_shape shape = { fields, into->row_bytes, into->most };
	struct db_list found;
	enum result result = db_read_list(db, build, &shape, arena, &found, error);
	memcpy(into->rows, &found.rows, sizeof(found.rows));
	*into->count = found.count;
	return result;
}

enum result db_read_ids(struct db *db, const struct sql_build *build, size_t most,
			struct arena *arena, struct id_list *ids, struct error *error)
{
	static const struct field fields[] = { { .name = "id", .kind = FIELD_INT } };
	const struct db_shape shape = { FIELDS(fields), sizeof(int64_t), most };
	struct db_list found;
	enum result result = db_read_list(db, build, &shape, arena, &found, error);
	*ids = (struct id_list){ found.rows, found.count };
	return result;
}
