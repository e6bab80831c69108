/* Loads the gaps of monitors in the days of the bars. A gap is a time in which a monitor was not
 * observed. */
#include "base/sorted.h"
#include "store/snapshot/snapshot.h"

#define ROW(member, name) FIELD_NAMED(struct page_gap, member, name)
static const struct field rows_of_gap[] = { ROW(monitor_id, "monitor_id"),
					    ROW(interval.from, "started_at"),
					    ROW(interval.to, "ended_at") };
#undef ROW

struct loading {
	struct db *db;
	const struct snapshot_set *set;
	struct arena *arena;
	size_t most;	       /* how many gaps to read at most */
	enum result over;      /* the result if there are more gaps */
	struct page_gap *rows; /* the gaps of all monitors, sorted by monitor and start */
	size_t count;
};

static enum result read_some(struct loading *loading, const struct id_list *ids,
			     struct error *error)
{
	struct sql_build sql;
	struct db_list list;
	sql_start(&sql, SQL("SELECT monitor_id, started_at, ended_at FROM monitor_gaps "
			    "WHERE monitor_id IN ("));
	sql_list_ints(&sql, ids->ids, ids->count, loading->arena);
	sql_add(&sql, SQL(") AND ends_at >= ? ORDER BY monitor_id, started_at LIMIT ?"),
		loading->set->bars_start, (int64_t)loading->most + 1);
	enum result result =
		snapshot_read(loading->db, &sql,
			      DB_SHAPE(FIELDS(rows_of_gap), struct page_gap, loading->most + 1),
			      "gaps", loading->arena, &list, error);
	if (result != OK)
		return result;
	size_t i = loading->count;
	loading->rows = snapshot_rows_append(loading->arena, loading->rows, &loading->count, &list,
					     sizeof(*loading->rows));
	for (; i < loading->count; i++)
		loading->rows[i].interval.is_gap = true;
	return loading->count <= loading->most
		       ? OK
		       : error_log(error, loading->over, "publish: the page has more than %zu gaps",
				   loading->most);
}

static enum result read_gaps(struct loading *loading, struct error *error)
{
	const struct snapshot_set *set = loading->set;
	struct id_list ids = { ARENA_ARRAY(loading->arena, set->monitor_count, int64_t), 0 };
	enum result result = OK;
	for (size_t i = 0; i < set->monitor_count; i++)
		if (set->monitors[i].has_gaps)
			ids.ids[ids.count++] = set->monitors[i].id;
	for (size_t from = 0; result == OK && from < ids.count; from += SNAPSHOT_LIST_MAX) {
		const struct id_list some = snapshot_list_chunk(&ids, from);
		result = read_some(loading, &some, error);
	}
	return result;
}

/* Returns the number of gaps of a monitor. Sets *from to the index of its first gap. */
static size_t gaps_of(const struct loading *loading, int64_t monitor_id, size_t *from)
{
	size_t end = *from = SORTED_PLACE(struct page_gap, monitor_id, loading->rows,
					  loading->count, monitor_id);
	while (end < loading->count && loading->rows[end].monitor_id == monitor_id)
		end++;
	return end - *from;
}

static void fill_page(const struct loading *loading, struct page_snapshot *page)
{
	const struct id_list *ids = &page->monitor_ids;
	size_t total = 0, from;
	for (size_t i = 0; i < ids->count; i++)
		total += gaps_of(loading, ids->ids[i], &from);
	if (total == 0)
		return;
	page->gaps = ARENA_ARRAY(loading->arena, total, struct page_gap);
	for (size_t i = 0; i < ids->count; i++) {
		size_t count = gaps_of(loading, ids->ids[i], &from);
		for (size_t j = 0; j < count; j++)
			page->gaps[page->gap_count++] = loading->rows[from + j];
	}
}

enum result snapshot_load_gaps(struct db *db, struct snapshot_set *set, struct arena *arena,
			       struct error *error)
{
	struct loading loading = {
		.db = db, .set = set, .arena = arena, .most = PAGE_GAPS_MAX, .over = E_FAILED
	};
	enum result result = read_gaps(&loading, error);
	for (size_t i = 0; result == OK && loading.count > 0 && i < set->count; i++)
		if (set->contents[i].is_found)
			fill_page(&loading, &set->contents[i].view);
	return result;
}

enum result snapshot_read_gaps(struct db *db, struct snapshot_set *set, size_t most,
			       struct arena *arena, struct page_snapshot *page, struct error *error)
{
	struct loading loading = {
		.db = db, .set = set, .arena = arena, .most = most, .over = E_TOO_LARGE
	};
	enum result result = read_gaps(&loading, error);
	page->gaps = loading.rows;
	page->gap_count = loading.count;
	return result;
}
