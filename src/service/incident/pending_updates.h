/*
 * The second person (contract section 15). If a page demands a second person, texts about incidents
 * on it are published only after another user has approved them. An operation that changes such
 * texts calls pending_update_hold() before it stores the change. If a second person is needed, the
 * request is stored instead of the change. Any user except the request's author can publish it: the
 * operation runs again. Everybody with PERMISSION_RESPOND can decline it. Changes by monitoring and
 * by the operator never wait, nor do withdrawals.
 */
#ifndef SERVICE_INCIDENT_PENDING_UPDATES_H
#define SERVICE_INCIDENT_PENDING_UPDATES_H

#include "domain/incident/pending_update.h"
#include "service/service.h"

/*
 * Stores the request instead of its change if a page demands a second person. `incident` is the
 * incident after the change. If the change must wait, service->held is the stored request, and the
 * operation must not store anything else. Otherwise service->held is NULL. If the operation
 * publishes a stored request (service->published), calls pending_update_take(). E_INVALID: too many
 * texts of the account wait.
 */
enum result pending_update_hold(struct service *service, enum pending_kind kind,
				const struct incident *incident, int64_t update_id,
				const void *input, struct field_set sent) MUST_USE;
/* If the operation publishes a stored request (service->published), deletes this request, and adds
 * its event. E_NOT_FOUND: another user has already published or declined the request. */
enum result pending_update_take(struct service *service, int64_t incident_id) MUST_USE;

/*
 * Publishes a waiting text by the operation that its author has requested, with the present rules
 * and time. `pending` is the stored request; `input` and `sent` are its decoded values. If
 * `pending` is NULL, the text does not wait any more: a repeated request gets its first response,
 * any other request gets E_NOT_FOUND. E_FORBIDDEN: the principal is not a user, or has written the
 * text. E_NOT_FOUND. E_INVALID: the present state of the incident does not allow the change. The
 * response renders an object that begins with the incident.
 */
enum result service_publish_pending(struct service *service, const struct pending_update *pending,
				    void *input, struct field_set sent) MUST_USE;
/* Deletes a waiting text without publishing it. The text's author may do this, too. E_NOT_FOUND.
 * The response renders *pending. */
enum result service_decline_pending(struct service *service, int64_t id,
				    struct pending_update *pending) MUST_USE;

#endif
