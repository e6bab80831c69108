#include "unit/lib/unit.h"

#include "http/client_address.h"

static const struct config trusting = { .trusted_proxies = "10.0.0.1, 10.0.0.2,2001:db8::1" };
static const struct config unix_proxy = { .trusted_proxies = "unix" };
static const struct config plain = { .trusted_proxies = "" };

static void the_nearest_that_is_no_proxy_of_ours_is_the_client(void **state)
{
	(void)state;
	static const struct {
		const struct config *config;
		const char *remote_addr, *forwarded_for;
		const char *wanted;
	} rows[] = {
		/* The header of a client that is not a trusted proxy is ignored. */
		{ &plain, "192.0.2.1", NULL, "192.0.2.1" },
		{ &plain, "10.0.0.1", "198.51.100.1", "10.0.0.1" },
		{ &trusting, "192.0.2.1", "198.51.100.1", "192.0.2.1" },
		/* The first addresses in the list may come from the client itself. */
		{ &trusting, "10.0.0.1", "198.51.100.1", "198.51.100.1" },
		{ &trusting, "10.0.0.1", "203.0.113.9, 198.51.100.1", "198.51.100.1" },
		{ &trusting, "10.0.0.1", "203.0.113.9,198.51.100.1 ,\t10.0.0.2", "198.51.100.1" },
		{ &trusting, "10.0.0.1", "10.0.0.2, 10.0.0.1", "10.0.0.2" },
		/* A text that is not an address ends the list. */
		{ &trusting, "10.0.0.1", NULL, "10.0.0.1" },
		{ &trusting, "10.0.0.1", "", "10.0.0.1" },
		{ &trusting, "10.0.0.1", ",", "10.0.0.1" },
		{ &trusting, "10.0.0.1", "unknown", "10.0.0.1" },
		{ &trusting, "10.0.0.1", "198.51.100.1, unknown, 10.0.0.2", "10.0.0.2" },
		{ &trusting, "10.0.0.1", "1.2.3", "10.0.0.1" },
		{ &trusting, "10.0.0.1", "1111111111111111111111111111111111111111111111111111111",
		  "10.0.0.1" },
		/* Some proxies add a port. */
		{ &trusting, "10.0.0.1", "198.51.100.1:4711", "198.51.100.1" },
		{ &trusting, "10.0.0.1", "[2001:db8:1:2::3]:4711", "2001:db8:1:2::/64" },
		{ &trusting, "10.0.0.1", "[2001:db8:1:2::3", "2001:db8:1:2::/64" },
		/* An IPv6 client is its /64 network; each address has one form. */
		{ &plain, "2001:db8:1:2:3:4:5:6", NULL, "2001:db8:1:2::/64" },
		{ &plain, "2001:DB8:1:2::9", NULL, "2001:db8:1:2::/64" },
		{ &plain, "2001:db8:1:3::9", NULL, "2001:db8:1:3::/64" },
		{ &plain, "::1", NULL, "::/64" },
		{ &plain, "::ffff:192.0.2.1", NULL, "192.0.2.1" },
		{ &trusting, "2001:0db8::0001", "198.51.100.1", "198.51.100.1" },
		{ &trusting, "::ffff:10.0.0.1", "198.51.100.1", "198.51.100.1" },
		/* Web servers have different names for a client without an address. */
		{ &plain, "", NULL, "" },
		{ &plain, "unix:", NULL, "unix:" },
		{ &unix_proxy, "", "198.51.100.1", "198.51.100.1" },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const char *found = client_address(rows[i].config, rows[i].remote_addr,
						   rows[i].forwarded_for, &arena);
		if (strcmp(rows[i].wanted, found) != 0)
			fail_msg("row %zu: %s", i, found);
	}
}

static void all_on_the_way_are_among_those_named(void **state)
{
	(void)state;
	static const char list[] = "127.0.0.1, ::1, unix";
	static const struct {
		const char *remote_addr;
		const char *forwarded_for;
		bool is_among;
	} rows[] = {
		{ "127.0.0.1", NULL, true },
		{ "::1", NULL, true },
		{ "0:0:0:0:0:0:0:1", NULL, true },
		{ "::ffff:127.0.0.1", NULL, true },
		{ "", NULL, true },
		{ "127.0.0.1", "127.0.0.1", true },
		{ "127.0.0.1", "::1, [::1]:80", true },
		{ "127.0.0.1", "198.51.100.1", false },
		/* The address that the client wrote, followed by the one that the proxy saw. */
		{ "127.0.0.1", "127.0.0.1, 198.51.100.1", false },
		{ "127.0.0.1", "198.51.100.1, 127.0.0.1", false },
		{ "127.0.0.1", ",", false },
		{ "127.0.0.1", "unknown", false },
		{ "198.51.100.1", NULL, false },
		{ "198.51.100.1", "127.0.0.1", false },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (client_address_is_among(list, rows[i].remote_addr, rows[i].forwarded_for,
					    &arena) != rows[i].is_among)
			fail_msg("row %zu", i);
	assert_false(client_address_is_among(NULL, "127.0.0.1", NULL, &arena));
}

static void only_named_proxies_are_trusted(void **state)
{
	(void)state;
	assert_true(client_address_is_proxy(&trusting, "10.0.0.1"));
	assert_true(client_address_is_proxy(&trusting, "10.0.0.2"));
	assert_true(client_address_is_proxy(&trusting, "2001:db8::1"));
	assert_false(client_address_is_proxy(&trusting, "10.0.0.10"));
	assert_false(client_address_is_proxy(&trusting, ""));
	assert_true(client_address_is_proxy(&unix_proxy, ""));
	assert_false(client_address_is_proxy(&plain, "127.0.0.1"));
	assert_false(client_address_is_proxy(&plain, ""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_nearest_that_is_no_proxy_of_ours_is_the_client),
		cmocka_unit_test(only_named_proxies_are_trusted),
		cmocka_unit_test(all_on_the_way_are_among_those_named),
	};
	return RUN_WITH_ARENA(tests);
}
