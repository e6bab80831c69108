#include "store/incident/observation.h"

#include <string.h>

enum result monitor_record_lock(struct db *db, const struct observation *observation,
				struct arena *arena, struct monitor_record *record,
				struct error *error)
{
	static const struct field rows[] = { FIELD(struct monitor_record, last_up_at),
					     FIELD(struct monitor_record, known_since),
					     FIELD(struct monitor_record, now),
					     FIELD(struct monitor_record, open_id),
					     FIELD(struct monitor_record, is_on_no_page) };
	struct sql_build sql;
	/* SYSDATE() is read once the lock is had; NOW() is when the statement began to wait. The
	 * subqueries are run then, too, and lock nothing: a gap in incidents_one_open would keep
	 * the incidents of other monitors waiting. */
	sql_start(&sql, SQL("SELECT m.last_up_at, m.known_since, SYSDATE() AS now, "
			    "(SELECT i.id FROM incidents i WHERE i.open_monitor_id = m.id) "
			    "AS open_id, NOT EXISTS (SELECT 1 FROM status_page_monitors s "
			    "WHERE s.monitor_id = m.id) AS is_on_no_page FROM monitors m "
			    "WHERE m.id = ? AND m.account_id = ? AND m.retired_at IS NULL "
			    "ORDER BY m.id LIMIT 1 FOR UPDATE"));
	sql_int(&sql, observation->monitor_id);
	sql_int(&sql, observation->account_id);
	return db_read_one(db, &sql, FIELDS(rows), record, arena, error);
}

enum result monitor_record_up(struct db *db, const struct observation *observation,
			      struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("UPDATE monitors SET last_up_at = ? WHERE id = ?"));
	sql_time(&sql, observation->at);
	sql_int(&sql, observation->monitor_id);
	return db_write(db, &sql, NULL, error);
}

/* The ids among the keys: "7". */
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
	struct db_list found;
	/* By id and by label apart, so that either is a look-up in an index. */
	sql_start(&sql, SQL("SELECT m.label AS `key`, m.id AS monitor_id FROM monitors m "
			    "WHERE m.account_id = ? AND m.label IN ("));
	sql_int(&sql, account_id);
	sql_list_texts(&sql, keys, count, arena);
	sql_add(&sql, SQL(") AND m.retired_at IS NULL "
			  "UNION "
			  "SELECT CAST(m.id AS CHAR(20) CHARACTER SET utf8mb4), m.id "
			  "FROM monitors m WHERE m.account_id = ? AND m.id IN ("));
	sql_int(&sql, account_id);
	sql_list_ints(&sql, ids, ids_count, arena);
	sql_add(&sql, SQL(") AND m.retired_at IS NULL ORDER BY 1, 2 LIMIT 20000"));
	enum result result = db_read_list(db, &sql,
					  DB_SHAPE(FIELDS(match_rows), struct monitor_match, 20000),
					  arena, &found, error);
	*list = (struct monitor_match_list){ found.rows, found.count };
	return result;
}
