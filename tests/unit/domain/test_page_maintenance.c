/* Which outages are maintenance, and in which order a page has its windows. */
#include "unit/lib/unit.h"

#include <limits.h>

#include "domain/maintenance/maintenance.h"
#include "domain/page/page_maintenance.h"

/* Noon of 2026-11-20. */
#define NOON INT64_C(1795176000)
#define AT(minutes) \
	{ \
		NOON + (minutes)*60 \
	}

/* Monitor 1 is in the windows 10 and 11, monitor 2 in 11, monitor 3 in none. */
static struct page_window windows[] = {
	{ 10, { AT(-300), AT(-240) } }, { 10, { AT(-120), AT(-60) } }, { 10, { AT(-10), AT(30) } },
	{ 11, { AT(-60), AT(-50) } },	{ 12, { AT(-400), { 0 } } },
};
static struct page_window_monitor pairs[] = { { 1, 10 }, { 1, 11 }, { 2, 11 }, { 4, 12 } };

static struct page_snapshot snapshot_of(void)
{
	struct page_snapshot snapshot = {
		.now = { NOON }, .windows = { windows, ARRAY_LEN(windows), pairs, ARRAY_LEN(pairs) }
	};
	page_snapshot_set_calendar(&snapshot);
	return snapshot;
}

static void an_outage_is_excused_until_its_window_ends(void **state)
{
	(void)state;
	static const struct {
		int64_t monitor;
		int at;
		int until; /* 0: not excused */
	} rows[] = {
		{ 1, -301, 0 },
		{ 1, -300, -240 },
		{ 1, -241, -240 },
		{ 1, -240, 0 },
		/* The next window begins when the first ends. */
		{ 1, -120, -50 },
		{ 1, -61, -50 },
		{ 1, -50, 0 },
		{ 1, -10, 30 },
		{ 1, 0, 30 },
		{ 2, -120, 0 },
		{ 2, -55, -50 },
		{ 3, -100, 0 },
		{ 9, -100, 0 },
	};
	struct page_snapshot snapshot = snapshot_of();
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct instant at = AT(rows[i].at);
		struct instant until =
			page_maintenance_excuse(&snapshot.windows, rows[i].monitor, at);
		int64_t wanted = rows[i].until == 0 ? 0 : NOON + rows[i].until * 60;
		if (until.s != wanted)
			fail_msg("monitor %d at %d", (int)rows[i].monitor, rows[i].at);
	}
	/* Nobody knows yet when this window ends. */
	const struct instant before = AT(-399);
	assert_int_equal(page_maintenance_excuse(&snapshot.windows, 4, before).s,
			 maintenance_never.s);
}

static void outages_lose_the_time_of_their_windows(void **state)
{
	(void)state;
	static const struct {
		int64_t monitor;
		int from, to;	    /* to 0: open */
		int counted, until; /* counted 1: not at all */
	} rows[] = {
		{ 1, -290, -250, 1, 0 },			   /* within the window */
		{ 1, -290, -240, 1, 0 },			   /* up to its last second */
		{ 1, -290, -200, -240, -200 },			   /* an outage from the end on */
		{ 1, -310, -250, -310, -250 },			   /* it had begun before */
		{ 1, -310, -200, -310, -200 }, { 1, -5, 0, 1, 0 }, /* the window lasts */
		{ 1, -290, 0, -240, 0 },			   /* it lasts still */
		{ 3, -290, -250, -290, -250 },			   /* another monitor */
		{ 4, -200, 0, 1, 0 },				   /* a window without an end */
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct page_snapshot snapshot = snapshot_of();
		struct page_outage outage = { rows[i].monitor, { AT(rows[i].from), { 0 } } };
		if (rows[i].to != 0)
			outage.interval.to.s = NOON + rows[i].to * 60;
		snapshot.outages = &outage;
		snapshot.outage_count = 1;
		page_maintenance_derive(&snapshot);
		if (snapshot.outage_count != (rows[i].counted == 1 ? 0u : 1u))
			fail_msg("row %zu: %zu outages", i, snapshot.outage_count);
		if (snapshot.outage_count == 0)
			continue;
		assert_int_equal(outage.interval.from.s, NOON + rows[i].counted * 60);
		assert_int_equal(outage.interval.to.s,
				 rows[i].until == 0 ? 0 : NOON + rows[i].until * 60);
	}
}

static void what_people_report_is_an_outage(void **state)
{
	(void)state;
	struct page_outage outage = { 1, { .from = AT(-290), .to = AT(-250) }, true };
	struct page_snapshot snapshot = snapshot_of();
	snapshot.outages = &outage;
	snapshot.outage_count = 1;
	page_maintenance_derive(&snapshot);
	assert_int_equal(snapshot.outage_count, 1);
	assert_int_equal(outage.interval.from.s, NOON - 290 * 60);
}

static void at_the_second_of_the_end_an_outage_begins(void **state)
{
	(void)state;
	struct page_window window = { 10, { AT(-60), AT(0) } };
	struct page_outage outage = { 1, { AT(-30), { 0 } } };
	struct page_incident incident = {
		.row = { .id = 1, .monitor_id = 1, .started_at = AT(-30) }
	};
	struct page_snapshot snapshot = snapshot_of();
	snapshot.windows.rows = &window;
	snapshot.windows.count = 1;
	snapshot.outages = &outage;
	snapshot.outage_count = 1;
	snapshot.incidents = &incident;
	snapshot.incident_count = 1;
	page_maintenance_derive(&snapshot);
	assert_int_equal(snapshot.outage_count, 1);
	assert_int_equal(outage.interval.from.s, NOON);
	assert_int_equal(snapshot.incident_count, 1);
}

static void an_incident_that_outlives_its_window_begins_at_its_end(void **state)
{
	(void)state;
	/* The windows end at -50, and one goes on. */
	struct page_incident rows[] = {
		{ .row = { .id = 1, .monitor_id = 1, .started_at = AT(-130) } },
		{ .row = { .id = 2,
			   .monitor_id = 1,
			   .started_at = AT(-119),
			   .acknowledged_at = AT(-90),
			   .updated_at = AT(-90),
			   .ended_at = AT(-40) } },
		{ .row = { .id = 3,
			   .monitor_id = 1,
			   .started_at = AT(-55),
			   .acknowledged_at = AT(-45),
			   .updated_at = AT(-45) } },
		{ .row = { .id = 4,
			   .monitor_id = 1,
			   .started_at = AT(-55),
			   .kind = INCIDENT_REPORTED } },
	};
	static const int starts[] = { -130, -50, -50, -55 }, acknowledged[] = { 0, -50, -45, 0 };
	struct page_snapshot snapshot = snapshot_of();
	struct page_incident newest[ARRAY_LEN(rows)];
	memcpy(newest, rows, sizeof(newest));
	snapshot.incidents = rows;
	snapshot.newest = newest;
	snapshot.incident_count = snapshot.newest_count = ARRAY_LEN(rows);
	page_maintenance_derive(&snapshot);
	assert_int_equal(snapshot.incident_count, ARRAY_LEN(rows));
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		assert_int_equal(rows[i].row.started_at.s, NOON + starts[i] * 60);
		assert_int_equal(newest[i].row.started_at.s, NOON + starts[i] * 60);
		if (acknowledged[i] != 0) {
			assert_int_equal(rows[i].row.acknowledged_at.s,
					 NOON + acknowledged[i] * 60);
			assert_int_equal(rows[i].row.updated_at.s, NOON + acknowledged[i] * 60);
		}
	}
}

static void a_month_has_what_outlives_its_window_where_it_counts(void **state)
{
	(void)state;
	/* A window over the end of the month of October, and one within November. */
	const struct instant november = { INT64_C(1793491200) };
	struct page_window shown[] = {
		{ 10, { { november.s - 3600 }, { november.s + 3600 } } },
		{ 10, { { november.s + 7 * DAY_S }, { november.s + 8 * DAY_S } } },
	};
	struct page_window_monitor pair = { 1, 10 };
	const struct page_windows all = { shown, 2, &pair, 1 };
	struct incident_monitor monitor = { .id = 1 };
	struct page_maintenance window = { .id = 1,
					   .window_id = 10,
					   .status = PHASE_COMPLETED,
					   .starts_at = shown[0].interval.from,
					   .ends_at = shown[0].interval.to,
					   .monitors = &monitor,
					   .monitor_count = 1 };
	struct page_incident october[] = { { .row = { .id = 1,
						      .monitor_id = 1,
						      .started_at = { november.s - 60 },
						      .ended_at = { november.s + 7200 } } } };
	struct page_incident later[] = {
		{ .row = { .id = 4,
			   .monitor_id = 2,
			   .started_at = { november.s + 7 * DAY_S + 9 } } },
		{ .row = { .id = 3,
			   .monitor_id = 1,
			   .started_at = { november.s + 7 * DAY_S + 5 } } },
		{ .row = { .id = 2,
			   .monitor_id = 1,
			   .started_at = { november.s + 2 * DAY_S },
			   .ended_at = { november.s + 3 * DAY_S } } },
	};
	struct page_month months[] = {
		{ .start = { november.s - 31 * DAY_S },
		  .incidents = october,
		  .incident_count = 1,
		  .maintenances = &window,
		  .maintenance_count = 1 },
		{ .start = november, .incidents = later, .incident_count = 3 },
	};
	for (size_t i = 0; i < 2; i++)
		page_month_derive(&months[i], &all, (struct instant){ NOON }, &arena);
	/* It counts in November alone: October has it inside its window. */
	assert_ptr_equal(october[0].during, &window);
	assert_int_equal(october[0].row.started_at.s, november.s + 3600);
	/* The newest is first, by the start that is shown. */
	assert_int_equal(later[0].row.id, 3);
	assert_int_equal(later[0].row.started_at.s, november.s + 8 * DAY_S);
	assert_int_equal(later[1].row.id, 4);
	assert_int_equal(later[2].row.started_at.s, november.s + 2 * DAY_S);
	assert_null(later[0].during);
}

static void an_incident_within_windows_is_no_news(void **state)
{
	(void)state;
	struct page_incident rows[] = {
		{ .row = { .id = 1, .monitor_id = 1, .started_at = AT(-5) } },
		{ .row = { .id = 2, .monitor_id = 1, .started_at = AT(-11) } },
		{ .row = { .id = 3, .monitor_id = 2, .started_at = AT(-5) } },
		{ .row = { .id = 4, .monitor_id = 1, .started_at = AT(-9), .ended_at = AT(-1) } },
		{ .row = { .id = 5,
			   .monitor_id = 1,
			   .started_at = AT(-5),
			   .kind = INCIDENT_REPORTED } },
		{ .row = { .id = 6, .monitor_id = 1, .started_at = AT(-12), .ended_at = AT(-1) } },
	};
	struct page_snapshot snapshot = snapshot_of();
	snapshot.incidents = rows;
	snapshot.incident_count = ARRAY_LEN(rows);
	page_maintenance_derive(&snapshot);
	assert_int_equal(snapshot.incident_count, 4);
	assert_int_equal(rows[0].row.id, 2);
	assert_int_equal(rows[1].row.id, 3);
	/* What people report is not taken back by the clock. */
	assert_int_equal(rows[2].row.id, 5);
	assert_int_equal(rows[3].row.id, 6);
}

/* Of the window `id`, with `id` as its occurrence. */
static struct page_maintenance row_of(int64_t id, int phase, int64_t from, int64_t to)
{
	return (struct page_maintenance){ .id = id,
					  .window_id = id,
					  .title = "t",
					  .status = phase,
					  .starts_at = AT(from),
					  .ends_at = AT(to),
					  .updated_at = AT(-100000),
					  .is_auto = true };
}

static void windows_are_in_order_with_the_status_of_the_clock(void **state)
{
	(void)state;
	struct page_maintenance rows[] = {
		row_of(1, PHASE_COMPLETED, -600, -500), row_of(2, PHASE_SCHEDULED, 600, 700),
		row_of(3, PHASE_SCHEDULED, 60, 70),	row_of(10, PHASE_SCHEDULED, -10, 30),
		row_of(4, PHASE_IN_PROGRESS, -300, 0),	row_of(5, PHASE_CANCELLED, 100, 200),
		row_of(6, PHASE_SCHEDULED, 0, 10),	row_of(7, PHASE_SCHEDULED, -20, 5),
		row_of(8, PHASE_CANCELLED, 80, 90),
	};
	static const struct {
		int64_t id;
		int status;
	} wanted[] = { { 10, PHASE_IN_PROGRESS }, { 6, PHASE_IN_PROGRESS }, { 7, PHASE_SCHEDULED },
		       { 3, PHASE_SCHEDULED },	  { 2, PHASE_SCHEDULED },   { 5, PHASE_CANCELLED },
		       { 4, PHASE_COMPLETED },	  { 1, PHASE_COMPLETED } };
	struct page_monitor monitors[] = { { .id = 1 }, { .id = 2 }, { .id = 3 } };
	struct page_snapshot snapshot = snapshot_of();
	rows[5].updated_at.s = NOON - 60; /* cancelled a minute ago */
	rows[7].is_auto = false;	  /* nobody has started it */
	rows[8].is_withdrawn = true;
	snapshot.maintenances = rows;
	snapshot.maintenance_count = ARRAY_LEN(rows);
	snapshot.monitors = monitors;
	snapshot.monitor_count = ARRAY_LEN(monitors);
	page_maintenance_derive(&snapshot);
	assert_int_equal(snapshot.maintenance_count, ARRAY_LEN(wanted));
	for (size_t i = 0; i < ARRAY_LEN(wanted); i++) {
		assert_int_equal(snapshot.maintenances[i].id, wanted[i].id);
		assert_int_equal(snapshot.maintenances[i].status, wanted[i].status);
	}
	assert_int_equal(snapshot.withdrawn_count, 1);
	assert_int_equal(snapshot.withdrawn[0].id, 8);
	assert_int_equal(snapshot.maintenances[0].updated_at.s, NOON - 600);
	assert_int_equal(snapshot.maintenances[6].updated_at.s, NOON);
	assert_ptr_equal(monitors[0].maintenance, &snapshot.maintenances[0]);
	assert_null(monitors[1].maintenance);
	assert_int_equal(page_monitor_state(&monitors[0]), SYSTEM_UNDER_MAINTENANCE);
	/* Window 6 ends first; nobody knows when window 7 begins. */
	assert_int_equal(page_maintenance_due(&snapshot).s, NOON + 600);
	assert_int_equal(page_snapshot_due(&snapshot).s, NOON + 600);
}

static void what_is_long_over_is_for_calendars_alone(void **state)
{
	(void)state;
	struct page_maintenance rows[] = {
		row_of(1, PHASE_COMPLETED, -20 * 1440, -20 * 1440 + 60),
		row_of(2, PHASE_CANCELLED, -60, -30),
	};
	struct page_snapshot snapshot = snapshot_of();
	snapshot.maintenances = rows;
	snapshot.maintenance_count = 2;
	rows[1].updated_at.s = NOON - 20 * 86400;
	page_snapshot_set_calendar(&snapshot);
	page_maintenance_derive(&snapshot);
	assert_int_equal(snapshot.maintenance_count, 0);
	assert_int_equal(snapshot.withdrawn_count, 2);
	assert_int_equal(page_maintenance_due(&snapshot).s, 0);
}

/* A page shows all of a window from 24 hours before it on. */
static void a_window_becomes_soon_by_the_clock(void **state)
{
	(void)state;
	struct page_maintenance rows[] = {
		row_of(1, PHASE_SCHEDULED, 1441, 1500),
		row_of(2, PHASE_SCHEDULED, 1440, 1500),
		row_of(3, PHASE_CANCELLED, 1450, 1500),
	};
	struct page_snapshot snapshot = snapshot_of();
	snapshot.maintenances = rows;
	snapshot.maintenance_count = ARRAY_LEN(rows);
	rows[0].is_auto = false;
	rows[2].updated_at.s = NOON - 60;
	page_snapshot_set_calendar(&snapshot);
	page_maintenance_derive(&snapshot);
	const struct page_maintenance *soon = &snapshot.maintenances[0],
				      *later = &snapshot.maintenances[1];
	assert_int_equal(soon->id, 2);
	assert_true(page_maintenance_is_soon(soon, snapshot.now));
	assert_false(page_maintenance_is_soon(later, snapshot.now));
	assert_int_equal(page_maintenance_due(&snapshot).s, NOON + 60);
	snapshot.now.s = NOON + 60;
	assert_true(page_maintenance_is_soon(later, snapshot.now));
	/* The cancelled window. */
	assert_int_equal(page_maintenance_due(&snapshot).s, NOON + 600);
}

static void an_outage_is_worse_than_maintenance(void **state)
{
	(void)state;
	const struct page_maintenance window = { .id = 1 };
	const struct incident open = { .id = 1 };
	struct page_monitor monitor = { .maintenance = &window };
	assert_int_equal(page_monitor_state(&monitor), SYSTEM_UNDER_MAINTENANCE);
	monitor.open = &open;
	monitor.impact = INCIDENT_MAJOR_OUTAGE;
	assert_int_equal(page_monitor_state(&monitor), SYSTEM_MAJOR_OUTAGE);
}

static void a_system_has_the_time_of_its_newest_begin_or_end(void **state)
{
	(void)state;
	static const struct {
		int64_t monitor;
		int noted; /* by the worker; INT_MIN: nothing */
		int wanted;
	} rows[] = {
		{ 1, INT_MIN, -10 }, { 2, INT_MIN, -50 },  { 4, INT_MIN, -400 },
		{ 1, -5, -5 },	     { 1, -5000, -10 },	   { 3, -5000, -5000 },
		{ 2, -50, -50 },     { 4, -500000, -400 },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct page_monitor monitor = { .id = rows[i].monitor };
		struct page_snapshot snapshot = snapshot_of();
		if (rows[i].noted != INT_MIN)
			monitor.maintained_at = (struct instant)AT(rows[i].noted);
		snapshot.monitors = &monitor;
		snapshot.monitor_count = 1;
		page_maintenance_derive(&snapshot);
		assert_int_equal(monitor.maintained_at.s, NOON + rows[i].wanted * 60);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_system_has_the_time_of_its_newest_begin_or_end),
		cmocka_unit_test(an_outage_is_excused_until_its_window_ends),
		cmocka_unit_test(outages_lose_the_time_of_their_windows),
		cmocka_unit_test(what_people_report_is_an_outage),
		cmocka_unit_test(at_the_second_of_the_end_an_outage_begins),
		cmocka_unit_test(an_incident_that_outlives_its_window_begins_at_its_end),
		cmocka_unit_test(a_month_has_what_outlives_its_window_where_it_counts),
		cmocka_unit_test(an_incident_within_windows_is_no_news),
		cmocka_unit_test(windows_are_in_order_with_the_status_of_the_clock),
		cmocka_unit_test(what_is_long_over_is_for_calendars_alone),
		cmocka_unit_test(a_window_becomes_soon_by_the_clock),
		cmocka_unit_test(an_outage_is_worse_than_maintenance),
	};
	return RUN_WITH_ARENA(tests);
}
