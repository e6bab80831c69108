#include "store/incident/incident_template.h"

#include "store/account/usage.h"
#include "store/columns.h"

/* clang-format off */
static const struct field inserted_rows[] = {
	INCIDENT_TEMPLATE_FIELDS(COLUMN_INSERT_ROW, struct incident_template, 0)
};
static const struct field set_rows[] = {
	INCIDENT_TEMPLATE_FIELDS(COLUMN_SET_ROW, struct incident_template, 0)
};
#define READ_ROWS \
	INCIDENT_TEMPLATE_FIELDS(COLUMN_READ_ROW, struct incident_template, 0) \
	FIELD(struct incident_template, monitor_ids), FIELD(struct incident_template, id)
#define COLUMNS \
	INCIDENT_TEMPLATE_FIELDS(COLUMN_READ, "t.", 0) \
	"(SELECT GROUP_CONCAT(x.monitor_id ORDER BY x.monitor_id) " \
	"FROM incident_template_monitors x " \
	"JOIN monitors m ON m.id = x.monitor_id AND m.removed_at IS NULL " \
	"WHERE x.template_id = t.id) AS monitor_ids, t.id"
#define ADD \
	"INSERT INTO incident_templates (" INCIDENT_TEMPLATE_FIELDS(COLUMN_INSERT, , 0) "id) " \
	"VALUES (" INCIDENT_TEMPLATE_FIELDS(COLUMN_MARK, , 0) "NULL)"
#define PUT \
	"UPDATE incident_templates SET " INCIDENT_TEMPLATE_FIELDS(COLUMN_SET, , 0) \
	"updated_at = ? WHERE id = ?"
/* clang-format on */

static enum result put_monitors(struct db *db, const struct incident_template *row,
				struct arena *arena, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("DELETE FROM incident_template_monitors WHERE template_id = ?"),
		  row->id);
	enum result result = db_write(db, &sql, NULL, error);
	if (result != OK || row->monitor_ids.count == 0)
		return result;
	sql_start(&sql, SQL("INSERT INTO incident_template_monitors (template_id, monitor_id) "
			    "SELECT ?, id FROM monitors WHERE account_id = ? AND id IN ("));
	sql_add(&sql, row->id, row->account_id);
	sql_list_ints(&sql, row->monitor_ids.ids, row->monitor_ids.count, arena);
	sql_add(&sql, SQL(")"));
	return db_write(db, &sql, NULL, error);
}

enum result incident_template_save(struct db *db, struct incident_template *row, int64_t most,
				   struct arena *arena, struct error *error)
{
	const bool is_new = row->id == 0;
	struct sql_build sql;
	struct db_done done = { 0 };
	enum result result = is_new ? usage_check_templates(db, row->account_id, most, error) : OK;
	if (result != OK)
		return result;
	sql_start(&sql, is_new ? SQL(ADD) : SQL(PUT));
	columns_bind(&sql, is_new ? FIELDS(inserted_rows) : FIELDS(set_rows), row);
	if (!is_new)
		sql_add(&sql, row->updated_at, row->id);
	result = db_write(db, &sql, &done, error);
	if (is_new)
		row->id = done.id;
	return result == OK ? put_monitors(db, row, arena, error) : result;
}

enum result incident_template_delete(struct db *db, int64_t id, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("DELETE FROM incident_templates WHERE id = ?"), id);
	return db_write(db, &sql, NULL, error);
}

enum result incident_template_find(struct db *db, int64_t account_id, int64_t id, bool for_update,
				   struct arena *arena, struct incident_template *row,
				   struct error *error)
{
	static const struct field rows[] = { READ_ROWS };
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT " COLUMNS " FROM incident_templates t "
			    "WHERE t.id = ? AND t.account_id = ? ORDER BY t.id LIMIT 1"));
	sql_add(&sql, id, account_id);
	if (for_update)
		sql_add(&sql, SQL(" FOR UPDATE"));
	return db_read_one(db, &sql, FIELDS(rows), row, arena, error);
}

static void add_filter(struct sql_build *sql, const struct list_query *query, struct arena *arena)
{
	sql_add(sql, SQL("FROM incident_templates t WHERE t.account_id = ? "), query->account_id);
	if (query->search)
		sql_add(sql, SQL("AND t.name LIKE ? ESCAPE '!' "),
			sql_contains(arena, query->search));
}

static struct sql order_of(const struct list_query *query)
{
	if (query->sort_by == INCIDENT_TEMPLATE_BY_NAME)
		return query->is_ascending ? SQL("ORDER BY t.name, t.id ")
					   : SQL("ORDER BY t.name DESC, t.id DESC ");
	return query->is_ascending ? SQL("ORDER BY t.id ") : SQL("ORDER BY t.id DESC ");
}

enum result incident_templates_list(struct db *db, const struct list_query *query,
				    struct arena *arena, struct incident_template_list *list,
				    struct error *error)
{
	static const struct field rows[] = { READ_ROWS, LIST_TOTAL(struct incident_template) };
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT " COLUMNS ", (SELECT COUNT(*) "));
	add_filter(&sql, query, arena);
	sql_add(&sql, SQL(") AS total "));
	add_filter(&sql, query, arena);
	sql_add(&sql, order_of(query));
	sql_add(&sql, SQL("LIMIT ? OFFSET ?"), query->limit, query->offset);
	enum result result = list_read(db, &sql, FIELDS(rows), LIST_INTO(list), arena, error);
	if (result != OK || list->count > 0 || query->offset == 0)
		return result;
	sql_start(&sql, SQL("SELECT COUNT(*) AS total "));
	add_filter(&sql, query, arena);
	return list_total_past_end(db, &sql, query->offset, &list->total, error);
}

enum result incident_template_cause(struct db *db, const struct id_list *monitor_ids,
				    struct arena *arena, const char **cause, struct error *error)
{
	static const struct field rows[] = { FIELD(struct incident, cause) };
	struct incident open = { 0 };
	struct sql_build sql;
	*cause = NULL;
	if (monitor_ids->count == 0)
		return OK;
	sql_start(&sql, SQL("SELECT i.cause FROM incidents i WHERE i.open_monitor_id IN ("));
	sql_list_ints(&sql, monitor_ids->ids, monitor_ids->count, arena);
	sql_add(&sql, SQL(") AND i.cause <> '' ORDER BY i.started_at, i.id LIMIT 1"));
	enum result result = db_read_one(db, &sql, FIELDS(rows), &open, arena, error);
	*cause = open.cause;
	return result == E_NOT_FOUND ? OK : result;
}
