/*
 * The second person (contract section 15). An operation by which a person or a key changes what
 * pages tell about an incident calls pending_update_hold() before it stores the change. If a page
 * demands it, the request is stored instead, and a user other than its author publishes it by the
 * same operation, or declines it. Monitoring, the operator and withdrawals never wait.
 */
#ifndef SERVICE_INCIDENT_PENDING_UPDATES_H
#define SERVICE_INCIDENT_PENDING_UPDATES_H

#include "domain/incident/pending_update.h"
#include "service/service.h"

/*
 * `incident`: as it is to be. Afterwards service->held is the stored request if the change must
 * wait, and the operation ends without storing anything else; otherwise NULL. While a request is
 * published, does what pending_update_take() does. E_INVALID: too many texts wait.
 */
enum result pending_update_hold(struct service *service, enum pending_kind kind,
				const struct incident *incident, int64_t update_id,
				const void *input, struct field_set sent) MUST_USE;
/* While a request is published: removes it, and adds its event. E_NOT_FOUND: somebody else was
 * first. */
enum result pending_update_take(struct service *service, int64_t incident_id) MUST_USE;

/*
 * Publishes the text by the operation that its author asked for, with the rules and the time of
 * the present. `pending` was read for the principal; NULL: somebody else has published or declined
 * the text, unless this request did. `input`, `sent`: its decoded request. E_FORBIDDEN: the
 * principal is no user, or is the author; E_NOT_FOUND; E_INVALID: the present state of the incident
 * does not allow the change. Outcome for rendering: an object that begins with the incident.
 */
enum result service_publish_pending(struct service *service, const struct pending_update *pending,
				    void *input, struct field_set sent) MUST_USE;
/* Removes the text; its author may do this, too. E_NOT_FOUND. Outcome for rendering: *pending. */
enum result service_decline_pending(struct service *service, int64_t id,
				    struct pending_update *pending) MUST_USE;

#endif
