/* How often a client may ask (contract section 8). */
#ifndef APP_RATE_H
#define APP_RATE_H

#include "app/exchange.h"

/*
 * Counts a request of the exchange's key, and then of its account, and writes the headers that tell
 * of the tighter limit. E_RATE_LIMITED: one too many; the error says of what. Where counts cannot
 * be kept, everything is allowed: a full disk must not end the service.
 */
enum result rate_take_request(struct exchange *exchange) MUST_USE;

/* Counts one more of `who`. False, with Retry-After in the response: it is one too many of
 * per_minute; 0 is no limit. */
bool rate_allows(struct exchange *exchange, int64_t per_minute, const char *who);
/* The same without a word in the response; *wait_s is when to come back. */
bool rate_takes(struct exchange *exchange, int64_t per_minute, const char *who, int64_t *wait_s);
/* Whether one more would be too many; counts nothing. */
bool rate_is_used_up(struct exchange *exchange, int64_t per_minute, const char *who);

/* The opened counts, for access/attempts; NULL while they cannot be kept. */
struct throttle *rate_throttle(struct exchange *exchange);
/* Closes the counts after a failure of theirs (errno), logs it, and retries in some seconds. */
void rate_fail(struct exchange *exchange);

/* By this name the client's wrong keys are counted, wherever they are sent to. */
const char *rate_wrong_keys(struct exchange *exchange);

/* The result of a request with a wrong key, or none: E_UNAUTHENTICATED, or E_RATE_LIMITED if the
 * client has sent too many wrong keys. */
enum result rate_refuse_key(struct exchange *exchange);

#endif
