#include "store/list.h"

#include <string.h>

#include "domain/field_table.h"

enum result list_read(struct db *db, const struct sql_build *sql, const struct list_shape *shape,
		      struct arena *arena, struct list_found *found, struct error *error)
{
	struct db_rows *rows CLEANUP(db_rows_cleanup) = NULL;
	const struct field *id = fields_find(shape->fields, "id");
	*found = (struct list_found){ 0 };
	enum result result = db_read(db, sql, &rows, error);
	if (result != OK)
		return result;
	size_t room = db_rows_count(rows), bytes = shape->row_bytes;
	char *row = arena_alloc(arena, bytes + sizeof(found->total));
	found->rows = arena_array(arena, room, bytes);
	while (db_next(rows, shape->fields, row, arena)) {
		memcpy(&found->total, row + bytes, sizeof(found->total));
		if (*FIELD_AT(row, id, int64_t) > 0)
			memcpy((char *)found->rows + found->count++ * bytes, row, bytes);
	}
	return shape->has_owner && room == 0 ? E_NOT_FOUND : OK;
}

enum result list_total_past_end(struct db *db, const struct sql_build *sql, int64_t offset,
				int64_t *total, struct error *error)
{
	int64_t count;
	enum result result = db_read_int(db, sql, &count, error);
	*total = count < offset ? count : offset;
	return result;
}
