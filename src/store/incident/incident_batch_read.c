/* The reads of a payload of alerts, and its marks of monitors and pages. */
#include "store/incident/incident_batch.h"

#include <string.h>

#include "store/page/publication.h"

#define MEMBER(name) FIELD(struct incident, name)
static const struct field rows[] = {
	MEMBER(id),	    MEMBER(account_id),	     MEMBER(monitor_id), MEMBER(revision),
	MEMBER(started_at), MEMBER(acknowledged_at), MEMBER(ended_at),
};
#define COLUMNS \
	"i.id, i.account_id, i.monitor_id, i.revision, i.started_at, i.acknowledged_at, " \
	"i.ended_at "

/* Reads some of the incidents into the arena of one statement. */
typedef enum result incident_reader(const struct incident_batch *batch, const int64_t *ids,
				    size_t count, struct db_list *found);

/* Reads the incidents of all ids, with a statement for each list that a statement may have. */
static enum result read_each(const struct incident_batch *batch, incident_reader *reader,
			     const struct id_list *ids, struct arena *arena, struct db_list *found)
{
	struct incident *incidents = ARENA_ARRAY(arena, ids->count, struct incident);
	struct db_list some;
	enum result result = OK;
	*found = (struct db_list){ .rows = incidents };
	for (size_t from = 0, size; result == OK && from < ids->count; from += size) {
		size = sql_rows_chunk(&sql_list, ids->count - from);
		arena_reset(batch->row);
		result = reader(batch, ids->ids + from, size, &some);
		if (result != OK || some.count == 0)
			continue;
		memcpy(incidents + found->count, some.rows, some.count * sizeof(*incidents));
		found->count += some.count;
	}
	return result;
}

static enum result lock_some(const struct incident_batch *batch, const int64_t *ids, size_t count,
			     struct db_list *found)
{
	struct sql_build sql;
	/* By id: another index would lock other incidents, too. */
	sql_start(&sql, SQL("SELECT " COLUMNS "FROM incidents i FORCE INDEX (PRIMARY) "
			    "WHERE i.id IN ("));
	sql_list_ints(&sql, ids, count, batch->row);
	sql_add(&sql, SQL(") AND i.account_id = ? ORDER BY i.id LIMIT ? FOR UPDATE"));
	sql_int(&sql, batch->account_id);
	sql_int(&sql, (int64_t)count);
	return db_read_list(batch->db, &sql, DB_SHAPE(FIELDS(rows), struct incident, count),
			    batch->row, found, batch->error);
}

enum result incident_batch_lock(const struct incident_batch *batch, const struct id_list *ids,
				struct arena *arena, struct db_list *found)
{
	return read_each(batch, lock_some, ids, arena, found);
}

static enum result newest_of_some(const struct incident_batch *batch, const int64_t *monitor_ids,
				  size_t count, struct db_list *found)
{
	struct sql_build sql;
	/* Each monitor is one look-up at the end of its part of the index. */
	sql_start(&sql, SQL("SELECT " COLUMNS "FROM monitors m JOIN incidents i ON i.id = "
			    "(SELECT n.id FROM incidents n "
			    "FORCE INDEX (incidents_monitor_starts) WHERE n.monitor_id = m.id "
			    "ORDER BY n.started_at DESC, n.id DESC LIMIT 1) WHERE m.id IN ("));
	sql_list_ints(&sql, monitor_ids, count, batch->row);
	sql_add(&sql, SQL(") ORDER BY i.monitor_id LIMIT ?"));
	sql_int(&sql, (int64_t)count);
	return db_read_list(batch->db, &sql, DB_SHAPE(FIELDS(rows), struct incident, count),
			    batch->row, found, batch->error);
}

enum result incident_batch_newest(const struct incident_batch *batch,
				  const struct id_list *monitor_ids, struct arena *arena,
				  struct db_list *found)
{
	return read_each(batch, newest_of_some, monitor_ids, arena, found);
}

/* The ids of some monitors; with is_shown only of those that a page may show. */
static size_t ids_of(const struct batch_monitor *monitors, size_t count, bool is_shown,
		     int64_t *ids)
{
	size_t kept = 0;
	for (size_t i = 0; i < count; i++)
		if (!is_shown || !monitors[i].is_on_no_page)
			ids[kept++] = monitors[i].id;
	return kept;
}

static enum result touch_monitors(const struct incident_batch *batch, const int64_t *ids,
				  size_t count)
{
	struct sql_build sql;
	sql_start(&sql, SQL("UPDATE monitors SET updated_at = GREATEST(updated_at, ?) "
			    "WHERE id IN ("));
	sql_time(&sql, batch->now);
	sql_list_ints(&sql, ids, count, batch->row);
	sql_add(&sql, SQL(")"));
	return db_write(batch->db, &sql, NULL, batch->error);
}

/* In the order of the pages: two payloads then wait for each other, and need not be repeated. */
static enum result mark_dirty(const struct incident_batch *batch, const int64_t *ids, size_t count)
{
	struct sql_build sql;
	if (count == 0)
		return OK;
	sql_start(&sql, SQL("UPDATE (SELECT DISTINCT s.status_page_id AS id "
			    "FROM status_page_monitors s WHERE s.monitor_id IN ("));
	sql_list_ints(&sql, ids, count, batch->row);
	sql_add(&sql, SQL(") ORDER BY s.status_page_id LIMIT 1000000) shown "
			  "STRAIGHT_JOIN page_revisions r ON r.page_id = shown.id "
			  "SET " PUBLICATION_MARK_DIRTY));
	sql_time(&sql, batch->now);
	return db_write(batch->db, &sql, NULL, batch->error);
}

static const struct sql_rows record_rows = {
	.first = { "SELECT CAST(? AS SIGNED) AS id, CAST(? AS DATETIME) AS known_since" },
	.next = { " UNION ALL SELECT CAST(? AS SIGNED), CAST(? AS DATETIME)" },
};

/* Touches monitors, and lets the records of some of them begin earlier. */
static enum result begin_records(const struct incident_batch *batch,
				 const struct batch_monitor *monitors, size_t count)
{
	struct sql_build sql;
	sql_start(&sql, SQL("UPDATE ("));
	sql_rows_begin(&sql, &record_rows, count, batch->row);
	for (size_t i = 0; i < count; i++) {
		sql_int(&sql, monitors[i].id);
		sql_time(&sql, monitors[i].known_since);
	}
	sql_rows_end(&sql);
	sql_add(&sql, SQL(") given STRAIGHT_JOIN monitors m ON m.id = given.id "
			  "SET m.updated_at = GREATEST(m.updated_at, ?), m.known_since = "
			  "COALESCE(LEAST(m.known_since, given.known_since), m.known_since, "
			  "given.known_since)"));
	sql_time(&sql, batch->now);
	return db_write(batch->db, &sql, NULL, batch->error);
}

static bool begins_records(const struct batch_monitor *monitors, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (monitors[i].known_since.s > 0)
			return true;
	return false;
}

enum result incident_batch_mark_pages(const struct incident_batch *batch,
				      const struct batch_monitor *monitors, size_t count)
{
	enum result result = OK;
	for (size_t from = 0, size; result == OK && from < count; from += size) {
		size = sql_rows_chunk(&record_rows, count - from);
		arena_reset(batch->row);
		int64_t *ids = ARENA_ARRAY(batch->row, size, int64_t);
		if (begins_records(monitors + from, size))
			result = begin_records(batch, monitors + from, size);
		else
			result = touch_monitors(batch, ids,
						ids_of(monitors + from, size, false, ids));
		if (result == OK)
			result = mark_dirty(batch, ids, ids_of(monitors + from, size, true, ids));
	}
	return result;
}
