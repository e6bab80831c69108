#include "store/check/check_expiry_store.h"

#include <stdlib.h>
#include <string.h>

#include "base/attr.h"
#include "domain/monitor/check_expiry.h"
#include "store/check/check_store.h"

enum { SCRATCH_MAX_BYTES = 64 << 20, EVENTS_EACH = 3 };

/* A monitor with an expiry that may be due. */
struct candidate {
	int64_t id;
	int64_t account_id;
	bool tells_issuer;
	struct expiry tls, domain;
	const char *issuer, *issuer_told;
};

/* FROM and WHERE for checked monitors that are not paused, with ids above the first argument. */
#define FROM_CHECKED \
	"FROM monitor_states s JOIN monitor_checks k ON k.monitor_id = s.monitor_id " \
	"JOIN monitors m ON m.id = s.monitor_id " \
	"JOIN accounts a ON a.id = m.account_id AND a.removed_at IS NULL " \
	"WHERE s.monitor_id > ? AND s.location_id = 0 AND k.type > 0 AND m.retired_at IS NULL " \
	"AND m.removed_at IS NULL AND m.is_paused = 0 "

/* The condition that an expiry may be due. It only keeps the list short: expiry_is_due() then
 * decides, and is true for fewer expiries. */
#define NEAR(date, days, told) \
	"(k." days " > 0 AND s." date " <= CAST(? AS DATETIME) + INTERVAL k." days " DAY " \
	"AND NOT (s." told " <=> s." date " AND s." told "_days = 0)) "

static enum result read_candidates(struct db *db, int64_t after_id, struct instant now,
				   struct arena *arena, struct db_list *found, struct error *error)
{
#define OF(member, column) FIELD_NAMED(struct candidate, member, column)
	static const struct field rows[] = {
		OF(id, "id"),
		OF(account_id, "account_id"),
		OF(tells_issuer, "issuer_alert"),
		OF(tls.date, "tls_expires_at"),
		OF(tls.seen_at, "tls_seen_at"),
		OF(tls.alert_days, "ssl_alert_days"),
		OF(tls.told.date, "tls_told"),
		OF(tls.told.days, "tls_told_days"),
		OF(domain.date, "domain_expires_at"),
		OF(domain.seen_at, "domain_checked_at"),
		OF(domain.alert_days, "domain_alert_days"),
		OF(domain.told.date, "domain_told"),
		OF(domain.told.days, "domain_told_days"),
		OF(issuer, "tls_issuer"),
		OF(issuer_told, "tls_issuer_told"),
	};
#undef OF
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT m.id, m.account_id, k.issuer_alert, s.tls_expires_at, "
			    "s.tls_seen_at, k.ssl_alert_days, s.tls_told, s.tls_told_days, "
			    "s.domain_expires_at, s.domain_checked_at, k.domain_alert_days, "
			    "s.domain_told, s.domain_told_days, s.tls_issuer, "
			    "s.tls_issuer_told " FROM_CHECKED
			    "AND (" NEAR("tls_expires_at", "ssl_alert_days", "tls_told") "OR " NEAR(
				    "domain_expires_at", "domain_alert_days",
				    "domain_told") "OR (k.issuer_alert <> 0 AND "
						   "s.tls_issuer IS NOT NULL "
						   "AND NOT s.tls_issuer <=> "
						   "s.tls_issuer_told)) "
						   "ORDER BY s.monitor_id LIMIT ?"));
	sql_add(&sql, after_id, now, now, CHECK_EXPIRIES_MAX);
	return db_read_list(db, &sql, DB_SHAPE(FIELDS(rows), struct candidate, CHECK_EXPIRIES_MAX),
			    arena, found, error);
}

struct telling {
	const char *holder;
	const struct event_source *source;
	int64_t after_id;
	/* The data of one attempt of the transaction. */
	int64_t last_id;
	bool is_more;
	struct arena *arena;
	struct event_change *changes;
	size_t change_count;
};

static void add_event(struct telling *telling, const struct candidate *row, enum event_kind kind,
		      const char *detail)
{
	telling->changes[telling->change_count++] = (struct event_change){
		.kind = kind,
		.account_id = row->account_id,
		.object_id = row->id,
		.detail = detail,
	};
}

static bool tell_expiry(struct telling *telling, const struct candidate *row, struct expiry *expiry,
			struct instant now, enum event_kind kind)
{
	char text[EXPIRY_TEXT_SIZE];
	if (!expiry_is_due(expiry, now, &expiry->told))
		return false;
	expiry_text(expiry->date, now, text);
	add_event(telling, row, kind, arena_strdup(telling->arena, text));
	return true;
}

/* Adds the events of the monitor. Sets the members of `row` that record which expiries and which
 * issuer have an event. Returns false if none of these members has changed. */
static bool tell(struct telling *telling, struct candidate *row)
{
	struct instant now = telling->source->now;
	bool has_issuer = row->tells_issuer && row->issuer &&
			  (!row->issuer_told || strcmp(row->issuer, row->issuer_told) != 0);
	/* Count the days to the certificate's expiry from the time when a check last saw the
	 * certificate, not from now. The certificate may have been renewed since then, and an old
	 * observation must not cause a warning. */
	bool has_told =
		tell_expiry(telling, row, &row->tls, row->tls.seen_at, EVENT_CERTIFICATE_EXPIRING);
	has_told |= tell_expiry(telling, row, &row->domain, now, EVENT_DOMAIN_EXPIRING);
	/* If no issuer was known before, the issuer has not changed, so add no event. */
	if (has_issuer && row->issuer_told)
		add_event(telling, row, EVENT_ISSUER_CHANGED,
			  arena_printf(telling->arena, "%s, before: %s", row->issuer,
				       row->issuer_told));
	if (has_issuer)
		row->issuer_told = row->issuer;
	return has_told || has_issuer;
}

static const struct sql_rows told_rows = {
	.first = { "SELECT CAST(? AS SIGNED) AS id, CAST(? AS DATETIME) AS tls, "
		   "CAST(? AS SIGNED) AS tls_days, CAST(? AS CHAR) AS issuer, "
		   "CAST(? AS DATETIME) AS domain, CAST(? AS SIGNED) AS domain_days" },
	.next = { " UNION ALL SELECT CAST(? AS SIGNED), CAST(? AS DATETIME), CAST(? AS SIGNED), "
		  "CAST(? AS CHAR), CAST(? AS DATETIME), CAST(? AS SIGNED)" },
};

static enum result store_told(struct db *db, const struct candidate *const *rows, size_t count,
			      struct arena *arena, struct error *error)
{
	enum result result = OK;
	for (size_t from = 0, size; result == OK && from < count; from += size) {
		struct sql_build sql;
		size = sql_rows_chunk(&told_rows, count - from);
		sql_start(&sql, SQL("UPDATE ("));
		sql_rows_begin(&sql, &told_rows, size, arena);
		for (size_t i = from; i < from + size; i++)
			sql_add(&sql, rows[i]->id, rows[i]->tls.told.date, rows[i]->tls.told.days,
				rows[i]->issuer_told, rows[i]->domain.told.date,
				rows[i]->domain.told.days);
		sql_rows_end(&sql);
		sql_add(&sql, SQL(") given STRAIGHT_JOIN monitor_states s FORCE INDEX (PRIMARY) "
				  "ON s.monitor_id = given.id AND s.location_id = 0 "
				  "SET s.tls_told = given.tls, s.tls_told_days = given.tls_days, "
				  "s.tls_issuer_told = given.issuer, s.domain_told = given.domain, "
				  "s.domain_told_days = given.domain_days"));
		result = db_write(db, &sql, NULL, error);
	}
	return result;
}

static int by_account(const void *one, const void *other)
{
	const struct event_change *a = one, *b = other;
	int order = id_order(&a->account_id, &b->account_id);
	return order ? order : id_order(&a->object_id, &b->object_id);
}

static enum result tell_work(struct db *db, void *context, struct error *error)
{
	struct telling *telling = context;
	struct arena scratch CLEANUP(arena_done);
	struct db_list found = { 0 };
	size_t count = 0;
	arena_init(&scratch, SCRATCH_MAX_BYTES);
	telling->arena = &scratch;
	telling->change_count = 0;
	enum result result = check_lease_hold(db, telling->holder, error);
	if (result == OK)
		result = read_candidates(db, telling->after_id, telling->source->now, &scratch,
					 &found, error);
	if (result != OK)
		return result;
	struct candidate *rows = found.rows;
	const struct candidate **changed =
		ARENA_ARRAY(&scratch, found.count, const struct candidate *);
	telling->changes = ARENA_ARRAY(&scratch, found.count * EVENTS_EACH, struct event_change);
	for (size_t i = 0; i < found.count; i++)
		if (tell(telling, &rows[i]))
			changed[count++] = &rows[i];
	telling->is_more = found.count == CHECK_EXPIRIES_MAX;
	telling->last_id = found.count > 0 ? rows[found.count - 1].id : telling->after_id;
	if (telling->change_count > 0)
		qsort(telling->changes, telling->change_count, sizeof(*telling->changes),
		      by_account);
	result = store_told(db, changed, count, &scratch, error);
	return result == OK && telling->change_count > 0
		       ? event_append(db, telling->source, telling->changes, telling->change_count,
				      error)
		       : result;
}

enum result check_expiries_tell(struct db *db, const char *holder,
				const struct event_source *source, int64_t *after_id, bool *is_more,
				struct error *error)
{
	struct telling telling = { .holder = holder, .source = source, .after_id = *after_id };
	enum result result = db_transact(db, DB_WRITE, tell_work, &telling, error);
	*is_more = result == OK && telling.is_more;
	if (result == OK)
		*after_id = telling.last_id;
	return result;
}

enum result check_domains_read(struct db *db, int64_t after_id, struct arena *arena,
			       struct check_domain_list *list, struct error *error)
{
#define OWN(member)	   FIELD(struct check_domain, member)
#define OF(member, column) FIELD_NAMED(struct check_domain, member, column)
	static const struct field rows[] = {
		OWN(monitor_id),
		OWN(type),
		OWN(url),
		OF(name, "domain_name"),
		OF(expires_at, "domain_expires_at"),
		OF(checked_at, "domain_checked_at"),
		OF(asked_at, "domain_asked_at"),
	};
#undef OWN
#undef OF
	struct sql_build sql;
	sql_start(&sql,
		  SQL("SELECT s.monitor_id, k.type, m.url, s.domain_name, "
		      "s.domain_expires_at, s.domain_checked_at, s.domain_asked_at " FROM_CHECKED
		      "AND k.domain_alert_days > 0 ORDER BY s.monitor_id LIMIT ?"));
	sql_add(&sql, after_id, CHECK_DOMAINS_MAX);
	return db_read_into(db, &sql, FIELDS(rows), DB_INTO(list, CHECK_DOMAINS_MAX), arena, error);
}

struct domains {
	const char *holder;
	const struct check_domain *rows;
	size_t count;
};

static const struct sql_rows domain_rows = {
	.first = { "SELECT CAST(? AS SIGNED) AS id, CAST(? AS CHAR) AS name, "
		   "CAST(? AS DATETIME) AS expires, CAST(? AS DATETIME) AS checked, "
		   "CAST(? AS DATETIME) AS asked" },
	.next = { " UNION ALL SELECT CAST(? AS SIGNED), CAST(? AS CHAR), CAST(? AS DATETIME), "
		  "CAST(? AS DATETIME), CAST(? AS DATETIME)" },
};

static enum result domains_work(struct db *db, void *context, struct error *error)
{
	const struct domains *domains = context;
	struct arena scratch CLEANUP(arena_done);
	arena_init(&scratch, SCRATCH_MAX_BYTES);
	enum result result = check_lease_hold(db, domains->holder, error);
	for (size_t from = 0, size; result == OK && from < domains->count; from += size) {
		struct sql_build sql;
		size = sql_rows_chunk(&domain_rows, domains->count - from);
		sql_start(&sql, SQL("UPDATE ("));
		sql_rows_begin(&sql, &domain_rows, size, &scratch);
		for (size_t i = from; i < from + size; i++)
			sql_add(&sql, domains->rows[i].monitor_id, domains->rows[i].name,
				domains->rows[i].expires_at, domains->rows[i].checked_at,
				domains->rows[i].asked_at);
		sql_rows_end(&sql);
		sql_add(&sql, SQL(") given STRAIGHT_JOIN monitor_states s FORCE INDEX (PRIMARY) "
				  "ON s.monitor_id = given.id AND s.location_id = 0 "
				  "SET s.domain_name = given.name, "
				  "s.domain_expires_at = given.expires, "
				  "s.domain_checked_at = given.checked, "
				  "s.domain_asked_at = given.asked"));
		result = db_write(db, &sql, NULL, error);
	}
	return result;
}

enum result check_domains_store(struct db *db, const char *holder, const struct check_domain *rows,
				size_t count, struct error *error)
{
	struct domains domains = { holder, rows, count };
	return count > 0 ? db_transact(db, DB_WRITE, domains_work, &domains, error) : OK;
}
