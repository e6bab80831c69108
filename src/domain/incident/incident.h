/*
 * An incident, its states and the changes between them (contract section 6).
 *
 * The status is not stored, but derived from two times. An incident with an end is resolved.
 * Otherwise an incident with an acknowledgement is acknowledged. Any other incident is unresolved.
 */
#ifndef DOMAIN_INCIDENT_INCIDENT_H
#define DOMAIN_INCIDENT_INCIDENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/violation.h"
#include "base/field.h"
#include "domain/event.h"
#include "domain/incident/incident_fields.h"
#include "domain/incident/posted_update.h"

/* Who opened an incident. Monitoring opens it for one monitor, people for any number. */
enum incident_kind { INCIDENT_DETECTED, INCIDENT_REPORTED };

/* From the least to the worst impact. Only a major outage counts against uptime. */
enum incident_impact {
	INCIDENT_IMPACT_NONE,
	INCIDENT_DEGRADED_PERFORMANCE,
	INCIDENT_PARTIAL_OUTAGE,
	INCIDENT_MAJOR_OUTAGE
};

/*
 * A monitor that an incident covers. Its impact may change while the incident lasts. The affected_
 * times are the start and the end of any impact. The outage_ times are those of a major outage. The
 * time 0 means the start or the end of the incident. See incident_monitor_times().
 */
struct incident_monitor {
	int64_t id;
	const char *name;
	int impact; /* enum incident_impact, since the newest update */
	/* Only in a reported incident: the worst impact that monitoring has detected on this
	 * monitor during the incident. */
	int detected_impact;
	int shown_impact;
	int lesser_impact; /* the impact in the affected time outside the major outage */
	struct instant affected_from;
	struct instant affected_until;
	bool has_outage; /* there was a major outage */
	struct instant outage_from;
	struct instant outage_until;
	int position; /* the stored position in the list; 0: a new monitor */
};

enum incident_status { INCIDENT_UNRESOLVED, INCIDENT_ACKNOWLEDGED, INCIDENT_RESOLVED };

enum {
	INCIDENT_TITLE_MAX_CHARS = 255,
	INCIDENT_CAUSE_MAX_CHARS = 1000,
	INCIDENT_COMMENT_MAX_CHARS = 10000, /* of an incident or an update */
	INCIDENT_POSTMORTEM_MAX_CHARS = 20000,
	INCIDENT_MONITORS_MAX = 1000,
	INCIDENT_PAGES_MAX = 100,
	INCIDENT_UPDATES_MAX = 200,
	INCIDENT_UPDATES_END_MAX = 220, /* the most updates if the last one ends the incident */
	INCIDENT_PHASES = PHASE_RESOLVED + 1
};

struct incident {
	int64_t id;
	int64_t account_id;
	int64_t revision;
	int64_t monitor_id; /* the first monitor of a reported incident; 0: none */
	const char *monitor_name;
	const char *monitor_url;
	const char *title;   /* public; NULL: none */
	const char *cause;   /* as monitoring sent it: may have internal names and addresses */
	const char *comment; /* the body of the newest update; NULL: there is none */
	struct instant started_at;
	struct instant acknowledged_at;
	struct instant ended_at;
	struct instant created_at;
	struct instant updated_at;
	int kind;   /* enum incident_kind */
	int phase;  /* enum update_phase */
	int impact; /* enum incident_impact: the worst impact on any of its monitors */
	struct incident_monitor *monitors; /* in display order */
	size_t monitor_count;
	/* The stored changes of a detected incident's impact. Only impacts and times are set;
	 * `monitors` has the monitor. */
	struct incident_monitor course;
	struct id_list monitor_ids; /* the ids of `monitors` */
	bool names_pages;	    /* true for a reported incident, which may name pages */
	struct id_list page_ids;    /* the pages that a reported incident names */
	/* When responders promised the next update of an open incident; 0: no promise. */
	struct instant next_update_at;
	INCIDENT_PLAIN_FIELDS(INCIDENT_PLAIN_MEMBER, )
	/* The address of the first page that shows the incident: "SLUG/DOMAIN", or "SLUG/" for a
	 * page without a domain; NULL: no page shows it. */
	const char *page_address;

	/*
	 * No page showed the monitor when its row was locked, so there is no page to publish. A
	 * request that adds the monitor to a page waits for the lock, and then publishes that page.
	 */
	bool is_on_no_page;
};

enum incident_status incident_status(const struct incident *incident);
/* The words "unresolved", "acknowledged" and "resolved", in the order of enum incident_status. */
extern const char *const incident_status_words[];
/* Returns the seconds from the start to the end, or to `now` while the incident lasts; never
 * negative. */
int64_t incident_duration_s(const struct incident *incident, struct instant now);

/* Return whether both incidents have the same start and end, and for incident_is_same_state() also
 * the same impact. */
bool incident_has_same_times(const struct incident *before, const struct incident *after);
bool incident_is_same_state(const struct incident *before, const struct incident *after);

/* The outcome of a change of status. */
enum incident_move {
	INCIDENT_MOVED,
	INCIDENT_WAS_SO,  /* the incident had this state already: nothing changed */
	INCIDENT_REFUSED, /* the present state does not allow the change */
};

/* Acknowledges the incident. If it is acknowledged already, acknowledged_at stays.
 * INCIDENT_REFUSED: the incident was resolved without an acknowledgement. */
enum incident_move incident_acknowledge(struct incident *incident, struct instant now);
/* Withdraws the acknowledgement. INCIDENT_REFUSED: the incident is resolved. */
enum incident_move incident_unacknowledge(struct incident *incident);
/* Ends the incident at `at`, but not before its start, and removes next_update_at. An incident that
 * is over already keeps its end. */
enum incident_move incident_resolve(struct incident *incident, struct instant at);

/* Opens a reported incident again, with this phase. INCIDENT_REFUSED: it is a detected incident. */
enum incident_move incident_reopen(struct incident *incident, int phase);

/* Returns the incident's address below its page; NULL: no page shows the incident. `base_url` is as
 * for status_page_url(). */
const char *incident_url(const struct incident *incident, const char *base_url,
			 struct arena *arena);

/* If the incident is over, sets its phase to resolved, and removes next_update_at. Call it after
 * the incident was read or changed. */
void incident_settle(struct incident *incident);
/* Sets `monitors` of a detected incident to its only monitor, with the changes in `course`. */
void incident_list_monitor(struct incident *incident, struct arena *arena);
/* Sets monitor_ids to the ids of `monitors`. */
void incident_list_ids(struct incident *incident, struct arena *arena);
/*
 * Sets shown_impact of the monitors, and returns the shown impact of the incident: the impacts that
 * clients and visitors read. These are the stated impacts. But a reported incident shows a worse
 * detected impact instead while it is open, and after its end if nobody has stated an impact.
 */
int incident_show_impacts(const struct incident *incident);
/* Sets the impact of the incident and of all its monitors, from the start of the incident on. */
void incident_set_impact(struct incident *incident, int impact);

/* Removes a monitor from a reported incident. The incident must be a copy from incident_copy().
 * Returns false if the incident has neither a monitor nor a page left. */
bool incident_uncover(struct incident *incident, int64_t monitor_id);

extern const char *const incident_kind_words[];	  /* in the order of enum incident_kind */
extern const char *const incident_impact_words[]; /* in the order of enum incident_impact */
extern const char *const incident_phase_words[];  /* in the order of enum update_phase */

/* An incident as clients read it. incident_present() derives the last four members. */
struct incident_resource {
	struct incident row; /* the first member, so that a pointer to the resource is a pointer to
		      its row */
	struct posted_updates updates; /* set for a single incident, empty in lists */
	int impact;		       /* the impact by incident_show_impacts() */
	const char *url;	       /* where visitors read the incident: see incident_url() */
	const char *status;	       /* one of incident_status_words */
	int64_t duration;	       /* seconds */
};
extern const struct fields incident_resource_fields; /* of a list */
extern const struct fields
	incident_shown_fields; /* the fields of a single incident, including its updates */
extern const struct fields posted_update_fields;

/* The fields that a client may send to update an incident. */
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
/* The indexes of rows in incident_update_fields. */
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
	struct field_set sent; /* the sent fields, by enum incident_sent */
};
/* The kinds of events that an update causes. A kind is EVENT_NONE if the update does not cause
 * it. */
struct incident_changes {
	enum event_kind acknowledgement; /* acknowledged, unacknowledged or commented */
	enum event_kind end;		 /* resolved, or reopened */
	enum event_kind fields;		 /* title, impact, times or other fields were changed */
	enum event_kind postmortem;
	bool is_comment_new;
	bool are_times_new; /* started_at or ended_at */
	bool are_monitors_new;
};
bool incident_has_changed(const struct incident_changes *changes);
/* Applies an update at `now`. Adds a violation for each value that the incident does not allow.
 * Call it after the texts were converted by http/form or fields_check_texts(). */
struct incident_changes incident_apply(struct incident *incident,
				       const struct incident_update *update, struct instant now,
				       struct violations *violations);

/* Returns the incident's monitor with this id; NULL: the incident does not cover the monitor. */
struct incident_monitor *incident_monitor_of(const struct incident *incident, int64_t id);
/* Returns a copy of the incident with its own array of monitors, so that changes to the copy's
 * monitors leave the original as it is. */
struct incident incident_copy(const struct incident *incident, struct arena *arena);
/* Adds the monitors of `ids` that the incident does not cover yet, until it has
 * INCIDENT_MONITORS_MAX monitors. The new monitors have no impact and no name. */
void incident_cover(struct incident *incident, const struct id_list *ids, struct arena *arena);

#endif
