#include "store/account/usage.h"

#include "domain/maintenance/maintenance.h"

/* Adds the rows of account_usage that the account lacks. Sets *count to their number. */
static enum result add_rows(struct db *db, int64_t account_id, int64_t *count, struct error *error)
{
	static const char *const quotas[] = { "status_pages", "monitors",	   "incidents",
					      "uploads",      "responses",	   "keys",
					      "maintenances", "incident_templates" };
	struct sql_build sql;
	struct db_done done = { 0 };
	sql_start(&sql, SQL("INSERT IGNORE INTO account_usage (account_id, quota) VALUES (?, ?)"));
	for (size_t i = 0; i < ARRAY_LEN(quotas); i++) {
		if (i > 0)
			sql_add(&sql, SQL(", (?, ?)"));
		sql_add(&sql, account_id, quotas[i]);
	}
	enum result result = db_write(db, &sql, &done, error);
	*count = done.rows;
	return result;
}

enum result usage_start(struct db *db, int64_t account_id, struct error *error)
{
	int64_t count;
	return add_rows(db, account_id, &count, error);
}

enum result usage_check(struct db *db, const struct sql_build *sql, int64_t account_id,
			struct error *error)
{
	struct db_done done = { 0 };
	int64_t added = 0;
	enum result result = db_write(db, sql, &done, error);
	if (result != OK || done.rows > 0)
		return result;
	/* An older daymarkctl may have added the account without these rows. */
	result = add_rows(db, account_id, &added, error);
	if (result == OK && added > 0)
		result = db_write(db, sql, &done, error);
	return result == OK && done.rows == 0 ? E_QUOTA_EXCEEDED : result;
}

/* Subqueries that count the rows for quotas of the account u.account_id. */
#define VALID_KEYS \
	"SELECT COUNT(*) FROM api_keys k FORCE INDEX (api_keys_account) " \
	"WHERE k.account_id = u.account_id AND k.revoked_at IS NULL " \
	"AND (k.expires_at IS NULL OR k.expires_at > ?)"
#define LATE_WINDOWS \
	"SELECT COUNT(*) FROM maintenances m FORCE INDEX (maintenances_over) " \
	"WHERE m.account_id = u.account_id AND m.over_at > ? AND m.deleted_at IS NULL"
#define TEMPLATES \
	"SELECT COUNT(*) FROM incident_templates t FORCE INDEX (incident_templates_name) " \
	"WHERE t.account_id = u.account_id"

enum result usage_count(struct db *db, int64_t account_id, struct instant now,
			struct usage_counts *counts, struct error *error)
{
	static const struct field count_rows[] = { FIELD(struct usage_counts, valid_keys),
						   FIELD(struct usage_counts, maintenances),
						   FIELD(struct usage_counts, templates) };
	struct sql_build sql;
	*counts = (struct usage_counts){ 0 };
	sql_start(&sql, SQL("SELECT (" VALID_KEYS ") AS valid_keys, (" LATE_WINDOWS
			    ") AS maintenances, (" TEMPLATES
			    ") AS templates FROM (SELECT CAST(? AS SIGNED) AS account_id) u"));
	sql_add(&sql, now, (struct instant){ now.s - MAINTENANCE_PAST_MAX_S }, account_id);
	return db_read_one(db, &sql, FIELDS(count_rows), counts, NULL, error);
}

/* A quota of rows. The statement counts the account's rows in an index, which it forces, because
 * other writes do not lock this index. If the table is small, the optimiser would otherwise read
 * and lock the rows themselves. */
struct row_quota {
	struct sql statement;
	const char *rows; /* what the rows are, for the client */
};

#define ROW_QUOTA(its_name, its_count, its_rows) \
	{ \
		.statement = { "UPDATE account_usage u SET u.used_today = u.used_today " \
			       "WHERE u.account_id = ? AND u.quota = '" its_name "' " \
			       "AND (" its_count ") < ?" }, \
		.rows = (its_rows) \
	}

/* Checks a quota of rows. `since` is the argument of the subquery that counts the rows; NULL: the
 * subquery has no argument. */
static enum result check_rows(struct db *db, const struct row_quota *quota, int64_t account_id,
			      const struct instant *since, int64_t most, struct error *error)
{
	struct sql_build sql;
	if (most == 0)
		return OK;
	sql_start(&sql, quota->statement, account_id);
	if (since)
		sql_add(&sql, *since);
	sql_add(&sql, most);
	enum result result = usage_check(db, &sql, account_id, error);
	return result == E_QUOTA_EXCEEDED
		       ? error_client(error, result, "The account may have at most %lld %s.",
				      (long long)most, quota->rows)
		       : result;
}

enum result usage_check_pages(struct db *db, int64_t account_id, int64_t most, struct error *error)
{
	static const struct row_quota quota = ROW_QUOTA(
		"status_pages",
		"SELECT COUNT(*) FROM status_pages p FORCE INDEX (status_pages_account_id) "
		"WHERE p.account_id = u.account_id",
		"status pages");
	return check_rows(db, &quota, account_id, NULL, most, error);
}

enum result usage_check_monitors(struct db *db, int64_t account_id, int64_t most,
				 struct error *error)
{
	static const struct row_quota quota =
		ROW_QUOTA("monitors",
			  "SELECT COUNT(*) FROM monitors m FORCE INDEX (monitors_account) "
			  "WHERE m.account_id = u.account_id",
			  "monitors");
	return check_rows(db, &quota, account_id, NULL, most, error);
}

enum result usage_check_keys(struct db *db, int64_t account_id, int64_t most, struct instant now,
			     struct error *error)
{
	static const struct row_quota quota = ROW_QUOTA("keys", VALID_KEYS, "valid keys");
	return check_rows(db, &quota, account_id, &now, most, error);
}

enum result usage_check_maintenances(struct db *db, int64_t account_id, int64_t most,
				     struct instant since, struct error *error)
{
	static const struct row_quota quota =
		ROW_QUOTA("maintenances", LATE_WINDOWS, "maintenance windows in 366 days");
	return check_rows(db, &quota, account_id, &since, most, error);
}

enum result usage_check_templates(struct db *db, int64_t account_id, int64_t most,
				  struct error *error)
{
	static const struct row_quota quota =
		ROW_QUOTA("incident_templates", TEMPLATES, "incident templates");
	return check_rows(db, &quota, account_id, NULL, most, error);
}

enum result usage_lock_keys(struct db *db, int64_t account_id, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("UPDATE account_usage SET used_today = used_today "
			    "WHERE account_id = ? AND quota = 'keys'"));
	sql_add(&sql, account_id);
	return usage_check(db, &sql, account_id, error);
}

enum result usage_check_uploads(struct db *db, const struct status_page *page,
				const struct usage_upload *upload, int64_t most_bytes,
				struct error *error)
{
	struct sql_build sql;
	size_t bytes = 0;
	for (size_t i = 0; i < upload->count; i++)
		bytes += upload->files[i].len;
	/* Removing files is always allowed. */
	if (most_bytes == 0 || bytes == 0)
		return OK;
	sql_start(&sql, SQL("UPDATE account_usage u SET u.used_today = u.used_today "
			    "WHERE u.account_id = ? AND u.quota = 'uploads' "
			    "AND (SELECT COALESCE(SUM(f.size), 0) FROM status_pages p "
			    "FORCE INDEX (status_pages_account_id) "
			    "STRAIGHT_JOIN status_page_files f ON f.status_page_id = p.id "
			    "WHERE p.account_id = u.account_id "
			    "AND NOT (p.id = ? AND f.kind IN (?, ?, ?, ?))) <= ?"));
	sql_add(&sql, page->account_id, page->id);
	/* The statement has STATUS_PAGE_PICTURES placeholders. If fewer files are sent, repeat the
	 * kind of the last file. */
	for (size_t i = 0; i < STATUS_PAGE_PICTURES; i++)
		sql_add(&sql, upload->files[i < upload->count ? i : upload->count - 1].kind);
	sql_add(&sql, most_bytes - (int64_t)bytes);
	enum result result = usage_check(db, &sql, page->account_id, error);
	return result == E_QUOTA_EXCEEDED
		       ? error_client(error, E_QUOTA_EXCEEDED,
				      "The account's uploads may have at most %lld MB in all.",
				      (long long)(most_bytes >> 20))
		       : result;
}

enum result usage_count_incidents(struct db *db, int64_t account_id, int64_t count, int64_t most,
				  struct error *error)
{
	struct sql_build sql;
	if (most == 0 || count == 0)
		return OK;
	sql_start(&sql, SQL("UPDATE account_usage u "
			    "SET u.used_today = " USAGE_TODAY " + " USAGE_SO_FAR " + ? "
			    "WHERE u.account_id = ? AND u.quota = 'incidents' "
			    "AND " USAGE_SO_FAR " + ? <= ?"));
	sql_add(&sql, count, account_id, count, most);
	enum result result = usage_check(db, &sql, account_id, error);
	return result == E_QUOTA_EXCEEDED
		       ? error_client(error, E_QUOTA_EXCEEDED,
				      "The account may open at most %lld incidents a day.",
				      (long long)most)
		       : result;
}
