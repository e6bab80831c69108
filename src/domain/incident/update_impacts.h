/*
 * What an update changes: the impact of its incident on each monitor, before and after the update.
 * The changes are stored with the update as "ID:BEFORE:AFTER,…", sorted by id. The impacts are
 * numbers of enum incident_impact.
 */
#ifndef DOMAIN_INCIDENT_UPDATE_IMPACTS_H
#define DOMAIN_INCIDENT_UPDATE_IMPACTS_H

#include "domain/incident/incident.h"

struct update_impact {
	int64_t monitor_id;
	int before, after;
};

/* The changes by an update, sorted by monitor id; count 0: the changes are unknown. */
struct update_impacts {
	struct update_impact *rows;
	size_t count;
};

/* Returns the stored text for the changes from `before`, with `count` monitors, to the present
 * monitors of the incident. NULL: the incident has no monitors. */
const char *update_impacts_text(const struct incident_monitor *before, size_t count,
				const struct incident *incident, struct arena *arena);
/* Reads the stored text, which may be NULL. Stops at the first error. */
struct update_impacts update_impacts_of(const char *text, struct arena *arena);
/* Returns the change for the monitor; NULL: the update did not concern the monitor. */
const struct update_impact *update_impacts_find(const struct update_impacts *impacts,
						int64_t monitor_id);

#endif
