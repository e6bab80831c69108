/* Names of registered domains, the list of registries, and their responses. */
#include "unit/lib/unit.h"

#include "check/rdap.h"

static void a_domain_is_what_was_registered(void **state)
{
	static const struct {
		const char *host, *domain;
	} names[] = {
		{ "example.com", "example.com" },
		{ "WWW.Shop.Example.COM.", "example.com" },
		{ "a.b.example.co.uk", "example.co.uk" },
		{ "www.bücher.de", "xn--bcher-kva.de" },
		{ "www.xn--bcher-kva.de", "xn--bcher-kva.de" },
		{ "daymark.github.io", "github.io" },
		{ "_sip._tcp.example.org", "example.org" },
		{ "www.city.kawasaki.jp", "city.kawasaki.jp" },
		{ "example.unknown-suffix", "example.unknown-suffix" },
		{ "co.uk", NULL },
		{ "com", NULL },
		{ "localhost", NULL },
		{ "192.0.2.1", NULL },
		{ "2001:db8::1", NULL },
		{ "_tcp", NULL },
		{ "", NULL },
		{ "a..b", NULL },
		{ NULL, NULL },
	};
	char domain[RDAP_DOMAIN_SIZE];
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		bool is_found = rdap_domain_of(names[i].host, domain);
		if (is_found != (names[i].domain != NULL))
			fail_msg("%s: %s", names[i].host, is_found ? domain : "-");
		if (is_found)
			assert_string_equal(names[i].domain, domain);
	}
}

#define LIST(services) "{\"version\":\"1.0\",\"services\":[" services "]}"
#define NESTED	       "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["

static void a_list_names_the_registry(void **state)
{
	static const struct {
		const char *list, *domain, *url;
	} rows[] = {
		{ LIST("[[\"net\",\"com\"],[\"https://rdap.test/v1/\"]]"), "a.com",
		  "https://rdap.test/v1/domain/a.com" },
		{ LIST("[[\"com\"],[\"https://rdap.test/v1\"]]"), "a.com",
		  "https://rdap.test/v1/domain/a.com" },
		{ LIST("[[\"COM\"],[\"http://a.test/\",\"https://b.test/\"]]"), "a.com",
		  "https://b.test/domain/a.com" },
		{ LIST("[[\"com\"],[\"http://a.test/\"]]"), "a.com", "http://a.test/domain/a.com" },
		/* The longest name counts, at whole labels. */
		{ LIST("[[\"uk\"],[\"https://uk.test/\"]],[[\"co.uk\"],[\"https://co.test/\"]]"),
		  "a.co.uk", "https://co.test/domain/a.co.uk" },
		{ LIST("[[\"co.uk\"],[\"https://co.test/\"]],[[\"uk\"],[\"https://uk.test/\"]]"),
		  "a.co.uk", "https://co.test/domain/a.co.uk" },
		{ LIST("[[\"om\"],[\"https://om.test/\"]]"), "a.com", NULL },
		{ LIST("[[\"\"],[\"https://root.test/\"]]"), "a.com", NULL },
		{ LIST("[[\"net\"],[\"https://rdap.test/\"]]"), "a.com", NULL },
		/* What is no list of registries. */
		{ LIST("[[\"com\"],[\"ftp://a.test/\",\"javascript:1\",7,null]]"), "a.com", NULL },
		{ LIST("[[\"com\"],[\"https://a.test/?q=\"]]"), "a.com", NULL },
		{ LIST("[[\"com\"],\"https://a.test/\"]"), "a.com", NULL },
		{ LIST("[\"com\",\"https://a.test/\"]"), "a.com", NULL },
		{ LIST("[[\"com\"]]"), "a.com", NULL },
		{ LIST("7,null,{},[]"), "a.com", NULL },
		{ "{\"services\":{\"com\":\"https://a.test/\"}}", "a.com", NULL },
		{ "{}", "a.com", NULL },
		{ "[]", "a.com", NULL },
		{ "", "a.com", NULL },
		{ "<html>", "a.com", NULL },
		{ NESTED, "a.com", NULL },
		/* The program's own. */
		{ NULL, "a.com", "https://rdap.verisign.com/com/v1/domain/a.com" },
		{ NULL, "a.example", NULL },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const char *url = rdap_url(rows[i].list, rows[i].domain, &arena);
		if (!url != !rows[i].url || (url && strcmp(url, rows[i].url) != 0))
			fail_msg("row %zu: %s", i, url ? url : "-");
	}
	assert_true(rdap_bootstrap_is_valid(rows[0].list));
	assert_false(rdap_bootstrap_is_valid("{\"services\":[]}"));
	assert_false(rdap_bootstrap_is_valid("<html>"));
}

#define RESPONSE(events) \
	"{\"objectClassName\":\"domain\",\"ldhName\":\"A.COM\",\"events\":" events "}"
#define EVENT(action, date) "{\"eventAction\":\"" action "\",\"eventDate\":\"" date "\"}"
#define DATE		    "2027-03-01T00:00:00Z"

static void a_response_states_the_end(void **state)
{
	static const struct {
		const char *response;
		int64_t date_s;
	} rows[] = {
		{ RESPONSE("[" EVENT("registration", "1997-09-15T04:00:00Z") "," EVENT("expiration",
										       DATE) "]"),
		  1803859200 },
		{ RESPONSE("[" EVENT("expiration", "2027-03-01T02:00:00.123+02:00") "]"),
		  1803859200 },
		{ RESPONSE("[" EVENT("Expiration", DATE) "]"), 1803859200 },
		/* Several: the last. */
		{ RESPONSE("[" EVENT("expiration", "2026-03-01T00:00:00Z") "," EVENT(
			  "expiration", DATE) "," EVENT("expiration", "2025-03-01T00:00:00Z") "]"),
		  1803859200 },
		{ RESPONSE("[" EVENT("expiration", "soon") "," EVENT("expiration", DATE) "]"),
		  1803859200 },
		{ "{\"objectClassName\":\"domain\",\"events\":[" EVENT("expiration", DATE) "]}",
		  1803859200 },
		{ "{\"objectClassName\":\"domain\",\"ldhName\":\"a.com.\",\"events\":[" EVENT(
			  "expiration", DATE) "]}",
		  1803859200 },
		/* Contacts nest deeper than our own requests may. */
		{ "{\"entities\":[{\"entities\":[{\"vcardArray\":[\"vcard\",[[\"adr\",{},\"text\","
		  "[\"\",[\"x\"]]]]]}]}],\"objectClassName\":\"domain\",\"events\":[" EVENT(
			  "expiration", DATE) "]}",
		  1803859200 },
		/* Unknown. */
		{ RESPONSE("[" EVENT("registrar expiration", DATE) "]"), 0 },
		{ RESPONSE("[" EVENT("expiration", "") "]"), 0 },
		{ RESPONSE("[" EVENT("expiration", "2027-13-01T00:00:00Z") "]"), 0 },
		{ RESPONSE("[" EVENT("expiration", "99999-01-01T00:00:00Z") "]"), 0 },
		{ RESPONSE("[" EVENT("expiration", "1970-01-01T00:00:00Z") "]"), 0 },
		{ RESPONSE("[{\"eventAction\":\"expiration\",\"eventDate\":1803859200}]"), 0 },
		{ RESPONSE("[{\"eventAction\":[\"expiration\"],\"eventDate\":{}}]"), 0 },
		{ RESPONSE("[{\"eventAction\":\"expiration\"},{\"eventDate\":\"" DATE "\"}]"), 0 },
		{ RESPONSE("[null,7,\"expiration\",[]]"), 0 },
		{ RESPONSE("{\"expiration\":\"" DATE "\"}"), 0 },
		{ RESPONSE("[]"), 0 },
		{ RESPONSE("null"), 0 },
		/* Of something else. */
		{ "{\"objectClassName\":\"domain\",\"ldhName\":\"b.com\",\"events\":[" EVENT(
			  "expiration", DATE) "]}",
		  0 },
		{ "{\"objectClassName\":\"entity\",\"events\":[" EVENT("expiration", DATE) "]}",
		  0 },
		{ "{\"events\":[" EVENT("expiration", DATE) "]}", 0 },
		{ "{\"errorCode\":404}", 0 },
		{ "[" RESPONSE("[" EVENT("expiration", DATE) "]") "]", 0 },
		{ RESPONSE("[" EVENT("expiration", DATE) "]") "x", 0 },
		{ "{\"objectClassName\":\"domain\",\"events\":[" EVENT("expiration", DATE), 0 },
		{ "", 0 },
		{ NESTED, 0 },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct instant date = { 7 };
		bool is_known = rdap_expiry(str_from(rows[i].response), "a.com", &date);
		if (is_known != (rows[i].date_s > 0) || date.s != rows[i].date_s)
			fail_msg("row %zu: %lld", i, (long long)date.s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_domain_is_what_was_registered),
		cmocka_unit_test(a_list_names_the_registry),
		cmocka_unit_test(a_response_states_the_end),
	};
	return RUN_WITH_ARENA(tests);
}
