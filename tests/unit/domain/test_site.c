/* Which names are the installation's own, however they are spelled. */
#include "unit/lib/unit.h"

#include "domain/domain_name.h"
#include "domain/page/site.h"

static struct site site;

static void site_of(const char *base_url, const char *hosts)
{
	const struct config config = { .base_url = base_url, .hosts = hosts };
	arena_reset(&arena);
	site_init(&site, &config, &arena);
}

static bool owns(const char *name)
{
	const char *ascii = domain_name_ascii(&arena, name);
	assert_non_null(ascii);
	assert_int_equal(!site_owns(&site, ascii), site_shows(&site, ascii));
	return site_owns(&site, ascii);
}

static void the_host_of_base_url_is_its_own_in_every_spelling(void **state)
{
	(void)state;
	static const char *const urls[] = {
		"https://b\xc3\xbc"
		"cher.example",
		"https://B\xc3\x9c"
		"CHER.Example:8443/x",
		"http://xn--bcher-kva.example./status",
		"https://XN--BCHER-KVA.EXAMPLE",
	};
	static const char *const names[] = { "xn--bcher-kva.example",
					     "b\xc3\xbc"
					     "cher.example.",
					     "B\xc3\x9c"
					     "CHER.EXAMPLE" };
	for (size_t i = 0; i < ARRAY_LEN(urls); i++)
		for (size_t j = 0; j < ARRAY_LEN(names); j++) {
			site_of(urls[i], NULL);
			assert_true(owns(names[j]));
			assert_false(owns("bucher.example"));
		}
}

static void aliases_are_its_own_too(void **state)
{
	(void)state;
	site_of("https://status.example.org", "www.Status.example.org., b\xc3\xbc"
					      "cher.example,srv");
	assert_true(owns("status.example.org"));
	assert_true(owns("www.status.example.org"));
	assert_true(owns("xn--bcher-kva.example"));
	assert_false(owns("status.example.com"));
	assert_false(owns("x.status.example.org"));
	assert_false(owns("example.org"));
}

static void without_a_host_of_its_own_it_shows_no_domain(void **state)
{
	(void)state;
	static const char *const urls[] = { NULL, "https://", "https:///x", "https://a b" };
	for (size_t i = 0; i < ARRAY_LEN(urls); i++) {
		site_of(urls[i], "other.example.org");
		assert_false(site_shows(&site, "status.example.org"));
	}
	site_of("http://127.0.0.1:8080", NULL);
	assert_true(site_shows(&site, "status.example.org"));
	assert_false(site_shows(&site, NULL));
	assert_false(site_shows(NULL, "status.example.org"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_host_of_base_url_is_its_own_in_every_spelling),
		cmocka_unit_test(aliases_are_its_own_too),
		cmocka_unit_test(without_a_host_of_its_own_it_shows_no_domain),
	};
	return RUN_WITH_ARENA(tests);
}
