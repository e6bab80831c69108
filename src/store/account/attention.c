#include "store/account/attention.h"

enum { DAY_S = 86400 };

/* A row of the result. Each row has the same counts, and one acknowledger. If there is no
 * acknowledger, the result is one row with the counts. */
struct found {
	struct attention counts;
	struct acknowledger taker;
};
#define COUNT(member)	 FIELD_NAMED(struct found, counts.member, #member)
#define TAKER(member)	 FIELD_NAMED(struct found, taker.member, #member)
#define AUDIENCE(member) FIELD_NAMED(struct found, counts.audience.member, #member)
static const struct field found_rows[] = {
	COUNT(overdue_promises),   COUNT(failed_deliveries),
	COUNT(suspended_channels), COUNT(suspended_subscribers),
	COUNT(unpublished_pages),  COUNT(pending_updates),
	COUNT(cut_off_since),	   COUNT(maintenance_now),
	COUNT(maintenance_next),   AUDIENCE(by_mail),
	AUDIENCE(by_webhook),	   AUDIENCE(channels),
	TAKER(incident_id),	   TAKER(actor_type),
	TAKER(actor_id),	   TAKER(actor_label),
};

/* Adds the columns of counts. The subquery for failed deliveries reads the failed deliveries of all
 * accounts, which are few, in an index by lane, state and time. */
static void add_counts(struct sql_build *sql, const struct attention_query *query)
{
	sql_start(sql,
		  SQL("SELECT n.overdue_promises, n.failed_deliveries, n.suspended_channels, "
		      "n.suspended_subscribers, n.unpublished_pages, n.pending_updates, "
		      "n.cut_off_since, n.maintenance_now, n.maintenance_next, n.by_mail, "
		      "n.by_webhook, n.channels, e.object_id AS incident_id, "
		      "e.actor_type, e.actor_id, e.actor_label FROM (SELECT "
		      "(SELECT COUNT(*) FROM incidents WHERE account_id = ? "
		      "AND status IN (0, 1) AND next_update_at < ?) AS overdue_promises, "
		      "(SELECT COUNT(*) FROM deliveries WHERE lane IN (0, 1, 2) "
		      "AND state = 2 AND due_at > ? AND account_id = ?) AS failed_deliveries, "
		      "(SELECT COUNT(*) FROM alert_channels WHERE account_id = ? "
		      "AND suspended_at IS NOT NULL) AS suspended_channels, "
		      "(SELECT COUNT(*) FROM subscribers WHERE account_id = ? "
		      "AND suspended_at IS NOT NULL) AS suspended_subscribers, "
		      "(SELECT COUNT(*) FROM page_revisions WHERE account_id = ? "
		      "AND unpublished_since < ? AND deleted_at IS NULL) AS unpublished_pages, "
		      "(SELECT COUNT(*) FROM pending_updates WHERE account_id = ?) "
		      "AS pending_updates, "
		      "(SELECT MIN(cut_off_since) FROM check_locations "
		      "WHERE id = 0 OR account_id = ?) AS cut_off_since, "),
		  query->account_id, query->now, (struct instant){ query->now.s - DAY_S });
	for (int i = 0; i < 4; i++)
		sql_add(sql, query->account_id);
	sql_add(sql, (struct instant){ query->now.s - ATTENTION_UNPUBLISHED_S }, query->account_id,
		query->account_id);
}

/* Adds the columns about maintenance windows and about the receivers of messages. */
static void add_prospects(struct sql_build *sql, const struct attention_query *query)
{
#define WINDOWS \
	"FROM maintenances m JOIN maintenance_occurrences o ON o.maintenance_id = m.id " \
	"WHERE m.account_id = ? AND m.over_at > ? AND m.deleted_at IS NULL AND o.is_dropped = 0 "
#define SUBSCRIBERS \
	"FROM subscribers WHERE account_id = ? AND confirmed_at <= ? " \
	"AND suspended_at IS NULL AND type = "
	sql_add(sql,
		SQL("(SELECT COUNT(*) " WINDOWS "AND o.status IN (1, 2)) AS maintenance_now, "
		    "(SELECT MIN(o.starts_at) " WINDOWS "AND o.status = 0) AS maintenance_next, "
		    "(SELECT COUNT(*) " SUBSCRIBERS "0) AS by_mail, "
		    "(SELECT COUNT(*) " SUBSCRIBERS "1) AS by_webhook, "
		    "(SELECT COUNT(*) FROM alert_channels WHERE account_id = ? AND is_enabled = 1 "
		    "AND suspended_at IS NULL "
		    "AND (events IS NULL OR events LIKE '%updates%')) AS channels) n "));
#undef WINDOWS
#undef SUBSCRIBERS
	for (int i = 0; i < 4; i++)
		sql_add(sql, query->account_id, query->now);
	sql_add(sql, query->account_id);
}

enum result attention_read(struct db *db, const struct attention_query *query, struct arena *arena,
			   struct attention *attention, struct error *error)
{
	struct sql_build sql;
	struct db_list list;
	add_counts(&sql, query);
	add_prospects(&sql, query);
	sql_add(&sql, SQL("LEFT JOIN (SELECT MAX(id) AS id FROM events WHERE object = 'incident' "
			  "AND object_id IN ("));
	sql_list_ints(&sql, query->incidents.ids, query->incidents.count, arena);
	sql_add(&sql, SQL(") AND kind IN ('incident.acknowledged', 'incident.reported') AND "
			  "account_id = ? "
			  "GROUP BY object_id) newest ON 1 = 1 LEFT JOIN events e "
			  "ON e.id = newest.id ORDER BY e.object_id LIMIT 100"));
	sql_add(&sql, query->account_id);
	enum result result = db_read_list(
		db, &sql, DB_SHAPE(FIELDS(found_rows), struct found, ATTENTION_INCIDENTS_MAX),
		arena, &list, error);
	const struct found *found = list.rows;
	if (result != OK || list.count == 0)
		return result == OK ? E_FAILED : result;
	struct acknowledger *takers = ARENA_ARRAY(arena, list.count, struct acknowledger);
	for (size_t i = 0; i < list.count; i++)
		takers[i] = found[i].taker;
	*attention = found[0].counts;
	attention->takers = takers;
	attention->taker_count = list.count;
	return OK;
}
