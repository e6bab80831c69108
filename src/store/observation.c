#include "store/observation.h"

enum result monitor_record_lock(struct db *db, const struct observation *observation,
				struct arena *arena, struct monitor_record *record,
				struct error *error)
{
	static const struct field rows[] = { FIELD(struct monitor_record, last_up_at),
					     FIELD(struct monitor_record, known_since),
					     FIELD(struct monitor_record, now) };
	struct sql_build sql;
	/* SYSDATE() is read once the lock is had; NOW() is when the statement began to wait. */
	sql_start(&sql, SQL("SELECT last_up_at, known_since, SYSDATE() AS now FROM monitors "
			    "WHERE id = ? AND account_id = ? AND retired_at IS NULL ORDER BY id "
			    "LIMIT 1 FOR UPDATE"));
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

enum result monitor_match(struct db *db, int64_t account_id, const char *json, struct arena *arena,
			  struct monitor_match_list *list, struct error *error)
{
	static const struct field match_rows[] = { FIELD(struct monitor_match, key),
						   FIELD(struct monitor_match, monitor_id) };
	struct sql_build sql;
	struct db_list found;
	/* By id and by label apart, so that either is a look-up in an index. */
	sql_start(&sql, SQL("SELECT wanted.its_key AS `key`, m.id AS monitor_id "
			    "FROM JSON_TABLE(?, '$[*]' COLUMNS (its_key VARCHAR(255) "
			    "CHARACTER SET utf8mb4 COLLATE utf8mb4_bin PATH '$')) wanted "
			    "JOIN monitors m ON m.account_id = ? AND m.label = wanted.its_key "
			    "AND m.retired_at IS NULL "
			    "UNION "
			    "SELECT wanted.its_key, m.id "
			    "FROM JSON_TABLE(?, '$[*]' COLUMNS (its_key VARCHAR(255) "
			    "CHARACTER SET utf8mb4 COLLATE utf8mb4_bin PATH '$')) wanted "
			    "JOIN monitors m ON wanted.its_key REGEXP '^[1-9][0-9]{0,17}$' "
			    "AND m.id = CAST(wanted.its_key AS UNSIGNED) AND m.account_id = ? "
			    "AND m.retired_at IS NULL "
			    "ORDER BY 1, 2 LIMIT 20000"));
	sql_text(&sql, json);
	sql_int(&sql, account_id);
	sql_text(&sql, json);
	sql_int(&sql, account_id);
	enum result result = db_read_list(db, &sql,
					  DB_SHAPE(FIELDS(match_rows), struct monitor_match, 20000),
					  arena, &found, error);
	*list = (struct monitor_match_list){ found.rows, found.count };
	return result;
}
