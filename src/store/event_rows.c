#include "store/event_rows.h"

#include <string.h>

/* Adds the condition on the object's id, if the query names an object. */
static void add_object_id(struct sql_build *sql, const struct event_query *query)
{
	_Static_assert(EVENT_OBJECTS == 9, "a placeholder for each type of object");
	if (query->object_id == 0)
		return;
	if (query->object) {
		sql_add(sql, SQL("AND object = ? "), query->object);
	} else {
		/* List all types of objects, because in the index the type comes before the
		 * object's id. */
		sql_add(sql, SQL("AND object IN (?, ?, ?, ?, ?, ?, ?, ?, ?) "));
		for (int object = 0; object < EVENT_OBJECTS; object++)
			sql_add(sql, event_object_words[object]);
	}
	sql_add(sql, SQL("AND object_id = ? "), query->object_id);
}

/* Adds the condition on the type of object. Lists the kinds of this type, because the index has the
 * kind but not the type. */
static void add_kinds_of(struct sql_build *sql, const char *object)
{
	const char *separator = "";
	sql_add(sql, SQL("AND kind IN ("));
	for (int kind = EVENT_NONE + 1; kind < EVENT_KINDS; kind++) {
		if (strcmp(event_object_words[event_kind_object(kind)], object) != 0)
			continue;
		sql_add(sql, *separator ? SQL(", ?") : SQL("?"), event_kind_word(kind));
		separator = ", ";
	}
	sql_add(sql, SQL(") "));
}

static void add_stretch(struct sql_build *sql, const struct event_stretch *stretch)
{
	if (stretch->from.s > 0)
		sql_add(sql, SQL("AND at >= ? "), stretch->from);
	if (stretch->until.s > 0)
		sql_add(sql, SQL("AND at < ? "), stretch->until);
}

/* Adds the conditions on the query's object and kind. If is_by_id is true, the index does not have
 * the type of object, only the kind. */
static void add_filter(struct sql_build *sql, const struct event_query *query, bool is_by_id)
{
	add_object_id(sql, query);
	if (query->kind) {
		sql_add(sql, SQL("AND kind = ? "), query->kind);
	} else if (query->object && query->object_id == 0 && is_by_id) {
		add_kinds_of(sql, query->object);
	} else if (query->object && query->object_id == 0) {
		sql_add(sql, SQL("AND object = ? "), query->object);
	}
}

/* Forces the index. While the table has few rows, the optimiser would choose another index, and
 * prepared statements would keep it after the table has grown. */
void event_add_rows(struct sql_build *sql, const struct event_query *query,
		    const struct event_stretch *stretch)
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
	if (query->account_id > 0)
		sql_add(sql, SQL("AND account_id = ? "), query->account_id);
	add_filter(sql, query, is_by_id);
	add_stretch(sql, stretch);
	if (is_by_id)
		sql_add(sql, SQL("AND id > ? AND id <= ? "), query->after_id, query->up_to_id);
}

void event_add_uncounted(struct sql_build *sql, const struct event_query *query,
			 const struct event_stretch *stretch)
{
	sql_add(sql, SQL("FROM event_horizon STRAIGHT_JOIN events FORCE INDEX "));
	sql_add(sql, query->object_id > 0 ? SQL("(events_object) ") : SQL("(events_account_id) "));
	sql_add(sql, SQL("WHERE place = 1 AND id > counted_id AND account_id = ? "),
		query->account_id);
	add_filter(sql, query, true);
	add_stretch(sql, stretch);
}

void event_add_counts(struct sql_build *sql, const struct event_query *query, const char *span,
		      const struct event_stretch *stretch)
{
	sql_add(sql, SQL("FROM event_counts WHERE account_id = ? AND object_id = ? AND what = ? "
			 "AND span = ? "));
	sql_add(sql, query->account_id, query->object_id,
		query->kind	? query->kind
		: query->object ? query->object
				: "",
		span);
	if (stretch->from.s > 0)
		sql_add(sql, SQL("AND start >= ? "), stretch->from);
	if (stretch->until.s > 0)
		sql_add(sql, SQL("AND start < ? "), stretch->until);
}
