/* The picture that other sites show with a link to a page. */
#include "unit/lib/unit.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/secret.h"
#include "domain/page/image.h"
#include "view/share/page_preview.h"

/* Fontconfig keeps its lists of fonts until the process ends. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:libfontconfig";
}

static struct buf out = BUF_INIT(1 << 20);

static struct page_snapshot page(const char *name)
{
	static struct page_monitor up = { .name = "Checkout" };
	up.known_since.s = 1;
	return (struct page_snapshot){ .page = { .name = name, .slug = "acme", .time_zone = "UTC" },
				       .url = "https://status.example.com/",
				       .now.s = INT64_C(1795176000),
				       .monitors = &up,
				       .monitor_count = 1 };
}

static bool is_drawn(const struct page_snapshot *snapshot)
{
	buf_clear(&out);
	return page_preview_draw(&out, snapshot, &arena);
}

/* With DAYMARK_PREVIEWS the pictures are kept in this folder, for looking at. */
static void keep(const char *name)
{
	const char *folder = getenv("DAYMARK_PREVIEWS");
	if (!folder)
		return;
	FILE *file = fopen(arena_printf(&arena, "%s/%s", folder, name), "w");
	assert_non_null(file);
	assert_int_equal(out.len, fwrite(out.data, 1, out.len, file));
	assert_int_equal(0, fclose(file));
}

static void a_preview_is_a_png_of_the_size_that_the_page_names(void **state)
{
	(void)state;
	static const char *const names[] = {
		"Acme",
		"The state of the services of the Department of Transport and Infrastructure, too",
		"Ein-Wort-ohne-Leerzeichen-das-länger-ist-als-eine-Zeile-der-Vorschau-der-Seite",
		"<b>Acme</b> & \"Söhne\"",
	};
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		struct page_snapshot snapshot = page(names[i]);
		struct image image;
		snapshot.page.accent_color = i == 1 ? "#f5a623" : NULL;
		snapshot.page.color_scheme = i == 2 ? "dark" : NULL;
		assert_true(is_drawn(&snapshot));
		assert_true(image_identify(out.data, out.len, &image));
		assert_string_equal("png", image_extension(image.type));
		assert_int_equal(PAGE_PREVIEW_WIDTH_PX, image.width_px);
		assert_int_equal(PAGE_PREVIEW_HEIGHT_PX, image.height_px);
		keep(page_preview_name(&snapshot, &arena));
	}
}

/* Text in a script that no font has would be a row of boxes. */
static void letters_without_a_font_are_not_drawn(void **state)
{
	(void)state;
	const struct page_snapshot snapshot = page("Acme \xf3\xb0\x80\x80");
	assert_false(is_drawn(&snapshot));
	assert_int_equal(0, out.len);
}

static void the_name_changes_with_all_that_is_drawn(void **state)
{
	(void)state;
	struct page_snapshot snapshots[] = { page("Acme"), page("Acme"), page("Acme"),
					     page("Acme"), page("Acme"), page("Other") };
	struct page_monitor none = { .name = "Checkout" };
	snapshots[1].page.accent_color = "#f5a623";
	snapshots[2].page.color_scheme = "dark";
	snapshots[3].url = "https://status.example.org/";
	snapshots[4].monitors = &none;
	for (size_t i = 0; i < ARRAY_LEN(snapshots); i++) {
		const char *name = page_preview_name(&snapshots[i], &arena);
		assert_memory_equal("preview-", name, strlen("preview-"));
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(page_preview_name(&snapshots[j], &arena), name);
	}
	const char *same = page_preview_name(&snapshots[0], &arena);
	snapshots[0].now.s++;
	assert_string_equal(same, page_preview_name(&snapshots[0], &arena));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_preview_is_a_png_of_the_size_that_the_page_names),
		cmocka_unit_test(letters_without_a_font_are_not_drawn),
		cmocka_unit_test(the_name_changes_with_all_that_is_drawn),
	};
	secret_init();
	int failed = RUN_WITH_ARENA(tests);
	buf_done(&out);
	return failed;
}
