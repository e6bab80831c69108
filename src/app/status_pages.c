#include "app/handlers.h"

#include "app/input.h"
#include "app/operation.h"
#include "app/resources.h"
#include "service/page/status_pages.h"

/* POST /status-pages */
enum result status_pages_create(struct exchange *exchange)
{
	struct status_page_change change = { 0 };
	struct status_page page;
	enum result result = exchange_body(exchange, &change.input, &change.sent);
	if (result != OK)
		return result;
	return service_create_status_page(
		exchange_service(exchange, exchange_admit_creation, resources_render_created),
		&change, &page);
}

/* PUT /status-pages/{id} */
enum result status_pages_update(struct exchange *exchange)
{
	struct status_page_change change = { 0 };
	struct status_page page;
	enum result result = exchange_body(exchange, &change.input, &change.sent);
	if (result != OK)
		return result;
	return service_update_status_page(
		exchange_service(exchange, resources_admit_update, resources_render),
		exchange->match.id, &change, &page);
}

/* DELETE /status-pages/{id} */
enum result status_pages_delete(struct exchange *exchange)
{
	struct status_page page;
	return service_delete_status_page(
		exchange_service(exchange, resources_admit, resources_render_deleted),
		exchange->match.id, &page);
}
