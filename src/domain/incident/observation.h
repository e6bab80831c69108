/*
 * An observation is the state of a monitor, as monitoring has sent it. These rules turn
 * observations into incidents.
 *
 * Observations may come twice and in any order, so each is compared with the known incidents. A
 * repeated observation changes nothing. An observation that is older than the last known recovery
 * is recorded as an ended incident, and opens no incident.
 *
 * `now` is the database's clock, which all machines share. Even this clock may be set back or
 * forward, and rows may have times of another clock. So the rules ignore stored times after `now`,
 * and store no times after `now`.
 */
#ifndef DOMAIN_INCIDENT_OBSERVATION_H
#define DOMAIN_INCIDENT_OBSERVATION_H

#include <stdbool.h>

#include "domain/incident/incident.h"

/* How far a sender's clock may be ahead of the database's clock. */
enum { OBSERVATION_SKEW_S = 300 };

struct observation {
	int64_t account_id;
	int64_t monitor_id;
	const char *title; /* public; NULL: none */
	const char *cause;
	struct instant at; /* since when the monitor is down, or up again */
	bool is_now;	   /* the sender gave no time: the observation counts as the newest state */
	struct instant ended_at; /* the end of an outage that is over */
	bool has_impact;    /* monitoring has sent `impact`; false: the impact is a major outage */
	int impact;	    /* enum incident_impact */
	struct instant now; /* the database's clock; see observation_settle() */
};

enum observation_outcome {
	OBSERVATION_UNCHANGED, /* the state is known already, or older than the known state */
	OBSERVATION_OPENED,
	OBSERVATION_RESOLVED,
	OBSERVATION_RECORDED, /* added an incident that is over already */
};

struct observed {
	enum observation_outcome outcome;
	int64_t incident_id; /* the incident that was opened, ended or recorded; 0: none */
	int64_t monitor_id;
};

/* An alert about one monitor. An alert that matches several monitors becomes one struct for each
 * monitor. */
struct alert_observation {
	const char *source; /* identifies the alert in the account from its start to its end */
	struct observation observation; /* ended_at is the end of an alert that is over */
	bool is_gone; /* an outcome: the monitor was removed before the alert was stored */
	struct observed observed;
	size_t alert; /* the index of the alert in the payload */
};

/* Returns "unchanged", "opened", "resolved" or "recorded". */
const char *observation_outcome_word(enum observation_outcome outcome);
/* Returns whether the outcome adds an incident, which counts against the account's quota. */
bool observation_is_addition(enum observation_outcome outcome);
/* Returns the impact that the observation gives to its incident. */
int observation_impact(const struct observation *observation);
/* Returns the incident that the observation opens or records. */
struct incident observation_incident(const struct observation *observation);

/* Returns the time that a sender gave, or `now` if that time is later than `now`. */
struct instant observation_time(struct instant given, struct instant now);

/* Returns the stored time, or none (0) if that time is later than `now`. */
struct instant observation_believed(struct instant stored, struct instant now);

/*
 * Sets observation->now to `now`, the database's clock. An observation later than `now` gets the
 * time `now`. A *last_up_at later than `now` becomes 0. Returns false if the observation is more
 * than OBSERVATION_SKEW_S in the future.
 */
bool observation_settle(struct observation *observation, struct instant *last_up_at,
			struct instant now);

/* The effect of an observation that a monitor is down. `last` is the argument of
 * observation_judge_down(). */
enum observation_verdict {
	OBSERVATION_KNOWN,  /* `last` already covers the time of the observation */
	OBSERVATION_RECORD, /* add an incident that ended when the monitor was last up */
	OBSERVATION_OPEN,   /* open an incident, or backdate the open one */
};
/* Returns the effect of the observation. `last`: the newest of the monitor's incidents that began
 * at or before the time of the observation; NULL: none. */
enum observation_verdict observation_judge_down(const struct observation *observation,
						struct instant last_up_at,
						const struct incident *last);

/*
 * Returns whether `at` lies within the incident, so that an outage at this time is known already.
 * `incident` must be the newest that began at or before `at`. An end that is later than `now` is
 * not believed: then only the start of the incident lies within it.
 */
bool observation_is_within(const struct incident *incident, struct instant at, struct instant now);

/*
 * Returns whether to move the start of the open incident back to `at`, because an observation says
 * that the monitor was down at that time. `former` is the monitor's incident before the open one;
 * NULL: none. Returns false if `former` had not ended by `at`.
 */
bool observation_backdates(const struct incident *open, const struct incident *former,
			   struct instant at);

/* Returns whether an observation that the monitor is up is newer than last_up_at, the stored time
 * at which the monitor was last up. */
bool observation_is_latest_up(const struct observation *observation, struct instant last_up_at);
/* Returns whether the monitor's record begins with the observation. `known_since` is the start of
 * the record; 0: no state was ever observed. */
bool observation_begins_record(const struct observation *observation, struct instant known_since);
/*
 * Returns whether an observation that the monitor is up ends the open incident: is_now is set, or
 * observation->at is not before the start of the incident. If the incident starts after
 * observation->now, it counts as started OBSERVATION_SKEW_S before observation->now.
 */
bool observation_ends(const struct observation *observation, const struct incident *open);

/* Ends the incident at `at`, but not before its start, and not after `now`. A start after `now` is
 * moved to the end. */
enum incident_move observation_end(struct incident *incident, struct instant at,
				   struct instant now);

/*
 * Returns whether the incident of a group of alerts stays open after a payload has ended alerts. It
 * does if `firing` alerts still fire, or if a new alert began at or before `ended_at`. first_new:
 * the start of the first new alert; 0: none.
 */
bool observation_goes_on(int64_t firing, struct instant first_new, struct instant ended_at);

#endif
