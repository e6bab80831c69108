/*
 * How long to wait before the next try after failures. No other code computes such a wait.
 *
 * The wait doubles with each failure. A random part of the wait is left out, so that processes
 * that have failed together do not try again together.
 */
#ifndef BASE_BACKOFF_H
#define BASE_BACKOFF_H

#include <stdint.h>

struct backoff_rule {
	int64_t first_ms; /* the longest wait after the first failure */
	int64_t most_ms;  /* the longest wait of all; at least first_ms */
	int spread;	  /* how much of a wait may be left out, in per cent; at most 100 */
};

/* A spread for rules that need no other. */
enum { BACKOFF_SPREAD = 25 };

/* The wait after `failures` failures without a success between them, 1 or more. `random` chooses
 * how much is left out: 0 leaves out nothing, and UINT32_MAX all that the rule allows. */
int64_t backoff_wait_ms(const struct backoff_rule *rule, unsigned failures, uint32_t random);

/* {0}: the last try has succeeded, and a try is due. */
struct backoff {
	unsigned failures; /* failures in a row */
	int64_t until_ms;  /* no try is due before this time of clock_ms() */
};

/* Notes a failure at the time `now_ms` of clock_ms(): the next try is due after a random wait. */
void backoff_fail(struct backoff *backoff, const struct backoff_rule *rule, int64_t now_ms);
/* Waits in this thread for the time of backoff_wait_ms(). */
void backoff_sleep(const struct backoff_rule *rule, unsigned failures);

#endif
