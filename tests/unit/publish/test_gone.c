/* The pages that are known to be deleted, and the mark of a filled folder. */
#include "unit/lib/unit.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "publish/folder/filled.h"
#include "publish/folder/gone.h"

static struct pages_dir dir;
static struct error error;

static int start(void **state)
{
	return folder_start(state) == 0 && pages_dir_open(&dir, test_folder, &error) == OK &&
			       mkdirat(dir.root_fd, "mirror", 0700) == 0
		       ? 0
		       : -1;
}

static int end(void **state)
{
	pages_dir_close(&dir);
	return folder_end(state);
}

static bool is_gone(int64_t id)
{
	bool result;
	assert_int_equal(OK, gone_has(&dir, id, &result, &error));
	return result;
}

static void a_deletion_is_remembered_until_it_is_forgotten(void **state)
{
	(void)state;
	assert_false(is_gone(7));
	assert_int_equal(0, gone_size(&dir));
	assert_int_equal(OK, gone_add(&dir, 7, &error));
	assert_true(is_gone(7) && !is_gone(77));
	int64_t size = gone_size(&dir);
	/* Added since the mirrors had everything: nothing is forgotten. */
	assert_int_equal(OK, gone_add(&dir, INT64_MAX, &error));
	gone_forget(&dir, size, 0);
	assert_true(is_gone(7) && is_gone(INT64_MAX));
	gone_forget(&dir, gone_size(&dir), 60);
	assert_true(is_gone(7) && is_gone(INT64_MAX));
	gone_forget(&dir, gone_size(&dir), 0);
	assert_false(is_gone(7) || is_gone(INT64_MAX));
	assert_int_equal(OK, gone_add(&dir, 8, &error));
	assert_true(is_gone(8));
}

static void a_page_that_has_the_id_of_a_deleted_one_is_there(void **state)
{
	(void)state;
	assert_int_equal(OK, gone_take_back(&dir, 7, &error));
	assert_int_equal(0, gone_size(&dir));
	const int64_t ids[] = { 7, 8, 7 };
	assert_int_equal(OK, gone_add_all(&dir, ids, 3, &error));
	int64_t size = gone_size(&dir);
	assert_int_equal(OK, gone_take_back(&dir, 7, &error));
	assert_true(is_gone(8) && !is_gone(7));
	assert_int_equal(size, gone_size(&dir));
	/* It is deleted, too. */
	assert_int_equal(OK, gone_add(&dir, 7, &error));
	assert_true(is_gone(8) && is_gone(7));
}

static void a_line_that_was_cut_does_not_spoil_the_next(void **state)
{
	(void)state;
	assert_int_equal(OK, gone_add(&dir, 1, &error));
	int fd = openat(dir.root_fd, "gone", O_WRONLY | O_APPEND);
	assert_int_equal(5, write(fd, "00000", 5));
	close(fd);
	assert_int_equal(OK, gone_add(&dir, 2, &error));
	assert_true(is_gone(1) && is_gone(2));
}

static void the_file_is_bounded_and_keeps_the_newest(void **state)
{
	enum { COUNT = GONE_MAX_BYTES / 17 + 10 };
	(void)state;
	int64_t *ids = ARENA_ARRAY(&arena, COUNT, int64_t);
	for (int64_t i = 0; i < COUNT; i++)
		ids[i] = i + 1;
	assert_int_equal(OK, gone_add_all(&dir, ids, COUNT, &error));
	assert_true(gone_size(&dir) <= GONE_MAX_BYTES);
	assert_false(is_gone(1));
	assert_true(is_gone(COUNT) && is_gone(COUNT - COUNT / 3));
}

/* A write that fails in the middle stands for a crash there. */
static void a_newer_deletion_stays_known_if_the_older_half_cannot_be_removed(void **state)
{
	enum { COUNT = GONE_MAX_BYTES / 17 + 1 };
	(void)state;
	int64_t *ids = ARENA_ARRAY(&arena, COUNT, int64_t);
	for (int64_t i = 0; i < COUNT; i++)
		ids[i] = i + 1;
	assert_int_equal(OK, gone_add_all(&dir, ids, COUNT, &error));
	struct rlimit limit;
	assert_int_equal(0, getrlimit(RLIMIT_FSIZE, &limit));
	const struct rlimit low = { GONE_MAX_BYTES / 4, limit.rlim_max };
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(0, setrlimit(RLIMIT_FSIZE, &low));
	enum result result = gone_add(&dir, COUNT + 1, &error);
	assert_int_equal(0, setrlimit(RLIMIT_FSIZE, &limit));
	assert_int_equal(E_FAILED, result);
	for (int64_t i = COUNT / 2 + 2; i <= COUNT; i += COUNT / 100)
		assert_true(is_gone(i));
	assert_int_equal(OK, gone_add(&dir, COUNT + 1, &error));
	assert_true(is_gone(COUNT) && is_gone(COUNT + 1));
}

static void without_mirrors_nothing_is_written(void **state)
{
	(void)state;
	assert_int_equal(0, unlinkat(dir.root_fd, "mirror", AT_REMOVEDIR));
	assert_int_equal(OK, gone_add(&dir, 7, &error));
	assert_int_equal(0, gone_size(&dir));
}

static void a_folder_that_loses_its_notes_is_not_filled(void **state)
{
	static const int64_t failed[] = { 12, 5 };
	(void)state;
	assert_false(filled_is(&dir));
	assert_int_equal(OK, filled_mark(&dir, failed, 2, &error));
	assert_true(filled_is(&dir));
	assert_true(filled_names(&dir, 5) && filled_names(&dir, 12) && !filled_names(&dir, 1));
	assert_true(pages_dir_is_current(&dir, test_folder));
	assert_int_equal(0, unlinkat(dir.root_fd, "state", AT_REMOVEDIR));
	assert_false(pages_dir_is_current(&dir, test_folder));
	pages_dir_close(&dir);
	assert_int_equal(OK, pages_dir_open(&dir, test_folder, &error));
	assert_false(filled_is(&dir));
	assert_true(pages_dir_is_current(&dir, test_folder));
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, start, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_deletion_is_remembered_until_it_is_forgotten),
		TEST(a_page_that_has_the_id_of_a_deleted_one_is_there),
		TEST(a_line_that_was_cut_does_not_spoil_the_next),
		TEST(the_file_is_bounded_and_keeps_the_newest),
		TEST(a_newer_deletion_stays_known_if_the_older_half_cannot_be_removed),
		TEST(without_mirrors_nothing_is_written),
		TEST(a_folder_that_loses_its_notes_is_not_filled),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
