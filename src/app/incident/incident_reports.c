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

/* If-Match of a new update is compared with the incident. */
static enum result admit_post(struct exchange *exchange, const void *current)
{
	const struct incident_posting *posting = current;
	return exchange_check_etag(exchange, posting->incident.id, posting->incident.revision);
}

static void render_post(struct exchange *exchange, const void *outcome)
{
	const struct incident_posting *posting = outcome;
	resources_render_created(exchange, &posting->update);
}

enum result incident_updates_post(struct exchange *exchange)
{
	struct incident_post post = { 0 };
	struct incident_posting posting;
	struct field_set sent = FIELD_SET_NONE;
	enum result result = exchange_body(exchange, &post, &sent);
	if (result != OK)
		return result;
	return service_post_update(exchange_service(exchange, admit_post, render_post),
				   exchange->match.id, &post, sent, &posting);
}

/* PUT /incidents/{id}/updates/{update_id} */

static enum result admit_edit(struct exchange *exchange, const void *current)
{
	const struct incident_posting *posting = current;
	return resources_admit_update(exchange, &posting->update);
}

static void render_edit(struct exchange *exchange, const void *outcome)
{
	const struct incident_posting *posting = outcome;
	resources_render(exchange, &posting->update);
}

enum result incident_updates_edit(struct exchange *exchange)
{
	struct incident_edit edit = { 0 };
	struct incident_posting posting;
	struct field_set sent = FIELD_SET_NONE;
	enum result result = exchange_body(exchange, &edit, &sent);
	if (result != OK)
		return result;
	return service_edit_update(exchange_service(exchange, admit_edit, render_edit),
				   exchange->match.id, exchange->match.part_id, &edit, sent,
				   &posting);
}

/* DELETE /incidents/{id}/updates/{update_id} */

static enum result admit_withdrawal(struct exchange *exchange, const void *current)
{
	const struct incident_posting *posting = current;
	return resources_admit(exchange, &posting->update);
}

static void render_withdrawal(struct exchange *exchange, const void *outcome)
{
	const struct incident_posting *posting = outcome;
	resources_render_deleted(exchange, &posting->update);
}

enum result incident_updates_withdraw(struct exchange *exchange)
{
	struct incident_posting posting;
	return service_withdraw_update(
		exchange_service(exchange, admit_withdrawal, render_withdrawal), exchange->match.id,
		exchange->match.part_id, &posting);
}

/* DELETE /pending-updates/{id} */
enum result pending_updates_decline(struct exchange *exchange)
{
	struct pending_update pending;
	return service_decline_pending(
		exchange_service(exchange, resources_admit, resources_render_deleted),
		exchange->match.id, &pending);
}
