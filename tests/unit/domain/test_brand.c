#include "unit/lib/unit.h"

#include "domain/page/brand.h"

static struct violations violations;

static void contrast_is_that_of_wcag(void **state)
{
	(void)state;
	/* Against the darker background of light mode, and the lighter one of dark mode. */
	static const struct {
		const char *colour;
		int light, dark;
	} rows[] = {
		{ "#000000", 1958, 124 }, { "#ffffff", 107, 1693 }, { "#777777", 417, 378 },
		{ "#0a58ca", 600, 262 },  { "#ffcc00", 137, 1130 },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		assert_in_range(brand_contrast(rows[i].colour, BRAND_LIGHT), rows[i].light - 25,
				rows[i].light + 25);
		assert_in_range(brand_contrast(rows[i].colour, BRAND_DARK), rows[i].dark - 25,
				rows[i].dark + 25);
	}
}

static void links_keep_the_colour_or_reach_the_contrast(void **state)
{
	(void)state;
	static const char *const colours[] = { "#1f6feb", "#ffcc00", "#000000", "#ffffff",
					       "#e4002b", "#00a36c", "#ff00ff", "#808080" };
	for (size_t i = 0; i < ARRAY_LEN(colours); i++)
		for (int mode = 0; mode < BRAND_MODES; mode++) {
			char link[BRAND_COLOUR_SIZE];
			brand_link(colours[i], (enum brand_mode)mode, link);
			assert_true(brand_contrast(link, (enum brand_mode)mode) >= 450);
			if (brand_contrast(colours[i], (enum brand_mode)mode) >= 450)
				assert_string_equal(link, colours[i]);
		}
	assert_string_equal(brand_text_on("#0a58ca"), "#fff");
	assert_string_equal(brand_text_on("#ffcc00"), "#000");
}

static void a_colour_that_stands_out_in_no_mode_is_refused(void **state)
{
	(void)state;
	static const struct {
		const char *colour, *scheme, *words;
	} rows[] = {
		{ NULL, "light", NULL },
		{ "#1f6feb", "light", NULL },
		{ "#1f6feb", "auto", NULL },
		{ "#ffcc00", "auto", NULL },
		{ "#777777", "auto", NULL },
		{ "#ffcc00", "dark", NULL },
		{ "#ffcc00", "light", "#ffcc00 reaches a contrast of 1.4" },
		{ "#0a58ca", "dark", "backgrounds of dark mode; it needs 3:1." },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		violations_init(&violations, &arena);
		brand_check(rows[i].colour, rows[i].scheme, "accent_color", &violations);
		assert_int_equal(violations.count, rows[i].words ? 1 : 0);
		if (rows[i].words && !strstr(violations.first->message, rows[i].words))
			fail_msg("%s", violations.first->message);
	}
}

static void custom_css_for_one_mode_leaves_the_light_mode(void **state)
{
	(void)state;
	static const struct {
		const char *scheme, *css;
		bool is_light, is_dark;
	} rows[] = {
		{ "auto", NULL, true, true },
		{ "light", NULL, true, false },
		{ "dark", "body{background:#000}", false, true },
		{ "auto", ":root{--bg:#fff8e7}", true, false },
		{ "auto", "body{background:#fff}", true, false },
		{ "auto", "h1{color:#06c}", true, true },
		{ "auto", ":root{--bg:#fff}@media(prefers-color-scheme:dark){}", true, true },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		assert_int_equal(rows[i].is_light,
				 brand_has_mode(rows[i].scheme, rows[i].css, BRAND_LIGHT));
		assert_int_equal(rows[i].is_dark,
				 brand_has_mode(rows[i].scheme, rows[i].css, BRAND_DARK));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(contrast_is_that_of_wcag),
		cmocka_unit_test(links_keep_the_colour_or_reach_the_contrast),
		cmocka_unit_test(a_colour_that_stands_out_in_no_mode_is_refused),
		cmocka_unit_test(custom_css_for_one_mode_leaves_the_light_mode),
	};
	return RUN_WITH_ARENA(tests);
}
