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

/* A monitor that a reported incident covers. */
struct incident_monitor {
	int64_t id;
	const char *name;
	int impact; /* enum incident_impact */
};

enum incident_status { INCIDENT_UNRESOLVED, INCIDENT_ACKNOWLEDGED, INCIDENT_RESOLVED };

enum {
	INCIDENT_TITLE_MAX_CHARS = 255,
	INCIDENT_CAUSE_MAX_CHARS = 1000,
	INCIDENT_COMMENT_MAX_CHARS = 10000
};

struct incident {
	int64_t id;
	int64_t account_id;
	int64_t revision;
	int64_t monitor_id;
	const char *monitor_name;
	const char *monitor_url;
	const char *title; /* public; NULL: none */
	const char *cause; /* of monitoring: may hold internal names and addresses */
	const char *comment;
	struct instant started_at;
	struct instant acknowledged_at;
	struct instant ended_at;
	struct instant created_at;
	struct instant updated_at;
	/* Of reported incidents, unless said otherwise. */
	int kind;			   /* enum incident_kind */
	int phase;			   /* enum update_phase */
	int impact;			   /* enum incident_impact; of detected ones too */
	struct incident_monitor *monitors; /* in display order */
	size_t monitor_count;
	struct posted_update *updates; /* of detected ones too; newest first */
	size_t update_count;
	struct instant next_update_at; /* promised; 0: none */
	bool exclude_from_uptime;      /* of detected ones too */
	const char *postmortem;	       /* CommonMark; NULL: none */
	/* On a page: the reported incident that a detected one is shown inside; NULL: beside. */
	const struct incident *inside;

	/* No page showed the monitor when it was locked. A page that adds the monitor meanwhile
	 * waits for the lock, and publishes itself. */
	bool is_on_no_page;
};

enum incident_status incident_status(const struct incident *incident);
/* "unresolved", "acknowledged", "resolved" */
const char *incident_status_word(enum incident_status status);
/* Whole seconds from its start to its end, or to `now` while it lasts; never negative. */
int64_t incident_duration_s(const struct incident *incident, struct instant now);

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
/* Ends it, not before its start. The first end is kept. */
enum incident_move incident_resolve(struct incident *incident, struct instant at);

/* What clients read. */
struct incident_resource {
	struct incident incident;
	const char *status; /* incident_status_word() */
	int64_t duration;   /* seconds */
};
extern const struct fields incident_resource_fields;

/* What a client may send on update. */
struct incident_input {
	const char *comment;
	bool acknowledged_at;
};
extern const struct fields incident_update_fields;
enum incident_sent { INCIDENT_SENT_COMMENT = 1 << 0, INCIDENT_SENT_ACKNOWLEDGED = 1 << 1 };

struct incident_update {
	struct incident_input input;
	uint64_t sent; /* of enum incident_sent */
};
/*
 * Applies an update at `now`, and returns the kind of its event; EVENT_NONE: nothing has changed.
 * Adds a violation for a transition that the state does not allow. An update may change both the
 * acknowledgement and the comment: then the kind is that of the acknowledgement, and
 * *is_comment_new is true.
 */
enum event_kind incident_apply(struct incident *incident, const struct incident_update *update,
			       struct instant now, bool *is_comment_new,
			       struct violations *violations);

#endif
