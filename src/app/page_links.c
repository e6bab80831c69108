#include "app/page_links.h"

#include "app/operation.h"
#include "app/respond.h"
#include "service/page_links.h"
#include "wire/json.h"

struct link_input {
	int64_t expires_in;
};
static const struct field create_rows[] = {
	FIELD(struct link_input, expires_in, .min = PAGE_LINK_MIN_S, .max = PAGE_LINK_MAX_S,
	      .default_value = "604800", .text = "After how many seconds the link expires."),
};
const struct fields page_links_create_fields = { create_rows, ARRAY_LEN(create_rows) };

/* An Idempotency-Key has no effect: a link is stored nowhere, and another link changes nothing. */
enum result page_links_create(struct exchange *exchange)
{
	struct link_input input = { .expires_in = PAGE_LINK_DEFAULT_S };
	struct page_link link;
	uint64_t sent;
	enum result result = exchange_body(exchange, &input, &sent);
	if (result == OK && exchange->violations.count > 0)
		result = E_INVALID;
	if (result == OK)
		result = service_link_page(exchange_service(exchange, NULL, NULL),
					   exchange->match.id, input.expires_in, &link);
	if (result != OK)
		return result;
	struct json_object *tree = json_object_tree();
	json_put_fields(tree, page_link_fields, &link);
	response_header(&exchange->response, "Cache-Control", "private, no-store");
	exchange_respond(exchange, 201, tree);
	return OK;
}
