/* Which addresses are public, at both edges of each range, and how targets are read. */
#include "unit/lib/unit.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <sys/un.h>

#include "probe/address.h"

static void judge(const char *text, bool is_public)
{
	struct sockaddr_storage address;
	if (!address_parse(text, &address))
		fail_msg("%s is no address", text);
	if (address_is_public((const struct sockaddr *)&address) != is_public)
		fail_msg("%s is %spublic", text, is_public ? "not " : "");
}

/* First and last address of a range that is refused, and its neighbours: NULL if the neighbour
 * belongs to another refused range. */
struct edges {
	const char *before, *first, *last, *after;
};

static const struct edges ipv4[] = {
	{ NULL, "0.0.0.0", "0.255.255.255", "1.0.0.0" },
	{ "9.255.255.255", "10.0.0.0", "10.255.255.255", "11.0.0.0" },
	{ "100.63.255.255", "100.64.0.0", "100.127.255.255", "100.128.0.0" },
	{ "126.255.255.255", "127.0.0.0", "127.255.255.255", "128.0.0.0" },
	{ "168.63.129.15", "168.63.129.16", "168.63.129.16", "168.63.129.17" },
	{ "169.253.255.255", "169.254.0.0", "169.254.255.255", "169.255.0.0" },
	{ "172.15.255.255", "172.16.0.0", "172.31.255.255", "172.32.0.0" },
	{ "191.255.255.255", "192.0.0.0", "192.0.0.255", "192.0.1.0" },
	{ "192.0.1.255", "192.0.2.0", "192.0.2.255", "192.0.3.0" },
	{ "192.88.98.255", "192.88.99.0", "192.88.99.255", "192.88.100.0" },
	{ "192.167.255.255", "192.168.0.0", "192.168.255.255", "192.169.0.0" },
	{ "198.17.255.255", "198.18.0.0", "198.19.255.255", "198.20.0.0" },
	{ "198.51.99.255", "198.51.100.0", "198.51.100.255", "198.51.101.0" },
	{ "203.0.112.255", "203.0.113.0", "203.0.113.255", "203.0.114.0" },
	{ "223.255.255.255", "224.0.0.0", "239.255.255.255", NULL },
	{ NULL, "240.0.0.0", "255.255.255.255", NULL },
};

static void an_ipv4_address_is_judged_by_its_range(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(ipv4); i++) {
		judge(ipv4[i].first, false);
		judge(ipv4[i].last, false);
		if (ipv4[i].before)
			judge(ipv4[i].before, true);
		if (ipv4[i].after)
			judge(ipv4[i].after, true);
	}
	judge("169.254.169.254", false);
	judge("100.100.100.200", false);
	judge("192.0.0.192", false);
	judge("8.8.8.8", true);
}

static void an_ipv6_address_is_judged_by_its_range(void **state)
{
	(void)state;
	static const char end[] = "ffff:ffff:ffff:ffff:ffff:ffff:ffff";
	static const struct edges ranges[] = {
		{ NULL, "::", "::1", NULL },
		{ NULL, "::2", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", NULL },
		{ NULL, "64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff", NULL },
		{ NULL, "100::", "100::ffff:ffff:ffff:ffff", NULL },
		{ "2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2001:1::", "2001:1ff:ffff::ffff",
		  "2001:200::" },
		{ "2001:db7:ffff:ffff:ffff:ffff:ffff:ffff",
		  "2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db9::" },
		{ "3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
		  "3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", "3fff:1000::" },
		{ "3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "4000::", "5f00::1", NULL },
		{ NULL, "8000::", "fbff::1", NULL },
		{ NULL, "fc00::", "fdff::1", NULL },
		{ NULL, "fe80::", "febf::1", NULL },
		{ NULL, "fec0::", "feff::1", NULL },
		{ NULL, "ff00::", "ff0e::1", NULL },
	};
	for (size_t i = 0; i < ARRAY_LEN(ranges); i++) {
		judge(ranges[i].first, false);
		judge(ranges[i].last, false);
		if (ranges[i].before)
			judge(ranges[i].before, true);
		if (ranges[i].after)
			judge(ranges[i].after, true);
	}
	judge(arena_printf(&arena, "ffff:%s", end), false);
	judge("2000::", true);
	judge("2606:4700:4700::1111", true);
	judge("fd00:ec2::254", false);
	judge("fd20:ce::254", false);
}

/* Each edge of IPv4, inside of an IPv6 address. */
static void an_ipv4_address_inside_of_an_ipv6_address_decides(void **state)
{
	(void)state;
	static const struct {
		const char *before, *after;
	} forms[] = {
		{ "::ffff:", "" },
		{ "64:ff9b::", "" },
		{ "2002:", "::1" },
		{ "2001:0:", ":0:0:f7f7:f7f7" }, /* Teredo: the server, and the client 8.8.8.8 */
	};
	for (size_t i = 0; i < ARRAY_LEN(ipv4); i++) {
		const char *const texts[] = { ipv4[i].before, ipv4[i].first, ipv4[i].last,
					      ipv4[i].after };
		for (size_t at = 0; at < ARRAY_LEN(texts); at++) {
			unsigned char b[4];
			char text[64];
			bool is_public = at == 0 || at == 3;
			if (!texts[at])
				continue;
			assert_int_equal(1, inet_pton(AF_INET, texts[at], b));
			for (size_t f = 0; f < ARRAY_LEN(forms); f++) {
				snprintf(text, sizeof(text), "%s%02x%02x:%02x%02x%s",
					 forms[f].before, b[0], b[1], b[2], b[3], forms[f].after);
				judge(text, is_public);
			}
			/* As the client, beside the server 8.8.8.8. */
			snprintf(text, sizeof(text), "2001:0:808:808:0:0:%02x%02x:%02x%02x",
				 b[0] ^ 255u, b[1] ^ 255u, b[2] ^ 255u, b[3] ^ 255u);
			judge(text, is_public);
		}
	}
	/* These contain no IPv4 address that anybody routes to. */
	judge("::8.8.8.8", false);
	judge("::ffff:0:8.8.8.8", false);
	judge("64:ff9b:1::8.8.8.8", false);
}

static void other_families_are_not_public(void **state)
{
	(void)state;
	struct sockaddr_storage address = { .ss_family = AF_UNIX };
	char text[ADDRESS_TEXT_SIZE];
	assert_false(address_is_public((const struct sockaddr *)&address));
	assert_string_equal("", address_text((const struct sockaddr *)&address, text));
}

static void an_address_is_printed_as_it_is_read(void **state)
{
	(void)state;
	static const char *const texts[] = { "192.0.2.1", "2001:db8::1", "::ffff:192.0.2.1" };
	static const char *const others[] = {
		"",	     "localhost", "127.1",  "010.0.0.1", "0x7f.1", "2130706433",
		"1.2.3.4.5", "[::1]",	  "::1%lo", "1.2.3.4 ",	 "::g",
	};
	struct sockaddr_storage address;
	char text[ADDRESS_TEXT_SIZE];
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		assert_true(address_parse(texts[i], &address));
		assert_string_equal(texts[i],
				    address_text((const struct sockaddr *)&address, text));
		address_set_port(&address, 65535);
		assert_int_equal(address_len(&address), address.ss_family == AF_INET
								? sizeof(struct sockaddr_in)
								: sizeof(struct sockaddr_in6));
		assert_int_equal(htons(65535), ((const struct sockaddr_in *)&address)->sin_port);
	}
	for (size_t i = 0; i < ARRAY_LEN(others); i++)
		if (address_parse(others[i], &address))
			fail_msg("%s is taken as an address", others[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_ipv4_address_is_judged_by_its_range),
		cmocka_unit_test(an_ipv6_address_is_judged_by_its_range),
		cmocka_unit_test(an_ipv4_address_inside_of_an_ipv6_address_decides),
		cmocka_unit_test(other_families_are_not_public),
		cmocka_unit_test(an_address_is_printed_as_it_is_read),
	};
	return RUN_WITH_ARENA(tests);
}
