/*
 * What monitoring reports of a monitor, and what that makes of its incidents.
 *
 * Reports may come twice and in any order, so each is judged against what is
 * known: the same one again changes nothing, and one that is older than what
 * was heard since is recorded as history and opens nothing. To be run in a
 * transaction.
 */
#ifndef STORE_REPORT_H
#define STORE_REPORT_H

#include "store/incident.h"

enum report_outcome {
	REPORT_UNCHANGED, /* known, or older than what is known */
	REPORT_OPENED,
	REPORT_RESOLVED,
	REPORT_RECORDED, /* an incident that is over already was added */
};
/* Whether there is one incident more, which counts against the account's quota. */
bool report_is_addition(enum report_outcome outcome);
/* "unchanged", "opened", "resolved", "recorded" */
const char *report_outcome_word(enum report_outcome outcome);

struct report {
	int64_t account_id;
	int64_t monitor_id;
	const char *title; /* public; NULL: none */
	const char *cause;
	struct instant at;	 /* since when it is down, or up again */
	bool is_now;		 /* the sender gave no time: it is news, whatever the clock says */
	struct instant ended_at; /* of what is over */
	struct instant now;	 /* by the database's clock; set by whoever judges it */
};

struct reported {
	enum report_outcome outcome;
	int64_t incident_id; /* 0: none is concerned */
};

/* Opens an incident without further questions, or finds the one that is open already. */
enum result report_open(struct db *db, const struct report *report,
			const struct incident_actor *actor, struct arena *arena,
			struct reported *reported, struct error *error) MUST_USE;

/*
 * The start of the open incident, where the report has an earlier start: reports may come in
 * any order. It stays if another incident of the monitor ended after report->at.
 */
enum result report_begin_earlier(struct db *db, const struct report *report, int64_t incident_id,
				 const struct incident_actor *actor, struct arena *arena,
				 struct error *error) MUST_USE;

/*
 * It is down since report->at. At most one incident of a monitor is open. E_INVALID: `at`
 * is further in the future than clocks differ (REPORT_SKEW_S).
 */
enum result report_down(struct db *db, const struct report *report,
			const struct incident_actor *actor, struct arena *arena,
			struct reported *reported, struct error *error) MUST_USE;
/* It is up since report->at: its open incident ends, if it had begun by then. E_INVALID. */
enum result report_up(struct db *db, const struct report *report,
		      const struct incident_actor *actor, struct arena *arena,
		      struct reported *reported, struct error *error) MUST_USE;

/* What reports are judged with. Their report has `now`, and times that are not beyond it. */

/* The incident that it was known to be down in at report->at. E_NOT_FOUND. */
enum result report_find(struct db *db, const struct report *report, struct arena *arena,
			int64_t *incident_id, struct error *error) MUST_USE;
/* Adds an incident that is over already. */
enum result report_record(struct db *db, const struct report *report,
			  const struct incident_actor *actor, struct reported *reported,
			  struct error *error) MUST_USE;
/* Ends the incident at report->ended_at. */
enum result report_end_incident(struct db *db, const struct incident *incident,
				const struct report *report, const struct incident_actor *actor,
				struct reported *reported, struct error *error) MUST_USE;

/* The account's monitors by id and by label, in one statement. */
struct report_match {
	const char *key; /* the id as text, or the label */
	int64_t monitor_id;
};
struct report_match_list {
	struct report_match *rows;
	size_t count;
};
/* `keys`: "7", "instance=web1:9100"; at most SQL_ROWS_MAX of them. */
enum result report_match(struct db *db, int64_t account_id, const char *const *keys, size_t count,
			 struct arena *arena, struct report_match_list *list, struct error *error)
	MUST_USE;

#endif
