/* A histogram of how late checks start, in milliseconds; a value is wrong by at most an eighth. */
#ifndef CHECK_LAG_H
#define CHECK_LAG_H

#include <stddef.h>
#include <stdint.h>

enum { LAG_CLASSES = 160 };

struct lag {
	uint32_t counts[LAG_CLASSES];
	int64_t count;
	int64_t max_ms;
};

void lag_add(struct lag *lag, int64_t ms);
/* Returns a quantile of the values, in milliseconds; for per_mille 500 the median. Returns 0 if
 * there are no values. */
int64_t lag_quantile(const struct lag *lag, int per_mille);

#endif
