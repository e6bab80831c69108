#include "store/posted_update.h"

/* Adds "FROM … WHERE …" for the updates of the query. */
static void add_filter(struct sql_build *sql, enum posted_update_owner owner,
		       const struct list_query *query, struct arena *arena)
{
	static const struct sql updates[] = {
		[POSTED_OF_INCIDENT] = { "FROM incident_updates FORCE INDEX (incident_updates_at) "
					 "WHERE incident_id = ? " },
		[POSTED_OF_MAINTENANCE] = { "FROM maintenance_updates "
					    "FORCE INDEX (maintenance_updates_maintenance) "
					    "WHERE maintenance_id = ? " },
	};
	sql_add(sql, updates[owner], query->owner_id);
	if (query->search)
		sql_add(sql, SQL("AND body LIKE ? ESCAPE '!' "),
			sql_contains(arena, query->search));
}

static void build_list(struct sql_build *sql, enum posted_update_owner owner,
		       const struct list_query *query, struct arena *arena)
{
	static const struct sql owners[] = {
		[POSTED_OF_INCIDENT] = { ") AS total FROM (SELECT id FROM incidents "
					 "WHERE id = ? AND account_id = ?) owner " },
		[POSTED_OF_MAINTENANCE] = { ") AS total FROM (SELECT id FROM maintenances WHERE "
					    "id = ? AND account_id = ? AND deleted_at IS NULL) "
					    "owner " },
	};
	static const struct sql joins[] = {
		[POSTED_OF_INCIDENT] = { "LIMIT ? OFFSET ?) shown ON TRUE "
					 "LEFT JOIN incident_updates u ON u.id = shown.id " },
		[POSTED_OF_MAINTENANCE] = { "LIMIT ? OFFSET ?) shown ON TRUE "
					    "LEFT JOIN maintenance_updates u ON u.id = shown.id " },
	};
	sql_start(sql, SQL("SELECT u.id, u.phase, u.body, u.at, u.edited_at, (SELECT COUNT(*) "));
	add_filter(sql, owner, query, arena);
	sql_add(sql, owners[owner], query->owner_id, query->account_id);
	sql_add(sql, SQL("LEFT JOIN (SELECT id, at "));
	add_filter(sql, owner, query, arena);
	sql_add(sql,
		query->is_ascending ? SQL("ORDER BY at, id ") : SQL("ORDER BY at DESC, id DESC "));
	sql_add(sql, joins[owner], query->limit, query->offset);
	sql_add(sql, query->is_ascending ? SQL("ORDER BY shown.at, shown.id LIMIT 100")
					 : SQL("ORDER BY shown.at DESC, shown.id DESC LIMIT 100"));
}

enum result posted_update_list(struct db *db, enum posted_update_owner owner,
			       const struct list_query *query, struct arena *arena,
			       struct posted_update_list *list, struct error *error)
{
#define ROW(member) FIELD(struct posted_update, member)
	static const struct field rows[] = { ROW(id),	     ROW(phase),
					     ROW(body),	     ROW(at),
					     ROW(edited_at), LIST_TOTAL(struct posted_update) };
#undef ROW
	struct sql_build sql;
	build_list(&sql, owner, query, arena);
	return list_read(db, &sql, FIELDS(rows), LIST_INTO(list, .has_owner = true), arena, error);
}
