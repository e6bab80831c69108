/* Incidents that people write: what is stored of them, and what is published. */
#include "integration/lib/service.h"

#include "service/incident/incident_reports.h"
#include "service/incident/incidents.h"
#include "service/previews.h"
#include "store/account/removal.h"
#include "store/incident/incident.h"

#define INDEX "public/s/p/index.html"

static int64_t account, page, one, two;

static void make_page(void)
{
	account = add_account("one");
	page = add_page(account, "p");
	one = add_monitor(account, "web");
	two = add_monitor(account, "mail");
	show_monitor(page, one, 1);
	act_as_key(account);
}

static struct incident_resource report(const char *title, int impact, bool is_notice)
{
	int64_t monitors[] = { two, one }, pages[] = { page };
	const struct incident_report sent = {
		.title = title,
		.monitor_ids = { monitors, is_notice ? 0 : 2 },
		.status_page_ids = { pages, is_notice ? 1 : 0 },
		.impact = impact,
		.phase = PHASE_IDENTIFIED,
		.body = "The body",
		.started_at = at(4, 7),
		.next_update_at = at(6, 0),
	};
	struct incident_resource incident;
	assert_ok(
		service_report_incident(&service, &sent, FIELD_SET(REPORT_SENT_PHASE), &incident));
	return incident;
}

static void a_preview_reads_the_page_and_changes_nothing(void **state)
{
	struct service_preview preview = { .of = PREVIEW_OF_INCIDENT };
	(void)state;
	make_page();
	show_monitor(add_page(account, "q"), two, 1);
	use_caller();
	use_idempotency_key(account, "k", "report");
	service.preview = &preview;
	report("The title", INCIDENT_MAJOR_OUTAGE, false);
	const struct incident_page *pages = preview.pages.rows;
	assert_int_equal(preview.pages.count, 2);
	assert_int_equal(pages[0].id, page);
	assert_string_equal("p", preview.snapshot->page.slug);
	assert_int_equal(preview.snapshot->incident_count, 1);
	assert_int_equal(preview.snapshot->down_count, 1);
	const struct page_incident *shown = &preview.snapshot->incidents[0];
	assert_string_equal("The title", shown->row.title);
	assert_string_equal("The body", shown->updates.rows[0].body);
	assert_int_equal(preview.event_count, 1);
	assert_int_equal(preview.events[0].kind, EVENT_INCIDENT_REPORTED);
	report("Notice", INCIDENT_IMPACT_NONE, true);
	assert_int_equal(preview.pages.count, 1);
	assert_string_equal("Notice", preview.snapshot->incidents[0].row.title);
	assert_rows("0|0|0|0|0",
		    "SELECT (SELECT COUNT(*) FROM incidents), (SELECT COUNT(*) FROM events), "
		    "(SELECT COUNT(*) FROM incident_updates), (SELECT COUNT(*) FROM "
		    "idempotency_keys), (SELECT COUNT(*) FROM incident_months)");
	assert_null(caller.body);
	assert_false(is_published(INDEX));
	/* The key is free for the report. */
	service.preview = NULL;
	report("The title", INCIDENT_MAJOR_OUTAGE, false);
	assert_rows("1|1",
		    "SELECT (SELECT COUNT(*) FROM incidents), (SELECT COUNT(*) FROM events)");
	assert_published(INDEX, "The title");
}

#define MONITORS \
	"SELECT x.position, m.name, x.impact, x.lesser_impact, x.affected_from, " \
	"x.affected_until, " \
	"x.has_outage, x.outage_from, x.outage_until, x.started_at, x.ended_at, x.status " \
	"FROM incident_monitors x LEFT JOIN monitors m ON m.id = x.monitor_id ORDER BY x.position"

static void a_report_has_its_columns(void **state)
{
	(void)state;
	make_page();
	struct incident_resource incident = report("The title", INCIDENT_MAJOR_OUTAGE, false);
	assert_rows(
		"-|The title||The body|2026-03-04 07:00:00|2026-03-05 10:00:00|-|1|3|"
		"2026-03-06 00:00:00|0|-|1",
		"SELECT monitor_id, title, cause, comment, started_at, acknowledged_at, ended_at, "
		"phase, impact, next_update_at, exclude_from_uptime, postmortem, revision "
		"FROM incidents");
	assert_rows("0|mail|3|0|-|-|1|-|-|2026-03-04 07:00:00|-|1\n"
		    "1|web|3|0|-|-|1|-|-|2026-03-04 07:00:00|-|1",
		    MONITORS);
	assert_rows("1|The body|2026-03-04 07:00:00|-",
		    "SELECT phase, body, at, edited_at FROM incident_updates");
	assert_rows("incident.reported|The title", "SELECT kind, detail FROM events");
	assert_rows("mail|2026-03-01|1\nweb|2026-03-01|1",
		    "SELECT m.name, x.month, x.revision FROM incident_months x "
		    "JOIN monitors m ON m.id = x.monitor_id ORDER BY m.name");
	assert_rows("mail|2026-03-04 07:00:00\nweb|2026-03-04 07:00:00",
		    "SELECT name, known_since FROM monitors ORDER BY name");
	/* It is no incident of a monitor: neither in the counts, nor the open one. */
	assert_rows("0", "SELECT COUNT(*) FROM incident_counts");
	assert_rows("-", "SELECT open_monitor_id FROM incidents");
	assert_published(INDEX, "The title");
	assert_int_equal(two, incident.row.monitor_id);
	assert_int_equal(1, incident.updates.count);
}

static void an_update_changes_the_columns_that_it_names(void **state)
{
	(void)state;
	make_page();
	struct incident_resource incident = report("The title", INCIDENT_MAJOR_OUTAGE, false);
	const struct incident_post sent = { .body = "Better",
					    .phase = PHASE_MONITORING,
					    .impact = INCIDENT_PARTIAL_OUTAGE,
					    .monitor_ids = { &one, 1 } };
	struct incident_posting posting;
	assert_ok(service_post_update(
		&service, incident.row.id, &sent,
		FIELD_SET(POST_SENT_PHASE, POST_SENT_IMPACT, POST_SENT_MONITORS), &posting));
	assert_rows("Better|2|3|-|2", "SELECT comment, phase, impact, next_update_at, revision "
				      "FROM incidents");
	assert_rows("0|mail|3|0|-|-|1|-|-|2026-03-04 07:00:00|-|1\n"
		    "1|web|2|2|-|-|1|-|2026-03-05 10:00:00|2026-03-04 07:00:00|-|1",
		    MONITORS);
	/* On the day on which its impact changes it is one incident, too. */
	assert_published(INDEX, "bars");
	assert_null(strstr(published(INDEX), "and 1 more"));
	const struct incident_post end = { .body = "Done", .phase = PHASE_RESOLVED };
	assert_ok(service_post_update(&service, incident.row.id, &end, FIELD_SET(POST_SENT_PHASE),
				      &posting));
	assert_rows("2026-03-05 10:00:00|3", "SELECT ended_at, phase FROM incidents");
	assert_rows("2026-03-05 10:00:00|2\n2026-03-05 10:00:00|2",
		    "SELECT ended_at, status FROM incident_monitors ORDER BY position");
	assert_rows("incident.reported\nincident.update_posted\nincident.update_posted\n"
		    "incident.resolved",
		    "SELECT kind FROM events ORDER BY id");
	assert_rows("2", "SELECT MIN(revision) - 1 FROM incident_months");
}

#define KEPT_COUNTS "SELECT status, total FROM report_counts WHERE total <> 0 ORDER BY status"

static void the_kept_counts_follow_each_change(void **state)
{
	(void)state;
	int64_t wrong;
	bool is_done = false;
	make_page();
	struct incident_resource first = report("First", INCIDENT_MAJOR_OUTAGE, false),
				 second = report("Second", INCIDENT_IMPACT_NONE, true), changed;
	assert_rows("1|2", KEPT_COUNTS);
	const struct incident_post end = { .body = "Done", .phase = PHASE_RESOLVED },
				   again = { .body = "Not yet", .phase = PHASE_MONITORING };
	struct incident_posting posting;
	assert_ok(service_post_update(&service, first.row.id, &end, FIELD_SET(POST_SENT_PHASE),
				      &posting));
	assert_rows("1|1\n2|1", KEPT_COUNTS);
	assert_ok(service_post_update(&service, first.row.id, &again, FIELD_SET(POST_SENT_PHASE),
				      &posting));
	assert_rows("1|2", KEPT_COUNTS);
	const struct incident_update update = { .input = { .ended_at = at(5, 8) },
						.sent = FIELD_SET(INCIDENT_SENT_ENDED) };
	assert_ok(service_update_incident(&service, second.row.id, &update, &changed));
	assert_rows("1|1\n2|1", KEPT_COUNTS);
	assert_ok(service_delete_incident(&service, second.row.id, &changed.row));
	assert_rows("1|1", KEPT_COUNTS);
	/* The last report goes with the last of its monitors. */
	for (int i = 0; i < 4; i++)
		assert_ok(removal_monitor_some(db, i % 2 ? one : two, &is_done, &error));
	assert_rows("", KEPT_COUNTS);
	assert_ok(incident_counts_check(db, &wrong, &error));
	assert_int_equal(0, wrong);
	execute("UPDATE report_counts SET total = 7 WHERE status = 2");
	assert_ok(incident_counts_check(db, &wrong, &error));
	assert_int_equal(1, wrong);
	assert_committed(incident_counts_rebuild(db, &error));
	assert_rows("", KEPT_COUNTS);
}

/* A removed monitor leaves its place empty: no later write may put a monitor in another's row. */
static void a_monitor_is_added_after_another_was_removed(void **state)
{
	bool is_done = false;
	(void)state;
	make_page();
	int64_t three = add_monitor(account, "three"), four = add_monitor(account, "four");
	int64_t monitors[] = { two, three, one };
	const struct incident_report sent = { .title = "t",
					      .monitor_ids = { monitors, 3 },
					      .impact = INCIDENT_MAJOR_OUTAGE };
	struct incident_resource incident;
	struct incident_posting posting;
	assert_ok(service_report_incident(&service, &sent, FIELD_SET_NONE, &incident));
	for (int i = 0; i < 10 && !is_done; i++)
		assert_ok(removal_monitor_some(db, three, &is_done, &error));
	assert_true(is_done);
	const struct incident_post post = { .body = "More",
					    .impact = INCIDENT_PARTIAL_OUTAGE,
					    .monitor_ids = { &four, 1 } };
	assert_ok(service_post_update(&service, incident.row.id, &post,
				      FIELD_SET(POST_SENT_IMPACT, POST_SENT_MONITORS), &posting));
	assert_rows("mail|3\nweb|3\nfour|2",
		    "SELECT m.name, x.impact FROM incident_monitors x "
		    "JOIN monitors m ON m.id = x.monitor_id ORDER BY x.position");
	const struct incident_update degraded = {
		.input = { .impact = INCIDENT_DEGRADED_PERFORMANCE },
		.sent = FIELD_SET(INCIDENT_SENT_IMPACT),
	};
	assert_ok(service_update_incident(&service, incident.row.id, &degraded, &incident));
	assert_rows("mail|1\nweb|1\nfour|1",
		    "SELECT m.name, x.impact FROM incident_monitors x "
		    "JOIN monitors m ON m.id = x.monitor_id ORDER BY x.position");
}

#define PAGES \
	"SELECT month, is_shown, revision, started_at, ends_at FROM incident_pages ORDER BY month"

static void the_month_of_a_notice_only_grows(void **state)
{
	(void)state;
	make_page();
	struct incident_resource incident = report("Notice", INCIDENT_IMPACT_NONE, true);
	assert_rows("0|-|0|0|-|-|0|-|-|2026-03-04 07:00:00|-|1", MONITORS);
	assert_rows("2026-03-01|1|1|2026-03-04 07:00:00|9999-12-31 00:00:00", PAGES);
	const struct incident_update moved = {
		.input = { .started_at = { at(1, 0).s - DAY_S }, .ended_at = at(2, 0) },
		.sent = FIELD_SET(INCIDENT_SENT_STARTED, INCIDENT_SENT_ENDED),
	};
	assert_ok(service_update_incident(&service, incident.row.id, &moved, &incident));
	assert_rows("2026-02-01|1|1|2026-02-28 00:00:00|2026-03-02 00:00:00\n"
		    "2026-03-01|0|2|2026-02-28 00:00:00|2026-03-02 00:00:00",
		    PAGES);
	assert_ok(service_delete_incident(&service, incident.row.id, &incident.row));
	assert_rows("0|0|0", "SELECT (SELECT COUNT(*) FROM incidents), "
			     "(SELECT COUNT(*) FROM incident_monitors), "
			     "(SELECT COUNT(*) FROM incident_updates)");
	/* One row of a month stands for all deleted notices. */
	assert_rows("0|0|2\n0|0|3",
		    "SELECT incident_id, is_shown, revision FROM incident_pages ORDER BY month");
	incident = report("Notice", INCIDENT_IMPACT_NONE, true);
	assert_ok(service_delete_incident(&service, incident.row.id, &incident.row));
	assert_rows("0|0|2\n0|0|5",
		    "SELECT incident_id, is_shown, revision FROM incident_pages ORDER BY month");
}

#define CHANGED "SELECT name, updated_at FROM monitors ORDER BY name"

static void texts_leave_the_systems_as_they_are(void **state)
{
	(void)state;
	make_page();
	struct incident_resource incident = report("Both", INCIDENT_MAJOR_OUTAGE, false);
	assert_rows("mail|2026-03-05 10:00:00\nweb|2026-03-05 10:00:00", CHANGED);
	struct incident_posting posting;
	const struct incident_post text = { .body = "Still down" };
	service.now = at(6, 1);
	assert_ok(service_post_update(&service, incident.row.id, &text, FIELD_SET_NONE, &posting));
	assert_rows("mail|2026-03-05 10:00:00\nweb|2026-03-05 10:00:00", CHANGED);
	int64_t ids[] = { one };
	const struct incident_post better = { .body = "Slow",
					      .impact = INCIDENT_DEGRADED_PERFORMANCE,
					      .monitor_ids = { ids, 1 } };
	service.now = at(6, 2);
	assert_ok(service_post_update(&service, incident.row.id, &better,
				      FIELD_SET(POST_SENT_IMPACT, POST_SENT_MONITORS), &posting));
	assert_rows("mail|2026-03-05 10:00:00\nweb|2026-03-06 02:00:00", CHANGED);
	const struct incident_post end = { .body = "Over", .phase = PHASE_RESOLVED };
	service.now = at(6, 3);
	assert_ok(service_post_update(&service, incident.row.id, &end, FIELD_SET(POST_SENT_PHASE),
				      &posting));
	assert_rows("mail|2026-03-06 03:00:00\nweb|2026-03-06 03:00:00", CHANGED);
}

static void the_list_of_monitors_is_replaced(void **state)
{
	(void)state;
	make_page();
	show_monitor(add_page(account, "q"), two, 1);
	int64_t three = add_monitor(account, "api");
	struct incident_resource incident = report("Both", INCIDENT_PARTIAL_OUTAGE, false);
	int64_t ids[] = { three, one }, unknown[] = { one, 4711 };
	struct incident_update update = { .input = { .monitor_ids = { unknown, 2 } },
					  .sent = FIELD_SET(INCIDENT_SENT_MONITORS) };
	assert_published("public/s/q/index.html", "Both");
	assert_result(E_INVALID,
		      service_update_incident(&service, incident.row.id, &update, &incident));
	assert_true(violations_has(&violations, "monitor_ids.1"));
	violations.count = 0;
	update.input.monitor_ids.ids = ids;
	assert_ok(service_update_incident(&service, incident.row.id, &update, &incident));
	assert_rows("0|api|2|2|-|-|0|-|-|2026-03-04 07:00:00|-|1\n"
		    "1|web|2|2|-|-|0|-|-|2026-03-04 07:00:00|-|1",
		    MONITORS);
	assert_int_equal(three, incident.row.monitor_ids.ids[0]);
	assert_null(strstr(published("public/s/q/index.html"), "Both"));
	assert_published(INDEX, "Both");
	/* Without a page of its own a report needs a monitor. */
	update.input.monitor_ids.count = 0;
	assert_result(E_INVALID,
		      service_update_incident(&service, incident.row.id, &update, &incident));
	assert_true(violations_has(&violations, "monitor_ids"));
}

static void the_pages_that_a_notice_names_are_read(void **state)
{
	(void)state;
	make_page();
	struct incident_resource incident = report("Notice", INCIDENT_IMPACT_NONE, true);
	assert_int_equal(1, incident.row.page_ids.count);
	assert_int_equal(page, incident.row.page_ids.ids[0]);
	incident = report("Both", INCIDENT_PARTIAL_OUTAGE, false);
	assert_int_equal(0, incident.row.page_ids.count);
}

static void an_impact_of_a_detected_incident_holds_from_the_update_on(void **state)
{
	(void)state;
	make_page();
	int64_t id = execute("INSERT INTO incidents (account_id, monitor_id, cause, started_at, "
			     "created_at, updated_at) SELECT account_id, id, 'c', "
			     "'2026-03-05 08:00:00', NOW(), NOW() FROM monitors WHERE id = %ld",
			     (long)one);
	struct incident_posting posting;
	const struct incident_post better = { .body = "Slow",
					      .impact = INCIDENT_DEGRADED_PERFORMANCE,
					      .at = at(5, 9) };
	execute("UPDATE monitors SET known_since = '2026-03-01 00:00:00'");
	assert_ok(
		service_post_update(&service, id, &better, FIELD_SET(POST_SENT_IMPACT), &posting));
	assert_rows("1|1|-|-|1|-|2026-03-05 09:00:00",
		    "SELECT impact, lesser_impact, affected_from, affected_until, has_outage, "
		    "outage_from, outage_until FROM incidents");
	/* An hour of 10 on that day, and of 106 in all. */
	assert_published(INDEX, "99.05");
	/* What is saved otherwise keeps it; a correction is for the whole time. */
	struct incident_resource incident;
	const struct incident_resolution over = { .incident_id = id, .at = at(5, 10) };
	bool is_new;
	assert_ok(service_resolve_incident(&service, &over, &incident.row, &is_new));
	assert_rows("1|2026-03-05 09:00:00|2026-03-05 10:00:00",
		    "SELECT impact, outage_until, ended_at FROM incidents");
	const struct incident_update correction = { .input = { .impact = INCIDENT_MAJOR_OUTAGE },
						    .sent = FIELD_SET(INCIDENT_SENT_IMPACT) };
	assert_ok(service_update_incident(&service, id, &correction, &incident));
	assert_rows("3|0|1|-", "SELECT impact, lesser_impact, has_outage, outage_until "
			       "FROM incidents");
	assert_published(INDEX, "98.11");
}

static void a_report_without_impact_shows_what_monitoring_found(void **state)
{
	(void)state;
	make_page();
	struct incident_resource incident = report("Group", INCIDENT_IMPACT_NONE, false);
	execute("INSERT INTO incidents (account_id, monitor_id, cause, impact, started_at, "
		"created_at, updated_at) SELECT account_id, id, 'c', 2, "
		"'2026-03-05 08:00:00', NOW(), NOW() FROM monitors WHERE id = %ld",
		(long)one);
	assert_ok(
		incident_find(db, account, incident.row.id, false, &arena, &incident.row, &error));
	assert_int_equal(INCIDENT_PARTIAL_OUTAGE, incident_show_impacts(&incident.row));
	assert_int_equal(INCIDENT_IMPACT_NONE, incident.row.monitors[0].shown_impact);
	assert_int_equal(INCIDENT_PARTIAL_OUTAGE, incident.row.monitors[1].shown_impact);
	/* What was read may be sent back: it does not become what people stated. */
	const struct incident_update update = { .input = { .impact = INCIDENT_PARTIAL_OUTAGE },
						.sent = FIELD_SET(INCIDENT_SENT_IMPACT) };
	assert_ok(service_update_incident(&service, incident.row.id, &update, &incident));
	assert_int_equal(INCIDENT_IMPACT_NONE, incident.row.impact);
	/* The same after the end of both, and not once the other one begins later. */
	execute("UPDATE incidents SET ended_at = '2026-03-05 09:00:00'");
	execute("UPDATE incident_monitors SET ended_at = '2026-03-05 08:30:00'");
	assert_ok(
		incident_find(db, account, incident.row.id, false, &arena, &incident.row, &error));
	assert_int_equal(INCIDENT_PARTIAL_OUTAGE, incident_show_impacts(&incident.row));
	execute("UPDATE incident_monitors SET ended_at = '2026-03-05 07:30:00'");
	assert_ok(
		incident_find(db, account, incident.row.id, false, &arena, &incident.row, &error));
	assert_int_equal(INCIDENT_IMPACT_NONE, incident_show_impacts(&incident.row));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		SERVICE_TEST(a_preview_reads_the_page_and_changes_nothing),
		SERVICE_TEST(a_report_has_its_columns),
		SERVICE_TEST(an_update_changes_the_columns_that_it_names),
		SERVICE_TEST(the_kept_counts_follow_each_change),
		SERVICE_TEST(a_monitor_is_added_after_another_was_removed),
		SERVICE_TEST(the_month_of_a_notice_only_grows),
		SERVICE_TEST(texts_leave_the_systems_as_they_are),
		SERVICE_TEST(the_list_of_monitors_is_replaced),
		SERVICE_TEST(the_pages_that_a_notice_names_are_read),
		SERVICE_TEST(an_impact_of_a_detected_incident_holds_from_the_update_on),
		SERVICE_TEST(a_report_without_impact_shows_what_monitoring_found),
	};
	return RUN_ON_DATABASE(tests);
}
