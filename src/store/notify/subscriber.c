#include "store/notify/subscriber.h"

#include "domain/notify/delivery.h"

/* The most subscribers that a call deletes. PRUNED_OF_PAGE is for a deleted page, whose subscribers
 * may have the deliveries of 30 days each. */
enum { PRUNED_ROWS = 512, PRUNED_OF_PAGE = 128 };

/* clang-format off */
#define SUBSCRIBER(member) FIELD(struct subscriber, member)
#define READ_ROWS \
	SUBSCRIBER(id), SUBSCRIBER(account_id), SUBSCRIBER(page_id), SUBSCRIBER(type), \
	SUBSCRIBER(address), SUBSCRIBER(takes_all_monitors), SUBSCRIBER(monitor_ids), \
	SUBSCRIBER(state), SUBSCRIBER(created_at), SUBSCRIBER(confirmed_at), \
	SUBSCRIBER(suspended_at), SUBSCRIBER(suspension), SUBSCRIBER(bounces)
#define STATE "IF(s.suspended_at IS NOT NULL, 2, s.confirmed_at IS NOT NULL)"
#define COLUMNS \
	"s.id, s.account_id, s.page_id, s.type, s.address, s.takes_all AS takes_all_monitors, " \
	"(SELECT GROUP_CONCAT(x.monitor_id ORDER BY x.monitor_id) FROM subscriber_monitors x " \
	"WHERE x.subscriber_id = s.id) AS monitor_ids, " STATE " AS state, s.created_at, " \
	"s.confirmed_at, s.suspended_at, s.suspension, s.bounces"
/* clang-format on */
static const struct field read_rows[] = { READ_ROWS };
_Static_assert(SUBSCRIBER_CONFIRMED == 1 && SUBSCRIBER_SUSPENDED == 2, "STATE has the numbers");

static void add_filter(struct sql_build *sql, const struct subscriber_query *query,
		       struct arena *arena)
{
	sql_add(sql, SQL("FROM subscribers s WHERE s.page_id = ? "), query->list.owner_id);
	if (query->list.search)
		sql_add(sql, SQL("AND s.address LIKE ? ESCAPE '!' "),
			sql_contains(arena, query->list.search));
	if (query->type != SUBSCRIBER_ANY_TYPE)
		sql_add(sql, SQL("AND s.type = ? "), query->type);
	if (query->state != SUBSCRIBER_ANY_STATE)
		sql_add(sql, SQL("AND " STATE " = ? "), query->state);
}

static struct sql order_of(const struct list_query *query)
{
	if (query->sort_by == SUBSCRIBER_BY_ADDRESS)
		return query->is_ascending ? SQL("ORDER BY s.address, s.id ")
					   : SQL("ORDER BY s.address DESC, s.id DESC ");
	return query->is_ascending ? SQL("ORDER BY s.id ") : SQL("ORDER BY s.id DESC ");
}

enum result subscribers_list(struct db *db, const struct subscriber_query *query,
			     struct arena *arena, struct subscriber_list *list, struct error *error)
{
	static const struct field rows[] = { READ_ROWS, LIST_TOTAL(struct subscriber) };
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT " COLUMNS ", (SELECT COUNT(*) "));
	add_filter(&sql, query, arena);
	sql_add(&sql, SQL(") AS total FROM status_pages p LEFT JOIN (SELECT s.* "));
	add_filter(&sql, query, arena);
	sql_add(&sql, order_of(&query->list));
	sql_add(&sql, SQL("LIMIT ? OFFSET ?) s ON TRUE WHERE p.id = ? "), query->list.limit,
		query->list.offset, query->list.owner_id);
	if (query->list.account_id > 0)
		sql_add(&sql, SQL("AND p.account_id = ? "), query->list.account_id);
	sql_add(&sql, order_of(&query->list));
	sql_add(&sql, SQL("LIMIT 100"));
	return list_read(db, &sql, FIELDS(rows), LIST_INTO(list, .has_owner = true), arena, error);
}

enum result subscribers_after(struct db *db, int64_t account_id, int64_t page_id, int64_t after_id,
			      struct arena *arena, struct subscriber_list *list,
			      struct error *error)
{
	struct sql_build sql;
	struct db_list found = { 0 };
	sql_start(&sql, SQL("SELECT " COLUMNS " FROM subscribers s "
			    "JOIN accounts a ON a.id = s.account_id AND a.removed_at IS NULL "
			    "WHERE s.id > ? "));
	sql_add(&sql, after_id);
	if (account_id > 0)
		sql_add(&sql, SQL("AND s.account_id = ? "), account_id);
	if (page_id > 0)
		sql_add(&sql, SQL("AND s.page_id = ? "), page_id);
	sql_add(&sql, SQL("ORDER BY s.id LIMIT 1000"));
	enum result result = db_read_list(
		db, &sql, DB_SHAPE(FIELDS(read_rows), struct subscriber, SUBSCRIBERS_MAX), arena,
		&found, error);
	*list = (struct subscriber_list){ .rows = found.rows, .count = found.count };
	return result;
}

enum result subscriber_find(struct db *db, const struct subscriber_place *place,
			    struct arena *arena, struct subscriber *subscriber, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT " COLUMNS " FROM subscribers s WHERE "));
	if (place->address_hash) {
		sql_add(&sql, SQL("s.address_hash = ? "), place->address_hash);
	} else {
		sql_add(&sql, SQL("s.id = ? "), place->id);
	}
	if (place->page_id > 0)
		sql_add(&sql, SQL("AND s.page_id = ? "), place->page_id);
	if (place->account_id > 0)
		sql_add(&sql, SQL("AND s.account_id = ? "), place->account_id);
	sql_add(&sql, SQL("ORDER BY s.id LIMIT 1"));
	if (place->for_update)
		sql_add(&sql, SQL(" FOR UPDATE"));
	return db_read_one(db, &sql, FIELDS(read_rows), subscriber, arena, error);
}

/* A new subscriber, and one of the monitors that the subscriber has chosen. */
struct chosen {
	const struct subscriber *subscriber;
	int64_t monitor_id;
};
static const struct sql_rows chosen_rows = {
	.first = { "SELECT CAST(? AS CHAR(64) CHARACTER SET ascii) COLLATE ascii_bin AS hash, "
		   "CAST(? AS SIGNED) AS monitor_id" },
	.next = { " UNION ALL SELECT CAST(? AS CHAR(64) CHARACTER SET ascii) COLLATE ascii_bin, "
		  "CAST(? AS SIGNED)" },
};

static enum result insert_systems(struct db *db, const struct chosen *chosen, size_t count,
				  struct error *error)
{
	const struct subscriber *first = chosen->subscriber;
	struct arena arena CLEANUP(arena_done);
	struct sql_build sql;
	arena_init(&arena, 16 << 20);
	sql_start(&sql, SQL("INSERT INTO subscriber_monitors (subscriber_id, monitor_id) "
			    "SELECT s.id, m.monitor_id FROM ("));
	sql_rows_begin(&sql, &chosen_rows, count, &arena);
	for (size_t i = 0; i < count; i++)
		sql_add(&sql, chosen[i].subscriber->address_hash, chosen[i].monitor_id);
	sql_rows_end(&sql);
	/* Only the new subscribers have this created_at. */
	sql_add(&sql, SQL(") given JOIN subscribers s ON s.address_hash = given.hash "
			  "AND s.page_id = ? AND s.created_at = ? AND s.takes_all = 0 "
			  "JOIN status_page_monitors m ON m.status_page_id = s.page_id "
			  "AND m.monitor_id = given.monitor_id "
			  "ON DUPLICATE KEY UPDATE subscriber_monitors.monitor_id = "
			  "subscriber_monitors.monitor_id"));
	sql_add(&sql, first->page_id, first->created_at);
	return db_write(db, &sql, NULL, error);
}

static enum result add_systems(struct db *db, const struct subscriber *rows, size_t count,
			       struct arena *arena, struct error *error)
{
	enum result result = OK;
	struct chosen *chosen = NULL;
	size_t total = 0, room = 0;
	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; !rows[i].takes_all_monitors && j < rows[i].monitor_ids.count;
		     j++) {
			chosen = arena_grow(arena, chosen, total, &room, sizeof(*chosen));
			chosen[total++] = (struct chosen){ &rows[i], rows[i].monitor_ids.ids[j] };
		}
	for (size_t from = 0, size; result == OK && from < total; from += size) {
		size = sql_rows_chunk(&chosen_rows, total - from);
		result = insert_systems(db, chosen + from, size, error);
	}
	return result;
}

enum result subscribers_add(struct db *db, const struct subscriber *rows, size_t count,
			    struct arena *arena, int64_t *added, struct error *error)
{
	static const struct sql_rows new_rows = {
		.first = { "(?, ?, ?, ?, ?, ?, ?, ?)" },
		.next = { ", (?, ?, ?, ?, ?, ?, ?, ?)" },
		.repeats_last = true,
	};
	int64_t before = 0, after = 0;
	enum result result = count > 0 ? subscribers_count(db, rows->page_id, &before, error) : OK;
	for (size_t from = 0, size; result == OK && from < count; from += size) {
		struct sql_build sql;
		size = sql_rows_chunk(&new_rows, count - from);
		sql_start(&sql, SQL("INSERT INTO subscribers (account_id, page_id, type, address, "
				    "address_hash, takes_all, created_at, confirmed_at) VALUES "));
		sql_rows_begin(&sql, &new_rows, size, arena);
		for (size_t i = from; i < from + size; i++)
			sql_add(&sql, rows[i].account_id, rows[i].page_id, rows[i].type,
				rows[i].address, rows[i].address_hash, rows[i].takes_all_monitors,
				rows[i].created_at, rows[i].confirmed_at);
		sql_rows_end(&sql);
		sql_add(&sql, SQL(" ON DUPLICATE KEY UPDATE id = id"));
		result = db_write(db, &sql, NULL, error);
	}
	if (result == OK)
		result = add_systems(db, rows, count, arena, error);
	if (result == OK && count > 0)
		result = subscribers_count(db, rows->page_id, &after, error);
	*added = after - before;
	return result;
}

enum result subscriber_put_monitors(struct db *db, const struct subscriber *subscriber,
				    struct arena *arena, struct error *error)
{
	struct sql_build sql;
	struct db_done done = { 0 };
	sql_start(&sql, SQL("UPDATE subscribers SET takes_all = ?, "
			    "created_at = IF(confirmed_at IS NULL, ?, created_at) WHERE id = ?"));
	sql_add(&sql, subscriber->takes_all_monitors, subscriber->created_at, subscriber->id);
	enum result result = db_write(db, &sql, NULL, error);
	sql_start(&sql, SQL("DELETE FROM subscriber_monitors WHERE subscriber_id = ?"),
		  subscriber->id);
	if (result == OK)
		result = db_write(db, &sql, NULL, error);
	if (result != OK || subscriber->takes_all_monitors)
		return result;
	sql_start(&sql, SQL("INSERT INTO subscriber_monitors (subscriber_id, monitor_id) "
			    "SELECT ?, monitor_id FROM status_page_monitors "
			    "WHERE status_page_id = ? AND monitor_id IN ("));
	sql_add(&sql, subscriber->id, subscriber->page_id);
	sql_list_ints(&sql, subscriber->monitor_ids.ids, subscriber->monitor_ids.count, arena);
	sql_add(&sql, SQL(")"));
	result = db_write(db, &sql, &done, error);
	return result == OK && (size_t)done.rows < subscriber->monitor_ids.count ? E_NOT_FOUND
										 : result;
}

enum result subscribers_systems(struct db *db, int64_t page_id, struct arena *arena,
				struct db_list *systems, struct error *error)
{
	enum { MOST = 2000 };
	static const struct field rows[] = { FIELD(struct subscriber_system, id),
					     FIELD(struct subscriber_system, name) };
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT m.id, m.name FROM status_page_monitors s "
			    "JOIN monitors m ON m.id = s.monitor_id AND m.retired_at IS NULL "
			    "WHERE s.status_page_id = ? ORDER BY s.position LIMIT 2000"));
	sql_add(&sql, page_id);
	return db_read_list(db, &sql, DB_SHAPE(FIELDS(rows), struct subscriber_system, MOST), arena,
			    systems, error);
}

enum result subscriber_confirm(struct db *db, int64_t id, struct instant now, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("UPDATE subscribers SET confirmed_at = ?, suspended_at = NULL, "
			    "suspension = NULL, bounces = 0, bounced_at = NULL WHERE id = ? "
			    "AND (confirmed_at IS NULL OR suspended_at IS NOT NULL)"));
	sql_add(&sql, now, id);
	return db_write(db, &sql, NULL, error);
}

enum result subscriber_delete(struct db *db, int64_t id, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("DELETE FROM subscribers WHERE id = ?"), id);
	return db_write(db, &sql, NULL, error);
}

enum result subscriber_suspend(struct db *db, int64_t id, const char *reason, struct instant now,
			       struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("UPDATE subscribers SET suspended_at = ?, suspension = ? "
			    "WHERE id = ? AND suspended_at IS NULL"));
	sql_add(&sql, now, reason, id);
	enum result result = db_write(db, &sql, NULL, error);
	if (result != OK)
		return result;
	sql_start(&sql, SQL("UPDATE deliveries SET state = ?, due_at = ? WHERE subscriber_id = ? "
			    "AND state = ?"));
	sql_add(&sql, DELIVERY_SUSPENDED, now, id, DELIVERY_QUEUED);
	return db_write(db, &sql, NULL, error);
}

enum result subscriber_bounce(struct db *db, int64_t id, const char *reason, struct instant now,
			      struct error *error)
{
	static const struct field rows[] = { SUBSCRIBER(bounces) };
	struct subscriber subscriber = { 0 };
	struct sql_build sql;
	struct db_done done = { 0 };
	/* If the last bounce was more than SUBSCRIBER_BOUNCES_S ago, count from 1 again. */
	sql_start(&sql, SQL("UPDATE subscribers SET bounces = IF(bounced_at < ?, 1, bounces + 1), "
			    "bounced_at = ? WHERE id = ? AND (bounced_at IS NULL "
			    "OR bounced_at NOT BETWEEN ? AND ?)"));
	sql_add(&sql, (struct instant){ now.s - SUBSCRIBER_BOUNCES_S }, now, id,
		(struct instant){ now.s - 86400 }, now);
	enum result result = db_write(db, &sql, &done, error);
	if (result != OK || done.rows == 0)
		return result;
	sql_start(&sql, SQL("SELECT bounces FROM subscribers WHERE id = ?"), id);
	result = db_read_one(db, &sql, FIELDS(rows), &subscriber, NULL, error);
	return result == OK && subscriber.bounces >= SUBSCRIBER_BOUNCES_MAX
		       ? subscriber_suspend(db, id, reason, now, error)
		       : result;
}

enum result subscribers_count(struct db *db, int64_t page_id, int64_t *count, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT COUNT(*) AS count FROM subscribers WHERE page_id = ?"),
		  page_id);
	return db_read_int(db, &sql, count, error);
}

enum result subscribers_prune(struct db *db, struct instant now, bool *is_more, struct error *error)
{
	struct sql_build sql;
	struct db_done done = { 0 };
	sql_start(&sql, SQL("DELETE FROM subscribers WHERE confirmed_at IS NULL "
			    "AND created_at < ? ORDER BY created_at, id LIMIT ?"));
	sql_add(&sql, (struct instant){ now.s - SUBSCRIBER_UNCONFIRMED_S }, PRUNED_ROWS);
	enum result result = db_write(db, &sql, &done, error);
	*is_more = done.rows == PRUNED_ROWS;
	return result;
}

enum result subscribers_prune_pages(struct db *db, bool *is_more, struct error *error)
{
	struct arena arena CLEANUP(arena_done);
	struct id_list pages = { 0 };
	struct sql_build sql;
	arena_init(&arena, 64 << 10);
	*is_more = false;
	sql_start(&sql,
		  SQL("SELECT s.page_id AS id FROM (SELECT DISTINCT page_id FROM subscribers) s "
		      "WHERE NOT EXISTS (SELECT 1 FROM status_pages p WHERE p.id = s.page_id) "
		      "ORDER BY s.page_id LIMIT 1"));
	enum result result = db_read_ids(db, &sql, 1, &arena, &pages, error);
	if (result != OK || pages.count == 0)
		return result;
	*is_more = true;
	sql_start(&sql, SQL("DELETE FROM subscribers WHERE page_id = ? ORDER BY id LIMIT ?"),
		  pages.ids[0], PRUNED_OF_PAGE);
	return db_write(db, &sql, NULL, error);
}
