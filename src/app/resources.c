#include "app/resources.h"

#include <string.h>

#include "app/console/console_screens.h"
#include "app/input.h"
#include "app/respond.h"
#include "app/routes.h"
#include "service/resource/resource.h"
#include "wire/json.h"
#include "wire/urlencoded.h"

static const struct resource *resource_of(const struct exchange *exchange)
{
	return exchange->route->group->resource;
}

const char *exchange_other_parameters(struct exchange *exchange, const char *but)
{
	struct str rest = exchange->request.query, pair;
	char *kept = arena_alloc(&exchange->arena, rest.len + 2), *end = kept;
	char *decoded = arena_alloc(&exchange->arena, rest.len + 1);
	while (str_split(&rest, '&', &pair)) {
		struct str left = pair, name = { 0 };
		str_split(&left, '=', &name);
		if (pair.len == 0 || (percent_decode(name, decoded) && strcmp(decoded, but) == 0))
			continue;
		memcpy(end, pair.data, pair.len);
		end[pair.len] = '&';
		end += pair.len + 1;
	}
	return kept;
}

/* Returns the URL of the list, without a final slash. The route's only placeholder is {id}. */
static const char *list_address(struct exchange *exchange)
{
	const char *base_url = exchange->request.base_url;
	const char *pattern = exchange->match.pattern, *id = strstr(pattern, "{id}");
	if (!id)
		return arena_printf(&exchange->arena, "%s%s", base_url, pattern);
	return arena_printf(&exchange->arena, "%s%.*s%lld%s", base_url, (int)(id - pattern),
			    pattern, (long long)exchange->match.id, id + strlen("{id}"));
}

static void put_link(struct exchange *exchange, struct json_object *links, const char *key,
		     const char *start, int64_t value)
{
	json_put_text(links, key,
		      value < 0
			      ? NULL
			      : arena_printf(&exchange->arena, "%s%lld", start, (long long)value));
}

static void put_links(struct exchange *exchange, struct json_object *links,
		      const struct list_query *query, const struct resource_rows *rows,
		      int64_t last)
{
	enum { NO_LINK = -1 };
	bool has_parts = !rows->has_next_after;
	int64_t prev = query->page > last ? last : query->page - 1;
	int64_t next = query->page < last ? query->page + 1 : NO_LINK;
	const char *parameter = has_parts ? "page" : "after";
	const char *start = arena_printf(&exchange->arena, "%s?%s%s=", list_address(exchange),
					 exchange_other_parameters(exchange, parameter), parameter);
	put_link(exchange, links, "first", start, has_parts ? 1 : NO_LINK);
	put_link(exchange, links, "last", start, has_parts ? last : NO_LINK);
	put_link(exchange, links, "prev", start, has_parts && prev > 0 ? prev : NO_LINK);
	put_link(exchange, links, "next", start, has_parts ? next : rows->next_after);
}

/* Returns the members after the rows of a list: links, meta, status. */
static struct json_object *tail_tree(struct exchange *exchange, const struct list_query *query,
				     const struct resource_rows *rows)
{
	struct json_object *tree = json_object_tree();
	struct json_object *links = json_object_tree(), *meta = json_object_tree();
	int64_t last = rows->total > 0 ? (rows->total - 1) / query->limit + 1 : 1;
	bool is_empty = rows->count == 0;
	json_put(tree, "links", links);
	put_links(exchange, links, query, rows, last);
	json_put(tree, "meta", meta);
	json_put_int(meta, "current_page", query->page);
	json_put_int_or_null(meta, "from", !is_empty, query->offset + 1);
	json_put_int(meta, "last_page", last);
	json_put_text(meta, "path", list_address(exchange));
	json_put_int(meta, "per_page", query->limit);
	json_put_int_or_null(meta, "to", !is_empty, query->offset + (int64_t)rows->count);
	json_put_int(meta, "total", rows->total);
	json_put_int(tree, "status", 200);
	return tree;
}

/* Prints the rows of a list without a JSON tree: making a tree would take more time than all other
 * work for the request. */
static void respond_rows(struct exchange *exchange, const struct list_query *query,
			 const struct resource_rows *rows)
{
	const struct resource *resource = resource_of(exchange);
	struct buf *body = &exchange->response.body;
	const char *row = rows->rows;
	buf_clear(body);
	buf_puts(body, "{\"data\":[");
	for (size_t i = 0; i < rows->count; i++, row += rows->row_bytes) {
		if (i > 0)
			buf_putc(body, ',');
		json_print_fields(body, *resource->listed,
				  resource_present(&exchange->service, resource, row));
	}
	buf_putc(body, ']');
	struct json_object *tail = tail_tree(exchange, query, rows);
	/* Print the tail as an object, and replace its opening brace by a comma: its members then
	 * follow the rows. */
	size_t brace = body->len;
	json_print(body, tail);
	json_free(tail);
	if (buf_ok(body))
		body->data[brace] = ',';
	response_end_json(&exchange->response, 200);
}

/* Whether there is memory for this number of rows of a list. */
static bool has_room_for(struct exchange *exchange, int64_t rows)
{
	/*
	 * The longest incident needs 44 KB to be read, and another 44 KB to be printed. ALWAYS
	 * rows are allowed without a check.
	 */
	enum { ROW_BYTES = 96 * 1024, ALWAYS = 25 };
	return rows <= ALWAYS || arena_expect(&exchange->arena, (size_t)rows * ROW_BYTES);
}

enum result resources_list(struct exchange *exchange)
{
	const struct resource *resource = resource_of(exchange);
	struct list_query *query = arena_alloc(&exchange->arena, resource->query_bytes);
	struct resource_rows rows;
	memcpy(query, resource->query_defaults, resource->query_bytes);
	query->per_page = resource_per_page_default(exchange->config);
	query->page = 1;
	enum result result = exchange_query(exchange, query);
	if (resource->check)
		resource->check(query, &exchange->violations);
	if (result == OK && exchange->violations.count > 0)
		result = E_INVALID;
	if (result == OK && !has_room_for(exchange, resource_per_page(query->per_page)))
		result = E_BUSY;
	if (result == OK)
		result = resource_list(&exchange->service, resource, exchange->match.id, query,
				       &rows);
	if (result == OK)
		respond_rows(exchange, query, &rows);
	return result;
}

/* Responds with the row as clients read it. */
static void respond_row(struct exchange *exchange, int status, const void *row)
{
	const struct resource *resource = resource_of(exchange);
	exchange_respond_row(exchange, status, *resource->shown,
			     resource_present(&exchange->service, resource, row));
}

static void set_etag(struct exchange *exchange, const void *row)
{
	const struct resource *resource = resource_of(exchange);
	exchange_set_etag(exchange, resource_id(resource, row), resource_revision(resource, row));
}

enum result resources_show(struct exchange *exchange)
{
	const struct resource *resource = resource_of(exchange);
	const struct resource_place place = { exchange->match.id, exchange->match.part_id };
	void *row = arena_alloc(&exchange->arena, resource->row_bytes);
	enum result result = resource_find(&exchange->service, resource, &place, row);
	if (result != OK)
		return result;
	set_etag(exchange, row);
	/* Send no 304 if the row has values that change as time passes, such as a duration: the
	 * client would keep the old values. */
	if (resource_is_settled(resource, row) &&
	    exchange_is_unchanged(exchange, resource_id(resource, row),
				  resource_revision(resource, row)))
		return OK;
	result = resource_complete(&exchange->service, resource, row);
	if (result == OK)
		respond_row(exchange, 200, row);
	return result;
}

enum result resources_admit(struct exchange *exchange, const void *current)
{
	const struct resource *resource = resource_of(exchange);
	return exchange_check_etag(exchange, resource_id(resource, current),
				   resource_revision(resource, current));
}

enum result resources_admit_update(struct exchange *exchange, const void *current)
{
	const struct resource *resource = resource_of(exchange);
	enum result result = resources_admit(exchange, current);
	if (result != OK)
		return result;
	struct json_object *tree = json_row_tree(
		*resource->shown, resource_present(&exchange->service, resource, current));
	exchange_check_read_only(exchange, tree, NULL);
	return OK;
}

/* Responds to a change. The response of the API is the row. The response of the console is a
 * redirect to the object's screen. */
static void respond_changed(struct exchange *exchange, int status, const void *row)
{
	static const struct {
		int status;
		enum console_outcome outcome;
	} outcomes[] = { { 201, CONSOLE_IS_ADDED },
			 { 202, CONSOLE_IS_ACCEPTED },
			 { 200, CONSOLE_IS_SAVED } };
	size_t at = 0;
	while (outcomes[at].status != status)
		at++;
	if (exchange->route->screen) {
		console_respond_saved(exchange, resource_id(resource_of(exchange), row),
				      outcomes[at].outcome);
		return;
	}
	if (status == 201)
		resources_set_location(exchange, row);
	set_etag(exchange, row);
	respond_row(exchange, status, row);
}

void resources_render(struct exchange *exchange, const void *outcome)
{
	respond_changed(exchange, 200, outcome);
}

void resources_render_accepted(struct exchange *exchange, const void *outcome)
{
	respond_changed(exchange, 202, outcome);
}

void resources_set_location(struct exchange *exchange, const void *row)
{
	/* In the console, the response may be a screen, such as that of a new key. Set no Location:
	 * web servers turn a CGI response with Location and status 200 into a redirect. */
	if (exchange->route->screen)
		return;
	response_header(&exchange->response, "Location", "%s/%lld", list_address(exchange),
			(long long)resource_id(resource_of(exchange), row));
}

void resources_render_created(struct exchange *exchange, const void *outcome)
{
	respond_changed(exchange, 201, outcome);
}

void resources_respond_deleted(struct exchange *exchange, int64_t id, const char *counted,
			       int64_t count)
{
	if (exchange->route->screen) {
		console_respond_saved(exchange, id, CONSOLE_IS_DELETED);
		return;
	}
	struct json_object *body = json_object_tree();
	json_put_int(body, "id", id);
	json_put_text(body, "object", resource_of(exchange)->object);
	json_put_bool(body, "deleted", true);
	if (counted)
		json_put_int(body, counted, count);
	json_put_int(body, "status", 200);
	response_json(&exchange->response, 200, body);
}

void resources_render_deleted(struct exchange *exchange, const void *outcome)
{
	resources_respond_deleted(exchange, resource_id(resource_of(exchange), outcome), NULL, 0);
}
