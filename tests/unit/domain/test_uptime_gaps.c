/* Time in which a monitor was not observed. */
#include "unit/lib/unit.h"

#include "domain/page/uptime.h"

#define TODAY (UPTIME_DAYS - 1)

static struct uptime_day days[UPTIME_DAYS];

static struct instant moment(const char *text)
{
	struct instant at = { 0 };
	if (text)
		assert_true(instant_parse(str_from(text), &at));
	return at;
}

struct row {
	const char *zone, *now;
	/* A gap, and an outage; NULL: open, or none. */
	const char *gap_from, *gap_to, *outage_from, *outage_to;
	/* Of the day before today: */
	enum uptime_state before;
	int64_t unobserved_before_s, known_before_s;
	/* Of today: */
	enum uptime_state today;
	int64_t unobserved_s, known_s;
	int64_t permyriad; /* of both days */
};

static void fill(const struct row *row)
{
	const struct zone *zone = zone_find(row->zone);
	assert_non_null(zone);
	struct instant now = moment(row->now);
	struct uptime_calendar calendar = uptime_calendar_of(zone, now);
	struct uptime_interval intervals[2] = {
		{ .from = moment(row->gap_from), .to = moment(row->gap_to), .is_gap = true },
		{ .from = moment(row->outage_from),
		  .to = moment(row->outage_to),
		  .impact = INCIDENT_MAJOR_OUTAGE },
	};
	if (row->outage_from && intervals[1].from.s < intervals[0].from.s) {
		struct uptime_interval first = intervals[1];
		intervals[1] = intervals[0];
		intervals[0] = first;
	}
	uptime_fill(intervals, row->outage_from ? 2 : 1, (struct instant){ 1 }, now, &calendar,
		    days);
}

enum { HOUR = 3600 };
#define NO_DATA UPTIME_NO_DATA
#define UP	UPTIME_UP

static void a_gap_is_neither_up_nor_known(void **state)
{
	(void)state;
	static const struct row rows[] = {
		/* within a day */
		{ "UTC", "2026-11-20T12:00:00Z", "2026-11-19T06:00:00Z", "2026-11-19T08:00:00Z",
		  NULL, NULL, UP, 2 * HOUR, 22 * HOUR, UP, 0, 12 * HOUR, 10000 },
		/* over midnight */
		{ "UTC", "2026-11-20T12:00:00Z", "2026-11-19T23:00:00Z", "2026-11-20T01:00:00Z",
		  NULL, NULL, UP, HOUR, 23 * HOUR, UP, HOUR, 11 * HOUR, 10000 },
		/* from midnight to midnight, and a second less at each end */
		{ "UTC", "2026-11-20T12:00:00Z", "2026-11-19T00:00:00Z", "2026-11-20T00:00:00Z",
		  NULL, NULL, NO_DATA, 24 * HOUR, 0, UP, 0, 12 * HOUR, 10000 },
		{ "UTC", "2026-11-20T12:00:00Z", "2026-11-19T00:00:01Z", "2026-11-20T00:00:00Z",
		  NULL, NULL, UP, 24 * HOUR - 1, 1, UP, 0, 12 * HOUR, 10000 },
		{ "UTC", "2026-11-20T12:00:00Z", "2026-11-18T00:00:00Z", "2026-11-19T23:59:59Z",
		  NULL, NULL, UP, 24 * HOUR - 1, 1, UP, 0, 12 * HOUR, 10000 },
		/* over months, and it goes on */
		{ "UTC", "2026-11-20T12:00:00Z", "2026-06-01T00:00:00Z", NULL, NULL, NULL, NO_DATA,
		  24 * HOUR, 0, NO_DATA, 12 * HOUR, 0, -1 },
		/* it goes on in the first second of a day, or begins or has ended there */
		{ "UTC", "2026-11-20T00:00:00Z", "2026-11-19T12:00:00Z", NULL, NULL, NULL, UP,
		  12 * HOUR, 12 * HOUR, NO_DATA, 0, 0, 10000 },
		{ "UTC", "2026-11-20T00:00:00Z", "2026-11-20T00:00:00Z", NULL, NULL, NULL, UP, 0,
		  24 * HOUR, NO_DATA, 0, 0, 10000 },
		{ "UTC", "2026-11-20T00:00:00Z", "2026-11-19T12:00:00Z", "2026-11-20T00:00:00Z",
		  NULL, NULL, UP, 12 * HOUR, 12 * HOUR, UP, 0, 0, 10000 },
		/* a gap of no length */
		{ "UTC", "2026-11-20T00:00:00Z", "2026-11-20T00:00:00Z", "2026-11-20T00:00:00Z",
		  NULL, NULL, UP, 0, 24 * HOUR, UP, 0, 0, 10000 },
		/* days of 25 and 23 hours, as a whole */
		{ "Europe/Berlin", "2026-10-26T11:00:00Z", "2026-10-24T22:00:00Z",
		  "2026-10-25T23:00:00Z", NULL, NULL, NO_DATA, 25 * HOUR, 0, UP, 0, 12 * HOUR,
		  10000 },
		{ "Europe/Berlin", "2026-03-30T10:00:00Z", "2026-03-28T23:00:00Z",
		  "2026-03-29T22:00:00Z", NULL, NULL, NO_DATA, 23 * HOUR, 0, UP, 0, 12 * HOUR,
		  10000 },
		/* the 24 hours that a day usually has */
		{ "Europe/Berlin", "2026-10-26T11:00:00Z", "2026-10-24T22:00:00Z",
		  "2026-10-25T22:00:00Z", NULL, NULL, UP, 24 * HOUR, HOUR, UP, 0, 12 * HOUR,
		  10000 },
		/* the incident wins: inside of the gap, over its end, over all of it, and open */
		{ "UTC", "2026-11-20T12:00:00Z", "2026-11-19T00:00:00Z", "2026-11-20T00:00:00Z",
		  "2026-11-19T06:00:00Z", "2026-11-19T09:00:00Z", UPTIME_PARTIAL, 21 * HOUR,
		  3 * HOUR, UP, 0, 12 * HOUR, 8000 },
		{ "UTC", "2026-11-20T12:00:00Z", "2026-11-19T00:00:00Z", "2026-11-19T12:00:00Z",
		  "2026-11-19T11:00:00Z", "2026-11-19T13:00:00Z", UPTIME_PARTIAL, 11 * HOUR,
		  13 * HOUR, UP, 0, 12 * HOUR, 9200 },
		{ "UTC", "2026-11-20T12:00:00Z", "2026-11-19T06:00:00Z", "2026-11-19T08:00:00Z",
		  "2026-11-19T00:00:00Z", "2026-11-20T00:00:00Z", UPTIME_DOWN, 0, 24 * HOUR, UP, 0,
		  12 * HOUR, 3333 },
		{ "UTC", "2026-11-20T12:00:00Z", "2026-11-19T00:00:00Z", NULL,
		  "2026-11-20T00:00:00Z", NULL, NO_DATA, 24 * HOUR, 0, UPTIME_DOWN, 0, 12 * HOUR,
		  0 },
		/* both open in the first second of the day */
		{ "UTC", "2026-11-20T00:00:00Z", "2026-11-19T00:00:00Z", NULL,
		  "2026-11-20T00:00:00Z", NULL, NO_DATA, 24 * HOUR, 0, UPTIME_PARTIAL, 0, 0, 0 },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct row *row = &rows[i];
		fill(row);
		const struct uptime_day *before = &days[TODAY - 1], *today = &days[TODAY];
		if (uptime_state_of(before) != row->before ||
		    before->unobserved_s != row->unobserved_before_s ||
		    before->known_s != row->known_before_s ||
		    uptime_state_of(today) != row->today ||
		    today->unobserved_s != row->unobserved_s || today->known_s != row->known_s ||
		    uptime_permyriad(before, 2) != row->permyriad)
			fail_msg("row %zu: %d %lld %lld, %d %lld %lld, %lld", i,
				 uptime_state_of(before), (long long)before->unobserved_s,
				 (long long)before->known_s, uptime_state_of(today),
				 (long long)today->unobserved_s, (long long)today->known_s,
				 (long long)uptime_permyriad(before, 2));
	}
}

static void days_before_the_record_have_no_gaps(void **state)
{
	(void)state;
	struct instant now = moment("2026-11-20T12:00:00Z");
	struct uptime_calendar calendar = uptime_calendar_of(zone_utc(), now);
	struct uptime_interval gap = { .from = moment("2026-11-01T00:00:00Z"), .is_gap = true };
	uptime_fill(&gap, 1, moment("2026-11-19T18:00:00Z"), now, &calendar, days);
	assert_int_equal(days[TODAY - 2].unobserved_s, 0);
	assert_int_equal(days[TODAY - 1].unobserved_s, 6 * HOUR);
	assert_int_equal(days[TODAY - 1].known_s, 0);
	assert_int_equal(uptime_permyriad(days, UPTIME_DAYS), -1);
	/* Without a record nothing is known, and nothing is missing. */
	uptime_fill(&gap, 1, (struct instant){ 0 }, now, &calendar, days);
	for (size_t i = 0; i < UPTIME_DAYS; i++)
		assert_int_equal(days[i].unobserved_s, 0);
}

/* The model: looks at each second. A day has a few seconds, of which some days have more. */
struct model {
	struct uptime_calendar calendar;
	struct uptime_interval intervals[12];
	size_t count;
	int64_t known_since, now;
};

static bool has_second(const struct model *model, int64_t second, bool is_gap)
{
	for (size_t i = 0; i < model->count; i++) {
		const struct uptime_interval *interval = &model->intervals[i];
		int64_t to = interval->to.s == 0 ? model->now : interval->to.s;
		bool is_wanted = is_gap ? interval->is_gap : interval->impact > 0;
		if (is_wanted && interval->from.s <= second && second < to)
			return true;
	}
	return false;
}

static bool is_major(const struct model *model, int64_t second)
{
	struct model majors = *model;
	majors.count = 0;
	for (size_t i = 0; i < model->count; i++)
		if (model->intervals[i].impact == INCIDENT_MAJOR_OUTAGE)
			majors.intervals[majors.count++] = model->intervals[i];
	return has_second(&majors, second, false);
}

static void compare_day(const struct model *model, size_t day, unsigned seed)
{
	int64_t known = 0, down = 0, unobserved = 0;
	for (int64_t s = model->calendar.starts[day].s; s < model->calendar.starts[day + 1].s;
	     s++) {
		if (s < model->known_since || s >= model->now)
			continue;
		bool has_impact = has_second(model, s, false);
		bool is_missing = !has_impact && has_second(model, s, true);
		known += !is_missing;
		unobserved += is_missing;
		down += is_major(model, s);
	}
	if (days[day].known_s != known || days[day].down_s != down ||
	    days[day].unobserved_s != unobserved)
		fail_msg("seed %u, day %zu: %lld %lld %lld, not %lld %lld %lld", seed, day,
			 (long long)days[day].known_s, (long long)days[day].down_s,
			 (long long)days[day].unobserved_s, (long long)known, (long long)down,
			 (long long)unobserved);
	bool is_up = uptime_state_of(&days[day]) == UPTIME_UP;
	if (is_up && known == 0 && unobserved > 0)
		fail_msg("seed %u, day %zu: up, and never observed", seed, day);
}

static int by_start(const void *a, const void *b)
{
	const struct uptime_interval *left = a, *right = b;
	return (left->from.s > right->from.s) - (left->from.s < right->from.s);
}

static int64_t up_to(int64_t most)
{
	return random() % (most + 1);
}

static struct model make_model(void)
{
	struct model model = { .count = 1 + (size_t)up_to(11) };
	model.calendar.starts[0].s = 1000;
	for (size_t i = 0; i < UPTIME_DAYS; i++)
		model.calendar.starts[i + 1].s = model.calendar.starts[i].s + 3 + up_to(2);
	int64_t first = model.calendar.starts[0].s, last = model.calendar.starts[TODAY].s;
	model.now = last + up_to(2);
	model.known_since = first - 5 + up_to(40);
	for (size_t i = 0; i < model.count; i++) {
		int64_t from = first - 20 + up_to(model.now - first + 20);
		int64_t to = up_to(3) == 0 ? 0 : from + up_to(up_to(5) == 0 ? 200 : 12);
		bool is_gap = up_to(1) == 0;
		model.intervals[i] = (struct uptime_interval){
			.from = { from },
			.to = { to > model.now ? 0 : to },
			.is_gap = is_gap,
			.impact = is_gap ? 0 : (int)up_to(INCIDENT_MAJOR_OUTAGE),
		};
	}
	qsort(model.intervals, model.count, sizeof(*model.intervals), by_start);
	return model;
}

static void random_histories_agree_with_their_seconds(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= 400; seed++) {
		srandom(seed);
		struct model model = make_model();
		uptime_fill(model.intervals, model.count, (struct instant){ model.known_since },
			    (struct instant){ model.now }, &model.calendar, days);
		for (size_t day = 0; day < UPTIME_DAYS; day++)
			compare_day(&model, day, seed);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_gap_is_neither_up_nor_known),
		cmocka_unit_test(days_before_the_record_have_no_gaps),
		cmocka_unit_test(random_histories_agree_with_their_seconds),
	};
	return RUN(tests);
}
