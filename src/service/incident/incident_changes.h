/*
 * All operations change incidents by these functions, inside their transactions. An operation
 * computes the changed incident by the rules of domain/. Then it passes the incident before and
 * after the change, and the reason of the change, to these functions.
 *
 * The changes of a transaction form a set, which store/incident/incident_write.h stores at the end
 * of the transaction. Only new incidents are stored at once, because the response needs their ids.
 * Each change adds its events, and marks pages to be published.
 *
 * The texts of incidents must stay in memory until COMMIT.
 */
#ifndef SERVICE_INCIDENT_INCIDENT_CHANGES_H
#define SERVICE_INCIDENT_INCIDENT_CHANGES_H

#include "domain/incident/incident.h"
#include "service/service.h"
#include "store/incident/incident_write.h"

/* Finds and locks the account's incident with this id. E_REFUSED: too many writes wait for the rows
 * of the incident or of its monitors; a change locks both. */
enum result incident_lock(struct service *service, int64_t id, struct incident *incident) MUST_USE;

/* For operations with several changes: adds one change to the transaction's set. The incidents of
 * the change must stay in memory until COMMIT. */
enum result incident_changes_put(struct service *service, const struct incident_change *change)
	MUST_USE;
/* Stores the rows of all changes so far, and sets the ids of new incidents. E_CONFLICT: a monitor
 * has an open incident already. After a failure the transaction must end. */
enum result incident_changes_store(struct service *service) MUST_USE;

/* Adds one incident, and stores the changes. Sets the incident's id. E_CONFLICT: the monitor has an
 * open incident already. */
enum result incident_add(struct service *service, struct incident *incident, enum event_kind kind)
	MUST_USE;
/* Changes an incident from `before` to `after`, and sets after->revision. `detail` may be NULL. */
enum result incident_change(struct service *service, const struct incident *before,
			    struct incident *after, enum event_kind kind, const char *detail)
	MUST_USE;
/* Does the same as incident_change(), but adds an event for each element of `why` whose kind is not
 * EVENT_NONE. */
enum result incident_change_all(struct service *service, const struct incident *before,
				struct incident *after,
				const struct incident_why why[INCIDENT_WHY_MAX]) MUST_USE;
/* Ends an incident at `at`; `now` is the present time. Sets *incident to the changed incident.
 * *move is INCIDENT_MOVED if the incident was still open. */
enum result incident_end(struct service *service, struct incident *incident, struct instant at,
			 struct instant now, enum incident_move *move) MUST_USE;
enum result incident_remove(struct service *service, const struct incident *incident) MUST_USE;

/* At the end of the transaction, adds `count` to the number of incidents that the account has
 * opened today. E_QUOTA_EXCEEDED. */
enum result incident_count_additions(struct service *service, int64_t account_id, int64_t count)
	MUST_USE;

/* Marks pages to be published. For a detected incident, these are the pages of its monitor. For a
 * reported incident, these are all pages of the account that have unpublished changes. */
void incident_publish(struct service *service, const struct incident *incident);

#endif
