#include "store/incident/pending_update.h"

#define ROW(member) FIELD(struct pending_update, member)
static const struct field rows[] = {
	ROW(id),	ROW(account_id),  ROW(incident_id), ROW(update_id),    ROW(request),
	ROW(author_id), ROW(author_type), ROW(kind),	    ROW(author_label), ROW(created_at),
};
#define COLUMNS \
	"id, account_id, incident_id, update_id, request, author_id, author_type, kind, " \
	"author_label, created_at "

enum result pending_update_demand(struct db *db, const struct incident *incident,
				  struct arena *arena, struct pending_demand *demand,
				  struct error *error)
{
	static const struct field demand_rows[] = { FIELD(struct pending_demand, is_demanded),
						    FIELD(struct pending_demand, count) };
	struct sql_build sql;
	int64_t *ids = ARENA_ARRAY(arena, incident->monitor_count, int64_t);
	for (size_t i = 0; i < incident->monitor_count; i++)
		ids[i] = incident->monitors[i].id;
	sql_start(&sql, SQL("SELECT EXISTS (SELECT 1 FROM status_pages p WHERE p.account_id = ? "
			    "AND p.needs_second_person = 1 AND (p.id IN ("));
	sql_add(&sql, incident->account_id);
	sql_list_ints(&sql, incident->page_ids.ids, incident->page_ids.count, arena);
	sql_add(&sql, SQL(") OR EXISTS (SELECT 1 FROM status_page_monitors m "
			  "WHERE m.status_page_id = p.id AND m.monitor_id IN ("));
	sql_list_ints(&sql, ids, incident->monitor_count, arena);
	sql_add(&sql, SQL(")))) AS is_demanded, (SELECT COUNT(*) FROM pending_updates "
			  "WHERE account_id = ?) AS count"));
	sql_add(&sql, incident->account_id);
	return db_read_one(db, &sql, FIELDS(demand_rows), demand, arena, error);
}

enum result pending_update_insert(struct db *db, struct pending_update *pending,
				  struct error *error)
{
	struct sql_build sql;
	struct db_done done = { 0 };
	sql_start(&sql, SQL("INSERT INTO pending_updates (account_id, kind, incident_id, "
			    "update_id, request, author_type, author_id, author_label, created_at) "
			    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"));
	sql_add(&sql, pending->account_id, pending->kind, sql_id(pending->incident_id),
		sql_id(pending->update_id), pending->request, pending->author_type,
		pending->author_id, pending->author_label, pending->created_at);
	enum result result = db_write(db, &sql, &done, error);
	pending->id = done.id;
	return result;
}

enum result pending_update_list(struct db *db, int64_t account_id, int64_t incident_id,
				struct arena *arena, struct db_list *list, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT " COLUMNS "FROM pending_updates WHERE account_id = ? "
			    "AND (? = 0 OR incident_id = ?) ORDER BY id LIMIT ?"));
	sql_add(&sql, account_id, incident_id, incident_id, PENDING_UPDATES_MAX);
	return db_read_list(db, &sql,
			    DB_SHAPE(FIELDS(rows), struct pending_update, PENDING_UPDATES_MAX),
			    arena, list, error);
}

enum result pending_update_find(struct db *db, int64_t account_id, int64_t id, struct arena *arena,
				struct pending_update *pending, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT " COLUMNS "FROM pending_updates WHERE id = ? "
			    "AND account_id = ? ORDER BY id LIMIT 1"));
	sql_add(&sql, id, account_id);
	*pending = (struct pending_update){ 0 };
	return db_read_one(db, &sql, FIELDS(rows), pending, arena, error);
}

enum result pending_update_delete(struct db *db, int64_t id, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("DELETE FROM pending_updates WHERE id = ?"), id);
	return db_write_found(db, &sql, error);
}
