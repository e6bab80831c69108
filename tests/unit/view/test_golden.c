/*
 * All files of a page, byte for byte, as in golden.txt. After a change that is meant, run this
 * program with DAYMARK_GOLDEN=write and look at the difference.
 */
#include "unit/lib/unit.h"

#include <stdio.h>
#include <stdlib.h>

#include "unit/view/samples.h"
#include "view/page.h"
#include "view/service_html.h"
#include "view/words/words.h"

#define GOLDEN_FILE TESTS_DIR "/unit/view/golden.txt"

/* 2026-11-20T12:00:00Z */
#define NOON INT64_C(1795176000)
#define HOUR 3600

static struct buf out = BUF_INIT(PAGE_FILE_MAX_BYTES);

static struct page_monitor monitors[] = {
	{ .id = 1, .name = "Shop & \"Pay\"", .known_since = { NOON - 200 * DAY_S } },
	{ .id = 2,
	  .name = "Mail",
	  .description = "In & out",
	  .known_since = { NOON - 10 * DAY_S } },
	{ .id = 3, .name = "New" },
	{ .id = 4, .name = "Search", .known_since = { NOON - 200 * DAY_S } },
};

static struct page_outage outages[] = {
	{ 1, { { NOON - 2 * HOUR }, { 0 }, INCIDENT_MAJOR_OUTAGE, false } },
	{ 2, { { NOON - 3 * DAY_S }, { NOON - 2 * DAY_S }, INCIDENT_MAJOR_OUTAGE, false } },
	{ 4, { { NOON - 40 * DAY_S }, { NOON - 40 * DAY_S + 90 }, INCIDENT_MAJOR_OUTAGE, false } },
};

/* Two that are open, one that lasted into other days, and more of one day than it shows. */
static struct page_incident recent[2 + 1 + PAGE_DAY_INCIDENTS_MAX + 2] = {
	{ .row = { .id = 100,
		   .monitor_id = 1,
		   .cause = "10.0.0.1 refused",
		   .comment = "We <look>",
		   .started_at = { NOON - 2 * HOUR },
		   .acknowledged_at = { NOON - HOUR },
		   .updated_at = { NOON - HOUR } } },
	{ .row = { .id = 101,
		   .monitor_id = 4,
		   .title = "Slow",
		   .cause = "x",
		   .started_at = { NOON - HOUR },
		   .updated_at = { NOON - HOUR } } },
	{ .row = { .id = 102,
		   .monitor_id = 2,
		   .cause = "y",
		   .started_at = { NOON - 3 * DAY_S },
		   .ended_at = { NOON - 2 * DAY_S },
		   .updated_at = { NOON - 2 * DAY_S } } },
};

static struct page_month months[] = {
	{ .start = { 1793491200 }, .name = "2026-11" },
	{ .start = { 1790812800 }, .name = "2026-10" },
};

static struct page_snapshot make_snapshot(void)
{
	static struct page_incident newest[3], october[1];
	for (size_t i = 3; i < ARRAY_LEN(recent); i++)
		recent[i] = (struct page_incident){
			.row = { .id = 200 + (int64_t)i,
				 .monitor_id = 4,
				 .cause = "",
				 .started_at = { NOON - 5 * DAY_S + (int64_t)i },
				 .ended_at = { NOON - 5 * DAY_S + 60 * (int64_t)i },
				 .updated_at = { NOON - 5 * DAY_S } }
		};
	for (size_t i = 0; i < ARRAY_LEN(recent); i++)
		recent[i].row.impact = INCIDENT_MAJOR_OUTAGE;
	memcpy(newest, recent, sizeof(newest));
	october[0] = recent[2];
	october[0].row.monitor_name = "Mail";
	october[0].row.started_at.s -= 40 * DAY_S;
	october[0].row.ended_at.s -= 40 * DAY_S;
	months[1].incidents = october;
	months[1].incident_count = 1;
	months[1].total = 4;
	struct page_snapshot snapshot = {
		.page = { .id = 1,
			  .name = "Example <Status>",
			  .website_url = "https://example.org/",
			  .contact_url = "mailto:help@example.org",
			  .custom_css = "b{}",
			  .custom_js = "f()",
			  .show_causes = true,
			  .created_at = { NOON - 300 * DAY_S },
			  .updated_at = { NOON - 300 * DAY_S } },
		.now = { NOON },
		.url = "https://s.example/s/x/",
		.monitors = monitors,
		.monitor_count = ARRAY_LEN(monitors),
		.outages = outages,
		.outage_count = ARRAY_LEN(outages),
		.incidents = recent,
		.incident_count = ARRAY_LEN(recent),
		.newest = newest,
		.newest_count = ARRAY_LEN(newest),
		.months = months,
		.month_count = ARRAY_LEN(months),
	};
	page_snapshot_derive(&snapshot, &arena);
	return snapshot;
}

static void put_name(const char *name)
{
	buf_printf(&out, "\n=== %s\n", name);
}

static void print_document(const struct page_snapshot *snapshot, size_t at)
{
	struct page_json_parts parts CLEANUP(page_json_parts_done) = PAGE_JSON_PARTS;
	page_json(&out, snapshot, at, &parts, &arena);
}

static void put_page(void)
{
	struct buf rss CLEANUP(buf_done) = BUF_INIT(PAGE_FILE_MAX_BYTES);
	struct page_snapshot snapshot = make_snapshot();
	put_name("index.html");
	page_html(&out, &snapshot, &arena);
	put_name("2026-10.html");
	page_history(&out, &snapshot, 1, &arena);
	put_name("2026-11.html");
	page_history(&out, &snapshot, 0, &arena);
	page_report_find_months(&snapshot, &arena);
	for (size_t i = 0; i < snapshot.report_count && i < 2; i++) {
		struct page_report report;
		page_report_make(&report, &snapshot, &snapshot.reports[i], &arena);
		put_name(page_report_file(&arena, &snapshot.reports[i], "html"));
		page_report(&out, &snapshot, &report, &snapshot.reports[i], &arena);
		put_name(page_report_file(&arena, &snapshot.reports[i], "csv"));
		page_report_csv(&out, &snapshot, &report, &arena);
	}
	put_name("feed.atom");
	page_feeds(&(struct page_feeds){ &out, &rss }, &snapshot, &arena);
	put_name("badge.svg");
	page_badge(&out, &snapshot, &arena);
	put_name("robots.txt");
	page_robots(&out);
	for (size_t i = 0; page_document(i); i++) {
		put_name(page_document(i));
		print_document(&snapshot, i);
	}
}

/* A page with reported incidents, impacts, updates, groups and maintenance. */
static void put_samples(void)
{
	for (size_t i = 0; i < sample_count; i++) {
		if (strcmp(samples[i].name, "outage") != 0 &&
		    strcmp(samples[i].name, "maintenance-announced") != 0)
			continue;
		struct page_snapshot snapshot = samples[i].make(&arena);
		put_name(arena_printf(&arena, "%s/index.html", samples[i].name));
		page_html(&out, &snapshot, &arena);
		put_name(arena_printf(&arena, "%s/feed.html", samples[i].name));
		page_feed_html(&out, &snapshot, &arena);
		put_name(arena_printf(&arena, "%s/" PAGE_ERROR_FILE, samples[i].name));
		page_error(&out, &snapshot, &arena);
		put_name(arena_printf(&arena, "%s/" PAGE_AWAY_FILE, samples[i].name));
		page_error_away(&out, &snapshot, &arena);
		put_name(arena_printf(&arena, "%s/" PAGE_REFUSED_FILE, samples[i].name));
		page_error_refused(&out, &snapshot, &arena);
		for (size_t j = 0; j < snapshot.incident_count; j++) {
			if (!snapshot.incidents[j].row.postmortem)
				continue;
			put_name(page_incident_path(&snapshot.incidents[j].row, &arena));
			page_incident(&out, &snapshot, &snapshot.incidents[j], &arena);
		}
	}
}

static void put_service(void)
{
	static const int statuses[] = { 400, 405, 408, 413, 415, 422, 429, 500, 503 };
	put_name("password");
	service_password_html(
		&out, words_of_service(),
		&(struct service_password_form){
			.name = "Acme <b>",
			.contact_url = "mailto:help@example.org",
			.problem = words_say(words_of_service(), SAY_WRONG_PASSWORD) },
		&arena);
	put_name("not found");
	service_not_found_html(&out, words_of_service());
	put_name("root");
	service_root_html(&out);
	put_name("list");
	service_list_html(&out, &(struct service_list_entry){ "A", "https://s.example/s/a/" }, 1);
	for (size_t i = 0; i < ARRAY_LEN(statuses); i++) {
		put_name(arena_printf(&arena, "%d", statuses[i]));
		service_failure_html(&out, words_of_service(), statuses[i], NULL,
				     "0123456789abcdef");
	}
}

static const char *read_golden(void)
{
	enum { GOLDEN_MAX_BYTES = 1 << 20 };
	char *text = arena_alloc(&arena, GOLDEN_MAX_BYTES + 1);
	FILE *file = fopen(GOLDEN_FILE, "r");
	assert_non_null(file);
	text[fread(text, 1, GOLDEN_MAX_BYTES, file)] = '\0';
	fclose(file);
	return text;
}

static void write_golden(void)
{
	FILE *file = fopen(GOLDEN_FILE, "w");
	assert_non_null(file);
	assert_int_equal(out.len, fwrite(out.data, 1, out.len, file));
	fclose(file);
}

static void the_files_are_the_golden_ones(void **state)
{
	(void)state;
	const char *mode = getenv("DAYMARK_GOLDEN");
	put_page();
	put_samples();
	put_service();
	assert_true(buf_ok(&out));
	if (mode && strcmp(mode, "write") == 0)
		write_golden();
	const char *golden = read_golden(), *made = out.data;
	size_t line = 1;
	for (; *made && *made == *golden; made++, golden++)
		line += *made == '\n';
	if (*made != *golden)
		fail_msg("line %zu of golden.txt:\n%.80s\nnot:\n%.80s", line, golden, made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_files_are_the_golden_ones),
	};
	int failed = RUN_WITH_ARENA(tests);
	buf_done(&out);
	return failed;
}
