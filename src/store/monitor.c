#include "store/monitor.h"

#include "store/publication.h"
#include "store/usage.h"

#define ROW(member) FIELD(struct monitor, member)
static const struct field rows[] = {
	ROW(id),	 ROW(account_id),   ROW(name),	     ROW(url),
	ROW(label),	 ROW(status_pages), ROW(incidents),  ROW(known_since),
	ROW(retired_at), ROW(created_at),   ROW(updated_at),
};
const struct fields monitor_fields = { rows, ARRAY_LEN(rows) };

#define MONITOR_SELECT \
	"SELECT m.id, m.account_id, m.name, m.url, m.label, " \
	"(SELECT COUNT(*) FROM status_page_monitors s WHERE s.monitor_id = m.id) " \
	"AS status_pages, " \
	"(SELECT COALESCE(SUM(c.total), 0) FROM incident_counts c WHERE c.monitor_id = m.id) " \
	"AS incidents, m.known_since, m.retired_at, m.created_at, m.updated_at FROM monitors m "

enum result monitor_add(struct db *db, struct monitor *monitor, int64_t most, struct error *error)
{
	struct sql_build sql;
	struct db_done done;
	enum result result = usage_check_monitors(db, monitor->account_id, most, error);
	if (result != OK)
		return result;
	sql_start(&sql, SQL("INSERT INTO monitors (account_id, name, url, known_since, created_at, "
			    "updated_at) VALUES (?, ?, ?, ?, ?, ?)"));
	sql_int(&sql, monitor->account_id);
	sql_text(&sql, monitor->name);
	sql_text(&sql, monitor->url);
	sql_time(&sql, monitor->known_since);
	sql_time(&sql, monitor->created_at);
	sql_time(&sql, monitor->updated_at);
	result = db_write(db, &sql, &done, error);
	if (result == OK)
		monitor->id = done.id;
	return result;
}

enum result monitor_list(struct db *db, int64_t account_id, int64_t after_id, struct arena *arena,
			 struct monitor_list *list, struct error *error)
{
	struct sql_build sql;
	struct db_list found;
	sql_start(&sql, SQL(MONITOR_SELECT "JOIN accounts a ON a.id = m.account_id "
					   "AND a.removed_at IS NULL WHERE m.id > ? "));
	sql_int(&sql, after_id);
	if (account_id > 0) {
		sql_add(&sql, SQL("AND m.account_id = ? "));
		sql_int(&sql, account_id);
	}
	sql_add(&sql, SQL("ORDER BY m.id LIMIT 1000"));
	enum result result = db_read_list(db, &sql, DB_SHAPE(monitor_fields, struct monitor, 1000),
					  arena, &found, error);
	*list = (struct monitor_list){ found.rows, found.count };
	return result;
}

enum result monitor_find(struct db *db, int64_t id, struct arena *arena, struct monitor *monitor,
			 struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL(MONITOR_SELECT "WHERE m.id = ? ORDER BY m.id LIMIT 1"));
	sql_int(&sql, id);
	return db_read_one(db, &sql, monitor_fields, monitor, arena, error);
}

enum result monitor_rename(struct db *db, int64_t id, const char *name, struct instant now,
			   struct error *error)
{
	struct sql_build sql;
	struct db_done done;
	sql_start(&sql, SQL("UPDATE monitors SET name = ?, updated_at = ? WHERE id = ?"));
	sql_text(&sql, name);
	sql_time(&sql, now);
	sql_int(&sql, id);
	enum result result = db_write(db, &sql, &done, error);
	if (result == OK && done.rows == 0)
		result = E_NOT_FOUND;
	const struct publication_change change = { .monitor_id = id, .now = now };
	return result == OK ? publication_mark_dirty(db, &change, error) : result;
}

enum result monitor_set_label(struct db *db, int64_t id, const char *label, struct instant now,
			      struct error *error)
{
	struct sql_build sql;
	struct db_done done;
	sql_start(&sql, SQL("UPDATE monitors SET label = ?, updated_at = ? WHERE id = ?"));
	sql_text(&sql, label);
	sql_time(&sql, now);
	sql_int(&sql, id);
	enum result result = db_write(db, &sql, &done, error);
	return result == OK && done.rows == 0 ? E_NOT_FOUND : result;
}

enum result monitor_lock(struct db *db, int64_t account_id, int64_t id, struct arena *arena,
			 struct monitor *monitor, struct error *error)
{
	static const struct field lock_rows[] = { ROW(id), ROW(account_id), ROW(name), ROW(label),
						  ROW(retired_at) };
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT id, account_id, name, label, retired_at FROM monitors "
			    "WHERE id = ? "));
	sql_int(&sql, id);
	if (account_id > 0) {
		sql_add(&sql, SQL("AND account_id = ? "));
		sql_int(&sql, account_id);
	}
	sql_add(&sql, SQL("ORDER BY id LIMIT 1 FOR UPDATE"));
	return db_read_one(db, &sql, FIELDS(lock_rows), monitor, arena, error);
}

enum result monitor_retire(struct db *db, int64_t id, struct instant now, struct error *error)
{
	struct sql_build sql;
	struct db_done done;
	sql_start(&sql,
		  SQL("UPDATE monitors SET retired_at = COALESCE(retired_at, ?), label = NULL, "
		      "updated_at = ? WHERE id = ?"));
	sql_time(&sql, now);
	sql_time(&sql, now);
	sql_int(&sql, id);
	enum result result = db_write(db, &sql, &done, error);
	if (result == OK && done.rows == 0)
		return E_NOT_FOUND;
	const struct publication_change change = { .monitor_id = id,
						   .is_shown_by_api = true,
						   .now = now };
	return result == OK ? publication_mark_dirty(db, &change, error) : result;
}

enum result monitor_detach(struct db *db, int64_t id, struct instant now, struct error *error)
{
	struct sql_build sql;
	struct db_done done;
	const struct publication_change change = { .monitor_id = id,
						   .is_shown_by_api = true,
						   .now = now };
	enum result result = publication_mark_dirty(db, &change, error);
	if (result != OK)
		return result;
	sql_start(&sql, SQL("UPDATE monitors SET retired_at = COALESCE(retired_at, ?), "
			    "label = NULL WHERE id = ?"));
	sql_time(&sql, now);
	sql_int(&sql, id);
	result = db_write(db, &sql, &done, error);
	if (result == OK && done.rows == 0)
		return E_NOT_FOUND;
	sql_start(&sql, SQL("DELETE FROM status_page_monitors WHERE monitor_id = ?"));
	sql_int(&sql, id);
	return result == OK ? db_write(db, &sql, NULL, error) : result;
}

enum result monitor_remove(struct db *db, int64_t id, struct error *error)
{
	struct sql_build sql;
	struct db_done done;
	sql_start(&sql, SQL("DELETE FROM monitors WHERE id = ?"));
	sql_int(&sql, id);
	enum result result = db_write(db, &sql, &done, error);
	return result == OK && done.rows == 0 ? E_NOT_FOUND : result;
}
