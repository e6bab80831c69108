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
	const char *source; /* names one alert from its start to its end; NULL without such */
	const char *cause;
	struct instant at;	 /* since when it is down, or up again */
	bool is_now;		 /* the sender gave no time: it cannot be an old report */
	struct instant ended_at; /* of an alert that is over */
	bool adds_nothing;	 /* the quota is used up: an alert may only end what there is */
};

struct reported {
	enum report_outcome outcome;
	int64_t incident_id; /* 0: none is concerned */
};

/* Opens an incident without further questions, or finds the one that is open already. */
enum result report_open(struct db *db, const struct report *report,
			const struct incident_actor *actor, struct arena *arena,
			struct reported *reported, struct error *error) MUST_USE;

/* It is down since report->at. At most one incident of a monitor is open. */
enum result report_down(struct db *db, const struct report *report,
			const struct incident_actor *actor, struct arena *arena,
			struct reported *reported, struct error *error) MUST_USE;
/* It is up since report->at: its open incident ends, if it had begun by then. */
enum result report_up(struct db *db, const struct report *report,
		      const struct incident_actor *actor, struct arena *arena,
		      struct reported *reported, struct error *error) MUST_USE;

/*
 * An alert with a source of its own fires, or is over (ended_at set). Several
 * alerts of a monitor share its incident, which ends with the last of them.
 */
enum result report_alert(struct db *db, const struct report *report,
			 const struct incident_actor *actor, struct arena *arena,
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
/* `json` is an array of keys: "7", "instance=web1:9100". */
enum result report_match(struct db *db, int64_t account_id, const char *json,
			 struct arena *arena, struct report_match_list *list, struct error *error)
	MUST_USE;

#endif
