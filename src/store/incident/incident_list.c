/*
 * Lists of incidents. A list is read in two steps: first the ids from an index, then the rows of
 * only one page. The program sorts these rows, because the database would sort them with their
 * texts in a table on disk.
 */
#include "store/incident/incident.h"
#include "store/incident/incident_columns.h"
#include "store/incident/incident_filter.h"
#include "store/incident/incident_report.h"

/* A row of the SELECT for a list. A reported incident has a row for each of its monitors. Only the
 * first of these rows has the columns of the incident. */
struct listed {
	struct incident incident;
	struct covered covered;
	int64_t total;
};

/* clang-format off */
#define COLUMN_LISTED(name, type) FIELD_NAMED(struct listed, incident.name, #name),
static const struct field listed_rows[] = {
	READ_COLUMNS(COLUMN_LISTED)
	FIELD_NAMED(struct listed, covered.incident_id, "incident_id"),
	COVERED_ROWS(struct listed, covered.)
	FIELD(struct listed, total),
};
/* clang-format on */

/* The search of a list, and what count_incidents() finds out before the rows are read. */
struct search {
	const char *pattern; /* NULL: none */
	bool is_scanned;     /* there is a pattern or a filter: no count is kept for the list */
	int64_t total;
	struct id_list ids;   /* the ids of all incidents that match; empty if they are not known */
	bool has_no_reported; /* no reported incident affects the monitor of the query */
};

/* The rows that a statement reads, counted from one end of the list. */
struct slice {
	int64_t limit;
	int64_t offset;
	bool is_from_end;
	bool is_deep; /* the rows are deep in the list: see build_list() */
};

/* If at most this number of incidents match, a statement collects them all, and then sorts them. */
enum { FEW = 4096 };

/*
 * Counts the incidents of the list. For a filter or a search in causes, the statement must read all
 * incidents of the account. Therefore it also returns the matching ids, as a text of at most
 * group_concat_max_len bytes.
 */
static enum result count_incidents(struct db *db, const struct incident_query *query,
				   struct search *search, struct arena *arena, struct error *error)
{
	struct count {
		int64_t total;
		int64_t reported;
		struct id_list ids;
	} count = { 0 };
	static const struct field count_rows[] = { FIELD(struct count, total),
						   FIELD(struct count, reported) };
	static const struct field match_rows[] = { FIELD(struct count, total),
						   FIELD(struct count, ids) };
	struct sql_build sql;
	bool is_of_monitors = search->pattern && !incident_filter_is_set(&query->filter) &&
			      (query->list.search_by == INCIDENT_SEARCH_MONITOR ||
			       query->list.search_by == INCIDENT_SEARCH_URL);
	bool reads_rows = search->is_scanned && !is_of_monitors;
	if (reads_rows) {
		sql_start(&sql, SQL("SELECT COUNT(*) AS total, GROUP_CONCAT(id) AS ids "
				    "FROM incidents "));
		incident_filter_rows(&sql, query, search->pattern);
	} else {
		sql_start(&sql, SQL("SELECT detected + reported AS total, reported FROM (SELECT "));
		incident_filter_totals(&sql, query, search->pattern);
		sql_add(&sql, SQL(") counted"));
	}
	enum result result = db_read_one(db, &sql,
					 reads_rows ? FIELDS(match_rows) : FIELDS(count_rows),
					 &count, arena, error);
	search->total = count.total;
	search->has_no_reported = !reads_rows && count.reported == 0;
	/* Use the ids only if all are there: group_concat_max_len may have cut off the list. */
	if (count.total <= FEW && (int64_t)count.ids.count == count.total)
		search->ids = count.ids;
	return result;
}

/* Returns FORCE INDEX for the index that has the columns of the filter, then those of the order.
 * Otherwise the optimiser would sort while there are few rows, and prepared statements would keep
 * that plan. */
static struct sql index_of(const struct incident_query *query)
{
	bool is_end = query->list.sort_by == INCIDENT_BY_ENDED_AT;
	if (query->monitor_id > 0 && query->status != INCIDENT_ANY_STATUS)
		return is_end ? SQL("FORCE INDEX (incidents_monitor_status_ends) ")
			      : SQL("FORCE INDEX (incidents_monitor_status_starts) ");
	if (query->monitor_id > 0)
		return is_end ? SQL("FORCE INDEX (incidents_monitor_ends) ")
			      : SQL("FORCE INDEX (incidents_monitor_starts) ");
	if (query->status != INCIDENT_ANY_STATUS)
		return is_end ? SQL("FORCE INDEX (incidents_status_ends) ")
			      : SQL("FORCE INDEX (incidents_status_starts) ");
	return is_end ? SQL("FORCE INDEX (incidents_ends) ")
		      : SQL("FORCE INDEX (incidents_starts) ");
}

static struct sql order_of(const struct incident_query *query, bool is_ascending)
{
	if (query->list.sort_by == INCIDENT_BY_ENDED_AT)
		return is_ascending ? SQL("ORDER BY ends_at, id ")
				    : SQL("ORDER BY ends_at DESC, id DESC ");
	return is_ascending ? SQL("ORDER BY started_at, id ")
			    : SQL("ORDER BY started_at DESC, id DESC ");
}

/* Returns the index for the reported incidents that affect a monitor. */
static struct sql reported_index_of(const struct incident_query *query)
{
	bool is_end = query->list.sort_by == INCIDENT_BY_ENDED_AT;
	if (query->status != INCIDENT_ANY_STATUS)
		return is_end ? SQL("FORCE INDEX (incident_monitors_status_ends) ")
			      : SQL("FORCE INDEX (incident_monitors_status_starts) ");
	return is_end ? SQL("FORCE INDEX (incident_monitors_ends) ")
		      : SQL("FORCE INDEX (incident_monitors_starts) ");
}

/* Adds the first detected incidents and the first reported incidents of a monitor, in the order of
 * the list. The page can need offset + limit incidents of each kind. */
static void add_both_kinds(struct sql_build *sql, const struct incident_query *query,
			   const struct slice *slice)
{
	bool is_ascending = query->list.is_ascending != slice->is_from_end;
	sql_add(sql, SQL("((SELECT id, started_at, ends_at FROM incidents "));
	sql_add(sql, index_of(query));
	incident_filter_rows(sql, query, NULL);
	sql_add(sql, order_of(query, is_ascending));
	sql_add(sql, SQL("LIMIT ?) UNION ALL (SELECT incident_id AS id, started_at, ends_at "
			 "FROM incident_monitors "));
	sql_add(sql, slice->limit + slice->offset);
	sql_add(sql, reported_index_of(query));
	incident_filter_covers(sql, query);
	sql_add(sql, order_of(query, is_ascending));
	sql_add(sql, SQL("LIMIT ?)) matched "), slice->limit + slice->offset);
}

/*
 * Adds the table from which a page of the list is selected. If many rows match, the statement walks
 * an index in the order of the list, and stops when the page is full. If few rows match, that walk
 * could read the whole index. So the statement collects the matching rows, and then sorts them.
 */
static void add_source(struct sql_build *sql, const struct incident_query *query,
		       const struct search *search, const struct slice *slice, struct arena *arena)
{
	if (search->ids.count > 0) {
		/*
		 * The last id may have lost digits (group_concat_max_len), and may now be the id of
		 * another account's incident. The condition on the account excludes that incident.
		 */
		sql_add(sql, SQL("(SELECT id, started_at, ends_at FROM incidents "
				 "FORCE INDEX (PRIMARY) WHERE account_id = ? AND id IN ("));
		sql_add(sql, query->list.account_id);
		sql_list_ints(sql, search->ids.ids, search->ids.count, arena);
		/* The LIMIT keeps the optimiser from merging the derived table into the outer
		 * query. */
		sql_add(sql, SQL(") LIMIT 6000) matched "));
		return;
	}
	if (search->is_scanned && search->total <= FEW) {
		sql_add(sql, SQL("(SELECT id, started_at, ends_at FROM incidents "));
		incident_filter_rows(sql, query, search->pattern);
		sql_add(sql, SQL("LIMIT 6000) matched "));
		return;
	}
	if (query->monitor_id > 0 && !search->is_scanned && !search->has_no_reported) {
		add_both_kinds(sql, query, slice);
		return;
	}
	sql_add(sql, SQL("incidents "));
	if (!(query->monitor_id > 0 && search->is_scanned))
		sql_add(sql, index_of(query));
	incident_filter_rows(sql, query, search->pattern);
}

static void build_list(struct sql_build *sql, const struct incident_query *query,
		       const struct search *search, const struct slice *slice, struct arena *arena)
{
	sql_start(sql,
		  SQL("SELECT " INCIDENT_COLUMNS ", shown.id AS incident_id, " COVERED_COLUMNS));
	/* Read rows and total by one statement, so that both are from the same moment. */
	if (search->is_scanned) {
		sql_add(sql, SQL("0 AS total "));
	} else {
		incident_filter_sum(sql, query);
		sql_add(sql, SQL("AS total "));
	}
	sql_add(sql, SQL("FROM (SELECT id FROM "));
	add_source(sql, query, search, slice, arena);
	sql_add(sql, order_of(query, query->list.is_ascending != slice->is_from_end));
	sql_add(sql, SQL("LIMIT ? OFFSET ?) shown "
			 "LEFT JOIN incident_monitors x ON x.incident_id = shown.id "
			 "LEFT JOIN incidents i ON i.id = shown.id AND COALESCE(x.position, 0) = 0 "
			 "LEFT JOIN monitors m ON m.id = COALESCE(x.monitor_id, i.monitor_id)"));
	sql_add(sql, slice->limit, slice->offset);
	/* MariaDB may read whole rows for a generated column, if another statement has used the
	 * table since this statement was prepared. A deep page then takes ten times as long. */
	if (slice->is_deep)
		sql_prepare_anew(sql);
}

static int64_t sorted_at(const struct incident_query *query, const struct incident *incident)
{
	if (query->list.sort_by != INCIDENT_BY_ENDED_AT)
		return incident->started_at.s;
	return incident->ended_at.s > 0 ? incident->ended_at.s : INT64_MAX;
}

static bool is_before(const struct incident_query *query, const struct incident *a,
		      const struct incident *b)
{
	int64_t left = sorted_at(query, a), right = sorted_at(query, b);
	bool is_less = left < right || (left == right && a->id < b->id);
	return is_less == query->list.is_ascending && a->id != b->id;
}

/* Sorts the rows of a page. The rows usually come in the order of the list. With is_from_end, they
 * come in the reverse order, and are reversed first. So the insertion sort has little to do. */
static void sort_rows(const struct incident_query *query, const struct slice *slice,
		      struct incident_list *list)
{
	struct incident *rows = list->rows, moved;
	for (size_t i = 0; slice->is_from_end && i < list->count / 2; i++) {
		moved = rows[i];
		rows[i] = rows[list->count - 1 - i];
		rows[list->count - 1 - i] = moved;
	}
	for (size_t i = 1; i < list->count; i++) {
		size_t at = i;
		moved = rows[i];
		for (; at > 0 && is_before(query, &moved, &rows[at - 1]); at--)
			rows[at] = rows[at - 1];
		rows[at] = moved;
	}
}

/* Adds the incident of a row to the list, if the row has an incident. Adds the monitor of a
 * reported incident to `covered`. */
static void take_row(struct listed *row, struct incident_list *list, struct db_list *covered)
{
	struct covered *rows = covered->rows;
	int64_t page_id;
	bool is_reported = row->incident.id == 0 || row->incident.kind == INCIDENT_REPORTED;
	if (is_reported) {
		row->covered.monitor.name = row->incident.monitor_name;
		row->covered.url = row->incident.monitor_url;
		rows[covered->count++] = row->covered;
	} else {
		row->incident.page_address = incident_first_page(row->covered.page, &page_id);
	}
	if (row->incident.id > 0)
		list->rows[list->count++] = row->incident;
}

static enum result read_slice(struct db *db, const struct incident_query *query,
			      const struct search *search, const struct slice *slice,
			      struct arena *arena, struct incident_list *list, struct error *error)
{
	struct db_rows *found CLEANUP(db_rows_cleanup) = NULL;
	struct sql_build sql;
	struct listed row = { 0 };
	build_list(&sql, query, search, slice, arena);
	enum result result = db_read(db, &sql, &found, error);
	if (result != OK)
		return result;
	size_t room = db_rows_count(found);
	struct db_list covered = { ARENA_ARRAY(arena, room, struct covered), 0 };
	*list = (struct incident_list){
		.rows = ARENA_ARRAY(arena, (size_t)slice->limit, struct incident),
	};
	while (db_next(found, FIELDS(listed_rows), &row, arena))
		take_row(&row, list, &covered);
	db_rows_close(found);
	found = NULL;
	sort_rows(query, slice, list);
	list->total = search->is_scanned ? search->total : row.total;
	for (size_t i = 0; i < list->count; i++)
		incident_complete(&list->rows[i], arena);
	return incident_report_complete(db, list->rows, list->count, &covered, arena, error);
}

/* The total may have been counted at another moment than the rows. Raises the total if the page has
 * more rows. On the last page, sets the total to the number of rows up to the end of the page. */
static void settle_total(const struct incident_query *query, struct incident_list *list)
{
	int64_t seen = query->list.offset + (int64_t)list->count;
	if (list->count == 0 && list->total > query->list.offset)
		list->total = query->list.offset;
	else if (list->count > 0 &&
		 (list->total < seen || (int64_t)list->count < query->list.limit))
		list->total = seen;
}

/* Reads a page near the front by one statement, whose rows also have the total. A page past the end
 * has no rows, so a second statement counts the incidents. */
static enum result list_near(struct db *db, const struct incident_query *query, struct arena *arena,
			     struct incident_list *list, struct error *error)
{
	struct search search = { 0 };
	const struct slice slice = { .limit = query->list.limit, .offset = query->list.offset };
	enum result result = read_slice(db, query, &search, &slice, arena, list, error);
	if (result == OK && list->count == 0 && query->list.offset > 0) {
		result = count_incidents(db, query, &search, arena, error);
		list->total = search.total;
	}
	return result;
}

/* Reads a deep page from the nearer end of the list. An offset from the back is computed from the
 * total. If the total changes between the count and the read, the function repeats both. */
static enum result list_far(struct db *db, const struct incident_query *query, struct arena *arena,
			    struct incident_list *list, struct error *error)
{
	enum { ATTEMPTS = 3 };
	struct search search = { 0 };
	struct slice slice = { .limit = query->list.limit,
			       .offset = query->list.offset,
			       .is_deep = true };
	for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
		enum result result = count_incidents(db, query, &search, arena, error);
		list->total = search.total;
		if (result != OK || query->list.offset >= search.total)
			return result;
		int64_t behind = search.total - query->list.offset - query->list.limit;
		if (attempt == ATTEMPTS || behind >= query->list.offset)
			break;
		slice.is_from_end = true;
		slice.offset = behind > 0 ? behind : 0;
		slice.limit = behind > 0 ? query->list.limit : query->list.limit + behind;
		result = read_slice(db, query, &search, &slice, arena, list, error);
		if (result != OK || list->total == search.total)
			return result;
	}
	slice = (struct slice){ query->list.limit, query->list.offset, .is_deep = true };
	enum result result = read_slice(db, query, &search, &slice, arena, list, error);
	if (list->count == 0)
		list->total = search.total;
	return result;
}

static enum result list_matching(struct db *db, const struct incident_query *query,
				 struct arena *arena, struct incident_list *list,
				 struct error *error)
{
	struct search search = { .pattern = query->list.search
						    ? sql_contains(arena, query->list.search)
						    : NULL,
				 .is_scanned = true };
	const struct slice slice = { .limit = query->list.limit, .offset = query->list.offset };
	enum result result = count_incidents(db, query, &search, arena, error);
	list->total = search.total;
	if (result != OK || query->list.offset >= search.total)
		return result;
	return read_slice(db, query, &search, &slice, arena, list, error);
}

enum result incident_list(struct db *db, const struct incident_query *query, struct arena *arena,
			  struct incident_list *list, struct error *error)
{
	/* Up to this offset, walking the index costs less than counting first. */
	enum { NEAR = 500 };
	enum result result;
	*list = (struct incident_list){ 0 };
	if (query->list.search || incident_filter_is_set(&query->filter))
		result = list_matching(db, query, arena, list, error);
	else if (query->list.offset <= NEAR)
		result = list_near(db, query, arena, list, error);
	else
		result = list_far(db, query, arena, list, error);
	if (result != OK)
		return result;
	settle_total(query, list);
	return OK;
}
