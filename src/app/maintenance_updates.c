/* The handlers of the updates that people post about a maintenance window. */
#include "app/handlers.h"
#include "app/input.h"
#include "app/operation.h"
#include "app/resources.h"
#include "app/respond.h"
#include "service/maintenance/maintenances.h"
#include "service/resource/resource.h"

static struct maintenance_update_place place_of(const struct exchange *exchange)
{
	return (struct maintenance_update_place){ exchange->match.id, exchange->match.part_id };
}

/* POST /maintenances/{id}/updates. If-Match must name the version of the maintenance window. */

static enum result admit_post(struct exchange *exchange, const void *current)
{
	const struct maintenance_posting *posting = current;
	return exchange_check_etag(
		exchange, posting->maintenance.id,
		resource_revision(&resource_maintenances, &posting->maintenance));
}

enum result maintenance_updates_post(struct exchange *exchange)
{
	struct maintenance_update_input input = { 0 };
	struct maintenance_posting posting = { 0 };
	struct field_set sent = FIELD_SET_NONE;
	enum result result = exchange_body(exchange, &input, &sent);
	if (result != OK)
		return result;
	return service_post_maintenance_update(
		exchange_service(exchange, admit_post, resources_render_created),
		exchange->match.id, &input, &posting);
}

/* PUT /maintenances/{id}/updates/{update_id} */

enum result maintenance_updates_edit(struct exchange *exchange)
{
	const struct maintenance_update_place place = place_of(exchange);
	struct maintenance_update_input input = { 0 };
	struct maintenance_posting posting = { 0 };
	struct field_set sent = FIELD_SET_NONE;
	enum result result = exchange_body(exchange, &input, &sent);
	if (result != OK)
		return result;
	return service_edit_maintenance_update(
		exchange_service(exchange, resources_admit_update, resources_render), &place,
		&input, sent, &posting);
}

/* DELETE /maintenances/{id}/updates/{update_id} */

enum result maintenance_updates_withdraw(struct exchange *exchange)
{
	const struct maintenance_update_place place = place_of(exchange);
	struct maintenance_posting posting = { 0 };
	return service_withdraw_maintenance_update(
		exchange_service(exchange, resources_admit, resources_render_deleted), &place,
		&posting);
}
