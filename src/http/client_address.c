#include "http/client_address.h"

#include <arpa/inet.h>
#include <string.h>

#include "base/str.h"

enum { NETWORK_BYTES = 8 };

/* Removes the port that some proxies add: "192.0.2.1:80", "[2001:db8::1]:80". */
static struct str without_port(struct str item)
{
	const char *colon = memchr(item.data, ':', item.len);
	struct str rest = item, host;
	if (item.len > 0 && item.data[0] == '[') {
		rest = str_skip(item, 1);
		return str_split(&rest, ']', &host) ? host : item;
	}
	if (colon && !memchr(colon + 1, ':', item.len - (size_t)(colon + 1 - item.data)))
		item.len = (size_t)(colon - item.data);
	return item;
}

/* Returns whether a comma-separated list has this address. The item "unix" matches an empty
 * address. */
static bool list_has(const char *list, struct str address)
{
	struct str rest = str_from(list), item;
	/* For a client on a unix socket, the web server passes an empty address. */
	while (str_split(&rest, ',', &item)) {
		item = str_trim_ows(item);
		if (str_eq(item, address) || (address.len == 0 && str_eq(item, STR("unix"))))
			return item.len > 0;
	}
	return false;
}

bool client_address_is_proxy(const struct config *config, const char *remote_addr)
{
	return list_has(config->trusted_proxies, str_from(remote_addr));
}

/* Returns the address in canonical form, without a port; NULL: it is not an IP address. */
static const char *canonical_address(struct str item, struct arena *arena)
{
	char text[INET6_ADDRSTRLEN];
	struct in6_addr six;
	struct in_addr four;
	item = without_port(item);
	if (item.len >= sizeof(text))
		return NULL;
	memcpy(text, item.data, item.len);
	text[item.len] = '\0';
	bool is_six = inet_pton(AF_INET6, text, &six) == 1;
	if (is_six && IN6_IS_ADDR_V4MAPPED(&six))
		memcpy(&four, six.s6_addr + 12, sizeof(four));
	else if (is_six)
		return arena_strdup(arena, inet_ntop(AF_INET6, &six, text, sizeof(text)));
	else if (inet_pton(AF_INET, text, &four) != 1)
		return NULL;
	return arena_strdup(arena, inet_ntop(AF_INET, &four, text, sizeof(text)));
}

static const char *network_of(const char *address, struct arena *arena)
{
	char text[INET6_ADDRSTRLEN];
	struct in6_addr six;
	if (inet_pton(AF_INET6, address, &six) != 1)
		return address;
	memset(six.s6_addr + NETWORK_BYTES, 0, sizeof(six) - NETWORK_BYTES);
	return arena_printf(arena, "%s/64", inet_ntop(AF_INET6, &six, text, sizeof(text)));
}

/* Removes the last item of a comma-separated list. Returns false if the list is empty. */
static bool take_last_item(struct str *list, struct str *item)
{
	if (list->len == 0)
		return false;
	const char *comma = memrchr(list->data, ',', list->len);
	size_t start = comma ? (size_t)(comma + 1 - list->data) : 0;
	*item = str_trim_ows(str_skip(*list, start));
	list->len = comma ? start - 1 : 0;
	return true;
}

const char *client_address(const struct config *config, const char *remote_addr,
			   const char *forwarded_for, struct arena *arena)
{
	const char *client = canonical_address(str_from(remote_addr), arena);
	struct str rest = str_from(forwarded_for), item;
	if (!client)
		client = remote_addr;
	while (client_address_is_proxy(config, client) && take_last_item(&rest, &item)) {
		const char *before = canonical_address(item, arena);
		if (!before)
			break;
		client = before;
	}
	return network_of(client, arena);
}

static bool list_has_item(const char *list, struct str item, struct arena *arena)
{
	const char *address = canonical_address(item, arena);
	return list_has(list, address ? str_from(address) : item);
}

bool client_address_is_among(const char *list, const char *remote_addr, const char *forwarded_for,
			     struct arena *arena)
{
	struct str rest = str_from(forwarded_for), item;
	if (!list_has_item(list, str_from(remote_addr), arena))
		return false;
	while (take_last_item(&rest, &item))
		if (item.len == 0 || !list_has_item(list, item, arena))
			return false;
	return true;
}
