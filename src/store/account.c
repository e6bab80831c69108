#include "store/account.h"

#include "store/usage.h"

#define ROW(member) FIELD(struct account, member)
static const struct field rows[] = {
	ROW(id),
	ROW(name),
	ROW(keys),
	ROW(monitors),
	ROW(status_pages),
	ROW(upload_bytes),
	ROW(incidents_today),
	ROW(response_bytes_today),
	ROW(created_at),
};
const struct fields account_fields = { rows, ARRAY_LEN(rows) };

#define USED_TODAY(its_quota) \
	"COALESCE((SELECT " USAGE_SO_FAR " " \
	"FROM account_usage u WHERE u.account_id = a.id AND u.quota = '" its_quota "'), 0)"

#define ACCOUNT_SELECT \
	"SELECT a.id, a.name, " \
	"(SELECT COUNT(*) FROM api_keys k WHERE k.account_id = a.id) AS `keys`, " \
	"(SELECT COUNT(*) FROM monitors m WHERE m.account_id = a.id) AS monitors, " \
	"(SELECT COUNT(*) FROM status_pages p WHERE p.account_id = a.id) AS status_pages, " \
	"(SELECT COALESCE(SUM(f.size), 0) FROM status_pages p JOIN status_page_files f " \
	"ON f.status_page_id = p.id WHERE p.account_id = a.id) AS upload_bytes, " USED_TODAY( \
		"incidents") " AS incidents_today, " USED_TODAY("responses") " AS " \
									     "response_bytes_" \
									     "today, " \
									     "a.created_at FROM " \
									     "accounts a "

enum result account_add(struct db *db, const char *name, struct instant now, int64_t *id,
			struct error *error)
{
	struct sql_build sql;
	struct db_done done;
	sql_start(&sql, SQL("INSERT INTO accounts (name, created_at) VALUES (?, ?)"));
	sql_text(&sql, name);
	sql_time(&sql, now);
	enum result result = db_write(db, &sql, &done, error);
	if (result != OK)
		return result;
	*id = done.id;
	return usage_start(db, done.id, error);
}

enum result account_list(struct db *db, int64_t after_id, struct arena *arena,
			 struct account_list *list, struct error *error)
{
	struct sql_build sql;
	struct db_list found;
	sql_start(&sql, SQL(ACCOUNT_SELECT
			    "WHERE a.id > ? AND a.removed_at IS NULL ORDER BY a.id LIMIT 1000"));
	sql_int(&sql, after_id);
	enum result result = db_read_list(db, &sql, DB_SHAPE(account_fields, struct account, 1000),
					  arena, &found, error);
	*list = (struct account_list){ found.rows, found.count };
	return result;
}

enum result account_find(struct db *db, const char *who, struct arena *arena,
			 struct account *account, struct error *error)
{
	struct sql_build sql;
	int64_t id;
	if (str_to_int64(str_from(who), &id)) {
		sql_start(&sql,
			  SQL(ACCOUNT_SELECT
			      "WHERE a.id = ? AND a.removed_at IS NULL ORDER BY a.id LIMIT 1"));
		sql_int(&sql, id);
	} else {
		sql_start(&sql,
			  SQL(ACCOUNT_SELECT
			      "WHERE a.name = ? AND a.removed_at IS NULL ORDER BY a.id LIMIT 1"));
		sql_text(&sql, who);
	}
	return db_read_one(db, &sql, account_fields, account, arena, error);
}
