/* Limits how often a client may send requests (contract section 8). */
#ifndef APP_RATE_H
#define APP_RATE_H

#include "app/exchange.h"

/*
 * Counts a request of the exchange's key, and then a request of the key's account. Writes the
 * headers of the limit that has fewer requests left. E_RATE_LIMITED: too many requests; the error
 * names the limit. If counts cannot be kept, all requests are allowed: a full disk must not end the
 * service.
 */
enum result rate_take_request(struct exchange *exchange) MUST_USE;

/* Counts a request of `who`. False, with Retry-After in the response: more than per_minute
 * requests; per_minute 0: no limit. */
bool rate_allows(struct exchange *exchange, int64_t per_minute, const char *who);
/* Does the same without a header in the response; *wait_s is the time until the next request is
 * allowed, in seconds. */
bool rate_takes(struct exchange *exchange, int64_t per_minute, const char *who, int64_t *wait_s);
/* Whether the next request would be too many; counts nothing. */
bool rate_is_used_up(struct exchange *exchange, int64_t per_minute, const char *who);

/* The counts, for the functions of access/attempts.h. Opens their file if it is not open. NULL: the
 * file cannot be opened now. */
struct throttle *rate_throttle(struct exchange *exchange);
/*
 * After a failed call on the counts (errno): logs it, closes the counts, and opens them again some
 * seconds later.
 */
void rate_fail(struct exchange *exchange);

/* The name under which all wrong keys of the client are counted. */
const char *rate_wrong_keys(struct exchange *exchange);

/*
 * The result of a request with a wrong key or without a key: E_UNAUTHENTICATED, or E_RATE_LIMITED
 * if the client has sent too many wrong keys.
 */
enum result rate_refuse_key(struct exchange *exchange);

#endif
