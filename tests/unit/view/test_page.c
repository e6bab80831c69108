/* A page's files, from a view made by hand: what is hostile stays text. */
#include "unit/lib/unit.h"

#include <json-c/json.h>

#include "view/html.h"
#include "view/page.h"

#define HOSTILE "<script>alert(1)</script>\"'&\x01"

static struct buf out = BUF_INIT(PAGE_FILE_MAX_BYTES);

static struct incident open_incident = {
	.id = 7,
	.monitor_name = HOSTILE,
	.cause = HOSTILE,
	.comment = HOSTILE "\nsecond line",
	.started_at = { 1795170000 },
	.updated_at = { 1795170000 },
};
static const struct incident *incidents[] = { &open_incident };

static struct page_view hostile_view(struct page_monitor *monitor)
{
	*monitor = (struct page_monitor){ .id = 3, .name = HOSTILE, .open = &open_incident };
	return (struct page_view){
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
		.incidents = incidents,
		.incident_count = 1,
	};
}

static void nothing_hostile_gets_into_the_markup(void **state)
{
	(void)state;
	struct page_monitor monitor;
	struct page_view view = hostile_view(&monitor);
	void (*const files[])(struct buf *, const struct page_view *, struct arena *) = {
		page_html, page_feed, page_badge,
	};
	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		buf_clear(&out);
		files[i](&out, &view, &arena);
		assert_true(buf_ok(&out));
		assert_null(strstr(out.data, "<script>"));
		assert_null(strstr(out.data, "javascript:"));
		assert_null(strchr(out.data, '\x01'));
		assert_null(strstr(out.data, "b?x=\""));
	}
}

static void noindex_and_state_are_said(void **state)
{
	(void)state;
	struct page_monitor monitor;
	struct page_view view = hostile_view(&monitor);
	buf_clear(&out);
	page_html(&out, &view, &arena);
	assert_non_null(strstr(out.data, "<meta name=\"robots\" content=\"noindex\">"));
	assert_non_null(strstr(out.data, "The system is down"));
	assert_non_null(strstr(out.data, "Not resolved, since <time datetime=\"2026-11-20T10:20:00Z\">"));
	view.monitor_count = view.down_count = view.incident_count = 0;
	view.page.noindex = false;
	buf_clear(&out);
	page_html(&out, &view, &arena);
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
		{ "summary", { "page", "status", "components", "incidents", "scheduled_maintenances" } },
		{ "status", { "page", "status" } },
		{ "components", { "page", "components" } },
		{ "incidents", { "page", "incidents" } },
	};
	struct page_monitor monitor;
	struct page_view view = hostile_view(&monitor);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		buf_clear(&out);
		page_json(&out, &view, rows[i].which, &arena);
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
	struct page_view view = hostile_view(&monitor);
	view.page.custom_css = "</style><script>alert(1)</script>";
	buf_clear(&out);
	page_html(&out, &view, &arena);
	const char *name = page_custom_name(&arena, view.page.custom_css, "css");
	assert_non_null(strstr(out.data, name));
	assert_null(strstr(out.data, "<script>alert"));
	assert_string_not_equal(name, page_custom_name(&arena, "other", "css"));
	assert_null(page_custom_name(&arena, NULL, "css"));
}

static void a_month_names_its_neighbours_and_says_what_it_leaves_out(void **state)
{
	(void)state;
	struct page_monitor monitor;
	struct page_view view = hostile_view(&monitor);
	struct page_month months[] = {
		{ .start = { 1793491200 }, .name = "2026-11" },
		{ .start = { 1790812800 }, .name = "2026-10", .incidents = incidents,
		  .incident_count = 1, .total = 1001 },
		{ .start = { 1788220800 }, .name = "2026-09" },
	};
	view.months = months;
	view.month_count = 3;
	buf_clear(&out);
	page_history(&out, &view, 1, &arena);
	assert_non_null(strstr(out.data, "<a href=\"2026-11.html\">Later: November 2026</a>"));
	assert_non_null(strstr(out.data, "<a href=\"2026-09.html\">Earlier: September 2026</a>"));
	assert_non_null(strstr(out.data, "And 1000 before these."));
	assert_null(strstr(out.data, "<script>"));
	buf_clear(&out);
	page_history(&out, &view, 0, &arena);
	assert_non_null(strstr(out.data, "No incidents."));
	assert_null(strstr(out.data, "Later:"));
}

static void durations_are_for_people(void **state)
{
	(void)state;
	static const struct {
		int64_t seconds;
		const char *words;
	} rows[] = { { 0, "0 s" },	   { 59, "59 s" },	  { 60, "1 min" },
		     { 3599, "59 min" },   { 3660, "1 h 1 min" }, { 86400, "1 day 0 h" },
		     { 180000, "2 days 2 h" } };
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		buf_clear(&out);
		html_duration(&out, rows[i].seconds);
		assert_string_equal(rows[i].words, out.data);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_hostile_gets_into_the_markup),
		cmocka_unit_test(noindex_and_state_are_said),
		cmocka_unit_test(the_documents_are_json_with_their_parts),
		cmocka_unit_test(own_code_is_named_by_what_it_is),
		cmocka_unit_test(a_month_names_its_neighbours_and_says_what_it_leaves_out),
		cmocka_unit_test(durations_are_for_people),
	};
	int failed = RUN_WITH_ARENA(tests);
	buf_done(&out);
	return failed;
}
