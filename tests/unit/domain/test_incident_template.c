/* Templates of incidents: what a report takes, and the placeholders. */
#include "unit/lib/unit.h"

#include <string.h>

#include "base/str.h"
#include "domain/incident/incident_template.h"

static struct incident_monitor monitors[] = { { .name = "web_1" }, { .name = "2. API [eu]" } };

/* The title and the body that the text makes; `count` monitors, NULL: no cause is known. */
static struct incident_report fill(const char *text, size_t count, const char *cause)
{
	const struct incident incident = { .started_at = { 1772704800 },
					   .monitors = monitors,
					   .monitor_count = count };
	struct incident_report report = { .title = text, .body = text };
	incident_template_fill(&report, FIELD_SET_NONE, &incident, cause, &arena);
	return report;
}

static void placeholders_are_replaced(void **state)
{
	(void)state;
	const struct {
		const char *text;
		size_t count;
		const char *cause;
		const char *title;
		const char *body;
	} cases[] = {
		{ "{system} down", 2, NULL, "web_1, 2. API [eu] down",
		  "web\\_1, 2. API \\[eu\\] down" },
		{ "Since {since}.", 0, NULL, "Since 2026-03-05T10:00:00Z.",
		  "Since 2026-03-05T10:00:00Z." },
		{ "Down {cause}!", 0, "a*b", "Down a*b!", "Down a\\*b!" },
		/* A value that is missing takes one space with it. */
		{ "Down {cause}!", 0, NULL, "Down!", "Down!" },
		{ "Down  {cause} now", 0, NULL, "Down  now", "Down  now" },
		{ "Down({cause})", 0, NULL, "Down()", "Down()" },
		{ "of {system}", 0, NULL, "of", "of" },
		{ "{cause}", 0, NULL, "", "" },
		{ "{system}{since}{cause}", 1, "c", "web_12026-03-05T10:00:00Zc",
		  "web\\_12026-03-05T10:00:00Zc" },
		/* Other braces stay, and a value is not searched for placeholders. */
		{ "{} {System} { system } {{cause}} {cause", 0, "{since}",
		  "{} {System} { system } {{since}} {cause",
		  "{} {System} { system } {{since}} {cause" },
		{ "{cause}", 0, "a\nb\tc", "a b c", "a b c" },
	};
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct incident_report report = fill(cases[i].text, cases[i].count, cases[i].cause);
		assert_string_equal(cases[i].title, report.title);
		assert_string_equal(cases[i].body, report.body);
	}
}

static void a_value_is_text_in_commonmark(void **state)
{
	(void)state;
	const char *cases[][2] = {
		{ "\\`*_[]<>&#~", "\\\\\\`\\*\\_\\[\\]\\<\\>\\&\\#\\~" },
		{ "- item", "\\- item" },
		{ "+ item - x", "\\+ item - x" },
		{ "=== 1.", "\\=== 1." },
		{ "12. item", "12\\. item" },
		{ "7) item", "7\\) item" },
		{ "v1.2 (eu)", "v1.2 (eu)" },
		{ "\xc3\xa4\xe2\x82\xac", "\xc3\xa4\xe2\x82\xac" },
	};
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		assert_string_equal(cases[i][1], fill("{cause}", 0, cases[i][0]).body);
}

/* Whatever is cut is still refused, and is whole characters. */
static void a_long_text_stays_too_long(void **state)
{
	(void)state;
	char cause[4 * INCIDENT_CAUSE_MAX_CHARS + 1] = "",
						  text[12 * INCIDENT_CAUSE_MAX_CHARS + 1] = "";
	for (int i = 0; i < INCIDENT_CAUSE_MAX_CHARS; i++)
		strcat(cause, i % 2 ? "\xf0\x9f\x94\xa5" : "*");
	for (int i = 0; i < INCIDENT_CAUSE_MAX_CHARS; i++)
		strcat(text, "{cause} {cau");
	const char *body = fill(text, 2, cause).body;
	assert_true(str_is_text(str_from(body)));
	assert_true(str_chars(str_from(body)) > INCIDENT_COMMENT_MAX_CHARS);
	assert_true(strlen(body) < 14 * INCIDENT_COMMENT_MAX_CHARS);
	/* The limit itself: a text of the longest characters, and a value behind them. */
	char full[4 * INCIDENT_COMMENT_MAX_CHARS + 16] = "";
	for (int i = 0; i < INCIDENT_COMMENT_MAX_CHARS - 7; i++)
		memcpy(full + 4 * i, "\xf0\x9f\x94\xa5", 5);
	strcat(full, "{cause}");
	assert_int_equal(INCIDENT_COMMENT_MAX_CHARS,
			 str_chars(str_from(fill(full, 0, "1234567").body)));
	assert_true(str_chars(str_from(fill(full, 0, cause).body)) > INCIDENT_COMMENT_MAX_CHARS);
}

static void a_report_takes_what_was_not_sent(void **state)
{
	(void)state;
	int64_t ids[] = { 3, 4 }, own[] = { 5 };
	const struct incident_template row = { .title = "T",
					       .body = "B",
					       .phase = PHASE_IDENTIFIED,
					       .impact = INCIDENT_MAJOR_OUTAGE,
					       .monitor_ids = { ids, 2 } };
	struct incident_report report = { 0 };
	incident_template_apply(&row, &report, FIELD_SET_NONE);
	assert_string_equal("T", report.title);
	assert_string_equal("B", report.body);
	assert_int_equal(PHASE_IDENTIFIED, report.phase);
	assert_int_equal(INCIDENT_MAJOR_OUTAGE, report.impact);
	assert_int_equal(2, report.monitor_ids.count);
	report = (struct incident_report){ .title = "{system}", .monitor_ids = { own, 1 } };
	const struct field_set sent = FIELD_SET(REPORT_SENT_TITLE, REPORT_SENT_MONITORS,
						REPORT_SENT_IMPACT, REPORT_SENT_PHASE,
						REPORT_SENT_BODY);
	incident_template_apply(&row, &report, sent);
	assert_string_equal("{system}", report.title);
	assert_null(report.body);
	assert_int_equal(PHASE_INVESTIGATING, report.phase);
	assert_int_equal(INCIDENT_IMPACT_NONE, report.impact);
	assert_int_equal(5, report.monitor_ids.ids[0]);
	/* What was sent is no template. */
	const struct incident incident = { .monitors = monitors, .monitor_count = 1 };
	incident_template_fill(&report, sent, &incident, NULL, &arena);
	assert_string_equal("{system}", report.title);
	report = (struct incident_report){ .ended_at = { 5 } };
	incident_template_apply(&row, &report, FIELD_SET_NONE);
	assert_int_equal(PHASE_INVESTIGATING, report.phase);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(placeholders_are_replaced),
		cmocka_unit_test(a_value_is_text_in_commonmark),
		cmocka_unit_test(a_long_text_stays_too_long),
		cmocka_unit_test(a_report_takes_what_was_not_sent),
	};
	return RUN_WITH_ARENA(tests);
}
