/*
 * The second person (contract section 15). Some operations by a person or a key change the texts of
 * pages about an incident. They call pending_update_hold() before they store the change. If a page
 * demands a second person, the request is stored instead. A user other than its author then
 * publishes it by the same operation, or declines it. Monitoring, the operator and withdrawals
 * never wait.
 */
#ifndef SERVICE_INCIDENT_PENDING_UPDATES_H
#define SERVICE_INCIDENT_PENDING_UPDATES_H

#include "domain/incident/pending_update.h"
#include "service/service.h"

/*
 * Stores the request instead of its change if a page demands a second person. `incident`: its state
 * after the change. If the change must wait, service->held is the stored request, and the operation
 * ends without storing anything else. Otherwise service->held is NULL. While a request is
 * published, does the work of pending_update_take(). E_INVALID: too many texts wait.
 */
enum result pending_update_hold(struct service *service, enum pending_kind kind,
				const struct incident *incident, int64_t update_id,
				const void *input, struct field_set sent) MUST_USE;
/* While a request is published: removes it, and adds its event. E_NOT_FOUND: another user has
 * published or declined it before. */
enum result pending_update_take(struct service *service, int64_t incident_id) MUST_USE;

/*
 * Publishes the text by the operation that its author asked for, with the present rules and time.
 * `pending` was read for the principal. NULL: the text does not wait any more, because this request
 * or another user has published or declined it. `input`, `sent`: the decoded request of the text.
 * E_FORBIDDEN: the principal is no user, or is the author. E_NOT_FOUND. E_INVALID: the present
 * state of the incident does not allow the change. Outcome for rendering: an object that begins
 * with the incident.
 */
enum result service_publish_pending(struct service *service, const struct pending_update *pending,
				    void *input, struct field_set sent) MUST_USE;
/* Removes the text; also its author may do this. E_NOT_FOUND. Outcome for rendering: *pending. */
enum result service_decline_pending(struct service *service, int64_t id,
				    struct pending_update *pending) MUST_USE;

#endif
