#include "store/check/check_find.h"

enum result check_find(struct db *db, const char *text, struct arena *arena,
		       struct check_found_list *list, struct error *error)
{
	static const struct field members[] = { FIELD(struct check_found, id),
						FIELD(struct check_found, account_id),
						FIELD(struct check_found, name) };
	int64_t id = 0;
	struct sql_build sql;
	if (!str_to_int64(str_from(text), &id))
		id = 0;
	sql_start(&sql, SQL("SELECT m.id, m.account_id, m.name FROM monitors m "
			    "JOIN monitor_checks k ON k.monitor_id = m.id "
			    "WHERE (m.id = ?"));
	sql_add(&sql, id);
	sql_add(&sql, SQL(" OR m.label = ?"), text);
	sql_add(&sql, SQL(" OR m.name = ?"), text);
	sql_add(&sql, SQL(") AND m.retired_at IS NULL ORDER BY m.id LIMIT 20"));
	return db_read_into(db, &sql, FIELDS(members), DB_INTO(list, CHECK_FOUND_MAX), arena,
			    error);
}
