#include "app/incident/incident_reports.h"

#include "app/incident/incidents.h"
#include "app/incident/posted_updates.h"
#include "app/operation.h"
#include "app/respond.h"
#include "service/incident/incident_reports.h"
#include "view/json/incident_json.h"

/* POST /incidents */

static void render_report(struct exchange *exchange, const void *outcome)
{
	struct incident incident = *(const struct incident *)outcome;
	incidents_set_url(exchange, &incident);
	exchange_set_location(exchange, incident.id);
	exchange_set_etag(exchange, incident.id, incident.revision);
	exchange_respond(exchange, 201, incident_shown_json(&incident, exchange->now));
}

enum result incidents_report(struct exchange *exchange)
{
	struct incident_report report = { 0 };
	struct incident incident;
	struct field_set sent = FIELD_SET_NONE;
	enum result result = exchange_body(exchange, &report, &sent);
	if (result != OK)
		return result;
	return service_report_incident(
		exchange_service(exchange, exchange_admit_creation, render_report), &report, sent,
		&incident);
}

/* POST /incidents/{id}/updates */

/* The condition of a new update is about the incident. */
static enum result admit_post(struct exchange *exchange, const void *current)
{
	const struct incident_posting *posting = current;
	return exchange_check_etag(exchange, posting->incident.id, posting->incident.revision);
}

static void render_post(struct exchange *exchange, const void *outcome)
{
	const struct incident_posting *posting = outcome;
	posted_update_respond_created(exchange, posted_update_fields, &posting->update, "incidents",
				      posting->incident.id);
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

/* GET /incidents/{id}/updates/{update_id} */

enum result incident_updates_show(struct exchange *exchange)
{
	struct incident_posting posting = { 0 };
	enum result result = service_find_update(exchange_service(exchange, NULL, NULL),
						 exchange->match.id, exchange->match.part_id,
						 &posting);
	if (result != OK)
		return result;
	posted_update_respond_shown(exchange, posted_update_fields, &posting.update);
	return OK;
}

/* PUT /incidents/{id}/updates/{update_id} */

static enum result admit_edit(struct exchange *exchange, const void *current)
{
	const struct incident_posting *posting = current;
	return posted_update_admit_edit(exchange, posted_update_fields, &posting->update);
}

static void render_edit(struct exchange *exchange, const void *outcome)
{
	const struct incident_posting *posting = outcome;
	posted_update_respond(exchange, posted_update_fields, &posting->update);
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
	return posted_update_check_etag(exchange, posted_update_fields, &posting->update);
}

static void render_withdrawal(struct exchange *exchange, const void *outcome)
{
	const struct incident_posting *posting = outcome;
	exchange_respond_deleted(exchange, "incident_update", posting->update.id);
}

enum result incident_updates_withdraw(struct exchange *exchange)
{
	struct incident_posting posting;
	return service_withdraw_update(
		exchange_service(exchange, admit_withdrawal, render_withdrawal), exchange->match.id,
		exchange->match.part_id, &posting);
}
