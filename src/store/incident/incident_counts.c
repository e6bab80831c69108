/*
 * The kept counts of incidents. incident_counts has detected incidents by monitor and status,
 * report_counts has reported incidents by account and status.
 */
#include "store/incident/incident.h"
#include "store/incident/incident_derived.h"

#include <stdlib.h>

enum { SCRATCH_MAX_BYTES = 16 << 20 };

void sums_add(struct sums *sums, struct sum sum)
{
	sums->rows =
		arena_grow(sums->arena, sums->rows, sums->count, &sums->room, sizeof(*sums->rows));
	sums->rows[sums->count++] = sum;
}

static int by_place(const void *a, const void *b)
{
	const struct sum *left = a, *right = b;
	if (left->id != right->id)
		return left->id < right->id ? -1 : 1;
	return (left->part > right->part) - (left->part < right->part);
}

void sums_settle(struct sums *sums)
{
	size_t kept = 0;
	if (sums->count > 1)
		qsort(sums->rows, sums->count, sizeof(*sums->rows), by_place);
	for (size_t i = 0; i < sums->count; i++)
		if (kept > 0 && by_place(&sums->rows[kept - 1], &sums->rows[i]) == 0)
			sums->rows[kept - 1].add += sums->rows[i].add;
		else
			sums->rows[kept++] = sums->rows[i];
	sums->count = kept;
}

static const struct sql_rows sum_rows = {
	.first = { "SELECT CAST(? AS SIGNED) AS id, CAST(? AS SIGNED) AS part, "
		   "CAST(? AS SIGNED) AS total" },
	.next = { " UNION ALL SELECT CAST(? AS SIGNED), CAST(? AS SIGNED), CAST(? AS SIGNED)" },
};

static void add_status(struct sums *sums, const struct incident *incident, int64_t add)
{
	bool is_detected = incident->kind == INCIDENT_DETECTED;
	sums_add(sums, (struct sum){ is_detected ? incident->monitor_id : incident->account_id,
				     incident_status(incident), add });
}

/* Returns the numbers to add to the counts of one kind of incidents. Each change adds -1 to the
 * count of its former status, and 1 to the count of its new status. */
static struct sums sums_of(const struct incident_set *set, enum incident_kind kind,
			   struct arena *arena)
{
	struct sums sums = { .arena = arena };
	size_t kept = 0;
	for (size_t i = 0; i < set->count; i++) {
		const struct incident *before = set->rows[i].before, *after = set->rows[i].after;
		if (before && (enum incident_kind)before->kind == kind)
			add_status(&sums, before, -1);
		if (after && (enum incident_kind)after->kind == kind)
			add_status(&sums, after, 1);
	}
	sums_settle(&sums);
	for (size_t i = 0; i < sums.count; i++)
		if (sums.rows[i].add != 0)
			sums.rows[kept++] = sums.rows[i];
	sums.count = kept;
	return sums;
}

static enum result add_to_monitors(const struct incident_set *set, const struct sums *sums)
{
	enum result result = OK;
	for (size_t from = 0, size; result == OK && from < sums->count; from += size) {
		struct sql_build sql;
		size = sql_rows_chunk(&sum_rows, sums->count - from);
		sql_start(&sql, SQL("INSERT INTO incident_counts (monitor_id, status, account_id, "
				    "total) SELECT given.id, given.part, ?, given.total FROM ("));
		sql_add(&sql, set->account_id);
		sql_rows_begin(&sql, &sum_rows, size, sums->arena);
		for (size_t i = from; i < from + size; i++)
			sql_add(&sql, sums->rows[i].id, sums->rows[i].part, sums->rows[i].add);
		sql_rows_end(&sql);
		sql_add(&sql, SQL(") given WHERE given.id IS NOT NULL "
				  "ORDER BY given.id, given.part ON DUPLICATE KEY UPDATE "
				  "total = incident_counts.total + VALUES(total)"));
		result = db_write(set->db, &sql, NULL, set->error);
	}
	return result;
}

/* Adds the numbers to the account's three counts. Writes all three in the same order, so that they
 * are always locked in this order. */
static enum result add_to_account(const struct incident_set *set, const struct sums *sums)
{
	int64_t adds[INCIDENT_RESOLVED + 1] = { 0 };
	struct sql_build sql;
	if (sums->count == 0)
		return OK;
	for (size_t i = 0; i < sums->count; i++)
		adds[sums->rows[i].part] = sums->rows[i].add;
	sql_start(&sql, SQL("INSERT INTO report_counts (account_id, status, total) "
			    "VALUES (?, ?, ?), (?, ?, ?), (?, ?, ?) "
			    "ON DUPLICATE KEY UPDATE total = total + VALUES(total)"));
	for (size_t status = 0; status < ARRAY_LEN(adds); status++)
		sql_add(&sql, set->account_id, (int64_t)status, adds[status]);
	return db_write(set->db, &sql, NULL, set->error);
}

enum result incident_write_counts(const struct incident_set *set)
{
	struct arena scratch CLEANUP(arena_done);
	arena_init(&scratch, SCRATCH_MAX_BYTES);
	const struct sums detected = sums_of(set, INCIDENT_DETECTED, &scratch);
	const struct sums reported = sums_of(set, INCIDENT_REPORTED, &scratch);
	enum result result = add_to_monitors(set, &detected);
	return result == OK ? add_to_account(set, &reported) : result;
}

#define COUNTED \
	"(SELECT monitor_id, status, account_id, COUNT(*) AS total FROM incidents " \
	"WHERE monitor_id IS NOT NULL " \
	"GROUP BY monitor_id, status, account_id) counted "

/* Counts the rows at position 0. Each reported incident has exactly one such row. */
#define REPORTS \
	"(SELECT account_id, status, COUNT(*) AS total FROM incident_monitors " \
	"WHERE position = 0 GROUP BY account_id, status) reports "
#define OF_REPORTS "ON kept.account_id = reports.account_id AND kept.status = reports.status "

enum result incident_counts_check(struct db *db, int64_t *wrong, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql,
		  SQL("SELECT (SELECT COUNT(*) FROM " COUNTED "LEFT JOIN incident_counts kept "
		      "ON kept.monitor_id = counted.monitor_id "
		      "AND kept.status = counted.status "
		      "WHERE kept.total IS NULL OR kept.total <> counted.total) + "
		      "(SELECT COUNT(*) FROM incident_counts kept LEFT JOIN " COUNTED
		      "ON kept.monitor_id = counted.monitor_id "
		      "AND kept.status = counted.status "
		      "WHERE counted.total IS NULL AND kept.total <> 0) + "
		      "(SELECT COUNT(*) FROM " REPORTS "LEFT JOIN report_counts kept " OF_REPORTS
		      "WHERE kept.total IS NULL) + "
		      "(SELECT COUNT(*) FROM report_counts kept LEFT JOIN " REPORTS OF_REPORTS
		      "WHERE kept.total <> COALESCE(reports.total, 0)) AS wrong"));
	return db_read_int(db, &sql, wrong, error);
}

enum result incident_counts_rebuild(struct db *db, struct error *error)
{
	static const struct sql statements[] = {
		{ "DELETE FROM incident_counts" },
		{ "INSERT INTO incident_counts (monitor_id, status, account_id, total) "
		  "SELECT monitor_id, status, account_id, total FROM " COUNTED },
		{ "DELETE FROM report_counts" },
		{ "INSERT INTO report_counts (account_id, status, total) "
		  "SELECT account_id, status, total FROM " REPORTS },
	};
	enum result result = OK;
	for (size_t i = 0; result == OK && i < ARRAY_LEN(statements); i++) {
		struct sql_build sql;
		sql_start(&sql, statements[i]);
		result = db_write(db, &sql, NULL, error);
	}
	return result;
}
