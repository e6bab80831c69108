#include "unit/lib/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/throttle.h"

static const struct throttle_rule three_a_minute = { 3, 60 };

static struct throttle_count take(struct throttle *throttle, const char *who,
				  const struct throttle_rule *rule, int64_t now_s)
{
	struct throttle_count count;
	assert_true(throttle_take(throttle, who, rule, now_s, &count));
	return count;
}

static void so_often_and_not_once_more_until_the_window_ends(void **state)
{
	(void)state;
	struct throttle throttle;
	assert_true(throttle_open(&throttle, test_folder_fd, "counts"));
	for (int64_t i = 1; i <= 3; i++) {
		struct throttle_count count = take(&throttle, "key 1", &three_a_minute, 1000 + i);
		assert_false(count.is_over);
		assert_int_equal(3 - i, count.left);
		assert_int_equal(61 - i, count.wait_s);
	}
	struct throttle_count over = take(&throttle, "key 1", &three_a_minute, 1060);
	assert_true(over.is_over);
	assert_int_equal(0, over.left);
	assert_int_equal(1, over.wait_s);
	assert_false(take(&throttle, "key 2", &three_a_minute, 1060).is_over);
	assert_false(take(&throttle, "key 1", &three_a_minute, 1061).is_over);
	throttle_close(&throttle);
}

static void what_is_given_back_was_not_counted(void **state)
{
	(void)state;
	struct throttle throttle;
	assert_true(throttle_open(&throttle, test_folder_fd, "counts"));
	for (int i = 0; i < 10; i++) {
		assert_int_equal(2, take(&throttle, "back", &three_a_minute, 2000).left);
		throttle_give_back(&throttle, "back", 2030);
	}
	/* A name that was not counted, or whose window is over, has nothing to give back. */
	throttle_give_back(&throttle, "back", 2001);
	throttle_give_back(&throttle, "stranger", 2001);
	assert_int_equal(2, take(&throttle, "back", &three_a_minute, 2059).left);
	throttle_give_back(&throttle, "back", 2060);
	assert_int_equal(2, take(&throttle, "back", &three_a_minute, 2060).left);
	assert_int_equal(1, take(&throttle, "back", &three_a_minute, 2061).left);
	throttle_close(&throttle);
}

static void a_clock_that_was_set_back_locks_nobody_out(void **state)
{
	(void)state;
	struct throttle throttle;
	assert_true(throttle_open(&throttle, test_folder_fd, "counts"));
	for (int i = 0; i < 5; i++)
		take(&throttle, "clock", &three_a_minute, 100000);
	assert_false(take(&throttle, "clock", &three_a_minute, 5000).is_over);
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
		bool is_open = throttle_open(&throttle, test_folder_fd, "counts");
		struct throttle_count count;
		for (int j = 0; is_open && j < EACH; j++)
			is_open = throttle_take(&throttle, "shared", &rule, 5000, &count);
		_exit(!is_open);
	}
	int status;
	while (wait(&status) > 0)
		assert_int_equal(0, status);
	struct throttle throttle;
	assert_true(throttle_open(&throttle, test_folder_fd, "counts"));
	/* Each count was recorded: the limit is reached, and was not exceeded. */
	struct throttle_count count = take(&throttle, "shared", &rule, 5001);
	assert_true(count.is_over);
	throttle_close(&throttle);
}

static void a_full_file_refuses_nobody_and_keeps_high_counts(void **state)
{
	(void)state;
	struct throttle throttle;
	char who[32];
	assert_true(throttle_open(&throttle, test_folder_fd, "full"));
	for (int i = 0; i < 4; i++)
		take(&throttle, "often", &three_a_minute, 6000);
	for (int i = 0; i < 200000; i++) {
		snprintf(who, sizeof(who), "client %d", i);
		assert_int_equal(2, take(&throttle, who, &three_a_minute, 6001).left);
	}
	assert_int_equal(2, take(&throttle, "key 2", &three_a_minute, 6002).left);
	assert_true(throttle_is_used_up(&throttle, "often", &three_a_minute, 6003));
	throttle_close(&throttle);
	unlinkat(test_folder_fd, "full", 0);
}

static void each_file_has_a_key_that_stays(void **state)
{
	(void)state;
	struct throttle first, other, again;
	assert_true(throttle_open(&first, test_folder_fd, "first"));
	assert_true(throttle_open(&other, test_folder_fd, "other"));
	assert_true(throttle_open(&again, test_folder_fd, "first"));
	assert_true(first.key != 0 && first.key != other.key);
	assert_true(first.key == again.key);
	throttle_close(&first);
	throttle_close(&other);
	throttle_close(&again);
	unlinkat(test_folder_fd, "first", 0);
	unlinkat(test_folder_fd, "other", 0);
}

static void many_fit_beside_each_other(void **state)
{
	(void)state;
	struct throttle throttle;
	char who[32];
	int shared = 0;
	assert_true(throttle_open(&throttle, test_folder_fd, "counts"));
	for (int i = 0; i < 8000; i++) {
		snprintf(who, sizeof(who), "client %d", i);
		shared += take(&throttle, who, &three_a_minute, 9000).left != 2;
	}
	assert_in_range(shared, 0, 40);
	throttle_close(&throttle);
}

static void asking_counts_nothing(void **state)
{
	(void)state;
	struct throttle throttle;
	assert_true(throttle_open(&throttle, test_folder_fd, "counts"));
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 5; j++)
			assert_false(
				throttle_is_used_up(&throttle, "asked", &three_a_minute, 3000));
		assert_int_equal(2 - i, take(&throttle, "asked", &three_a_minute, 3000).left);
	}
	assert_true(throttle_is_used_up(&throttle, "asked", &three_a_minute, 3059));
	assert_false(throttle_is_used_up(&throttle, "asked", &three_a_minute, 3060));
	throttle_close(&throttle);
}

static void the_file_has_all_its_room_from_the_start(void **state)
{
	(void)state;
	struct throttle throttle;
	struct stat status;
	assert_true(throttle_open(&throttle, test_folder_fd, "fresh"));
	assert_int_equal(0, fstatat(test_folder_fd, "fresh", &status, 0));
	assert_true(status.st_size >= 16384 * 32);
	assert_true(status.st_blocks * 512 >= status.st_size);
	throttle_close(&throttle);
	/* A sparse file, which an earlier version may have left, is filled as well. */
	assert_int_equal(0, unlinkat(test_folder_fd, "fresh", 0));
	int fd = openat(test_folder_fd, "fresh", O_WRONLY | O_CREAT | O_EXCL, 0600);
	assert_int_equal(0, ftruncate(fd, status.st_size));
	close(fd);
	assert_true(throttle_open(&throttle, test_folder_fd, "fresh"));
	throttle_close(&throttle);
	assert_int_equal(0, fstatat(test_folder_fd, "fresh", &status, 0));
	assert_true(status.st_blocks * 512 >= status.st_size);
	unlinkat(test_folder_fd, "fresh", 0);
}

static void a_file_that_is_cut_while_it_is_open_counts_on(void **state)
{
	(void)state;
	struct throttle throttle;
	assert_true(throttle_open(&throttle, test_folder_fd, "cut"));
	assert_int_equal(2, take(&throttle, "cut", &three_a_minute, 4000).left);
	int fd = openat(test_folder_fd, "cut", O_WRONLY);
	assert_int_equal(0, ftruncate(fd, 0));
	assert_int_equal(2, take(&throttle, "cut", &three_a_minute, 4000).left);
	assert_int_equal(0, ftruncate(fd, 16));
	throttle_give_back(&throttle, "cut", 4000);
	assert_false(throttle_is_used_up(&throttle, "cut", &three_a_minute, 4000));
	assert_int_equal(2, take(&throttle, "cut", &three_a_minute, 4000).left);
	assert_int_equal(1, take(&throttle, "cut", &three_a_minute, 4000).left);
	close(fd);
	throttle_close(&throttle);
	unlinkat(test_folder_fd, "cut", 0);
}

static void what_cannot_be_written_is_allowed_and_said(void **state)
{
	(void)state;
	struct throttle throttle;
	struct throttle_count count;
	assert_true(throttle_open(&throttle, test_folder_fd, "counts"));
	close(throttle.fd);
	throttle.fd = openat(test_folder_fd, "counts", O_RDONLY);
	for (int i = 0; i < 5; i++) {
		assert_false(throttle_take(&throttle, "lost", &three_a_minute, 7000, &count));
		assert_int_equal(EBADF, errno);
		assert_false(count.is_over);
		assert_int_equal(3, count.left);
	}
	throttle_close(&throttle);
}

static void no_link_is_followed(void **state)
{
	(void)state;
	struct throttle throttle;
	assert_int_equal(0, symlinkat("/dev/null", test_folder_fd, "link"));
	assert_false(throttle_open(&throttle, test_folder_fd, "link"));
	throttle_close(&throttle);
	unlinkat(test_folder_fd, "link", 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(so_often_and_not_once_more_until_the_window_ends),
		cmocka_unit_test(what_is_given_back_was_not_counted),
		cmocka_unit_test(a_clock_that_was_set_back_locks_nobody_out),
		cmocka_unit_test(processes_count_together),
		cmocka_unit_test(a_full_file_refuses_nobody_and_keeps_high_counts),
		cmocka_unit_test(each_file_has_a_key_that_stays),
		cmocka_unit_test(many_fit_beside_each_other),
		cmocka_unit_test(asking_counts_nothing),
		cmocka_unit_test(the_file_has_all_its_room_from_the_start),
		cmocka_unit_test(a_file_that_is_cut_while_it_is_open_counts_on),
		cmocka_unit_test(what_cannot_be_written_is_allowed_and_said),
		cmocka_unit_test(no_link_is_followed),
	};
	return cmocka_run_group_tests(tests, folder_start, folder_end);
}
