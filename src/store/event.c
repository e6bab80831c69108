#include "store/event.h"

#include <string.h>

#include "store/outbox.h"

void event_add_source(struct sql_build *sql, const struct event_source *source)
{
	const struct principal *principal = source->principal;
	sql_add(sql, principal_type_word(principal->type), sql_id(principal->id),
		principal->label ? principal->label : "", source->now, principal->address,
		principal->request_id);
}

static void add_change(struct sql_build *sql, const struct event_change *change)
{
	sql_add(sql, event_kind_word(change->kind), change->object_id, sql_id(change->monitor_id),
		change->detail);
}

/* sql_rows_end() adds rows of NULL to the end of the list. Statements skip these rows by `kind IS
 * NOT NULL`. */
static const struct sql_rows given_rows = {
	.first = { "SELECT CAST(? AS CHAR(32)) AS kind, CAST(? AS SIGNED) AS object_id, "
		   "CAST(? AS SIGNED) AS monitor_id, CAST(? AS CHAR) AS detail" },
	.next = { " UNION ALL SELECT CAST(? AS CHAR(32)), CAST(? AS SIGNED), CAST(? AS SIGNED), "
		  "CAST(? AS CHAR)" },
};

/* Inserts the events of the changes. All changes have the same account and the same type of
 * object. */
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
	sql_add(&sql, sql_id(changes[0].account_id),
		event_object_words[event_kind_object(changes[0].kind)]);
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
	sql_add(&sql, sql_id(change->account_id),
		event_object_words[event_kind_object(change->kind)]);
	event_add_source(&sql, source);
	add_change(&sql, change);
	return db_write(db, &sql, NULL, error);
}

static bool is_alike(const struct event_change *a, const struct event_change *b)
{
	return a->account_id == b->account_id &&
	       event_kind_object(a->kind) == event_kind_object(b->kind);
}

/* Returns how many changes the next INSERT may have. A statement stays small, because
 * max_allowed_packet may be only 4 MiB. */
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
	return result == OK && source->fills_outbox
		       ? outbox_add(db, changes, count, source->now, error)
		       : result;
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
	sql_add(&sql, domain, page_id);
	return db_write(db, &sql, NULL, error);
}

enum result event_newest(struct db *db, struct instant *at, struct error *error)
{
	struct newest {
		struct instant at;
	} newest = { 0 };
	static const struct field newest_rows[] = { FIELD(struct newest, at) };
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT at FROM events ORDER BY id DESC LIMIT 1"));
	enum result result = db_read_one(db, &sql, FIELDS(newest_rows), &newest, NULL, error);
	*at = newest.at;
	return result == E_NOT_FOUND ? OK : result;
}
