#include "store/incident/alert_batch.h"

#include <stdlib.h>
#include <string.h>

#include "store/incident/incident_columns.h"

static int by_source(const void *a, const void *b)
{
	return strcmp(((const struct alert_source *)a)->source,
		      ((const struct alert_source *)b)->source);
}

struct alert_monitor *alert_batch_monitor(const struct alert_batch *batch, int64_t id)
{
	return batch->monitor_count > 0 ? bsearch(&id, batch->monitors, batch->monitor_count,
						  sizeof(*batch->monitors), id_order)
					: NULL;
}

/* Whether the payload is a single observation. An alert has a source, an observation has none. */
static bool is_single(const struct alert_observation *alerts, size_t count)
{
	return count == 1 && !alerts[0].source;
}

/*
 * Locks the next monitors of `ids`, and adds them to the batch. Uses SYSDATE(), which is the time
 * after the lock was granted. NOW() would be the time when the statement began to wait. The
 * subqueries for a single observation also run after the lock. They must not lock anything: a gap
 * lock in the index incidents_one_open would delay inserts of other monitors' incidents.
 */
static enum result lock_some(struct alert_batch *batch, const int64_t *ids, size_t count,
			     bool is_single)
{
	static const struct field rows[] = {
		FIELD(struct alert_monitor, id),	 FIELD(struct alert_monitor, now),
		FIELD(struct alert_monitor, last_up_at), FIELD(struct alert_monitor, known_since),
		FIELD(struct alert_monitor, open_id),	 FIELD(struct alert_monitor, is_on_no_page)
	};
	struct sql_build sql;
	struct db_list found;
	arena_reset(batch->row);
	sql_start(&sql, SQL("SELECT m.id, SYSDATE() AS now, m.last_up_at, m.known_since, "));
	sql_add(&sql, is_single ? SQL("(SELECT i.id FROM incidents i "
				      "WHERE i.open_monitor_id = m.id) AS open_id, "
				      "NOT EXISTS (SELECT 1 FROM status_page_monitors s "
				      "WHERE s.monitor_id = m.id) AS is_on_no_page ")
				: SQL("0 AS open_id, 0 AS is_on_no_page "));
	/* Force the primary key, so that monitors are locked in the order of ids. An index by
	 * account would lock in another order, and would also lock other monitors. */
	sql_add(&sql, SQL("FROM monitors m FORCE INDEX (PRIMARY) WHERE m.id IN ("));
	sql_list_ints(&sql, ids, count, batch->row);
	sql_add(&sql, SQL(") AND m.account_id = ? AND m.retired_at IS NULL ORDER BY m.id LIMIT ? "
			  "FOR UPDATE"));
	sql_add(&sql, batch->account_id, (int64_t)count);
	enum result result = db_read_list(batch->db, &sql,
					  DB_SHAPE(FIELDS(rows), struct alert_monitor, count),
					  batch->row, &found, batch->error);
	for (size_t i = 0; result == OK && i < found.count; i++) {
		const struct alert_monitor *monitor = (struct alert_monitor *)found.rows + i;
		batch->monitors[batch->monitor_count++] = *monitor;
		if (monitor->now.s > batch->now.s)
			batch->now = monitor->now;
	}
	return result;
}

enum result alert_batch_lock(struct alert_batch *batch, struct alert_observation *alerts,
			     size_t count)
{
	int64_t *ids = ARENA_ARRAY(batch->arena, count, int64_t);
	enum result result = OK;
	for (size_t i = 0; i < count; i++)
		ids[i] = alerts[i].observation.monitor_id;
	struct id_list list = { ids, count };
	id_list_settle(&list);
	const size_t distinct = list.count;
	batch->monitors = ARENA_ARRAY(batch->arena, distinct, struct alert_monitor);
	for (size_t from = 0, size; result == OK && from < distinct; from += size) {
		size = sql_rows_chunk(&sql_list, distinct - from);
		result = lock_some(batch, ids + from, size, is_single(alerts, count));
	}
	return result;
}

/* Collects the different sources of the payload, sorted. Their data are not read yet. */
static void collect_sources(struct alert_batch *batch)
{
	struct alert_source *rows = ARENA_ARRAY(batch->arena, batch->count, struct alert_source);
	size_t count = 0;
	for (size_t i = 0; i < batch->count; i++)
		rows[i].source = batch->entries[i].alert->source;
	qsort(rows, batch->count, sizeof(*rows), by_source);
	for (size_t i = 0; i < batch->count; i++)
		if (count == 0 || strcmp(rows[count - 1].source, rows[i].source) != 0)
			rows[count++] = rows[i];
	batch->sources = rows;
	batch->source_count = count;
	for (size_t i = 0; i < batch->count; i++) {
		struct alert_source wanted = { .source = batch->entries[i].alert->source };
		batch->entries[i].source = bsearch(&wanted, rows, count, sizeof(wanted), by_source);
	}
}

static void learn_open(struct alert_batch *batch, struct alert_monitor *monitor,
		       const struct alert_source *row)
{
	struct incident *open = ARENA_NEW(batch->arena, struct incident);
	*open = (struct incident){ .id = row->incident_id,
				   .account_id = batch->account_id,
				   .monitor_id = monitor->id,
				   .started_at = row->started_at,
				   .impact = (int)row->impact,
				   .phase = (int)row->phase,
				   .next_update_at = row->next_update_at,
				   .is_on_no_page = row->is_on_no_page };
	monitor->open = open;
	monitor->open_id = open->id;
	monitor->open_since = open->started_at;
}

/* Copies a row to the source or the monitor that it describes. */
static void learn(struct alert_batch *batch, const struct alert_source *row)
{
	if (row->monitor_id > 0) {
		struct alert_monitor *monitor = alert_batch_monitor(batch, row->monitor_id);
		monitor->is_on_no_page = row->is_on_no_page;
		if (row->incident_id > 0)
			learn_open(batch, monitor, row);
		return;
	}
	struct alert_source *source =
		bsearch(row, batch->sources, batch->source_count, sizeof(*source), by_source);
	source->incident_id = row->incident_id;
	source->ended_at = row->ended_at;
	source->is_known = true;
}

/* The sources and monitors of the batch that fit into one statement. */
struct alert_part {
	const char **sources;
	size_t source_count;
	int64_t *monitors;
	size_t monitor_count;
};

static enum result read_some(struct alert_batch *batch, const struct alert_part *part)
{
	static const struct field fields[] = { FIELD(struct alert_source, source),
					       FIELD(struct alert_source, monitor_id),
					       FIELD(struct alert_source, incident_id),
					       FIELD(struct alert_source, started_at),
					       FIELD(struct alert_source, ended_at),
					       FIELD(struct alert_source, is_on_no_page),
					       FIELD(struct alert_source, impact),
					       FIELD(struct alert_source, phase),
					       FIELD(struct alert_source, next_update_at) };
	struct sql_build sql;
	struct db_list found;
	size_t most = part->source_count + part->monitor_count;
	sql_start(&sql, SQL("SELECT s.source, 0 AS monitor_id, s.incident_id, NULL AS started_at, "
			    "s.ended_at, 0 AS is_on_no_page, 0 AS impact, 0 AS phase, "
			    "NULL AS next_update_at FROM incident_sources s "
			    "WHERE s.account_id = ? AND s.source IN ("));
	sql_add(&sql, batch->account_id);
	sql_list_texts(&sql, part->sources, part->source_count, batch->row);
	sql_add(&sql, SQL(") UNION ALL "
			  "SELECT '', m.id, i.id, i.started_at, NULL, "
			  "NOT EXISTS (SELECT 1 FROM status_page_monitors p "
			  "WHERE p.monitor_id = m.id), i.impact, i.phase, i.next_update_at "
			  "FROM monitors m "
			  "LEFT JOIN incidents i ON i.open_monitor_id = m.id WHERE m.id IN ("));
	sql_list_ints(&sql, part->monitors, part->monitor_count, batch->row);
	sql_add(&sql, SQL(") ORDER BY 1, 2 LIMIT ?"), (int64_t)most);
	enum result result = db_read_list(batch->db, &sql,
					  DB_SHAPE(FIELDS(fields), struct alert_source, most),
					  batch->row, &found, batch->error);
	for (size_t i = 0; result == OK && i < found.count; i++)
		learn(batch, (struct alert_source *)found.rows + i);
	return result;
}

enum result alert_batch_read(struct alert_batch *batch)
{
	enum result result = OK;
	collect_sources(batch);
	size_t sources = 0, monitors = 0;
	while (result == OK && (sources < batch->source_count || monitors < batch->monitor_count)) {
		arena_reset(batch->row);
		struct alert_part part = {
			.source_count = sql_rows_chunk(&sql_list, batch->source_count - sources),
			.monitor_count = sql_rows_chunk(&sql_list, batch->monitor_count - monitors),
		};
		part.sources = ARENA_ARRAY(batch->row, part.source_count, const char *);
		part.monitors = ARENA_ARRAY(batch->row, part.monitor_count, int64_t);
		for (size_t i = 0; i < part.source_count; i++)
			part.sources[i] = batch->sources[sources++].source;
		for (size_t i = 0; i < part.monitor_count; i++)
			part.monitors[i] = batch->monitors[monitors++].id;
		result = read_some(batch, &part);
	}
	return result;
}

static const struct sql_rows source_rows = {
	.first = { "(?, ?, ?, ?)" },
	.next = { ", (?, ?, ?, ?)" },
	.repeats_last = true,
};

static enum result save_some(struct alert_batch *batch, struct alert_source *const *changed,
			     size_t count)
{
	struct sql_build sql;
	arena_reset(batch->row);
	sql_start(&sql, SQL("INSERT INTO incident_sources "
			    "(account_id, source, incident_id, ended_at) VALUES "));
	sql_rows_begin(&sql, &source_rows, count, batch->row);
	for (size_t i = 0; i < count; i++)
		sql_add(&sql, batch->account_id, changed[i]->source, changed[i]->incident_id,
			changed[i]->ended_at);
	sql_rows_end(&sql);
	sql_add(&sql, SQL(" ON DUPLICATE KEY UPDATE ended_at = VALUES(ended_at)"));
	return db_write(batch->db, &sql, NULL, batch->error);
}

enum result alert_batch_save(struct alert_batch *batch)
{
	struct alert_source **changed =
		ARENA_ARRAY(batch->arena, batch->source_count, struct alert_source *);
	enum result result = OK;
	size_t count = 0;
	for (size_t i = 0; i < batch->source_count; i++) {
		if (batch->sources[i].is_changed)
			changed[count++] = &batch->sources[i];
		batch->sources[i].is_changed = false;
	}
	for (size_t from = 0, size; result == OK && from < count; from += size) {
		size = sql_rows_chunk(&source_rows, count - from);
		result = save_some(batch, changed + from, size);
	}
	return result;
}

static enum result find_ended(struct alert_batch *batch, const int64_t *ids, size_t count,
			      struct db_list *found)
{
	static const struct field rows[] = { FIELD(struct alert_ended, incident_id),
					     FIELD(struct alert_ended, monitor_id),
					     FIELD(struct alert_ended, firing),
					     FIELD(struct alert_ended, ended_at) };
	struct sql_build sql;
	arena_reset(batch->row);
	sql_start(&sql, SQL("SELECT i.id AS incident_id, i.monitor_id, "
			    "COUNT(*) - COUNT(s.ended_at) AS firing, MAX(s.ended_at) AS ended_at "
			    "FROM incidents i JOIN incident_sources s ON s.incident_id = i.id "
			    "WHERE i.id IN ("));
	sql_list_ints(&sql, ids, count, batch->row);
	sql_add(&sql, SQL(") AND i.account_id = ? AND i.ended_at IS NULL "
			  "GROUP BY i.id, i.monitor_id ORDER BY i.id LIMIT ?"));
	sql_add(&sql, batch->account_id, (int64_t)count);
	return db_read_list(batch->db, &sql, DB_SHAPE(FIELDS(rows), struct alert_ended, count),
			    batch->row, found, batch->error);
}

enum result alert_batch_ended(struct alert_batch *batch, int64_t *ids, size_t count,
			      struct db_list *found)
{
	struct id_list list = { ids, count };
	id_list_settle(&list);
	const size_t distinct = list.count;
	struct alert_ended *rows = ARENA_ARRAY(batch->arena, distinct, struct alert_ended);
	struct db_list some;
	enum result result = OK;
	*found = (struct db_list){ .rows = rows };
	for (size_t from = 0, size; result == OK && from < distinct; from += size) {
		size = sql_rows_chunk(&sql_list, distinct - from);
		result = find_ended(batch, ids + from, size, &some);
		if (result != OK || some.count == 0)
			continue;
		memcpy(rows + found->count, some.rows, some.count * sizeof(*rows));
		found->count += some.count;
	}
	return result;
}

/* clang-format off */
#define MOVED_ROW(name, type) FIELD(struct incident, name),
#define MEMBER(name) FIELD(struct incident, name)
static const struct field moved_rows[] = {
	MOVED_COLUMNS(MOVED_ROW) MEMBER(id), MEMBER(account_id), MEMBER(monitor_id),
	MEMBER(revision), MEMBER(acknowledged_at),
};
/* clang-format on */
#define MOVED \
	MOVED_COLUMNS(COLUMN_READ) \
	"i.id, i.account_id, i.monitor_id, i.revision, i.acknowledged_at "

/* A function that reads the incidents for some ids by one statement, in the memory of
 * batch->row. */
typedef enum result incident_reader(struct alert_batch *batch, const int64_t *ids, size_t count,
				    struct db_list *found);

/* Reads the incidents of all ids, in lists that fit into a statement. */
static enum result read_each(struct alert_batch *batch, incident_reader *reader,
			     const struct id_list *ids, struct db_list *found)
{
	struct incident *incidents = ARENA_ARRAY(batch->arena, ids->count, struct incident);
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

static enum result lock_incidents(struct alert_batch *batch, const int64_t *ids, size_t count,
				  struct db_list *found)
{
	struct sql_build sql;
	/* Search by id: another index would also lock other incidents. */
	sql_start(&sql, SQL("SELECT " MOVED "FROM incidents i FORCE INDEX (PRIMARY) "
			    "WHERE i.id IN ("));
	sql_list_ints(&sql, ids, count, batch->row);
	sql_add(&sql, SQL(") AND i.account_id = ? ORDER BY i.id LIMIT ? FOR UPDATE"),
		batch->account_id, (int64_t)count);
	return db_read_list(batch->db, &sql, DB_SHAPE(FIELDS(moved_rows), struct incident, count),
			    batch->row, found, batch->error);
}

enum result alert_batch_lock_incidents(struct alert_batch *batch, const struct id_list *ids,
				       struct db_list *found)
{
	return read_each(batch, lock_incidents, ids, found);
}

static enum result newest_of_some(struct alert_batch *batch, const int64_t *monitor_ids,
				  size_t count, struct db_list *found)
{
	struct sql_build sql;
	/* The subquery reads only the last index entry of each monitor. */
	sql_start(&sql, SQL("SELECT " MOVED "FROM monitors m JOIN incidents i ON i.id = "
			    "(SELECT n.id FROM incidents n "
			    "FORCE INDEX (incidents_monitor_starts) WHERE n.monitor_id = m.id "
			    "ORDER BY n.started_at DESC, n.id DESC LIMIT 1) WHERE m.id IN ("));
	sql_list_ints(&sql, monitor_ids, count, batch->row);
	sql_add(&sql, SQL(") ORDER BY i.monitor_id LIMIT ?"), (int64_t)count);
	return db_read_list(batch->db, &sql, DB_SHAPE(FIELDS(moved_rows), struct incident, count),
			    batch->row, found, batch->error);
}

enum result alert_batch_newest(struct alert_batch *batch, const struct id_list *monitor_ids,
			       struct db_list *found)
{
	return read_each(batch, newest_of_some, monitor_ids, found);
}

enum result alert_batch_up(struct alert_batch *batch, const struct observation *observation)
{
	struct sql_build sql;
	sql_start(&sql, SQL("UPDATE monitors SET last_up_at = ? WHERE id = ?"), observation->at,
		  observation->monitor_id);
	return db_write(batch->db, &sql, NULL, batch->error);
}
