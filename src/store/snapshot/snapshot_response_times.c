/* Loads the response times of monitors, for the pages that show response times. */
#include <string.h>

#include "store/check/response_times.h"
#include "store/snapshot/snapshot.h"

/* Returns the monitors of the pages that show response times, ascending by id. */
static struct id_list monitors_of(const struct snapshot_set *set, struct arena *arena)
{
	struct id_list ids = { 0 };
	size_t room = 0;
	for (size_t i = 0; i < set->count; i++) {
		const struct page_snapshot *page = &set->contents[i].view;
		for (size_t j = 0; page->has_response_times && j < page->monitor_ids.count; j++) {
			ids.ids = arena_grow(arena, ids.ids, ids.count, &room, sizeof(*ids.ids));
			ids.ids[ids.count++] = page->monitor_ids.ids[j];
		}
	}
	id_list_settle(&ids);
	return ids;
}

static enum result read_some(struct db *db, const struct id_list *ids, struct instant until,
			     struct arena *arena, struct db_list *list, struct error *error)
{
	static const struct field rows[] = { RESPONSE_ROWS };
	const size_t most = ids->count * PAGE_RESPONSE_HOURS;
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT h.monitor_id, " RESPONSE_COLUMNS(
				"h.hour") "FROM monitor_hours h WHERE h.checks > 0 "
					  "AND h.hour IN ("));
	sql_list_times(&sql, (struct instant){ until.s - PAGE_RESPONSE_HOURS * INT64_C(3600) },
		       3600, PAGE_RESPONSE_HOURS, arena);
	sql_add(&sql, SQL(") AND h.monitor_id IN ("));
	sql_list_ints(&sql, ids->ids, ids->count, arena);
	sql_add(&sql, SQL(") ORDER BY h.monitor_id, h.hour LIMIT ?"), (int64_t)most);
	return snapshot_read(db, &sql, DB_SHAPE(FIELDS(rows), struct response_time, most), "hours",
			     arena, list, error);
}

enum result snapshot_load_response_times(struct db *db, struct snapshot_set *set,
					 struct arena *arena, struct error *error)
{
	const struct id_list ids = monitors_of(set, arena);
	const struct instant until = page_response_end(set->now);
	struct response_time *times =
		ARENA_ARRAY(arena, ids.count * PAGE_RESPONSE_HOURS, struct response_time);
	enum result result = OK;
	size_t count = 0;
	for (size_t from = 0; result == OK && from < ids.count; from += SNAPSHOT_LIST_MAX) {
		const struct id_list some = snapshot_list_chunk(&ids, from);
		struct db_list list;
		result = read_some(db, &some, until, arena, &list, error);
		if (result != OK || list.count == 0)
			continue;
		memcpy(times + count, list.rows, list.count * sizeof(*times));
		count += list.count;
	}
	/* All pages get the same rows, and look them up by monitor. */
	for (size_t i = 0; i < set->count; i++) {
		set->contents[i].view.response_times = times;
		set->contents[i].view.response_time_count = count;
	}
	return result;
}
