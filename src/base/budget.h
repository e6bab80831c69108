/*
 * The memory that a process may use for the data of all its requests.
 *
 * Arenas and buffers report the memory that they hold. A large allocation claims its memory first,
 * and fails while the process holds too much; small allocations never claim, and always succeed.
 * Only the counts are shared between threads.
 */
#ifndef BASE_BUDGET_H
#define BASE_BUDGET_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"

/* Sets the limit. 0, the initial value: no limit. */
void budget_set(size_t most_bytes);

/* budget_take() adds memory to the count, even above the limit. budget_give() subtracts it. */
void budget_take(size_t bytes);
void budget_give(size_t bytes);

/*
 * Claims memory. Returns false, and claims nothing, if the limit would be exceeded. All claims of a
 * request count for at most half of the limit, so that the largest request can run alone. `held` is
 * what the request has claimed before. *taken is what this call has claimed; the caller returns it
 * with budget_give().
 */
bool budget_claim(size_t bytes, size_t held, size_t *taken) MUST_USE;

size_t budget_used(void);

#endif
