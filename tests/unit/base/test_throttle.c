#include "unit/lib/unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/throttle.h"

static char folder[] = "/tmp/daymark-throttle-XXXXXX";
static int folder_fd;
static const struct throttle_rule three_a_minute = { 3, 60 };

static int open_folder(void **state)
{
	(void)state;
	folder_fd = mkdtemp(folder) ? open(folder, O_RDONLY | O_DIRECTORY) : -1;
	return folder_fd < 0;
}

static int close_folder(void **state)
{
	(void)state;
	unlinkat(folder_fd, "counts", 0);
	close(folder_fd);
	return rmdir(folder);
}

static void so_often_and_not_once_more_until_the_window_ends(void **state)
{
	(void)state;
	struct throttle throttle;
	assert_true(throttle_open(&throttle, folder_fd, "counts"));
	for (int64_t i = 1; i <= 3; i++) {
		struct throttle_count count =
			throttle_take(&throttle, "key 1", &three_a_minute, 1000 + i);
		assert_false(count.is_over);
		assert_int_equal(3 - i, count.left);
		assert_int_equal(61 - i, count.wait_s);
	}
	struct throttle_count over = throttle_take(&throttle, "key 1", &three_a_minute, 1060);
	assert_true(over.is_over);
	assert_int_equal(0, over.left);
	assert_int_equal(1, over.wait_s);
	assert_false(throttle_take(&throttle, "key 2", &three_a_minute, 1060).is_over);
	assert_false(throttle_take(&throttle, "key 1", &three_a_minute, 1061).is_over);
	throttle_close(&throttle);
}

static void what_is_given_back_was_not_counted(void **state)
{
	(void)state;
	struct throttle throttle;
	assert_true(throttle_open(&throttle, folder_fd, "counts"));
	for (int i = 0; i < 10; i++) {
		assert_int_equal(2, throttle_take(&throttle, "back", &three_a_minute, 2000).left);
		throttle_give_back(&throttle, "back", 2030);
	}
	/* What was never counted, or in a window that is over, gives nothing. */
	throttle_give_back(&throttle, "back", 2001);
	throttle_give_back(&throttle, "stranger", 2001);
	assert_int_equal(2, throttle_take(&throttle, "back", &three_a_minute, 2059).left);
	throttle_give_back(&throttle, "back", 2060);
	assert_int_equal(2, throttle_take(&throttle, "back", &three_a_minute, 2060).left);
	assert_int_equal(1, throttle_take(&throttle, "back", &three_a_minute, 2061).left);
	throttle_close(&throttle);
}

static void a_clock_that_was_set_back_locks_nobody_out(void **state)
{
	(void)state;
	struct throttle throttle;
	assert_true(throttle_open(&throttle, folder_fd, "counts"));
	for (int i = 0; i < 5; i++)
		throttle_take(&throttle, "clock", &three_a_minute, 100000);
	assert_false(throttle_take(&throttle, "clock", &three_a_minute, 5000).is_over);
	throttle_close(&throttle);
}

static void processes_count_together(void **state)
{
	(void)state;
	enum { PROCESSES = 4, EACH = 500 };
	static const struct throttle_rule rule = { PROCESSES * EACH, 60 };
	for (int i = 0; i < PROCESSES; i++) {
		if (fork() != 0)
			continue;
		struct throttle throttle;
		bool is_open = throttle_open(&throttle, folder_fd, "counts");
		for (int j = 0; is_open && j < EACH; j++)
			throttle_take(&throttle, "shared", &rule, 5000);
		_exit(!is_open);
	}
	int status;
	while (wait(&status) > 0)
		assert_int_equal(0, status);
	struct throttle throttle;
	assert_true(throttle_open(&throttle, folder_fd, "counts"));
	/* Each was counted: there is no more to have, and none too many was given. */
	struct throttle_count count = throttle_take(&throttle, "shared", &rule, 5001);
	assert_true(count.is_over);
	throttle_close(&throttle);
}

static void many_fit_beside_each_other(void **state)
{
	(void)state;
	struct throttle throttle;
	char who[32];
	int shared = 0;
	assert_true(throttle_open(&throttle, folder_fd, "counts"));
	for (int i = 0; i < 8000; i++) {
		snprintf(who, sizeof(who), "client %d", i);
		shared += throttle_take(&throttle, who, &three_a_minute, 9000).left != 2;
	}
	assert_in_range(shared, 0, 40);
	throttle_close(&throttle);
}

static void no_link_is_followed(void **state)
{
	(void)state;
	struct throttle throttle;
	assert_int_equal(0, symlinkat("/dev/null", folder_fd, "link"));
	assert_false(throttle_open(&throttle, folder_fd, "link"));
	throttle_close(&throttle);
	unlinkat(folder_fd, "link", 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(so_often_and_not_once_more_until_the_window_ends),
		cmocka_unit_test(what_is_given_back_was_not_counted),
		cmocka_unit_test(a_clock_that_was_set_back_locks_nobody_out),
		cmocka_unit_test(processes_count_together),
		cmocka_unit_test(many_fit_beside_each_other),
		cmocka_unit_test(no_link_is_followed),
	};
	return cmocka_run_group_tests(tests, open_folder, close_folder);
}
