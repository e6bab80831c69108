/*
 * What a payload of alerts adds to the incidents and changes of them. The changes are collected
 * while the payload is judged, and stored by few statements: incidents that are added have their
 * ids from then on.
 */
#ifndef SERVICE_INCIDENT_ALERT_CHANGES_H
#define SERVICE_INCIDENT_ALERT_CHANGES_H

#include "service/service.h"
#include "store/incident/alert_batch.h"
#include "store/incident/incident_batch.h"

struct alert_change_list {
	struct batch_incident *rows;
	size_t count;
	size_t room;
	size_t stored; /* so many of them are stored */
};

struct alert_changes {
	struct service *service;
	struct alert_batch *batch;
	struct incident_batch statements;
	struct alert_change_list added;
	struct alert_change_list moved;
};

/* None. `batch` has its arenas. */
struct alert_changes alert_changes_of(struct service *service, struct alert_batch *batch);

/* Adds an incident. Returns its place, from 1. Incidents that are stored together must be added by
 * monitor and start. */
size_t alert_changes_add(struct alert_changes *changes, struct alert_monitor *monitor,
			 const struct observation *observation);
/* Gives an incident that is added another impact, if that is worse. */
void alert_changes_worsen(struct alert_changes *changes, size_t place, int impact);
/* Gives an incident another start or end, or a worse impact. Once for an incident until the changes
 * are stored. Returns its place among those that are moved, from 1. */
size_t alert_changes_move(struct alert_changes *changes, const struct incident *before,
			  const struct incident *after);
/* Stores the changes so far, adds their events, and gives sources and alerts the new ids. */
enum result alert_changes_store(struct alert_changes *changes) MUST_USE;
/* Stores what follows from all changes; the marks of the pages at the end of the transaction. */
enum result alert_changes_finish(struct alert_changes *changes) MUST_USE;

#endif
