/*
 * Lists of events, and their totals: see store/event.h.
 *
 * A total is the sum of the kept counts up to the horizon (store/event_count.c), and a COUNT of
 * the events above the horizon. The same counts find the start of a deep page: first its day, then
 * its hour, so that an offset never passes over more than the events of one hour.
 */
#include "store/event.h"

#include <string.h>

enum {
	HOUR_LEN = 3600,
	DAY_LEN = 24 * HOUR_LEN,
	/* Up to this offset, walking the index costs less than finding the hour. */
	NEAR = 1000,
};

#define ROW(member) FIELD(struct event, member)
static const struct field rows[] = {
	ROW(id),       ROW(account_id),	 ROW(kind), ROW(object),  ROW(object_id),  ROW(actor_type),
	ROW(actor_id), ROW(actor_label), ROW(at),   ROW(address), ROW(request_id), ROW(detail),
};

/* A time from `from` to before `until`; 0: no limit. */
struct stretch {
	struct instant from;
	struct instant until;
};

/* Whether no event can match, because the kind belongs to another type of object. */
static bool is_impossible(const struct event_query *query)
{
	return query->kind && query->object &&
	       strcmp(event_object_words[event_kind_object(event_kind_of(query->kind))],
		      query->object) != 0;
}

/* Adds the condition on the object's id, if the query names an object. */
static void add_object_id(struct sql_build *sql, const struct event_query *query)
{
	_Static_assert(EVENT_OBJECTS == 7, "a placeholder for each type of object");
	if (query->object_id == 0)
		return;
	if (query->object) {
		sql_add(sql, SQL("AND object = ? "));
		sql_text(sql, query->object);
	} else {
		/* Name all types: in the index the type comes before the id. */
		sql_add(sql, SQL("AND object IN (?, ?, ?, ?, ?, ?, ?) "));
		for (int object = 0; object < EVENT_OBJECTS; object++)
			sql_text(sql, event_object_words[object]);
	}
	sql_add(sql, SQL("AND object_id = ? "));
	sql_int(sql, query->object_id);
}

/* Adds a condition on the kinds of events of this type of object, for an index with the kind. */
static void add_kinds_of(struct sql_build *sql, const char *object)
{
	const char *separator = "";
	sql_add(sql, SQL("AND kind IN ("));
	for (int kind = EVENT_NONE + 1; kind < EVENT_KINDS; kind++) {
		if (strcmp(event_object_words[event_kind_object(kind)], object) != 0)
			continue;
		sql_add(sql, *separator ? SQL(", ?") : SQL("?"));
		sql_text(sql, event_kind_word(kind));
		separator = ", ";
	}
	sql_add(sql, SQL(") "));
}

static void add_stretch(struct sql_build *sql, const struct stretch *stretch)
{
	if (stretch->from.s > 0) {
		sql_add(sql, SQL("AND at >= ? "));
		sql_time(sql, stretch->from);
	}
	if (stretch->until.s > 0) {
		sql_add(sql, SQL("AND at < ? "));
		sql_time(sql, stretch->until);
	}
}

/* Adds the condition on the query's object or kind. An index by id has the kind, but not the type
 * of object. */
static void add_filter(struct sql_build *sql, const struct event_query *query, bool is_by_id)
{
	add_object_id(sql, query);
	if (query->kind) {
		sql_add(sql, SQL("AND kind = ? "));
		sql_text(sql, query->kind);
	} else if (query->object && query->object_id == 0 && is_by_id) {
		add_kinds_of(sql, query->object);
	} else if (query->object && query->object_id == 0) {
		sql_add(sql, SQL("AND object = ? "));
		sql_text(sql, query->object);
	}
}

/*
 * Adds "FROM events … WHERE …", with the index that serves the filter and the order of the list.
 * The index is forced: while a table has few rows the optimiser prefers another, and prepared
 * statements keep that plan.
 */
static void add_rows(struct sql_build *sql, const struct event_query *query,
		     const struct stretch *stretch)
{
	bool is_by_id = query->up_to_id > 0;
	sql_add(sql, SQL("FROM events "));
	if (query->object_id > 0)
		sql_add(sql, SQL("FORCE INDEX (events_object) "));
	else if (query->account_id > 0 && is_by_id)
		sql_add(sql, SQL("FORCE INDEX (events_account_id) "));
	else if (query->account_id > 0 && query->kind)
		sql_add(sql, SQL("FORCE INDEX (events_kind) "));
	else if (query->account_id > 0)
		sql_add(sql, query->object ? SQL("FORCE INDEX (events_account_object) ")
					   : SQL("FORCE INDEX (events_account_at) "));
	sql_add(sql, SQL("WHERE 1 = 1 "));
	if (query->account_id > 0) {
		sql_add(sql, SQL("AND account_id = ? "));
		sql_int(sql, query->account_id);
	}
	add_filter(sql, query, is_by_id);
	add_stretch(sql, stretch);
	if (is_by_id) {
		sql_add(sql, SQL("AND id > ? AND id <= ? "));
		sql_int(sql, query->after_id);
		sql_int(sql, query->up_to_id);
	}
}

/* Adds "FROM … WHERE …" for the events above the horizon, which no kept count includes. */
static void add_uncounted(struct sql_build *sql, const struct event_query *query,
			  const struct stretch *stretch)
{
	sql_add(sql, SQL("FROM event_horizon STRAIGHT_JOIN events FORCE INDEX "));
	sql_add(sql, query->object_id > 0 ? SQL("(events_object) ") : SQL("(events_account_id) "));
	sql_add(sql, SQL("WHERE place = 1 AND id > counted_id AND account_id = ? "));
	sql_int(sql, query->account_id);
	add_filter(sql, query, true);
	add_stretch(sql, stretch);
}

/* Adds "FROM … WHERE …" for the kept counts of the query: one row for each span of this length. */
static void add_counts(struct sql_build *sql, const struct event_query *query, const char *span,
		       const struct stretch *stretch)
{
	sql_add(sql, SQL("FROM event_counts WHERE account_id = ? AND object_id = ? AND what = ? "
			 "AND span = ? "));
	sql_int(sql, query->account_id);
	sql_int(sql, query->object_id);
	sql_text(sql, query->kind ? query->kind : query->object ? query->object : "");
	sql_text(sql, span);
	if (stretch->from.s > 0) {
		sql_add(sql, SQL("AND start >= ? "));
		sql_time(sql, stretch->from);
	}
	if (stretch->until.s > 0) {
		sql_add(sql, SQL("AND start < ? "));
		sql_time(sql, stretch->until);
	}
}

/* Whether totals for the query are kept. For one object only the total of all times is kept, and
 * none for an incident, which has few events. */
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

/* Adds up whole days, the hours before them, the rest of the first hour, and the events that are
 * not counted yet. */
static void build_total_since(struct sql_build *sql, const struct event_query *query)
{
	const struct instant hour = round_up(query->since, HOUR_LEN),
			     day = round_up(query->since, DAY_LEN);
	sql_add(sql, SQL("SELECT CAST(COALESCE((SELECT SUM(total) "));
	add_counts(sql, query, "day", &(struct stretch){ .from = day });
	sql_add(sql, SQL("), 0) + COALESCE((SELECT SUM(total) "));
	add_counts(sql, query, "hour", &(struct stretch){ hour, day });
	sql_add(sql, SQL("), 0) + (SELECT COUNT(*) "));
	add_rows(sql, query, &(struct stretch){ query->since, hour });
	sql_add(sql, SQL(") + (SELECT COUNT(*) "));
	add_uncounted(sql, query, &(struct stretch){ .from = hour });
	sql_add(sql, SQL(") AS SIGNED) AS total"));
}

/* Whether the list is ordered by time instead of id: see event_list(). */
static bool is_by_time(const struct event_query *query)
{
	return query->account_id > 0 && query->object_id == 0 && !query->is_oldest_first;
}

/* "ORDER BY …" of the list. */
static struct sql order_of(const struct event_query *query)
{
	if (is_by_time(query))
		return SQL("ORDER BY at DESC, id DESC ");
	return query->is_oldest_first ? SQL("ORDER BY id ") : SQL("ORDER BY id DESC ");
}

/* Adds "SELECT id, at FROM …" for the events of the query. */
static void add_found(struct sql_build *sql, const struct event_query *query,
		      const struct stretch *stretch, struct arena *arena)
{
	if (query->search)
		sql_add(sql, SQL("SELECT newest.id, newest.at FROM ("));
	sql_add(sql, SQL("SELECT id, at "));
	add_rows(sql, query, stretch);
	if (!query->search)
		return;
	sql_add(sql, order_of(query));
	sql_add(sql, query->search_by == EVENT_SEARCH_ACTOR
			     ? SQL("LIMIT ?) newest JOIN events t ON t.id = newest.id "
				   "WHERE t.actor_label LIKE ? ESCAPE '!' ")
			     : SQL("LIMIT ?) newest JOIN events t ON t.id = newest.id "
				   "WHERE t.detail LIKE ? ESCAPE '!' "));
	sql_int(sql, EVENT_SEARCHED_MAX);
	sql_text(sql, sql_contains(arena, query->search));
}

static void build_total(struct sql_build *sql, const struct event_query *query, struct arena *arena)
{
	const struct stretch since = { .from = query->since };
	sql_start(sql, SQL(""));
	if (query->search) {
		sql_add(sql, SQL("SELECT COUNT(*) AS total FROM ("));
		add_found(sql, query, &since, arena);
		sql_add(sql, SQL(") found"));
	} else if (!is_kept(query)) {
		sql_add(sql, SQL("SELECT COUNT(*) AS total "));
		add_rows(sql, query, &since);
	} else if (query->since.s > 0) {
		build_total_since(sql, query);
	} else {
		sql_add(sql, SQL("SELECT COALESCE((SELECT total "));
		add_counts(sql, query, "all", &since);
		sql_add(sql, SQL("), 0) + (SELECT COUNT(*) "));
		add_uncounted(sql, query, &since);
		sql_add(sql, SQL(") AS total"));
	}
}

enum result event_count(struct db *db, const struct event_query *query, struct arena *arena,
			int64_t *total, struct error *error)
{
	struct count {
		int64_t total;
	} count = { 0 };
	static const struct field count_rows[] = { FIELD(struct count, total) };
	struct sql_build sql;
	enum result result = OK;
	if (!is_impossible(query)) {
		build_total(&sql, query, arena);
		result = db_read_one(db, &sql, FIELDS(count_rows), &count, arena, error);
	}
	*total = count.total;
	return result;
}

/* A span of time and the number of its events. */
struct counted_span {
	struct instant start;
	int64_t total;
};

/* The span that has the event at the offset, and the number of events above the span. */
struct place {
	struct instant start;
	int64_t above;
};

static enum result find_place(struct db *db, const struct event_query *query, const char *span,
			      const struct stretch *stretch, struct place *place,
			      struct error *error)
{
	static const struct field span_rows[] = { FIELD(struct counted_span, start),
						  FIELD(struct counted_span, total) };
	struct arena arena CLEANUP(arena_done);
	struct db_rows *found CLEANUP(db_rows_cleanup) = NULL;
	struct counted_span row = { 0 };
	struct sql_build sql;
	int64_t seen = 0;
	arena_init(&arena, 1 << 20);
	sql_start(&sql, SQL("(SELECT start, total "));
	add_counts(&sql, query, span, stretch);
	sql_add(&sql, strcmp(span, "day") == 0
			      ? SQL(") UNION ALL (SELECT CAST(DATE(at) AS DATETIME), COUNT(*) ")
			      : SQL(") UNION ALL (SELECT CAST(DATE_FORMAT(at, "
				    "'%Y-%m-%d %H:00:00') AS DATETIME), COUNT(*) "));
	add_uncounted(&sql, query, stretch);
	sql_add(&sql, SQL("GROUP BY 1) ORDER BY start DESC"));
	enum result result = db_read(db, &sql, &found, error);
	*place = (struct place){ 0 };
	/* A span may have two rows: one of counted events, and one of events above the horizon. */
	while (result == OK && seen <= query->offset &&
	       db_next(found, FIELDS(span_rows), &row, &arena)) {
		if (row.start.s != place->start.s)
			*place = (struct place){ row.start, seen };
		seen += row.total;
	}
	return result;
}

/* Finds the hour in which the page begins. *until: the end of the hour; *offset: the page's offset
 * within it. */
static enum result find_hour(struct db *db, const struct event_query *query, struct instant *until,
			     int64_t *offset, struct error *error)
{
	struct event_query rest = *query;
	struct place place = { 0 };
	struct stretch stretch = { .from = { query->since.s / DAY_LEN * DAY_LEN } };
	enum result result = find_place(db, &rest, "day", &stretch, &place, error);
	if (result == OK) {
		rest.offset -= place.above;
		stretch = (struct stretch){ place.start, { place.start.s + DAY_LEN } };
		result = find_place(db, &rest, "hour", &stretch, &place, error);
	}
	if (result == OK) {
		*until = (struct instant){ place.start.s + HOUR_LEN };
		*offset = rest.offset - place.above;
	}
	return result;
}

enum result event_list(struct db *db, const struct event_query *query, struct arena *arena,
		       struct event_list *list, struct error *error)
{
	struct sql_build sql;
	struct db_list found;
	struct stretch stretch = { .from = query->since };
	int64_t offset = query->offset;
	enum result result = OK;
	*list = (struct event_list){ 0 };
	if (is_impossible(query))
		return OK;
	if (is_by_time(query) && !query->search && offset > NEAR)
		result = find_hour(db, query, &stretch.until, &offset, error);
	if (result != OK)
		return result;
	/* Find the ids first, from an index alone: the offset then passes over no rows. */
	sql_start(&sql, SQL("SELECT e.id, e.account_id, e.kind, e.object, e.object_id, "
			    "e.actor_type, e.actor_id, e.actor_label, e.at, e.address, "
			    "e.request_id, e.detail FROM ("));
	add_found(&sql, query, &stretch, arena);
	sql_add(&sql, order_of(query));
	sql_add(&sql, SQL("LIMIT ? OFFSET ?) shown JOIN events e ON e.id = shown.id "));
	sql_int(&sql, query->limit);
	sql_int(&sql, offset);
	sql_add(&sql, is_by_time(query) ? SQL("ORDER BY shown.at DESC, shown.id DESC LIMIT 1000")
		      : query->is_oldest_first ? SQL("ORDER BY shown.id LIMIT 1000")
					       : SQL("ORDER BY shown.id DESC LIMIT 1000"));
	result = db_read_list(db, &sql, DB_SHAPE(FIELDS(rows), struct event, EVENT_LIST_MAX), arena,
			      &found, error);
	*list = (struct event_list){ found.rows, found.count };
	return result;
}
