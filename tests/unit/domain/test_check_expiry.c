/* When the end of a certificate or a domain is told. */
#include "unit/lib/unit.h"

#include "domain/monitor/check_expiry.h"

enum { HOUR = 3600, DAY = 86400 };
/* 2027-03-01T00:00:00Z */
#define END INT64_C(1803859200)

/* What was told last, and what a look at that time tells; -1: nothing. */
struct look {
	const char *name;
	int64_t now_s, seen_s, date_s, alert_days;
	struct expiry_told before;
	int64_t days;
};
#define NEVER \
	{ \
		{ 0 }, 0 \
	}
#define TOLD(days) \
	{ \
		{ END }, (days) \
	}

static const struct look looks[] = {
	{ "exactly 14 days before", END - 14 * DAY, END - 14 * DAY, END, 14, NEVER, 14 },
	{ "a second earlier", END - 14 * DAY - 1, END - 14 * DAY - 1, END, 14, NEVER, -1 },
	{ "an hour later", END - 14 * DAY + HOUR, END - 14 * DAY + HOUR, END, 14, NEVER, 14 },
	{ "an hour later, told", END - 14 * DAY + HOUR, END - 14 * DAY + HOUR, END, 14, TOLD(14),
	  -1 },
	{ "the last second, told", END - 1, END - 1, END, 14, TOLD(14), -1 },
	{ "at the end", END, END, END, 14, TOLD(14), 0 },
	{ "at the end, nothing told", END, END, END, 14, NEVER, 0 },
	{ "after the end, told", END + DAY, END + DAY, END, 14, TOLD(0), -1 },
	{ "years after the end, nothing told", END + 900 * DAY, END + 900 * DAY, END, 1, NEVER, 0 },
	{ "at the end, not looked at since", END, END - 1, END, 14, TOLD(14), -1 },
	{ "long past, not looked at since", END + 90 * DAY, END - 20 * DAY, END, 14, NEVER, -1 },
	{ "before the end, not looked at for hours", END - DAY, END - DAY - 9 * HOUR, END, 14,
	  NEVER, 14 },
	{ "one day", END - DAY, END - DAY, END, 1, NEVER, 1 },
	{ "one day and a second", END - DAY - 1, END - DAY - 1, END, 1, NEVER, -1 },
	{ "60 days", END - 60 * DAY, END - 60 * DAY, END, 60, NEVER, 60 },
	{ "never wanted", END - DAY, END - DAY, END, 0, NEVER, -1 },
	{ "never wanted, past", END + DAY, END + DAY, END, 0, NEVER, -1 },
	{ "unknown", END, END, 0, 14, NEVER, -1 },
	{ "unknown, after a date was told", END, END, 0, 14, TOLD(14), -1 },
	{ "the clock is set back", END - 30 * DAY, END - 30 * DAY, END, 14, TOLD(14), -1 },
	{ "back after the end", END - 7 * DAY, END - 7 * DAY, END, 14, TOLD(0), -1 },
	{ "back, seen in the future", END - 7 * DAY, END + DAY, END, 14, TOLD(14), -1 },
	{ "renewed", END, END, END + 90 * DAY, 14, TOLD(14), -1 },
	{ "renewed, 14 days before the new end", END + 76 * DAY, END + 76 * DAY, END + 90 * DAY, 14,
	  TOLD(0), 14 },
	{ "replaced by one that ends earlier", END - 20 * DAY, END - 20 * DAY, END - 10 * DAY, 14,
	  TOLD(30), 14 },
	{ "fewer days wanted than were told", END - 7 * DAY, END - 7 * DAY, END, 7, TOLD(30), 7 },
	{ "more days wanted than were told", END - 5 * DAY, END - 5 * DAY, END, 60, TOLD(7), -1 },
};

static void the_end_is_told_once(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(looks); i++) {
		const struct look *look = &looks[i];
		const struct expiry expiry = {
			{ look->date_s }, { look->seen_s }, look->alert_days, look->before
		};
		struct expiry_told told = { { -1 }, -1 };
		bool is_due = expiry_is_due(&expiry, (struct instant){ look->now_s }, &told);
		if (is_due != (look->days >= 0))
			fail_msg("%s: %d", look->name, is_due);
		if (is_due && (told.days != look->days || told.date.s != look->date_s))
			fail_msg("%s: told %lld", look->name, (long long)told.days);
	}
}

/* Each hour for a year, with a renewal a week after the first end: each alert once. */
static void a_year_of_looks_tells_each_alert_once(void **state)
{
	static const int64_t days[] = { 0, 1, 2, 3, 7, 14, 30, 60 };
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(days); i++) {
		struct expiry expiry = { .date = { END }, .alert_days = days[i] };
		int64_t told_at[8] = { 0 }, count = 0;
		for (int64_t at = END - 200 * DAY; at < END + 165 * DAY; at += HOUR) {
			struct instant now = { at };
			expiry.seen_at = now;
			if (at == END + 7 * DAY)
				expiry.date.s = END + 90 * DAY;
			if (expiry_is_due(&expiry, now, &expiry.told))
				told_at[count++ % 8] = at;
		}
		assert_int_equal(days[i] == 0 ? 0 : 4, count);
		for (int64_t j = 0; j < count; j++) {
			int64_t end = j < 2 ? END : END + 90 * DAY;
			assert_int_equal(j % 2 == 0 ? end - days[i] * DAY : end, told_at[j]);
		}
	}
}

static void a_registry_is_asked_once_a_day_and_at_the_end(void **state)
{
	static const struct {
		int64_t date_s, asked_s, now_s;
		bool is_asked;
	} rows[] = {
		{ 0, 0, END, true },
		{ END, END - 400 * DAY, END - 399 * DAY, true },
		{ END, END - 400 * DAY, END - 399 * DAY - 1, false },
		{ 0, END, END + HOUR, false },
		{ 0, END, END + DAY, true },
		{ END, END - HOUR, END - 1, false },
		{ END, END - HOUR, END, true },
		{ END, END - 1, END + 1, true },
		{ END, END, END + HOUR, false },
		{ END, END + HOUR, END + DAY, false },
		{ END, END + HOUR, END, true },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (expiry_is_to_ask((struct instant){ rows[i].date_s },
				     (struct instant){ rows[i].asked_s },
				     (struct instant){ rows[i].now_s }) != rows[i].is_asked)
			fail_msg("row %zu", i);
}

static const char *text(int64_t now_s)
{
	static char text[EXPIRY_TEXT_SIZE];
	return expiry_text((struct instant){ END }, (struct instant){ now_s }, text);
}

static void the_text_says_how_long(void **state)
{
	(void)state;
	assert_string_equal("expires 2027-03-01T00:00:00Z, in 14 days", text(END - 14 * DAY));
	assert_string_equal("expires 2027-03-01T00:00:00Z, in 1 day", text(END - 2 * DAY + 1));
	assert_string_equal("expires 2027-03-01T00:00:00Z, in less than a day", text(END - 1));
	assert_string_equal("expired 2027-03-01T00:00:00Z", text(END));
	assert_string_equal("expired 2027-03-01T00:00:00Z", text(END + 400 * DAY));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_end_is_told_once),
		cmocka_unit_test(a_year_of_looks_tells_each_alert_once),
		cmocka_unit_test(a_registry_is_asked_once_a_day_and_at_the_end),
		cmocka_unit_test(the_text_says_how_long),
	};
	return RUN(tests);
}
