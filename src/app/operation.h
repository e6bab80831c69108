/*
 * Runs an operation of service/ for a handler, with the principal of the request. The handler's
 * callbacks run inside the transaction: they check preconditions and write the response.
 */
#ifndef APP_OPERATION_H
#define APP_OPERATION_H

#include "app/exchange.h"

/* Initializes exchange->service, except its principal, which is already set. */
void exchange_begin_service(struct exchange *exchange);
/* Sets the callbacks of the next operation: `admit` checks the object that the operation finds, and
 * `render` writes the response from the outcome. Both may be NULL. */
struct service *exchange_service(struct exchange *exchange, exchange_admit *admit,
				 exchange_render *render);
/* The function `admit` for a creation: adds a violation for each read-only field that was sent. */
enum result exchange_admit_creation(struct exchange *exchange, const void *current) MUST_USE;
/*
 * For operations that add a violation for a conflict or a quota: if there is a violation, changes
 * E_CONFLICT and E_QUOTA_EXCEEDED to E_INVALID. Without a violation, E_CONFLICT is about the
 * Idempotency-Key, and E_QUOTA_EXCEEDED is about stored responses: both stay unchanged.
 */
enum result exchange_as_violation(struct exchange *exchange, enum result result) MUST_USE;

#endif
