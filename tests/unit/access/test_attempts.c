#include "unit/lib/unit.h"

#include <fcntl.h>
#include <unistd.h>

#include "access/attempts.h"

static struct throttle throttle = THROTTLE_CLOSED;

static int start(void **state)
{
	return folder_start(state) != 0 || !throttle_open(&throttle, test_folder_fd, "throttle");
}

static int end(void **state)
{
	throttle_close(&throttle);
	return folder_end(state);
}

static enum result count(int64_t page_id, const char *client, int64_t all_pages_per_minute)
{
	int64_t wait_s = 0;
	const struct attempt attempt = attempt_init(page_id, client, all_pages_per_minute,
						    (struct instant){ 1000000 }, &arena);
	enum result result = attempt_count(&attempt, &throttle, &wait_s);
	assert_int_equal(60, wait_s);
	return result;
}

static void a_page_takes_ten_attempts_of_an_address(void **state)
{
	(void)state;
	for (int i = 0; i < ATTEMPTS_PER_PAGE; i++)
		assert_int_equal(OK, count(1, "192.0.2.1", 0));
	assert_int_equal(E_RATE_LIMITED, count(1, "192.0.2.1", 0));
	assert_int_equal(OK, count(2, "192.0.2.1", 0));
	assert_int_equal(OK, count(1, "192.0.2.2", 0));
}

static void all_pages_together_have_their_limit(void **state)
{
	(void)state;
	for (int page = 10; page < 13; page++)
		assert_int_equal(OK, count(page, "192.0.2.3", 3));
	assert_int_equal(E_RATE_LIMITED, count(13, "192.0.2.3", 3));
	/* The refused attempts were not counted at the page. */
	for (int i = 0; i < ATTEMPTS_PER_PAGE; i++)
		assert_int_equal(OK, count(13, "192.0.2.3", 0));
}

static void an_attempt_is_taken_back(void **state)
{
	(void)state;
	const struct attempt attempt =
		attempt_init(20, "192.0.2.4", 1, (struct instant){ 1000000 }, &arena);
	int64_t wait_s;
	for (int i = 0; i < 2 * ATTEMPTS_PER_PAGE; i++) {
		assert_int_equal(OK, attempt_count(&attempt, &throttle, &wait_s));
		attempt_take_back(&attempt, &throttle);
	}
}

static enum result count_user(const char *name, const char *client, int64_t all)
{
	int64_t wait_s = 0;
	const struct attempt attempt =
		attempt_of_user(name, client, all, (struct instant){ 1000000 }, &arena);
	return attempt_count(&attempt, &throttle, &wait_s);
}

static void nobody_is_locked_out_by_another_address(void **state)
{
	(void)state;
	for (int i = 0; i < ATTEMPTS_PER_PAGE; i++)
		assert_int_equal(OK, count_user(i % 2 ? "ADA" : "ada", "192.0.2.6", 0));
	assert_int_equal(E_RATE_LIMITED, count_user("ada", "192.0.2.6", 0));
	assert_int_equal(OK, count_user("bea", "192.0.2.6", 0));
	assert_int_equal(OK, count_user(NULL, "192.0.2.6", 0));
	assert_int_equal(OK, count_user("ada", "192.0.2.7", 0));
	/* An address has a limit over all names. */
	assert_int_equal(OK, count_user("cy", "192.0.2.8", 2));
	assert_int_equal(OK, count_user("di", "192.0.2.8", 2));
	assert_int_equal(E_RATE_LIMITED, count_user("eve", "192.0.2.8", 2));
}

static void what_cannot_be_counted_is_said(void **state)
{
	(void)state;
	struct throttle broken = { .fd = open("/dev/full", O_RDWR | O_CLOEXEC) };
	const struct attempt attempt =
		attempt_init(1, "192.0.2.5", 0, (struct instant){ 1000000 }, &arena);
	int64_t wait_s;
	assert_int_equal(E_FAILED, attempt_count(&attempt, &broken, &wait_s));
	throttle_close(&broken);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_page_takes_ten_attempts_of_an_address),
		cmocka_unit_test(all_pages_together_have_their_limit),
		cmocka_unit_test(an_attempt_is_taken_back),
		cmocka_unit_test(nobody_is_locked_out_by_another_address),
		cmocka_unit_test(what_cannot_be_counted_is_said),
	};
	return cmocka_run_group_tests(tests, start, end);
}
