/* What follows from a try to send a message. */
#include "unit/lib/unit.h"

#include "domain/notify/delivery.h"

enum { HOUR = 3600 };

static struct delivery_verdict judge(int status, int64_t retry_after_s, int64_t tries,
				     int64_t age_s)
{
	const struct delivery_try result = { .status = status, .retry_after_s = retry_after_s };
	return delivery_judge(&result, tries, age_s, 0);
}

static bool is_among(int status, const int *statuses, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (statuses[i] == status)
			return true;
	return false;
}

static void each_status_has_its_verdict(void **state)
{
	static const int again[] = { 0, 408, 425, 429 };
	static const int ends_channel[] = { 401, 403, 404, 410 };
	(void)state;
	for (int status = 0; status < 600; status += status == 0 ? 100 : 1) {
		const struct delivery_try accepted = { .status = status, .is_accepted = true };
		const struct delivery_verdict verdict = judge(status, 0, 1, 0);
		bool is_queued = status >= 500 || is_among(status, again, ARRAY_LEN(again));
		bool is_refused = is_among(status, ends_channel, ARRAY_LEN(ends_channel));
		/* A message that the channel's next change may save stays with the channel. */
		enum delivery_state wanted = is_queued	  ? DELIVERY_QUEUED
					     : is_refused ? DELIVERY_SUSPENDED
							  : DELIVERY_FAILED;
		if (verdict.state != wanted || verdict.suspends_channel != is_refused)
			fail_msg("status %d", status);
		assert_int_equal(is_queued ? 5 : 0, verdict.wait_s);
		/* The test of success is the service's; Slack says 200 to what it refuses. */
		assert_int_equal(DELIVERY_SENT, delivery_judge(&accepted, 1, 0, 0).state);
	}
	assert_int_equal(DELIVERY_FAILED, judge(200, 0, 1, 0).state);
	assert_false(judge(200, 0, 1, 0).suspends_channel);
}

/* SMTP: 4xx may pass, 5xx not, but for the login at the installation's own server. */
static void mail_has_other_verdicts(void **state)
{
	(void)state;
	for (int status = 0; status < 600; status += status == 0 ? 400 : 1) {
		const struct delivery_try result = { .status = status, .is_mail = true };
		const struct delivery_verdict verdict = delivery_judge(&result, 1, 0, 0);
		bool is_queued = status < 500 || (status >= 530 && status < 540);
		if (verdict.state != (is_queued ? DELIVERY_QUEUED : DELIVERY_FAILED) ||
		    verdict.suspends_channel)
			fail_msg("status %d", status);
	}
}

static void what_no_try_can_better_fails(void **state)
{
	const struct delivery_try result = { .status = 503, .is_final = true };
	(void)state;
	assert_int_equal(DELIVERY_FAILED, delivery_judge(&result, 1, 0, 0).state);
}

static void the_wait_doubles_up_to_an_hour(void **state)
{
	(void)state;
	for (int64_t tries = 1, wait = 5; tries < 40; tries++, wait *= 2) {
		if (wait > HOUR)
			wait = HOUR;
		assert_int_equal(wait, judge(503, 0, tries, 0).wait_s);
		const struct delivery_try result = { .status = 503 };
		int64_t least = delivery_judge(&result, tries, 0, UINT32_MAX).wait_s;
		assert_true(least >= wait * 3 / 4 - 1 && least < wait);
	}
}

static void the_receiver_may_ask_for_more_time(void **state)
{
	(void)state;
	assert_int_equal(5, judge(429, 4, 1, 0).wait_s);
	assert_int_equal(6, judge(429, 6, 1, 0).wait_s);
	assert_int_equal(HOUR, judge(429, HOUR, 1, 0).wait_s);
	assert_int_equal(2 * HOUR, judge(503, 2 * HOUR, 30, 0).wait_s);
	/* Without a response nobody has asked. */
	assert_int_equal(5, judge(0, 0, 1, 0).wait_s);
	/* Later than the message lives. */
	assert_int_equal(DELIVERY_FAILED, judge(429, DELIVERY_TRIED_S + 1, 1, 0).state);
	assert_int_equal(DELIVERY_QUEUED, judge(429, DELIVERY_TRIED_S, 1, 0).state);
}

static void a_message_is_tried_for_a_day(void **state)
{
	(void)state;
	assert_int_equal(DELIVERY_QUEUED, judge(503, 0, 30, DELIVERY_TRIED_S - HOUR).state);
	assert_int_equal(DELIVERY_FAILED, judge(503, 0, 30, DELIVERY_TRIED_S - HOUR + 1).state);
	assert_int_equal(DELIVERY_QUEUED, judge(0, 0, 1, DELIVERY_TRIED_S - 5).state);
	assert_int_equal(DELIVERY_FAILED, judge(0, 0, 1, DELIVERY_TRIED_S - 4).state);
	assert_false(judge(0, 0, 1, DELIVERY_TRIED_S).suspends_channel);
}

/* All tries of a day are more than a few, and not hundreds. */
static void a_day_has_some_tries(void **state)
{
	int64_t age_s = 0, tries = 1;
	(void)state;
	for (struct delivery_verdict verdict; tries < 1000; tries++, age_s += verdict.wait_s) {
		verdict = judge(503, 0, tries, age_s);
		if (verdict.state != DELIVERY_QUEUED)
			break;
	}
	assert_in_range(tries, 25, 50);
	assert_true(age_s > DELIVERY_TRIED_S - HOUR - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_status_has_its_verdict),
		cmocka_unit_test(mail_has_other_verdicts),
		cmocka_unit_test(what_no_try_can_better_fails),
		cmocka_unit_test(the_wait_doubles_up_to_an_hour),
		cmocka_unit_test(the_receiver_may_ask_for_more_time),
		cmocka_unit_test(a_message_is_tried_for_a_day),
		cmocka_unit_test(a_day_has_some_tries),
	};
	return RUN(tests);
}
