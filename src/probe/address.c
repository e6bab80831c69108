#include "probe/address.h"

#include <arpa/inet.h>
#include <string.h>

#include "base/attr.h"

/* Whether the addresses of a range are public. The first range that contains an address decides. */
enum judgement {
	NOT_PUBLIC,
	AS_IPV4, /* public if the IPv4 address at `ipv4_at` is public */
	TEREDO,	 /* public if the IPv4 addresses of the Teredo server and client are public; the
		    bits of the client's address are inverted */
};
enum { TEREDO_SERVER_AT = 4, TEREDO_CLIENT_AT = 12 };

struct range {
	unsigned char prefix[16];
	unsigned bits;
	enum judgement judgement;
	size_t ipv4_at;
};

/* The IPv4 ranges that are not public: most ranges of the special-purpose registry of IANA (RFC
 * 6890), multicast, and a service of Azure. */
static const struct range ipv4_ranges[] = {
	{ { 0 }, 8 },		      /* this network */
	{ { 10 }, 8 },		      /* private */
	{ { 100, 64 }, 10 },	      /* shared by customers of a provider */
	{ { 127 }, 8 },		      /* loopback */
	{ { 168, 63, 129, 16 }, 32 }, /* the platform's services in Azure */
	{ { 169, 254 }, 16 },	      /* link-local; most clouds have their metadata service here */
	{ { 172, 16 }, 12 },	      /* private */
	{ { 192, 0, 0 }, 24 },	      /* protocol assignments */
	{ { 192, 0, 2 }, 24 },	      /* documentation */
	{ { 192, 88, 99 }, 24 },      /* relays of 6to4 */
	{ { 192, 168 }, 16 },	      /* private */
	{ { 198, 18 }, 15 },	      /* benchmarks */
	{ { 198, 51, 100 }, 24 },     /* documentation */
	{ { 203, 0, 113 }, 24 },      /* documentation */
	{ { 224 }, 4 },		      /* multicast */
	{ { 240 }, 4 },		      /* reserved, and broadcast */
};

/* The IPv6 ranges of which no address, or not every address, is public. The last three ranges are
 * all addresses outside of 2000::/3. */
static const struct range ipv6_ranges[] = {
	{ { [10] = 0xff, 0xff }, 96, AS_IPV4, 12 },	 /* mapped */
	{ { 0x00, 0x64, 0xff, 0x9b }, 96, AS_IPV4, 12 }, /* NAT64 */
	{ { 0x20, 0x02 }, 16, AS_IPV4, 2 },		 /* 6to4 */
	{ { 0x20, 0x01 }, 32, TEREDO },
	{ { 0x20, 0x01 }, 23 },		    /* protocol assignments */
	{ { 0x20, 0x01, 0x0d, 0xb8 }, 32 }, /* documentation */
	{ { 0x3f, 0xff }, 20 },		    /* documentation */
	{ { 0x00 }, 3 },
	{ { 0x40 }, 2 },
	{ { 0x80 }, 1 },
};

static const struct range *range_of(const struct range *ranges, size_t count,
				    const unsigned char *bytes)
{
	for (size_t i = 0; i < count; i++) {
		const struct range *range = &ranges[i];
		size_t whole = range->bits / 8;
		unsigned rest = range->bits % 8;
		if (memcmp(range->prefix, bytes, whole) == 0 &&
		    (rest == 0 || (range->prefix[whole] ^ bytes[whole]) >> (8 - rest) == 0))
			return range;
	}
	return NULL;
}

static bool is_public_ipv4(const unsigned char *bytes)
{
	return !range_of(ipv4_ranges, ARRAY_LEN(ipv4_ranges), bytes);
}

static bool is_public_ipv6(const unsigned char *bytes)
{
	const struct range *range = range_of(ipv6_ranges, ARRAY_LEN(ipv6_ranges), bytes);
	unsigned char client[4];
	if (!range)
		return true;
	switch (range->judgement) {
	case AS_IPV4:
		return is_public_ipv4(bytes + range->ipv4_at);
	case TEREDO:
		for (size_t i = 0; i < sizeof(client); i++)
			client[i] = (unsigned char)~bytes[TEREDO_CLIENT_AT + i];
		return is_public_ipv4(bytes + TEREDO_SERVER_AT) && is_public_ipv4(client);
	case NOT_PUBLIC:
		break;
	}
	return false;
}

static const void *address_bytes(const struct sockaddr *address)
{
	return address->sa_family == AF_INET
		       ? (const void *)&((const struct sockaddr_in *)(const void *)address)
				 ->sin_addr
	       : address->sa_family == AF_INET6
		       ? (const void *)&((const struct sockaddr_in6 *)(const void *)address)
				 ->sin6_addr
		       : NULL;
}

bool address_is_public(const struct sockaddr *address)
{
	const void *bytes = address_bytes(address);
	return bytes &&
	       (address->sa_family == AF_INET ? is_public_ipv4(bytes) : is_public_ipv6(bytes));
}

const char *address_text(const struct sockaddr *address, char text[ADDRESS_TEXT_SIZE])
{
	const void *bytes = address_bytes(address);
	if (!bytes || !inet_ntop(address->sa_family, bytes, text, ADDRESS_TEXT_SIZE))
		text[0] = '\0';
	return text;
}

bool address_is_same(const struct sockaddr *a, const struct sockaddr *b)
{
	size_t len = a->sa_family == AF_INET ? sizeof(struct in_addr) : sizeof(struct in6_addr);
	return a->sa_family == b->sa_family && address_bytes(a) &&
	       memcmp(address_bytes(a), address_bytes(b), len) == 0;
}

bool address_parse(const char *text, struct sockaddr_storage *address)
{
	*address = (struct sockaddr_storage){ .ss_family = AF_INET };
	if (inet_pton(AF_INET, text, &((struct sockaddr_in *)address)->sin_addr) == 1)
		return true;
	address->ss_family = AF_INET6;
	return inet_pton(AF_INET6, text, &((struct sockaddr_in6 *)address)->sin6_addr) == 1;
}

void address_set_port(struct sockaddr_storage *address, int port)
{
	if (address->ss_family == AF_INET)
		((struct sockaddr_in *)address)->sin_port = htons((uint16_t)port);
	else
		((struct sockaddr_in6 *)address)->sin6_port = htons((uint16_t)port);
}

socklen_t address_len(const struct sockaddr_storage *address)
{
	return address->ss_family == AF_INET ? sizeof(struct sockaddr_in)
					     : sizeof(struct sockaddr_in6);
}
