/*
 * event_list_after(), with which a reader neither misses an event nor reads one twice: see
 * store/event.h.
 */
#include "store/event.h"

/* One of the newest events of the installation. `settled` is the same in each row: the id of the
 * account's newest event that is older than EVENT_SETTLED_S. */
struct tail_row {
	int64_t id;
	struct instant at;
	int64_t settled;
};
enum { TAIL = 256 };

static enum result read_tail(struct db *db, int64_t account_id, struct instant settled_at,
			     struct arena *arena, struct db_list *tail, struct error *error)
{
	static const struct field rows[] = { FIELD(struct tail_row, id), FIELD(struct tail_row, at),
					     FIELD(struct tail_row, settled) };
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT t.id, t.at, COALESCE((SELECT e.id FROM events e "
			    "FORCE INDEX (events_account_at) WHERE e.account_id = ? AND e.at <= ? "
			    "ORDER BY e.at DESC, e.id DESC LIMIT 1), 0) AS settled "
			    "FROM events t ORDER BY t.id DESC LIMIT ?"));
	sql_add(&sql, account_id, settled_at, TAIL);
	return db_read_list(db, &sql, DB_SHAPE(FIELDS(rows), struct tail_row, TAIL), arena, tail,
			    error);
}

/*
 * Returns the highest id up to which no transaction can commit an event any more. Begins below the
 * tail, at the account's newest event that is older than EVENT_SETTLED_S. Walks up the tail, and
 * stops at an event that is younger than EVENT_SETTLED_S if the id before it is missing.
 */
static int64_t horizon_of(const struct db_list *tail, struct instant settled_at)
{
	const struct tail_row *rows = tail->rows;
	if (tail->count == 0)
		return 0;
	int64_t oldest = rows[tail->count - 1].id, settled = rows[0].settled;
	int64_t horizon = settled < oldest ? settled : 0;
	for (size_t i = tail->count; i > 0; i--) {
		const struct tail_row *row = &rows[i - 1];
		if (row->at.s > settled_at.s && row->id != horizon + 1)
			break;
		horizon = row->id;
	}
	return horizon;
}

enum result event_list_after(struct db *db, const struct event_query *query, struct instant now,
			     struct arena *arena, struct event_list *list, struct error *error)
{
	const struct instant settled_at = { now.s - EVENT_SETTLED_S };
	struct db_list tail;
	*list = (struct event_list){ 0 };
	enum result result = read_tail(db, query->account_id, settled_at, arena, &tail, error);
	struct event_query range = *query;
	range.is_oldest_first = true;
	range.up_to_id = result == OK ? horizon_of(&tail, settled_at) : 0;
	list->read_up_to = query->after_id;
	if (result != OK || range.up_to_id <= range.after_id)
		return result;
	result = event_list(db, &range, arena, list, error);
	bool is_full = list->count > 0 && (int64_t)list->count == query->limit;
	list->read_up_to = is_full ? list->rows[list->count - 1].id : range.up_to_id;
	return result;
}
