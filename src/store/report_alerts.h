/*
 * What a payload of alerts makes of incidents, all of it at once: a few statements for
 * the payload, and only for what opens or ends an incident some of its own.
 *
 * An alert has a source, which names it from its start to its end. Alerts of a monitor
 * share its incident, which ends with the last of them, at the latest of their ends. To
 * be run in a transaction that has not read yet.
 */
#ifndef STORE_REPORT_ALERTS_H
#define STORE_REPORT_ALERTS_H

#include "store/report.h"

/* An alert of one monitor. One that matches several monitors is there for each. */
struct alert_report {
	const char *source;   /* unique to the monitor, too */
	struct report report; /* ended_at: of one that is over */
	bool is_gone;	      /* there is no such monitor any more; set here like the next */
	struct reported reported;
};

struct alert_reports {
	int64_t account_id;
	struct alert_report *rows;
	size_t count;
	bool adds_nothing; /* the quota is used up: no incident is opened or recorded */
};

/* Times beyond the database's clock count as now. */
enum result report_alerts(struct db *db, const struct alert_reports *reports,
			  const struct incident_actor *actor, struct arena *arena,
			  struct error *error) MUST_USE;
/* How many incidents there are more, which count against the account's quota. */
int64_t report_alerts_additions(const struct alert_reports *reports);

#endif
