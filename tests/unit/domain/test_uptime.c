#include "unit/lib/unit.h"

#include "domain/page/uptime.h"

/* 2026-11-20T12:00:00Z, noon of the last day. */
static const struct instant now = { 1795176000 };

static struct uptime_day days[UPTIME_DAYS];

/* Hours before now. */
static struct instant ago(int64_t hours)
{
	return (struct instant){ now.s - hours * 3600 };
}

/* All intervals are major outages. */
static void fill(const struct uptime_interval *intervals, size_t count, int64_t known_hours)
{
	struct uptime_calendar calendar = uptime_calendar_of(zone_utc(), now);
	struct uptime_interval major[8] = { 0 };
	for (size_t i = 0; i < count; i++) {
		major[i] = intervals[i];
		major[i].impact = INCIDENT_MAJOR_OUTAGE;
	}
	uptime_fill(major, count, ago(known_hours), now, &calendar, days);
}

static void days_begin_at_midnight_and_end_with_today(void **state)
{
	(void)state;
	struct uptime_calendar calendar = uptime_calendar_of(zone_utc(), now);
	assert_int_equal(1795132800 + DAY_S, calendar.starts[UPTIME_DAYS].s);
	assert_int_equal(1795132800, calendar.starts[UPTIME_DAYS - 1].s);
	assert_int_equal(1795132800 - 89 * DAY_S, calendar.starts[0].s);
}

static const struct zone *zone_of(const char *name)
{
	const struct zone *zone = zone_find(name);
	if (!zone)
		fail_msg("there is no zone %s", name);
	return zone;
}

static struct instant moment(const char *text)
{
	struct instant at = { 0 };
	assert_true(instant_parse(str_from(text), &at));
	return at;
}

static void days_begin_at_the_midnight_of_the_zone(void **state)
{
	(void)state;
	static const struct {
		const char *zone, *now, *first, *today, *tomorrow;
	} rows[] = {
		{ "Asia/Kathmandu", "2026-11-20T18:14:59Z", "2026-08-22T18:15:00Z",
		  "2026-11-19T18:15:00Z", "2026-11-20T18:15:00Z" },
		{ "Asia/Kathmandu", "2026-11-20T18:15:00Z", "2026-08-23T18:15:00Z",
		  "2026-11-20T18:15:00Z", "2026-11-21T18:15:00Z" },
		/* the first day is of summer time */
		{ "America/New_York", "2026-11-20T12:00:00Z", "2026-08-23T04:00:00Z",
		  "2026-11-20T05:00:00Z", "2026-11-21T05:00:00Z" },
		/* today has 25 hours, and 23 */
		{ "Europe/Berlin", "2026-10-25T22:59:59Z", "2026-07-27T22:00:00Z",
		  "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z" },
		{ "Europe/Berlin", "2026-03-29T00:00:00Z", "2025-12-29T23:00:00Z",
		  "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z" },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct uptime_calendar calendar =
			uptime_calendar_of(zone_of(rows[i].zone), moment(rows[i].now));
		assert_int_equal(calendar.starts[0].s, moment(rows[i].first).s);
		assert_int_equal(calendar.starts[UPTIME_DAYS - 1].s, moment(rows[i].today).s);
		assert_int_equal(calendar.starts[UPTIME_DAYS].s, moment(rows[i].tomorrow).s);
		for (size_t day = 0; day < UPTIME_DAYS; day++) {
			struct instant start = calendar.starts[day],
				       last = { calendar.starts[day + 1].s - 1 };
			assert_int_equal(uptime_day_of(&calendar, start), day);
			assert_int_equal(uptime_day_of(&calendar, last), day);
		}
		assert_int_equal(uptime_day_of(&calendar, (struct instant){ 1 }), 0);
		assert_int_equal(uptime_day_of(&calendar, calendar.starts[UPTIME_DAYS]),
				 UPTIME_DAYS);
	}
}

/* Half of a day of 23, 24 or 25 hours. */
static void half_of_a_day_is_half_of_its_own_length(void **state)
{
	(void)state;
	static const struct {
		const char *zone, *from, *to;
		enum uptime_state wanted; /* of the day before today */
		int64_t length_s;
		const char *now;
	} rows[] = {
		{ "Europe/Berlin", "2026-10-25T00:00:00Z", "2026-10-25T12:29:59Z", UPTIME_PARTIAL,
		  90000, "2026-10-26T12:00:00Z" },
		{ "Europe/Berlin", "2026-10-25T00:00:00Z", "2026-10-25T12:30:00Z", UPTIME_DOWN,
		  90000, "2026-10-26T12:00:00Z" },
		{ "Europe/Berlin", "2026-03-29T00:00:00Z", "2026-03-29T11:29:59Z", UPTIME_PARTIAL,
		  82800, "2026-03-30T12:00:00Z" },
		{ "Europe/Berlin", "2026-03-29T00:00:00Z", "2026-03-29T11:30:00Z", UPTIME_DOWN,
		  82800, "2026-03-30T12:00:00Z" },
		/* two minutes that are of this day in Kathmandu only, and of the next in UTC only
		 */
		{ "Asia/Kathmandu", "2026-11-18T18:15:00Z", "2026-11-18T18:17:00Z", UPTIME_PARTIAL,
		  86400, "2026-11-20T12:00:00Z" },
		{ "UTC", "2026-11-18T18:15:00Z", "2026-11-18T18:17:00Z", UPTIME_UP, 86400,
		  "2026-11-20T12:00:00Z" },
		/* ended at midnight of the zone */
		{ "Asia/Kathmandu", "2026-11-18T18:00:00Z", "2026-11-18T18:15:00Z", UPTIME_UP,
		  86400, "2026-11-20T12:00:00Z" },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct uptime_calendar calendar =
			uptime_calendar_of(zone_of(rows[i].zone), moment(rows[i].now));
		struct uptime_interval interval = { .from = moment(rows[i].from),
						    .to = moment(rows[i].to),
						    .impact = INCIDENT_MAJOR_OUTAGE };
		uptime_fill(&interval, 1, (struct instant){ 1 }, moment(rows[i].now), &calendar,
			    days);
		const struct uptime_day *day = &days[UPTIME_DAYS - 2];
		if (uptime_state_of(day) != rows[i].wanted || day->length_s != rows[i].length_s ||
		    day->known_s != rows[i].length_s)
			fail_msg("row %zu", i);
	}
}

/* The seconds of a long outage, over all days and whatever their lengths, are those of the clock.
 */
static void no_second_is_lost_or_counted_twice(void **state)
{
	static const char *const zones[] = { "UTC",
					     "Europe/Berlin",
					     "Asia/Beirut",
					     "America/St_Johns",
					     "Australia/Lord_Howe",
					     "Asia/Kathmandu" };
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(zones); i++)
		for (int64_t week = 0; week < 60; week++) {
			struct instant end = { now.s - week * 7 * DAY_S + week * 3600 };
			struct uptime_calendar calendar =
				uptime_calendar_of(zone_of(zones[i]), end);
			struct uptime_interval interval = { .from = { end.s - 80 * DAY_S },
							    .to = { end.s - 7 },
							    .impact = INCIDENT_MAJOR_OUTAGE };
			int64_t down_s = 0, length_s = 0;
			uptime_fill(&interval, 1, (struct instant){ 1 }, end, &calendar, days);
			for (size_t day = 0; day < UPTIME_DAYS; day++) {
				down_s += days[day].down_s;
				length_s += days[day].length_s;
				assert_true(days[day].down_s <= days[day].known_s);
			}
			assert_int_equal(down_s, 80 * DAY_S - 7);
			assert_int_equal(length_s,
					 calendar.starts[UPTIME_DAYS].s - calendar.starts[0].s);
		}
}

static void an_outage_that_ended_as_the_bars_begin_is_not_theirs(void **state)
{
	(void)state;
	struct uptime_calendar calendar = uptime_calendar_of(zone_utc(), now);
	struct uptime_interval interval = { .from = { 1000 },
					    .to = calendar.starts[0],
					    .impact = INCIDENT_MAJOR_OUTAGE };
	uptime_fill(&interval, 1, (struct instant){ 1 }, now, &calendar, days);
	assert_int_equal(UPTIME_UP, uptime_state_of(&days[0]));
}

static void what_was_before_it_existed_is_no_data(void **state)
{
	(void)state;
	fill(NULL, 0, 36);
	assert_int_equal(UPTIME_NO_DATA, uptime_state_of(&days[UPTIME_DAYS - 3]));
	assert_int_equal(UPTIME_UP, uptime_state_of(&days[UPTIME_DAYS - 2]));
	assert_int_equal(DAY_S, days[UPTIME_DAYS - 2].known_s);
	assert_int_equal(DAY_S / 2, days[UPTIME_DAYS - 1].known_s);
	assert_int_equal(10000, uptime_permyriad(days, UPTIME_DAYS));
	struct uptime_calendar calendar = uptime_calendar_of(zone_utc(), now);
	uptime_fill(NULL, 0, (struct instant){ 0 }, now, &calendar, days);
	assert_int_equal(-1, uptime_permyriad(days, UPTIME_DAYS));
	assert_int_equal(UPTIME_NO_DATA, uptime_state_of(&days[UPTIME_DAYS - 1]));
}

/* A record of no second is all up or all down. */
static void a_record_that_begins_now_has_a_percentage(void **state)
{
	(void)state;
	static const struct {
		int impact;
		int64_t percent;
		enum uptime_state wanted;
	} rows[] = {
		{ INCIDENT_IMPACT_NONE, 10000, UPTIME_UP },
		{ INCIDENT_PARTIAL_OUTAGE, 10000, UPTIME_PARTIAL },
		{ INCIDENT_MAJOR_OUTAGE, 0, UPTIME_PARTIAL },
	};
	for (size_t i = 0; i < 2 * ARRAY_LEN(rows); i++) {
		const struct uptime_interval open = { now, { 0 }, rows[i / 2].impact, false };
		/* Days of the page's zone, and days of 24 hours that end now. */
		struct uptime_calendar calendar = i % 2 ? uptime_calendar_until(now)
							: uptime_calendar_of(zone_utc(), now);
		uptime_fill(&open, 1, now, now, &calendar, days);
		if (uptime_permyriad(days, UPTIME_DAYS) != rows[i / 2].percent ||
		    uptime_permyriad(&days[UPTIME_DAYS - 1], 1) != rows[i / 2].percent ||
		    uptime_state_of(&days[UPTIME_DAYS - 1]) != rows[i / 2].wanted)
			fail_msg("row %zu", i);
	}
}

static void overlaps_count_once(void **state)
{
	(void)state;
	struct uptime_interval intervals[] = {
		{ ago(10), ago(6) },
		{ ago(9), ago(8) },
		{ ago(8), ago(5) },
		{ ago(3), ago(2) },
	};
	fill(intervals, 4, 1000);
	assert_int_equal(6 * 3600, days[UPTIME_DAYS - 1].down_s);
	assert_int_equal(UPTIME_PARTIAL, uptime_state_of(&days[UPTIME_DAYS - 1]));
}

struct state_row {
	struct instant now;
	struct uptime_interval interval;
	enum uptime_state wanted; /* of the day that begins at MIDNIGHT */
};

#define MIDNIGHT INT64_C(1795132800)
#define AT(seconds) \
	{ \
		MIDNIGHT + (seconds) \
	}

static void a_day_is_down_from_half_of_its_whole_length(void **state)
{
	(void)state;
	static const struct state_row rows[] = {
		/* two minutes at 00:01, seen at 00:04 and at noon */
		{ AT(240), { AT(60), AT(180) }, UPTIME_PARTIAL },
		{ AT(43200), { AT(60), AT(180) }, UPTIME_PARTIAL },
		/* open since midnight: down from noon on */
		{ AT(43199), { AT(0), { 0 } }, UPTIME_PARTIAL },
		{ AT(43200), { AT(0), { 0 } }, UPTIME_DOWN },
		{ AT(86399), { AT(3600), AT(3600 + 43199) }, UPTIME_PARTIAL },
		{ AT(86399), { AT(3600), AT(3600 + 43200) }, UPTIME_DOWN },
		/* it began this second; it had no length */
		{ AT(500), { AT(500), { 0 } }, UPTIME_PARTIAL },
		{ AT(500), { AT(100), AT(100) }, UPTIME_PARTIAL },
		/* it ended at midnight, and began then the day after */
		{ AT(500), { AT(-500), AT(0) }, UPTIME_UP },
		{ AT(86400 + 9), { AT(86400), { 0 } }, UPTIME_UP },
		{ AT(86400 + 9), { AT(86399), { 0 } }, UPTIME_PARTIAL },
		/* seen at midnight: open since yesterday, ended now, and ended yesterday */
		{ AT(0), { AT(-500), { 0 } }, UPTIME_PARTIAL },
		{ AT(0), { AT(0), { 0 } }, UPTIME_PARTIAL },
		{ AT(0), { AT(-500), AT(0) }, UPTIME_UP },
		{ AT(0), { AT(-500), AT(-1) }, UPTIME_UP },
		/* the clock was set back to before the start, and to before the end */
		{ AT(0), { AT(86400), { 0 } }, UPTIME_PARTIAL },
		{ AT(7), { AT(8), { 0 } }, UPTIME_PARTIAL },
		{ AT(7), { AT(8), AT(9) }, UPTIME_UP },
		{ AT(0), { AT(-500), AT(9) }, UPTIME_PARTIAL },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct uptime_calendar calendar = uptime_calendar_of(zone_utc(), rows[i].now);
		struct uptime_interval interval = rows[i].interval;
		interval.impact = INCIDENT_MAJOR_OUTAGE;
		uptime_fill(&interval, 1, (struct instant){ MIDNIGHT - 10 * DAY_S }, rows[i].now,
			    &calendar, days);
		size_t today = UPTIME_DAYS - 1 - (size_t)((rows[i].now.s - MIDNIGHT) / DAY_S);
		if (uptime_state_of(&days[today]) != rows[i].wanted)
			fail_msg("row %zu", i);
	}
}

static void an_interval_spans_days_and_one_that_lasts_ends_now(void **state)
{
	(void)state;
	/* From 18:00 two days ago, for ever. */
	struct uptime_interval lasts = { ago(42), { 0 } };
	fill(&lasts, 1, 1000);
	assert_int_equal(6 * 3600, days[UPTIME_DAYS - 3].down_s);
	assert_int_equal(DAY_S, days[UPTIME_DAYS - 2].down_s);
	assert_int_equal(DAY_S / 2, days[UPTIME_DAYS - 1].down_s);
	assert_int_equal(0, days[UPTIME_DAYS - 4].down_s);
}

static void an_interval_older_than_all_days_fills_them(void **state)
{
	(void)state;
	struct uptime_interval old = { { 1000 }, { 0 } };
	fill(&old, 1, 100000);
	assert_int_equal(0, uptime_permyriad(days, UPTIME_DAYS));
	for (size_t i = 0; i < UPTIME_DAYS; i++)
		assert_int_equal(days[i].known_s, days[i].down_s);
}

static void any_down_time_shows_in_the_percentage(void **state)
{
	(void)state;
	struct uptime_interval second = { ago(5), { ago(5).s + 1 } };
	fill(&second, 1, 10000);
	assert_int_equal(9999, uptime_permyriad(days, UPTIME_DAYS));
}

static void only_major_outages_that_are_not_excluded_count(void **state)
{
	(void)state;
	static const struct {
		int impact;
		bool is_excluded;
		int64_t down_s;
		int64_t degraded_s;
		enum uptime_state wanted;
	} rows[] = {
		{ INCIDENT_IMPACT_NONE, false, 0, 0, UPTIME_UP },
		{ INCIDENT_DEGRADED_PERFORMANCE, false, 0, 3600, UPTIME_PARTIAL },
		{ INCIDENT_PARTIAL_OUTAGE, false, 0, 3600, UPTIME_PARTIAL },
		{ INCIDENT_MAJOR_OUTAGE, false, 3600, 0, UPTIME_PARTIAL },
		{ INCIDENT_MAJOR_OUTAGE, true, 0, 3600, UPTIME_PARTIAL },
	};
	struct uptime_calendar calendar = uptime_calendar_of(zone_utc(), now);
	const struct uptime_day *today = &days[UPTIME_DAYS - 1];
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct uptime_interval one = { ago(3), ago(2), rows[i].impact,
						     rows[i].is_excluded };
		uptime_fill(&one, 1, ago(1000), now, &calendar, days);
		if (today->down_s != rows[i].down_s || today->degraded_s != rows[i].degraded_s ||
		    today->worst != rows[i].impact || uptime_state_of(today) != rows[i].wanted)
			fail_msg("row %zu", i);
	}
	/* Seconds of both kinds count as down. */
	const struct uptime_interval both[] = {
		{ ago(6), ago(2), INCIDENT_DEGRADED_PERFORMANCE, false },
		{ ago(5), ago(4), INCIDENT_MAJOR_OUTAGE, false },
	};
	uptime_fill(both, 2, ago(1000), now, &calendar, days);
	assert_int_equal(3600, today->down_s);
	assert_int_equal(3 * 3600, today->degraded_s);
	assert_int_equal(INCIDENT_MAJOR_OUTAGE, today->worst);
}

/* What is shown is the same for all seconds before the next change, and another at it. */
static void the_next_change_is_exact(void **state)
{
	(void)state;
	static const struct {
		int64_t known_s, from_s, to_s; /* before now; to_s -1: open */
	} rows[] = {
		{ 1, 1, -1 },
		{ 60, 1, -1 },
		{ 3600, 600, -1 },
		{ 3600, 600, 1 },
		{ 3600, 3600, 1 },
		{ 86400, 61, 60 },
		{ 100 * DAY_S, 1, -1 },
		{ 100 * DAY_S, 0, -1 },
		{ 100 * DAY_S, 43100, -1 },
		{ 100 * DAY_S, 50, 49 },
		{ 30 * DAY_S, 9, 0 },
		{ 777, 700, 650 },
		{ 5 * DAY_S, 43000, 1 },
		{ 5 * DAY_S, 43000, -1 },
	};
	static struct uptime_day later[UPTIME_DAYS];
	struct uptime_calendar calendar = uptime_calendar_of(zone_utc(), now);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct uptime_interval outage = { .from = { now.s - rows[i].from_s },
						  .to = { now.s - rows[i].to_s },
						  .impact = INCIDENT_MAJOR_OUTAGE };
		if (rows[i].to_s < 0)
			outage.to.s = 0;
		struct instant since = { now.s - rows[i].known_s };
		uptime_fill(&outage, 1, since, now, &calendar, days);
		int64_t next_s = uptime_next_change_s(days, uptime_is_down(&outage, 1, now));
		for (int64_t s = 1; s < 43200; s++) {
			uptime_fill(&outage, 1, since, (struct instant){ now.s + s }, &calendar,
				    later);
			bool is_same = uptime_permyriad(days, UPTIME_DAYS) ==
					       uptime_permyriad(later, UPTIME_DAYS) &&
				       uptime_state_of(&days[UPTIME_DAYS - 1]) ==
					       uptime_state_of(&later[UPTIME_DAYS - 1]);
			if (is_same != (next_s == 0 || s < next_s))
				fail_msg("row %zu: after %lld s, not %lld s", i, (long long)s,
					 (long long)next_s);
			if (!is_same)
				break;
		}
	}
	const struct uptime_interval excluded = { now, { 0 }, INCIDENT_MAJOR_OUTAGE, true };
	assert_false(uptime_is_down(&excluded, 1, now));
}

/* Each second has the worst of its impacts. */
static void partly_down_is_less_than_down_and_more_than_degraded(void **state)
{
	(void)state;
	const struct uptime_interval all[] = {
		{ ago(9), ago(1), INCIDENT_DEGRADED_PERFORMANCE, false },
		{ ago(8), ago(3), INCIDENT_PARTIAL_OUTAGE, false },
		{ ago(7), ago(6), INCIDENT_MAJOR_OUTAGE, false },
		{ ago(5), ago(2), INCIDENT_MAJOR_OUTAGE, true },
	};
	struct uptime_calendar calendar = uptime_calendar_of(zone_utc(), now);
	const struct uptime_day *today = &days[UPTIME_DAYS - 1];
	uptime_fill(all, ARRAY_LEN(all), ago(1000), now, &calendar, days);
	assert_int_equal(3600, today->down_s);
	assert_int_equal(3 * 3600, today->excluded_s);
	assert_int_equal(2 * 3600, today->partly_s);
	assert_int_equal(7 * 3600, today->degraded_s);
}

static void excluded_downtime_is_that_which_does_not_count(void **state)
{
	(void)state;
	static const struct {
		struct uptime_interval first, second;
		int64_t excluded_s;
		bool is_excluded;
	} rows[] = {
		/* A second that also counts is not excluded. */
		{ { { 6 }, { 3 }, INCIDENT_MAJOR_OUTAGE, true },
		  { { 5 }, { 4 }, INCIDENT_MAJOR_OUTAGE, false },
		  2 * 3600,
		  false },
		{ { { 6 }, { 5 }, INCIDENT_MAJOR_OUTAGE, false },
		  { { 4 }, { 3 }, INCIDENT_MAJOR_OUTAGE, true },
		  3600,
		  false },
		{ { { 6 }, { 3 }, INCIDENT_MAJOR_OUTAGE, true },
		  { { 5 }, { 2 }, INCIDENT_MAJOR_OUTAGE, true },
		  4 * 3600,
		  true },
		{ { { 6 }, { 5 }, INCIDENT_PARTIAL_OUTAGE, false },
		  { { 4 }, { 3 }, INCIDENT_MAJOR_OUTAGE, true },
		  3600,
		  true },
		/* A lesser impact counts in no case. */
		{ { { 6 }, { 5 }, INCIDENT_PARTIAL_OUTAGE, true },
		  { { 4 }, { 3 }, INCIDENT_DEGRADED_PERFORMANCE, true },
		  0,
		  false },
	};
	struct uptime_calendar calendar = uptime_calendar_of(zone_utc(), now);
	const struct uptime_day *today = &days[UPTIME_DAYS - 1];
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct uptime_interval both[] = { rows[i].first, rows[i].second };
		for (size_t j = 0; j < 2; j++) {
			both[j].from = ago((int)both[j].from.s);
			both[j].to = ago((int)both[j].to.s);
		}
		uptime_fill(both, 2, ago(1000), now, &calendar, days);
		if (today->excluded_s != rows[i].excluded_s ||
		    today->is_excluded != rows[i].is_excluded)
			fail_msg("row %zu", i);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(days_begin_at_midnight_and_end_with_today),
		cmocka_unit_test(days_begin_at_the_midnight_of_the_zone),
		cmocka_unit_test(half_of_a_day_is_half_of_its_own_length),
		cmocka_unit_test(no_second_is_lost_or_counted_twice),
		cmocka_unit_test(an_outage_that_ended_as_the_bars_begin_is_not_theirs),
		cmocka_unit_test(what_was_before_it_existed_is_no_data),
		cmocka_unit_test(the_next_change_is_exact),
		cmocka_unit_test(a_record_that_begins_now_has_a_percentage),
		cmocka_unit_test(overlaps_count_once),
		cmocka_unit_test(partly_down_is_less_than_down_and_more_than_degraded),
		cmocka_unit_test(a_day_is_down_from_half_of_its_whole_length),
		cmocka_unit_test(an_interval_spans_days_and_one_that_lasts_ends_now),
		cmocka_unit_test(an_interval_older_than_all_days_fills_them),
		cmocka_unit_test(any_down_time_shows_in_the_percentage),
		cmocka_unit_test(only_major_outages_that_are_not_excluded_count),
		cmocka_unit_test(excluded_downtime_is_that_which_does_not_count),
	};
	return RUN(tests);
}
