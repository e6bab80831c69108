/* The updates that people post about a maintenance window. */
#include "store/maintenance/maintenance.h"

#define UPDATE(member) FIELD_NAMED(struct maintenance_update_row, update.member, #member)
#define OTHER(member)  FIELD(struct maintenance_update_row, member)
static const struct field update_rows[] = {
	UPDATE(id),	   UPDATE(phase),	  UPDATE(body),		UPDATE(at),
	UPDATE(edited_at), OTHER(maintenance_id), OTHER(occurrence_id),
};
#define UPDATES \
	"SELECT u.id, u.phase, u.body, u.at, u.edited_at, u.maintenance_id, u.occurrence_id " \
	"FROM maintenance_updates u "

enum result maintenance_update_add(struct db *db, struct maintenance_update_row *row,
				   struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("INSERT INTO maintenance_updates (maintenance_id, occurrence_id, "
			    "phase, body, at) VALUES (?, ?, ?, ?, ?)"));
	sql_add(&sql, row->maintenance_id, row->occurrence_id, row->update.phase, row->update.body,
		row->update.at);
	return db_insert(db, &sql, &row->update.id, error);
}

enum result maintenance_update_find(struct db *db, int64_t maintenance_id, int64_t id,
				    struct arena *arena, struct maintenance_update_row *row,
				    struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL(UPDATES "WHERE u.id = ? AND u.maintenance_id = ? "
				    "ORDER BY u.id LIMIT 1"));
	sql_add(&sql, id, maintenance_id);
	return db_read_one(db, &sql, FIELDS(update_rows), row, arena, error);
}

enum result maintenance_update_change(struct db *db, const struct maintenance_update_row *row,
				      struct error *error)
{
	struct sql_build sql;
	sql_start(
		&sql,
		SQL("UPDATE maintenance_updates SET body = ?, at = ?, edited_at = ? WHERE id = ?"));
	sql_add(&sql, row->update.body, row->update.at, row->update.edited_at, row->update.id);
	return db_write(db, &sql, NULL, error);
}

enum result maintenance_update_remove(struct db *db, int64_t id, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("DELETE FROM maintenance_updates WHERE id = ?"), id);
	return db_write(db, &sql, NULL, error);
}

enum result maintenance_update_list(struct db *db, int64_t maintenance_id, struct arena *arena,
				    struct maintenance_update_list *list, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL(UPDATES "WHERE u.maintenance_id = ? "
				    "ORDER BY u.at DESC, u.id DESC LIMIT 200"));
	sql_add(&sql, maintenance_id);
	return db_read_into(db, &sql, FIELDS(update_rows), DB_INTO(list, MAINTENANCE_UPDATES_MAX),
			    arena, error);
}
