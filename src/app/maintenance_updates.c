/* The handlers of the updates that people post about a maintenance window. */
#include "app/input.h"
#include "app/maintenances.h"
#include "app/operation.h"
#include "app/respond.h"
#include "service/maintenances.h"

static enum result admit(struct exchange *exchange, const void *current)
{
	return maintenances_check_etag(exchange, current);
}

static void render_post(struct exchange *exchange, const void *outcome)
{
	const struct maintenance_shown *shown = outcome;
	response_header(&exchange->response, "Location", "%s/api/v1/maintenances/%lld",
			exchange->request.base_url, (long long)shown->maintenance.id);
	maintenances_render(exchange, shown, 201);
}

enum result maintenance_updates_post(struct exchange *exchange)
{
	struct maintenance_update_input input = { 0 };
	struct maintenance_shown shown = { 0 };
	uint64_t sent = 0;
	enum result result = exchange_body(exchange, &input, &sent);
	if (result != OK)
		return result;
	return service_post_maintenance_update(exchange_service(exchange, admit, render_post),
					       exchange->match.id, &input, &shown);
}

/* Which update the path names. E_NOT_FOUND: none can have that id. */
static enum result place_of(const struct exchange *exchange, struct maintenance_update_place *place)
{
	place->maintenance_id = exchange->match.id;
	return str_to_int64(str_from(exchange->match.params[0]), &place->update_id) &&
			       place->update_id > 0
		       ? OK
		       : E_NOT_FOUND;
}

static void render_edit(struct exchange *exchange, const void *outcome)
{
	maintenances_render(exchange, outcome, 200);
}

enum result maintenance_updates_edit(struct exchange *exchange)
{
	struct maintenance_update_input input = { 0 };
	struct maintenance_update_place place;
	struct maintenance_shown shown = { 0 };
	uint64_t sent = 0;
	enum result result = place_of(exchange, &place);
	if (result == OK)
		result = exchange_body(exchange, &input, &sent);
	if (result != OK)
		return result;
	return service_edit_maintenance_update(exchange_service(exchange, admit, render_edit),
					       &place, &input, sent, &shown);
}

static void render_withdrawal(struct exchange *exchange, const void *outcome)
{
	struct maintenance_update_place place = { 0 };
	(void)outcome;
	if (place_of(exchange, &place) == OK)
		exchange_respond_deleted(exchange, "maintenance_update", place.update_id);
}

enum result maintenance_updates_withdraw(struct exchange *exchange)
{
	struct maintenance_update_place place;
	struct maintenance_shown shown = { 0 };
	enum result result = place_of(exchange, &place);
	if (result != OK)
		return result;
	return service_withdraw_maintenance_update(
		exchange_service(exchange, admit, render_withdrawal), &place, &shown);
}
