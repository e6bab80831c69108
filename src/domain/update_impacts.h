/*
 * What an update changed: the impact of its incident on each monitor before and after it. Stored
 * with the update as "ID:BEFORE:AFTER,…", by id, where the impacts are enum incident_impact.
 */
#ifndef DOMAIN_UPDATE_IMPACTS_H
#define DOMAIN_UPDATE_IMPACTS_H

#include "domain/incident.h"

struct update_impact {
	int64_t monitor_id;
	int before, after;
};

/* By id of the monitors; count 0: nothing is known of the update. */
struct update_impacts {
	struct update_impact *rows;
	size_t count;
};

/* Of the `count` monitors `before` and those of the incident now; NULL: it has none. */
const char *update_impacts_text(const struct incident_monitor *before, size_t count,
				const struct incident *incident, struct arena *arena);
/* Of a stored text, NULL included; a text of another form ends where it is. */
struct update_impacts update_impacts_of(const char *text, struct arena *arena);
/* NULL: the update did not concern the monitor. */
const struct update_impact *update_impacts_find(const struct update_impacts *impacts,
						int64_t monitor_id);

#endif
