/*
 * What people write about incidents (contract section 6.1): reports, updates, and the impact on
 * each monitor while a reported incident lasts.
 */
#ifndef DOMAIN_INCIDENT_REPORT_H
#define DOMAIN_INCIDENT_REPORT_H

#include "domain/incident.h"
#include "domain/uptime.h"

/* What a client may send to report an incident. */
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
};
extern const struct fields incident_report_fields;
enum incident_report_sent { REPORT_SENT_IMPACT = 3, REPORT_SENT_PHASE = 4 };

/*
 * Makes an incident of a report; the caller adds the monitors' names. *update: the first update, at
 * the start of the incident, without a body if none was sent.
 */
void incident_begin(struct incident *incident, const struct incident_report *report,
		    struct field_set sent, struct instant now, struct posted_update *update,
		    struct arena *arena, struct violations *violations);

/* What a client may send to post an update. */
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
 * Applies a new update to an incident whose newest update is of `newest` (0: it has none). An
 * update of an earlier time than the newest ends the incident if its phase is resolved, and changes
 * nothing else. The monitors that an update adds have no names.
 */
void incident_post(struct incident *incident, const struct incident_post *post,
		   struct field_set sent, struct instant newest, struct instant now,
		   struct posted_update *update, struct arena *arena,
		   struct violations *violations);

/* What a client may send to edit an update. */
struct incident_edit {
	const char *body;
	struct instant at;
};
extern const struct fields incident_edit_fields;
enum incident_edit_sent { EDIT_SENT_BODY = 0, EDIT_SENT_AT = 1 };

/* False: nothing has changed. */
bool incident_edit(const struct incident *incident, struct posted_update *update,
		   const struct incident_edit *edit, struct field_set sent, struct instant now,
		   struct violations *violations);

/* Rules that reports, updates and corrections share. */
/* A time that has passed, but for the difference of clocks: then it is `now`. */
struct instant incident_past_time(const char *field, struct instant at, struct instant now,
				  struct violations *violations);
void incident_check_promise(struct instant at, struct instant now, struct violations *violations);
/* The end is not before the start, and an incident that is over promises nothing. */
void incident_check_times(const struct incident *incident, struct violations *violations);

/* Makes `impact` of the incident the worst of its monitors', if it covers any. */
void incident_sum_up_impact(struct incident *incident);

/* The impact on a monitor from `at` on. */
void incident_monitor_change(struct incident_monitor *monitor, int impact, struct instant at);
/* The impact on a monitor for the whole time of its incident. */
void incident_monitor_begin(struct incident_monitor *monitor, int impact);

/*
 * Whether the stored course of a detected incident tells more than its impact. Alerts raise the
 * impact for the whole time of the incident: a course that ends otherwise is out of date.
 */
bool incident_monitor_has_course(const struct incident_monitor *course, int impact);
/* Takes over the course. */
void incident_monitor_take(struct incident_monitor *monitor, const struct incident_monitor *course);

/* The times of an impact on a monitor, in their order. */
enum { INCIDENT_MONITOR_TIMES_MAX = 3 };
size_t incident_monitor_times(const struct incident_monitor *monitor, struct instant started_at,
			      struct instant ended_at,
			      struct uptime_interval times[INCIDENT_MONITOR_TIMES_MAX]);

#endif
