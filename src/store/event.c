#include "store/event.h"

#include <string.h>

void event_add_source(struct sql_build *sql, const struct event_source *source)
{
	const struct principal *principal = source->principal;
	sql_text(sql, principal_type_word(principal->type));
	if (principal->id > 0)
		sql_int(sql, principal->id);
	else
		sql_text(sql, NULL);
	sql_text(sql, principal->label ? principal->label : "");
	sql_time(sql, source->now);
	sql_text(sql, principal->address);
	sql_text(sql, principal->request_id);
}

static void add_id(struct sql_build *sql, int64_t id)
{
	if (id > 0)
		sql_int(sql, id);
	else
		sql_text(sql, NULL);
}

static void add_change(struct sql_build *sql, const struct event_change *change)
{
	sql_text(sql, event_kind_word(change->kind));
	sql_int(sql, change->object_id);
	add_id(sql, change->monitor_id);
	sql_text(sql, change->detail);
}

/* Missing rows of the list are NULL. */
static const struct sql_rows given_rows = {
	.first = { "SELECT CAST(? AS CHAR(32)) AS kind, CAST(? AS SIGNED) AS object_id, "
		   "CAST(? AS SIGNED) AS monitor_id, CAST(? AS CHAR) AS detail" },
	.next = { " UNION ALL SELECT CAST(? AS CHAR(32)), CAST(? AS SIGNED), CAST(? AS SIGNED), "
		  "CAST(? AS CHAR)" },
};

/* Stores changes of one account and of one kind of object. */
static enum result append_some(struct db *db, const struct event_source *source,
			       const struct event_change *changes, size_t count,
			       struct error *error)
{
	enum { STATEMENT_MAX_BYTES = 8 << 20 };
	struct arena scratch CLEANUP(arena_done);
	struct sql_build sql;
	arena_init(&scratch, STATEMENT_MAX_BYTES);
	sql_start(&sql,
		  SQL("INSERT INTO events (account_id, object, " EVENT_SOURCE_COLUMNS ", kind, "
		      "object_id, monitor_id, detail) "
		      "SELECT ?, ?, " EVENT_SOURCE_VALUES ", given.kind, given.object_id, "
		      "given.monitor_id, given.detail FROM ("));
	add_id(&sql, changes[0].account_id);
	sql_text(&sql, event_object_words[event_kind_object(changes[0].kind)]);
	event_add_source(&sql, source);
	sql_rows_begin(&sql, &given_rows, count, &scratch);
	for (size_t i = 0; i < count; i++)
		add_change(&sql, &changes[i]);
	sql_rows_end(&sql);
	sql_add(&sql, SQL(") given WHERE given.kind IS NOT NULL"));
	return db_write(db, &sql, NULL, error);
}

static enum result append_one(struct db *db, const struct event_source *source,
			      const struct event_change *change, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql,
		  SQL("INSERT INTO events (account_id, object, " EVENT_SOURCE_COLUMNS ", kind, "
		      "object_id, monitor_id, detail) "
		      "VALUES (?, ?, " EVENT_SOURCE_VALUES ", ?, ?, ?, ?)"));
	add_id(&sql, change->account_id);
	sql_text(&sql, event_object_words[event_kind_object(change->kind)]);
	event_add_source(&sql, source);
	add_change(&sql, change);
	return db_write(db, &sql, NULL, error);
}

static bool is_alike(const struct event_change *a, const struct event_change *b)
{
	return a->account_id == b->account_id &&
	       event_kind_object(a->kind) == event_kind_object(b->kind);
}

/* How many changes the next statement takes; max_allowed_packet may be 4 MiB. */
static size_t chunk_of(const struct event_change *changes, size_t count)
{
	enum { STATEMENT_BYTES = 2 << 20 };
	size_t most = sql_rows_chunk(&given_rows, count), bytes = 0;
	for (size_t i = 0; i < most; i++) {
		bytes += str_from(changes[i].detail).len;
		if (i > 0 && (bytes > STATEMENT_BYTES || !is_alike(&changes[0], &changes[i])))
			return i;
	}
	return most;
}

enum result event_append(struct db *db, const struct event_source *source,
			 const struct event_change *changes, size_t count, struct error *error)
{
	enum result result = OK;
	for (size_t from = 0, size; result == OK && from < count; from += size) {
		size = chunk_of(changes + from, count - from);
		result = size == 1 ? append_one(db, source, &changes[from], error)
				   : append_some(db, source, &changes[from], size, error);
	}
	return result;
}

enum result event_append_domain_taken(struct db *db, const char *domain, int64_t page_id,
				      struct instant now, struct error *error)
{
	static const struct principal system = { .type = PRINCIPAL_SYSTEM };
	struct sql_build sql;
	sql_start(&sql, SQL("INSERT INTO events (account_id, kind, object, object_id, "
			    "detail, " EVENT_SOURCE_COLUMNS ") "
			    "SELECT account_id, 'domain.taken', 'status_page', id, "
			    "domain, " EVENT_SOURCE_VALUES " FROM status_pages "
			    "WHERE domain = ? AND id <> ? AND domain_lost_at IS NOT NULL"));
	event_add_source(&sql, &(struct event_source){ &system, now });
	sql_text(&sql, domain);
	sql_int(&sql, page_id);
	return db_write(db, &sql, NULL, error);
}

#define ROW(member) FIELD(struct event, member)
static const struct field rows[] = {
	ROW(id),       ROW(account_id),	 ROW(kind), ROW(object),  ROW(object_id),  ROW(actor_type),
	ROW(actor_id), ROW(actor_label), ROW(at),   ROW(address), ROW(request_id), ROW(detail),
};

/* The kinds of events of such objects, for an index that has the kind. */
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

static void add_object(struct sql_build *sql, const struct event_query *query)
{
	_Static_assert(EVENT_OBJECTS == 6, "a placeholder for each type of object");
	if (query->object_id > 0) {
		/* All words, if no type is asked for: an index has the type before the id. */
		sql_add(sql, SQL("AND object IN (?, ?, ?, ?, ?, ?) AND object_id = ? "));
		for (int object = 0; object < EVENT_OBJECTS; object++)
			sql_text(sql, query->object ? query->object : event_object_words[object]);
		sql_int(sql, query->object_id);
	} else if (query->object) {
		add_kinds_of(sql, query->object);
	}
}

static void add_filter(struct sql_build *sql, const struct event_query *query)
{
	sql_add(sql, SQL("WHERE 1 = 1 "));
	if (query->account_id > 0) {
		sql_add(sql, SQL("AND account_id = ? "));
		sql_int(sql, query->account_id);
	}
	if (query->kind) {
		sql_add(sql, SQL("AND kind = ? "));
		sql_text(sql, query->kind);
	}
	add_object(sql, query);
	if (query->since.s > 0) {
		sql_add(sql, SQL("AND at >= ? "));
		sql_time(sql, query->since);
	}
	if (query->up_to_id > 0) {
		sql_add(sql, SQL("AND id > ? AND id <= ? "));
		sql_int(sql, query->after_id);
		sql_int(sql, query->up_to_id);
	}
}

/*
 * The index that has all columns of the filter, and an account's events in the order of the list.
 * With few rows the optimiser prefers another, and prepared plans of that time stay.
 */
static struct sql index_of(const struct event_query *query)
{
	if (query->object_id > 0)
		return SQL("FORCE INDEX (events_object) ");
	if (query->account_id == 0)
		return SQL("");
	if (query->up_to_id > 0)
		return SQL("FORCE INDEX (events_account_id) ");
	return query->kind ? SQL("FORCE INDEX (events_kind) ")
			   : SQL("FORCE INDEX (events_account_at) ");
}

/* Whether the page is nearer to the end of a list with the newest events first. */
static bool is_near_end(const struct event_query *query)
{
	return query->account_id > 0 && !query->is_oldest_first &&
	       query->offset > query->total / 2 && query->offset < query->total;
}

/* Each over an index: without an account, that of the ids. */
static struct sql order_of(const struct event_query *query)
{
	if (query->is_oldest_first)
		return SQL("ORDER BY id ");
	if (is_near_end(query))
		return SQL("ORDER BY at, id ");
	return query->account_id > 0 ? SQL("ORDER BY at DESC, id DESC ") : SQL("ORDER BY id DESC ");
}

static struct sql outer_order_of(const struct event_query *query)
{
	if (query->is_oldest_first)
		return SQL("ORDER BY shown.id LIMIT 1000");
	return query->account_id > 0 ? SQL("ORDER BY shown.at DESC, shown.id DESC LIMIT 1000")
				     : SQL("ORDER BY shown.id DESC LIMIT 1000");
}

enum result event_list(struct db *db, const struct event_query *query, struct arena *arena,
		       struct event_list *list, struct error *error)
{
	struct sql_build sql;
	struct db_list found;
	/* First the ids, from an index alone: an offset passes over no rows. */
	sql_start(&sql, SQL("SELECT e.id, e.account_id, e.kind, e.object, e.object_id, "
			    "e.actor_type, e.actor_id, e.actor_label, e.at, e.address, "
			    "e.request_id, e.detail FROM (SELECT id, at FROM events "));
	sql_add(&sql, index_of(query));
	add_filter(&sql, query);
	sql_add(&sql, order_of(query));
	sql_add(&sql, SQL("LIMIT ? OFFSET ?) shown JOIN events e ON e.id = shown.id "));
	int64_t left = query->total - query->offset;
	int64_t limit = is_near_end(query) && left < query->limit ? left : query->limit;
	sql_int(&sql, limit);
	sql_int(&sql, is_near_end(query) ? left - limit : query->offset);
	sql_add(&sql, outer_order_of(query));
	enum result result = db_read_list(db, &sql,
					  DB_SHAPE(FIELDS(rows), struct event, EVENT_LIST_MAX),
					  arena, &found, error);
	*list = (struct event_list){ found.rows, found.count };
	return result;
}

enum result event_count(struct db *db, const struct event_query *query, struct arena *arena,
			int64_t *total, struct error *error)
{
	struct count {
		int64_t total;
	} count = { 0 };
	static const struct field count_rows[] = { FIELD(struct count, total) };
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT COUNT(*) AS total FROM events "));
	sql_add(&sql, index_of(query));
	add_filter(&sql, query);
	enum result result = db_read_one(db, &sql, FIELDS(count_rows), &count, arena, error);
	*total = count.total;
	return result;
}

enum result event_newest(struct db *db, struct instant *at, struct error *error)
{
	struct newest {
		struct instant at;
	} newest = { 0 };
	static const struct field newest_rows[] = { FIELD(struct newest, at) };
	struct arena arena CLEANUP(arena_done);
	struct sql_build sql;
	arena_init(&arena, 64 << 10);
	sql_start(&sql, SQL("SELECT at FROM events ORDER BY id DESC LIMIT 1"));
	enum result result = db_read_one(db, &sql, FIELDS(newest_rows), &newest, &arena, error);
	*at = newest.at;
	return result == E_NOT_FOUND ? OK : result;
}

/* Events in the order of their ids, a part at a time. */
struct event_part {
	int64_t last;
	struct instant oldest;
};

static enum result find_part(struct db *db, int64_t after_id, struct event_part *part,
			     struct error *error)
{
	static const struct field part_rows[] = { FIELD(struct event_part, last),
						  FIELD(struct event_part, oldest) };
	struct arena arena CLEANUP(arena_done);
	struct sql_build sql;
	arena_init(&arena, 64 << 10);
	*part = (struct event_part){ 0 };
	sql_start(&sql, SQL("SELECT MAX(id) AS last, MIN(at) AS oldest FROM (SELECT id, at "
			    "FROM events WHERE id > ? ORDER BY id LIMIT 1000) part"));
	sql_int(&sql, after_id);
	return db_read_one(db, &sql, FIELDS(part_rows), part, &arena, error);
}

enum result event_prune(struct db *db, struct instant before, int64_t *after_id, bool *is_more,
			struct error *error)
{
	struct event_part part;
	struct sql_build sql;
	enum result result = find_part(db, *after_id, &part, error);
	*is_more = result == OK && part.last > 0 && part.oldest.s < before.s;
	if (!*is_more)
		return result;
	/* The history of an incident that is open stays whole. */
	sql_start(&sql, SQL("DELETE FROM events WHERE id > ? AND id <= ? AND at < ? "
			    "AND NOT (object = 'incident' AND EXISTS (SELECT 1 FROM incidents i "
			    "WHERE i.id = events.object_id AND i.ended_at IS NULL))"));
	sql_int(&sql, *after_id);
	sql_int(&sql, part.last);
	sql_time(&sql, before);
	result = db_write(db, &sql, NULL, error);
	*after_id = part.last;
	return result;
}
