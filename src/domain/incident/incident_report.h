/*
 * Reports, updates, and the impact on each monitor while a reported incident lasts (contract
 * section 6.1).
 */
#ifndef DOMAIN_INCIDENT_INCIDENT_REPORT_H
#define DOMAIN_INCIDENT_INCIDENT_REPORT_H

#include "domain/incident/incident.h"
#include "domain/page/uptime.h"

/* The fields that a client may send to report an incident. */
struct incident_report {
	const char *title;
	struct id_list monitor_ids;
	struct id_list status_page_ids;
	int impact; /* enum incident_impact */
	int phase;  /* enum update_phase */
	const char *body;
	struct instant started_at;
	struct instant ended_at;
	struct instant next_update_at;
	int64_t template_id; /* 0: none; domain/incident/incident_template.h applies it */
};
extern const struct fields incident_report_fields;
enum incident_report_sent {
	REPORT_SENT_TITLE = 0,
	REPORT_SENT_MONITORS = 1,
	REPORT_SENT_IMPACT = 3,
	REPORT_SENT_PHASE = 4,
	REPORT_SENT_BODY = 5,
	REPORT_SENT_TEMPLATE = 9
};

/* Makes an incident from a report; the caller adds the monitors' names. Sets *update to the first
 * update: it has the time of the start, and no body if none was sent. */
void incident_begin(struct incident *incident, const struct incident_report *report,
		    struct field_set sent, struct instant now, struct posted_update *update,
		    struct arena *arena, struct violations *violations);

/* The fields that a client may send to post an update. */
struct incident_post {
	const char *body;
	int phase;
	int impact;
	struct id_list monitor_ids;
	struct instant at;
	struct instant next_update_at;
};
extern const struct fields incident_post_fields;
enum incident_post_sent { POST_SENT_PHASE = 1, POST_SENT_IMPACT = 2, POST_SENT_MONITORS = 3 };

/*
 * Applies a new update to an incident. `newest` is the time of the incident's newest update; 0: the
 * incident has no update. An update whose time is before `newest` ends the incident if its phase is
 * resolved, and otherwise leaves the incident unchanged. The monitors that an update adds have no
 * names.
 */
void incident_post(struct incident *incident, const struct incident_post *post,
		   struct field_set sent, struct instant newest, struct instant now,
		   struct posted_update *update, struct arena *arena,
		   struct violations *violations);

/* The fields that a client may send to edit an update. */
struct incident_edit {
	const char *body;
	struct instant at;
};
extern const struct fields incident_edit_fields;
enum incident_edit_sent { EDIT_SENT_BODY = 0, EDIT_SENT_AT = 1 };

/* Applies an edit of an update. Returns false if nothing has changed. */
bool incident_edit(const struct incident *incident, struct posted_update *update,
		   const struct incident_edit *edit, struct field_set sent, struct instant now,
		   struct violations *violations);

/* The following rules are shared by reports, updates and corrections. */
/* Checks a time that must not be in the future. A time slightly in the future, as clocks differ,
 * becomes `now`. */
struct instant incident_past_time(const char *field, struct instant at, struct instant now,
				  struct violations *violations);
void incident_check_promise(struct instant at, struct instant now, struct violations *violations);
/* Checks that the end is not before the start, and that an incident that is over has no
 * next_update_at. */
void incident_check_times(const struct incident *incident, struct violations *violations);

/* Sets the impact of the incident to the worst impact on its monitors, if it covers any. */
void incident_sum_up_impact(struct incident *incident);

/* Changes the impact on a monitor from `at` on. */
void incident_monitor_change(struct incident_monitor *monitor, int impact, struct instant at);
/* Sets the impact on a monitor for the whole time of its incident. */
void incident_monitor_begin(struct incident_monitor *monitor, int impact);

/*
 * Returns whether the stored course of a detected incident says that its impact changed during the
 * incident. Returns false if the course does not end with `impact`: then an alert has raised the
 * impact for the whole time of the incident.
 */
bool incident_monitor_has_course(const struct incident_monitor *course, int impact);
/* Copies the course to the monitor. */
void incident_monitor_take(struct incident_monitor *monitor, const struct incident_monitor *course);

/* Computes the intervals with an impact on the monitor, in the order of time. There is at most one
 * interval before, one during and one after a major outage. Returns their number. */
enum { INCIDENT_MONITOR_TIMES_MAX = 3 };
size_t incident_monitor_times(const struct incident_monitor *monitor, struct instant started_at,
			      struct instant ended_at,
			      struct uptime_interval times[INCIDENT_MONITOR_TIMES_MAX]);

#endif
