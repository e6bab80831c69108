#include "app/idempotency.h"

#include <string.h>
#include <strings.h>
#include <time.h>

#include "base/log.h"
#include "base/secret.h"

enum { KEY_MAX_CHARS = 255, HASH_CHARS = 64 };
/* How long a second request waits for the answer of the first, which is still at work. */
enum { WAITS = 30, WAIT_MS = 100 };

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

void idempotency_keep(struct exchange *exchange)
{
	struct response *response = &exchange->response;
	struct idempotency_key *key = &exchange->idempotency;
	struct error failure = { 0 };
	const char *headers = "";
	if (!idempotency_is_asked(exchange) || !exchange->is_claimed)
		return;
	for (size_t i = 0; i < response->header_count; i++)
		if (!is_own_header(response->headers[i].name))
			headers = arena_printf(&exchange->arena, "%s%s: %s\n", headers,
					       response->headers[i].name,
					       response->headers[i].value);
	key->status = response->status;
	key->headers = headers;
	key->body = arena_strndup(&exchange->arena, response->body.data, response->body.len);
	/* The write is done. If it is sent again, its answer will be that this one was lost. */
	if (idempotency_answer(exchange->db, key, &failure) != OK)
		log_warn("idempotency", "the answer of request %s was not kept: %s",
			 exchange->request.id, error_text(&failure));
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
	response->status = (int)first->status;
	response->content_type = "application/json";
}

/* Whoever came first may be at work yet. */
static enum result find_answer(struct exchange *exchange, struct idempotency_key *first)
{
	static const struct timespec wait = { .tv_nsec = WAIT_MS * 1000000L };
	for (int i = 0;; i++) {
		enum result result =
			idempotency_find(exchange->db, &exchange->idempotency, &exchange->arena,
					 first, &exchange->error);
		bool is_waiting = result == OK && first->status == 0 &&
				  exchange->now.s - first->created_at.s <= WAITS &&
				  strcmp(first->request_hash,
					 exchange->idempotency.request_hash) == 0;
		if (!is_waiting || i == WAITS)
			return result;
		nanosleep(&wait, NULL);
	}
}

/* What becomes of a request whose key is there. OK: it was an old one, and is forgotten. */
static enum result answer_again(struct exchange *exchange)
{
	struct idempotency_key first;
	enum result result = find_answer(exchange, &first);
	if (result == E_MISSING)
		return OK;
	if (result != OK)
		return result;
	struct instant oldest = { exchange->now.s - IDEMPOTENCY_KEPT_S };
	if (first.created_at.s < oldest.s)
		return idempotency_forget(exchange->db, oldest, &exchange->error);
	if (strcmp(first.request_hash, exchange->idempotency.request_hash) != 0)
		return error_client(&exchange->error, E_TAKEN,
				    "This Idempotency-Key was used before with another request.");
	if (first.status == 0)
		return error_client(&exchange->error, E_TAKEN,
				    "The first request with this Idempotency-Key was done, but its "
				    "answer was lost, or is not there yet.");
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
	work->is_taken = result == E_TAKEN;
	return result == OK ? work->body(exchange, work->context) : result;
}

enum result idempotency_transact(struct exchange *exchange, transaction_body *body, void *context)
{
	/* Twice, where the first of it was only an old key. */
	for (int tries = 0; tries < 2; tries++) {
		struct claimed_work work = { body, context, false };
		enum result result =
			exchange_transact_plainly(exchange, DB_WRITE, claim_and_work, &work);
		exchange->is_claimed = result == OK;
		if (!work.is_taken)
			return result;
		exchange->error = (struct error){ 0 };
		result = answer_again(exchange);
		if (result != OK)
			return result;
	}
	return error_log(&exchange->error, E_RETRY, "an Idempotency-Key comes and goes");
}
