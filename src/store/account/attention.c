#include "store/account/attention.h"

enum { DAY_S = 86400, SCRATCH_MAX_BYTES = 64 << 10 };

#define ROW(member) FIELD(struct attention, member)
static const struct field attention_rows[] = { ROW(failed_deliveries), ROW(suspended_channels),
					       ROW(suspended_subscribers), ROW(unpublished_pages),
					       ROW(cut_off_since) };

enum result attention_read(struct db *db, int64_t account_id, struct instant now,
			   struct attention *attention, struct error *error)
{
	struct arena scratch CLEANUP(arena_done);
	struct sql_build sql;
	arena_init(&scratch, SCRATCH_MAX_BYTES);
	/* Failures are few, and the index has them by lane, state and time. */
	sql_start(&sql,
		  SQL("SELECT (SELECT COUNT(*) FROM deliveries WHERE lane IN (0, 1, 2) "
		      "AND state = 2 AND due_at > ? AND account_id = ?) AS failed_deliveries, "
		      "(SELECT COUNT(*) FROM alert_channels WHERE account_id = ? "
		      "AND suspended_at IS NOT NULL) AS suspended_channels, "
		      "(SELECT COUNT(*) FROM subscribers WHERE account_id = ? "
		      "AND suspended_at IS NOT NULL) AS suspended_subscribers, "
		      "(SELECT COUNT(*) FROM page_revisions WHERE account_id = ? "
		      "AND unpublished_since < ? AND deleted_at IS NULL) AS unpublished_pages, "
		      "(SELECT MIN(cut_off_since) FROM check_locations "
		      "WHERE id = 0 OR account_id = ?) AS cut_off_since"));
	sql_time(&sql, (struct instant){ now.s - DAY_S });
	for (int i = 0; i < 4; i++)
		sql_int(&sql, account_id);
	sql_time(&sql, (struct instant){ now.s - ATTENTION_UNPUBLISHED_S });
	sql_int(&sql, account_id);
	return db_read_one(db, &sql, FIELDS(attention_rows), attention, &scratch, error);
}

enum result acknowledgers_read(struct db *db, int64_t account_id, const struct id_list *incidents,
			       struct arena *arena, struct db_list *list, struct error *error)
{
#define ACTOR(member) FIELD(struct acknowledger, member)
	static const struct field rows[] = { ACTOR(incident_id), ACTOR(actor_type), ACTOR(actor_id),
					     ACTOR(actor_label) };
#undef ACTOR
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT e.object_id AS incident_id, e.actor_type, e.actor_id, "
			    "e.actor_label FROM events e WHERE e.id IN (SELECT MAX(id) FROM events "
			    "WHERE object = 'incident' AND object_id IN ("));
	sql_list_ints(&sql, incidents->ids, incidents->count, arena);
	sql_add(&sql, SQL(") AND kind = 'incident.acknowledged' AND account_id = ? "
			  "GROUP BY object_id) ORDER BY e.object_id LIMIT 100"));
	sql_int(&sql, account_id);
	return db_read_list(db, &sql, DB_SHAPE(FIELDS(rows), struct acknowledger, 100), arena, list,
			    error);
}
