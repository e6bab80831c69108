#include "store/snapshot/snapshot.h"

#include <string.h>

enum result snapshot_read(struct db *db, const struct sql_build *sql, const struct db_shape *shape,
			  const char *what, struct arena *arena, struct db_list *list,
			  struct error *error)
{
	struct db_rows *rows CLEANUP(db_rows_cleanup) = NULL;
	*list = (struct db_list){ 0 };
	enum result result = db_read(db, sql, &rows, error);
	if (result != OK)
		return result;
	size_t found = db_rows_count(rows);
	if (found > shape->limit)
		return error_log(error, E_FAILED, "publish: the page has more than %zu %s",
				 shape->limit, what);
	char *row = arena_array(arena, found, shape->row_bytes);
	list->rows = row;
	for (; arena_has_room(arena) && db_next(rows, shape->fields, row, arena);
	     row += shape->row_bytes)
		list->count++;
	return arena_has_room(arena)
		       ? OK
		       : error_log(error, E_FAILED,
				   "publish: the %s take more memory than a page may", what);
}

void *snapshot_rows_append(struct arena *arena, void *rows, size_t *count,
			   const struct db_list *more, size_t row_bytes)
{
	char *grown = arena_array(arena, *count + more->count, row_bytes);
	if (*count > 0)
		memcpy(grown, rows, *count * row_bytes);
	if (more->count > 0)
		memcpy(grown + *count * row_bytes, more->rows, more->count * row_bytes);
	*count += more->count;
	return grown;
}

struct id_list snapshot_list_chunk(const struct id_list *list, size_t from)
{
	size_t left = list->count - from;
	return (struct id_list){ list->ids + from,
				 left < SNAPSHOT_LIST_MAX ? left : SNAPSHOT_LIST_MAX };
}

void snapshot_add_pages(struct sql_build *sql, const struct snapshot_set *set, struct arena *arena)
{
	int64_t *ids = ARENA_ARRAY(arena, set->count, int64_t);
	for (size_t i = 0; i < set->count; i++)
		ids[i] = set->contents[i].page_id;
	sql_list_ints(sql, ids, set->count, arena);
}

struct page_snapshot *snapshot_page(const struct snapshot_set *set, int64_t page_id)
{
	for (size_t i = 0; i < set->count; i++)
		if (set->contents[i].page_id == page_id && set->contents[i].is_found)
			return &set->contents[i].view;
	return NULL;
}
