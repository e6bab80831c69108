/* The monitors of a page. */
#include "store/snapshot.h"

#define ROW(member) FIELD(struct page_monitor, member)
static const struct field rows[] = {
	ROW(id),	 ROW(position),	   ROW(name),	    ROW(created_at),
	ROW(updated_at), ROW(known_since), ROW(is_retired),
};

enum result snapshot_load_monitors(struct db *db, struct page_snapshot *snapshot,
				   struct arena *arena, struct error *error)
{
	struct sql_build sql;
	struct db_list list;
	sql_start(&sql, SQL("SELECT m.id, s.position, m.name, m.created_at, m.updated_at, "
			    "m.known_since, m.retired_at IS NOT NULL AS is_retired "
			    "FROM status_page_monitors s JOIN monitors m ON m.id = s.monitor_id "
			    "WHERE s.status_page_id = ? ORDER BY s.position, m.id LIMIT ?"));
	sql_int(&sql, snapshot->page.id);
	sql_int(&sql, PAGE_MONITORS_MAX + 1);
	enum result result = snapshot_read(
		db, &sql, DB_SHAPE(FIELDS(rows), struct page_monitor, PAGE_MONITORS_MAX),
		"monitors", arena, &list, error);
	if (result != OK)
		return result;
	snapshot->monitors = list.rows;
	snapshot->monitor_count = list.count;
	snapshot->monitor_ids =
		(struct id_list){ ARENA_ARRAY(arena, list.count, int64_t), list.count };
	for (size_t i = 0; i < list.count; i++)
		snapshot->monitor_ids.ids[i] = snapshot->monitors[i].id;
	return OK;
}
