#include "store/notify/alert_channel.h"

#include "store/columns.h"

/* clang-format off */
static const struct field inserted_rows[] = {
	ALERT_CHANNEL_FIELDS(COLUMN_INSERT_ROW, struct alert_channel, 0)
};
static const struct field set_rows[] = {
	ALERT_CHANNEL_FIELDS(COLUMN_SET_ROW, struct alert_channel, 0)
};
#define READ_ROWS \
	ALERT_CHANNEL_FIELDS(COLUMN_READ_ROW, struct alert_channel, 0) \
	FIELD(struct alert_channel, sealed_value), FIELD(struct alert_channel, id)
static const struct field read_rows[] = { READ_ROWS };
#define COLUMNS ALERT_CHANNEL_FIELDS(COLUMN_READ, "c.", 0) "c.sealed_value, c.id"
#define CHANNELS \
	"SELECT " COLUMNS " FROM alert_channels c " \
	"JOIN accounts a ON a.id = c.account_id AND a.removed_at IS NULL "
/* clang-format on */

enum result alert_channel_add(struct db *db, struct alert_channel *channel, struct error *error)
{
	struct sql_build sql;
	sql_start(
		&sql,
		SQL("INSERT INTO alert_channels (" //
		    ALERT_CHANNEL_FIELDS(
			    COLUMN_INSERT, ,
			    0) "address, sealed_value) VALUES (" ALERT_CHANNEL_FIELDS(COLUMN_MARK, ,
										      0) "?, ?)"));
	columns_bind(&sql, FIELDS(inserted_rows), channel);
	sql_add(&sql, channel->address, channel->sealed_value);
	return db_insert(db, &sql, &channel->id, error);
}

enum result alert_channel_put(struct db *db, const struct alert_channel *channel,
			      struct error *error)
{
	struct sql_build sql;
	sql_start(&sql,
		  SQL("UPDATE alert_channels SET " ALERT_CHANNEL_FIELDS(
			  COLUMN_SET, ,
			  0) "address = ?, sealed_value = ?, updated_at = ?, suspended_at = NULL, "
			     "suspension = NULL WHERE id = ?"));
	columns_bind(&sql, FIELDS(set_rows), channel);
	sql_add(&sql, channel->address, channel->sealed_value, channel->updated_at, channel->id);
	return db_write(db, &sql, NULL, error);
}

enum result alert_channel_delete(struct db *db, int64_t id, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("DELETE FROM alert_channels WHERE id = ?"), id);
	return db_write(db, &sql, NULL, error);
}

enum result alert_channel_find(struct db *db, int64_t account_id, int64_t id, bool for_update,
			       struct arena *arena, struct alert_channel *channel,
			       struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL(CHANNELS "WHERE c.id = ? "), id);
	if (account_id > 0)
		sql_add(&sql, SQL("AND c.account_id = ? "), account_id);
	sql_add(&sql, SQL("ORDER BY c.id LIMIT 1"));
	if (for_update)
		sql_add(&sql, SQL(" FOR UPDATE"));
	return db_read_one(db, &sql, FIELDS(read_rows), channel, arena, error);
}

static void add_filter(struct sql_build *sql, const struct alert_channel_query *query,
		       struct arena *arena)
{
	sql_add(sql, SQL("WHERE account_id = ? "), query->list.account_id);
	if (query->list.search)
		sql_add(sql, SQL("AND name LIKE ? ESCAPE '!' "),
			sql_contains(arena, query->list.search));
	if (query->type >= 0)
		sql_add(sql, SQL("AND type = ? "), query->type);
}

static struct sql order_of(const struct list_query *query)
{
	if (query->sort_by == ALERT_CHANNEL_BY_NAME)
		return query->is_ascending ? SQL("ORDER BY c.name, c.id ")
					   : SQL("ORDER BY c.name DESC, c.id DESC ");
	return query->is_ascending ? SQL("ORDER BY c.id ") : SQL("ORDER BY c.id DESC ");
}

enum result alert_channels_list(struct db *db, const struct alert_channel_query *query,
				struct arena *arena, struct alert_channel_list *list,
				struct error *error)
{
	static const struct field rows[] = { READ_ROWS, LIST_TOTAL(struct alert_channel) };
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT " COLUMNS ", (SELECT COUNT(*) FROM alert_channels "));
	add_filter(&sql, query, arena);
	sql_add(&sql, SQL(") AS total FROM (SELECT * FROM alert_channels "));
	add_filter(&sql, query, arena);
	sql_add(&sql, SQL(") c "));
	sql_add(&sql, order_of(&query->list));
	sql_add(&sql, SQL("LIMIT ? OFFSET ?"), query->list.limit, query->list.offset);
	enum result result = list_read(db, &sql, FIELDS(rows), LIST_INTO(list), arena, error);
	if (result != OK || list->count > 0 || query->list.offset == 0)
		return result;
	sql_start(&sql, SQL("SELECT COUNT(*) AS total FROM alert_channels "));
	add_filter(&sql, query, arena);
	return list_total_past_end(db, &sql, query->list.offset, &list->total, error);
}

enum result alert_channels_after(struct db *db, int64_t account_id, int64_t after_id,
				 struct arena *arena, struct alert_channel_list *list,
				 struct error *error)
{
	struct sql_build sql;
	struct db_list found;
	sql_start(&sql, SQL(CHANNELS "WHERE c.id > ? "), after_id);
	if (account_id > 0)
		sql_add(&sql, SQL("AND c.account_id = ? "), account_id);
	sql_add(&sql, SQL("ORDER BY c.id LIMIT 1000"));
	enum result result = db_read_list(
		db, &sql, DB_SHAPE(FIELDS(read_rows), struct alert_channel, ALERT_CHANNELS_MAX),
		arena, &found, error);
	*list = (struct alert_channel_list){ .rows = found.rows, .count = found.count };
	return result;
}

enum result alert_channels_suspended(struct db *db, size_t most, struct arena *arena,
				     struct alert_channel_list *list, struct error *error)
{
	struct sql_build sql;
	struct db_list found = { 0 };
	sql_start(&sql, SQL(CHANNELS "WHERE c.suspended_at IS NOT NULL ORDER BY c.id LIMIT ?"),
		  (int64_t)most);
	enum result result = db_read_list(db, &sql,
					  DB_SHAPE(FIELDS(read_rows), struct alert_channel, most),
					  arena, &found, error);
	*list = (struct alert_channel_list){ .rows = found.rows, .count = found.count };
	return result;
}

enum result monitor_channels_put(struct db *db, const struct monitor_channels *links,
				 struct arena *arena, struct error *error)
{
	const struct id_list *monitors = &links->monitors;
	const struct id_list *channels = &links->channels;
	struct sql_build sql;
	struct db_done done = { 0 };
	sql_start(&sql, SQL("DELETE FROM monitor_channels WHERE monitor_id IN ("));
	sql_list_ints(&sql, monitors->ids, monitors->count, arena);
	if (links->keeps_others) {
		sql_add(&sql, SQL(") AND channel_id IN ("));
		sql_list_ints(&sql, channels->ids, channels->count, arena);
	}
	sql_add(&sql, SQL(")"));
	enum result result = db_write(db, &sql, NULL, error);
	if (result != OK || channels->count == 0)
		return result;
	sql_start(&sql,
		  SQL("INSERT INTO monitor_channels (monitor_id, channel_id) "
		      "SELECT m.id, c.id FROM monitors m "
		      "JOIN alert_channels c ON c.account_id = m.account_id WHERE m.id IN ("));
	sql_list_ints(&sql, monitors->ids, monitors->count, arena);
	sql_add(&sql, SQL(") AND c.id IN ("));
	sql_list_ints(&sql, channels->ids, channels->count, arena);
	sql_add(&sql, SQL(")"));
	result = db_write(db, &sql, &done, error);
	return result == OK && (size_t)done.rows < monitors->count * channels->count ? E_NOT_FOUND
										     : result;
}
