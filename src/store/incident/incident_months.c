#include "store/incident/incident_months.h"

#include "domain/page_snapshot.h"

/* More than the months of all monitors of an incident take, as it was and as it is. */
enum { SCRATCH_MAX_BYTES = 64 << 20 };

static struct instant month_of(struct instant at)
{
	struct instant_parts parts = instant_split(at);
	return instant_of(
		&(struct instant_parts){ .year = parts.year, .month = parts.month, .day = 1 });
}

static struct instant next_month(struct instant start)
{
	return page_month_end(&(struct page_month){ .start = start });
}

/* The first of the newest months that are marked. */
static struct instant first_of(struct instant started_at, struct instant ended_at)
{
	struct instant_parts parts = instant_split(ended_at);
	struct instant first = next_month(month_of(started_at));
	struct instant_parts oldest = { .year = parts.year - PAGE_MONTHS_MAX / 12,
					.month = parts.month,
					.day = 1 };
	struct instant limit = instant_of(&oldest);
	return first.s > limit.s ? first : limit;
}

void later_months_add(struct later_months *months, int64_t monitor_id, struct instant started_at,
		      struct instant ended_at)
{
	if (ended_at.s == 0)
		return;
	for (struct instant start = first_of(started_at, ended_at); start.s < ended_at.s;
	     start = next_month(start)) {
		months->rows = arena_grow(months->arena, months->rows, months->count, &months->room,
					  sizeof(*months->rows));
		months->rows[months->count++] = (struct later_month){ monitor_id, start };
	}
}

void later_months_add_incident(struct later_months *months, const struct incident *incident)
{
	if (incident->kind == INCIDENT_DETECTED)
		later_months_add(months, incident->monitor_id, incident->started_at,
				 incident->ended_at);
	for (size_t i = 0; incident->kind == INCIDENT_REPORTED && i < incident->monitor_count; i++)
		later_months_add(months, incident->monitors[i].id, incident->started_at,
				 incident->ended_at);
}

enum result later_months_touch(struct db *db, const struct later_months *months,
			       struct error *error)
{
	static const struct sql_rows values = {
		.first = { "(?, ?, 1)" },
		.next = { ", (?, ?, 1)" },
		.repeats_last = true,
	};
	enum result result = OK;
	for (size_t from = 0, size; result == OK && from < months->count; from += size) {
		struct sql_build sql;
		size = sql_rows_chunk(&values, months->count - from);
		sql_start(&sql, SQL("INSERT INTO incident_months (monitor_id, month, revision) "
				    "VALUES "));
		sql_rows_begin(&sql, &values, size, months->arena);
		for (size_t i = from; i < from + size; i++) {
			sql_int(&sql, months->rows[i].monitor_id);
			sql_time(&sql, months->rows[i].start);
		}
		sql_rows_end(&sql);
		sql_add(&sql, SQL(" ON DUPLICATE KEY UPDATE revision = revision + 1"));
		result = db_write(db, &sql, NULL, error);
	}
	return result;
}

/* An incident that names pages has rows of later months that are not shown there: they only have
 * the revision. */
static enum result touch_pages(struct db *db, const struct incident *incident, struct arena *arena,
			       struct error *error)
{
	static const struct sql_rows values = {
		.first = { "SELECT CAST(? AS DATE) AS month" },
		.next = { " UNION ALL SELECT CAST(? AS DATE)" },
		.repeats_last = true,
	};
	struct later_months months = { .arena = arena };
	struct sql_build sql;
	later_months_add(&months, 0, incident->started_at, incident->ended_at);
	if (months.count == 0 || incident->page_ids.count == 0)
		return OK;
	sql_start(&sql,
		  SQL("INSERT INTO incident_pages (status_page_id, month, incident_id, "
		      "position, account_id, is_shown, revision, started_at, ends_at) "
		      "SELECT g.status_page_id, later.month, g.incident_id, g.position, "
		      "g.account_id, 0, 1, g.started_at, g.ends_at FROM incident_pages g JOIN ("));
	sql_rows_begin(&sql, &values, months.count, arena);
	for (size_t i = 0; i < months.count; i++)
		sql_time(&sql, months.rows[i].start);
	sql_rows_end(&sql);
	sql_add(&sql, SQL(") later WHERE g.incident_id = ? AND g.is_shown = 1 "
			  "ON DUPLICATE KEY UPDATE revision = incident_pages.revision + 1"));
	sql_int(&sql, incident->id);
	return db_write(db, &sql, NULL, error);
}

enum result incident_touch_later_months(struct db *db, const struct incident *before,
					const struct incident *after, struct error *error)
{
	const struct incident *const both[] = { before, after };
	struct arena scratch CLEANUP(arena_done);
	struct later_months months = { .arena = &scratch };
	enum result result = OK;
	arena_init(&scratch, SCRATCH_MAX_BYTES);
	for (size_t i = 0; i < ARRAY_LEN(both); i++)
		if (both[i])
			later_months_add_incident(&months, both[i]);
	result = later_months_touch(db, &months, error);
	for (size_t i = 0; result == OK && i < ARRAY_LEN(both); i++)
		if (both[i] && both[i]->kind == INCIDENT_REPORTED)
			result = touch_pages(db, both[i], &scratch, error);
	return result;
}
