/* How fast a checked system responded in an hour or a day (UTC). */
#ifndef DOMAIN_MONITOR_RESPONSE_TIME_H
#define DOMAIN_MONITOR_RESPONSE_TIME_H

#include "base/clock.h"

struct response_time {
	int64_t monitor_id;
	struct instant at; /* the start of the hour, or of the day */
	int64_t checks;
	int64_t failures;
	/* The response times of the successful checks, in milliseconds; 0: no check was
	 * successful. */
	int64_t average_ms;
	int64_t min_ms;
	int64_t max_ms;
};

#endif
