/*
 * The memory that a process may use for the data of all its requests.
 *
 * Arenas and buffers report the memory that they hold. A large allocation first claims its memory.
 * The claim fails while the process holds too much. Small allocations need no claim, and always
 * succeed. The threads of the process share only the counts.
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
 * Claims memory. Returns false, and claims nothing, if the limit would be exceeded. All claims of
 * one request together count for at most half of the limit: the largest request can then run if no
 * other does. `held`: what the request has claimed before. *taken: what this call has claimed; the
 * caller returns it with budget_give().
 */
bool budget_claim(size_t bytes, size_t held, size_t *taken) MUST_USE;

size_t budget_used(void);

#endif
