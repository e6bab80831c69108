#include "app/handlers.h"

#include "app/input.h"
#include "app/operation.h"
#include "app/resources.h"
#include "service/maintenance/maintenances.h"

/* POST /maintenances */
enum result maintenances_create(struct exchange *exchange)
{
	struct maintenance_input input = { .auto_transition = true };
	struct maintenance_shown shown = { 0 };
	struct field_set sent = FIELD_SET_NONE;
	enum result result = exchange_body(exchange, &input, &sent);
	if (result != OK)
		return result;
	result = service_add_maintenance(
		exchange_service(exchange, exchange_admit_creation, resources_render_created),
		exchange->service.principal.account_id, &input, sent, &shown);
	return exchange_as_violation(exchange, result);
}

/* PUT /maintenances/{id} */

/* `current` is a struct maintenance, without its updates and occurrences. */
static enum result admit_update(struct exchange *exchange, const void *current)
{
	const struct maintenance_shown shown = { .maintenance =
							 *(const struct maintenance *)current };
	return resources_admit_update(exchange, &shown);
}

enum result maintenances_update(struct exchange *exchange)
{
	struct maintenance_input input = { 0 };
	struct maintenance_shown shown = { 0 };
	struct field_set sent = FIELD_SET_NONE;
	enum result result = exchange_body(exchange, &input, &sent);
	if (result != OK)
		return result;
	return service_update_maintenance(
		exchange_service(exchange, admit_update, resources_render), exchange->match.id,
		&input, sent, &shown);
}

/* DELETE /maintenances/{id} */
enum result maintenances_delete(struct exchange *exchange)
{
	struct maintenance maintenance;
	return service_delete_maintenance(
		exchange_service(exchange, resources_admit, resources_render_deleted),
		exchange->match.id, &maintenance);
}
