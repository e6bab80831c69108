/*
 * The wait between tries, for all code that tries again after a failure.
 *
 * The wait doubles with each failure in a row. It is then shortened by a random part, so that
 * processes that failed at the same time do not try again at the same time.
 */
#ifndef BASE_BACKOFF_H
#define BASE_BACKOFF_H

#include <stdint.h>

struct backoff_rule {
	int64_t first_ms; /* the longest wait after the first failure */
	int64_t most_ms;  /* the longest wait after any failure; at least first_ms */
	int spread;	  /* waits are shortened at random by up to this many per cent; 0 to 100 */
};

/* The usual spread of a rule. */
enum { BACKOFF_SPREAD = 25 };

/* Returns the wait after `failures` (1 or more) failures in a row. `random` determines by how much
 * the wait is shortened. 0: not at all; UINT32_MAX: by rule->spread per cent. */
int64_t backoff_wait_ms(const struct backoff_rule *rule, unsigned failures, uint32_t random);

/* The state of repeated tries. {0}: the last try has succeeded, or there was none. */
struct backoff {
	unsigned failures; /* failures in a row */
	int64_t until_ms;  /* the time of clock_ms() when the next try is due */
};

/* Counts a failure at the time `now_ms` of clock_ms(). The next try is due after a random wait. */
void backoff_fail(struct backoff *backoff, const struct backoff_rule *rule, int64_t now_ms);
/* Sleeps in this thread for the time of backoff_wait_ms(). */
void backoff_sleep(const struct backoff_rule *rule, unsigned failures);

#endif
