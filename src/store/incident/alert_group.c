#include "store/incident/alert_group.h"

enum result alert_group_lock(struct alert_batch *batch, const char *source, int64_t *incident_id)
{
	static const struct field rows[] = { FIELD(struct alert_group_state, incident_id) };
	struct alert_group_state state = { 0 };
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT s.incident_id FROM incident_sources s WHERE s.account_id = ? "
			    "AND s.source = ? ORDER BY s.source LIMIT 1 FOR UPDATE"));
	sql_add(&sql, batch->account_id, source);
	enum result result =
		db_read_one(batch->db, &sql, FIELDS(rows), &state, batch->arena, batch->error);
	*incident_id = state.incident_id;
	return result == E_NOT_FOUND ? OK : result;
}

enum result alert_group_save(struct alert_batch *batch, const char *source, int64_t incident_id)
{
	struct sql_build sql;
	sql_start(&sql, SQL("INSERT INTO incident_sources (account_id, source, incident_id) "
			    "VALUES (?, ?, ?) ON DUPLICATE KEY UPDATE "
			    "incident_id = VALUES(incident_id), ended_at = NULL"));
	sql_add(&sql, batch->account_id, source, incident_id);
	return db_write(batch->db, &sql, NULL, batch->error);
}

enum result alert_group_join(struct alert_batch *batch, int64_t incident_id)
{
	const char **sources = ARENA_ARRAY(batch->arena, batch->count, const char *);
	enum result result = OK;
	size_t count = 0;
	for (size_t i = 0; i < batch->count; i++)
		if (batch->entries[i].is_new)
			sources[count++] = batch->entries[i].source->source;
	for (size_t from = 0, size; result == OK && from < count; from += size) {
		struct sql_build sql;
		size = sql_rows_chunk(&sql_list, count - from);
		arena_reset(batch->row);
		sql_start(&sql, SQL("UPDATE incident_sources SET group_incident_id = ? "
				    "WHERE account_id = ? AND source IN ("));
		sql_add(&sql, incident_id, batch->account_id);
		sql_list_texts(&sql, sources + from, size, batch->row);
		sql_add(&sql, SQL(")"));
		result = db_write(batch->db, &sql, NULL, batch->error);
	}
	return result;
}

enum result alert_group_count(struct alert_batch *batch, int64_t incident_id,
			      struct alert_group_state *state)
{
	static const struct field rows[] = { FIELD(struct alert_group_state, firing),
					     FIELD(struct alert_group_state, ended_at) };
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT COUNT(*) - COUNT(s.ended_at) AS firing, "
			    "MAX(s.ended_at) AS ended_at FROM incident_sources s "
			    "WHERE s.group_incident_id = ?"));
	sql_add(&sql, incident_id);
	return db_read_one(batch->db, &sql, FIELDS(rows), state, batch->arena, batch->error);
}

enum result alert_group_end(struct alert_batch *batch, const char *source, struct instant ended_at)
{
	struct sql_build sql;
	sql_start(&sql, SQL("UPDATE incident_sources SET ended_at = ? "
			    "WHERE account_id = ? AND source = ?"));
	sql_add(&sql, ended_at, batch->account_id, source);
	return db_write(batch->db, &sql, NULL, batch->error);
}
