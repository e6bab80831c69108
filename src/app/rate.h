/* Limits how often a client may send requests (contract section 8). */
#ifndef APP_RATE_H
#define APP_RATE_H

#include "app/exchange.h"

/*
 * Counts a request for the key, and then for the key's account. The headers show the limit with
 * fewer requests left. E_RATE_LIMITED: too many requests; the error names the limit. If counts
 * cannot be stored, allows all requests, so that the service works while the disk is full.
 */
enum result rate_take_request(struct exchange *exchange) MUST_USE;

/* Counts a request of `who`. Returns false, and sets Retry-After, if there were more than
 * per_minute requests in a minute. per_minute 0: no limit. */
bool rate_allows(struct exchange *exchange, int64_t per_minute, const char *who);
/* Like rate_allows(), but sets no header. Sets *wait_s to the seconds until the next request is
 * allowed. */
bool rate_takes(struct exchange *exchange, int64_t per_minute, const char *who, int64_t *wait_s);
/* Whether the next request would exceed the limit. Does not count. */
bool rate_is_used_up(struct exchange *exchange, int64_t per_minute, const char *who);

/* Returns the counts, for the functions of access/attempts.h. Opens their file if it is not open.
 * Returns NULL if the file cannot be opened now. */
struct throttle *rate_throttle(struct exchange *exchange);
/*
 * Call it after a call on the counts has failed and has set errno. Logs the failure, and closes the
 * counts. They stay closed for up to five seconds. The next request then opens them again.
 */
void rate_fail(struct exchange *exchange);

/* Returns the name under which the wrong keys of the client are counted. */
const char *rate_wrong_keys(struct exchange *exchange);

/*
 * Returns the result for a request with a wrong key or without a key: E_UNAUTHENTICATED, or
 * E_RATE_LIMITED if the client has sent too many wrong keys.
 */
enum result rate_refuse_key(struct exchange *exchange);

#endif
