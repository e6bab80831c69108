#include "store/check/monitor_series.h"

static const struct field rows[] = {
	FIELD(struct monitor_series, id),	   FIELD(struct monitor_series, name),
	FIELD(struct monitor_series, account),	   FIELD(struct monitor_series, phase),
	FIELD(struct monitor_series, response_ms), FIELD(struct monitor_series, tls_expires_at),
};

enum result monitor_series_read(struct db *db, struct arena *arena,
				struct monitor_series_list *list, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT m.id, m.name, a.name AS account, s.phase, s.response_ms, "
			    "s.tls_expires_at FROM monitor_states s "
			    "JOIN monitors m ON m.id = s.monitor_id "
			    "JOIN accounts a ON a.id = m.account_id "
			    "WHERE s.location_id = 0 AND m.is_paused = 0 AND m.retired_at IS NULL "
			    "AND m.removed_at IS NULL AND a.removed_at IS NULL "
			    "ORDER BY s.monitor_id LIMIT ?"));
	sql_add(&sql, MONITOR_SERIES_MAX);
	return db_read_into(db, &sql, ((struct fields){ rows, ARRAY_LEN(rows) }),
			    DB_INTO(list, MONITOR_SERIES_MAX), arena, error);
}
