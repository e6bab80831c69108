/* A page's files, from snapshots made by hand: hostile texts stay texts. */
#include "unit/lib/unit.h"

#include <json-c/json.h>

#include "base/bidi.h"
#include "view/html.h"
#include "view/page.h"
#include "view/words/page_words.h"

#define HOSTILE "<script>alert(1)</script>\"'&\x01"

static struct buf out = BUF_INIT(PAGE_FILE_MAX_BYTES);

static void print_document(const struct page_snapshot *snapshot, size_t at)
{
	struct page_json_parts parts CLEANUP(page_json_parts_done) = PAGE_JSON_PARTS;
	page_json(&out, snapshot, at, &parts, &arena);
}

static struct page_incident open_incident = { .row = {
						      .id = 7,
						      .monitor_name = HOSTILE,
						      .cause = HOSTILE,
						      .comment = HOSTILE "\nsecond line",
						      .impact = INCIDENT_MAJOR_OUTAGE,
						      .started_at = { 1795170000 },
						      .updated_at = { 1795170000 },
					      } };

static struct page_snapshot hostile_snapshot(struct page_monitor *monitor)
{
	*monitor = (struct page_monitor){ .id = 3,
					  .name = HOSTILE,
					  .description = HOSTILE,
					  .open = &open_incident.row,
					  .impact = INCIDENT_MAJOR_OUTAGE };
	return (struct page_snapshot){
		.page = {
			.id = 1,
			.name = HOSTILE,
			.website_url = "javascript:alert(1)",
			.contact_url = "mailto:a@b?x=\"",
			.meta_title = HOSTILE,
			.meta_description = HOSTILE,
			.noindex = true,
		},
		.now = { 1795176000 },
		.url = "https://s.example/s/x/",
		.monitors = monitor,
		.monitor_count = 1,
		.down_count = 1,
		.incidents = &open_incident,
		.incident_count = 1,
	};
}

static void print_feed(struct buf *atom, const struct page_snapshot *snapshot, struct arena *memory)
{
	struct buf rss CLEANUP(buf_done) = BUF_INIT(PAGE_FILE_MAX_BYTES);
	page_feeds(&(struct page_feeds){ atom, &rss }, snapshot, memory);
}

static void nothing_hostile_gets_into_the_markup(void **state)
{
	(void)state;
	struct page_monitor monitor;
	struct page_snapshot snapshot = hostile_snapshot(&monitor);
	void (*const files[])(struct buf *, const struct page_snapshot *, struct arena *) = {
		page_html,
		print_feed,
		page_badge,
	};
	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		buf_clear(&out);
		files[i](&out, &snapshot, &arena);
		assert_true(buf_ok(&out));
		assert_null(strstr(out.data, "<script>"));
		assert_null(strstr(out.data, "javascript:"));
		assert_null(strchr(out.data, '\x01'));
		assert_null(strstr(out.data, "b?x=\""));
	}
}

#define RLO "\xe2\x80\xae"
#define PDF "\xe2\x80\xac"
#define RLI "\xe2\x81\xa7"
#define FSI "\xe2\x81\xa8"
#define PDI "\xe2\x81\xa9"

/* What of these has begun and not ended at each delimiter would reorder what stands behind it. */
static void check_directions(const char *text, const char *delimiters)
{
	int begun = 0;
	for (const char *at = text; *at; at++) {
		bool begins = strncmp(at, RLO, 3) == 0 || strncmp(at, RLI, 3) == 0 ||
			      strncmp(at, FSI, 3) == 0;
		begun += begins;
		begun -= strncmp(at, PDF, 3) == 0 || strncmp(at, PDI, 3) == 0;
		if (begun < 0 || (begun > 0 && strchr(delimiters, *at)))
			fail_msg("%.*s", 80, at - text > 60 ? at - 60 : text);
	}
}

static void put_pages_and_badges(const struct page_snapshot *snapshot)
{
	struct buf badges CLEANUP(buf_done) = BUF_INIT(PAGE_FILE_MAX_BYTES);
	static const char *const names[] = { "badge-3.svg", "uptime-3.svg" };
	page_html(&out, snapshot, &arena);
	page_incident(&out, snapshot, snapshot->incidents, &arena);
	page_maintenance(&out, snapshot, snapshot->maintenances, &arena);
	page_badge(&out, snapshot, &arena);
	page_badges(&badges, snapshot, &arena);
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		assert_true(page_badge_of_system(&out, (struct str){ badges.data, badges.len },
						 names[i], &arena));
}

static void check_files(const struct page_snapshot *snapshot, const char *name)
{
	buf_clear(&out);
	put_pages_and_badges(snapshot);
	assert_non_null(strstr(
		out.data, arena_printf(&arena, "<h2 id=\"state\">" FSI "%s" PDI " is down</h2>",
				       bidi_closed(name, &arena))));
	check_directions(out.data, "<\"&");
	buf_clear(&out);
	print_feed(&out, snapshot, &arena);
	check_directions(out.data, "<\"&");
	buf_clear(&out);
	page_calendar(&out, snapshot, &arena);
	check_directions(out.data, "\n");
	buf_clear(&out);
	print_document(snapshot, 0);
	const char *status = strstr(out.data, "\"description\":");
	assert_non_null(status);
	check_directions(arena_strndup(&arena, status, strcspn(status, "}") + 1), "}");
	/* A name alone stays as it is for programs. */
	assert_non_null(strstr(out.data, arena_printf(&arena, "\"name\":\"%s\"", name)));
}

static void names_reorder_nothing_beside_them(void **state)
{
	(void)state;
	static const char *const names[] = { RLO "cba", RLI "cba", "a" PDI "b", RLI RLO PDF PDF "c",
					     "\xd7\x90 1" };
	for (size_t i = 0; i < 2 * ARRAY_LEN(names); i++) {
		const char *name = names[i / 2];
		struct page_monitor monitor;
		struct page_snapshot snapshot = hostile_snapshot(&monitor);
		struct incident_monitor covered = { .id = 3, .name = name };
		struct posted_update post = { 9, PHASE_IDENTIFIED, "text", { 1795170000 } };
		struct page_incident incident = open_incident;
		struct page_maintenance window = { .title = name,
						   .status = PHASE_IN_PROGRESS,
						   .monitors = &covered,
						   .monitor_count = 1 };
		snapshot.page.name = name;
		snapshot.page.meta_title = snapshot.page.meta_description = NULL;
		monitor.name = monitor.group = monitor.description = name;
		monitor.open = &incident.row;
		incident.row.monitor_name = incident.row.title = name;
		incident.row.comment = NULL;
		incident.row.kind = i % 2 ? INCIDENT_REPORTED : INCIDENT_DETECTED;
		incident.row.monitors = &covered;
		incident.row.monitor_count = 1;
		incident.updates = (struct posted_updates){ &post, 1 };
		snapshot.incidents = &incident;
		snapshot.maintenances = &window;
		snapshot.maintenance_count = 1;
		check_files(&snapshot, name);
	}
}

static void noindex_and_state_are_said(void **state)
{
	(void)state;
	struct page_monitor monitor;
	struct page_snapshot snapshot = hostile_snapshot(&monitor);
	buf_clear(&out);
	page_html(&out, &snapshot, &arena);
	assert_non_null(strstr(out.data, "<meta name=\"robots\" content=\"noindex\">"));
	assert_non_null(strstr(out.data, "&quot;'&amp;  is down</h2>"));
	assert_non_null(strstr(out.data, "Ongoing since <time datetime=\"2026-11-20T10:20:00Z\">"));
	snapshot.monitor_count = snapshot.down_count = snapshot.incident_count = 0;
	snapshot.page.noindex = false;
	buf_clear(&out);
	page_html(&out, &snapshot, &arena);
	assert_null(strstr(out.data, "noindex"));
	assert_non_null(strstr(out.data, "No systems are shown yet"));
}

static void the_documents_are_json_with_their_parts(void **state)
{
	(void)state;
	static const struct {
		const char *which;
		const char *parts[5];
	} rows[] = {
		{ "summary",
		  { "page", "status", "components", "incidents", "scheduled_maintenances" } },
		{ "status", { "page", "status" } },
		{ "components", { "page", "components" } },
		{ "incidents", { "page", "incidents" } },
		{ "unresolved", { "page", "incidents" } },
		{ "scheduled-maintenances", { "page", "scheduled_maintenances" } },
		{ "upcoming", { "page", "scheduled_maintenances" } },
		{ "active", { "page", "scheduled_maintenances" } },
	};
	assert_null(page_document(ARRAY_LEN(rows)));
	struct page_monitor monitor;
	struct page_snapshot snapshot = hostile_snapshot(&monitor);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		assert_string_equal(rows[i].which, page_document(i));
		buf_clear(&out);
		print_document(&snapshot, i);
		struct json_object *root = json_tokener_parse(out.data);
		assert_non_null(root);
		size_t parts = 0;
		while (parts < 5 && rows[i].parts[parts])
			assert_true(json_object_object_get_ex(root, rows[i].parts[parts++], NULL));
		assert_int_equal(parts, json_object_object_length(root));
		json_object_put(root);
	}
}

static void own_code_is_named_by_what_it_is(void **state)
{
	(void)state;
	struct page_monitor monitor;
	struct page_snapshot snapshot = hostile_snapshot(&monitor);
	snapshot.page.custom_css = "</style><script>alert(1)</script>";
	buf_clear(&out);
	page_html(&out, &snapshot, &arena);
	const char *name = page_custom_name(&arena, snapshot.page.custom_css, "css");
	assert_non_null(strstr(out.data, name));
	assert_null(strstr(out.data, "<script>alert"));
	assert_string_not_equal(name, page_custom_name(&arena, "other", "css"));
	assert_null(page_custom_name(&arena, NULL, "css"));
}

static void a_month_names_its_neighbours_and_says_what_it_leaves_out(void **state)
{
	(void)state;
	struct page_monitor monitor;
	struct page_snapshot snapshot = hostile_snapshot(&monitor);
	struct page_month months[] = {
		{ .start = { 1793491200 }, .name = "2026-11" },
		{ .start = { 1790812800 },
		  .name = "2026-10",
		  .incidents = &open_incident,
		  .incident_count = 1,
		  .total = 1001 },
		{ .start = { 1788220800 }, .name = "2026-09" },
	};
	snapshot.months = months;
	snapshot.month_count = 3;
	buf_clear(&out);
	page_history(&out, &snapshot, 1, &arena);
	assert_non_null(strstr(out.data, "<a href=\"2026-11.html\">Later: November 2026</a>"));
	assert_non_null(strstr(out.data, "<a href=\"2026-09.html\">Earlier: September 2026</a>"));
	assert_non_null(strstr(out.data, "And 1000 before these."));
	assert_null(strstr(out.data, "<script>"));
	buf_clear(&out);
	page_history(&out, &snapshot, 0, &arena);
	assert_non_null(strstr(out.data, "No incidents."));
	assert_null(strstr(out.data, "Later:"));
}

/* A page of so many systems at noon of 2026-11-20, of which the first `down` are down. */
#define NOON	 INT64_C(1795176000)
#define MIDNIGHT (NOON - 43200)

static struct page_monitor systems[200];
static struct page_incident outage = { .row = { .id = 9,
						.monitor_name = "Checkout",
						.cause = "10.0.0.7: refused",
						.impact = INCIDENT_MAJOR_OUTAGE,
						.started_at = { NOON - 7200 },
						.updated_at = { NOON - 7200 } } };

static struct page_snapshot snapshot_of(size_t count, size_t down)
{
	for (size_t i = 0; i < count; i++)
		systems[i] =
			(struct page_monitor){ .id = (int64_t)i + 1,
					       .name = "Checkout",
					       .known_since = { NOON - 200 * DAY_S },
					       .open = i < down ? &outage.row : NULL,
					       .impact = i < down ? INCIDENT_MAJOR_OUTAGE : 0 };
	struct page_snapshot snapshot = {
		.page = { .id = 1, .name = "Shop", .created_at = { NOON } },
		.now = { NOON },
		.url = "https://s.example/s/x/",
		.monitors = systems,
		.monitor_count = count,
		.down_count = down,
	};
	page_snapshot_set_calendar(&snapshot);
	return snapshot;
}

static const char *html_of(const struct page_snapshot *snapshot)
{
	buf_clear(&out);
	page_html(&out, snapshot, &arena);
	return out.data;
}

static void the_indicator_is_by_how_many_systems_are_affected(void **state)
{
	(void)state;
	static const struct {
		size_t count, down;
		const char *impact;
	} rows[] = { { 0, 0, "none" },	   { 5, 0, "none" },	 { 1, 1, "critical" },
		     { 2, 1, "critical" }, { 3, 1, "major" },	 { 10, 1, "major" },
		     { 11, 1, "minor" },   { 200, 1, "minor" },	 { 200, 19, "minor" },
		     { 200, 20, "major" }, { 200, 99, "major" }, { 200, 100, "critical" } };
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct page_snapshot snapshot = snapshot_of(rows[i].count, rows[i].down);
		buf_clear(&out);
		print_document(&snapshot, 1);
		assert_non_null(strstr(
			out.data, arena_printf(&arena, "\"indicator\":\"%s\"", rows[i].impact)));
	}
}

/* An impact that changed is several outages, of one incident. */
static void a_day_counts_an_incident_once(void **state)
{
	(void)state;
	struct page_outage parts[] = {
		{ 1, { { NOON - DAY_S }, { NOON - 7200 }, INCIDENT_PARTIAL_OUTAGE, false }, true },
		{ 1, { { NOON - 7200 }, { NOON - 3600 }, INCIDENT_MAJOR_OUTAGE, false }, true },
		{ 1, { { NOON - 3600 }, { NOON - 60 }, INCIDENT_PARTIAL_OUTAGE, false }, true },
	};
	for (int is_rest = 0; is_rest <= 1; is_rest++) {
		struct page_snapshot snapshot = snapshot_of(1, 0);
		parts[1].is_rest = parts[2].is_rest = is_rest;
		snapshot.outages = parts;
		snapshot.outage_count = ARRAY_LEN(parts);
		page_snapshot_derive(&snapshot, &arena);
		const char *html = html_of(&snapshot);
		assert_non_null(strstr(html, "partly down for 12 h, 1 incident<"));
		assert_non_null(strstr(
			html, is_rest ? "down for 1 h, partly down for 10 h 59 min, 1 incident<"
				      : "down for 1 h, partly down for 10 h 59 min, 3 incidents<"));
	}
}

static void a_system_without_data_is_not_operational(void **state)
{
	(void)state;
	struct page_snapshot snapshot = snapshot_of(2, 0);
	systems[1].known_since.s = 0;
	snapshot.no_data_count = 1;
	assert_non_null(strstr(html_of(&snapshot), "All systems with data operational"));
	assert_non_null(strstr(out.data, ">No data<"));
	systems[0].known_since.s = 0;
	snapshot.no_data_count = 2;
	assert_non_null(strstr(html_of(&snapshot), "No data yet"));
	assert_null(strstr(out.data, "perational"));
	buf_clear(&out);
	print_document(&snapshot, 2);
	assert_non_null(strstr(out.data, "\"status\":\"\""));
	assert_non_null(strstr(out.data, "\"start_date\":null"));
	assert_null(strstr(out.data, "operational"));
	buf_clear(&out);
	page_badge(&out, &snapshot, &arena);
	assert_null(strstr(out.data, "#1a7f37"));
}

static void a_percentage_states_the_start_of_its_period(void **state)
{
	(void)state;
	struct page_snapshot snapshot = snapshot_of(1, 0);
	struct uptime_interval hour = {
		{ NOON - 7200 }, { NOON - 3600 }, INCIDENT_MAJOR_OUTAGE, false
	};
	/* 26 hours of record: 96.15 % of them */
	systems[0].known_since.s = NOON - 26 * 3600;
	uptime_fill(&hour, 1, systems[0].known_since, snapshot.now, &snapshot.calendar,
		    systems[0].days);
	assert_non_null(strstr(html_of(&snapshot), "96.15 % uptime since 19 Nov 2026"));
	assert_null(strstr(out.data, "in 90 days"));
	buf_clear(&out);
	print_document(&snapshot, 2);
	assert_non_null(strstr(out.data, "\"start_date\":\"2026-11-19\""));
	systems[0].known_since.s = NOON - 200 * DAY_S;
	uptime_fill(&hour, 1, systems[0].known_since, snapshot.now, &snapshot.calendar,
		    systems[0].days);
	assert_non_null(strstr(html_of(&snapshot), "99.95 % uptime in 90 days"));
}

static void a_cause_is_shown_only_where_the_page_shows_causes(void **state)
{
	(void)state;
	struct page_snapshot snapshot = snapshot_of(1, 1);
	struct page_incident titled = outage;
	void (*const files[])(struct buf *, const struct page_snapshot *,
			      struct arena *) = { page_html, print_feed };
	snapshot.incidents = snapshot.newest = &outage;
	snapshot.incident_count = snapshot.newest_count = 1;
	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		buf_clear(&out);
		files[i](&out, &snapshot, &arena);
		assert_null(strstr(out.data, "10.0.0.7"));
		assert_non_null(strstr(out.data, "Checkout is down"));
	}
	for (size_t i = 0; page_document(i); i++) {
		buf_clear(&out);
		print_document(&snapshot, i);
		assert_null(strstr(out.data, "10.0.0.7"));
	}
	snapshot.page.show_causes = true;
	assert_non_null(strstr(html_of(&snapshot), "Checkout: 10.0.0.7: refused"));
	titled.row.title = "Payments fail";
	snapshot.incidents = &titled;
	assert_non_null(strstr(html_of(&snapshot), "Checkout: Payments fail"));
}

static void each_day_that_an_incident_touches_names_it(void **state)
{
	(void)state;
	struct page_snapshot snapshot = snapshot_of(1, 0);
	struct page_incident past = outage;
	past.row.started_at.s = MIDNIGHT - 3 * DAY_S + 3600;
	past.row.ended_at.s = MIDNIGHT - DAY_S + 60;
	snapshot.incidents = &past;
	snapshot.incident_count = 1;
	assert_non_null(strstr(html_of(&snapshot),
			       "<h3 id=\"day-2026-11-17\">17 Nov 2026</h3>\n<ul class=\"log\">\n"
			       "<li class=\"down\" id=\"incident-9\">"));
	assert_non_null(strstr(out.data,
			       ">18 Nov 2026</h3>\n<ul class=\"log\">\n<li class=\"also\">"
			       "<a dir=\"auto\" href=\"incidents/9\">Checkout was down</a> "
			       "began on 17 Nov 2026, and went on."));
	assert_non_null(strstr(
		out.data, "Checkout was down</a> began on 17 Nov 2026, and ended on this day."));
	assert_non_null(strstr(out.data, "<p class=\"quiet\">20 Nov 2026: no incidents</p>"));
	assert_non_null(strstr(out.data, "<p class=\"quiet\">7 to 16 Nov 2026: no incidents</p>"));
	assert_null(strstr(out.data, "17 Nov 2026: no"));
	/* It ended at midnight: the day after has none of it. */
	past.row.ended_at.s = MIDNIGHT;
	assert_non_null(strstr(html_of(&snapshot), ">20 Nov 2026: no incidents</p>"));
	assert_non_null(strstr(out.data, "<h3 id=\"day-2026-11-19\">"));
	/* It began before the days that are shown. */
	past.row.started_at.s = MIDNIGHT - 40 * DAY_S;
	past.row.ended_at.s = MIDNIGHT - 12 * DAY_S;
	assert_non_null(strstr(html_of(&snapshot), "7 Nov 2026</h3>\n<ul class=\"log\">\n"
						   "<li class=\"down\" id=\"incident-9\">"));
	assert_non_null(strstr(out.data, ">8 to 20 Nov 2026: no incidents</p>"));
}

/* The title is not known: the day leads to the month, also where the incident went on. */
static void an_incident_without_its_texts_is_not_named(void **state)
{
	(void)state;
	struct page_snapshot snapshot = snapshot_of(1, 0);
	struct page_incident past[2] = { outage, outage };
	past[0].row.id = 10;
	past[0].row.title = "Payments fail";
	for (size_t i = 0; i < 2; i++) {
		past[i].row.started_at.s = MIDNIGHT - 3 * DAY_S + 3600;
		past[i].row.ended_at.s = MIDNIGHT - 2 * DAY_S + 60;
	}
	past[1].lacks_texts = true;
	snapshot.incidents = past;
	snapshot.incident_count = 2;
	assert_non_null(strstr(html_of(&snapshot), "Checkout: Payments fail</a></strong>"));
	assert_non_null(strstr(out.data, "Checkout: Payments fail</a> began on 17 Nov 2026"));
	assert_null(strstr(out.data, "Checkout was down"));
	const char *first = strstr(out.data, "<a href=\"2026-11.html\">1 more</a></li>");
	assert_non_null(first);
	assert_non_null(strstr(first + 1, "<a href=\"2026-11.html\">1 more</a></li>"));
}

static void being_worked_on_has_a_time_of_its_own(void **state)
{
	(void)state;
	struct page_snapshot snapshot = snapshot_of(1, 1);
	struct page_incident acknowledged = outage;
	acknowledged.row.acknowledged_at.s = NOON - 600;
	snapshot.incidents = &acknowledged;
	snapshot.incident_count = 1;
	assert_non_null(strstr(html_of(&snapshot),
			       "Ongoing since <time datetime=\"2026-11-20T10:00:00Z\">20 Nov 2026, "
			       "10:00 UTC</time>, for more than <span class=\"len\">2 h</span>. "
			       "Being worked on since "
			       "<time datetime=\"2026-11-20T11:50:00Z\">"));
}

static void ids_of_the_feed_stay_when_the_address_changes(void **state)
{
	(void)state;
	struct page_snapshot snapshot = snapshot_of(1, 0);
	snapshot.newest = &outage;
	snapshot.newest_count = 1;
	buf_clear(&out);
	print_feed(&out, &snapshot, &arena);
	char *first = arena_strdup(&arena, out.data);
	snapshot.url = "/s/other/";
	buf_clear(&out);
	print_feed(&out, &snapshot, &arena);
	const char *a = first, *b = out.data;
	int count = 0;
	while ((a = strstr(a, "<id>")) && (b = strstr(b, "<id>"))) {
		assert_memory_equal("<id>urn:uuid:", a, 13);
		assert_memory_equal(a, b, 13 + 36 + 5);
		assert_int_equal('8', a[13 + 14]);
		a++;
		b++;
		count++;
	}
	assert_int_equal(2, count);
	assert_non_null(strstr(out.data, "href=\"/s/other/incidents/9\""));
}

static void a_page_is_due_at_midnight_and_while_an_incident_is_open(void **state)
{
	(void)state;
	struct page_snapshot snapshot = snapshot_of(2, 0);
	assert_int_equal(MIDNIGHT + DAY_S, page_snapshot_due(&snapshot).s);
	snapshot.monitors[0].open = &outage.row;
	assert_int_equal(NOON + 900, page_snapshot_due(&snapshot).s);
	outage.row.started_at.s = NOON - 3599;
	assert_int_equal(NOON + 180, page_snapshot_due(&snapshot).s);
	snapshot.now.s = MIDNIGHT + DAY_S - 60;
	assert_int_equal(MIDNIGHT + DAY_S, page_snapshot_due(&snapshot).s);
	outage.row.started_at.s = NOON - 7200;
}

static void durations_are_for_people(void **state)
{
	(void)state;
	static const struct {
		int64_t seconds;
		const char *words;
	} rows[] = { { 0, "0 s" },	 { 59, "59 s" },	  { 60, "1 min" },
		     { 3599, "59 min" }, { 3660, "1 h 1 min" },	  { 7200, "2 h" },
		     { 86400, "1 day" }, { 180000, "2 days 2 h" } };
	struct locale locale = { words_of_service(), zone_utc() };
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		assert_string_equal(rows[i].words, html_duration(&locale, rows[i].seconds, &arena));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_hostile_gets_into_the_markup),
		cmocka_unit_test(names_reorder_nothing_beside_them),
		cmocka_unit_test(noindex_and_state_are_said),
		cmocka_unit_test(the_documents_are_json_with_their_parts),
		cmocka_unit_test(own_code_is_named_by_what_it_is),
		cmocka_unit_test(a_month_names_its_neighbours_and_says_what_it_leaves_out),
		cmocka_unit_test(the_indicator_is_by_how_many_systems_are_affected),
		cmocka_unit_test(a_day_counts_an_incident_once),
		cmocka_unit_test(a_system_without_data_is_not_operational),
		cmocka_unit_test(a_percentage_states_the_start_of_its_period),
		cmocka_unit_test(a_cause_is_shown_only_where_the_page_shows_causes),
		cmocka_unit_test(each_day_that_an_incident_touches_names_it),
		cmocka_unit_test(an_incident_without_its_texts_is_not_named),
		cmocka_unit_test(being_worked_on_has_a_time_of_its_own),
		cmocka_unit_test(ids_of_the_feed_stay_when_the_address_changes),
		cmocka_unit_test(a_page_is_due_at_midnight_and_while_an_incident_is_open),
		cmocka_unit_test(durations_are_for_people),
	};
	int failed = RUN_WITH_ARENA(tests);
	buf_done(&out);
	return failed;
}
