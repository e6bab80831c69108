#include "app/handlers.h"

#include "app/input.h"
#include "app/operation.h"
#include "app/resources.h"
#include "app/respond.h"
#include "service/incident/incident_reports.h"
#include "service/incident/pending_updates.h"

/* POST /incidents */
enum result incidents_report(struct exchange *exchange)
{
	struct incident_report report = { 0 };
	struct incident_resource incident;
	struct field_set sent = FIELD_SET_NONE;
	enum result result = exchange_body(exchange, &report, &sent);
	if (result != OK)
		return result;
	return service_report_incident(
		exchange_service(exchange, exchange_admit_creation, resources_render_created),
		&report, sent, &incident);
}

/* POST /incidents/{id}/updates */

/* If-Match must name the version of the incident. */
static enum result admit_post(struct exchange *exchange, const void *current)
{
	const struct incident_posting *posting = current;
	return exchange_check_etag(exchange, posting->incident.id, posting->incident.revision);
}

enum result incident_updates_post(struct exchange *exchange)
{
	struct incident_post post = { 0 };
	struct incident_posting posting;
	struct field_set sent = FIELD_SET_NONE;
	enum result result = exchange_body(exchange, &post, &sent);
	if (result != OK)
		return result;
	return service_post_update(exchange_service(exchange, admit_post, resources_render_created),
				   exchange->match.id, &post, sent, &posting);
}

/* PUT /incidents/{id}/updates/{update_id} */

enum result incident_updates_edit(struct exchange *exchange)
{
	struct incident_edit edit = { 0 };
	struct incident_posting posting;
	struct field_set sent = FIELD_SET_NONE;
	enum result result = exchange_body(exchange, &edit, &sent);
	if (result != OK)
		return result;
	return service_edit_update(
		exchange_service(exchange, resources_admit_update, resources_render),
		exchange->match.id, exchange->match.part_id, &edit, sent, &posting);
}

/* DELETE /incidents/{id}/updates/{update_id} */

enum result incident_updates_withdraw(struct exchange *exchange)
{
	struct incident_posting posting;
	return service_withdraw_update(
		exchange_service(exchange, resources_admit, resources_render_deleted),
		exchange->match.id, exchange->match.part_id, &posting);
}

/* DELETE /pending-updates/{id} */
enum result pending_updates_decline(struct exchange *exchange)
{
	struct pending_update pending;
	return service_decline_pending(
		exchange_service(exchange, resources_admit, resources_render_deleted),
		exchange->match.id, &pending);
}
