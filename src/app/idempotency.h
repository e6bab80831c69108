/*
 * For writes that a client may send again (contract section 7). Reads the Idempotency-Key header,
 * hashes the content of the request, and makes the response that is stored. service_transact() does
 * the rest.
 *
 * The transaction of the write stores the key and the response. If the client loses the response
 * after COMMIT, its second request gets the stored response, and the write is not repeated. A
 * refused request has changed nothing, so its response is not stored.
 */
#ifndef APP_IDEMPOTENCY_H
#define APP_IDEMPOTENCY_H

#include "app/exchange.h"

/* Reads the Idempotency-Key header of a write. E_MALFORMED: the header is not a valid key. */
enum result idempotency_start(struct exchange *exchange) MUST_USE;
/* Whether this request has an Idempotency-Key. */
bool idempotency_is_asked(const struct exchange *exchange);
/* Adds the content of the body to the hash of the request. */
void idempotency_add_body(struct exchange *exchange, const void *data, size_t len);

/* For struct service_caller. The first puts the response into the key, and the second responds with
 * the stored response. `context` is the exchange. */
void idempotency_store(void *context, struct idempotency_key *key);
void idempotency_replay(void *context, const struct idempotency_key *first);

#endif
