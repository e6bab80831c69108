/*
 * Lists of events, and their totals: see store/event.h.
 *
 * A total is the sum of the kept counts up to the horizon (store/event_count.c), and a COUNT of the
 * events above the horizon. The kept counts also show in which day a deep page begins, and, if the
 * day has many events, in which hour. So the database skips at most the events of one hour to reach
 * the page. event_days() also returns the total.
 */
#include "store/event_rows.h"

#include <stdlib.h>
#include <string.h>

enum {
	HOUR_LEN = 3600,
	DAY_LEN = 24 * HOUR_LEN,
	/* Up to this offset in the list, walking the index costs less than finding the day. */
	NEAR = 1000,
	/* Up to this offset in a day, walking the index costs less than finding the hour. */
	NEAR_IN_DAY = 2000,
	SPANS_MAX = 1 << 16, /* the days of 179 years */
};

#define ROW(member) FIELD(struct event, member)
static const struct field rows[] = {
	ROW(id),       ROW(account_id),	 ROW(kind), ROW(object),  ROW(object_id),  ROW(actor_type),
	ROW(actor_id), ROW(actor_label), ROW(at),   ROW(address), ROW(request_id), ROW(detail),
};

/* Whether no event can match, because the kind belongs to another type of object. */
static bool is_impossible(const struct event_query *query)
{
	return query->kind && query->object &&
	       strcmp(event_object_words[event_kind_object(event_kind_of(query->kind))],
		      query->object) != 0;
}

/* Whether event_counts has totals for the query. A single object has totals only for all times. A
 * single incident has none, because it has few events. */
static bool is_kept(const struct event_query *query)
{
	if (query->account_id == 0 || query->up_to_id > 0 || query->search)
		return false;
	return query->object_id == 0 ||
	       (query->since.s == 0 && query->object &&
		strcmp(query->object, event_object_words[EVENT_OF_INCIDENT]) != 0);
}

static struct instant round_up(struct instant at, int64_t length)
{
	return (struct instant){ (at.s + length - 1) / length * length };
}

/*
 * Adds the total of the events since query->since. It is the sum of four counts: of whole days, of
 * the whole hours before the first whole day, of the events before the first whole hour, and of the
 * events above the horizon.
 */
static void build_total_since(struct sql_build *sql, const struct event_query *query)
{
	const struct instant hour = round_up(query->since, HOUR_LEN),
			     day = round_up(query->since, DAY_LEN);
	sql_add(sql, SQL("SELECT CAST(COALESCE((SELECT SUM(total) "));
	event_add_counts(sql, query, "day", &(struct event_stretch){ .from = day });
	sql_add(sql, SQL("), 0) + COALESCE((SELECT SUM(total) "));
	event_add_counts(sql, query, "hour", &(struct event_stretch){ hour, day });
	sql_add(sql, SQL("), 0) + (SELECT COUNT(*) "));
	event_add_rows(sql, query, &(struct event_stretch){ query->since, hour });
	sql_add(sql, SQL(") + (SELECT COUNT(*) "));
	event_add_uncounted(sql, query, &(struct event_stretch){ .from = hour });
	sql_add(sql, SQL(") AS SIGNED) AS total"));
}

/* Whether the list is ordered by time instead of id: see event_list(). */
static bool is_by_time(const struct event_query *query)
{
	return query->account_id > 0 && query->object_id == 0 && !query->is_oldest_first;
}

/* Returns "ORDER BY …" for the list. */
static struct sql order_of(const struct event_query *query)
{
	if (is_by_time(query))
		return SQL("ORDER BY at DESC, id DESC ");
	return query->is_oldest_first ? SQL("ORDER BY id ") : SQL("ORDER BY id DESC ");
}

/* Adds "SELECT id, at FROM …" for the events of the query. */
static void add_found(struct sql_build *sql, const struct event_query *query,
		      const struct event_stretch *stretch, struct arena *arena)
{
	if (query->search)
		sql_add(sql, SQL("SELECT newest.id, newest.at FROM ("));
	sql_add(sql, SQL("SELECT id, at "));
	event_add_rows(sql, query, stretch);
	if (!query->search)
		return;
	sql_add(sql, order_of(query));
	sql_add(sql, query->search_by == EVENT_SEARCH_ACTOR
			     ? SQL("LIMIT ?) newest JOIN events t ON t.id = newest.id "
				   "WHERE t.actor_label LIKE ? ESCAPE '!' ")
			     : SQL("LIMIT ?) newest JOIN events t ON t.id = newest.id "
				   "WHERE t.detail LIKE ? ESCAPE '!' "));
	sql_add(sql, EVENT_SEARCHED_MAX, sql_contains(arena, query->search));
}

static void build_total(struct sql_build *sql, const struct event_query *query, struct arena *arena)
{
	const struct event_stretch since = { .from = query->since };
	sql_start(sql, SQL(""));
	if (query->search) {
		sql_add(sql, SQL("SELECT COUNT(*) AS total FROM ("));
		add_found(sql, query, &since, arena);
		sql_add(sql, SQL(") found"));
	} else if (!is_kept(query)) {
		sql_add(sql, SQL("SELECT COUNT(*) AS total "));
		event_add_rows(sql, query, &since);
	} else if (query->since.s > 0) {
		build_total_since(sql, query);
	} else {
		sql_add(sql, SQL("SELECT COALESCE((SELECT total "));
		event_add_counts(sql, query, "all", &since);
		sql_add(sql, SQL("), 0) + (SELECT COUNT(*) "));
		event_add_uncounted(sql, query, &since);
		sql_add(sql, SQL(") AS total"));
	}
}

enum result event_count(struct db *db, const struct event_query *query, struct arena *arena,
			int64_t *total, struct error *error)
{
	struct sql_build sql;
	*total = 0;
	if (is_impossible(query))
		return OK;
	build_total(&sql, query, arena);
	return db_read_int(db, &sql, total, error);
}

/* Converts a DATETIME column to Unix time, because MariaDB needs less time for UNION and GROUP BY
 * of integers. */
#define SECONDS_OF(column) "TO_SECONDS(" column ") - 62167219200"
#define HOUR_OF(column)	   "(" SECONDS_OF(column) ") DIV 3600 * 3600"
#define DAY_OF(column)	   "(" SECONDS_OF(column) ") DIV 86400 * 86400"

static int newest_first(const void *one, const void *other)
{
	const struct event_span *a = one, *b = other;
	return (a->start_s < b->start_s) - (a->start_s > b->start_s);
}

/* Reads spans, newest first. A span may have several rows: one for its counted events, and one for
 * its events above the horizon. */
static enum result read_spans(struct db *db, const struct sql_build *sql, struct arena *arena,
			      struct event_spans *spans, struct error *error)
{
	static const struct field span_rows[] = { FIELD(struct event_span, start_s),
						  FIELD(struct event_span, total) };
	struct db_list found;
	enum result result = db_read_list(db, sql,
					  DB_SHAPE(FIELDS(span_rows), struct event_span, SPANS_MAX),
					  arena, &found, error);
	*spans = (struct event_spans){ .rows = found.rows, .count = found.count };
	if (found.count > 1)
		qsort(spans->rows, spans->count, sizeof(*spans->rows), newest_first);
	for (size_t i = 0; i < spans->count; i++)
		spans->total += spans->rows[i].total;
	return result;
}

enum result event_days(struct db *db, const struct event_query *query, struct arena *arena,
		       struct event_spans *days, struct error *error)
{
	const struct instant hour = round_up(query->since, HOUR_LEN),
			     day = round_up(query->since, DAY_LEN);
	struct sql_build sql;
	*days = (struct event_spans){ 0 };
	if (is_impossible(query))
		return OK;
	sql_start(&sql, SQL("(SELECT " SECONDS_OF("start") " AS start_s, total "));
	event_add_counts(&sql, query, "day", &(struct event_stretch){ .from = day });
	sql_add(&sql, SQL(") UNION ALL (SELECT " DAY_OF("at") ", COUNT(*) "));
	event_add_uncounted(&sql, query, &(struct event_stretch){ .from = hour });
	if (query->since.s > 0) {
		sql_add(&sql, SQL("GROUP BY 1) UNION ALL (SELECT " DAY_OF("start") ", total "));
		event_add_counts(&sql, query, "hour", &(struct event_stretch){ hour, day });
		sql_add(&sql, SQL(") UNION ALL (SELECT " DAY_OF("at") ", COUNT(*) "));
		event_add_rows(&sql, query, &(struct event_stretch){ query->since, hour });
	}
	sql_add(&sql, SQL("GROUP BY 1)"));
	return read_spans(db, &sql, arena, days, error);
}

static enum result read_hours(struct db *db, const struct event_query *query, struct instant day,
			      struct arena *arena, struct event_spans *hours, struct error *error)
{
	const struct event_stretch stretch = { day, { day.s + DAY_LEN } };
	struct sql_build sql;
	sql_start(&sql, SQL("(SELECT " SECONDS_OF("start") " AS start_s, total "));
	event_add_counts(&sql, query, "hour", &stretch);
	sql_add(&sql, SQL(") UNION ALL (SELECT " HOUR_OF("at") ", COUNT(*) "));
	event_add_uncounted(&sql, query, &stretch);
	sql_add(&sql, SQL("GROUP BY 1)"));
	return read_spans(db, &sql, arena, hours, error);
}

/* Where a page of the list begins: at an offset in a stretch of time. If is_oldest_first is true,
 * the offset counts from the oldest event of the stretch, otherwise from the newest. */
struct start {
	struct event_stretch stretch;
	int64_t offset;
	int64_t limit;
	bool is_oldest_first;
};

/* The span that contains the event at an offset. `above` is the number of events in newer spans.
 * `total` is the number of events in this span. */
struct place {
	struct instant start;
	int64_t above;
	int64_t total;
};

static struct place find_place(const struct event_spans *spans, int64_t offset)
{
	struct place place = { 0 };
	for (size_t i = 0; i < spans->count; i++) {
		const struct event_span *span = &spans->rows[i];
		if (i == 0 || span->start_s != place.start.s) {
			if (place.above + place.total > offset)
				break;
			place = (struct place){ { span->start_s }, place.above + place.total, 0 };
		}
		place.total += span->total;
	}
	return place;
}

/* Sets *start to the nearer of two points: the newest event of the span in which the page begins,
 * or the oldest event of the span in which the page ends. */
static void start_in(const struct event_spans *spans, int64_t length, int64_t offset,
		     struct start *start)
{
	const int64_t below = spans->total - offset - start->limit;
	const int64_t last = below > 0 ? offset + start->limit - 1 : spans->total - 1;
	const struct place first = find_place(spans, offset), end = find_place(spans, last);
	start->stretch.until = (struct instant){ first.start.s + length };
	start->offset = offset - first.above;
	if (end.above + end.total - 1 - last >= start->offset)
		return;
	start->stretch.until = (struct instant){ 0 };
	if (start->stretch.from.s < end.start.s)
		start->stretch.from = end.start;
	start->offset = end.above + end.total - 1 - last;
	start->limit = last - offset + 1;
	start->is_oldest_first = true;
}

/* Finds the day in which the page begins. If the page is far from both ends of the day, also finds
 * the hour. */
static enum result find_start(struct db *db, const struct event_query *query, struct arena *arena,
			      struct start *start, struct error *error)
{
	struct event_spans spans;
	enum result result = OK;
	if (query->days)
		spans = *query->days;
	else
		result = event_days(db, query, arena, &spans, error);
	if (result != OK || query->offset >= spans.total)
		return result;
	start_in(&spans, DAY_LEN, query->offset, start);
	if (start->offset <= NEAR_IN_DAY)
		return OK;
	const struct place day = find_place(&spans, query->offset);
	result = read_hours(db, query, day.start, arena, &spans, error);
	if (result != OK)
		return result;
	const struct place hour = find_place(&spans, query->offset - day.above);
	*start = (struct start){ { query->since, { hour.start.s + HOUR_LEN } },
				 query->offset - day.above - hour.above,
				 query->limit,
				 false };
	return OK;
}

bool event_is_deep(const struct event_query *query)
{
	return is_by_time(query) && !query->search && query->offset > NEAR;
}

enum result event_list(struct db *db, const struct event_query *query, struct arena *arena,
		       struct event_list *list, struct error *error)
{
	struct sql_build sql;
	struct db_list found;
	struct start start = { .stretch = { .from = query->since },
			       .offset = query->offset,
			       .limit = query->limit };
	enum result result = OK;
	*list = (struct event_list){ 0 };
	if (is_impossible(query))
		return OK;
	if (event_is_deep(query))
		result = find_start(db, query, arena, &start, error);
	if (result != OK)
		return result;
	/* The subquery finds the ids in an index, so that the database does not read whole rows to
	 * skip them. */
	sql_start(&sql, SQL("SELECT e.id, e.account_id, e.kind, e.object, e.object_id, "
			    "e.actor_type, e.actor_id, e.actor_label, e.at, e.address, "
			    "e.request_id, e.detail FROM ("));
	add_found(&sql, query, &start.stretch, arena);
	sql_add(&sql, start.is_oldest_first ? SQL("ORDER BY at, id ") : order_of(query));
	sql_add(&sql, SQL("LIMIT ? OFFSET ?) shown JOIN events e ON e.id = shown.id "), start.limit,
		start.offset);
	sql_add(&sql,
		is_by_time(query)	 ? SQL("ORDER BY shown.at DESC, shown.id DESC LIMIT ?")
		: query->is_oldest_first ? SQL("ORDER BY shown.id LIMIT ?")
					 : SQL("ORDER BY shown.id DESC LIMIT ?"),
		EVENT_LIST_MAX);
	result = db_read_list(db, &sql, DB_SHAPE(FIELDS(rows), struct event, EVENT_LIST_MAX), arena,
			      &found, error);
	*list = (struct event_list){ .rows = found.rows, .count = found.count };
	return result;
}
