#include "store/removal.h"

#include "domain/incident.h"
#include "store/monitor.h"

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
	{ OF_PARENTS("status_pages", "status_pages", "id", "id"), .goes_back = 3,
	  .ends_pages = true },
	{ OF_ACCOUNT("incident_sources", "source") },
	{ OF_ACCOUNT("events", "at, id") },
	{ OF_ACCOUNT("incident_events", "incident_id, id") },
	{ OF_ACCOUNT("incidents", "started_at, id") },
	{ OF_ACCOUNT("incident_counts", "status, total") },
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
	sql_start(&sql, SQL("DELETE FROM incidents WHERE id IN ("));
	sql_list_ints(&sql, ids, found.count, arena);
	sql_add(&sql, SQL(")"));
	result = db_write(db, &sql, NULL, error);
	*count = (int64_t)found.count;
	return result == OK ? uncount(db, monitor_id, counts, error) : result;
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
	return removal_incidents_some(db, removal->id, &scratch, &removal->count, error);
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
