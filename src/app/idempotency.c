#include "app/idempotency.h"

#include <string.h>
#include <strings.h>

#include "app/console/console.h"
#include "app/routes.h"
#include "base/secret.h"

enum { KEY_MAX_CHARS = 255, HASH_CHARS = 64 };

bool idempotency_is_asked(const struct exchange *exchange)
{
	return exchange->service.idempotency.key_hash != NULL;
}

enum result idempotency_start(struct exchange *exchange)
{
	const char *header = exchange->request.idempotency_key;
	if (!header)
		return OK;
	struct str key = str_trim_ows(str_from(header));
	if (key.len < 1 || key.len > KEY_MAX_CHARS)
		return error_client(&exchange->error, E_MALFORMED,
				    "The Idempotency-Key must have 1 to %d characters.",
				    KEY_MAX_CHARS);
	exchange->service.idempotency = (struct idempotency_key){
		.account_id = exchange->service.principal.account_id,
		.key_hash = secret_hash_hex(&exchange->arena, key.data, key.len, HASH_CHARS),
		.created_at = exchange->now,
	};
	idempotency_add_body(exchange, "", 0);
	return OK;
}

void idempotency_add_body(struct exchange *exchange, const void *data, size_t len)
{
	struct arena *arena = &exchange->arena;
	const char *body = secret_hash_hex(arena, data, len, HASH_CHARS);
	const struct route_match *match = &exchange->match;
	const char *all = arena_printf(arena, "%s %s %lld %s", exchange->request.method,
				       match->pattern, (long long)match->id, body);
	if (match->part_id > 0)
		all = arena_printf(arena, "%s part %lld", all, (long long)match->part_id);
	for (size_t i = 0; i < ROUTE_PARAMS_MAX && match->params[i]; i++)
		all = arena_printf(arena, "%s %s", all, match->params[i]);
	exchange->service.idempotency.request_hash =
		secret_hash_hex(arena, all, strlen(all), HASH_CHARS);
}

/* Whether the header is about this request only, and must not be stored with the response. */
static bool is_own_header(const char *name)
{
	return strcasecmp(name, "X-Request-Id") == 0 || strncasecmp(name, "X-RateLimit-", 12) == 0;
}

/* Whether the request is a sensitive form of the console. The response to such a form may have
 * secrets, and must not be stored. */
static bool is_sensitive(const struct exchange *exchange)
{
	return exchange->route->route.flags & ROUTE_FRESH;
}

void idempotency_store(void *context, struct idempotency_key *key)
{
	struct exchange *exchange = context;
	const struct response *response = &exchange->response;
	const char *headers = "";
	if (is_sensitive(exchange)) {
		key->status = 303;
		key->headers = "";
		key->body = console_repeated_path(exchange);
		return;
	}
	for (size_t i = 0; i < response->header_count; i++)
		if (!is_own_header(response->headers[i].name))
			headers = arena_printf(&exchange->arena, "%s%s: %s\n", headers,
					       response->headers[i].name,
					       response->headers[i].value);
	key->status = response->status;
	key->headers = headers;
	key->body = exchange->stored_body;
	if (!key->body)
		key->body =
			arena_strndup(&exchange->arena, response->body.data, response->body.len);
}

void idempotency_replay(void *context, const struct idempotency_key *first)
{
	struct exchange *exchange = context;
	struct response *response = &exchange->response;
	struct str rest = str_from(first->headers), line, name;
	if (is_sensitive(exchange)) {
		buf_clear(&response->body);
		console_redirect(exchange, first->body);
		return;
	}
	while (str_split(&rest, '\n', &line)) {
		struct str value = line;
		if (!str_split(&value, ':', &name) || !value.data)
			continue;
		value = str_trim_ows(value);
		response_header(response, arena_strndup(&exchange->arena, name.data, name.len),
				"%.*s", (int)value.len, value.data);
	}
	response_header(response, "Idempotent-Replayed", "true");
	buf_clear(&response->body);
	buf_puts(&response->body, first->body);
	response->status = (int)first->status;
	response->content_type = exchange->console ? "text/html; charset=utf-8"
						   : "application/json";
}
