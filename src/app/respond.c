#include "app/respond.h"

#include "app/console/console.h"
#include "app/console/console_screens.h"
#include "app/routes.h"
#include "wire/json.h"

void exchange_respond(struct exchange *exchange, int status, struct json_object *data)
{
	if (exchange->route->screen) {
		console_respond_result(exchange, data);
		json_free(data);
		return;
	}
	struct json_object *body = json_object_tree();
	json_put(body, "data", data);
	json_put_int(body, "status", status);
	response_json(&exchange->response, status, body);
}

void exchange_respond_csv(struct exchange *exchange, const char *name)
{
	struct response *response = &exchange->response;
	if (exchange->console)
		console_respond(exchange, 200);
	response_header(response, "Cache-Control", "private, no-store");
	response_header(response, "Content-Disposition", "attachment; filename=\"%s\"", name);
	response->status = 200;
	response->content_type = "text/csv; charset=utf-8";
}

void exchange_respond_row(struct exchange *exchange, int status, struct fields fields,
			  const void *row)
{
	struct buf *body = &exchange->response.body;
	if (exchange->route->screen) {
		exchange_respond(exchange, status, json_row_tree(fields, row));
		return;
	}
	buf_clear(body);
	buf_puts(body, "{\"data\":");
	json_print_fields(body, fields, row);
	buf_printf(body, ",\"status\":%d}", status);
	response_end_json(&exchange->response, status);
}

void exchange_respond_secret(struct exchange *exchange, int status, struct json_object *stored,
			     struct json_object *sent)
{
	struct buf *body = &exchange->response.body;
	exchange_respond(exchange, status, stored);
	exchange->stored_body =
		buf_ok(body) ? arena_strndup(&exchange->arena, body->data, body->len) : "";
	exchange_respond(exchange, status, sent);
	response_header(&exchange->response, "Cache-Control", "private, no-store");
}

static const char *etag_of(struct exchange *exchange, int64_t id, int64_t revision)
{
	return arena_printf(&exchange->arena, "\"%lld-%lld\"", (long long)id, (long long)revision);
}

/*
 * Whether a list of entity tags (RFC 9110 13.1) contains the tag. is_weak_enough: also accepts the
 * weak form of the tag, which caches may send in If-None-Match.
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
