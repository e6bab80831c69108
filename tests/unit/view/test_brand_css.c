/* The style sheet of a page with a brand. */
#include "unit/lib/unit.h"

#include "base/secret.h"
#include "view/page.h"

static struct buf out = BUF_INIT(PAGE_FILE_MAX_BYTES);

static const char *style_of(const struct status_page *page)
{
	buf_clear(&out);
	page_style_of(&out, page);
	assert_true(buf_ok(&out));
	return out.data;
}

/* domain/page/brand.c repeats the backgrounds: a text in their colour has a contrast of one. */
static void the_backgrounds_are_those_of_the_style_sheet(void **state)
{
	(void)state;
	const char *const rules[] = { strstr(page_asset(PAGE_STYLE), ":root{"),
				      strstr(page_asset(PAGE_STYLE), "dark){:root{") };
	for (int mode = 0; mode < BRAND_MODES; mode++) {
		static const char *const names[] = { "--bg:", "--card:" };
		for (size_t i = 0; i < ARRAY_LEN(names); i++) {
			const char *value = strstr(rules[mode], names[i]) + strlen(names[i]);
			char colour[BRAND_COLOUR_SIZE] = "#ffffff";
			if (strncmp(value, "#fff;", 5) != 0)
				memcpy(colour, value, 7);
			assert_int_equal(100, brand_contrast(colour, (enum brand_mode)mode));
		}
	}
}

static void a_page_without_a_brand_has_the_shared_style_sheet(void **state)
{
	(void)state;
	const struct status_page page = { .color_scheme = "auto",
					  .logo_height = STATUS_PAGE_LOGO_HEIGHT };
	assert_string_equal(page_asset_name(PAGE_STYLE), page_style_name_of(&page, &arena));
	assert_string_equal(page_asset(PAGE_STYLE), style_of(&page));
}

static void the_brand_is_in_the_style_sheet_and_in_its_name(void **state)
{
	(void)state;
	const struct status_page page = { .accent_color = "#f5a623", .logo_height = 80 };
	const char *name = page_style_name_of(&page, &arena);
	const char *style = style_of(&page);
	assert_string_not_equal(page_asset_name(PAGE_STYLE), name);
	assert_non_null(strstr(style, "--accent:#f5a623;--on-accent:#000;--link:#"));
	/* Links in dark mode have the colour itself. */
	assert_non_null(strstr(style, "dark){:root{--link:#f5a623;"));
	assert_null(strstr(style, "{:root{--accent:#f5a623;--on-accent:#000;--link:#f5a623"));
	assert_non_null(strstr(style, "--logo:80px"));
	const struct status_page other = { .accent_color = "#f5a624", .logo_height = 80 };
	assert_string_not_equal(name, page_style_name_of(&other, &arena));
}

static void a_page_of_one_mode_asks_for_no_other(void **state)
{
	(void)state;
	static const struct {
		const char *scheme, *declared, *condition;
	} rows[] = {
		{ "light", "color-scheme:light;", "(max-width:0)" },
		{ "dark", "color-scheme:dark;", "(forced-colors:none)" },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct status_page page = { .color_scheme = rows[i].scheme,
						  .accent_color = "#f5a623" };
		const char *style = style_of(&page);
		assert_null(strstr(style, "prefers-color-scheme"));
		assert_non_null(strstr(style, rows[i].declared));
		assert_non_null(strstr(style, rows[i].condition));
	}
}

static void a_style_that_sets_a_background_keeps_the_page_light(void **state)
{
	(void)state;
	const struct status_page page = { .custom_css = ":root{--bg:#fff4dd}" };
	assert_null(strstr(style_of(&page), "prefers-color-scheme"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_backgrounds_are_those_of_the_style_sheet),
		cmocka_unit_test(a_page_without_a_brand_has_the_shared_style_sheet),
		cmocka_unit_test(the_brand_is_in_the_style_sheet_and_in_its_name),
		cmocka_unit_test(a_page_of_one_mode_asks_for_no_other),
		cmocka_unit_test(a_style_that_sets_a_background_keeps_the_page_light),
	};
	secret_init();
	int failed = RUN_WITH_ARENA(tests);
	buf_done(&out);
	return failed;
}
