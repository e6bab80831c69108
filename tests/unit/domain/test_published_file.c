#include "unit/lib/unit.h"

#include "domain/page/published_file.h"

static void a_kind_has_its_type(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		const char *type; /* NULL: not published */
	} rows[] = {
		{ "index.html", "text/html; charset=utf-8" },
		{ "2026-11.html", "text/html; charset=utf-8" },
		{ "summary.json", "application/json" },
		{ "calendar.ics", "text/calendar; charset=utf-8" },
		{ "page-0123456789ab.css", "text/css; charset=utf-8" },
		{ "index.html.gz", NULL },
		{ "index", NULL },
		{ "html", NULL },
		{ "index.HTML", NULL },
		{ "index.", NULL },
		{ "", NULL },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const char *type = published_file_type(rows[i].name);
		assert_int_equal(rows[i].type != NULL, type != NULL);
		if (type)
			assert_string_equal(rows[i].type, type);
	}
}

static void a_name_with_a_hash_is_known(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		bool is_hashed;
	} rows[] = {
		{ "page-0123456789ab.css", true },
		{ "logo-0123456789abcdef.png", true },
		{ "font-0123456789abcdef.woff2", true },
		{ "page-0123456789a.css", false },
		{ "page-0123456789ag.css", false },
		{ "page-0123456789AB.css", false },
		{ "-0123456789ab.css", false },
		{ "0123456789ab.css", false },
		{ "page-0123456789ab", false },
		{ "page-0123456789ab.", false },
		{ "page-0123456789ab.css.gz", false },
		{ "Page-0123456789ab.css", false },
		{ "scheduled-maintenances.json", false },
		{ "2026-11.html", false },
		{ "", false },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (published_file_is_hashed(rows[i].name) != rows[i].is_hashed)
			fail_msg("%s", rows[i].name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_kind_has_its_type),
		cmocka_unit_test(a_name_with_a_hash_is_known),
	};
	return RUN(tests);
}
