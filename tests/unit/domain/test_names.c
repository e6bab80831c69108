/* Host names and URLs. */
#include "unit/lib/unit.h"

#include <idn2.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "domain/domain_name.h"
#include "domain/web_url.h"

static void host_names_are_brought_to_ascii(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		const char *ascii; /* NULL: refused */
	} rows[] = {
		{ "status.example.org", "status.example.org" },
		{ "Status.EXAMPLE.org.", "status.example.org" },
		{ "b\xc3\xbc"
		  "cher.example",
		  "xn--bcher-kva.example" },
		{ "xn--bcher-kva.example", "xn--bcher-kva.example" },
		{ "a-b.c1.org", "a-b.c1.org" },
		{ "localhost", NULL },
		{ "127.0.0.1", NULL },
		{ "1.2.3.4.5", NULL },
		{ "[::1]", NULL },
		{ "status.example.org:80", NULL },
		{ "https://status.example.org", NULL },
		{ "status_page.example.org", NULL },
		{ "-a.example.org", NULL },
		{ "a-.example.org", NULL },
		{ "a..org", NULL },
		{ ".org", NULL },
		{ "a b.org", NULL },
		{ "*.example.org", NULL },
		{ "a/b.org", NULL },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const char *ascii = domain_name_ascii(&arena, rows[i].name);
		if (!rows[i].ascii != !ascii || (ascii && strcmp(ascii, rows[i].ascii) != 0))
			fail_msg("%s: %s", rows[i].name, ascii ? ascii : "refused");
	}
}

static void host_names_have_a_length(void **state)
{
	(void)state;
	char label[65], name[300] = "";
	memset(label, 'a', 64);
	label[64] = '\0';
	assert_null(domain_name_ascii(&arena, arena_printf(&arena, "%s.org", label)));
	assert_non_null(domain_name_ascii(&arena, arena_printf(&arena, "%s.org", label + 1)));
	/* 4 * 62 + 3 dots = 251, and "a." more is 253. */
	snprintf(name, sizeof(name), "%s.%s.%s.%s", label + 2, label + 2, label + 2, label + 2);
	assert_int_equal(251, strlen(name));
	assert_non_null(domain_name_ascii(&arena, arena_printf(&arena, "a.%s", name)));
	assert_null(domain_name_ascii(&arena, arena_printf(&arena, "ab.%s", name)));
}

/* Plain names do not pass through libidn2; it must agree. */
static void plain_names_are_those_of_idna(void **state)
{
	enum { TRIES = 20000, LEN_MAX = 24 };
	static const char letters[] = "aZ1x-..";
	size_t valid = 0;
	(void)state;
	srandom(1);
	for (int i = 0; i < TRIES; i++) {
		char name[LEN_MAX + 1] = "", *ascii = NULL;
		size_t len = 1 + (size_t)random() % LEN_MAX;
		for (size_t at = 0; at < len; at++)
			name[at] = letters[(size_t)random() % (sizeof(letters) - 1)];
		const char *found = domain_name_ascii(&arena, name);
		if (!found)
			continue;
		valid++;
		if (idn2_to_ascii_8z(name, &ascii, IDN2_NONTRANSITIONAL | IDN2_NFC_INPUT) !=
			    IDN2_OK ||
		    strncasecmp(ascii, found, strlen(found)) != 0 ||
		    strlen(ascii) > strlen(found) + 1)
			fail_msg("%s: %s, by IDNA %s", name, found, ascii ? ascii : "refused");
		idn2_free(ascii);
	}
	assert_true(valid > TRIES / 100);
}

static void urls_are_absolute_and_of_the_web(void **state)
{
	(void)state;
	static const struct {
		const char *url;
		bool is_valid;
	} rows[] = {
		{ "https://example.org", true },
		{ "HTTP://example.org:8080/a/b?c=d&e#f", true },
		{ "http://localhost", true },
		{ "http://[::1]:80/", true },
		{ "http://user:pw@example.org/", true },
		{ "https://b\xc3\xbc"
		  "cher.example/\xe2\x82\xac",
		  true },
		{ "example.org", false },
		{ "//example.org", false },
		{ "/path", false },
		{ "ftp://example.org", false },
		{ "javascript:alert(1)", false },
		{ "javascript://example.org/%0aalert(1)", false },
		{ "data:text/html,x", false },
		{ "mailto:a@example.org", false },
		{ "http://", false },
		{ "http:///path", false },
		{ "http:example.org", false },
		{ "http://exa mple.org", false },
		{ "http://example.org/\"><script>", false },
		{ "http://example.org:port/", false },
		{ "http://example.org/%zz", false },
		{ "http://example.org\n", false },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (web_url_is_valid(rows[i].url) != rows[i].is_valid)
			fail_msg("%s", rows[i].url);
}

static void urls_have_a_length(void **state)
{
	(void)state;
	char url[WEB_URL_MAX_BYTES + 2] = "http://example.org/";
	memset(url + 19, 'a', sizeof(url) - 19);
	url[WEB_URL_MAX_BYTES] = '\0';
	assert_true(web_url_is_valid(url));
	url[WEB_URL_MAX_BYTES] = 'a';
	url[WEB_URL_MAX_BYTES + 1] = '\0';
	assert_false(web_url_is_valid(url));
}

static void a_contact_may_be_an_address(void **state)
{
	(void)state;
	assert_true(web_url_is_contact("mailto:help@example.org"));
	assert_true(web_url_is_contact("MAILTO:help@example.org?subject=x"));
	assert_true(web_url_is_contact("https://example.org/help"));
	assert_false(web_url_is_contact("mailto:"));
	assert_false(web_url_is_contact("mailto:help"));
	assert_false(web_url_is_contact("mailto:@example.org"));
	assert_false(web_url_is_contact("mailto:a@b\"><script>"));
	assert_false(web_url_is_contact("tel:123"));
}

static void the_host_is_found(void **state)
{
	(void)state;
	assert_string_equal("example.org", web_url_host(&arena, "http://u@Example.ORG:80/x"));
	assert_null(web_url_host(&arena, "/x"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(host_names_are_brought_to_ascii),
		cmocka_unit_test(host_names_have_a_length),
		cmocka_unit_test(plain_names_are_those_of_idna),
		cmocka_unit_test(urls_are_absolute_and_of_the_web),
		cmocka_unit_test(urls_have_a_length),
		cmocka_unit_test(a_contact_may_be_an_address),
		cmocka_unit_test(the_host_is_found),
	};
	return RUN_WITH_ARENA(tests);
}
