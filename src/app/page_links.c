#include "app/handlers.h"

#include "app/input.h"
#include "app/operation.h"
#include "app/resources.h"
#include "app/respond.h"
#include "service/page/page_links.h"
#include "service/resource/resource.h"
#include "wire/json.h"

static struct page_link_owner owner_of(const struct exchange *exchange)
{
	return (struct page_link_owner){ .page_id = exchange->match.id };
}

/* POST /status-pages/{id}/links */

static enum result admit_creation(struct exchange *exchange, const void *current)
{
	const struct status_page *page = current;
	return exchange_check_etag(exchange, page->id, page->version);
}

static void render_creation(struct exchange *exchange, const void *outcome)
{
	const struct page_link *link = outcome;
	struct page_link stored = *link;
	stored.url = NULL;
	exchange_respond_secret(exchange, 201, json_row_tree(page_link_created_fields, &stored),
				json_row_tree(page_link_created_fields, link));
}

enum result page_links_create(struct exchange *exchange)
{
	struct page_link_input input = { .expires_in = PAGE_LINK_DEFAULT_S };
	const struct page_link_owner owner = owner_of(exchange);
	struct page_link link;
	struct field_set sent;
	enum result result = exchange_body(exchange, &input, &sent);
	if (result != OK)
		return result;
	return service_create_link(exchange_service(exchange, admit_creation, render_creation),
				   &owner, &input, &link);
}

/* DELETE /status-pages/{id}/links/{link_id} */

static enum result admit_withdrawal(struct exchange *exchange, const void *current)
{
	const struct page_link *link = current;
	return exchange_check_etag(exchange, link->id, resource_hash(page_link_fields, link));
}

enum result page_links_withdraw(struct exchange *exchange)
{
	const struct page_link_owner owner = owner_of(exchange);
	struct page_link link = { .id = exchange->match.part_id };
	return service_withdraw_link(
		exchange_service(exchange, admit_withdrawal, resources_render_deleted), &owner,
		&link);
}
