#include "store/incident/incident_update.h"

#include <stdlib.h>

#include "base/sorted.h"

#define ROW(member) FIELD(struct posted_update, member)
static const struct field rows[] = { ROW(id), ROW(phase),     ROW(body),
				     ROW(at), ROW(edited_at), ROW(impacts) };
#define COLUMNS "id, phase, body, at, edited_at, impacts "

/*
 * Checks that the incident has fewer than `most` updates. Each update increments the incident's
 * revision, so the updates are counted only if the revision is `most` or more. As a condition of
 * the INSERT, the check would lock the updates of other incidents.
 */
static enum result check_room(struct db *db, const struct incident *incident, int64_t most,
			      struct error *error)
{
	int64_t total = 0;
	struct sql_build sql;
	if (incident->revision < most)
		return OK;
	sql_start(&sql,
		  SQL("SELECT COUNT(*) AS total FROM incident_updates WHERE incident_id = ?"));
	sql_add(&sql, incident->id);
	enum result result = db_read_int(db, &sql, &total, error);
	return result == OK && total >= most ? E_QUOTA_EXCEEDED : result;
}

enum result incident_update_insert(struct db *db, const struct incident *incident, int64_t most,
				   struct posted_update *update, struct error *error)
{
	struct sql_build sql;
	struct db_done done;
	enum result result = check_room(db, incident, most, error);
	if (result != OK)
		return result;
	sql_start(&sql, SQL("INSERT INTO incident_updates (account_id, incident_id, phase, body, "
			    "at, impacts) VALUES (?, ?, ?, ?, ?, ?)"));
	sql_add(&sql, incident->account_id, incident->id, update->phase, update->body, update->at,
		update->impacts);
	result = db_write(db, &sql, &done, error);
	update->id = done.id;
	return result;
}

enum result incident_updates_of_comments(struct db *db, const struct id_list *ids,
					 struct arena *arena, struct error *error)
{
	enum result result = OK;
	for (size_t from = 0, size; result == OK && from < ids->count; from += size) {
		struct sql_build sql;
		size = sql_rows_chunk(&sql_list, ids->count - from);
		sql_start(&sql, SQL("INSERT INTO incident_updates (account_id, incident_id, phase, "
				    "body, at) SELECT i.account_id, i.id, "
				    "IF(i.ended_at IS NULL, 0, 3), i.comment, "
				    "COALESCE(i.ended_at, i.created_at) FROM incidents i "
				    "WHERE i.id IN ("));
		sql_list_ints(&sql, ids->ids + from, size, arena);
		sql_add(&sql, SQL(")"));
		result = db_write(db, &sql, NULL, error);
	}
	return result;
}

enum result incident_update_find(struct db *db, int64_t incident_id, int64_t id,
				 struct arena *arena, struct posted_update *update,
				 struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT " COLUMNS "FROM incident_updates WHERE id = ? "
			    "AND incident_id = ? ORDER BY id LIMIT 1"));
	sql_add(&sql, id, incident_id);
	*update = (struct posted_update){ 0 };
	return db_read_one(db, &sql, FIELDS(rows), update, arena, error);
}

enum result incident_update_save(struct db *db, const struct posted_update *update,
				 struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("UPDATE incident_updates SET body = ?, at = ?, edited_at = ? "
			    "WHERE id = ?"));
	sql_add(&sql, update->body, update->at, update->edited_at, update->id);
	return db_write(db, &sql, NULL, error);
}

enum result incident_update_forget_impacts(struct db *db, int64_t incident_id, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("UPDATE incident_updates SET impacts = NULL WHERE incident_id = ? "
			    "AND impacts IS NOT NULL"));
	sql_add(&sql, incident_id);
	return db_write(db, &sql, NULL, error);
}

enum result incident_update_delete(struct db *db, int64_t id, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("DELETE FROM incident_updates WHERE id = ?"), id);
	return db_write(db, &sql, NULL, error);
}

enum result incident_update_newest(struct db *db, int64_t incident_id, struct arena *arena,
				   struct posted_update *update, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT " COLUMNS "FROM incident_updates WHERE incident_id = ? "
			    "ORDER BY at DESC, id DESC LIMIT 1"));
	sql_add(&sql, incident_id);
	*update = (struct posted_update){ 0 };
	return db_read_one(db, &sql, FIELDS(rows), update, arena, error);
}

enum result incident_updates_read(struct db *db, const struct incident *incident,
				  struct arena *arena, struct posted_updates *updates,
				  struct error *error)
{
	struct sql_build sql;
	*updates = (struct posted_updates){ 0 };
	if (!incident->comment)
		return OK;
	sql_start(&sql, SQL("SELECT " COLUMNS "FROM incident_updates WHERE incident_id = ? "
			    "ORDER BY at DESC, id DESC LIMIT ?"));
	sql_add(&sql, incident->id, INCIDENT_UPDATES_MAX);
	return db_read_into(db, &sql, FIELDS(rows), DB_INTO(updates, INCIDENT_UPDATES_MAX), arena,
			    error);
}

#define OF_UPDATE(member) FIELD_NAMED(struct incident_update_row, update.member, #member)
static const struct field listed_rows[] = {
	FIELD(struct incident_update_row, incident_id),
	FIELD(struct incident_update_row, total),
	OF_UPDATE(id),
	OF_UPDATE(phase),
	OF_UPDATE(body),
	OF_UPDATE(at),
	OF_UPDATE(edited_at),
	OF_UPDATE(impacts),
};

static int compare_ints(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int by_incident(const void *a, const void *b)
{
	const struct incident_update_row *left = a, *right = b;
	int order = compare_ints(left->incident_id, right->incident_id);
	if (order == 0)
		order = compare_ints(right->update.at.s, left->update.at.s);
	return order != 0 ? order : compare_ints(right->update.id, left->update.id);
}

/* This many updates fit into INCIDENT_UPDATES_SHOWN_MAX_BYTES, even if each has the longest
 * text. */
enum { FEW_UPDATES = INCIDENT_UPDATES_SHOWN_MAX_BYTES / (4 * INCIDENT_COMMENT_MAX_CHARS) };

static enum result list_few(struct db *db, const int64_t *ids, size_t count, struct arena *arena,
			    struct db_list *list, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT incident_id, 0 AS total, " COLUMNS "FROM incident_updates "
			    "FORCE INDEX (incident_updates_at) WHERE incident_id IN ("));
	sql_list_ints(&sql, ids, count, arena);
	sql_add(&sql, SQL(") LIMIT ?"), FEW_UPDATES + 1);
	return db_read_list(
		db, &sql,
		DB_SHAPE(FIELDS(listed_rows), struct incident_update_row, FEW_UPDATES + 1), arena,
		list, error);
}

/* Sorts by incident, newest first. */
static void sort_updates(struct db_list *list)
{
	if (list->count > 1)
		qsort(list->rows, list->count, sizeof(struct incident_update_row), by_incident);
}

/* Sets the total of each row. Keeps only the newest INCIDENT_UPDATES_SHOWN_MAX updates of each
 * incident. */
static void choose_shown(struct db_list *list)
{
	struct incident_update_row *found = list->rows;
	size_t kept = 0;
	for (size_t from = 0, to; from < list->count; from = to) {
		for (to = from;
		     to < list->count && found[to].incident_id == found[from].incident_id;)
			to++;
		for (size_t i = from; i < to && i < from + INCIDENT_UPDATES_SHOWN_MAX; i++) {
			found[kept] = found[i];
			found[kept++].total = (int64_t)(to - from);
		}
	}
	list->count = kept;
}

/* Selects the updates by subqueries that return only ids and lengths, and does not sort the result.
 * With texts to sort, the database would write a temporary table to its disk. */
static enum result list_many(struct db *db, const int64_t *ids, size_t count, struct arena *arena,
			     struct db_list *list, struct error *error)
{
	struct sql_build sql;
	size_t most = count * INCIDENT_UPDATES_SHOWN_MAX;
	sql_start(&sql, SQL("SELECT t.incident_id, kept.total, t.id, t.phase, t.body, t.at, "
			    "t.edited_at, t.impacts "
			    "FROM (SELECT placed.id, placed.total, SUM(LENGTH(b.body) + "
			    "COALESCE(LENGTH(b.impacts), 0)) OVER "
			    "(ORDER BY placed.place, placed.incident_id DESC "
			    "ROWS UNBOUNDED PRECEDING) AS bytes "
			    "FROM (SELECT u.id, u.incident_id, ROW_NUMBER() OVER "
			    "(PARTITION BY u.incident_id ORDER BY u.at DESC, u.id DESC) AS place, "
			    "COUNT(*) OVER (PARTITION BY u.incident_id) AS total "
			    "FROM incident_updates u FORCE INDEX (incident_updates_at) "
			    "WHERE u.incident_id IN ("));
	sql_list_ints(&sql, ids, count, arena);
	sql_add(&sql, SQL(")) placed JOIN incident_updates b ON b.id = placed.id "
			  "WHERE placed.place <= ?) kept "
			  "STRAIGHT_JOIN incident_updates t ON t.id = kept.id "
			  "WHERE kept.bytes <= ? LIMIT ?"));
	sql_add(&sql, INCIDENT_UPDATES_SHOWN_MAX, INCIDENT_UPDATES_SHOWN_MAX_BYTES, (int64_t)most);
	return db_read_list(db, &sql,
			    DB_SHAPE(FIELDS(listed_rows), struct incident_update_row, most), arena,
			    list, error);
}

enum result incident_updates_list(struct db *db, const int64_t *ids, size_t count,
				  struct arena *arena, struct db_list *list, struct error *error)
{
	enum result result = list_few(db, ids, count, arena, list, error);
	bool is_few = list->count <= FEW_UPDATES;
	if (result == OK && !is_few)
		result = list_many(db, ids, count, arena, list, error);
	if (result != OK)
		return result;
	sort_updates(list);
	if (is_few)
		choose_shown(list);
	return OK;
}

/* Returns the index of the incident's first row. If the incident has no row, returns the index at
 * which its row would be inserted. */
static size_t find_rows(const struct db_list *list, int64_t incident_id)
{
	return SORTED_PLACE(struct incident_update_row, incident_id, list->rows, list->count,
			    incident_id);
}

struct posted_updates incident_updates_of(const struct incident *incident,
					  const struct db_list *list, struct arena *arena,
					  size_t *total)
{
	const struct incident_update_row *found = list->rows;
	size_t from = find_rows(list, incident->id), count = 0;
	while (from + count < list->count && found[from + count].incident_id == incident->id)
		count++;
	struct posted_update *updates = ARENA_ARRAY(arena, count, struct posted_update);
	for (size_t i = 0; i < count; i++)
		updates[i] = found[from + i].update;
	*total = count > 0 ? (size_t)found[from].total : 0;
	return (struct posted_updates){ updates, count };
}
