#include "store/report.h"

#include <string.h>

#include "domain/report_time.h"
#include "store/publication.h"

const char *report_outcome_word(enum report_outcome outcome)
{
	static const char *const words[] = { "unchanged", "opened", "resolved", "recorded" };
	return words[outcome];
}

bool report_is_addition(enum report_outcome outcome)
{
	return outcome == REPORT_OPENED || outcome == REPORT_RECORDED;
}

static struct incident incident_of(const struct report *report)
{
	return (struct incident){
		.account_id = report->account_id,
		.monitor_id = report->monitor_id,
		.title = report->title,
		.cause = report->cause,
		.started_at = report->at,
		.ended_at = report->ended_at,
	};
}

enum result report_open(struct db *db, const struct report *report,
			const struct incident_actor *actor, struct arena *arena,
			struct reported *reported, struct error *error)
{
	struct incident incident = incident_of(report);
	enum result result = incident_insert(db, &incident, actor, "opened", error);
	if (result == OK) {
		*reported = (struct reported){ REPORT_OPENED, incident.id };
		return OK;
	}
	if (result != E_CONFLICT)
		return result;
	*error = (struct error){ 0 };
	result = incident_find_open(db, report->monitor_id, arena, &incident, error);
	*reported = (struct reported){ REPORT_UNCHANGED, result == OK ? incident.id : 0 };
	/* Ended between the two: begin again. */
	return result == E_NOT_FOUND ? error_log(error, E_RETRY, "an incident ended meanwhile")
				     : result;
}

enum result report_begin_earlier(struct db *db, const struct report *report, int64_t incident_id,
				 const struct incident_actor *actor, struct arena *arena,
				 struct error *error)
{
	struct incident open, former;
	enum result result =
		incident_find(db, report->account_id, incident_id, true, arena, &open, error);
	if (result != OK || report->at.s >= open.started_at.s)
		return result == E_NOT_FOUND ? OK : result;
	struct incident after = open;
	struct instant before = { open.started_at.s - 1 };
	result = incident_find_last(db, open.monitor_id, before, arena, &former, error);
	if (result == OK && (former.ended_at.s == 0 || former.ended_at.s > report->at.s))
		return OK;
	if (result != OK && result != E_NOT_FOUND)
		return result;
	after.started_at = report->at;
	return incident_save(db, &open, &after, actor, "backdated", NULL, error);
}

enum result report_end_incident(struct db *db, const struct incident *incident,
				const struct report *report, const struct incident_actor *actor,
				struct reported *reported, struct error *error)
{
	struct incident after = *incident;
	reported->incident_id = incident->id;
	if (report_end(&after, report->ended_at, report->now) != INCIDENT_MOVED)
		return OK;
	reported->outcome = REPORT_RESOLVED;
	return incident_save(db, incident, &after, actor, "resolved", NULL, error);
}

enum result report_record(struct db *db, const struct report *report,
			  const struct incident_actor *actor, struct reported *reported,
			  struct error *error)
{
	struct incident incident = incident_of(report);
	incident.ended_at = report->ended_at;
	enum result result = incident_insert(db, &incident, actor, "recorded", error);
	*reported = (struct reported){ REPORT_RECORDED, incident.id };
	return result;
}

enum result report_find(struct db *db, const struct report *report, struct arena *arena,
			int64_t *incident_id, struct error *error)
{
	struct incident known;
	enum result result =
		incident_find_last(db, report->monitor_id, report->at, arena, &known, error);
	if (result != OK)
		return result;
	if (!report_is_within(&known, report->at, report->now))
		return E_NOT_FOUND;
	*incident_id = known.id;
	return OK;
}

struct locked {
	struct instant last_up_at;
	struct instant known_since;
	struct instant now;
};

/*
 * Locks the monitor, so that its reports are judged one after another, and by one clock.
 * SYSDATE() is read once the lock is had; NOW() is when the statement began to wait for it.
 */
static enum result judge(struct db *db, struct report *report, struct arena *arena,
			 struct locked *locked, struct error *error)
{
	static const struct field rows[] = { FIELD(struct locked, last_up_at),
					     FIELD(struct locked, known_since),
					     FIELD(struct locked, now) };
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT last_up_at, known_since, SYSDATE() AS now FROM monitors "
			    "WHERE id = ? AND account_id = ? AND retired_at IS NULL ORDER BY id "
			    "LIMIT 1 FOR UPDATE"));
	sql_int(&sql, report->monitor_id);
	sql_int(&sql, report->account_id);
	enum result result = db_read_one(db, &sql, FIELDS(rows), locked, arena, error);
	if (result != OK)
		return result;
	if (!report->is_now && report->at.s > locked->now.s + REPORT_SKEW_S)
		return E_INVALID;
	report->now = locked->now;
	report->at = report->is_now ? locked->now : report_time(report->at, locked->now);
	locked->last_up_at = report_believed(locked->last_up_at, locked->now);
	return OK;
}

enum result report_down(struct db *db, const struct report *given,
			const struct incident_actor *actor, struct arena *arena,
			struct reported *reported, struct error *error)
{
	struct report report = *given;
	struct locked locked;
	*reported = (struct reported){ 0 };
	enum result result = judge(db, &report, arena, &locked, error);
	if (result != OK)
		return result;
	if (report.is_now)
		return report_open(db, &report, actor, arena, reported, error);
	result = report_find(db, &report, arena, &reported->incident_id, error);
	if (result != E_NOT_FOUND)
		return result;
	report.ended_at = locked.last_up_at;
	if (locked.last_up_at.s > report.at.s)
		return report_record(db, &report, actor, reported, error);
	report.ended_at = (struct instant){ 0 };
	result = report_open(db, &report, actor, arena, reported, error);
	if (result == OK && reported->outcome == REPORT_UNCHANGED)
		result = report_begin_earlier(db, &report, reported->incident_id, actor, arena,
					      error);
	return result;
}

static enum result note_up(struct db *db, const struct report *report, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("UPDATE monitors SET last_up_at = ? WHERE id = ?"));
	sql_time(&sql, report->at);
	sql_int(&sql, report->monitor_id);
	return db_write(db, &sql, NULL, error);
}

/* The first state of a monitor changes what pages show of it. */
static enum result begin_record(struct db *db, const struct report *report, struct error *error)
{
	const struct publication_change change = {
		.monitor_id = report->monitor_id,
		.known_since = report->at,
		.now = report->now,
	};
	return publication_mark_dirty(db, &change, error);
}

enum result report_up(struct db *db, const struct report *given, const struct incident_actor *actor,
		      struct arena *arena, struct reported *reported, struct error *error)
{
	struct report report = *given;
	struct locked locked;
	struct incident open;
	*reported = (struct reported){ 0 };
	enum result result = judge(db, &report, arena, &locked, error);
	/* A time that is not believed counts as none, and is replaced. */
	if (result == OK && report.at.s > locked.last_up_at.s)
		result = note_up(db, &report, error);
	if (result == OK && (locked.known_since.s == 0 || locked.known_since.s > report.at.s))
		result = begin_record(db, &report, error);
	if (result == OK)
		result = incident_find_open(db, report.monitor_id, arena, &open, error);
	if (result != OK)
		return result == E_NOT_FOUND ? OK : result;
	if (!report.is_now && !report_ends(&open, report.at, report.now))
		return OK;
	report.ended_at = report.at;
	return report_end_incident(db, &open, &report, actor, reported, error);
}

/* The ids among the keys: "7". */
static size_t ids_of(const char *const *keys, size_t count, int64_t *ids)
{
	enum { ID_MAX_DIGITS = 18 };
	size_t found = 0;
	for (size_t i = 0; i < count; i++)
		if (keys[i][0] != '0' && strlen(keys[i]) <= ID_MAX_DIGITS &&
		    keys[i][strspn(keys[i], "0123456789")] == '\0' &&
		    str_to_int64(str_from(keys[i]), &ids[found]))
			found++;
	return found;
}

enum result report_match(struct db *db, int64_t account_id, const char *const *keys, size_t count,
			 struct arena *arena, struct report_match_list *list, struct error *error)
{
	static const struct field match_rows[] = { FIELD(struct report_match, key),
						   FIELD(struct report_match, monitor_id) };
	int64_t *ids = ARENA_ARRAY(arena, count, int64_t);
	size_t ids_count = ids_of(keys, count, ids);
	struct sql_build sql;
	struct db_list found;
	/* By id and by label apart, so that either is a look-up in an index. */
	sql_start(&sql, SQL("SELECT m.label AS `key`, m.id AS monitor_id FROM monitors m "
			    "WHERE m.account_id = ? AND m.label IN ("));
	sql_int(&sql, account_id);
	sql_list_texts(&sql, keys, count, arena);
	sql_add(&sql, SQL(") AND m.retired_at IS NULL "
			  "UNION "
			  "SELECT CAST(m.id AS CHAR(20) CHARACTER SET utf8mb4), m.id "
			  "FROM monitors m WHERE m.account_id = ? AND m.id IN ("));
	sql_int(&sql, account_id);
	sql_list_ints(&sql, ids, ids_count, arena);
	sql_add(&sql, SQL(") AND m.retired_at IS NULL ORDER BY 1, 2 LIMIT 20000"));
	enum result result = db_read_list(db, &sql,
					  DB_SHAPE(FIELDS(match_rows), struct report_match, 20000),
					  arena, &found, error);
	*list = (struct report_match_list){ found.rows, found.count };
	return result;
}
