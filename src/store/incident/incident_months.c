/*
 * The months of incidents, from the month of an incident's start to the month of its end. Pages
 * list the incident in each of these months. The table incident_months has a row for each month.
 * For an open incident, it has only the first month: pages derive the later months from the clock.
 */
#include "domain/page/page_snapshot.h"
#include "store/incident/incident_derived.h"

enum { SCRATCH_MAX_BYTES = 256 << 20 };

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

struct instant incident_month_of(const struct incident *incident)
{
	return month_of(incident->started_at);
}

struct instant incident_later_month(const struct incident *incident, struct instant month)
{
	struct instant_parts parts = instant_split(incident->ended_at);
	struct instant_parts oldest = { .year = parts.year - PAGE_MONTHS_MAX / 12,
					.month = parts.month,
					.day = 1 };
	struct instant next = next_month(month), limit = instant_of(&oldest);
	if (next.s < limit.s)
		next = limit;
	return next.s < incident->ended_at.s ? next : (struct instant){ 0 };
}

/* Adds `add` to the revision of the month, for each monitor of the incident. */
static void add_month(struct sums *sums, const struct incident *incident, struct instant month,
		      int64_t add)
{
	for (size_t i = 0; i < incident_system_count(incident); i++)
		sums_add(sums, (struct sum){ incident_system_id(incident, i), month.s, add });
}

static void add_later_months(struct sums *sums, const struct incident *incident)
{
	if (!incident)
		return;
	for (struct instant month = incident_later_month(incident, incident_month_of(incident));
	     month.s > 0; month = incident_later_month(incident, month))
		add_month(sums, incident, month, 1);
}

static const struct sql_rows month_rows = {
	.first = { "SELECT CAST(? AS SIGNED) AS id, CAST(? AS DATE) AS month, "
		   "CAST(? AS SIGNED) AS revision" },
	.next = { " UNION ALL SELECT CAST(? AS SIGNED), CAST(? AS DATE), CAST(? AS SIGNED)" },
};

static void add_change(struct sums *sums, const struct incident_change *change, bool has_start)
{
	const struct incident *before = change->before, *after = change->after;
	bool is_same = before && after && before->started_at.s == after->started_at.s;
	/* With has_start, the caller increments this month. Adding 0 only inserts the row if it is
	 * missing. */
	if (after && !(is_same && has_start))
		add_month(sums, after, incident_month_of(after), has_start ? 0 : 1);
	if (before && !(is_same && has_start))
		add_month(sums, before, incident_month_of(before), 1);
	add_later_months(sums, before);
	add_later_months(sums, after);
}

enum result incident_write_months(const struct incident_set *set, bool has_start)
{
	struct arena scratch CLEANUP(arena_done);
	struct sums sums = { .arena = &scratch };
	enum result result = OK;
	arena_init(&scratch, SCRATCH_MAX_BYTES);
	for (size_t i = 0; i < set->count; i++)
		add_change(&sums, &set->rows[i], has_start);
	sums_settle(&sums);
	for (size_t from = 0, size; result == OK && from < sums.count; from += size) {
		struct sql_build sql;
		size = sql_rows_chunk(&month_rows, sums.count - from);
		sql_start(&sql, SQL("INSERT INTO incident_months (monitor_id, month, revision) "
				    "SELECT given.id, given.month, given.revision FROM ("));
		sql_rows_begin(&sql, &month_rows, size, &scratch);
		for (size_t i = from; i < from + size; i++)
			sql_add(&sql, sums.rows[i].id, (struct instant){ sums.rows[i].part },
				sums.rows[i].add > 0);
		sql_rows_end(&sql);
		sql_add(&sql, SQL(") given WHERE given.id IS NOT NULL "
				  "ORDER BY given.id, given.month ON DUPLICATE KEY UPDATE "
				  "revision = incident_months.revision + VALUES(revision)"));
		result = db_write(set->db, &sql, NULL, set->error);
	}
	return result;
}
