#include "store/list.h"

#include <string.h>

#include "domain/field_table.h"

enum result list_read(struct db *db, const struct sql_build *sql, struct fields fields,
		      const struct list_into *into, struct arena *arena, struct error *error)
{
	struct db_rows *rows CLEANUP(db_rows_cleanup) = NULL;
	const struct field *id = fields_find(fields, "id");
	char *none = NULL;
	memcpy(into->rows, &none, sizeof(none));
	*into->count = 0;
	*into->total = 0;
	enum result result = db_read(db, sql, &rows, error);
	if (result != OK)
		return result;
	size_t room = db_rows_count(rows), bytes = into->row_bytes;
	char *row = arena_alloc(arena, bytes + sizeof(*into->total));
	char *kept = arena_array(arena, room, bytes);
	memcpy(into->rows, &kept, sizeof(kept));
	while (db_next(rows, fields, row, arena)) {
		memcpy(into->total, row + bytes, sizeof(*into->total));
		if (*FIELD_AT(row, id, int64_t) > 0)
			memcpy(kept + (*into->count)++ * bytes, row, bytes);
	}
	return into->has_owner && room == 0 ? E_NOT_FOUND : OK;
}

enum result list_total_past_end(struct db *db, const struct sql_build *sql, int64_t offset,
				int64_t *total, struct error *error)
{
	int64_t count;
	enum result result = db_read_int(db, sql, &count, error);
	*total = count < offset ? count : offset;
	return result;
}
