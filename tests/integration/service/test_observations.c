#include "integration/lib/database.h"

#include "store/report_alerts.h"

static const struct incident_actor actor = { "key 7 (test)", { 1772704800 } };

struct place {
	int64_t account, monitor;
};

static struct place place(void)
{
	int64_t account = add_account("one");
	return (struct place){ account, add_monitor(account, "web") };
}

static struct report report_at(struct place place, int day, int hour)
{
	return (struct report){ .account_id = place.account,
				.monitor_id = place.monitor,
				.title = "The title",
				.cause = "The cause",
				.at = at(day, hour) };
}

static struct reported down(struct report report, enum report_outcome outcome)
{
	struct reported reported = { 0 };
	assert_committed(report_down(db, &report, &actor, &arena, &reported, &error));
	assert_int_equal(reported.outcome, outcome);
	return reported;
}

static struct reported up(struct report report, enum report_outcome outcome)
{
	struct reported reported = { 0 };
	assert_committed(report_up(db, &report, &actor, &arena, &reported, &error));
	assert_int_equal(reported.outcome, outcome);
	return reported;
}

#define INCIDENTS \
	"SELECT title, cause, started_at, acknowledged_at, ended_at FROM incidents ORDER BY id"

static void down_opens_and_up_resolves(void **state)
{
	(void)state;
	struct place here = place();
	struct reported opened = down(report_at(here, 5, 1), REPORT_OPENED);
	assert_rows(arena_printf(&arena, "%ld|%ld|%ld", (long)opened.incident_id,
				 (long)here.account, (long)here.monitor),
		    "SELECT id, account_id, monitor_id FROM incidents");
	assert_rows("The title|The cause|2026-03-05 01:00:00|-|-", INCIDENTS);
	struct reported again = down(report_at(here, 5, 1), REPORT_UNCHANGED);
	assert_int_equal(again.incident_id, opened.incident_id);
	struct reported ended = up(report_at(here, 5, 3), REPORT_RESOLVED);
	assert_int_equal(ended.incident_id, opened.incident_id);
	assert_rows("The title|The cause|2026-03-05 01:00:00|-|2026-03-05 03:00:00", INCIDENTS);
	up(report_at(here, 5, 3), REPORT_UNCHANGED);
	assert_rows("opened|key 7 (test)\nresolved|key 7 (test)",
		    "SELECT action, actor FROM incident_events ORDER BY id");
}

static void a_report_older_than_what_is_known_opens_nothing(void **state)
{
	(void)state;
	struct place here = place();
	up(report_at(here, 5, 6), REPORT_UNCHANGED);
	assert_rows("2026-03-05 06:00:00", "SELECT last_up_at FROM monitors");
	down(report_at(here, 5, 4), REPORT_RECORDED);
	assert_rows("The title|The cause|2026-03-05 04:00:00|-|2026-03-05 06:00:00", INCIDENTS);
}

static void a_report_from_far_ahead_is_refused(void **state)
{
	struct reported reported = { 0 };
	(void)state;
	struct report report = report_at(place(), 5, 0);
	report.at.s = select_number("SELECT UNIX_TIMESTAMP() + 86400");
	assert_transaction(E_INVALID, report_down(db, &report, &actor, &arena, &reported, &error));
	assert_transaction(E_INVALID, report_up(db, &report, &actor, &arena, &reported, &error));
	assert_rows("0", "SELECT COUNT(*) FROM incidents");
}

static struct alert_report alert(struct place place, const char *source, int hour, int ended)
{
	struct alert_report alert = { .source = source, .report = report_at(place, 5, hour) };
	if (ended > 0)
		alert.report.ended_at = at(5, ended);
	return alert;
}

static void alerts(struct place place, struct alert_report *rows, size_t count, bool adds_nothing)
{
	const struct alert_reports reports = { .account_id = place.account,
					       .rows = rows,
					       .count = count,
					       .adds_nothing = adds_nothing };
	assert_committed(report_alerts(db, &reports, &actor, &arena, &error));
}

static void alerts_of_a_monitor_share_its_incident(void **state)
{
	(void)state;
	struct place here = place();
	struct alert_report firing[] = { alert(here, "a", 2, 0), alert(here, "b", 1, 0) };
	alerts(here, firing, 2, false);
	assert_rows("The title|The cause|2026-03-05 01:00:00|-|-", INCIDENTS);
	assert_rows("a|-|1\nb|-|1", "SELECT s.source, s.ended_at, s.incident_id = i.id "
				    "FROM incident_sources s JOIN incidents i ORDER BY s.source");
	assert_rows(arena_printf(&arena, "%ld", (long)here.account),
		    "SELECT DISTINCT account_id FROM incident_sources");
	struct alert_report one_ends[] = { alert(here, "b", 1, 9) };
	alerts(here, one_ends, 1, false);
	assert_rows("1", "SELECT COUNT(*) FROM incidents WHERE ended_at IS NULL");
	/* The last of them ends it, at the latest of their ends. */
	struct alert_report other_ends[] = { alert(here, "a", 2, 8) };
	alerts(here, other_ends, 1, false);
	assert_rows("The title|The cause|2026-03-05 01:00:00|-|2026-03-05 09:00:00", INCIDENTS);
	assert_rows("a|2026-03-05 08:00:00\nb|2026-03-05 09:00:00",
		    "SELECT source, ended_at FROM incident_sources ORDER BY source");
	alerts(here, other_ends, 1, false);
	assert_int_equal(other_ends[0].reported.outcome, REPORT_UNCHANGED);
	assert_rows("1", "SELECT COUNT(*) FROM incidents");
}

static void alerts_of_two_monitors_have_an_incident_each(void **state)
{
	(void)state;
	struct place here = place(), there = { here.account, add_monitor(here.account, "mail") };
	struct place nowhere = { here.account, 999999999 };
	struct alert_report rows[] = { alert(there, "t", 3, 0), alert(here, "h", 2, 0),
				       alert(nowhere, "n", 1, 0) };
	alerts(here, rows, 3, false);
	assert_rows("mail|2026-03-05 03:00:00\nweb|2026-03-05 02:00:00",
		    "SELECT m.name, i.started_at FROM incidents i "
		    "JOIN monitors m ON m.id = i.monitor_id ORDER BY m.name");
	assert_true(rows[2].is_gone && !rows[0].is_gone && !rows[1].is_gone);
	assert_int_equal(
		report_alerts_additions(&(struct alert_reports){ .rows = rows, .count = 3 }), 2);
}

static void over_the_quota_alerts_open_nothing(void **state)
{
	(void)state;
	struct place here = place();
	struct alert_report rows[] = { alert(here, "a", 2, 0) };
	alerts(here, rows, 1, true);
	assert_rows("0", "SELECT COUNT(*) FROM incidents");
	assert_int_equal(
		report_alerts_additions(&(struct alert_reports){ .rows = rows, .count = 1 }), 0);
}

static void monitors_are_matched_by_id_and_label(void **state)
{
	struct report_match_list list;
	(void)state;
	struct place here = place();
	int64_t mail = add_monitor(here.account, "mail"), other = add_account("two");
	int64_t theirs = add_monitor(other, "theirs");
	execute("UPDATE monitors SET label = 'instance=x' WHERE id <> %ld", (long)mail);
	execute("UPDATE monitors SET label = 'instance=mail' WHERE id = %ld", (long)mail);
	const char *json = arena_printf(&arena,
					"[\"%ld\",\"instance=mail\",\"%ld\",\"Instance=x\"]",
					(long)here.monitor, (long)theirs);
	assert_ok(report_match(db, here.account, json, &arena, &list, &error));
	assert_int_equal(list.count, 2);
	for (size_t i = 0; i < list.count; i++) {
		bool is_label = strcmp(list.rows[i].key, "instance=mail") == 0;
		assert_int_equal(list.rows[i].monitor_id, is_label ? mail : here.monitor);
	}
	assert_string_not_equal(list.rows[0].key, list.rows[1].key);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		DATABASE_TEST(down_opens_and_up_resolves),
		DATABASE_TEST(a_report_older_than_what_is_known_opens_nothing),
		DATABASE_TEST(a_report_from_far_ahead_is_refused),
		DATABASE_TEST(alerts_of_a_monitor_share_its_incident),
		DATABASE_TEST(alerts_of_two_monitors_have_an_incident_each),
		DATABASE_TEST(over_the_quota_alerts_open_nothing),
		DATABASE_TEST(monitors_are_matched_by_id_and_label),
	};
	return RUN_ON_DATABASE(tests);
}
