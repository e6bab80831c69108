/* The files of pages, in a temporary folder and without a database. */
#include "unit/lib/unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/secret.h"
#include "publish/page_writer.h"

enum { PAGES = 3, NOW_S = 1795176000 };

static struct pages_dir dir;
static struct error error;
static const struct publish_order order = { .page_id = 1 };
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

/* A public page without monitors. */
static struct page_content content_of(int64_t id, const char *slug, const char *name)
{
	struct page_content content = { .is_row_read = true, .is_found = true };
	content.view.now = (struct instant){ NOW_S };
	content.view.page.id = id;
	content.view.page.slug = slug;
	content.view.page.name = name;
	content.view.page.revision = 1;
	content.view.page.created_at = content.view.page.updated_at = (struct instant){ NOW_S };
	page_snapshot_derive(&content.view, &arena);
	return content;
}

/* The files that the page's write did not keep. */
static size_t write_page(struct page_content *content)
{
	struct page_writing writing CLEANUP(page_writing_close) = PAGE_WRITING(&publisher, &order);
	struct page_writing *const writings[] = { &writing };
	struct page_state state;
	assert_int_equal(OK, page_state_read(&dir, content->view.page.id, &arena, &state, &error));
	assert_int_equal(OK, page_writing_open(&writing, &dir, content, &state, &error));
	assert_int_equal(OK, page_writings_sync(writings, 1, &error));
	assert_int_equal(OK, page_writing_commit(&writing, &error));
	return writing.output.written_count;
}

static void only_changed_files_are_written(void **state)
{
	(void)state;
	struct page_content content = content_of(1, "one", "One");
	size_t all = write_page(&content);
	assert_true(all >= 12);
	assert_int_equal(0, write_page(&content));
	/* Another moment alone changes nothing. */
	content.view.now.s += 60;
	assert_int_equal(0, write_page(&content));
	int fd = openat(dir.place_fds[PAGES_PUBLIC], "one", O_RDONLY | O_DIRECTORY);
	assert_int_equal(0, unlinkat(fd, "badge.svg", 0));
	assert_int_equal(1, write_page(&content));
	/* An old note, or one of an interrupted write, says nothing of the files. */
	assert_int_equal(0, renameat(dir.place_fds[PAGES_STATE], "1/page",
				     dir.place_fds[PAGES_STATE], "1/writing"));
	assert_int_equal(all, write_page(&content));
	/* At another address all files are new. */
	content.view.page.slug = "other";
	assert_int_equal(all, write_page(&content));
	close(fd);
}

static void several_pages_are_written_with_one_sync(void **state)
{
	(void)state;
	static const char *const slugs[PAGES] = { "a", "b", "c" };
	struct page_content contents[PAGES];
	struct page_writing writings[PAGES], *all[PAGES];
	struct page_state states[PAGES];
	for (size_t i = 0; i < PAGES; i++) {
		contents[i] = content_of(10 + (int64_t)i, slugs[i], "Several");
		writings[i] = PAGE_WRITING(&publisher, &order);
		writings[i].is_grouped = true;
		all[i] = &writings[i];
		assert_int_equal(
			OK, page_state_read(&dir, 10 + (int64_t)i, &arena, &states[i], &error));
		assert_int_equal(OK,
				 page_writing_open(all[i], &dir, &contents[i], &states[i], &error));
		assert_false(pages_dir_has(&dir, PAGES_PUBLIC, slugs[i], "index.html"));
	}
	assert_int_equal(OK, page_writings_sync(all, PAGES, &error));
	/* The last one fails before its commit. */
	for (size_t i = 0; i + 1 < PAGES; i++)
		assert_int_equal(OK, page_writing_commit(all[i], &error));
	for (size_t i = 0; i < PAGES; i++) {
		page_writing_close(all[i]);
		assert_int_equal(i + 1 < PAGES,
				 pages_dir_has(&dir, PAGES_PUBLIC, slugs[i], "index.html"));
	}
	struct pages_dir new = { .place_fds = { dir.new_fd } };
	struct pages_names left;
	assert_int_equal(OK, pages_dir_folders(&new, PAGES_PUBLIC, &arena, &left, &error));
	assert_int_equal(0, left.count);
	assert_int_equal(0, write_page(&contents[0]));
	assert_true(write_page(&contents[PAGES - 1]) > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_changed_files_are_written),
		cmocka_unit_test(several_pages_are_written_with_one_sync),
	};
	return cmocka_run_group_tests(tests, start, end);
}
