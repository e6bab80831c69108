#include "store/monitor/monitor_match.h"

#include <string.h>

/* Collects the keys that are ids, such as "7". */
static size_t ids_of(const char *const *keys, size_t count, int64_t *ids)
{
	enum { ID_MAX_DIGITS = 18 };
	size_t found = 0;
	for (size_t i = 0; i < count; i++)
		if (keys[i][0] != '0' && strlen(keys[i]) <= ID_MAX_DIGITS &&
		    keys[i][strspn(keys[i], "0123456789")] == '\0' &&
		    str_to_int64(str_from(keys[i]), &ids[found]))
			found++;
	return found;
}

enum result monitor_match(struct db *db, int64_t account_id, const char *const *keys, size_t count,
			  struct arena *arena, struct monitor_match_list *list, struct error *error)
{
	static const struct field match_rows[] = { FIELD(struct monitor_match, key),
						   FIELD(struct monitor_match, monitor_id) };
	int64_t *ids = ARENA_ARRAY(arena, count, int64_t);
	size_t ids_count = ids_of(keys, count, ids);
	struct sql_build sql;
	/* Two SELECTs, so that each is a look-up in an index: by id, and by label. */
	sql_start(&sql, SQL("SELECT m.label AS `key`, m.id AS monitor_id FROM monitors m "
			    "WHERE m.account_id = ? AND m.label IN ("));
	sql_add(&sql, account_id);
	sql_list_texts(&sql, keys, count, arena);
	sql_add(&sql, SQL(") AND m.retired_at IS NULL "
			  "UNION "
			  "SELECT CAST(m.id AS CHAR(20) CHARACTER SET utf8mb4), m.id "
			  "FROM monitors m WHERE m.account_id = ? AND m.id IN ("));
	sql_add(&sql, account_id);
	sql_list_ints(&sql, ids, ids_count, arena);
	sql_add(&sql, SQL(") AND m.retired_at IS NULL ORDER BY 1, 2 LIMIT 20000"));
	return db_read_into(db, &sql, FIELDS(match_rows), DB_INTO(list, 20000), arena, error);
}
