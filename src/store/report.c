#include "store/report.h"

#include <string.h>

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
	if (result != E_TAKEN)
		return result;
	*error = (struct error){ 0 };
	result = incident_find_open(db, report->monitor_id, arena, &incident, error);
	*reported = (struct reported){ REPORT_UNCHANGED, result == OK ? incident.id : 0 };
	/* Ended between the two: begin again. */
	return result == E_MISSING ? error_log(error, E_RETRY, "an incident ended meanwhile")
				   : result;
}

static enum result end_incident(struct db *db, const struct incident *incident, struct instant at,
				const struct incident_actor *actor, struct reported *reported,
				struct error *error)
{
	struct incident after = *incident;
	reported->incident_id = incident->id;
	if (incident_resolve(&after, at) != INCIDENT_MOVED)
		return OK;
	reported->outcome = REPORT_RESOLVED;
	return incident_save(db, incident, &after, actor, "resolved", NULL, error);
}

/* Adds an incident that is over already. */
static enum result record(struct db *db, const struct report *report, struct instant ended_at,
			  const struct incident_actor *actor, struct reported *reported,
			  struct error *error)
{
	struct incident incident = incident_of(report);
	incident.ended_at = ended_at;
	enum result result = incident_insert(db, &incident, actor, "recorded", error);
	*reported = (struct reported){ REPORT_RECORDED, incident.id };
	return result;
}

struct last_up {
	struct instant last_up_at;
};

/* Locks the monitor, so that its reports are judged one after another. */
static enum result lock_monitor(struct db *db, const struct report *report, struct arena *arena,
				struct last_up *last_up, struct error *error)
{
	static const struct field last_up_rows[] = { FIELD(struct last_up, last_up_at) };
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT last_up_at FROM monitors WHERE id = ? AND account_id = ? "
			    "ORDER BY id LIMIT 1 FOR UPDATE"));
	sql_int(&sql, report->monitor_id);
	sql_int(&sql, report->account_id);
	return db_read_one(db, &sql, FIELDS(last_up_rows), last_up, arena, error);
}

enum result report_down(struct db *db, const struct report *report,
			const struct incident_actor *actor, struct arena *arena,
			struct reported *reported, struct error *error)
{
	struct last_up last_up;
	struct incident known;
	*reported = (struct reported){ 0 };
	enum result result = lock_monitor(db, report, arena, &last_up, error);
	if (result != OK)
		return result;
	if (report->is_now)
		return report_open(db, report, actor, arena, reported, error);
	result = incident_find_at(db, report->monitor_id, report->at, arena, &known, error);
	if (result == OK) {
		reported->incident_id = known.id;
		return OK;
	}
	if (result != E_MISSING)
		return result;
	if (last_up.last_up_at.s > report->at.s)
		return record(db, report, last_up.last_up_at, actor, reported, error);
	return report_open(db, report, actor, arena, reported, error);
}

static enum result note_up(struct db *db, const struct report *report, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("UPDATE monitors SET last_up_at = ? "
			    "WHERE id = ? AND (last_up_at IS NULL OR last_up_at < ?)"));
	sql_time(&sql, report->at);
	sql_int(&sql, report->monitor_id);
	sql_time(&sql, report->at);
	return db_write(db, &sql, NULL, error);
}

enum result report_up(struct db *db, const struct report *report,
		      const struct incident_actor *actor, struct arena *arena,
		      struct reported *reported, struct error *error)
{
	struct last_up last_up;
	struct incident open;
	*reported = (struct reported){ 0 };
	enum result result = lock_monitor(db, report, arena, &last_up, error);
	if (result == OK)
		result = note_up(db, report, error);
	if (result == OK)
		result = incident_find_open(db, report->monitor_id, arena, &open, error);
	if (result != OK)
		return result == E_MISSING ? OK : result;
	if (open.started_at.s > report->at.s)
		return OK;
	return end_incident(db, &open, report->at, actor, reported, error);
}

struct source {
	int64_t incident_id;
	struct instant ended_at;
	int64_t others; /* alerts of the same incident that still fire */
};

static enum result find_source(struct db *db, const struct report *report, struct arena *arena,
			       struct source *source, struct error *error)
{
	static const struct field source_rows[] = {
		FIELD(struct source, incident_id),
		FIELD(struct source, ended_at),
		FIELD(struct source, others),
	};
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT s.incident_id, s.ended_at, "
			    "(SELECT COUNT(*) FROM incident_sources o "
			    "WHERE o.incident_id = s.incident_id AND o.ended_at IS NULL "
			    "AND o.source <> s.source) AS others "
			    "FROM incident_sources s WHERE s.account_id = ? AND s.source = ? "
			    "ORDER BY s.source LIMIT 1 FOR UPDATE"));
	sql_int(&sql, report->account_id);
	sql_text(&sql, report->source);
	return db_read_one(db, &sql, FIELDS(source_rows), source, arena, error);
}

static enum result put_source(struct db *db, const struct report *report, int64_t incident_id,
			      struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("INSERT INTO incident_sources (account_id, source, incident_id, ended_at) "
			    "VALUES (?, ?, ?, ?) ON DUPLICATE KEY UPDATE ended_at = VALUES(ended_at)"));
	sql_int(&sql, report->account_id);
	sql_text(&sql, report->source);
	sql_int(&sql, incident_id);
	sql_time(&sql, report->ended_at);
	return db_write(db, &sql, NULL, error);
}

/* An alert is over whose beginning was never heard of. */
static enum result record_alert(struct db *db, const struct report *report,
				const struct incident_actor *actor, struct arena *arena,
				struct reported *reported, struct error *error)
{
	struct incident known;
	enum result result =
		incident_find_at(db, report->monitor_id, report->at, arena, &known, error);
	if (result == OK)
		reported->incident_id = known.id;
	else if (result == E_MISSING)
		result = record(db, report, report->ended_at, actor, reported, error);
	return result == OK ? put_source(db, report, reported->incident_id, error) : result;
}

static enum result end_alert(struct db *db, const struct report *report,
			     const struct source *source, const struct incident_actor *actor,
			     struct arena *arena, struct reported *reported, struct error *error)
{
	struct incident incident;
	enum result result = put_source(db, report, source->incident_id, error);
	if (result != OK || source->others > 0)
		return result;
	result = incident_find(db, report->account_id, source->incident_id, true, arena, &incident,
			       error);
	/* Deleted meanwhile: nothing is left to end. */
	if (result != OK)
		return result == E_MISSING ? OK : result;
	return end_incident(db, &incident, report->ended_at, actor, reported, error);
}

enum result report_alert(struct db *db, const struct report *report,
			 const struct incident_actor *actor, struct arena *arena,
			 struct reported *reported, struct error *error)
{
	struct last_up last_up;
	struct source source;
	bool is_over = report->ended_at.s > 0;
	*reported = (struct reported){ 0 };
	enum result result = lock_monitor(db, report, arena, &last_up, error);
	if (result == OK)
		result = find_source(db, report, arena, &source, error);
	if (result == OK) {
		reported->incident_id = source.incident_id;
		if (!is_over || source.ended_at.s > 0)
			return OK;
		return end_alert(db, report, &source, actor, arena, reported, error);
	}
	if (result != E_MISSING)
		return result;
	if (report->adds_nothing)
		return OK;
	if (is_over)
		return record_alert(db, report, actor, arena, reported, error);
	result = report_open(db, report, actor, arena, reported, error);
	return result == OK ? put_source(db, report, reported->incident_id, error) : result;
}

enum result report_match(struct db *db, int64_t account_id, const char *json,
			 struct arena *arena, struct report_match_list *list, struct error *error)
{
	static const struct field match_rows[] = { FIELD(struct report_match, key),
						   FIELD(struct report_match, monitor_id) };
	struct sql_build sql;
	struct db_list found;
	/* By id and by label apart, so that either is a look-up in an index. */
	sql_start(&sql, SQL("SELECT wanted.its_key AS `key`, m.id AS monitor_id "
			    "FROM JSON_TABLE(?, '$[*]' COLUMNS (its_key VARCHAR(255) "
			    "CHARACTER SET utf8mb4 COLLATE utf8mb4_bin PATH '$')) wanted "
			    "JOIN monitors m ON m.account_id = ? AND m.label = wanted.its_key "
			    "UNION "
			    "SELECT wanted.its_key, m.id "
			    "FROM JSON_TABLE(?, '$[*]' COLUMNS (its_key VARCHAR(255) "
			    "CHARACTER SET utf8mb4 COLLATE utf8mb4_bin PATH '$')) wanted "
			    "JOIN monitors m ON wanted.its_key REGEXP '^[1-9][0-9]{0,17}$' "
			    "AND m.id = CAST(wanted.its_key AS UNSIGNED) AND m.account_id = ? "
			    "ORDER BY 1, 2 LIMIT 20000"));
	sql_text(&sql, json);
	sql_int(&sql, account_id);
	sql_text(&sql, json);
	sql_int(&sql, account_id);
	enum result result =
		db_read_list(db, &sql, DB_SHAPE(FIELDS(match_rows), struct report_match, 20000),
			     arena, &found, error);
	*list = (struct report_match_list){ found.rows, found.count };
	return result;
}
