/*
 * What monitoring observes of a monitor, and the rules by which it becomes incidents.
 *
 * Observations may come twice and in any order, so each is judged against what is known: the
 * same one again changes nothing, and one that is older than the last known recovery is
 * recorded as history and opens nothing.
 *
 * `now` is the database's clock, which all machines share. It may still be set back or
 * forth, and rows may have been written by another clock: so a stored time beyond `now`
 * is not believed, and none is stored.
 */
#ifndef DOMAIN_OBSERVATION_H
#define DOMAIN_OBSERVATION_H

#include <stdbool.h>

#include "domain/incident.h"

/* How far a sender's clock may be ahead of ours. */
enum { OBSERVATION_SKEW_S = 300 };

struct observation {
	int64_t account_id;
	int64_t monitor_id;
	const char *title; /* public; NULL: none */
	const char *cause;
	struct instant at;	 /* since when it is down, or up again */
	bool is_now;		 /* the sender gave no time: it counts as the newest state */
	struct instant ended_at; /* of an outage that is over */
	bool has_impact;	 /* monitoring tells the impact; else it is a major outage */
	int impact;		 /* enum incident_impact */
	struct instant now;	 /* by the database's clock; see observation_settle() */
};

enum observation_outcome {
	OBSERVATION_UNCHANGED, /* the state is known already, or older than the known state */
	OBSERVATION_OPENED,
	OBSERVATION_RESOLVED,
	OBSERVATION_RECORDED, /* an incident that is over already was added */
};

struct observed {
	enum observation_outcome outcome;
	int64_t incident_id; /* 0: none is concerned */
	int64_t monitor_id;
};

/* An alert of one monitor. An alert that matches several monitors is there for each. */
struct alert_observation {
	const char *source; /* names the alert from its start to its end; of the account */
	struct observation observation; /* ended_at: of an alert that is over */
	bool is_gone; /* the monitor was removed meanwhile; an outcome like the next */
	struct observed observed;
	size_t alert; /* the place of the alert in the payload */
};

/* "unchanged", "opened", "resolved", "recorded" */
const char *observation_outcome_word(enum observation_outcome outcome);
/* Whether there is one incident more, which counts against the account's quota. */
bool observation_is_addition(enum observation_outcome outcome);
/* The impact that the observation gives to its incident. */
int observation_impact(const struct observation *observation);
/* The incident that the observation opens or records. */
struct incident observation_incident(const struct observation *observation);

/* A time that a sender gave: `now` instead of a time beyond it. */
struct instant observation_time(struct instant given, struct instant now);

/* A stored time; none (0) instead of a time beyond `now`. */
struct instant observation_believed(struct instant stored, struct instant now);

/*
 * Gives the observation the database's clock, and the observation and the time when the monitor was
 * last up believable times. False: the observation is further in the future than clocks differ
 * (OBSERVATION_SKEW_S).
 */
bool observation_settle(struct observation *observation, struct instant *last_up_at,
			struct instant now);

/* What an observation that a monitor is down makes of its incidents. */
enum observation_verdict {
	OBSERVATION_KNOWN,  /* it was down at that time, as `last` says */
	OBSERVATION_RECORD, /* add an incident that ended when the monitor was last up */
	OBSERVATION_OPEN,   /* open an incident, or backdate the open one */
};
/* `last` is the monitor's last incident that had started by then; NULL: none. */
enum observation_verdict observation_judge_down(const struct observation *observation,
						struct instant last_up_at,
						const struct incident *last);

/*
 * Whether `at` lies within the incident, which is the last that had started by then: to observe
 * an outage at that time says nothing new. An end that is not believed hides no later outage.
 */
bool observation_is_within(const struct incident *incident, struct instant at, struct instant now);

/*
 * Whether an outage that was observed to begin at `at` began the open incident earlier.
 * `former` is the monitor's incident before the open one (NULL: none): it must have ended by
 * then.
 */
bool observation_backdates(const struct incident *open, const struct incident *former,
			   struct instant at);

/* Whether "up since observation->at" is news of the last time that the monitor was up. */
bool observation_is_latest_up(const struct observation *observation, struct instant last_up_at);
/* Whether the monitor's record begins with the observation. `known_since` is its start; 0: no state
 * was ever observed. */
bool observation_begins_record(const struct observation *observation, struct instant known_since);
/*
 * Whether "up since observation->at" ends the open incident: not when it is older than the
 * incident. An incident that starts beyond `now` is taken to have started some minutes ago.
 */
bool observation_ends(const struct observation *observation, const struct incident *open);

/*
 * Ends the incident: not before its start, and not beyond `now`. A start beyond `now`
 * is moved to the end.
 */
enum incident_move observation_end(struct incident *incident, struct instant at,
				   struct instant now);

/*
 * Whether the incident of several alerts goes on when those that were reported over have ended:
 * while others fire, and where an alert that is new began before the end (0: none).
 */
bool observation_goes_on(int64_t firing, struct instant first_new, struct instant ended_at);

#endif
