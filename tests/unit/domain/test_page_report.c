/* The figures of a month: its bounds in a zone, and the time that does not count. */
#include "unit/lib/unit.h"

#include "domain/page/page_maintenance.h"
#include "domain/page/page_report.h"

enum { HOUR = 3600 };

static struct instant at(int year, int month, int day, int hour)
{
	return instant_of(
		&(struct instant_parts){ .year = year, .month = month, .day = day, .hour = hour });
}

/* A page with a group of two systems and one apart, whose record begins on 10 August. */
static struct page_snapshot page_in(const char *zone, struct instant now)
{
	struct page_snapshot page = { .now = now, .monitor_count = 3 };
	page.page.time_zone = zone;
	page.monitors = ARENA_ARRAY(&arena, 3, struct page_monitor);
	for (int i = 0; i < 3; i++)
		page.monitors[i] = (struct page_monitor){ .id = 11 + i,
							  .name = i == 0   ? "A"
								  : i == 1 ? "B"
									   : "C",
							  .group = i == 1 ? NULL : "G",
							  .known_since = at(2026, 8, 10, 0) };
	page.outages = ARENA_ARRAY(&arena, 16, struct page_outage);
	page.gaps = ARENA_ARRAY(&arena, 4, struct page_gap);
	page_snapshot_set_calendar(&page);
	page_report_find_months(&page, &arena);
	return page;
}

static struct page_outage *add_outage(struct page_snapshot *page, int64_t monitor,
				      struct instant from, struct instant to)
{
	struct page_outage *outage = &page->outages[page->outage_count++];
	*outage = (struct page_outage){
		.monitor_id = monitor,
		.interval = { .from = from, .to = to, .impact = INCIDENT_MAJOR_OUTAGE },
		.began_at = from,
		.ended_at = to,
		.incident_id = (int64_t)page->outage_count,
	};
	return outage;
}

static struct page_report report_of(struct page_snapshot *page, const char *name)
{
	struct page_report report;
	const struct page_report_month *month = page_report_month_of(page, name);
	assert_non_null(month);
	page_report_make(&report, page, month, &arena);
	return report;
}

static void a_month_begins_and_ends_at_midnight_of_the_zone(void **state)
{
	(void)state;
	static const struct {
		const char *zone, *month;
		int hours;
	} rows[] = {
		{ "UTC", "2026-10", 744 },
		{ "Europe/Berlin", "2026-10", 745 },
		{ "Europe/Berlin", "2027-03", 743 },
		{ "America/New_York", "2026-11", 721 },
		{ "America/New_York", "2027-03", 743 },
		{ "UTC", "2027-02", 672 },
		{ "UTC", "2028-02", 696 },
		{ "Asia/Kathmandu", "2026-10", 744 },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct page_snapshot page = page_in(rows[i].zone, at(2028, 6, 1, 0));
		struct page_report report = report_of(&page, rows[i].month);
		assert_int_equal(report.month.to.s - report.month.from.s, rows[i].hours * HOUR);
		assert_int_equal(report.systems[0].known_s, rows[i].hours * HOUR);
		assert_int_equal(report.systems[0].uptime.hundredths, 10000);
		assert_true(report.is_complete);
	}
}

static void reports_begin_with_the_record_and_end_with_the_present_month(void **state)
{
	(void)state;
	struct page_snapshot page = page_in("UTC", at(2026, 11, 1, 0));
	assert_int_equal(page.report_count, 4);
	assert_string_equal(page.reports[0].name, "2026-11");
	assert_string_equal(page.reports[3].name, "2026-08");
	assert_null(page_report_month_of(&page, "2026-07"));
	assert_null(page_report_month_of(&page, "2026-12"));
	assert_null(page_report_month_of(&page, "9999-12"));
	assert_null(page_report_month_of(&page, "0001-01"));
	assert_null(page_report_month_of(&page, "2026-8"));
	/* West of Greenwich it is still October. */
	page = page_in("America/New_York", at(2026, 11, 1, 0));
	assert_string_equal(page.reports[0].name, "2026-10");
	page = page_in("UTC", at(2046, 11, 1, 0));
	assert_int_equal(page.report_count, PAGE_REPORTS_MAX);
	for (int i = 0; i < 3; i++)
		page.monitors[i].known_since.s = 0;
	page_report_find_months(&page, &arena);
	assert_int_equal(page.report_count, 0);
}

static void a_record_that_begins_in_the_month_counts_from_there(void **state)
{
	(void)state;
	struct page_snapshot page = page_in("UTC", at(2026, 11, 2, 12));
	page.monitors[1].known_since = at(2026, 10, 5, 6);
	struct page_report report = report_of(&page, "2026-08");
	assert_int_equal(report.systems[0].known_since.s, at(2026, 8, 10, 0).s);
	assert_int_equal(report.systems[0].known_s, 22 * 24 * HOUR);
	assert_false(report.systems[2].uptime.is_known);
	assert_int_equal(report.systems[2].known_s, 0);
	report = report_of(&page, "2026-10");
	assert_int_equal(report.systems[2].known_s, (26 * 24 + 18) * HOUR);
	/* The present month lasts until now. */
	report = report_of(&page, "2026-11");
	assert_false(report.is_complete);
	assert_int_equal(report.systems[2].known_s, 36 * HOUR);
	assert_int_equal(report.systems[2].known_since.s, 0);
}

static void the_times_of_a_month_add_up(void **state)
{
	(void)state;
	struct page_snapshot page = page_in("UTC", at(2026, 11, 20, 0));
	/* One outage of two incidents, of which the first began in September. */
	add_outage(&page, 11, at(2026, 9, 30, 22), at(2026, 10, 1, 2));
	add_outage(&page, 11, at(2026, 10, 1, 1), at(2026, 10, 1, 3));
	/* An outage that goes on. */
	add_outage(&page, 11, at(2026, 10, 31, 23), (struct instant){ 0 });
	add_outage(&page, 13, at(2026, 10, 4, 0), at(2026, 10, 4, 5))->interval.is_excluded = true;
	add_outage(&page, 13, at(2026, 10, 6, 0), at(2026, 10, 6, 1))->interval.impact =
		INCIDENT_PARTIAL_OUTAGE;
	page.gaps[page.gap_count++] = (struct page_gap){
		12, { .from = at(2026, 10, 31, 20), .to = at(2026, 11, 1, 4), .is_gap = true }
	};
	struct page_report report = report_of(&page, "2026-10");
	const struct page_report_figures *a = &report.systems[0], *c = &report.systems[1],
					 *b = &report.systems[2], *group = &report.groups[0];
	assert_string_equal(c->name, "C");
	assert_int_equal(a->down_s, 4 * HOUR);
	assert_int_equal(a->outage_count, 2);
	assert_int_equal(a->uptime.hundredths, 740 * 10000 / 744);
	assert_int_equal(b->unobserved_s, 4 * HOUR);
	assert_int_equal(b->known_s, 740 * HOUR);
	assert_int_equal(b->uptime.hundredths, 10000);
	assert_int_equal(c->excluded_s, 5 * HOUR);
	assert_int_equal(c->degraded_s, HOUR);
	assert_int_equal(c->down_s, 0);
	assert_int_equal(c->outage_count, 0);
	assert_int_equal(report.group_count, 1);
	assert_int_equal(group->uptime.hundredths, a->uptime.hundredths);
	assert_int_equal(group->known_s, 2 * 744 * HOUR);
	assert_int_equal(group->excluded_s, 5 * HOUR);
	assert_int_equal(report.incident_count, 5);
	/* Newest first; the end of an open incident is unknown in its past months, too. */
	assert_int_equal(report.incidents[0].row.ended_at.s, 0);
	assert_true(report.incidents[2].row.exclude_from_uptime);
	/* A second of downtime shows. */
	page.outage_count = 0;
	add_outage(&page, 12, at(2026, 10, 2, 0), (struct instant){ at(2026, 10, 2, 0).s + 1 });
	report = report_of(&page, "2026-10");
	assert_int_equal(report.systems[2].uptime.hundredths, 9999);
	report = report_of(&page, "2026-09");
	assert_int_equal(report.incident_count, 0);
	assert_int_equal(report.systems[2].outage_count, 0);
}

static void maintenance_excuses_outages_that_begin_in_it(void **state)
{
	(void)state;
	struct page_snapshot page = page_in("UTC", at(2026, 11, 20, 0));
	static struct page_window_monitor pairs[] = { { 11, 7 }, { 12, 7 }, { 99, 8 } };
	struct page_window rows[] = {
		{ .id = 1,
		  .maintenance_id = 7,
		  .title = "Move",
		  .interval = { .from = at(2026, 10, 1, 0), .to = at(2026, 10, 1, 4) },
		  .ends_at = at(2026, 10, 1, 4) },
		{ .id = 2,
		  .maintenance_id = 8,
		  .title = "Of another page",
		  .interval = { .from = at(2026, 10, 2, 0), .to = at(2026, 10, 2, 4) } },
	};
	page.windows = (struct page_windows){ rows, 2, pairs, 3 };
	add_outage(&page, 11, at(2026, 10, 1, 1), at(2026, 10, 1, 2));
	add_outage(&page, 12, at(2026, 10, 1, 3), at(2026, 10, 1, 5));
	add_outage(&page, 13, at(2026, 10, 1, 1), at(2026, 10, 1, 2));
	page_maintenance_excuse_outages(&page);
	struct page_report report = report_of(&page, "2026-10");
	assert_int_equal(report.systems[0].maintenance_s, HOUR);
	assert_int_equal(report.systems[0].down_s, 0);
	assert_int_equal(report.systems[2].maintenance_s, HOUR);
	assert_int_equal(report.systems[2].down_s, HOUR);
	assert_int_equal(report.systems[1].maintenance_s, 0);
	assert_int_equal(report.systems[1].down_s, HOUR);
	assert_int_equal(report.incident_count, 2);
	assert_int_equal(report.maintenance_count, 1);
	assert_string_equal(report.maintenances[0].title, "Move");
	assert_int_equal(report.maintenances[0].monitor_count, 2);
	assert_int_equal(report.maintenances[0].status, PHASE_COMPLETED);
}

static void a_report_has_only_the_systems_of_the_page(void **state)
{
	(void)state;
	struct page_snapshot page = page_in("UTC", at(2026, 11, 20, 0));
	add_outage(&page, 77, at(2026, 10, 1, 1), at(2026, 10, 1, 2));
	struct page_report report = report_of(&page, "2026-10");
	assert_int_equal(report.system_count, 3);
	assert_int_equal(report.incident_count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_month_begins_and_ends_at_midnight_of_the_zone),
		cmocka_unit_test(reports_begin_with_the_record_and_end_with_the_present_month),
		cmocka_unit_test(a_record_that_begins_in_the_month_counts_from_there),
		cmocka_unit_test(the_times_of_a_month_add_up),
		cmocka_unit_test(maintenance_excuses_outages_that_begin_in_it),
		cmocka_unit_test(a_report_has_only_the_systems_of_the_page),
	};
	return RUN_WITH_ARENA(tests);
}
