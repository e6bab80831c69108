/* The handlers of the updates that people post about a maintenance window. */
#include "app/input.h"
#include "app/maintenances.h"
#include "app/operation.h"
#include "app/respond.h"
#include "service/maintenances.h"
#include "wire/json.h"

static int64_t revision_of(const struct posted_update *update)
{
	return exchange_hash(maintenance_posted_fields, update);
}

static struct json_object *update_tree(const struct posted_update *update)
{
	struct json_object *tree = json_object_tree();
	json_put_fields(tree, maintenance_posted_fields, update);
	return tree;
}

static void render_update(struct exchange *exchange, const struct posted_update *update, int status)
{
	exchange_set_etag(exchange, update->id, revision_of(update));
	exchange_respond(exchange, status, update_tree(update));
}

static struct maintenance_update_place place_of(const struct exchange *exchange)
{
	return (struct maintenance_update_place){ exchange->match.id, exchange->match.update_id };
}

/* POST /{id}/updates. The condition of a new update is about the window. */

static enum result admit_post(struct exchange *exchange, const void *current)
{
	const struct maintenance_posting *posting = current;
	return maintenances_check_etag(exchange, &posting->maintenance);
}

static void render_post(struct exchange *exchange, const void *outcome)
{
	const struct maintenance_posting *posting = outcome;
	response_header(&exchange->response, "Location", "%s/api/v1/maintenances/%lld/updates/%lld",
			exchange->request.base_url, (long long)posting->maintenance.id,
			(long long)posting->row.update.id);
	render_update(exchange, &posting->row.update, 201);
}

enum result maintenance_updates_post(struct exchange *exchange)
{
	struct maintenance_update_input input = { 0 };
	struct maintenance_posting posting = { 0 };
	uint64_t sent = 0;
	enum result result = exchange_body(exchange, &input, &sent);
	if (result != OK)
		return result;
	return service_post_maintenance_update(exchange_service(exchange, admit_post, render_post),
					       exchange->match.id, &input, &posting);
}

/* GET /{id}/updates/{update_id} */

enum result maintenance_updates_show(struct exchange *exchange)
{
	const struct maintenance_update_place place = place_of(exchange);
	struct maintenance_posting posting = { 0 };
	enum result result = service_show_maintenance_update(exchange_service(exchange, NULL, NULL),
							     &place, &posting);
	if (result != OK)
		return result;
	const struct posted_update *update = &posting.row.update;
	if (exchange_is_unchanged(exchange, update->id, revision_of(update)))
		exchange_set_etag(exchange, update->id, revision_of(update));
	else
		render_update(exchange, update, 200);
	return OK;
}

/* PUT /{id}/updates/{update_id} */

static enum result check_etag(struct exchange *exchange, const struct maintenance_posting *posting)
{
	const struct posted_update *update = &posting->row.update;
	return exchange_check_etag(exchange, update->id, revision_of(update));
}

static enum result admit_edit(struct exchange *exchange, const void *current)
{
	const struct maintenance_posting *posting = current;
	enum result result = check_etag(exchange, posting);
	if (result == OK)
		exchange_check_read_only(exchange, update_tree(&posting->row.update), NULL);
	return result;
}

static void render_edit(struct exchange *exchange, const void *outcome)
{
	const struct maintenance_posting *posting = outcome;
	render_update(exchange, &posting->row.update, 200);
}

enum result maintenance_updates_edit(struct exchange *exchange)
{
	const struct maintenance_update_place place = place_of(exchange);
	struct maintenance_update_input input = { 0 };
	struct maintenance_posting posting = { 0 };
	uint64_t sent = 0;
	enum result result = exchange_body(exchange, &input, &sent);
	if (result != OK)
		return result;
	return service_edit_maintenance_update(exchange_service(exchange, admit_edit, render_edit),
					       &place, &input, sent, &posting);
}

/* DELETE /{id}/updates/{update_id} */

static enum result admit_withdrawal(struct exchange *exchange, const void *current)
{
	return check_etag(exchange, current);
}

static void render_withdrawal(struct exchange *exchange, const void *outcome)
{
	const struct maintenance_posting *posting = outcome;
	exchange_respond_deleted(exchange, "maintenance_update", posting->row.update.id);
}

enum result maintenance_updates_withdraw(struct exchange *exchange)
{
	const struct maintenance_update_place place = place_of(exchange);
	struct maintenance_posting posting = { 0 };
	return service_withdraw_maintenance_update(
		exchange_service(exchange, admit_withdrawal, render_withdrawal), &place, &posting);
}
