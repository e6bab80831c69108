/*
 * An incident, its states and the moves between them (contract section 6).
 *
 * The state follows from two times and is never stored beside them:
 * ended -> resolved, else acknowledged -> acknowledged, else unresolved.
 */
#ifndef DOMAIN_INCIDENT_H
#define DOMAIN_INCIDENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/violation.h"
#include "base/field.h"
#include "domain/event.h"
#include "domain/incident_fields.h"
#include "domain/posted_update.h"

/* Who opened an incident: monitoring (exactly one monitor), or people (any number of monitors). */
enum incident_kind { INCIDENT_DETECTED, INCIDENT_REPORTED };

/* From the least to the worst. Only a major outage counts against uptime. */
enum incident_impact {
	INCIDENT_IMPACT_NONE,
	INCIDENT_DEGRADED_PERFORMANCE,
	INCIDENT_PARTIAL_OUTAGE,
	INCIDENT_MAJOR_OUTAGE
};

/*
 * A monitor that an incident covers. The impact may change while the incident lasts: these are the
 * times of any impact, and of a major outage, as far as they are not those of the incident (0). See
 * incident_monitor_times().
 */
struct incident_monitor {
	int64_t id;
	const char *name;
	int impact; /* enum incident_impact, since the newest update */
	/* Of a reported incident: the worst that monitoring found meanwhile; and what clients read,
	 * by incident_show_impacts(). */
	int detected_impact;
	int shown_impact;
	int lesser_impact; /* while it was affected without a major outage */
	struct instant affected_from;
	struct instant affected_until;
	bool has_outage; /* there was a major outage */
	struct instant outage_from;
	struct instant outage_until;
	int position; /* of its row; removed monitors leave gaps. Of a new one: 0 */
};

enum incident_status { INCIDENT_UNRESOLVED, INCIDENT_ACKNOWLEDGED, INCIDENT_RESOLVED };

enum {
	INCIDENT_TITLE_MAX_CHARS = 255,
	INCIDENT_CAUSE_MAX_CHARS = 1000,
	INCIDENT_COMMENT_MAX_CHARS = 10000, /* also of an update */
	INCIDENT_POSTMORTEM_MAX_CHARS = 20000,
	INCIDENT_MONITORS_MAX = 1000,
	INCIDENT_PAGES_MAX = 100,
	INCIDENT_UPDATES_MAX = 200,
	INCIDENT_UPDATES_END_MAX = 220, /* for an update that ends the incident */
	INCIDENT_PHASES = PHASE_RESOLVED + 1
};

struct incident {
	int64_t id;
	int64_t account_id;
	int64_t revision;
	int64_t monitor_id; /* of a reported incident its first monitor; 0: none */
	const char *monitor_name;
	const char *monitor_url;
	const char *title;   /* public; NULL: none */
	const char *cause;   /* of monitoring: may hold internal names and addresses */
	const char *comment; /* the body of the newest update; NULL: there is none */
	struct instant started_at;
	struct instant acknowledged_at;
	struct instant ended_at;
	struct instant created_at;
	struct instant updated_at;
	int kind;			   /* enum incident_kind */
	int phase;			   /* enum update_phase */
	int impact;			   /* enum incident_impact: the worst of its monitors' */
	struct incident_monitor *monitors; /* in display order */
	size_t monitor_count;
	/* Of a detected incident: how its impact changed, as far as that was stored. The other
	 * members are those of `monitors`. */
	struct incident_monitor course;
	struct id_list monitor_ids;    /* of `monitors` */
	bool names_pages;	       /* of a reported incident: it may name pages */
	struct id_list page_ids;       /* that a reported incident names */
	struct instant next_update_at; /* promised, of an open incident; 0: none */
	INCIDENT_PLAIN_FIELDS(INCIDENT_PLAIN_MEMBER, )
	const char *page_address; /* of the first page that shows it: "SLUG/DOMAIN", or "SLUG/"
				   * without a domain; NULL: none */

	/* No page showed the monitor when it was locked. A page that adds the monitor meanwhile
	 * waits for the lock, and publishes itself. */
	bool is_on_no_page;
};

enum incident_status incident_status(const struct incident *incident);
/* "unresolved", "acknowledged", "resolved" */
const char *incident_status_word(enum incident_status status);
/* Whole seconds from its start to its end, or to `now` while it lasts; never negative. */
int64_t incident_duration_s(const struct incident *incident, struct instant now);

/* Whether an incident has the same start and end as before; the same impact, too. */
bool incident_has_same_times(const struct incident *before, const struct incident *after);
bool incident_is_same_state(const struct incident *before, const struct incident *after);

/* What a move did. */
enum incident_move {
	INCIDENT_MOVED,
	INCIDENT_WAS_SO,  /* it was in that state already: nothing changed */
	INCIDENT_REFUSED, /* not from the state that it is in */
};

/* Keeps the time of the first acknowledgement. Refused on a resolved incident without one. */
enum incident_move incident_acknowledge(struct incident *incident, struct instant now);
/* Withdraws the acknowledgement. Refused on a resolved incident. */
enum incident_move incident_unacknowledge(struct incident *incident);
/* Ends it, not before its start. The first end is kept. No further update is promised then. */
enum incident_move incident_resolve(struct incident *incident, struct instant at);

/* Opens a reported incident again, with that phase. A detected one: INCIDENT_REFUSED. */
enum incident_move incident_reopen(struct incident *incident, int phase);

/* The address below that page; NULL: no page shows it. `base_url` as of status_page_url(). */
const char *incident_url(const struct incident *incident, const char *base_url,
			 struct arena *arena);

/* Brings an incident that was read into agreement with its times: phase and next_update_at. */
void incident_settle(struct incident *incident);
/* Lists the one monitor of a detected incident among its monitors, with the course of its impact.
 */
void incident_list_monitor(struct incident *incident, struct arena *arena);
/* Makes monitor_ids of the monitors, and monitor_id, monitor_name of the first. */
void incident_list_ids(struct incident *incident, struct arena *arena);
/*
 * Derives the impacts that clients read, by the rule of pages: while a reported incident is open, a
 * system is at least as bad as monitoring found it, and an incident without any stated impact had
 * that of its systems. Sets shown_impact of the monitors, and returns the impact of the incident.
 */
int incident_show_impacts(const struct incident *incident);
/* Gives the incident and all its monitors an impact, from the start of the incident. */
void incident_set_impact(struct incident *incident, int impact);

/* Takes a monitor from a reported incident, whose monitors are its own (incident_copy()). False:
 * the incident is about nothing any more, neither a monitor nor a page. */
bool incident_uncover(struct incident *incident, int64_t monitor_id);

extern const char *const incident_kind_words[];	  /* in the order of enum incident_kind */
extern const char *const incident_impact_words[]; /* of enum incident_impact */
extern const char *const incident_phase_words[];  /* of the first values of enum update_phase */

/* An incident as clients read it. The last four members are derived: incident_present(). */
struct incident_resource {
	struct incident row;	       /* first: a pointer to the resource is one to its row */
	struct posted_updates updates; /* of a single incident; lists have none */
	int impact;		       /* incident_show_impacts() */
	const char *url;	       /* where visitors read it: see incident_url() */
	const char *status;	       /* incident_status_word() */
	int64_t duration;	       /* seconds */
};
extern const struct fields incident_resource_fields; /* of a list */
extern const struct fields incident_shown_fields;    /* of a single one: also the updates */
extern const struct fields posted_update_fields;

/* What a client may send on update. */
struct incident_input {
	const char *comment;
	bool acknowledged_at;
	const char *title;
	int impact;
	struct instant started_at;
	struct instant ended_at;
	struct instant next_update_at;
	INCIDENT_PLAIN_FIELDS(INCIDENT_PLAIN_MEMBER, )
	struct id_list monitor_ids;
};
extern const struct fields incident_update_fields;
/* Places in incident_update_fields. */
enum incident_sent {
	INCIDENT_SENT_COMMENT,
	INCIDENT_SENT_ACKNOWLEDGED,
	INCIDENT_SENT_TITLE,
	INCIDENT_SENT_IMPACT,
	INCIDENT_SENT_STARTED,
	INCIDENT_SENT_ENDED,
	INCIDENT_SENT_NEXT_UPDATE,
	INCIDENT_PLAIN_FIELDS(INCIDENT_PLAIN_PLACE, INCIDENT_SENT_) INCIDENT_SENT_MONITORS
};

struct incident_update {
	struct incident_input input;
	struct field_set sent; /* of enum incident_sent */
};
/* What an update has changed: a kind of event for each, or EVENT_NONE. */
struct incident_changes {
	enum event_kind acknowledgement; /* or the comment alone */
	enum event_kind end;		 /* resolved, or opened again */
	enum event_kind fields;		 /* title, impact, times, promise, exclusion */
	enum event_kind postmortem;
	bool is_comment_new;
	bool are_times_new; /* started_at or ended_at */
	bool are_monitors_new;
};
bool incident_has_changed(const struct incident_changes *changes);
/*
 * Applies an update at `now`. Adds a violation for each value that the incident does not allow. The
 * texts are as http/form leaves them.
 */
struct incident_changes incident_apply(struct incident *incident,
				       const struct incident_update *update, struct instant now,
				       struct violations *violations);

/* The monitor of that id; NULL: the incident does not cover it. */
struct incident_monitor *incident_monitor_of(const struct incident *incident, int64_t id);
/* A copy with monitors of its own, for the rules that change them. */
struct incident incident_copy(const struct incident *incident, struct arena *arena);
/* Adds the monitors that the incident does not cover yet, without an impact and a name, as far as
 * the incident may have more. */
void incident_cover(struct incident *incident, const struct id_list *ids, struct arena *arena);

#endif
