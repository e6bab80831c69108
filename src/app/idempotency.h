/*
 * Idempotency-Key, for writes that a client may send twice (contract section 7). Reads the header,
 * hashes the content of the request, and makes the response to store. service_transact() stores the
 * key and the response in the transaction of the write.
 *
 * If the client does not receive the response, it sends the request again, and gets the stored
 * response. The write is not repeated. The response to a refused request is not stored.
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

/* For struct service_caller; `context` is the exchange. idempotency_store() puts the response into
 * the key. idempotency_replay() responds with the stored response. */
void idempotency_store(void *context, struct idempotency_key *key);
void idempotency_replay(void *context, const struct idempotency_key *first);

#endif
