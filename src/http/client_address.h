/* The address of the client, for limits by client, and the trusted proxies. */
#ifndef HTTP_CLIENT_ADDRESS_H
#define HTTP_CLIENT_ADDRESS_H

#include "base/arena.h"
#include "base/config/config.h"

/*
 * Returns the client's address. This is `remote_addr`, unless `remote_addr` is a trusted proxy.
 * Behind a trusted proxy, the client's address is the last address in `forwarded_for`
 * (X-Forwarded-For, or NULL) that is not a trusted proxy. Earlier addresses in the list may be
 * forged. An IPv6 address is cut to its first 64 bits, the usual network of a client
 * ("2001:db8::/64"). The result is `remote_addr`, or is owned by the arena.
 */
const char *client_address(const struct config *config, const char *remote_addr,
			   const char *forwarded_for, struct arena *arena);

/* Returns whether `remote_addr` (REMOTE_ADDR) is a trusted proxy, whose X-Forwarded-* headers
 * count. */
bool client_address_is_proxy(const struct config *config, const char *remote_addr);

/* Returns whether `remote_addr` and all addresses in `forwarded_for` (X-Forwarded-For, or NULL) are
 * in `list`. The client is then in `list`, whichever addresses are proxies. */
bool client_address_is_among(const char *list, const char *remote_addr, const char *forwarded_for,
			     struct arena *arena);

#endif
