/* How often a client may ask (contract section 8). */
#ifndef APP_RATE_H
#define APP_RATE_H

#include "app/exchange.h"

struct rate {
	int64_t per_minute; /* 0: no limit */
	bool is_told;	    /* every answer says what is left */
};

/*
 * Counts one more of `who`, and writes the headers that tell of it. False when
 * it is one too many. Where counts cannot be kept, everything is allowed: a full
 * disk must not end the service.
 */
bool rate_allows(struct exchange *exchange, const struct rate *rate, const char *who);

#endif
