/*
 * Writes that may be sent again (contract section 7): a write with an
 * Idempotency-Key is done once, and its response is given again for a day.
 *
 * Key and answer are stored in the transaction of the write: whatever is lost behind
 * the commit, the write is not done twice, and its response is there. What was refused
 * has changed nothing, and is not stored.
 */
#ifndef APP_IDEMPOTENCY_H
#define APP_IDEMPOTENCY_H

#include "app/exchange.h"

/* Takes the header of a write. E_MALFORMED: it is none. */
enum result idempotency_start(struct exchange *exchange) MUST_USE;
/* Whether this request has one. */
bool idempotency_is_asked(const struct exchange *exchange);
/* Notes what the body says; of a request without any nothing need be noted. */
void idempotency_add_body(struct exchange *exchange, const void *data, size_t len);

/*
 * exchange_transact() of such a request. E_REPLAYED: it was done before, and the
 * response is what it was then. E_CONFLICT: the key was used for another request.
 */
enum result idempotency_transact(struct exchange *exchange, transaction_body *body, void *context)
	MUST_USE;

#endif
