/*
 * The changes of an update: the impact of its incident on each monitor before and after the update.
 * Stored with the update as "ID:BEFORE:AFTER,…", by id, where the impacts are enum incident_impact.
 */
#ifndef DOMAIN_UPDATE_IMPACTS_H
#define DOMAIN_UPDATE_IMPACTS_H

#include "domain/incident.h"

struct update_impact {
	int64_t monitor_id;
	int before, after;
};

/* In the order of monitor ids; count 0: the changes of the update are unknown. */
struct update_impacts {
	struct update_impact *rows;
	size_t count;
};

/* The changes from the `count` monitors `before` to the monitors of the incident now; NULL: the
 * incident has no monitors. */
const char *update_impacts_text(const struct incident_monitor *before, size_t count,
				const struct incident *incident, struct arena *arena);
/* Of a stored text, NULL included; a text of another form ends where it is. */
struct update_impacts update_impacts_of(const char *text, struct arena *arena);
/* NULL: the update did not concern the monitor. */
const struct update_impact *update_impacts_find(const struct update_impacts *impacts,
						int64_t monitor_id);

#endif
