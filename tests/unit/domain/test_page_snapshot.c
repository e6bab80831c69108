/* What a snapshot derives from the rows that were loaded. */
#include "unit/lib/unit.h"

#include "domain/page/page_snapshot.h"

/* Noon and midnight of 2026-11-20. */
#define NOON	 INT64_C(1795176000)
#define MIDNIGHT (NOON - 43200)
#define TODAY	 (UPTIME_DAYS - 1)

/* In display order, which is not that of the ids. */
static struct page_monitor monitors[4];
static struct page_incident recent[4];
static struct page_incident newest[2];
static struct page_outage outages[5];

static struct page_snapshot loaded(void)
{
	const struct page_monitor all_monitors[] = {
		{ .id = 30, .position = 0, .name = "Shop", .known_since = { NOON - 900 * DAY_S } },
		{ .id = 10,
		  .position = 1,
		  .name = "Old",
		  .known_since = { 1 },
		  .is_retired = true },
		{ .id = 20, .position = 2, .name = "Mail", .known_since = { NOON } },
		{ .id = 40, .position = 3, .name = "New" },
	};
	/* In no order. */
	const struct page_incident all_recent[] = {
		{ .row = { .id = 5,
			   .monitor_id = 30,
			   .started_at = { NOON - 7200 },
			   .ended_at = { NOON - 3600 } } },
		{ .row = { .id = 9, .monitor_id = 10, .started_at = { NOON - 60 } } },
		{ .row = { .id = 7, .monitor_id = 30, .started_at = { NOON - 1800 } } },
		{ .row = { .id = 6,
			   .monitor_id = 20,
			   .started_at = { NOON - 7200 },
			   .ended_at = { NOON - 7000 } } },
	};
	const struct page_outage all_outages[] = {
		{ 30, { { NOON - 1800 }, { 0 } } },
		{ 99, { { NOON - 5000 }, { 0 } } }, /* of no monitor here */
		{ 30, { { MIDNIGHT - DAY_S }, { MIDNIGHT } } },
		{ 10, { { NOON - 60 }, { 0 } } },
		{ 30, { { NOON - 7200 }, { NOON - 3600 } } },
	};
	memcpy(monitors, all_monitors, sizeof(monitors));
	memcpy(recent, all_recent, sizeof(recent));
	memcpy(newest, all_recent, sizeof(newest));
	memcpy(outages, all_outages, sizeof(outages));
	for (size_t i = 0; i < ARRAY_LEN(recent); i++)
		recent[i].row.impact = INCIDENT_MAJOR_OUTAGE;
	for (size_t i = 0; i < ARRAY_LEN(outages); i++)
		outages[i].interval.impact = INCIDENT_MAJOR_OUTAGE;
	return (struct page_snapshot){ .now = { NOON },
				       .monitors = monitors,
				       .monitor_count = ARRAY_LEN(monitors),
				       .outages = outages,
				       .outage_count = ARRAY_LEN(outages),
				       .incidents = recent,
				       .incident_count = ARRAY_LEN(recent),
				       .newest = newest,
				       .newest_count = ARRAY_LEN(newest) };
}

static void retired_monitors_leave_and_their_incidents_stay(void **state)
{
	(void)state;
	struct page_snapshot snapshot = loaded();
	page_snapshot_derive(&snapshot, &arena);
	assert_int_equal(3, snapshot.monitor_count);
	assert_string_equal("Shop", snapshot.monitors[0].name);
	assert_string_equal("Mail", snapshot.monitors[1].name);
	assert_string_equal("New", snapshot.monitors[2].name);
	assert_int_equal(4, snapshot.incident_count);
	assert_int_equal(9, snapshot.incidents[0].row.id);
	assert_string_equal("Old", snapshot.incidents[0].row.monitor_name);
}

static void incidents_are_newest_first_with_the_names_of_their_monitors(void **state)
{
	(void)state;
	static const struct {
		int64_t id;
		const char *monitor_name;
	} rows[] = { { 9, "Old" }, { 7, "Shop" }, { 6, "Mail" }, { 5, "Shop" } };
	struct page_snapshot snapshot = loaded();
	page_snapshot_derive(&snapshot, &arena);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		assert_int_equal(rows[i].id, snapshot.incidents[i].row.id);
		assert_string_equal(rows[i].monitor_name, snapshot.incidents[i].row.monitor_name);
	}
	assert_int_equal(9, snapshot.newest[0].row.id);
	assert_string_equal("Shop", snapshot.newest[1].row.monitor_name);
}

static void what_is_open_is_among_the_newest(void **state)
{
	(void)state;
	struct page_snapshot snapshot = loaded();
	for (size_t i = 0; i < ARRAY_LEN(recent); i++)
		recent[i].row.ended_at = (struct instant){ i == 3 ? 0 : NOON - 60 };
	newest[0] = newest[1] = recent[0];
	newest[1].row.id = 100;
	page_snapshot_derive(&snapshot, &arena);
	assert_int_equal(3, snapshot.newest_count);
	size_t found = 0;
	for (size_t i = 0; i < snapshot.newest_count; i++)
		found += snapshot.newest[i].row.ended_at.s == 0;
	assert_int_equal(1, found);
	/* Each once. */
	snapshot = loaded();
	memcpy(newest, recent, sizeof(newest));
	snapshot.incident_count = ARRAY_LEN(newest);
	page_snapshot_derive(&snapshot, &arena);
	assert_int_equal(2, snapshot.newest_count);
}

static void a_system_is_down_while_its_incident_is_open(void **state)
{
	(void)state;
	struct page_snapshot snapshot = loaded();
	page_snapshot_derive(&snapshot, &arena);
	assert_int_equal(1, snapshot.down_count);
	assert_int_equal(1, snapshot.no_data_count);
	assert_ptr_equal(&snapshot.incidents[1], snapshot.monitors[0].open);
	assert_int_equal(SYSTEM_MAJOR_OUTAGE, page_monitor_state(&snapshot.monitors[0]));
	assert_int_equal(SYSTEM_OPERATIONAL, page_monitor_state(&snapshot.monitors[1]));
	assert_int_equal(SYSTEM_NO_DATA, page_monitor_state(&snapshot.monitors[2]));
}

/* Of the monitor 20, which was known for a day; in no order, with gaps of others. */
static void a_system_in_a_gap_has_no_data_unless_it_is_down(void **state)
{
	(void)state;
	struct page_snapshot snapshot = loaded();
	struct page_gap gaps[] = {
		{ 30, { { NOON - 600 }, { 0 }, .is_gap = true } },
		{ 99, { { NOON - 7000 }, { 0 }, .is_gap = true } },
		{ 20, { { NOON - 600 }, { 0 }, .is_gap = true } },
		{ 20, { { MIDNIGHT - 7200 }, { MIDNIGHT + 60 }, .is_gap = true } },
		{ 40, { { NOON - 600 }, { 0 }, .is_gap = true } },
	};
	monitors[2].known_since.s = MIDNIGHT - DAY_S;
	snapshot.gaps = gaps;
	snapshot.gap_count = ARRAY_LEN(gaps);
	page_snapshot_derive(&snapshot, &arena);
	const struct page_monitor *shop = &snapshot.monitors[0], *mail = &snapshot.monitors[1];
	assert_int_equal(SYSTEM_MAJOR_OUTAGE, page_monitor_state(shop));
	assert_int_equal(0, shop->days[TODAY].unobserved_s);
	assert_int_equal(SYSTEM_NO_DATA, page_monitor_state(mail));
	assert_int_equal(NOON - 600, mail->unobserved_since.s);
	assert_int_equal(7200, mail->days[TODAY - 1].unobserved_s);
	assert_int_equal(660, mail->days[TODAY].unobserved_s);
	assert_int_equal(43200 - 660, mail->days[TODAY].known_s);
	assert_int_equal(SYSTEM_NO_DATA, page_monitor_state(&snapshot.monitors[2]));
	assert_int_equal(2, snapshot.no_data_count);
	/* The gap is over, and ends in this second. */
	snapshot = loaded();
	monitors[2].known_since.s = MIDNIGHT - DAY_S;
	gaps[0] = (struct page_gap){ 20, { { NOON - 600 }, { NOON }, .is_gap = true } };
	snapshot.gaps = gaps;
	snapshot.gap_count = 1;
	page_snapshot_derive(&snapshot, &arena);
	assert_int_equal(SYSTEM_OPERATIONAL, page_monitor_state(&snapshot.monitors[1]));
	assert_int_equal(600, snapshot.monitors[1].days[TODAY].unobserved_s);
}

/* Not observed, a system keeps its percentage. */
static void a_page_in_a_gap_does_not_go_stale_before_midnight(void **state)
{
	(void)state;
	struct page_gap gap = { 30, { { NOON - 600 }, { 0 }, .is_gap = true } };
	for (size_t gaps = 0; gaps < 2; gaps++) {
		struct page_snapshot snapshot = loaded();
		monitors[0].known_since.s = NOON - 36000;
		outages[0] = outages[4];
		snapshot.outage_count = 1;
		snapshot.incident_count = 0;
		snapshot.gaps = &gap;
		snapshot.gap_count = gaps;
		page_snapshot_derive(&snapshot, &arena);
		int64_t due = page_snapshot_due(&snapshot).s;
		assert_true(gaps > 0 ? due == MIDNIGHT + DAY_S : due < NOON + 3600);
	}
}

static void a_page_with_response_times_is_due_after_each_hour(void **state)
{
	(void)state;
	static const struct {
		int64_t now, due;
	} rows[] = { { NOON, NOON + 30 },
		     { NOON + 29, NOON + 30 },
		     { NOON + 30, NOON + 3630 },
		     { NOON + 3629, NOON + 3630 },
		     /* The hour before midnight is shown half a minute after midnight. */
		     { MIDNIGHT + DAY_S - 1, MIDNIGHT + DAY_S },
		     { MIDNIGHT + DAY_S, MIDNIGHT + DAY_S + 30 } };
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct page_monitor quiet = { .id = 1, .name = "Quiet", .known_since = { 1 } };
		struct page_snapshot snapshot = { .now = { rows[i].now },
						  .monitors = &quiet,
						  .monitor_count = 1,
						  .has_response_times = true };
		page_snapshot_derive(&snapshot, &arena);
		assert_int_equal(rows[i].due, page_snapshot_due(&snapshot).s);
		assert_int_equal((rows[i].now - 30) / 3600 * 3600,
				 page_response_end(snapshot.now).s);
	}
}

static void each_monitor_has_the_days_of_its_own_outages(void **state)
{
	(void)state;
	struct page_snapshot snapshot = loaded();
	page_snapshot_derive(&snapshot, &arena);
	const struct uptime_day *shop = snapshot.monitors[0].days;
	assert_int_equal(3600 + 1800, shop[TODAY].down_s);
	assert_int_equal(DAY_S, shop[TODAY - 1].down_s);
	assert_int_equal(0, shop[TODAY - 2].down_s);
	assert_int_equal(DAY_S, shop[0].known_s);
	/* A record that starts now has today, and one that never started has no day. */
	assert_true(snapshot.monitors[1].days[TODAY].is_known);
	assert_false(snapshot.monitors[1].days[TODAY - 1].is_known);
	assert_int_equal(0, snapshot.monitors[1].days[TODAY].down_s);
	assert_false(snapshot.monitors[2].days[TODAY].is_known);
}

static void a_page_without_monitors_derives_nothing(void **state)
{
	(void)state;
	struct page_snapshot snapshot = { .now = { NOON } };
	page_snapshot_derive(&snapshot, &arena);
	assert_int_equal(0, snapshot.monitor_count);
	assert_int_equal(0, snapshot.down_count);
}

static struct instant moment(const char *text)
{
	struct instant at = { 0 };
	assert_true(instant_parse(str_from(text), &at));
	return at;
}

/* Never more than a day ahead, which is what a wrong clock looks like. */
static void a_page_is_due_at_midnight_in_its_zone(void **state)
{
	(void)state;
	static const struct {
		const char *zone, *now, *due;
	} rows[] = {
		{ "UTC", "2026-11-20T12:00:00Z", "2026-11-21T00:00:00Z" },
		{ "UTC", "2026-11-20T00:00:00Z", "2026-11-21T00:00:00Z" },
		{ "Asia/Kathmandu", "2026-11-20T18:14:59Z", "2026-11-20T18:15:00Z" },
		{ "Asia/Kathmandu", "2026-11-20T18:15:00Z", "2026-11-21T18:15:00Z" },
		{ "America/New_York", "2026-11-20T12:00:00Z", "2026-11-21T05:00:00Z" },
		/* days of 23 and 25 hours */
		{ "Europe/Berlin", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z" },
		{ "Europe/Berlin", "2026-10-24T22:00:00Z", "2026-10-25T22:00:00Z" },
		{ "Europe/Berlin", "2026-10-25T22:00:00Z", "2026-10-25T23:00:00Z" },
		/* clocks that are put forward at midnight, and back at one o'clock to midnight */
		{ "Asia/Beirut", "2025-03-29T12:00:00Z", "2025-03-29T22:00:00Z" },
		{ "America/Havana", "2025-11-02T04:30:00Z", "2025-11-03T04:30:00Z" },
		{ "Europe/Atlantis", "2026-11-20T12:00:00Z", "2026-11-21T00:00:00Z" },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct page_snapshot snapshot = { .page = { .time_zone = rows[i].zone },
						  .now = moment(rows[i].now) };
		page_snapshot_derive(&snapshot, &arena);
		if (page_snapshot_due(&snapshot).s != moment(rows[i].due).s)
			fail_msg("row %zu", i);
	}
}

/* At least 15 s apart; a page of many systems less often. */
static void a_page_is_due_when_a_figure_that_it_shows_changes(void **state)
{
	(void)state;
	static const struct {
		int64_t known_s, from_s, to_s; /* of the outage; to_s -1: it goes on */
		size_t count;
		int64_t due_s;
	} rows[] = {
		{ 60, 1, -1, 1, 15 },
		{ 60, 1, -1, 99, 15 },
		{ 60, 1, -1, 1000, 165 },
		/* 1,000 of 7,732,800 s down: 99.98 %, and 99.97 % after 547 s */
		{ 100 * DAY_S, 1000, -1, 1, 547 },
		{ 100 * DAY_S, 1000, 0, 1, 43200 },
		/* in an hour 600 s down, and up again: 83.33 %, and 83.34 % after 2 s */
		{ 3600, 900, 300, 1, 15 },
		/* in two days 600 s down: 99.65 %, and 99.66 % after 3,671 s */
		{ 2 * DAY_S, 900, 300, 1, 3671 },
		{ 60, -1, 0, 1, 43200 },
	};
	struct page_monitor *many = ARENA_ARRAY(&arena, 1000, struct page_monitor);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct page_outage outage = { .monitor_id = 1,
					      .interval = { .from = { NOON - rows[i].from_s },
							    .to = { NOON - rows[i].to_s },
							    .impact = INCIDENT_MAJOR_OUTAGE } };
		if (rows[i].to_s < 0)
			outage.interval.to.s = 0;
		for (size_t j = 0; j < rows[i].count; j++)
			many[j] =
				(struct page_monitor){ .id = (int64_t)j + 1,
						       .name = "",
						       .known_since = { NOON - rows[i].known_s } };
		struct page_snapshot snapshot = { .now = { NOON },
						  .monitors = many,
						  .monitor_count = rows[i].count,
						  .outages = &outage,
						  .outage_count = rows[i].from_s >= 0 };
		page_snapshot_derive(&snapshot, &arena);
		if (page_snapshot_due(&snapshot).s != NOON + rows[i].due_s)
			fail_msg("row %zu: %lld s", i,
				 (long long)(page_snapshot_due(&snapshot).s - NOON));
	}
}

/* One second of an outage before midnight in Kathmandu is of that day there, and of the next in no
 * zone. */
static void the_days_of_a_monitor_are_those_of_the_page(void **state)
{
	(void)state;
	static const struct {
		const char *zone;
		size_t day;
	} rows[] = { { "Asia/Kathmandu", TODAY - 1 },
		     { "UTC", TODAY - 1 },
		     { "Etc/GMT-6", TODAY } };
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct page_snapshot snapshot = loaded();
		struct page_outage second = { .monitor_id = 30,
					      .interval = { .from = moment("2026-11-19T18:14:59Z"),
							    .to = moment("2026-11-19T18:15:00Z"),
							    .impact = INCIDENT_MAJOR_OUTAGE } };
		snapshot.page.time_zone = rows[i].zone;
		snapshot.outages = &second;
		snapshot.outage_count = 1;
		snapshot.incident_count = 0;
		page_snapshot_derive(&snapshot, &arena);
		const struct uptime_day *days = snapshot.monitors[0].days;
		for (size_t day = 0; day < UPTIME_DAYS; day++)
			assert_int_equal(days[day].down_s, day == rows[i].day);
	}
}

static void a_reported_incident_gives_each_monitor_its_impact(void **state)
{
	(void)state;
	struct page_snapshot snapshot = loaded();
	static struct incident_monitor covered[] = {
		{ .id = 40, .impact = INCIDENT_DEGRADED_PERFORMANCE },
		{ .id = 20, .impact = INCIDENT_PARTIAL_OUTAGE },
		{ .id = 30, .impact = INCIDENT_IMPACT_NONE },
	};
	/* In place of the open incident of the retired monitor. */
	recent[1] = (struct page_incident){ .row = { .id = 9,
						     .kind = INCIDENT_REPORTED,
						     .monitor_id = 40,
						     .monitors = covered,
						     .monitor_count = ARRAY_LEN(covered),
						     .started_at = { NOON - 60 },
						     .next_update_at = { NOON + 30 } } };
	page_snapshot_derive(&snapshot, &arena);
	const struct page_monitor *shop = &snapshot.monitors[0], *mail = &snapshot.monitors[1],
				  *fresh = &snapshot.monitors[2];
	assert_int_equal(SYSTEM_MAJOR_OUTAGE, page_monitor_state(shop));
	assert_int_equal(SYSTEM_PARTIAL_OUTAGE, page_monitor_state(mail));
	assert_int_equal(SYSTEM_DEGRADED_PERFORMANCE, page_monitor_state(fresh));
	assert_int_equal(7, shop->open->id);
	assert_int_equal(9, mail->open->id);
	assert_int_equal(3, snapshot.down_count);
	assert_string_equal("New", snapshot.incidents[0].row.monitors[0].name);
	assert_int_equal(INCIDENT_PARTIAL_OUTAGE, snapshot.incidents[0].row.impact);
	/* Shop's own incident is shown inside. */
	assert_ptr_equal(&snapshot.incidents[0], snapshot.incidents[1].inside);
	assert_int_equal(NOON + 30, page_snapshot_due(&snapshot).s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_page_is_due_at_midnight_in_its_zone),
		cmocka_unit_test(a_page_is_due_when_a_figure_that_it_shows_changes),
		cmocka_unit_test(the_days_of_a_monitor_are_those_of_the_page),
		cmocka_unit_test(retired_monitors_leave_and_their_incidents_stay),
		cmocka_unit_test(incidents_are_newest_first_with_the_names_of_their_monitors),
		cmocka_unit_test(what_is_open_is_among_the_newest),
		cmocka_unit_test(a_system_is_down_while_its_incident_is_open),
		cmocka_unit_test(a_system_in_a_gap_has_no_data_unless_it_is_down),
		cmocka_unit_test(a_page_in_a_gap_does_not_go_stale_before_midnight),
		cmocka_unit_test(a_page_with_response_times_is_due_after_each_hour),
		cmocka_unit_test(each_monitor_has_the_days_of_its_own_outages),
		cmocka_unit_test(a_page_without_monitors_derives_nothing),
		cmocka_unit_test(a_reported_incident_gives_each_monitor_its_impact),
	};
	return RUN_WITH_ARENA(tests);
}
