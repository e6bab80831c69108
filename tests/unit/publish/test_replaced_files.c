#include "unit/lib/unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "publish/page/replaced_files.h"

static void add_file(const char *name)
{
	int fd = openat(test_folder_fd, name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	assert_true(fd >= 0);
	close(fd);
}

/* The number of names of an open file, which the file system frees when it is closed. */
static nlink_t names_of(int fd)
{
	struct stat found;
	assert_int_equal(0, fstat(fd, &found));
	return found.st_nlink;
}

static void a_replaced_file_is_freed_later(void **state)
{
	struct replaced_files files = { 0 };
	(void)state;
	add_file("old");
	add_file("new");
	replaced_files_keep(&files, test_folder_fd, "old");
	replaced_files_keep(&files, test_folder_fd, "missing");
	assert_int_equal(1, files.count);
	assert_int_equal(0, renameat(test_folder_fd, "new", test_folder_fd, "old"));
	int fd = files.fds[0];
	assert_int_equal(0, names_of(fd));
	replaced_files_free(&files);
	assert_int_equal(0, files.count);
	assert_int_equal(-1, fcntl(fd, F_GETFD));
}

static void the_lists_of_a_process_share_their_room(void **state)
{
	struct replaced_files first = { 0 }, second = { 0 };
	(void)state;
	add_file("a");
	for (int i = 0; i < REPLACED_FILES_MAX - 1; i++)
		replaced_files_keep(&first, test_folder_fd, "a");
	for (int i = 0; i < 2; i++)
		replaced_files_keep(&second, test_folder_fd, "a");
	assert_int_equal(REPLACED_FILES_MAX - 1, first.count);
	assert_int_equal(1, second.count);
	replaced_files_free(&first);
	replaced_files_keep(&second, test_folder_fd, "a");
	assert_int_equal(2, second.count);
	replaced_files_free(&second);
	for (int i = 0; i < REPLACED_FILES_MAX; i++)
		replaced_files_keep(&first, test_folder_fd, "a");
	assert_int_equal(REPLACED_FILES_MAX, first.count);
	replaced_files_free(&first);
}

#define FOLDER_TEST(function) cmocka_unit_test_setup_teardown(function, folder_start, folder_end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		FOLDER_TEST(a_replaced_file_is_freed_later),
		FOLDER_TEST(the_lists_of_a_process_share_their_room),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
