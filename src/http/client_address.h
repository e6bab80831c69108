/* Who asks, for whatever is counted by client. */
#ifndef HTTP_CLIENT_ADDRESS_H
#define HTTP_CLIENT_ADDRESS_H

#include "base/arena.h"
#include "base/config.h"

/*
 * The client's address as a text: `remote_addr`, or where that is a trusted proxy's, the
 * last of `forwarded_for` (X-Forwarded-For; NULL: none was sent) that is not. What stands
 * before it anyone may have written. An IPv6 address is cut to its first 64 bits, which
 * are what one client is given ("2001:db8::/64"). Owned by the arena, or `remote_addr`.
 */
const char *client_address(const struct config *config, const char *remote_addr,
			   const char *forwarded_for, struct arena *arena);

/* Whether `remote_addr` (REMOTE_ADDR) is a trusted proxy, whose X-Forwarded-* headers count. */
bool client_address_is_proxy(const struct config *config, const char *remote_addr);

/*
 * Whether the address that connected, and every one that a proxy has named in
 * X-Forwarded-For (NULL: none has), is in the list: no proxy handed on what somebody
 * else asked.
 */
bool client_address_is_among(const char *list, const char *remote_addr, const char *forwarded_for,
			     struct arena *arena);

#endif
