/* The pictures of a page and their sizes, in a temporary folder and without a database. */
#include "unit/lib/unit.h"

#include <stdio.h>

#include "base/secret.h"
#include "publish/page/page_writer.h"

/* Three pixels wide and two high; the PNG has an alpha channel. */
static const char png[] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x03\0\0\0\x02\x08\x06\0\0\0crc0"
			  "\0\0\0\x02IDATxxcrc1\0\0\0\0IENDcrc2";
static const char gif[] = "GIF89a\x05\0\x04\0\0\0\0,\0\0\0\0\x05\0\x04\0\0\x02\x02xx\0;";

static const struct page_file files[] = {
	{ "logo", "logo-000000000001.png", png, sizeof(png) - 1 },
	{ "logo_dark", "logodark-000000000002.gif", gif, sizeof(gif) - 1 },
	{ "favicon", "favicon-000000000003.gif", gif, sizeof(gif) - 1 },
	{ "header_image", "header-000000000005.png", png, sizeof(png) - 1 },
	{ "logo", "logo-000000000004.gif", gif, sizeof(gif) - 1 },
};

static struct pages_dir dir;
static struct error error;
static struct publisher publisher = { .arena = &arena, .is_follower = true };

static int start(void **state)
{
	secret_init();
	return folder_start(state) == 0 && pages_dir_open(&dir, test_folder, &error) == OK ? 0 : -1;
}

static int end(void **state)
{
	pages_dir_close(&dir);
	return folder_end(state);
}

/* Writes the page with those pictures, and returns its index.html. */
static const char *html_with(const char *logo, const char *dark, const char *favicon,
			     size_t at_hand_count)
{
	enum { HTML_MAX_BYTES = 1 << 16 };
	const struct publish_order order = { .page_id = 1,
					     .at_hand = files,
					     .at_hand_count = at_hand_count };
	struct page_writing writing CLEANUP(page_writing_close) = PAGE_WRITING(&publisher, &order);
	struct page_writing *const writings[] = { &writing };
	struct page_content content = { .is_row_read = true, .is_found = true };
	struct status_page *page = &content.view.page;
	struct page_state state;
	const char *html = NULL;
	content.view.now = (struct instant){ 1795176000 };
	*page = (struct status_page){ .id = 1,
				      .slug = "slug",
				      .name = "Name",
				      .revision = 1,
				      .logo_file = logo,
				      .logo_dark_file = dark,
				      .header_image_file = dark ? files[3].name : NULL,
				      .favicon_file = favicon,
				      .created_at = content.view.now,
				      .updated_at = content.view.now };
	page_snapshot_derive(&content.view, &arena);
	assert_int_equal(OK, page_state_read(&dir, 1, &arena, &state, &error));
	assert_int_equal(OK, page_writing_open(&writing, &dir, &content, &state, &error));
	assert_int_equal(OK, page_writings_sync(writings, 1, &error));
	assert_int_equal(OK, page_writing_commit(&writing, &error));
	assert_int_equal(OK, pages_dir_load(&dir, PAGES_PUBLIC, "slug", "index.html",
					    HTML_MAX_BYTES, &arena, &html, &error));
	assert_non_null(html);
	return html;
}

static void assert_has(const char *html, const char *text)
{
	if (!strstr(html, text))
		fail_msg("no %s in %s", text, html);
}

/* The second time the sizes are those that the note has: there is neither a file nor a database. */
static void pictures_have_their_sizes_whether_they_are_written_or_kept(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		const char *html = html_with(files[0].name, files[1].name, files[2].name,
					     i == 0 ? ARRAY_LEN(files) : 0);
		assert_has(html,
			   "<picture class=\"mark\"><source srcset=\"logodark-000000000002.gif\" "
			   "media=\"screen and (prefers-color-scheme:dark)\" width=\"5\" "
			   "height=\"4\"><img src=\"logo-000000000001.png\" alt=\"\" "
			   "width=\"3\" height=\"2\"></picture>");
		assert_has(html, "<img class=\"across\" src=\"header-000000000005.png\" alt=\"\" "
				 "width=\"3\" height=\"2\">");
		assert_has(html, "<link rel=\"icon\" href=\"favicon-000000000003.gif\" "
				 "sizes=\"5x4\">");
	}
}

/* Without a logo for dark screens one that is clear needs a ground there, and no other. */
static void only_a_clear_logo_stands_on_white_in_the_dark(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2; i++)
		assert_has(html_with(files[0].name, NULL, NULL, i == 0 ? ARRAY_LEN(files) : 0),
			   "<img src=\"logo-000000000001.png\" alt=\"\" width=\"3\" height=\"2\" "
			   "class=\"mark clear\">");
	for (size_t i = 0; i < 2; i++)
		assert_has(html_with(files[4].name, NULL, NULL, i == 0 ? ARRAY_LEN(files) : 0),
			   "<img src=\"logo-000000000004.gif\" alt=\"\" width=\"5\" height=\"4\" "
			   "class=\"mark solid\">");
}

/* A note without a size makes the page read the picture again. */
static void a_picture_of_a_note_without_sizes_is_read_again(void **state)
{
	struct page_state note;
	size_t changed = 0;
	(void)state;
	html_with(files[0].name, NULL, NULL, ARRAY_LEN(files));
	assert_int_equal(OK, page_state_read(&dir, 1, &arena, &note, &error));
	for (size_t i = 0; i < note.file_count; i++) {
		if (strcmp(note.files[i].name, files[0].name) != 0)
			continue;
		assert_string_equal("3x2-clear", note.files[i].digest);
		note.files[i].digest = "-";
		changed++;
	}
	assert_int_equal(1, changed);
	assert_int_equal(OK, page_state_write(&dir, 1, &note, &arena, &error));
	assert_has(html_with(files[0].name, NULL, NULL, ARRAY_LEN(files)), "width=\"3\"");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			pictures_have_their_sizes_whether_they_are_written_or_kept, start, end),
		cmocka_unit_test_setup_teardown(only_a_clear_logo_stands_on_white_in_the_dark,
						start, end),
		cmocka_unit_test_setup_teardown(a_picture_of_a_note_without_sizes_is_read_again,
						start, end),
	};
	return RUN_WITH_ARENA(tests);
}
