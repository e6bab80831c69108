#include "app/status_pages.h"

#include "app/operation.h"
#include "app/respond.h"
#include "service/page/status_pages.h"
#include "store/page/status_page.h"
#include "wire/json.h"

static struct json_object *page_tree(struct exchange *exchange, struct status_page *page)
{
	return status_page_tree(exchange, page, status_page_resource_fields);
}

/* GET /{id} */

enum result status_pages_show(struct exchange *exchange)
{
	struct status_page page;
	enum result result = status_page_find(exchange->db, exchange->principal.account_id,
					      exchange->match.id, false, &exchange->arena, &page,
					      &exchange->error);
	if (result != OK)
		return result;
	exchange_set_etag(exchange, page.id, page.version);
	if (exchange_is_unchanged(exchange, page.id, page.version))
		return OK;
	status_page_locate(exchange, &page);
	exchange_respond_row(exchange, status_page_resource_fields, &page);
	return OK;
}

/* POST / */

static void render_page(struct exchange *exchange, const struct status_page *outcome, int status)
{
	struct status_page page = *outcome;
	exchange_set_etag(exchange, page.id, page.version);
	exchange_respond(exchange, status, page_tree(exchange, &page));
}

static void render_creation(struct exchange *exchange, const void *outcome)
{
	const struct status_page *page = outcome;
	exchange_set_location(exchange, page->id);
	render_page(exchange, page, 201);
}

enum result status_pages_create(struct exchange *exchange)
{
	struct status_page_change change = { 0 };
	struct status_page page;
	enum result result = exchange_body(exchange, &change.input, &change.sent);
	if (result != OK)
		return result;
	return service_create_status_page(
		exchange_service(exchange, exchange_admit_creation, render_creation), &change,
		&page);
}

/* PUT /{id} */

static enum result admit_update(struct exchange *exchange, const void *current)
{
	struct status_page page = *(const struct status_page *)current;
	enum result result = exchange_check_etag(exchange, page.id, page.version);
	if (result == OK)
		exchange_check_read_only(exchange, page_tree(exchange, &page), NULL);
	return result;
}

static void render_update(struct exchange *exchange, const void *outcome)
{
	render_page(exchange, outcome, 200);
}

enum result status_pages_update(struct exchange *exchange)
{
	struct status_page_change change = { 0 };
	struct status_page page;
	enum result result = exchange_body(exchange, &change.input, &change.sent);
	if (result != OK)
		return result;
	return service_update_status_page(exchange_service(exchange, admit_update, render_update),
					  exchange->match.id, &change, &page);
}

/* DELETE /{id} */

static enum result admit_deletion(struct exchange *exchange, const void *current)
{
	const struct status_page *page = current;
	return exchange_check_etag(exchange, page->id, page->version);
}

static void render_deletion(struct exchange *exchange, const void *outcome)
{
	const struct status_page *page = outcome;
	exchange_respond_deleted(exchange, "status_page", page->id);
}

enum result status_pages_delete(struct exchange *exchange)
{
	struct status_page page;
	return service_delete_status_page(
		exchange_service(exchange, admit_deletion, render_deletion), exchange->match.id,
		&page);
}
