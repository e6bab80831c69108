/* What the sample pages say and show. */
#include "unit/lib/unit.h"

#include <math.h>
#include <stdlib.h>

#include "unit/view/samples.h"
#include "view/page.h"
#include "view/words/page_words.h"
#include "wire/gzip.h"

static struct buf out = BUF_INIT(PAGE_FILE_MAX_BYTES);

static struct page_snapshot sample_named(const char *name)
{
	for (size_t i = 0; i < sample_count; i++)
		if (strcmp(samples[i].name, name) == 0)
			return samples[i].make(&arena);
	fail_msg("no sample %s", name);
	return (struct page_snapshot){ 0 };
}

static const char *html_of(const char *name)
{
	struct page_snapshot snapshot = sample_named(name);
	buf_clear(&out);
	page_html(&out, &snapshot, &arena);
	assert_true(buf_ok(&out));
	return out.data;
}

static size_t count_of(const char *text)
{
	size_t count = 0;
	for (const char *at = out.data; (at = strstr(at, text)); at++)
		count++;
	return count;
}

/* The relative luminance of the colour "#rrggbb" or "#rgb" (WCAG 2.2). */
static double luminance(const char *colour)
{
	static const double shares[] = { 0.2126, 0.7152, 0.0722 };
	unsigned long number = strtoul(colour + 1, NULL, 16);
	double sum = 0;
	for (int i = 0; i < 3; i++) {
		unsigned long byte = strspn(colour + 1, "0123456789abcdef") == 3
					     ? (number >> (8 - 4 * i) & 15) * 17
					     : number >> (16 - 8 * i) & 255;
		double part = (double)byte / 255;
		sum += shares[i] *
		       (part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4));
	}
	return sum;
}

static double contrast(const char *a, const char *b)
{
	double x = luminance(a), y = luminance(b);
	return x > y ? (x + 0.05) / (y + 0.05) : (y + 0.05) / (x + 0.05);
}

/* The value of the name in the rule of :root. */
static const char *value_in(const char *rule, const char *name)
{
	const char *at = strstr(rule, arena_printf(&arena, "%s:#", name));
	assert_non_null(at);
	assert_true(at < strchr(rule, '}'));
	return at + strlen(name) + 1;
}

/* WCAG 2.2, 1.4.11. A day without data is none that anything has happened on. */
static void bars_stand_out_from_their_card(void **state)
{
	(void)state;
	static const char *const bars[] = { "--bar-u", "--bar-m", "--bar-g", "--bar-s", "--bar-d" };
	const char *light = strstr(page_asset(PAGE_STYLE), ":root{"),
		   *dark = strstr(light + 1, ":root{");
	const char *const rules[] = { light, dark };
	assert_non_null(dark);
	for (size_t i = 0; i < 2 * ARRAY_LEN(bars); i++) {
		const char *rule = rules[i % 2], *bar = value_in(rule, bars[i / 2]);
		/* The legend is below the card. */
		double ratio = contrast(bar, value_in(rule, "--card"));
		double below = contrast(bar, value_in(rule, "--bg"));
		if (ratio < 3 || below < 3)
			fail_msg("%s: %.2f, %.2f", bars[i / 2], ratio, below);
	}
}

static void the_banner_names_what_is_affected(void **state)
{
	(void)state;
	static const struct {
		const char *sample, *summary, *tone;
	} rows[] = {
		{ "one-well", "All systems operational", "up" },
		{ "new", "All systems with data operational", "up" },
		{ "five-degraded", "Payments is degraded", "slow" },
		{ "outage", "Checkout and 3 more are down", "down" },
		{ "two-hundred-groups", "Checkout and Images 3 are down", "down" },
		{ "maintenance-running", "Maintenance in progress: Database upgrade", "work" },
		{ "maintenance-announced", "All systems operational", "up" },
		{ "notice", "All systems operational", "up" },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		html_of(rows[i].sample);
		assert_non_null(strstr(out.data, arena_printf(&arena, "<h2 id=\"state\">%s</h2>",
							      rows[i].summary)));
		assert_non_null(
			strstr(out.data, arena_printf(&arena, "<section class=\"overall %s\"",
						      rows[i].tone)));
	}
	/* The tab says it, too, unless all is well. */
	assert_non_null(
		strstr(html_of("outage"),
		       "<title>Checkout and 3 more are down · Example Cloud status</title>"));
	assert_non_null(strstr(html_of("twenty-well"), "<title>Example Cloud status</title>"));
}

static void a_notice_without_a_system_leaves_the_banner_alone(void **state)
{
	(void)state;
	struct page_snapshot snapshot = sample_named("notice");
	const char *well = "All systems operational", *title = "Forged messages in our name";
	snapshot.incidents[0].row.impact = INCIDENT_MAJOR_OUTAGE;
	assert_string_equal(well, page_summary(&snapshot, &arena));
	buf_clear(&out);
	page_badge(&out, &snapshot, &arena);
	assert_non_null(strstr(out.data, well));
	/* Of a system it says more than that the system is up. */
	snapshot.incidents[0].row.impact = INCIDENT_IMPACT_NONE;
	snapshot.incidents[0].row.monitor_count = 1;
	assert_string_equal(title, page_summary(&snapshot, &arena));
	/* Maintenance goes on beside a notice. */
	snapshot = sample_named("maintenance-running");
	struct page_incident notice = sample_named("notice").incidents[0];
	snapshot.incidents = &notice;
	snapshot.incident_count = 1;
	assert_string_equal("Maintenance in progress: Database upgrade",
			    page_summary(&snapshot, &arena));
	/* A page without systems has nothing else to say. */
	snapshot = sample_named("notice");
	snapshot.monitor_count = 0;
	assert_string_equal(title, page_summary(&snapshot, &arena));
}

static void updates_are_newest_first_and_the_older_ones_fold(void **state)
{
	(void)state;
	html_of("outage");
	const char *open = strstr(out.data, "<section aria-labelledby=\"open\"");
	const char *first = strstr(open, "Traffic flows through the <strong>Frankfurt</strong>");
	const char *second = strstr(open, "A change of our network");
	const char *folded = strstr(open, "<summary>3 earlier updates</summary>");
	const char *last = strstr(open, "We are looking into errors");
	assert_true(first && second > first && folded > second && last > folded);
	assert_int_equal(1, count_of("<em>edited <time"));
	assert_non_null(strstr(open, "<p class=\"next overdue\">The update promised for <time"));
	assert_non_null(strstr(html_of("five-degraded"), "<p class=\"next\">Next update by <time"));
	/* What monitoring found is inside, and has no card of its own. */
	html_of("outage");
	assert_int_equal(2, count_of("<article class=\"card open"));
	assert_non_null(strstr(out.data, "<summary>From monitoring</summary>"));
	assert_int_equal(1, count_of("Payments is down"));
}

/* Whoever reads "No impact" there would read "Down" below. */
static void what_monitoring_finds_inside_counts_while_people_state_less(void **state)
{
	(void)state;
	struct page_snapshot snapshot = sample_named("outage");
	for (size_t i = 0; i < snapshot.incident_count; i++) {
		struct page_incident *incident = &snapshot.incidents[i];
		if (incident->row.kind != INCIDENT_REPORTED || incident->row.ended_at.s > 0)
			continue;
		size_t size = incident->row.monitor_count * sizeof(*incident->row.monitors);
		struct incident_monitor *monitors = arena_alloc(&arena, size);
		memcpy(monitors, incident->row.monitors, size);
		for (size_t j = 0; j < incident->row.monitor_count; j++)
			monitors[j].impact = INCIDENT_IMPACT_NONE;
		incident->row.monitors = monitors;
		incident->row.impact = INCIDENT_IMPACT_NONE;
	}
	buf_clear(&out);
	page_html(&out, &snapshot, &arena);
	assert_int_equal(2, count_of("<article class=\"card open down\""));
	/* Two of five systems are down by what was found, and both cards say so. Two updates said
	 * so, too. */
	assert_int_equal(4, count_of("</svg>Down</span></li>"));
	assert_int_equal(2, count_of("</svg>Down</span> Ongoing"));
	assert_int_equal(3, count_of("</svg>No impact"));
}

static void what_is_open_is_not_inside_of_what_is_over(void **state)
{
	(void)state;
	struct page_snapshot snapshot = sample_named("outage");
	for (size_t i = 0; i < snapshot.incident_count; i++) {
		struct page_incident *incident = &snapshot.incidents[i];
		incident->inside = NULL;
		if (incident->row.kind == INCIDENT_REPORTED && incident->row.ended_at.s == 0)
			incident->row.ended_at.s = SAMPLE_NOON - 60;
	}
	page_incidents_nest(snapshot.incidents, snapshot.incident_count, &arena);
	buf_clear(&out);
	page_html(&out, &snapshot, &arena);
	/* Checkout, Payments and Reports: each has a card. */
	assert_int_equal(3, count_of("<article class=\"card open down\""));
	assert_int_equal(0, count_of("<summary>From monitoring</summary>"));
}

static void an_outage_that_goes_on_tells_since_when(void **state)
{
	(void)state;
	html_of("outage");
	assert_int_equal(4, count_of("20 Nov 2026</a></th><td>down since <time"));
	assert_int_equal(0, count_of("20 Nov 2026</a></th><td>down for"));
	/* What people report has a title; monitoring found the last one. */
	assert_int_equal(2, count_of("min</span> (<bdi>Errors at checkout, payments and "
				     "log-in</bdi> and 1 more)</td>"));
	assert_non_null(strstr(out.data, "20 Nov 2026</a></th><td>down since <time "
					 "datetime=\"2026-11-20T11:40:00Z\">20 Nov 2026, 11:40 "
					 "UTC</time>, for more than <span class=\"len\">20 min"
					 "</span>, 1 incident</td>"));
	assert_non_null(strstr(out.data, "<td>partly down since <time "
					 "datetime=\"2026-11-20T10:19:00Z\">20 Nov 2026, 10:19 "
					 "UTC</time>, for more than <span class=\"len\">1 h 30 "
					 "min</span> (<bdi>Errors at checkout"));
	assert_non_null(strstr(out.data, "15 Nov 2026</a></th><td>partly down for 1 h 35 min "
					 "(<bdi>E-mails are delivered late</bdi>)</td>"));
	assert_non_null(strstr(out.data, "<td>degraded since <time"));
}

/* Asserts that the page has the texts in that order. */
static void assert_order(const char *const *texts, size_t count)
{
	const char *at = out.data;
	for (size_t i = 0; i < count; i++) {
		const char *found = strstr(at, texts[i]);
		if (!found)
			fail_msg("not there, or too early: %s", texts[i]);
		at = found + 1;
	}
}

static void an_update_tells_what_it_changes_and_has_a_link(void **state)
{
	(void)state;
	html_of("outage");
	const char *open = strstr(out.data, "<section aria-labelledby=\"open\"");
	assert_non_null(strstr(open, "<strong>Monitoring</strong> <a class=\"at\" "
				     "href=\"incidents/41#update-6\"><time"));
	assert_non_null(strstr(open, "<li><bdi>Payments</bdi> <span class=\"state down\">"));
	assert_int_equal(0, count_of("id=\"update-"));
	struct page_snapshot snapshot = sample_named("outage");
	const struct page_incident *shown = NULL;
	for (size_t i = 0; i < snapshot.incident_count; i++)
		if (snapshot.incidents[i].row.id == 41)
			shown = &snapshot.incidents[i];
	assert_non_null(shown);
	buf_clear(&out);
	page_incident(&out, &snapshot, shown, &arena);
	assert_int_equal(5, count_of("id=\"update-"));
	assert_non_null(strstr(out.data, "<li class=\"slow\" id=\"update-6\"><p class=\"meta\">"
					 "<strong>Monitoring</strong> <a class=\"at\" "
					 "href=\"#update-6\">"));
	/* Each change is of a system whose state differs; an unchanged one has none. */
	static const char *const order[] = {
		"<main",
		"<p class=\"back\"><a href=\"../\">Current state</a></p>",
		"<h2>",
		"id=\"update-6\"",
		"<ul class=\"chips\">\n<li><bdi>Payments</bdi>",
		"Down</span> <span class=\"to\">\u2192</span> <span class=\"state part\">",
		"Partly down</span></li>\n<li><bdi>Search</bdi>",
		"Degraded</span></li>\n</ul>\n<div class=\"text\"",
		"id=\"update-3\"",
		"Operational</span> <span class=\"to\">",
	};
	assert_order(order, ARRAY_LEN(order));
	assert_int_equal(6, count_of("<span class=\"to\">"));
	assert_non_null(strstr(out.data, "20 Nov 2026, 10:19 UTC</time>, for more than <span "
					 "class=\"len\">1 h 30 min</span></dd>"));
	/* After the end all systems work. */
	snapshot = sample_named("twelve");
	for (size_t i = 0; i < snapshot.incident_count; i++)
		if (snapshot.incidents[i].row.postmortem)
			shown = &snapshot.incidents[i];
	buf_clear(&out);
	page_incident(&out, &snapshot, shown, &arena);
	assert_int_equal(2, count_of("\u2192</span> <span class=\"state up\">"));
}

static void times_that_no_heading_dates_have_their_day(void **state)
{
	(void)state;
	struct page_snapshot snapshot = sample_named("outage");
	buf_clear(&out);
	page_feed_html(&out, &snapshot, &arena);
	assert_non_null(strstr(out.data, "11 Nov 2026, 12:00</time> to <time class=\"hm\""));
	assert_null(strstr(out.data, ": <time class=\"hm\""));
}

static void groups_fold_where_all_is_well(void **state)
{
	(void)state;
	html_of("outage");
	assert_int_equal(5, count_of("<details class=\"group\""));
	assert_int_equal(3, count_of("<details class=\"group\" open>"));
	assert_non_null(strstr(out.data, "3 of 3 operational"));
	html_of("five-degraded");
	assert_int_equal(1, count_of("<details class=\"group\" open>"));
	html_of("twenty-well");
	assert_int_equal(0, count_of("<details class=\"group\" open>"));
	assert_null(strstr(out.data, "class=\"all compact\""));
	assert_non_null(strstr(html_of("two-hundred-well"), "class=\"all compact\""));
}

static void systems_and_groups_keep_the_order_of_the_page(void **state)
{
	(void)state;
	static const char *const names[] = { "A1", "Solo 1", "B1", "A2", "Solo 2", "Solo 3" };
	static const char *const group_names[] = { "GA", NULL, "GB", "GA", NULL, NULL };
	static const char *const order[] = { "<bdi>GA</bdi></h3>",
					     "<bdi>A1<",
					     "<bdi>A2<",
					     "</div>\n<ul class=\"systems\">",
					     "<bdi>Solo 1<",
					     "</ul>\n<div class=\"folder\"><details",
					     "<bdi>GB</bdi></h3>",
					     "<bdi>B1<",
					     "</div>\n<ul class=\"systems\">",
					     "<bdi>Solo 2<",
					     "</li>\n<li>",
					     "<bdi>Solo 3<" };
	struct page_snapshot snapshot = sample_named("twenty-well");
	snapshot.monitor_count = ARRAY_LEN(names);
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		snapshot.monitors[i].name = names[i];
		snapshot.monitors[i].group = group_names[i];
	}
	buf_clear(&out);
	page_html(&out, &snapshot, &arena);
	assert_order(order, ARRAY_LEN(order));
	assert_int_equal(4, count_of("<ul class=\"systems\">"));
}

/* The strip of a folded group has the worst of each day, with the lowest uptime. */
static void a_group_has_the_worst_of_each_day(void **state)
{
	(void)state;
	html_of("hundred-groups");
	assert_int_equal(30, count_of("<div class=\"bars\" data-of=\"g"));
	assert_int_equal(30, count_of("<tbody id=\"days-g"));
	assert_int_equal(29, count_of("<details class=\"group\">"));
	const char *strip = strstr(out.data, "data-of=\"g0\"");
	assert_non_null(strstr(strip, "aria-label=\"Lowest uptime 98.88 %\""));
	assert_non_null(strstr(strip, "<span class=\"rate\">Lowest uptime 98.88 %</span>"));
	strip = strstr(out.data, "data-of=\"g3\"");
	assert_non_null(strstr(strip, "<span class=\"rate\">100.00 % uptime</span>"));
	const char *rows = strstr(out.data, "<tbody id=\"days-g0\">");
	assert_non_null(strstr(rows, "Region 01</th>"));
	assert_non_null(strstr(rows, "11 Nov 2026</a></th><td><bdi>Checkout</bdi>: down for 4 min, "
				     "2 incidents</td>"));
	rows = strstr(out.data, "<tbody id=\"days-g2\">");
	assert_non_null(strstr(rows, "15 Nov 2026</a></th><td><bdi>Push messages</bdi> and 1 "
				     "more: partly down for 1 h 35 min (<bdi>E-mails are "
				     "delivered late</bdi>)</td>"));
	assert_non_null(strstr(out.data, "data-find=\"Find a system\""));
	html_of("twenty-well");
	assert_null(strstr(out.data, "data-find="));
	/* A strip has its scale directly below. */
	assert_int_equal(count_of("<div class=\"bars\""),
			 count_of("</svg></div>\n<p class=\"scale\">"));
	assert_int_equal(1, count_of("Only full outages count as downtime."));
}

static void the_history_is_three_calendars_and_links(void **state)
{
	(void)state;
	html_of("twelve");
	assert_int_equal(3, count_of("<table class=\"cal\">"));
	static const char *const order[] = {
		"<h2 id=\"months\">Month by month</h2>",
		"<a href=\"2026-09.html\">September 2026</a></caption>",
		"<th scope=\"col\">Mo</th>",
		/* 1 September 2026 is a Tuesday. */
		"<tr><td colspan=\"1\"></td><td class=\"u\">1</td>",
		"<td class=\"d\"><a href=\"2026-09.html#day-2026-09-19\" aria-label=\"19 Sep 2026: "
		"Down for half the day or more\">19</a></td>",
		"<a href=\"2026-10.html\">October 2026</a></caption>",
		"<td class=\"u\">31</td></tr>\n</tbody>",
		"<a href=\"2026-11.html\">November 2026</a></caption>",
		/* A Sunday. */
		"<td colspan=\"6\"></td><td class=\"u\">1</td></tr>",
		"<td class=\"g\"><a href=\"#day-2026-11-15\" aria-label=\"15 Nov 2026: Degraded or "
		"partly down\">15</a></td>",
		"<td class=\"s\" aria-current=\"date\"><a href=\"#day-2026-11-20\"",
		"<td>21</td>",
		"<nav class=\"months\"",
		"<a href=\"2026-08.html\">August 2026</a>",
	};
	assert_order(order, ARRAY_LEN(order));
	/* In the page's zone it is another day and month; days before the bars have no look. */
	struct page_snapshot snapshot = sample_named("twelve");
	snapshot.page.time_zone = "Pacific/Kiritimati";
	snapshot.now.s += 10 * DAY_S;
	page_snapshot_set_calendar(&snapshot);
	buf_clear(&out);
	page_html(&out, &snapshot, &arena);
	assert_non_null(strstr(out.data, "December 2026</caption>"));
	const char *today = strstr(out.data, " aria-current=\"date\"");
	assert_non_null(today);
	assert_non_null(strstr(arena_strndup(&arena, today, strcspn(today, "\n")), ">1</"));
	assert_null(strstr(today + 2, "aria-current"));
	assert_null(strstr(out.data, "September 2026</a></caption>"));
	html_of("new");
	assert_int_equal(3, count_of("</caption>"));
	assert_int_equal(0, count_of("</a></caption>"));
	assert_int_equal(2, count_of("<td class=\"u\""));
}

static void systems_come_before_windows_that_are_planned(void **state)
{
	(void)state;
	static const char *const order[] = {
		"Maintenance soon: <a href=\"#maintenance-3\">",
		"<bdi>Database upgrade</bdi></a>, <time",
		"<h2 id=\"open\">",
		"<h2 id=\"systems\">",
		"<h2 id=\"upcoming\">",
		"<article class=\"card open work\" id=\"maintenance-3\">",
		"<ul class=\"card later\">\n<li id=\"maintenance-4\"><strong><a",
		">New load balancers</a></strong> <span class=\"meta\"><time",
		"<li id=\"maintenance-5\">",
		"<h2 id=\"past\">",
	};
	html_of("twelve");
	assert_order(order, ARRAY_LEN(order));
	assert_int_equal(1, count_of("Maintenance soon"));
	html_of("maintenance-running");
	static const char *const running[] = { "<h2 id=\"maintenance\">", "<h2 id=\"systems\">" };
	assert_order(running, ARRAY_LEN(running));
}

static void many_affected_systems_fold(void **state)
{
	(void)state;
	enum { COUNT = 14 };
	static struct incident_monitor monitors[COUNT];
	static const char *const order[] = { "Affected systems",
					     ">System L<",
					     "</ul>\n<details class=\"earlier\"><summary>2 more<",
					     ">System M<",
					     ">System N<",
					     "</details>",
					     "class=\"updates\"" };
	struct page_snapshot snapshot = sample_named("five-degraded");
	for (int i = 0; i < COUNT; i++)
		monitors[i] = (struct incident_monitor){
			.id = i + 1,
			.name = arena_printf(&arena, "System %c", 'A' + i),
			.impact = INCIDENT_DEGRADED_PERFORMANCE,
		};
	struct page_incident *incident = &snapshot.incidents[0];
	incident->row.monitors = monitors;
	incident->row.monitor_count = COUNT;
	buf_clear(&out);
	page_incident(&out, &snapshot, incident, &arena);
	assert_order(order, ARRAY_LEN(order));
	incident->row.monitor_count = COUNT - 2;
	buf_clear(&out);
	page_incident(&out, &snapshot, incident, &arena);
	assert_null(strstr(out.data, "more</summary>"));
}

static void the_title_in_a_feed_has_the_phase(void **state)
{
	(void)state;
	static struct posted_update update = { .id = 1, .phase = PHASE_MONITORING, .body = "x" };
	struct page_incident incident = { .row = { .id = 1,
						   .kind = INCIDENT_REPORTED,
						   .title = "Slow",
						   .phase = PHASE_MONITORING,
						   .impact = INCIDENT_MAJOR_OUTAGE,
						   .started_at = { SAMPLE_NOON - 600 },
						   .acknowledged_at = { SAMPLE_NOON - 600 } },
					  .updates = { &update, 1 } };
	struct page_snapshot snapshot = sample_named("one-well");
	snapshot.newest = &incident;
	snapshot.newest_count = 1;
	for (int i = 0; i < 2; i++) {
		struct buf rss CLEANUP(buf_done) = BUF_INIT(PAGE_FILE_MAX_BYTES);
		snapshot.page.language = i == 0 ? "en" : "de";
		update.phase = i == 0 ? PHASE_INVESTIGATING : PHASE_MONITORING;
		buf_clear(&out);
		page_feeds(&(struct page_feeds){ &out, &rss }, &snapshot, &arena);
		assert_non_null(strstr(out.data, i == 0 ? "<title>Slow (Investigating)</title>"
							: "<title>Slow (Wird beobachtet)</title>"));
	}
}

static void bars_tell_their_days(void **state)
{
	(void)state;
	html_of("twenty-ten");
	/* 40 days before the 20th of November is the day with index 49. */
	assert_non_null(strstr(out.data, "<path class=\"s\" d=\"M247.5 0v13m0 4v13"));
	assert_non_null(strstr(out.data,
			       "<tr><th scope=\"row\"><a href=\"2026-10.html#day-2026-10-11"
			       "\">11 Oct 2026</a></th><td>down for 3 h, 1 incident</td>"));
	assert_non_null(strstr(out.data,
			       "<tr data-days=\"90\"><th scope=\"row\">23 Aug to 20 Nov 2026"
			       "</th><td>no downtime</td>"));
	assert_non_null(strstr(out.data, "<tr><th scope=\"row\"><a href=\"#day-2026-11-11\">"
					 "11 Nov 2026</a></th><td>down for 4 min, 2 incidents"));
	assert_int_equal(1, count_of("class=\"legend\""));
	assert_non_null(
		strstr(html_of("maintenance-done"),
		       "17 Nov 2026</a></th><td>maintenance (<bdi>Database upgrade</bdi>)</td>"));
	assert_non_null(
		strstr(html_of("five-degraded"), "20 Nov 2026</a></th><td>degraded since <time "));
	/* The strip is one target: its days are links in the table only. */
	const char *bars = strstr(html_of("outage"), "<div class=\"bars\"");
	for (; bars; bars = strstr(bars + 1, "<div class=\"bars\""))
		assert_true(strstr(bars, "<a ") > strstr(bars, "</div>"));
	/* By these the script finds a strip's days, and dates them. */
	assert_non_null(strstr(out.data, "<section class=\"all\" data-from=\"2026-08-23\""));
	assert_int_equal(count_of("<div class=\"bars\" data-of=\""), count_of("<tbody id=\"days-"));
	/* Each day that links into the log has its place there. */
	for (const char *at = out.data; (at = strstr(at, "href=\"#day-")); at++) {
		const char *id = arena_strndup(&arena, at + 7, strlen("day-2026-11-20"));
		assert_non_null(strstr(out.data, arena_printf(&arena, "id=\"%s\"", id)));
	}
}

static void downtime_that_does_not_count_is_marked(void **state)
{
	(void)state;
	struct page_snapshot snapshot = sample_named("one-well");
	struct page_monitor *monitor = &snapshot.monitors[0];
	const struct uptime_day excluded = { .length_s = DAY_S,
					     .known_s = DAY_S,
					     .degraded_s = 7200,
					     .excluded_s = 7200,
					     .has_outage = true,
					     .worst = INCIDENT_MAJOR_OUTAGE,
					     .is_excluded = true };
	struct incident open = { .started_at = { SAMPLE_NOON - 7200 } };
	monitor->days[49] = monitor->days[50] = monitor->days[89] = excluded;
	/* Some of it counts. */
	monitor->days[50].down_s = 60;
	monitor->days[50].is_excluded = false;
	buf_clear(&out);
	page_html(&out, &snapshot, &arena);
	assert_non_null(strstr(out.data, "11 Oct 2026</th><td>down for 2 h (not counted)</td>"));
	assert_non_null(strstr(out.data, "12 Oct 2026</th><td>down for 1 min, down for 2 h (not "
					 "counted)</td>"));
	assert_non_null(strstr(out.data, "<path class=\"x\" d=\"M247.5 0v3m0 3.75"));
	assert_int_equal(1, count_of("</svg>Down, but not counted</li>"));
	/* An outage that goes on. */
	monitor->open = &open;
	monitor->impact = INCIDENT_MAJOR_OUTAGE;
	for (int i = 0; i < 2; i++) {
		monitor->is_down = i > 0;
		buf_clear(&out);
		page_html(&out, &snapshot, &arena);
		assert_non_null(strstr(out.data, i == 0 ? "UTC</time> (not counted)</td>"
							: "UTC</time>, down for"));
	}
	html_of("outage");
	assert_int_equal(0, count_of("not counted"));
}

static void maintenance_is_shown_before_during_and_after(void **state)
{
	(void)state;
	html_of("maintenance-announced");
	/* A window that takes place each week has one line. */
	assert_int_equal(0, count_of("<article class=\"card open"));
	assert_int_equal(2, count_of("<li id=\"maintenance-"));
	assert_int_equal(1, count_of("<summary>3 later dates</summary>"));
	assert_non_null(
		strstr(out.data, "<li><time datetime=\"2026-11-29T22:00:00Z\">29 Nov 2026, 22:00"));
	assert_non_null(strstr(out.data, "<h2 id=\"upcoming\">Upcoming maintenance</h2>"));
	assert_non_null(strstr(out.data, "22 Nov 2026, 22:00</time> to <time class=\"hm\" "
					 "datetime=\"2026-11-22T23:30:00Z\">23:30 UTC</time> "
					 "(1 h 30 min)"));
	assert_non_null(strstr(out.data, "</svg>Cancelled</span>"));
	assert_non_null(strstr(out.data, "calendar.ics"));
	html_of("maintenance-running");
	assert_int_equal(2, count_of("</svg>Under maintenance</span>"));
	assert_non_null(strstr(out.data, "data-refresh=\"60\" data-pause="));
	html_of("maintenance-done");
	assert_non_null(strstr(out.data, "<h3 id=\"day-2026-11-17\">"));
	assert_non_null(strstr(out.data, "</svg>Completed</span> <time class=\"hm\""));
	html_of("twenty-well");
	assert_null(strstr(out.data, "calendar.ics"));
	/* A quiet page is only refreshed when its tab returns to the front. */
	assert_null(strstr(out.data, "data-pause="));
	assert_non_null(strstr(out.data, "data-refresh=\"60\">"));
}

static void the_page_of_an_incident_has_all_of_it(void **state)
{
	(void)state;
	struct page_snapshot snapshot = sample_named("five-degraded");
	const struct page_incident *late = NULL;
	for (size_t i = 0; i < snapshot.incident_count; i++)
		if (snapshot.incidents[i].row.postmortem)
			late = &snapshot.incidents[i];
	assert_non_null(late);
	buf_clear(&out);
	page_incident(&out, &snapshot, late, &arena);
	assert_non_null(strstr(out.data, "<bdi>E-mails are delivered late</bdi></h2>"));
	assert_non_null(strstr(out.data, "<h3 id=\"postmortem\">Post-mortem</h3>"));
	assert_non_null(strstr(out.data, "<h4>What happened</h4>"));
	assert_non_null(strstr(out.data, "href=\"https://example.org/notes\""));
	assert_non_null(strstr(out.data, "<dd>1 h 35 min</dd>"));
	assert_int_equal(3, count_of("<p class=\"meta\"><strong>"));
	assert_non_null(strstr(
		out.data, arena_printf(&arena, "href=\"../%s\"", page_asset_name(PAGE_STYLE))));
	assert_null(strstr(out.data, "\"page-"));
	assert_non_null(strstr(out.data, "<meta property=\"og:title\" content=\"E-mails are"));
}

/* Whether the text says in its footer that its last change was on 20 Nov 2026, 12:00 UTC, and
 * nothing else of a minute later would differ from `later`. */
static void assert_as_of(const char *text, const char *later)
{
	struct str first = page_html_as_of(str_from(text));
	struct str second = page_html_as_of(str_from(later));
	const char *footer = strstr(text, "<footer>");
	assert_non_null(footer);
	assert_true(first.len > 0 && first.data > footer);
	assert_non_null(strstr(footer, "Last change of this page: <time "));
	assert_non_null(strstr(footer, ">20 Nov 2026, 12:00 UTC</time>"));
	assert_non_null(strstr(later, ">20 Nov 2026, 12:01 UTC</time>"));
	assert_int_equal(first.data - text, second.data - later);
	assert_memory_equal(text, later, (size_t)(first.data - text));
	assert_string_equal(first.data + first.len, second.data + second.len);
}

static const char *copy_of_out(void)
{
	return arena_strndup(&arena, out.data, out.len);
}

static void each_file_names_its_moment_in_one_place(void **state)
{
	(void)state;
	struct page_snapshot snapshots[2] = { sample_named("outage"), sample_named("outage") };
	const char *texts[4][2];
	snapshots[1].now.s += 60;
	for (size_t i = 0; i < ARRAY_LEN(snapshots); i++) {
		struct page_snapshot *snapshot = &snapshots[i];
		snapshot->months[0].incidents = snapshot->incidents;
		snapshot->months[0].incident_count = snapshot->incident_count;
		buf_clear(&out);
		page_html(&out, snapshot, &arena);
		texts[0][i] = copy_of_out();
		buf_clear(&out);
		page_history(&out, snapshot, 0, &arena);
		texts[1][i] = copy_of_out();
		buf_clear(&out);
		page_incident(&out, snapshot, &snapshot->incidents[0], &arena);
		texts[2][i] = copy_of_out();
		buf_clear(&out);
		page_feed_html(&out, snapshot, &arena);
		texts[3][i] = copy_of_out();
	}
	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		assert_as_of(texts[i][0], texts[i][1]);
}

/* The words of the systems, of impacts, of sentences and of days are the same. */
static void an_impact_has_the_words_of_a_state(void **state)
{
	(void)state;
	const char *html = html_of("outage");
	assert_non_null(strstr(html, "Checkout and 3 more are down"));
	assert_non_null(strstr(html, "</svg>Down</span> Ongoing"));
	assert_int_equal(6, count_of("</svg>Partly down</span>"));
	assert_int_equal(4, count_of("</svg>Degraded</span>"));
	assert_int_equal(0, count_of(" outage<"));
	/* One impact of all systems is said once. */
	html = html_of("five-degraded");
	assert_non_null(strstr(html, "</svg>Degraded</span> Ongoing"));
	assert_non_null(strstr(html, "<li><span dir=\"auto\">Payments</span></li>"));
}

static void a_long_text_folds_below_its_first_words(void **state)
{
	(void)state;
	static char text[2000];
	struct page_snapshot snapshot = sample_named("five-degraded");
	for (size_t i = 0; i < sizeof(text) - 1; i++)
		text[i] = i % 5 == 0 ? ' ' : 'w';
	for (size_t i = 0; i < snapshot.incident_count; i++)
		if (snapshot.incidents[i].row.comment)
			snapshot.incidents[i].row.comment = text;
	buf_clear(&out);
	page_html(&out, &snapshot, &arena);
	assert_int_equal(1, count_of("<details class=\"more\">"));
	assert_non_null(strstr(out.data, "wwww wwww… </span><span class=\"all\">Show all</span>"));
}

static void a_badge_has_a_label_and_a_value(void **state)
{
	(void)state;
	struct page_snapshot snapshot = sample_named("outage");
	struct buf lines = BUF_INIT(PAGE_FILE_MAX_BYTES);
	snapshot.monitors[0].name = "A\t<b>\nB";
	page_badges(&lines, &snapshot, &arena);
	struct str text = { lines.data, lines.len };
	buf_clear(&out);
	assert_true(page_badge_of_system(&out, text, "badge-2.svg", &arena));
	assert_non_null(strstr(out.data, "<title>Checkout: Down</title>"));
	buf_clear(&out);
	assert_true(page_badge_of_system(&out, text, "uptime-2.svg", &arena));
	assert_non_null(strstr(out.data, ">uptime</text>"));
	assert_non_null(strstr(out.data, ">99.77 %</text>"));
	buf_clear(&out);
	assert_true(page_badge_of_system(&out, text, "badge-1.svg", &arena));
	assert_non_null(strstr(out.data, "<title>A &lt;b&gt; B: Operational</title>"));
	buf_clear(&out);
	/* 18 and 1 are systems, 181 and 8000 are none. */
	static const char *const others[] = { "badge-181.svg", "badge-8000.svg", "badge-.svg",
					      "badge-2.png",   "badge-2x.svg",	 "badge.svg" };
	for (size_t i = 0; i < ARRAY_LEN(others); i++)
		assert_false(page_badge_of_system(&out, text, others[i], &arena));
	assert_int_equal(0, out.len);
	assert_true(page_badge_is_of_system("uptime-7.svg"));
	assert_false(page_badge_is_of_system("badge.svg"));
	buf_done(&lines);
}

static struct page_snapshot page_at(const char *zone, struct instant at, int64_t began_s,
				    struct page_monitor *monitor)
{
	static struct page_incident open;
	static struct page_outage outage;
	const struct instant began = { began_s == INT64_MAX ? 0 : at.s + began_s };
	*monitor = (struct page_monitor){ .id = 1, .name = "Web", .known_since = { 1000000000 } };
	open = (struct page_incident){ .row = { .id = 5,
						.monitor_id = 1,
						.cause = "",
						.impact = INCIDENT_MAJOR_OUTAGE,
						.started_at = began } };
	outage = (struct page_outage){
		.monitor_id = 1, .interval = { .from = began, .impact = INCIDENT_MAJOR_OUTAGE }
	};
	return (struct page_snapshot){ .page = { .id = 1, .name = "P", .time_zone = zone },
				       .now = at,
				       .url = "https://s.example/s/x/",
				       .monitors = monitor,
				       .monitor_count = 1,
				       .outages = &outage,
				       .incidents = &open,
				       .outage_count = began_s != INT64_MAX,
				       .incident_count = began_s != INT64_MAX };
}

static void a_gap_is_said_where_it_is(void **state)
{
	(void)state;
	html_of("gaps");
	assert_int_equal(1, count_of("All systems with data operational</h2>"));
	assert_int_equal(1, count_of("<p>No current data for 1 of 4 systems.</p>"));
	assert_int_equal(1, count_of(">No data</span>"));
	/* Today, of which ten hours are known; and the days of the earlier gap. */
	assert_int_equal(1, count_of("20 Nov 2026</th><td>no downtime, no data since <time "
				     "datetime=\"2026-11-20T10:00:00Z\">20 Nov 2026, 10:00 UTC"
				     "</time></td>"));
	/* Its bar, and those of three days, are of the look "no data". */
	assert_int_equal(1, count_of("<path class=\"n\" d=\"M447.5 0v30\"/>"));
	assert_int_equal(1, count_of("<path class=\"q n\""));
	assert_int_equal(1, count_of("26 Oct 2026</th><td>no downtime, no data for 12 h</td>"));
	assert_int_equal(1, count_of("27 to 29 Oct 2026</th><td>no data</td>"));
	assert_int_equal(1, count_of("30 Oct 2026</th><td>no downtime, no data for 15 h</td>"));
	assert_int_equal(1, count_of("no downtime, no data for 1 h 35 min</td>"));
	/* The incident wins. */
	assert_int_equal(1, count_of("down for 2 h, no data for 1 h, 1 incident</td>"));
	assert_null(strstr(html_of("unobserved"), "perational</h2>"));
	assert_int_equal(1, count_of("<section class=\"overall none\""));
	assert_int_equal(1, count_of("No current data</h2>"));
	assert_int_equal(0, count_of("of 3 systems"));
	struct page_snapshot snapshot = sample_named("unobserved");
	buf_clear(&out);
	struct page_json_parts parts CLEANUP(page_json_parts_done) = PAGE_JSON_PARTS;
	page_json(&out, &snapshot, 0, &parts, &arena);
	assert_int_equal(3, count_of("\"status\":\"\""));
	assert_int_equal(1, count_of("\"description\":\"No current data\""));
	assert_int_equal(0, count_of("operational"));
}

static void response_times_have_a_line_and_a_table(void **state)
{
	(void)state;
	struct page_snapshot snapshot = sample_named("times");
	struct response_time rows[] = {
		{ 1, { SAMPLE_NOON - 25 * 3600 }, 60, 0, 100, 90, 200 },
		{ 1, { SAMPLE_NOON - 24 * 3600 }, 60, 0, 200, 90, 210 },
		{ 1, { SAMPLE_NOON - 3 * 3600 }, 60, 20, 100, 80, 240 },
		{ 1, { SAMPLE_NOON - 2 * 3600 }, 60, 60, 0, 0, 0 },
		/* Of an hour that is not whole, and of no hour of the line. */
		{ 1, { SAMPLE_NOON - 3600 }, 60, 0, 999, 999, 999 },
		{ 1, { SAMPLE_NOON - 26 * 3600 }, 60, 0, 999, 999, 999 },
		{ 2, { SAMPLE_NOON - 2 * 3600 }, 60, 60, 0, 0, 0 },
		{ 99, { SAMPLE_NOON - 2 * 3600 }, 60, 0, 5, 5, 5 },
	};
	snapshot.response_times = rows;
	snapshot.response_time_count = ARRAY_LEN(rows);
	buf_clear(&out);
	page_html(&out, &snapshot, &arena);
	/* 160 checks in all. */
	assert_int_equal(1, count_of("<p>Response time: 137 ms (24 h average)</p>"));
	assert_int_equal(1, count_of("<path d=\"M5 50 15 15M223 50h4\"/>"));
	assert_int_equal(1, count_of("class=\"times\""));
	assert_int_equal(1, count_of("<th scope=\"row\">09:00</th><td>100 ms</td><td>240 ms</td>"));
	assert_int_equal(1, count_of("<th scope=\"row\">10:00</th><td colspan=\"2\">no data</td>"));
	assert_int_equal(24, count_of(":00</th><td"));
	/* Without response times, and where the page does not show them, there is nothing. */
	snapshot.response_time_count = 0;
	buf_clear(&out);
	page_html(&out, &snapshot, &arena);
	assert_int_equal(0, count_of("class=\"times\""));
	assert_int_equal(0, count_of("The response times"));
	snapshot.response_time_count = ARRAY_LEN(rows);
	snapshot.has_response_times = false;
	buf_clear(&out);
	page_html(&out, &snapshot, &arena);
	assert_int_equal(0, count_of("class=\"times\""));
	assert_int_equal(0, count_of("The response times"));
	/* Many systems have a row each. */
	html_of("times-compact");
	assert_int_equal(199, count_of("class=\"times\""));
	assert_int_equal(0, count_of(":00</th><td"));
}

static void twenty_systems_with_response_times_weigh_little(void **state)
{
	(void)state;
	struct buf packed CLEANUP(buf_done) = BUF_INIT(PAGE_FILE_MAX_BYTES);
	struct gzip gzip CLEANUP(gzip_done) = { 0 };
	const char *html = html_of("times");
	gzip_add(&gzip, GZIP_FAST, &packed, html, strlen(html));
	assert_in_range(packed.len, 1, 10000);
}

/* A system that is down stays down, and a window is named before a gap. */
static void a_gap_hides_neither_an_incident_nor_a_window(void **state)
{
	(void)state;
	struct page_snapshot snapshot = sample_named("maintenance-running");
	for (size_t i = 0; i < snapshot.monitor_count; i++)
		snapshot.monitors[i].unobserved_since.s = SAMPLE_NOON - 60;
	assert_int_equal(page_monitor_state(&snapshot.monitors[1]), SYSTEM_UNDER_MAINTENANCE);
	buf_clear(&out);
	page_html(&out, &snapshot, &arena);
	assert_int_equal(1, count_of("<p>No current data for 6 of 8 systems.</p>"));
	snapshot = sample_named("outage");
	size_t before = snapshot.down_count;
	for (size_t i = 0; i < snapshot.monitor_count; i++)
		snapshot.monitors[i].unobserved_since.s = SAMPLE_NOON - 60;
	assert_true(before > 0);
	assert_true(page_worst_state(&snapshot) > SYSTEM_UNDER_MAINTENANCE);
}

/* What was published at midnight is what visitors see at noon, if nothing happens. */
static void the_first_second_of_a_day_has_the_state_of_the_system(void **state)
{
	(void)state;
	static const struct {
		const char *zone, *at;
	} rows[] = {
		{ "UTC", "2026-11-20T00:00:00Z" },
		{ "Asia/Kathmandu", "2026-11-19T18:15:00Z" },
		{ "America/New_York", "2026-11-20T05:00:00Z" },
		{ "Pacific/Auckland", "2026-11-19T11:00:00Z" },
		/* of a month and of a year, in the zone and in UTC */
		{ "Asia/Kathmandu", "2026-11-30T18:15:00Z" },
		{ "UTC", "2027-01-01T00:00:00Z" },
		{ "America/New_York", "2027-01-01T05:00:00Z" },
		/* of days of 23 and 25 hours; of a day without midnight, and with two */
		{ "Europe/Berlin", "2026-03-28T23:00:00Z" },
		{ "Europe/Berlin", "2026-10-24T22:00:00Z" },
		{ "Asia/Beirut", "2025-03-29T22:00:00Z" },
		{ "America/Havana", "2025-11-02T04:00:00Z" },
		{ "America/Havana", "2025-11-02T05:00:00Z" },
	};
	/* Quiet; open since yesterday, and since this second; the clock was set back over midnight.
	 */
	static const struct {
		int64_t began_s;
		const char *today, *log;
	} cases[] = {
		{ INT64_MAX, "no downtime</td></tr>\n</tbody>", ": no incidents</p>" },
		{ -7200, "2 h</span>, 1 incident</td></tr>\n</tbody>",
		  "</a> has been open since " },
		{ 0, "</time>, 1 incident</td></tr>\n</tbody>", "</a> has been open since " },
		{ 5, "</time>, 1 incident</td></tr>\n</tbody>", "</a> has been open since " },
		{ DAY_S, "</time>, 1 incident</td></tr>\n</tbody>", "</a> has been open since " },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows) * ARRAY_LEN(cases); i++) {
		size_t row = i / ARRAY_LEN(cases), at = i % ARRAY_LEN(cases);
		struct page_monitor monitor;
		struct instant now = { 0 };
		assert_true(instant_parse(str_from(rows[row].at), &now));
		struct page_snapshot snapshot =
			page_at(rows[row].zone, now, cases[at].began_s, &monitor);
		page_snapshot_derive(&snapshot, &arena);
		buf_clear(&out);
		page_html(&out, &snapshot, &arena);
		assert_true(buf_ok(&out));
		if (!strstr(out.data, cases[at].today) || !strstr(out.data, cases[at].log) ||
		    count_of("no data") > 0 || count_of("No data") > 0)
			fail_msg("%s %s, case %zu: %s", rows[row].zone, rows[row].at, at, out.data);
		/* The same while the system is not observed, since yesterday or this second. */
		snapshot = page_at(rows[row].zone, now, cases[at].began_s, &monitor);
		struct page_gap gap = { 1, { .from = { now.s - (i % 2) * 7200 }, .is_gap = true } };
		snapshot.gaps = &gap;
		snapshot.gap_count = 1;
		page_snapshot_derive(&snapshot, &arena);
		buf_clear(&out);
		page_html(&out, &snapshot, &arena);
		const char *today = at == 0 ? "no data since <time"
					    : ", 1 incident</td></tr>\n</tbody>";
		if (!strstr(out.data, today) ||
		    !strstr(out.data, at == 0 ? ">No current data</h2>" : ">Web is down</h2>"))
			fail_msg("%s %s, case %zu: %s", rows[row].zone, rows[row].at, at, out.data);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bars_stand_out_from_their_card),
		cmocka_unit_test(the_banner_names_what_is_affected),
		cmocka_unit_test(a_notice_without_a_system_leaves_the_banner_alone),
		cmocka_unit_test(updates_are_newest_first_and_the_older_ones_fold),
		cmocka_unit_test(what_monitoring_finds_inside_counts_while_people_state_less),
		cmocka_unit_test(what_is_open_is_not_inside_of_what_is_over),
		cmocka_unit_test(an_outage_that_goes_on_tells_since_when),
		cmocka_unit_test(an_update_tells_what_it_changes_and_has_a_link),
		cmocka_unit_test(times_that_no_heading_dates_have_their_day),
		cmocka_unit_test(groups_fold_where_all_is_well),
		cmocka_unit_test(systems_and_groups_keep_the_order_of_the_page),
		cmocka_unit_test(a_group_has_the_worst_of_each_day),
		cmocka_unit_test(the_history_is_three_calendars_and_links),
		cmocka_unit_test(systems_come_before_windows_that_are_planned),
		cmocka_unit_test(many_affected_systems_fold),
		cmocka_unit_test(the_title_in_a_feed_has_the_phase),
		cmocka_unit_test(bars_tell_their_days),
		cmocka_unit_test(downtime_that_does_not_count_is_marked),
		cmocka_unit_test(maintenance_is_shown_before_during_and_after),
		cmocka_unit_test(the_page_of_an_incident_has_all_of_it),
		cmocka_unit_test(each_file_names_its_moment_in_one_place),
		cmocka_unit_test(an_impact_has_the_words_of_a_state),
		cmocka_unit_test(a_long_text_folds_below_its_first_words),
		cmocka_unit_test(a_badge_has_a_label_and_a_value),
		cmocka_unit_test(a_gap_is_said_where_it_is),
		cmocka_unit_test(response_times_have_a_line_and_a_table),
		cmocka_unit_test(twenty_systems_with_response_times_weigh_little),
		cmocka_unit_test(a_gap_hides_neither_an_incident_nor_a_window),
		cmocka_unit_test(the_first_second_of_a_day_has_the_state_of_the_system),
	};
	int failed = RUN_WITH_ARENA(tests);
	buf_done(&out);
	return failed;
}
