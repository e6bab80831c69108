#include "app/handlers.h"

#include "app/input.h"
#include "app/operation.h"
#include "app/resources.h"
#include "service/incident/incident_templates.h"

static enum result save(struct exchange *exchange, exchange_admit *admit, exchange_render *render)
{
	struct incident_template_input input = { 0 };
	struct incident_template row;
	struct field_set sent = FIELD_SET_NONE;
	enum result result = exchange_body(exchange, &input, &sent);
	if (result != OK)
		return result;
	result = service_save_incident_template(exchange_service(exchange, admit, render),
						exchange->match.id, &input, sent, &row);
	return exchange_as_violation(exchange, result);
}

/* POST /incident-templates */
enum result incident_templates_create(struct exchange *exchange)
{
	return save(exchange, exchange_admit_creation, resources_render_created);
}

/* PUT /incident-templates/{id} */
enum result incident_templates_update(struct exchange *exchange)
{
	return save(exchange, resources_admit_update, resources_render);
}

/* DELETE /incident-templates/{id} */
enum result incident_templates_delete(struct exchange *exchange)
{
	struct incident_template row;
	return service_delete_incident_template(
		exchange_service(exchange, resources_admit, resources_render_deleted),
		exchange->match.id, &row);
}
