#include "unit/lib/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "publish/folder/folder.h"

/* wrapped: renameat */

static int sweeps_left;

/* A sweep of the folder of new files comes just before the rename. */
int __real_renameat(int from, const char *old, int to, const char *name);
int __wrap_renameat(int from, const char *old, int to, const char *name);
int __wrap_renameat(int from, const char *old, int to, const char *name)
{
	if (sweeps_left > 0 && sweeps_left-- > 0)
		unlinkat(from, old, 0);
	return __real_renameat(from, old, to, name);
}

static void a_file_that_a_sweep_removes_is_written_again(void **state)
{
	struct error error = { 0 };
	char text[16] = "";
	(void)state;
	for (int sweeps = 0; sweeps < 3; sweeps++) {
		sweeps_left = sweeps;
		assert_int_equal(OK, folder_put(test_folder_fd, test_folder_fd, "filled",
						STR("content"), sweeps == 1, &error));
		int fd = openat(test_folder_fd, "filled", O_RDONLY);
		assert_int_equal(7, read(fd, text, sizeof(text)));
		close(fd);
		assert_int_equal(0, unlinkat(test_folder_fd, "filled", 0));
	}
	/* A folder that is emptied without end, or has gone, is a failure. */
	sweeps_left = 1000;
	assert_int_equal(E_FAILED, folder_put(test_folder_fd, test_folder_fd, "filled",
					      STR("content"), false, &error));
	assert_in_range(sweeps_left, 990, 999);
	sweeps_left = 0;
	assert_int_equal(-1, faccessat(test_folder_fd, "filled", F_OK, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_that_a_sweep_removes_is_written_again),
	};
	return cmocka_run_group_tests(tests, folder_start, folder_end);
}
