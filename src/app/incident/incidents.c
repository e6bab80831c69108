#include "app/handlers.h"

#include "app/input.h"
#include "app/operation.h"
#include "app/resources.h"
#include "http/form.h"
#include "service/incident/incidents.h"
#include "service/resource/resource.h"
#include "wire/json.h"

/* PUT /incidents/{id} */

/*
 * Compares the read-only fields of the request with the incident as a GET shows it. Reads the
 * incident's updates only if the request has the field `updates`.
 */
static enum result admit_update(struct exchange *exchange, const void *current)
{
	const struct resource *resource = &resource_incidents;
	struct incident_resource incident = { .row = *(const struct incident *)current };
	enum result result = resources_admit(exchange, current);
	bool is_whole = form_has(exchange->form, "updates");
	if (result == OK && is_whole)
		result = resource_complete(&exchange->service, resource, &incident);
	if (result != OK)
		return result;
	struct json_object *tree =
		json_row_tree(is_whole ? *resource->shown : *resource->listed,
			      resource_present(&exchange->service, resource, &incident));
	exchange_check_read_only(exchange, tree,
				 resource_is_settled(resource, &incident) ? NULL : "duration");
	return OK;
}

enum result incidents_update(struct exchange *exchange)
{
	struct incident_update update = { 0 };
	struct incident_resource incident;
	enum result result = exchange_body(exchange, &update.input, &update.sent);
	if (result != OK)
		return result;
	return service_update_incident(exchange_service(exchange, admit_update, resources_render),
				       exchange->match.id, &update, &incident);
}

/* DELETE /incidents/{id} */
enum result incidents_delete(struct exchange *exchange)
{
	struct incident incident;
	return service_delete_incident(
		exchange_service(exchange, resources_admit, resources_render_deleted),
		exchange->match.id, &incident);
}
