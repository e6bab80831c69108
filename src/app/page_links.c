#include "app/page_links.h"

#include "app/operation.h"
#include "app/respond.h"
#include "service/page/page_links.h"
#include "wire/json.h"

static struct page_link_owner owner_of(const struct exchange *exchange)
{
	return (struct page_link_owner){ .page_id = exchange->match.id };
}

/* GET / */

struct list_input {
	int per_page;
	int64_t page;
};
static const struct field query_rows[] = { EXCHANGE_PAGE_ROWS(struct list_input, "links") };
const struct fields page_links_query_fields = { query_rows, ARRAY_LEN(query_rows) };

enum result page_links_list(struct exchange *exchange)
{
	struct list_input input = { .page = 1, .per_page = exchange_per_page_default(exchange) };
	const struct page_link_owner owner = owner_of(exchange);
	struct list_page page;
	struct page_link_list found;
	enum result result = exchange_query(exchange, &input);
	if (result == OK)
		result = exchange_begin_list(exchange, input.per_page, input.page, &page);
	if (result != OK)
		return result;
	struct page_link_query query = { .limit = page.size, .offset = page.offset };
	result = service_list_links(exchange_service(exchange, NULL, NULL), &owner, &query, &found);
	if (result != OK)
		return result;
	const struct list_rows list = { found.rows, sizeof(*found.rows), found.count, found.total };
	exchange_respond_rows(exchange, page_link_fields, &list, &page);
	return OK;
}

/* POST / */

static enum result admit_creation(struct exchange *exchange, const void *current)
{
	const struct status_page *page = current;
	return exchange_check_etag(exchange, page->id, page->version);
}

static void respond_created(struct exchange *exchange, const struct page_link *link)
{
	struct json_object *tree = json_object_tree();
	json_put_fields(tree, page_link_created_fields, link);
	exchange_respond(exchange, 201, tree);
}

/* The stored response has no link: a copy of the database must not open a page. */
static void render_creation(struct exchange *exchange, const void *outcome)
{
	const struct page_link *link = outcome;
	struct page_link stored = *link;
	struct buf *body = &exchange->response.body;
	stored.url = NULL;
	respond_created(exchange, &stored);
	exchange->stored_body =
		buf_ok(body) ? arena_strndup(&exchange->arena, body->data, body->len) : "";
	respond_created(exchange, link);
	response_header(&exchange->response, "Cache-Control", "private, no-store");
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

/* DELETE /{link_id} */

static enum result admit_withdrawal(struct exchange *exchange, const void *current)
{
	const struct page_link *link = current;
	return exchange_check_etag(exchange, link->id, exchange_hash(page_link_fields, link));
}

static void render_withdrawal(struct exchange *exchange, const void *outcome)
{
	const struct page_link *link = outcome;
	exchange_respond_deleted(exchange, "link", link->id);
}

enum result page_links_withdraw(struct exchange *exchange)
{
	const struct page_link_owner owner = owner_of(exchange);
	struct page_link link = { .id = exchange->match.part_id };
	return service_withdraw_link(
		exchange_service(exchange, admit_withdrawal, render_withdrawal), &owner, &link);
}
