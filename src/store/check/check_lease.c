/* The lease of the installation's own location (check_locations.id 0). Also stores whether its
 * checker is cut off, and reads for how long no checker has run. */
#include "base/attr.h"
#include "store/check/check_store.h"
#include "store/outbox.h"

#define LEASE_END "UTC_TIMESTAMP(3) + INTERVAL 15 SECOND"
/* Computes apart_s: check_lease_drop() has added 2 * apart_s + 60 seconds to seen_at, and has
 * stored the sum in lease_until. */
#define APART \
	"IF(l.holder IS NULL AND l.lease_until > UTC_TIMESTAMP(3), " \
	"(TIMESTAMPDIFF(SECOND, l.seen_at, l.lease_until) - 60) DIV 2, 0)"
_Static_assert(CHECK_LEASE_S == 15, "the statements have the same time");

enum result check_location_add_own(struct db *db, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("INSERT INTO check_locations (id, name) VALUES (0, '') "
			    "ON DUPLICATE KEY UPDATE id = id"));
	return db_write(db, &sql, NULL, error);
}

static enum result try_lease(struct db *db, const char *holder, bool *is_held, struct error *error)
{
	struct sql_build sql;
	struct db_done done = { 0 };
	sql_start(&sql, SQL("UPDATE check_locations SET holder = ?, lease_until = " LEASE_END ", "
			    "seen_at = UTC_TIMESTAMP() WHERE id = 0 AND (holder = ? "
			    "OR holder IS NULL OR lease_until <= UTC_TIMESTAMP(3))"));
	sql_add(&sql, holder, holder);
	enum result result = db_write(db, &sql, &done, error);
	*is_held = result == OK && done.rows > 0;
	return result;
}

/* Shortens a lease that was taken before the database's clock was set back. A running holder renews
 * the lease before it ends. */
static enum result cut_lease(struct db *db, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("UPDATE check_locations SET lease_until = " LEASE_END " WHERE id = 0 "
			    "AND lease_until > " LEASE_END));
	return db_write(db, &sql, NULL, error);
}

enum result check_lease_take(struct db *db, const char *holder, struct check_lease *lease,
			     struct error *error)
{
	static const struct field rows[] = { FIELD(struct check_lease, now_ms) };
	struct sql_build sql;
	*lease = (struct check_lease){ 0 };
	sql_start(&sql, SQL("SELECT CAST(UNIX_TIMESTAMP(SYSDATE(3)) * 1000 AS SIGNED) AS now_ms "
			    "FROM check_locations WHERE id = 0"));
	enum result result = try_lease(db, holder, &lease->is_held, error);
	if (result == OK && !lease->is_held)
		result = cut_lease(db, error);
	if (result == OK)
		result = db_read_one(db, &sql, FIELDS(rows), lease, NULL, error);
	if (result != E_NOT_FOUND)
		return result;
	result = check_location_add_own(db, error);
	return result == OK ? check_lease_take(db, holder, lease, error) : result;
}

/* Runs a SELECT that locks the row of the location. E_NOT_FOUND: the SELECT finds no row. */
static enum result lock_location(struct db *db, const struct sql_build *sql, struct error *error)
{
	int64_t id = 0;
	return db_read_int(db, sql, &id, error);
}

enum result check_lease_is_over(struct db *db, bool *is_over, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT id FROM check_locations WHERE id = 0 AND (lease_until IS NULL "
			    "OR lease_until <= UTC_TIMESTAMP(3)) LOCK IN SHARE MODE"));
	enum result result = lock_location(db, &sql, error);
	*is_over = result == OK;
	return result == E_NOT_FOUND ? OK : result;
}

enum result check_lease_hold(struct db *db, const char *holder, struct error *error)
{
	struct sql_build sql;
	/* The statement does not compare the time: a lease that has ended stays valid until another
	 * checker takes it. */
	sql_start(&sql, SQL("SELECT id FROM check_locations WHERE id = 0 AND holder = ? "
			    "LOCK IN SHARE MODE"));
	sql_add(&sql, holder);
	enum result result = lock_location(db, &sql, error);
	return result == E_NOT_FOUND ? error_log(error, E_CONFLICT, "another checker has the lease")
				     : result;
}

enum result check_lease_drop(struct db *db, const char *holder, int64_t apart_s,
			     struct error *error)
{
	struct sql_build sql;
	sql_start(&sql,
		  SQL("UPDATE check_locations SET holder = NULL, seen_at = UTC_TIMESTAMP(), "
		      "lease_until = UTC_TIMESTAMP(3) + INTERVAL 2 * NULLIF(?, 0) + 60 SECOND "
		      "WHERE id = 0 AND holder = ?"));
	sql_add(&sql, apart_s, holder);
	return db_write(db, &sql, NULL, error);
}

enum result check_rest_read(struct db *db, struct check_rest *rest, struct error *error)
{
	static const struct field rows[] = { FIELD(struct check_rest, rest_s),
					     FIELD(struct check_rest, is_expected) };
	struct sql_build sql;
	*rest = (struct check_rest){ .rest_s = -1 };
	sql_start(&sql, SQL("SELECT COALESCE(TIMESTAMPDIFF(SECOND, seen_at, UTC_TIMESTAMP()), -1) "
			    "AS rest_s, COALESCE(holder IS NULL AND lease_until > "
			    "UTC_TIMESTAMP(3), 0) AS is_expected FROM check_locations "
			    "WHERE id = 0"));
	enum result result = db_read_one(db, &sql, FIELDS(rows), rest, NULL, error);
	return result == E_NOT_FOUND ? OK : result;
}

enum result check_idleness_read(struct db *db, struct check_idleness *idleness, struct error *error)
{
	static const struct field rows[] = { FIELD(struct check_idleness, monitors),
					     FIELD(struct check_idleness, idle_s),
					     FIELD(struct check_idleness, apart_s),
					     FIELD(struct check_idleness, hurried) };
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT COUNT(*) AS monitors, COALESCE(MAX(IF(l.lease_until > "
			    "UTC_TIMESTAMP(3), 0, GREATEST(0, TIMESTAMPDIFF(SECOND, l.seen_at, "
			    "UTC_TIMESTAMP())))), -1) AS idle_s, "
			    "COALESCE(MAX(" APART "), 0) AS apart_s, "
			    "CAST(COALESCE(SUM(k.type <> ? AND k.`interval` * 11 DIV 10 < " APART
			    "), 0) AS SIGNED) AS hurried "
			    "FROM monitor_checks k JOIN monitors m ON m.id = k.monitor_id "
			    "LEFT JOIN check_locations l ON l.id = 0 WHERE k.type > 0 "
			    "AND m.retired_at IS NULL AND m.is_paused = 0"));
	sql_add(&sql, CHECK_HEARTBEAT);
	return db_read_one(db, &sql, FIELDS(rows), idleness, NULL, error);
}

/* Sets *since to the time since which the installation's checker is cut off; 0: it is not cut
 * off. */
static enum result read_cut_off(struct db *db, struct instant *since, struct error *error)
{
	struct cut_off {
		struct instant cut_off_since;
	} row = { 0 };
	static const struct field rows[] = { FIELD(struct cut_off, cut_off_since) };
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT cut_off_since FROM check_locations WHERE id = 0"));
	enum result result = db_read_one(db, &sql, FIELDS(rows), &row, NULL, error);
	*since = row.cut_off_since;
	return result == E_NOT_FOUND ? OK : result;
}

static enum result tell_cut_off(struct db *db, const struct event_change *change,
				const struct event_source *source, struct error *error)
{
	struct sql_build sql;
	sql_start(
		&sql,
		SQL("INSERT INTO events (account_id, kind, object, object_id, " EVENT_SOURCE_COLUMNS
		    ") "
		    "SELECT DISTINCT k.account_id, ?, 'account', k.account_id, " EVENT_SOURCE_VALUES
		    " FROM monitor_checks k WHERE k.type > 0"));
	sql_add(&sql, event_kind_word(change->kind));
	event_add_source(&sql, source);
	enum result result = db_write(db, &sql, NULL, error);
	return result == OK && source->fills_outbox
		       ? outbox_add_checker(db, change, source->now, error)
		       : result;
}

enum result check_cut_off_store(struct db *db, struct instant since,
				const struct event_source *source, struct error *error)
{
	struct sql_build sql;
	struct db_done done = { 0 };
	struct instant was;
	bool is_cut_off = since.s > 0;
	enum result result = read_cut_off(db, &was, error);
	if (result != OK)
		return result;
	/* Both statements have a condition on the old value, so that the number of changed rows
	 * tells whether the state has changed. */
	sql_start(&sql, is_cut_off ? SQL("UPDATE check_locations SET cut_off_since = ? "
					 "WHERE id = 0 AND cut_off_since IS NULL")
				   : SQL("UPDATE check_locations SET cut_off_since = ? "
					 "WHERE id = 0 AND cut_off_since IS NOT NULL"));
	sql_add(&sql, since);
	result = db_write(db, &sql, &done, error);
	if (result != OK || done.rows == 0)
		return result;
	const struct event_change change = {
		.kind = is_cut_off ? EVENT_CHECKER_CUT_OFF : EVENT_CHECKER_RECONNECTED,
		.starts_at = is_cut_off ? since : was,
		.ends_at = is_cut_off ? (struct instant){ 0 } : source->now,
	};
	return tell_cut_off(db, &change, source, error);
}
