#include "store/account/removal.h"

#include "domain/incident.h"
#include "store/monitor/monitor.h"

enum {
	PARENTS = 64,	 /* pages or monitors at a time */
	HEAVY_ROWS = 50, /* of tables whose rows may have a megabyte */
	SCRATCH_MAX_BYTES = 4 << 20,
	INCIDENT_STATUSES = INCIDENT_RESOLVED + 1,
};

/*
 * A DELETE in the order of an index, so that the rows of other accounts are neither read nor
 * locked, except in small tables, which the database prefers to scan. Without `ids` its arguments
 * are the account and a limit; with `ids`, the list of parents (pages or monitors of the account)
 * stands between `statement` and `tail`.
 */
struct removal_step {
	struct sql ids;
	struct sql statement;
	struct sql tail;
	int64_t most;	  /* rows in a transaction; 0: REMOVAL_ROWS_MAX */
	size_t goes_back; /* of parents: the steps of their children, which come first again */
	bool ends_pages;
};

#define OF_ACCOUNT(its_table, its_order) \
	.statement = { "DELETE FROM " its_table " WHERE account_id = ? " \
		       "ORDER BY " its_order " LIMIT ?" }
#define OF_PARENTS(its_parents, its_table, its_column, its_order) \
	.ids = { "SELECT id FROM " its_parents " WHERE account_id = ? ORDER BY id LIMIT ?" }, \
	.statement = { "DELETE FROM " its_table " WHERE " its_column " IN (" }, \
	.tail = { ") ORDER BY " its_order " LIMIT ?" }

/*
 * Children before their parents, so that no foreign key has anything to cascade to. Pages come
 * first, because visitors see them. A new table of an account needs a row here.
 */
static const struct removal_step steps[] = {
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
	{ OF_ACCOUNT("event_counts", "object_id, what, span, start") },
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
	{ OF_PARENTS("monitors", "incident_months", "monitor_id", "monitor_id, month") },
	{ OF_PARENTS("monitors", "monitors", "id", "id"), .goes_back = 1 },
	{ OF_ACCOUNT("incident_imports", "file_hash") },
	{ OF_ACCOUNT("idempotency_keys", "key_hash"), .most = HEAVY_ROWS },
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
	struct db_done done;
	sql_start(&sql,
		  SQL("UPDATE accounts SET removed_at = COALESCE(removed_at, ?) WHERE id = ?"));
	sql_time(&sql, now);
	sql_int(&sql, account_id);
	enum result result = db_write(db, &sql, &done, error);
	return result == OK && done.rows == 0 ? E_NOT_FOUND : result;
}

enum result removal_next(struct db *db, int64_t after_id, struct arena *arena, int64_t *account_id,
			 struct error *error)
{
	struct marked marked = { 0 };
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT id FROM accounts WHERE removed_at IS NOT NULL AND id > ? "
			    "ORDER BY id LIMIT 1"));
	sql_int(&sql, after_id);
	enum result result = db_read_one(db, &sql, FIELDS(marked_rows), &marked, arena, error);
	*account_id = marked.id;
	return result;
}

static enum result list_ids(struct db *db, const struct sql_build *sql, struct arena *arena,
			    int64_t **ids, size_t *count, struct error *error)
{
	struct db_list found;
	enum result result = db_read_list(
		db, sql, DB_SHAPE(FIELDS(marked_rows), struct marked, REMOVAL_ROWS_MAX), arena,
		&found, error);
	const struct marked *rows = found.rows;
	*ids = ARENA_ARRAY(arena, found.count, int64_t);
	*count = found.count;
	for (size_t i = 0; i < found.count; i++)
		(*ids)[i] = rows[i].id;
	return result;
}

struct stepping {
	const struct removal_step *step;
	int64_t account_id;
	int64_t rows; /* deleted */
};

/* Runs the step once, in a transaction. */
static enum result run_step(struct db *db, void *context, struct error *error)
{
	struct stepping *stepping = context;
	const struct removal_step *step = stepping->step;
	struct arena scratch CLEANUP(arena_done);
	struct sql_build sql;
	struct db_done done = { 0 };
	int64_t *ids = NULL;
	size_t count = 0;
	enum result result = OK;
	arena_init(&scratch, SCRATCH_MAX_BYTES);
	stepping->rows = 0;
	if (step->ids.text) {
		sql_start(&sql, step->ids);
		sql_int(&sql, stepping->account_id);
		sql_int(&sql, PARENTS);
		result = list_ids(db, &sql, &scratch, &ids, &count, error);
		if (result != OK || count == 0)
			return result;
	}
	sql_start(&sql, step->statement);
	if (step->ids.text) {
		sql_list_ints(&sql, ids, count, &scratch);
		sql_add(&sql, step->tail);
	} else {
		sql_int(&sql, stepping->account_id);
	}
	sql_int(&sql, step->most > 0 ? step->most : REMOVAL_ROWS_MAX);
	result = db_write(db, &sql, &done, error);
	stepping->rows = done.rows;
	return result;
}

static enum result delete_account(struct db *db, struct removal *removal, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("DELETE FROM accounts WHERE id = ? AND removed_at IS NOT NULL"));
	sql_int(&sql, removal->account_id);
	enum result result = db_write(db, &sql, NULL, error);
	removal->is_done = result == OK;
	return result;
}

enum result removal_account_some(struct db *db, struct removal *removal, struct error *error)
{
	while (removal->step < ARRAY_LEN(steps)) {
		const struct removal_step *step = &steps[removal->step];
		struct stepping stepping = { step, removal->account_id, 0 };
		enum result result = db_transact(db, DB_WRITE, run_step, &stepping, error);
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

static enum result uncount(struct db *db, int64_t monitor_id, const int64_t *counts,
			   struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("UPDATE incident_counts SET total = total - "
			    "CASE status WHEN 0 THEN ? WHEN 1 THEN ? ELSE ? END "
			    "WHERE monitor_id = ?"));
	for (int i = 0; i < INCIDENT_STATUSES; i++)
		sql_int(&sql, counts[i]);
	sql_int(&sql, monitor_id);
	return db_write(db, &sql, NULL, error);
}

static enum result delete_incidents(struct db *db, const struct id_list *list, struct arena *arena,
				    struct error *error)
{
	struct sql_build sql;
	if (list->count == 0)
		return OK;
	sql_start(&sql, SQL("DELETE FROM incident_updates WHERE incident_id IN ("));
	sql_list_ints(&sql, list->ids, list->count, arena);
	sql_add(&sql, SQL(")"));
	enum result result = db_write(db, &sql, NULL, error);
	if (result != OK)
		return result;
	sql_start(&sql, SQL("DELETE FROM incidents WHERE id IN ("));
	sql_list_ints(&sql, list->ids, list->count, arena);
	sql_add(&sql, SQL(")"));
	return db_write(db, &sql, NULL, error);
}

enum result removal_incidents_some(struct db *db, int64_t monitor_id, struct arena *arena,
				   int64_t *count, struct error *error)
{
	struct row {
		int64_t id;
		int64_t status;
	};
	static const struct field incident_rows[] = { FIELD(struct row, id),
						      FIELD(struct row, status) };
	int64_t *ids = ARENA_ARRAY(arena, REMOVAL_ROWS_MAX, int64_t);
	int64_t counts[INCIDENT_STATUSES] = { 0 };
	struct sql_build sql;
	struct db_list found;
	*count = 0;
	sql_start(&sql, SQL("SELECT id, status FROM incidents WHERE monitor_id = ? "
			    "ORDER BY started_at, id LIMIT ? FOR UPDATE"));
	sql_int(&sql, monitor_id);
	sql_int(&sql, REMOVAL_ROWS_MAX);
	enum result result = db_read_list(
		db, &sql, DB_SHAPE(FIELDS(incident_rows), struct row, REMOVAL_ROWS_MAX), arena,
		&found, error);
	if (result != OK || found.count == 0)
		return result;
	const struct row *rows = found.rows;
	for (size_t i = 0; i < found.count; i++) {
		ids[i] = rows[i].id;
		counts[rows[i].status]++;
	}
	const struct id_list list = { ids, found.count };
	result = delete_incidents(db, &list, arena, error);
	*count = (int64_t)found.count;
	return result == OK ? uncount(db, monitor_id, counts, error) : result;
}

/* A reported incident that covers the monitor. */
struct covering {
	int64_t id;
	bool has_others; /* it covers other monitors, too */
	bool has_pages;	 /* it names pages */
};

/* The ids of those that stay with other monitors, stay without any, or go. */
static struct id_list pick(const struct db_list *found, bool has_others, bool has_pages,
			   struct arena *arena)
{
	const struct covering *rows = found->rows;
	struct id_list list = { ARENA_ARRAY(arena, found->count, int64_t), 0 };
	for (size_t i = 0; i < found->count; i++)
		if (rows[i].has_others == has_others &&
		    (has_others || rows[i].has_pages == has_pages))
			list.ids[list.count++] = rows[i].id;
	return list;
}

/* Takes the monitor from incidents that cover others: the first of these becomes their first. */
static enum result leave_others(struct db *db, int64_t monitor_id, const struct id_list *list,
				struct arena *arena, struct error *error)
{
	struct sql_build sql;
	if (list->count == 0)
		return OK;
	sql_start(&sql, SQL("DELETE FROM incident_monitors WHERE monitor_id = ? "
			    "AND incident_id IN ("));
	sql_int(&sql, monitor_id);
	sql_list_ints(&sql, list->ids, list->count, arena);
	sql_add(&sql, SQL(")"));
	enum result result = db_write(db, &sql, NULL, error);
	if (result != OK)
		return result;
	sql_start(&sql, SQL("UPDATE incidents i JOIN (SELECT o.incident_id, "
			    "MIN(o.position) AS first, MAX(o.impact) AS worst "
			    "FROM incident_monitors o WHERE o.incident_id IN ("));
	sql_list_ints(&sql, list->ids, list->count, arena);
	sql_add(&sql, SQL(") GROUP BY o.incident_id) rest ON rest.incident_id = i.id "
			  "JOIN incident_monitors x ON x.incident_id = i.id "
			  "AND x.position = rest.first SET x.position = 0, i.impact = rest.worst, "
			  "i.revision = i.revision + 1"));
	return db_write(db, &sql, NULL, error);
}

/* A notice keeps a row without a monitor. */
static enum result leave_none(struct db *db, int64_t monitor_id, const struct id_list *list,
			      struct arena *arena, struct error *error)
{
	struct sql_build sql;
	if (list->count == 0)
		return OK;
	sql_start(&sql, SQL("UPDATE incident_monitors x JOIN incidents i ON i.id = x.incident_id "
			    "SET x.monitor_id = NULL, i.revision = i.revision + 1 "
			    "WHERE x.monitor_id = ? AND x.incident_id IN ("));
	sql_int(&sql, monitor_id);
	sql_list_ints(&sql, list->ids, list->count, arena);
	sql_add(&sql, SQL(")"));
	return db_write(db, &sql, NULL, error);
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
	sql_int(&sql, monitor_id);
	enum result result = db_read_one(db, &sql, FIELDS(count_rows), &counted, arena, error);
	*count = counted.id;
	return result;
}

/* Counts the reported incidents of the monitor's account again. */
static enum result recount_reports(struct db *db, int64_t monitor_id, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("UPDATE report_counts c SET c.total = (SELECT COUNT(*) "
			    "FROM incident_monitors x WHERE x.account_id = c.account_id "
			    "AND x.position = 0 AND x.status = c.status) WHERE c.account_id = "
			    "(SELECT m.account_id FROM monitors m WHERE m.id = ?)"));
	sql_int(&sql, monitor_id);
	return db_write(db, &sql, NULL, error);
}

/* Takes the monitor from reported incidents; those that are then about nothing are deleted. */
static enum result remove_covers(struct db *db, int64_t monitor_id, struct arena *arena,
				 int64_t *count, struct error *error)
{
	static const struct field covering_rows[] = { FIELD(struct covering, id),
						      FIELD(struct covering, has_others),
						      FIELD(struct covering, has_pages) };
	struct sql_build sql;
	struct db_list found;
	sql_start(&sql, SQL("SELECT x.incident_id AS id, " COVERING
			    "ORDER BY x.incident_id LIMIT ? FOR UPDATE"));
	sql_int(&sql, monitor_id);
	sql_int(&sql, REMOVAL_ROWS_MAX);
	enum result result = db_read_list(
		db, &sql, DB_SHAPE(FIELDS(covering_rows), struct covering, REMOVAL_ROWS_MAX), arena,
		&found, error);
	*count = (int64_t)found.count;
	if (result != OK || found.count == 0)
		return result;
	const struct id_list shared = pick(&found, true, true, arena),
			     notices = pick(&found, false, true, arena),
			     gone = pick(&found, false, false, arena);
	result = leave_others(db, monitor_id, &shared, arena, error);
	if (result == OK)
		result = leave_none(db, monitor_id, &notices, arena, error);
	if (result != OK || gone.count == 0)
		return result;
	result = delete_incidents(db, &gone, arena, error);
	return result == OK ? recount_reports(db, monitor_id, error) : result;
}

struct monitor_removal {
	int64_t id;
	int64_t count; /* of incidents that were deleted */
};

static enum result remove_some(struct db *db, void *context, struct error *error)
{
	struct monitor_removal *removal = context;
	struct arena scratch CLEANUP(arena_done);
	arena_init(&scratch, SCRATCH_MAX_BYTES);
	enum result result =
		removal_incidents_some(db, removal->id, &scratch, &removal->count, error);
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
	*is_done = true;
	result = monitor_remove(db, id, error);
	/* Another process has deleted it. */
	return result == E_NOT_FOUND ? OK : result;
}
