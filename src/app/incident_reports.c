#include "app/incident_reports.h"

#include "app/incidents.h"
#include "app/operation.h"
#include "app/respond.h"
#include "service/incident_reports.h"
#include "view/incident_json.h"
#include "wire/json.h"

/* POST /incidents */

static enum result admit_report(struct exchange *exchange, const void *current)
{
	(void)current;
	exchange_check_read_only(exchange, NULL, NULL);
	return OK;
}

static void render_report(struct exchange *exchange, const void *outcome)
{
	struct incident incident = *(const struct incident *)outcome;
	incidents_set_url(exchange, &incident);
	response_header(&exchange->response, "Location", "%s%s/%lld", exchange->request.base_url,
			exchange->match.pattern, (long long)incident.id);
	exchange_set_etag(exchange, incident.id, incident.revision);
	exchange_respond(exchange, 201, incident_shown_json(&incident, exchange->now));
}

enum result incidents_report(struct exchange *exchange)
{
	struct incident_report report = { 0 };
	struct incident incident;
	uint64_t sent = 0;
	enum result result = exchange_body(exchange, &report, &sent);
	if (result != OK)
		return result;
	return service_report_incident(exchange_service(exchange, admit_report, render_report),
				       &report, sent, &incident);
}

/* POST /incidents/{id}/updates */

static int64_t revision_of(const struct posted_update *update)
{
	return exchange_hash(posted_update_fields, update);
}

static struct json_object *update_tree(const struct posted_update *update)
{
	struct json_object *tree = json_object_tree();
	json_put_fields(tree, posted_update_fields, update);
	return tree;
}

/* The condition of a new update is about the incident. */
static enum result admit_post(struct exchange *exchange, const void *current)
{
	const struct incident_posting *posting = current;
	return exchange_check_etag(exchange, posting->incident.id, posting->incident.revision);
}

static void render_update(struct exchange *exchange, const struct posted_update *update, int status)
{
	exchange_set_etag(exchange, update->id, revision_of(update));
	exchange_respond(exchange, status, update_tree(update));
}

static void render_post(struct exchange *exchange, const void *outcome)
{
	const struct incident_posting *posting = outcome;
	response_header(&exchange->response, "Location", "%s/api/v1/incidents/%lld/updates/%lld",
			exchange->request.base_url, (long long)posting->incident.id,
			(long long)posting->update.id);
	render_update(exchange, &posting->update, 201);
}

enum result incident_updates_post(struct exchange *exchange)
{
	struct incident_post post = { 0 };
	struct incident_posting posting;
	uint64_t sent = 0;
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
						 exchange->match.id, exchange->match.update_id,
						 &posting);
	if (result != OK)
		return result;
	const struct posted_update *update = &posting.update;
	if (exchange_is_unchanged(exchange, update->id, revision_of(update)))
		exchange_set_etag(exchange, update->id, revision_of(update));
	else
		render_update(exchange, update, 200);
	return OK;
}

/* PUT /incidents/{id}/updates/{update_id} */

static enum result check_update(struct exchange *exchange, const struct posted_update *update)
{
	return exchange_check_etag(exchange, update->id, revision_of(update));
}

static enum result admit_edit(struct exchange *exchange, const void *current)
{
	const struct incident_posting *posting = current;
	enum result result = check_update(exchange, &posting->update);
	if (result == OK)
		exchange_check_read_only(exchange, update_tree(&posting->update), NULL);
	return result;
}

static void render_edit(struct exchange *exchange, const void *outcome)
{
	const struct incident_posting *posting = outcome;
	render_update(exchange, &posting->update, 200);
}

enum result incident_updates_edit(struct exchange *exchange)
{
	struct incident_edit edit = { 0 };
	struct incident_posting posting;
	uint64_t sent = 0;
	enum result result = exchange_body(exchange, &edit, &sent);
	if (result != OK)
		return result;
	return service_edit_update(exchange_service(exchange, admit_edit, render_edit),
				   exchange->match.id, exchange->match.update_id, &edit, sent,
				   &posting);
}

/* DELETE /incidents/{id}/updates/{update_id} */

static enum result admit_withdrawal(struct exchange *exchange, const void *current)
{
	const struct incident_posting *posting = current;
	return check_update(exchange, &posting->update);
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
		exchange->match.update_id, &posting);
}
