#include "base/backoff.h"

#include <unistd.h>

#include "base/secret.h"

int64_t backoff_wait_ms(const struct backoff_rule *rule, unsigned failures, uint32_t random)
{
	int64_t wait_ms = rule->first_ms;
	while (failures-- > 1 && wait_ms < rule->most_ms)
		wait_ms *= 2;
	if (wait_ms > rule->most_ms)
		wait_ms = rule->most_ms;
	return wait_ms - (int64_t)((double)wait_ms * rule->spread / 100 * random / UINT32_MAX);
}

static int64_t random_wait_ms(const struct backoff_rule *rule, unsigned failures)
{
	uint32_t random;
	secret_random(&random, sizeof(random));
	return backoff_wait_ms(rule, failures, random);
}

void backoff_fail(struct backoff *backoff, const struct backoff_rule *rule, int64_t now_ms)
{
	backoff->failures++;
	backoff->until_ms = now_ms + random_wait_ms(rule, backoff->failures);
}

void backoff_sleep(const struct backoff_rule *rule, unsigned failures)
{
	usleep((useconds_t)(random_wait_ms(rule, failures) * 1000));
}
