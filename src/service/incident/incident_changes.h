/*
 * What several operations do to incidents, inside their transactions: each function stores the
 * change, adds its event, and marks the monitor's pages for publishing. Statements that lock the
 * rows of pages run at the end of the transaction; texts of incidents must live until then.
 */
#ifndef SERVICE_INCIDENT_INCIDENT_CHANGES_H
#define SERVICE_INCIDENT_INCIDENT_CHANGES_H

#include "domain/incident.h"
#include "service/service.h"

/* The account's incident of that id, locked; a change of it may wait for its monitors. */
enum result incident_lock(struct service *service, int64_t id, struct incident *incident) MUST_USE;
/* Sets incident->id. E_CONFLICT: the monitor has an open incident already. */
enum result incident_add(struct service *service, struct incident *incident, enum event_kind kind)
	MUST_USE;
/* Stores `after`, which differs from `before`, at the end. `detail` may be NULL. */
enum result incident_change(struct service *service, const struct incident *before,
			    struct incident *after, enum event_kind kind, const char *detail)
	MUST_USE;
/* The same for what a client has changed: an event for each part. */
enum result incident_change_all(struct service *service, const struct incident *before,
				struct incident *after, const struct incident_changes *changes)
	MUST_USE;
/* Adds an event of an incident, and marks what is to be published. */
void incident_add_event(struct service *service, const struct incident *incident,
			enum event_kind kind, const char *detail);
/* Stores `after` at the end, without an event. */
enum result incident_store(struct service *service, const struct incident *before,
			   struct incident *after) MUST_USE;
/* Marks for publishing: the pages of the monitor, or what the account has unpublished. */
void incident_publish(struct service *service, const struct incident *incident);
/*
 * Ends an incident at `at`, by the clock that says `now`. *move: whether it was still open. The
 * incident is then as stored.
 */
enum result incident_end(struct service *service, struct incident *incident, struct instant at,
			 struct instant now, enum incident_move *move) MUST_USE;
enum result incident_remove(struct service *service, const struct incident *incident) MUST_USE;

#endif
