#include "store/account/account.h"

#include "store/account/usage.h"
#include "store/columns.h"

/* clang-format off */
static const struct field inserted_rows[] = {
	ACCOUNT_FIELDS(COLUMN_INSERT_ROW, struct account, 0)
};
static const struct field read_rows[] = {
	ACCOUNT_FIELDS(COLUMN_READ_ROW, struct account, 0)
	FIELD(struct account, key_count), FIELD(struct account, monitor_count),
	FIELD(struct account, status_page_count), FIELD(struct account, upload_bytes),
	FIELD(struct account, incidents_today), FIELD(struct account, response_bytes_today),
	FIELD(struct account, id),
};
#define INSERTED ACCOUNT_FIELDS(COLUMN_INSERT, , 0)
#define MARKS	 ACCOUNT_FIELDS(COLUMN_MARK, , 0)
#define COLUMNS	 ACCOUNT_FIELDS(COLUMN_READ, "a.", 0)

#define COUNT_OF(its_table, its_name) \
	"(SELECT COUNT(*) FROM " its_table " c WHERE c.account_id = a.id) AS " its_name ", "
#define USED_TODAY(its_quota, its_name) \
	"COALESCE((SELECT " USAGE_SO_FAR " FROM account_usage u " \
	"WHERE u.account_id = a.id AND u.quota = '" its_quota "'), 0) AS " its_name ", "

#define ACCOUNT_SELECT \
	"SELECT " COLUMNS COUNT_OF("api_keys", "key_count") COUNT_OF("monitors", "monitor_count") \
	COUNT_OF("status_pages", "status_page_count") \
	"(SELECT COALESCE(SUM(f.size), 0) FROM status_pages p JOIN status_page_files f " \
	"ON f.status_page_id = p.id WHERE p.account_id = a.id) AS upload_bytes, " \
	USED_TODAY("incidents", "incidents_today") \
	USED_TODAY("responses", "response_bytes_today") "a.id FROM accounts a "
/* clang-format on */

enum result account_add(struct db *db, struct account *account, struct error *error)
{
	struct sql_build sql;
	struct db_done done;
	sql_start(&sql, SQL("INSERT INTO accounts (" INSERTED "id) VALUES (" MARKS "NULL)"));
	columns_bind(&sql, FIELDS(inserted_rows), account);
	enum result result = db_write(db, &sql, &done, error);
	if (result != OK)
		return result;
	account->id = done.id;
	return usage_start(db, done.id, error);
}

enum result account_set_factor(struct db *db, const struct account *account, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("UPDATE accounts SET needs_second_factor = ? WHERE id = ?"),
		  account->needs_second_factor, account->id);
	return db_write(db, &sql, NULL, error);
}

enum result account_list(struct db *db, int64_t after_id, struct arena *arena,
			 struct account_list *list, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL(ACCOUNT_SELECT
			    "WHERE a.id > ? AND a.removed_at IS NULL ORDER BY a.id LIMIT 1000"));
	sql_add(&sql, after_id);
	return db_read_into(db, &sql, FIELDS(read_rows), DB_INTO(list, 1000), arena, error);
}

/* Appends the condition for an account: by id if `who` is a number, otherwise by name. */
static void add_who(struct sql_build *sql, const char *who)
{
	int64_t id;
	if (str_to_int64(str_from(who), &id)) {
		sql_add(sql, SQL("AND a.id = ? ORDER BY a.id LIMIT 1"), id);
	} else {
		sql_add(sql, SQL("AND a.name = ? ORDER BY a.id LIMIT 1"), who);
	}
}

enum result account_find(struct db *db, const char *who, struct arena *arena,
			 struct account *account, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL(ACCOUNT_SELECT "WHERE a.removed_at IS NULL "));
	add_who(&sql, who);
	return db_read_one(db, &sql, FIELDS(read_rows), account, arena, error);
}

enum result account_find_removed(struct db *db, const char *who, struct arena *arena,
				 struct account *account, struct error *error)
{
	static const struct field removed_rows[] = { FIELD(struct account, id),
						     FIELD(struct account, name) };
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT a.id, a.name FROM accounts a WHERE a.removed_at IS NOT NULL "));
	add_who(&sql, who);
	*account = (struct account){ 0 };
	return db_read_one(db, &sql, FIELDS(removed_rows), account, arena, error);
}
