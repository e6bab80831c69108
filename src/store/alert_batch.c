#include "store/alert_batch.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

/* Lists of ids and sources as JSON: some hundred bytes an alert. */
enum { LIST_MAX_BYTES = 64 << 20 };

static int by_id(const void *a, const void *b)
{
	int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
	return (left > right) - (left < right);
}

static int by_source(const void *a, const void *b)
{
	return strcmp(((const struct alert_source *)a)->source,
		      ((const struct alert_source *)b)->source);
}

struct alert_monitor *alert_batch_monitor(const struct alert_batch *batch, int64_t id)
{
	return batch->monitor_count > 0 ? bsearch(&id, batch->monitors, batch->monitor_count,
						  sizeof(*batch->monitors), by_id)
					: NULL;
}

static const char *finish_list(struct alert_batch *batch, struct buf *list)
{
	buf_putc(list, ']');
	const char *text = buf_ok(list) ? arena_strndup(batch->arena, list->data, list->len) : NULL;
	buf_done(list);
	return text;
}

/* Distinct ids as a JSON array; `ids` is sorted. */
static const char *list_of_ids(struct alert_batch *batch, int64_t *ids, size_t count)
{
	struct buf list = BUF_INIT(LIST_MAX_BYTES);
	qsort(ids, count, sizeof(*ids), by_id);
	buf_putc(&list, '[');
	for (size_t i = 0; i < count; i++)
		if (i == 0 || ids[i] != ids[i - 1])
			buf_printf(&list, "%s%" PRId64, i > 0 ? "," : "", ids[i]);
	return finish_list(batch, &list);
}

static enum result lack(struct alert_batch *batch)
{
	return error_log(batch->error, E_FAILED, "no memory for a list of alerts");
}

enum result alert_batch_lock(struct alert_batch *batch, struct alert_observation *alerts,
			     size_t count)
{
	static const struct field rows[] = { FIELD(struct alert_monitor, id),
					     FIELD(struct alert_monitor, now) };
	int64_t *ids = ARENA_ARRAY(batch->arena, count, int64_t);
	struct sql_build sql;
	struct db_list found;
	for (size_t i = 0; i < count; i++)
		ids[i] = alerts[i].observation.monitor_id;
	const char *list = list_of_ids(batch, ids, count);
	if (!list)
		return lack(batch);
	sql_start(&sql, SQL("SELECT m.id, SYSDATE() AS now "
			    "FROM JSON_TABLE(?, '$[*]' COLUMNS (its_id BIGINT PATH '$')) wanted "
			    "JOIN monitors m ON m.id = wanted.its_id AND m.account_id = ? "
			    "ORDER BY m.id LIMIT ? FOR UPDATE"));
	sql_text(&sql, list);
	sql_int(&sql, batch->account_id);
	sql_int(&sql, (int64_t)count);
	enum result result = db_read_list(batch->db, &sql,
					  DB_SHAPE(FIELDS(rows), struct alert_monitor, count),
					  batch->arena, &found, batch->error);
	batch->monitors = found.rows;
	batch->monitor_count = found.count;
	for (size_t i = 0; result == OK && i < found.count; i++)
		if (batch->monitors[i].now.s > batch->now.s)
			batch->now = batch->monitors[i].now;
	return result;
}

/* The sources of the payload, each once and sorted; nothing is known of them yet. */
static const char *collect_sources(struct alert_batch *batch)
{
	struct buf list = BUF_INIT(LIST_MAX_BYTES);
	struct alert_source *rows = ARENA_ARRAY(batch->arena, batch->count, struct alert_source);
	size_t count = 0;
	for (size_t i = 0; i < batch->count; i++)
		rows[i].source = batch->entries[i].alert->source;
	qsort(rows, batch->count, sizeof(*rows), by_source);
	buf_putc(&list, '[');
	for (size_t i = 0; i < batch->count; i++) {
		if (count > 0 && strcmp(rows[count - 1].source, rows[i].source) == 0)
			continue;
		buf_printf(&list, "%s\"%s\"", count > 0 ? "," : "", rows[i].source);
		rows[count++] = rows[i];
	}
	batch->sources = rows;
	batch->source_count = count;
	for (size_t i = 0; i < batch->count; i++) {
		struct alert_source wanted = { .source = batch->entries[i].alert->source };
		batch->entries[i].source = bsearch(&wanted, rows, count, sizeof(wanted), by_source);
	}
	return finish_list(batch, &list);
}

enum result alert_batch_read(struct alert_batch *batch)
{
	static const struct field fields[] = { FIELD(struct alert_source, source),
					       FIELD(struct alert_source, monitor_id),
					       FIELD(struct alert_source, incident_id),
					       FIELD(struct alert_source, started_at),
					       FIELD(struct alert_source, ended_at) };
	const char *sources = collect_sources(batch);
	int64_t *ids = ARENA_ARRAY(batch->arena, batch->monitor_count, int64_t);
	struct sql_build sql;
	struct db_list found;
	size_t most = batch->source_count + batch->monitor_count;
	for (size_t i = 0; i < batch->monitor_count; i++)
		ids[i] = batch->monitors[i].id;
	const char *monitors = list_of_ids(batch, ids, batch->monitor_count);
	if (!sources || !monitors)
		return lack(batch);
	sql_start(&sql, SQL("SELECT s.source, 0 AS monitor_id, s.incident_id, NULL AS started_at, "
			    "s.ended_at "
			    "FROM JSON_TABLE(?, '$[*]' COLUMNS (its_source VARCHAR(128) "
			    "CHARACTER SET ascii COLLATE ascii_bin PATH '$')) wanted "
			    "JOIN incident_sources s ON s.account_id = ? "
			    "AND s.source = wanted.its_source "
			    "UNION ALL "
			    "SELECT '', i.open_monitor_id, i.id, i.started_at, NULL "
			    "FROM JSON_TABLE(?, '$[*]' COLUMNS (its_id BIGINT PATH '$')) asked "
			    "JOIN incidents i ON i.open_monitor_id = asked.its_id "
			    "ORDER BY 1, 2 LIMIT ?"));
	sql_text(&sql, sources);
	sql_int(&sql, batch->account_id);
	sql_text(&sql, monitors);
	sql_int(&sql, (int64_t)most);
	enum result result = db_read_list(batch->db, &sql,
					  DB_SHAPE(FIELDS(fields), struct alert_source, most),
					  batch->arena, &found, batch->error);
	const struct alert_source *rows = found.rows;
	for (size_t i = 0; result == OK && i < found.count; i++) {
		if (rows[i].monitor_id > 0) {
			struct alert_monitor *monitor =
				alert_batch_monitor(batch, rows[i].monitor_id);
			monitor->open_id = rows[i].incident_id;
			monitor->open_since = rows[i].started_at;
			continue;
		}
		struct alert_source *source = bsearch(&rows[i], batch->sources, batch->source_count,
						      sizeof(*source), by_source);
		source->incident_id = rows[i].incident_id;
		source->ended_at = rows[i].ended_at;
		source->is_known = true;
	}
	return result;
}

enum result alert_batch_save(struct alert_batch *batch)
{
	struct buf list = BUF_INIT(LIST_MAX_BYTES);
	struct sql_build sql;
	char time[INSTANT_TEXT_SIZE];
	size_t count = 0;
	buf_putc(&list, '[');
	for (size_t i = 0; i < batch->source_count; i++) {
		struct alert_source *source = &batch->sources[i];
		if (!source->is_changed)
			continue;
		source->is_changed = false;
		buf_printf(&list, "%s[\"%s\",%" PRId64, count++ > 0 ? "," : "", source->source,
			   source->incident_id);
		if (source->ended_at.s > 0)
			buf_printf(&list, ",\"%s\"", instant_format_sql(source->ended_at, time));
		buf_putc(&list, ']');
	}
	const char *changed = finish_list(batch, &list);
	if (!changed)
		return lack(batch);
	if (count == 0)
		return OK;
	sql_start(&sql,
		  SQL("INSERT INTO incident_sources (account_id, source, incident_id, ended_at) "
		      "SELECT ?, given.source, given.incident_id, given.ended_at "
		      "FROM JSON_TABLE(?, '$[*]' COLUMNS ("
		      "source VARCHAR(128) CHARACTER SET ascii COLLATE ascii_bin PATH '$[0]', "
		      "incident_id BIGINT PATH '$[1]', ended_at DATETIME PATH '$[2]')) given "
		      "ON DUPLICATE KEY UPDATE ended_at = VALUES(ended_at)"));
	sql_int(&sql, batch->account_id);
	sql_text(&sql, changed);
	return db_write(batch->db, &sql, NULL, batch->error);
}

enum result alert_batch_ended(struct alert_batch *batch, int64_t *ids, size_t count,
			      struct db_list *found)
{
	static const struct field rows[] = { FIELD(struct alert_ended, incident_id),
					     FIELD(struct alert_ended, monitor_id),
					     FIELD(struct alert_ended, firing),
					     FIELD(struct alert_ended, ended_at) };
	const char *list = list_of_ids(batch, ids, count);
	struct sql_build sql;
	if (!list)
		return lack(batch);
	sql_start(&sql, SQL("SELECT i.id AS incident_id, i.monitor_id, "
			    "COUNT(*) - COUNT(s.ended_at) AS firing, MAX(s.ended_at) AS ended_at "
			    "FROM JSON_TABLE(?, '$[*]' COLUMNS (its_id BIGINT PATH '$')) wanted "
			    "JOIN incidents i ON i.id = wanted.its_id AND i.account_id = ? "
			    "JOIN incident_sources s ON s.incident_id = i.id "
			    "WHERE i.ended_at IS NULL "
			    "GROUP BY i.id, i.monitor_id ORDER BY i.id LIMIT ?"));
	sql_text(&sql, list);
	sql_int(&sql, batch->account_id);
	sql_int(&sql, (int64_t)count);
	return db_read_list(batch->db, &sql, DB_SHAPE(FIELDS(rows), struct alert_ended, count),
			    batch->arena, found, batch->error);
}
