#include "check/lag.h"

/* Each value below EXACT has its own class. From EXACT on, there are PER_POWER classes from each
 * power of two to the next. */
enum { EXACT = 16, PER_POWER = 8 };

static size_t class_of(int64_t ms)
{
	int power = 0;
	if (ms < EXACT)
		return ms < 0 ? 0 : (size_t)ms;
	while (ms >> power >= EXACT)
		power++;
	size_t place = (size_t)(EXACT + (power - 1) * PER_POWER + (ms >> power) - PER_POWER);
	return place < LAG_CLASSES ? place : LAG_CLASSES - 1;
}

/* Returns the largest value of the class. */
static int64_t end_of(size_t place)
{
	if (place < EXACT)
		return (int64_t)place;
	int power = (int)(place - EXACT) / PER_POWER + 1;
	return ((int64_t)((place - EXACT) % PER_POWER + PER_POWER + 1) << power) - 1;
}

void lag_add(struct lag *lag, int64_t ms)
{
	lag->counts[class_of(ms)]++;
	lag->count++;
	if (ms > lag->max_ms)
		lag->max_ms = ms;
}

int64_t lag_quantile(const struct lag *lag, int per_mille)
{
	int64_t seen = 0;
	for (size_t i = 0; i < LAG_CLASSES && lag->count > 0; i++) {
		seen += lag->counts[i];
		if (seen * 1000 >= lag->count * per_mille)
			return end_of(i) < lag->max_ms ? end_of(i) : lag->max_ms;
	}
	return lag->max_ms;
}
