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
		cmocka_unit_test(durations_are_for_people),
	};
	int failed = RUN_WITH_ARENA(tests);
	buf_done(&out);
	return failed;
}
