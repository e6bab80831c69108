/*
 * The HTTP side of writes that may be sent again (contract section 7): the Idempotency-Key
 * header, what a request says, and the response as it is stored. The rest is in
 * service_transact().
 *
 * Key and response are stored in the transaction of the write: whatever is lost behind
 * the commit, the write is not done twice, and its response is there. A request that was
 * refused has changed nothing, and its response is not stored.
 */
#ifndef APP_IDEMPOTENCY_H
#define APP_IDEMPOTENCY_H

#include "app/exchange.h"

/* Reads the header of a write. E_MALFORMED: it is no key. */
enum result idempotency_start(struct exchange *exchange) MUST_USE;
/* Whether this request has a key. */
bool idempotency_is_asked(const struct exchange *exchange);
/* Adds what the body says to the hash of the request. */
void idempotency_add_body(struct exchange *exchange, const void *data, size_t len);

/* For struct service_caller; `context` is the exchange. */
void idempotency_store(void *context, struct idempotency_key *key);
void idempotency_replay(void *context, const struct idempotency_key *first);

#endif
