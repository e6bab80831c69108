/*
 * The memory that a process may use for the data of all its requests at once.
 *
 * Arenas and buffers report what they hold. What is about to become large asks before it
 * does, and is refused while too much is held; what is small never asks, and so goes on.
 * Counts alone are shared between threads.
 */
#ifndef BASE_BUDGET_H
#define BASE_BUDGET_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"

/* 0, as at the start: no limit. */
void budget_set(size_t most_bytes);

/* Counts memory that is held anyway, and memory that was given back. */
void budget_take(size_t bytes);
void budget_give(size_t bytes);

/*
 * Claims memory. False: nothing was claimed. A claim above half of the limit counts as half,
 * so that the largest request can run alone; `held` is what the request has of that half
 * already. The caller gives *taken back.
 */
bool budget_claim(size_t bytes, size_t held, size_t *taken) MUST_USE;

size_t budget_used(void);

#endif
