/* Loads the months of the pages' histories. page_history.c reads the incidents of these months. */
#include "store/snapshot/snapshot.h"

/* The most months of one page: all months of the times that a database can store. */
enum { MONTHS_MAX = 12 * 10000 };

struct month_row {
	int64_t page_id;
	struct page_month month;
};

#define ROW(member) FIELD_NAMED(struct month_row, month.member, #member)
static const struct field rows[] = {
	FIELD(struct month_row, page_id),
	ROW(start),
	ROW(revision),
	ROW(name),
};

/* Finds the page's oldest open incident that began before the current month. Returns the start of
 * the month that follows the incident's start. 0: there is no such incident. */
static struct instant open_since(const struct page_snapshot *page)
{
	struct instant first = page->month_start;
	for (size_t i = 0; i < page->incident_count; i++) {
		const struct incident *incident = &page->incidents[i].row;
		if (incident->ended_at.s == 0 && incident->started_at.s < first.s)
			first = incident->started_at;
	}
	struct instant_parts parts = instant_split(first);
	const struct page_month month = {
		.start = instant_of(&(struct instant_parts){
			.year = parts.year, .month = parts.month, .day = 1 }),
	};
	return first.s < page->month_start.s ? page_month_end(&month) : (struct instant){ 0 };
}

static struct instant month_before(struct instant start)
{
	struct instant_parts parts = instant_split((struct instant){ start.s - 1 });
	return instant_of(
		&(struct instant_parts){ .year = parts.year, .month = parts.month, .day = 1 });
}

static void add_month(struct page_snapshot *page, const struct page_month *found,
		      struct instant start, struct arena *arena)
{
	char text[INSTANT_TEXT_SIZE];
	struct page_month *month = &page->months[page->month_count++];
	if (found)
		*month = *found;
	else
		*month = (struct page_month){
			.start = start,
			.name = arena_strndup(arena, instant_format(start, text), 7),
		};
}

/*
 * Sets the months of a page from its rows, newest first. Skips rows of future months, which exist
 * because of planned maintenance. Also adds the months in which an open incident goes on. Such a
 * month has no row, unless another incident began in it.
 */
static void fill_page(struct page_snapshot *page, const struct month_row *found, size_t count,
		      struct arena *arena)
{
	while (count > 0 && found->month.start.s > page->now.s)
		found++, count--;
	const struct instant since = open_since(page);
	struct instant start = page->month_start;
	page->months = ARENA_ARRAY(arena, PAGE_MONTHS_MAX, struct page_month);
	while (page->month_count < PAGE_MONTHS_MAX) {
		bool is_open = since.s > 0 && start.s >= since.s;
		if (count == 0 && !is_open)
			break;
		if (count > 0 && (!is_open || found->month.start.s >= start.s)) {
			start = month_before(found->month.start);
			add_month(page, &found->month, found->month.start, arena);
			found++, count--;
		} else {
			add_month(page, NULL, start, arena);
			start = month_before(start);
		}
	}
}

enum result snapshot_load_months(struct db *db, struct snapshot_set *set, struct arena *arena,
				 struct error *error)
{
	struct sql_build sql;
	struct db_list list;
	sql_start(&sql, SQL("SELECT page_id, month AS start, SUM(revision) AS revision, "
			    "DATE_FORMAT(month, '%Y-%m') AS name FROM ("
			    "SELECT s.status_page_id AS page_id, x.month, "
			    "SUM(x.revision) AS revision FROM status_page_monitors s "
			    "STRAIGHT_JOIN incident_months x ON x.monitor_id = s.monitor_id "
			    "WHERE s.status_page_id IN ("));
	snapshot_add_pages(&sql, set, arena);
	sql_add(&sql, SQL(") GROUP BY s.status_page_id, x.month UNION ALL "
			  "SELECT g.status_page_id, g.month, SUM(g.revision) "
			  "FROM incident_pages g WHERE g.status_page_id IN ("));
	snapshot_add_pages(&sql, set, arena);
	sql_add(&sql, SQL(") GROUP BY g.status_page_id, g.month) either "
			  "GROUP BY page_id, month ORDER BY page_id, month DESC LIMIT ?"));
	sql_add(&sql, MONTHS_MAX);
	enum result result = snapshot_read(db, &sql,
					   DB_SHAPE(FIELDS(rows), struct month_row, MONTHS_MAX),
					   "months", arena, &list, error);
	const struct month_row *found = list.rows;
	for (size_t i = 0; result == OK && i < set->count; i++) {
		size_t from = 0, count = 0;
		while (from < list.count && found[from].page_id != set->contents[i].page_id)
			from++;
		while (from + count < list.count &&
		       found[from + count].page_id == set->contents[i].page_id)
			count++;
		if (set->contents[i].is_found)
			fill_page(&set->contents[i].view, count > 0 ? &found[from] : NULL, count,
				  arena);
	}
	return result;
}
