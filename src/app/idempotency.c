#include "app/idempotency.h"

#include <string.h>
#include <strings.h>

#include "app/publishing.h"
#include "base/secret.h"

enum { KEY_MAX_CHARS = 255, HASH_CHARS = 64 };

bool idempotency_is_asked(const struct exchange *exchange)
{
	return exchange->idempotency.key_hash != NULL;
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
	exchange->idempotency = (struct idempotency_key){
		.account_id = exchange->key.account_id,
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
	const char *all = arena_printf(arena, "%s %s %lld %s", exchange->request.method,
				       exchange->match.pattern, (long long)exchange->match.id,
				       body);
	exchange->idempotency.request_hash = secret_hash_hex(arena, all, strlen(all), HASH_CHARS);
}

/* What belongs to one request and not to what it did. */
static bool is_own_header(const char *name)
{
	return strcasecmp(name, "X-Request-Id") == 0 || strncasecmp(name, "X-RateLimit-", 12) == 0;
}

static enum result store_response(struct exchange *exchange)
{
	struct response *response = &exchange->response;
	struct idempotency_key *key = &exchange->idempotency;
	const char *headers = "";
	for (size_t i = 0; i < response->header_count; i++)
		if (!is_own_header(response->headers[i].name))
			headers = arena_printf(&exchange->arena, "%s%s: %s\n", headers,
					       response->headers[i].name,
					       response->headers[i].value);
	key->status = response->status;
	key->headers = headers;
	key->body = arena_strndup(&exchange->arena, response->body.data, response->body.len);
	return idempotency_store_response(exchange->db, key,
					  exchange->config->most_response_mb_per_day << 20,
					  &exchange->error);
}

static void replay(struct exchange *exchange, const struct idempotency_key *first)
{
	struct response *response = &exchange->response;
	struct str rest = str_from(first->headers), line, name;
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
	/* Former versions stored bodies without a newline. */
	size_t len = response->body.len;
	if (len == 0 || response->body.data[len - 1] != '\n')
		buf_puts(&response->body, "\n");
	response->status = (int)first->status;
	response->content_type = "application/json";
}

/* What becomes of a request whose key is there. OK: it was an old one, and is forgotten. */
static enum result respond_again(struct exchange *exchange)
{
	struct idempotency_key first;
	enum result result = idempotency_find(exchange->db, &exchange->idempotency,
					      &exchange->arena, &first, &exchange->error);
	if (result == E_NOT_FOUND)
		return OK;
	if (result != OK)
		return result;
	struct instant oldest = { exchange->now.s - IDEMPOTENCY_KEPT_S };
	if (first.created_at.s < oldest.s)
		return idempotency_forget(exchange->db, oldest, &exchange->error);
	if (strcmp(first.request_hash, exchange->idempotency.request_hash) != 0)
		return error_client(&exchange->error, E_CONFLICT,
				    "This Idempotency-Key was used before with another request.");
	/* Whoever gave it first may have ended before the pages were published. */
	exchange_publish_due(exchange);
	replay(exchange, &first);
	return E_REPLAYED;
}

struct claimed_work {
	transaction_body *body;
	void *context;
	bool is_taken;
};

static enum result claim_and_work(struct exchange *exchange, void *context)
{
	struct claimed_work *work = context;
	enum result result =
		idempotency_claim(exchange->db, &exchange->idempotency, &exchange->error);
	work->is_taken = result == E_CONFLICT;
	if (result == OK)
		result = work->body(exchange, work->context);
	return result == OK ? store_response(exchange) : result;
}

enum result idempotency_transact(struct exchange *exchange, transaction_body *body, void *context)
{
	/* Twice, where the first of it was only an old key. */
	for (int tries = 0; tries < 2; tries++) {
		struct claimed_work work = { body, context, false };
		enum result result =
			exchange_transact_plainly(exchange, DB_WRITE, claim_and_work, &work);
		if (!work.is_taken)
			return result;
		exchange->error = (struct error){ 0 };
		result = respond_again(exchange);
		if (result != OK)
			return result;
	}
	return error_log(&exchange->error, E_RETRY, "an Idempotency-Key comes and goes");
}
