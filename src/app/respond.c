#include "app/respond.h"

#include <string.h>

#include "base/secret.h"
#include "wire/json.h"
#include "wire/limits.h"
#include "wire/urlencoded.h"

void exchange_respond(struct exchange *exchange, int status, struct json_object *data)
{
	struct json_object *body = json_object_tree();
	json_put(body, "data", data);
	json_put_int(body, "status", status);
	response_json(&exchange->response, status, body);
}

void exchange_respond_row(struct exchange *exchange, struct fields fields, const void *row)
{
	struct buf *body = &exchange->response.body;
	buf_clear(body);
	buf_puts(body, "{\"data\":");
	json_print_fields(body, fields, row);
	buf_puts(body, ",\"status\":200}");
	response_end_json(&exchange->response, 200);
}

void exchange_set_location(struct exchange *exchange, int64_t id)
{
	response_header(&exchange->response, "Location", "%s%s/%lld", exchange->request.base_url,
			exchange->match.pattern, (long long)id);
}

void exchange_respond_deleted(struct exchange *exchange, const char *object, int64_t id)
{
	struct json_object *body = json_object_tree();
	json_put_int(body, "id", id);
	json_put_text(body, "object", object);
	json_put_bool(body, "deleted", true);
	json_put_int(body, "status", 200);
	response_json(&exchange->response, 200, body);
}

/* The request's query without that parameter: each pair as it was sent, followed by '&'. */
static const char *other_parameters(struct exchange *exchange, const char *but)
{
	const char *kept = "";
	struct str rest = exchange->request.query, pair;
	while (str_split(&rest, '&', &pair)) {
		struct str left = pair, name = { 0 };
		str_split(&left, '=', &name);
		char *decoded = arena_alloc(&exchange->arena, name.len + 1);
		if (pair.len == 0 || (percent_decode(name, decoded) && strcmp(decoded, but) == 0))
			continue;
		kept = arena_printf(&exchange->arena, "%s%.*s&", kept, (int)pair.len, pair.data);
	}
	return kept;
}

static void put_link(struct exchange *exchange, struct json_object *links, const char *key,
		     const char *path, const char *parameters, int64_t page)
{
	json_put_text(links, key,
		      page > 0 ? arena_printf(&exchange->arena, "%s?%spage=%lld", path, parameters,
					      (long long)page)
			       : NULL);
}

/* The path of the request, without a final slash; {id} is its only placeholder. */
static const char *list_path(struct exchange *exchange)
{
	const char *pattern = exchange->match.pattern, *id = strstr(pattern, "{id}");
	if (!id)
		return pattern;
	return arena_printf(&exchange->arena, "%.*s%lld%s", (int)(id - pattern), pattern,
			    (long long)exchange->match.id, id + strlen("{id}"));
}

/* Adds what follows the rows of a list: links, meta, status. */
static void put_tail(struct exchange *exchange, struct json_object *body,
		     const struct list_page *page)
{
	const char *path = arena_printf(&exchange->arena, "%s%s", exchange->request.base_url,
					list_path(exchange));
	const char *parameters = other_parameters(exchange, page->cursor ? "after" : "page");
	int64_t last = page->total > 0 ? (page->total - 1) / page->size + 1 : 1;
	bool is_empty = page->shown == 0;

	struct json_object *links = json_object_tree();
	struct json_object *meta = json_object_tree();
	json_put(body, "links", links);
	bool has_parts = !page->cursor;
	put_link(exchange, links, "first", path, parameters, has_parts ? 1 : 0);
	put_link(exchange, links, "last", path, parameters, has_parts ? last : 0);
	put_link(exchange, links, "prev", path, parameters,
		 page->number > last ? last : page->number - 1);
	put_link(exchange, links, "next", path, parameters,
		 has_parts && page->number < last ? page->number + 1 : 0);
	if (!has_parts)
		json_put_text(
			links, "next",
			arena_printf(&exchange->arena, "%s?%s%s", path, parameters, page->cursor));
	json_put(body, "meta", meta);
	json_put_int(meta, "current_page", page->number);
	json_put_int_or_null(meta, "from", !is_empty, page->offset + 1);
	json_put_int(meta, "last_page", last);
	json_put_text(meta, "path", path);
	json_put_int(meta, "per_page", page->size);
	json_put_int_or_null(meta, "to", !is_empty, page->offset + (int64_t)page->shown);
	json_put_int(meta, "total", page->total);
	json_put_int(body, "status", 200);
}

void exchange_begin_rows(struct exchange *exchange)
{
	buf_clear(&exchange->response.body);
	buf_puts(&exchange->response.body, "{\"data\":[");
}

void exchange_add_row(struct exchange *exchange, struct fields fields, const void *row)
{
	struct buf *body = &exchange->response.body;
	if (buf_ok(body) && body->data[body->len - 1] == '}')
		buf_putc(body, ',');
	json_print_fields(body, fields, row);
}

void exchange_end_rows(struct exchange *exchange, const struct list_page *page)
{
	struct buf *body = &exchange->response.body;
	struct json_object *tail = json_object_tree();
	put_tail(exchange, tail, page);
	buf_putc(body, ']');
	/* The members of the tail continue the object: its brace becomes a comma. */
	size_t brace = body->len;
	json_print(body, tail);
	json_free(tail);
	if (buf_ok(body))
		body->data[brace] = ',';
	response_end_json(&exchange->response, 200);
}

void exchange_respond_rows(struct exchange *exchange, struct fields fields,
			   const struct list_rows *list, struct list_page *page)
{
	const char *row = list->rows;
	exchange_begin_rows(exchange);
	for (size_t i = 0; i < list->count; i++, row += list->row_bytes)
		exchange_add_row(exchange, fields, row);
	page->total = list->total;
	page->shown = list->count;
	exchange_end_rows(exchange, page);
}

int64_t exchange_hash(struct fields fields, const void *row)
{
	struct buf text CLEANUP(buf_done) = BUF_INIT(WIRE_RESPONSE_MAX_BYTES);
	uint8_t hash[SECRET_HASH_BYTES];
	int64_t number;
	json_print_fields(&text, fields, row);
	secret_hash(buf_ok(&text) ? (struct str){ text.data, text.len } : STR(""), hash);
	memcpy(&number, hash, sizeof(number));
	return number & INT64_MAX;
}

static const char *etag_of(struct exchange *exchange, int64_t id, int64_t revision)
{
	return arena_printf(&exchange->arena, "\"%lld-%lld\"", (long long)id, (long long)revision);
}

/*
 * Whether a list of entity tags (RFC 9110 13.1) names this one. If-None-Match
 * compares weakly, since a cache between client and service may have made the tag weak.
 */
static bool names_etag(const char *header, const char *etag, bool is_weak_enough)
{
	struct str rest = str_from(header), item;
	while (str_split(&rest, ',', &item)) {
		item = str_trim_ows(item);
		if (is_weak_enough && str_starts(item, STR("W/")))
			item = str_skip(item, 2);
		if (str_eq(item, STR("*")) || str_eq(item, str_from(etag)))
			return true;
	}
	return false;
}

void exchange_set_etag(struct exchange *exchange, int64_t id, int64_t revision)
{
	response_header(&exchange->response, "ETag", "%s", etag_of(exchange, id, revision));
}

enum result exchange_check_etag(struct exchange *exchange, int64_t id, int64_t revision)
{
	const char *header = exchange->request.if_match;
	if (!header || names_etag(header, etag_of(exchange, id, revision), false))
		return OK;
	return E_PRECONDITION_FAILED;
}

bool exchange_has_etag(struct exchange *exchange, const char *etag)
{
	const char *header = exchange->request.if_none_match;
	if (!header || !names_etag(header, etag, true))
		return false;
	exchange->response.status = 304;
	return true;
}

bool exchange_is_unchanged(struct exchange *exchange, int64_t id, int64_t revision)
{
	return exchange_has_etag(exchange, etag_of(exchange, id, revision));
}
