#include "unit/lib/unit.h"

#include "domain/page/status_page.h"
#include "domain/page/published_file.h"

static struct violations violations;

static const char *message_at(const char *field)
{
	for (const struct violation *fault = violations.first; fault; fault = fault->next)
		if (strcmp(fault->field, field) == 0)
			return fault->message;
	return NULL;
}

static const struct site *site_at(const char *base_url)
{
	static struct site site;
	struct config config = { .base_url = base_url };
	site_init(&site, &config, &arena);
	return &site;
}

static void slugs_are_lowered_and_checked(void **state)
{
	(void)state;
	static const struct {
		const char *slug;
		const char *stored; /* NULL: refused */
	} rows[] = {
		{ "My-Page_1", "my-page_1" },
		{ "7", "7" },
		{ "-a", NULL },
		{ "_a", NULL },
		{ "a b", NULL },
		{ "a/b", NULL },
		{ "a.b", NULL },
		{ "..", NULL },
		{ "\xc3\xbc", NULL },
		{ "a\n", NULL },
		{ "a%2f", NULL },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct status_page_input input = { .slug = rows[i].slug };
		violations_init(&violations, &arena);
		status_page_check(&input, NULL, &arena, &violations);
		assert_int_equal(rows[i].stored ? 0 : 1, violations.count);
		if (rows[i].stored)
			assert_string_equal(rows[i].stored, input.slug);
		else
			assert_non_null(message_at("slug"));
	}
}

static void every_fault_is_told_at_once(void **state)
{
	(void)state;
	struct status_page_input input = {
		.slug = "!",
		.domain = "localhost",
		.website_url = "example.org",
		.contact_url = "tel:1",
	};
	violations_init(&violations, &arena);
	status_page_check(&input, site_at("https://status.example.org"), &arena, &violations);
	assert_int_equal(4, violations.count);
	assert_non_null(message_at("slug"));
	assert_non_null(message_at("domain"));
	assert_non_null(message_at("website_url"));
	assert_non_null(message_at("contact_url"));
}

static void zones_and_languages_are_those_there_are(void **state)
{
	(void)state;
	static const struct {
		const char *time_zone, *language;
		bool is_zone, is_language;
	} rows[] = {
		{ "UTC", "en", true, true },
		{ "Asia/Kathmandu", "de", true, true },
		{ "Etc/GMT+12", "fr", true, true },
		{ "Europe/Atlantis", "es", false, true },
		{ "../zoneinfo/UTC", "EN", false, false },
		{ "/etc/localtime", "de-DE", false, false },
		{ "posix/UTC", "xx", false, false },
		{ "CET-1CEST,M3.5.0,M10.5.0/3", "german", false, false },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct status_page_input input = { .time_zone = rows[i].time_zone,
						   .language = rows[i].language };
		violations_init(&violations, &arena);
		status_page_check(&input, NULL, &arena, &violations);
		assert_int_equal(rows[i].is_zone, !message_at("time_zone"));
		assert_int_equal(rows[i].is_language, !message_at("language"));
	}
	assert_string_equal(
		zone_name(status_page_zone(&(struct status_page){ .time_zone = "Asia/Tokyo" })),
		"Asia/Tokyo");
	/* Stored on a machine that had the zone. */
	assert_ptr_equal(status_page_zone(&(struct status_page){ .time_zone = "Europe/Atlantis" }),
			 zone_utc());
}

static void the_service_keeps_its_own_host(void **state)
{
	(void)state;
	struct status_page_input input = { .domain = "Status.Example.org" };
	violations_init(&violations, &arena);
	status_page_check(&input, site_at("https://STATUS.example.org.:8443/x"), &arena,
			  &violations);
	assert_non_null(message_at("domain"));
	violations_init(&violations, &arena);
	status_page_check(&input, site_at("https://other.example.org"), &arena, &violations);
	assert_int_equal(0, violations.count);
	/* Which name is its own it does not know. */
	violations_init(&violations, &arena);
	status_page_check(&input, site_at(NULL), &arena, &violations);
	assert_non_null(strstr(message_at("domain"), "base_url"));
	assert_string_equal("status.example.org", input.domain);
}

static void only_what_was_sent_is_merged(void **state)
{
	(void)state;
	struct status_page page = {
		.name = "old", .slug = "old", .privacy = 2, .noindex = true, .meta_title = "title"
	};
	struct status_page_input input = { .name = "new", .slug = "new", .meta_title = NULL };
	status_page_merge(&page, &input,
			  FIELD_SET(status_page_place("name"), status_page_place("meta_title")));
	assert_string_equal("new", page.name);
	assert_string_equal("old", page.slug);
	assert_int_equal(2, page.privacy);
	assert_true(page.noindex);
	assert_null(page.meta_title);
}

#define GIF_OF(width, height) "GIF89a" width height "\0\0\0,\0\0\0\0\x03\0\x02\0\0\x02\x02xx\0;"

static void pictures_have_a_kind_and_a_size(void **state)
{
	(void)state;
	static const struct {
		const char *field;
		const char *bytes;
		bool is_taken;
	} rows[] = {
		{ "logo", GIF_OF("\x00\x10", "\x00\x10"), true },
		{ "logo", GIF_OF("\x01\x10", "\x00\x10"), false },
		{ "logo", GIF_OF("\x00\x10", "\x01\x10"), false },
		{ "logo_dark", GIF_OF("\x00\x10", "\x00\x10"), true },
		{ "logo_dark", GIF_OF("\x01\x10", "\x00\x10"), false },
		{ "favicon", GIF_OF("\x00\x04", "\x00\x04"), true },
		{ "favicon", GIF_OF("\x01\x04", "\x00\x04"), false },
		{ "header_image", GIF_OF("\x00\x10", "\x00\x10"), false },
		{ "logo", "rubbish that is as long as the others", false },
	};
	size_t len = sizeof(GIF_OF("\x00\x10", "\x00\x10")) - 1;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const char *name = NULL;
		violations_init(&violations, &arena);
		assert_int_equal(rows[i].is_taken,
				 status_page_check_image(rows[i].field, rows[i].bytes, len, &name,
							 &arena, &violations));
		assert_int_equal(rows[i].is_taken ? 0 : 1, violations.count);
		if (rows[i].is_taken) {
			/* Lower-case letters: as web servers know names with a hash. */
			bool is_dark = strcmp(rows[i].field, "logo_dark") == 0;
			const char *stem = is_dark ? "logodark-" : rows[i].field;
			assert_memory_equal(stem, name, strlen(stem));
			assert_true(published_file_is_hashed(name));
			assert_string_equal(".gif", name + strlen(name) - 4);
		}
	}
}

static void a_page_is_seen_on_its_domain_or_below_the_installation(void **state)
{
	(void)state;
	static const struct {
		const char *base_url;
		const char *domain;
		const char *url;
	} rows[] = {
		{ "https://s.example", NULL, "https://s.example/s/x/" },
		{ "https://s.example/cgi-bin/d.cgi", NULL, "https://s.example/cgi-bin/d.cgi/s/x/" },
		{ NULL, NULL, "/s/x/" },
		{ "https://s.example", "p.example", "https://p.example/" },
		{ "http://s.example:8080/below", "p.example", "http://p.example:8080/" },
		{ "http://[::1]", "p.example", "http://p.example/" },
		{ "http://[::1]:81", "p.example", "http://p.example:81/" },
		{ NULL, "p.example", "https://p.example/" },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct status_page page = { .slug = "x", .domain = rows[i].domain };
		assert_string_equal(rows[i].url, status_page_url(&page, rows[i].base_url, &arena));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slugs_are_lowered_and_checked),
		cmocka_unit_test(every_fault_is_told_at_once),
		cmocka_unit_test(zones_and_languages_are_those_there_are),
		cmocka_unit_test(the_service_keeps_its_own_host),
		cmocka_unit_test(only_what_was_sent_is_merged),
		cmocka_unit_test(a_page_is_seen_on_its_domain_or_below_the_installation),
		cmocka_unit_test(pictures_have_a_kind_and_a_size),
	};
	return RUN_WITH_ARENA(tests);
}
