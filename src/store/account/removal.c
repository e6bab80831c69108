#include "store/account/removal.h"

#include "base/clock.h"
#include "store/check/check_store.h"
#include "store/check/monitor_gaps.h"
#include "store/incident/incident.h"
#include "store/incident/incident_report.h"
#include "store/incident/incident_write.h"
#include "store/monitor/monitor.h"

enum {
	PARENTS = 64,	 /* how many parents (such as pages) a transaction handles at most */
	HEAVY_ROWS = 50, /* the most rows of a transaction if a row may have a megabyte */
	SCRATCH_MAX_BYTES = 64 << 20,
};

/*
 * A step of a removal: a DELETE in the order of an index. So it usually reads and locks only rows
 * of the account; the database may scan a small table. Without `ids`, the statement has two
 * arguments: the account and a limit. With `ids`, the step first reads ids of parents, such as the
 * account's pages or monitors, and adds them between `statement` and `tail`.
 */
struct removal_step {
	struct sql ids;
	struct sql statement;
	struct sql tail;
	int64_t most;	  /* how many rows a transaction deletes at most; 0: REMOVAL_ROWS_MAX */
	size_t goes_back; /* how many steps to go back after this step has deleted parents: to the
			     deletion of the children of further parents */
	bool ends_pages;
	bool is_of_sums; /* run_sums_step() deletes the hours and days of monitors */
};

#define OF_ACCOUNT(its_table, its_order) \
	.statement = { "DELETE FROM " its_table " WHERE account_id = ? " \
		       "ORDER BY " its_order " LIMIT ?" }
#define OF_PARENTS(its_parents, its_table, its_column, its_order) \
	.ids = { "SELECT id FROM " its_parents " WHERE account_id = ? ORDER BY id LIMIT ?" }, \
	.statement = { "DELETE FROM " its_table " WHERE " its_column " IN (" }, \
	.tail = { ") ORDER BY " its_order " LIMIT ?" }
/* Deletes rows of users who have roles only in this account. Such a step must precede the deletion
 * of user_roles, because the statement finds the users there. */
#define OF_USERS(its_table, its_column, its_order) \
	.ids = { "SELECT u.id FROM users u JOIN user_roles r ON r.user_id = u.id " \
		 "WHERE r.account_id = ? AND NOT EXISTS (SELECT 1 FROM user_roles o " \
		 "WHERE o.user_id = u.id AND o.account_id <> r.account_id) " \
		 "ORDER BY u.id LIMIT ?" }, \
	.statement = { "DELETE FROM " its_table " WHERE " its_column " IN (" }, \
	.tail = { ") ORDER BY " its_order " LIMIT ?" }

/*
 * The steps of children precede those of their parents, so that no deletion of a parent cascades to
 * its children. The steps of pages come early, because visitors see pages. A new table of an
 * account needs a row here.
 */
static const struct removal_step steps[] = {
	{ OF_ACCOUNT("deliveries", "id") },
	{ OF_PARENTS("subscribers", "subscriber_monitors", "subscriber_id",
		     "subscriber_id, monitor_id") },
	{ OF_PARENTS("subscribers", "subscribers", "id", "id"), .goes_back = 1 },
	{ OF_PARENTS("status_pages", "status_page_files", "status_page_id", "status_page_id, kind"),
	  .most = HEAVY_ROWS },
	{ OF_PARENTS("status_pages", "status_page_monitors", "status_page_id",
		     "status_page_id, monitor_id") },
	{ OF_PARENTS("status_pages", "former_addresses", "page_id", "kind, name") },
	{ OF_PARENTS("status_pages", "incident_pages", "status_page_id",
		     "status_page_id, month, incident_id") },
	{ OF_PARENTS("status_pages", "page_links", "page_id", "page_id, expires_at, id") },
	{ OF_PARENTS("status_pages", "status_pages", "id", "id"), .goes_back = 5,
	  .ends_pages = true },
	{ OF_ACCOUNT("incident_sources", "source") },
	{ OF_ACCOUNT("events", "at, id") },
	{ OF_ACCOUNT("outbox", "id"), .most = HEAVY_ROWS },
	{ OF_ACCOUNT("event_counts", "object_id, what, span, start") },
	{ OF_ACCOUNT("pending_updates", "id") },
	{ OF_ACCOUNT("incident_updates", "id") },
	{ OF_ACCOUNT("incident_monitors", "position, status, incident_id") },
	{ OF_ACCOUNT("incidents", "started_at, id") },
	{ OF_ACCOUNT("incident_counts", "status, total") },
	{ OF_ACCOUNT("report_counts", "status") },
	{ OF_PARENTS("maintenances", "maintenance_updates", "maintenance_id",
		     "maintenance_id, at, id") },
	{ OF_PARENTS("maintenances", "maintenance_occurrences", "maintenance_id",
		     "maintenance_id, ends_at, id") },
	{ OF_PARENTS("maintenances", "maintenance_monitors", "maintenance_id",
		     "maintenance_id, monitor_id") },
	{ OF_PARENTS("maintenances", "maintenances", "id", "id"), .goes_back = 3 },
	{ OF_PARENTS("incident_templates", "incident_template_monitors", "template_id",
		     "template_id, monitor_id") },
	{ OF_PARENTS("incident_templates", "incident_templates", "id", "id"), .goes_back = 1 },
	{ OF_PARENTS("monitors", "incident_months", "monitor_id", "monitor_id, month") },
	{ OF_PARENTS("monitors", "monitor_checks", "monitor_id", "monitor_id") },
	{ OF_PARENTS("monitors", "monitor_states", "monitor_id", "monitor_id, location_id") },
	{ OF_PARENTS("monitors", "location_hours", "monitor_id", "monitor_id, hour, location_id") },
	{ OF_PARENTS("monitors", "monitor_gaps", "monitor_id", "monitor_id, started_at") },
	{ OF_PARENTS("monitors", "check_signals", "monitor_id", "monitor_id") },
	{ OF_PARENTS("monitors", "monitor_channels", "monitor_id", "monitor_id, channel_id") },
	{ .ids = { "SELECT id FROM monitors WHERE account_id = ? ORDER BY id LIMIT ?" },
	  .is_of_sums = true },
	{ OF_PARENTS("monitors", "monitors", "id", "id"), .goes_back = 7 },
	{ OF_ACCOUNT("check_locations", "name") },
	{ OF_ACCOUNT("alert_channels", "id") },
	{ OF_ACCOUNT("incident_imports", "file_hash") },
	{ OF_ACCOUNT("idempotency_keys", "key_hash"), .most = HEAVY_ROWS },
	{ OF_ACCOUNT("user_sessions", "token_hash") },
	{ OF_USERS("user_passkeys", "user_id", "user_id, id") },
	{ OF_USERS("users", "id", "id"), .goes_back = 1 },
	{ OF_ACCOUNT("user_roles", "user_id") },
	{ OF_ACCOUNT("api_keys", "id") },
	{ OF_ACCOUNT("account_usage", "quota") },
};

struct marked {
	int64_t id;
};
static const struct field marked_rows[] = { FIELD(struct marked, id) };

enum result removal_mark(struct db *db, int64_t account_id, struct instant now, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql,
		  SQL("UPDATE accounts SET removed_at = COALESCE(removed_at, ?) WHERE id = ?"));
	sql_add(&sql, now, account_id);
	return db_write_found(db, &sql, error);
}

enum result removal_next(struct db *db, int64_t after_id, struct arena *arena, int64_t *account_id,
			 struct error *error)
{
	struct marked marked = { 0 };
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT id FROM accounts WHERE removed_at IS NOT NULL AND id > ? "
			    "ORDER BY id LIMIT 1"));
	sql_add(&sql, after_id);
	enum result result = db_read_one(db, &sql, FIELDS(marked_rows), &marked, arena, error);
	*account_id = marked.id;
	return result;
}

struct stepping {
	const struct removal_step *step;
	int64_t account_id;
	int64_t rows; /* the number of deleted rows */
};

/* Runs the step once, in a transaction. */
static enum result run_step(struct db *db, void *context, struct error *error)
{
	struct stepping *stepping = context;
	const struct removal_step *step = stepping->step;
	struct arena scratch CLEANUP(arena_done);
	struct sql_build sql;
	struct db_done done = { 0 };
	struct id_list ids = { 0 };
	enum result result = OK;
	arena_init(&scratch, SCRATCH_MAX_BYTES);
	stepping->rows = 0;
	if (step->ids.text) {
		sql_start(&sql, step->ids, stepping->account_id, PARENTS);
		result = db_read_ids(db, &sql, PARENTS, &scratch, &ids, error);
		if (result != OK || ids.count == 0)
			return result;
	}
	sql_start(&sql, step->statement);
	if (step->ids.text) {
		sql_list_ints(&sql, ids.ids, ids.count, &scratch);
		sql_add(&sql, step->tail);
	} else {
		sql_add(&sql, stepping->account_id);
	}
	sql_add(&sql, step->most > 0 ? step->most : REMOVAL_ROWS_MAX);
	result = db_write(db, &sql, &done, error);
	stepping->rows = done.rows;
	return result;
}

/* Runs a step with is_of_sums, in several transactions. */
static enum result run_sums_step(struct db *db, struct stepping *stepping, struct error *error)
{
	struct arena scratch CLEANUP(arena_done);
	struct id_list ids = { 0 };
	struct sql_build sql;
	arena_init(&scratch, SCRATCH_MAX_BYTES);
	sql_start(&sql, stepping->step->ids, stepping->account_id, PARENTS);
	enum result result = db_read_ids(db, &sql, PARENTS, &scratch, &ids, error);
	return result == OK && ids.count > 0 ? check_sums_delete(db, &ids, &stepping->rows, error)
					     : result;
}

static enum result delete_account(struct db *db, struct removal *removal, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("DELETE FROM accounts WHERE id = ? AND removed_at IS NOT NULL"),
		  removal->account_id);
	enum result result = db_write(db, &sql, NULL, error);
	removal->is_done = result == OK;
	return result;
}

enum result removal_account_some(struct db *db, struct removal *removal, struct error *error)
{
	while (removal->step < ARRAY_LEN(steps)) {
		const struct removal_step *step = &steps[removal->step];
		struct stepping stepping = { step, removal->account_id, 0 };
		enum result result =
			step->is_of_sums ? run_sums_step(db, &stepping, error)
					 : db_transact(db, DB_WRITE, run_step, &stepping, error);
		int64_t rows = result == OK ? stepping.rows : 0;
		removal->deleted += rows;
		if (rows > 0)
			removal->step -= step->goes_back;
		if (result != OK || rows > 0)
			return result;
		removal->has_no_pages |= step->ends_pages;
		removal->step++;
	}
	return delete_account(db, removal, error);
}

#define COVERING \
	"EXISTS (SELECT 1 FROM incident_monitors o WHERE o.incident_id = x.incident_id " \
	"AND o.monitor_id <> x.monitor_id) AS has_others, " \
	"EXISTS (SELECT 1 FROM incident_pages g WHERE g.incident_id = x.incident_id " \
	"AND g.is_shown = 1) AS has_pages FROM incident_monitors x WHERE x.monitor_id = ? "

enum result removal_reported_count(struct db *db, int64_t monitor_id, struct arena *arena,
				   int64_t *count, struct error *error)
{
	static const struct field count_rows[] = { FIELD(struct marked, id) };
	struct marked counted = { 0 };
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT COUNT(*) AS id FROM (SELECT x.incident_id, " COVERING
			    ") covering WHERE NOT has_others AND NOT has_pages"));
	sql_add(&sql, monitor_id);
	enum result result = db_read_one(db, &sql, FIELDS(count_rows), &counted, arena, error);
	*count = counted.id;
	return result;
}

/* Writes changes of incidents of a monitor that is being removed. The monitor is already on no
 * page; its row still exists. */
static enum result write_changes(struct db *db, struct incident_change *changes, size_t count,
				 struct error *error)
{
	const struct incident *first = count > 0 ? changes[0].before : NULL;
	struct incident_set set = { .db = db,
				    .account_id = first ? first->account_id : 0,
				    .now = clock_now(),
				    .error = error,
				    .rows = changes,
				    .count = count };
	return count > 0 ? incident_write_all(&set) : OK;
}

enum result removal_incidents_some(struct db *db, int64_t monitor_id, struct arena *arena,
				   int64_t *count, struct error *error)
{
	struct db_list found;
	enum result result = incidents_lock_of_monitor(db, monitor_id, REMOVAL_INCIDENTS_MAX, arena,
						       &found, error);
	struct incident *rows = found.rows;
	struct incident_change *changes = ARENA_ARRAY(arena, found.count, struct incident_change);
	for (size_t i = 0; i < found.count; i++) {
		rows[i].is_on_no_page = true;
		changes[i].before = &rows[i];
	}
	*count = (int64_t)found.count;
	return result == OK ? write_changes(db, changes, found.count, error) : result;
}

/* Removes the monitor from reported incidents, and deletes incidents that then have neither a
 * monitor nor a page. */
static enum result remove_covers(struct db *db, int64_t monitor_id, struct arena *arena,
				 int64_t *count, struct error *error)
{
	enum { COVERING_MAX = 64 };
	struct db_list found;
	enum result result =
		incidents_lock_covering(db, monitor_id, COVERING_MAX, arena, &found, error);
	struct incident *before = found.rows;
	struct incident *after = ARENA_ARRAY(arena, found.count, struct incident);
	struct incident_change *changes = ARENA_ARRAY(arena, found.count, struct incident_change);
	for (size_t i = 0; i < found.count; i++) {
		after[i] = incident_copy(&before[i], arena);
		bool is_left = incident_uncover(&after[i], monitor_id);
		changes[i] = (struct incident_change){ .before = &before[i],
						       .after = is_left ? &after[i] : NULL };
	}
	*count = (int64_t)found.count;
	return result == OK ? write_changes(db, changes, found.count, error) : result;
}

struct monitor_removal {
	int64_t id;
	int64_t count; /* number of deleted incidents */
};

static enum result remove_some(struct db *db, void *context, struct error *error)
{
	struct monitor_removal *removal = context;
	struct arena scratch CLEANUP(arena_done);
	arena_init(&scratch, SCRATCH_MAX_BYTES);
	/* Lock the monitor before its incidents: see store/incident/incident_write.h. */
	enum result result =
		monitors_lock(db, 0, &(struct id_list){ &removal->id, 1 }, &scratch, error);
	if (result == E_NOT_FOUND)
		return OK;
	if (result == OK)
		result = removal_incidents_some(db, removal->id, &scratch, &removal->count, error);
	if (result != OK || removal->count > 0)
		return result;
	return remove_covers(db, removal->id, &scratch, &removal->count, error);
}

enum result removal_monitor_some(struct db *db, int64_t id, bool *is_done, struct error *error)
{
	struct monitor_removal removal = { .id = id };
	enum result result = db_transact(db, DB_WRITE, remove_some, &removal, error);
	if (result != OK || removal.count > 0)
		return result;
	int64_t deleted;
	result = monitor_gaps_delete(db, id, REMOVAL_ROWS_MAX, &deleted, error);
	if (result != OK || deleted > 0)
		return result;
	result = check_sums_delete(db, &(struct id_list){ &id, 1 }, &deleted, error);
	if (result != OK)
		return result;
	*is_done = true;
	result = monitor_remove(db, id, error);
	/* E_NOT_FOUND: another process has deleted the monitor. */
	return result == E_NOT_FOUND ? OK : result;
}
