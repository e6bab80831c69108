#include "store/snapshot.h"

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

/* A page of more monitors has a join. MariaDB turns lists of 1,000 or more into a join, too
 * (in_predicate_conversion_threshold). */
enum { LISTED_MONITORS_MAX = 512 };

void snapshot_add_monitors(struct sql_build *sql, const struct page_snapshot *snapshot,
			   struct arena *arena)
{
	const struct id_list *monitors = &snapshot->monitor_ids;
	if (monitors->count <= LISTED_MONITORS_MAX) {
		sql_add(sql, SQL("("));
		sql_list_ints(sql, monitors->ids, monitors->count, arena);
		sql_add(sql, SQL(") "));
		return;
	}
	sql_add(sql, SQL("(SELECT monitor_id FROM status_page_monitors "
			 "WHERE status_page_id = ?) "));
	sql_int(sql, snapshot->page.id);
}
