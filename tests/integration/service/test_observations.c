#include "integration/lib/service.h"

#include "service/incident/observations.h"
#include "store/monitor/monitor_match.h"

struct place {
	int64_t account, monitor;
};

/* A monitor that the page "p" shows; the principal is a key of its account. */
static struct place place(void)
{
	int64_t account = add_account("one"), monitor = add_monitor(account, "web");
	show_monitor(add_page(account, "p"), monitor, 1);
	act_as_key(account);
	return (struct place){ account, monitor };
}

static struct observation observation_at(struct place place, int day, int hour)
{
	return (struct observation){ .account_id = place.account,
				     .monitor_id = place.monitor,
				     .title = "The title",
				     .cause = "The cause",
				     .at = at(day, hour) };
}

static struct observed observe(enum observed_state state, struct observation observation,
			       enum observation_outcome outcome)
{
	struct observed observed = { 0 };
	assert_ok(service_observe(&service, state, &observation, &observed));
	assert_int_equal(observed.outcome, outcome);
	assert_int_equal(observed.monitor_id, observation.monitor_id);
	return observed;
}

static struct observed down(struct observation observation, enum observation_outcome outcome)
{
	return observe(OBSERVED_DOWN, observation, outcome);
}

static struct observed up(struct observation observation, enum observation_outcome outcome)
{
	return observe(OBSERVED_UP, observation, outcome);
}

#define INCIDENTS \
	"SELECT title, cause, started_at, acknowledged_at, ended_at FROM incidents ORDER BY id"
#define INDEX "public/s/p/index.html"

static void down_opens_and_up_resolves(void **state)
{
	(void)state;
	struct place here = place();
	struct observed opened = down(observation_at(here, 5, 1), OBSERVATION_OPENED);
	assert_one_event(here.account, "incident.opened", opened.incident_id, here.monitor,
			 "The cause");
	assert_published(INDEX, "The title");
	assert_rows(arena_printf(&arena, "%ld|%ld|%ld", (long)opened.incident_id,
				 (long)here.account, (long)here.monitor),
		    "SELECT id, account_id, monitor_id FROM incidents");
	assert_rows("The title|The cause|2026-03-05 01:00:00|-|-", INCIDENTS);
	forget_events();
	struct observed again = down(observation_at(here, 5, 1), OBSERVATION_UNCHANGED);
	assert_int_equal(again.incident_id, opened.incident_id);
	assert_string_equal(events(), "");
	struct observed ended = up(observation_at(here, 5, 3), OBSERVATION_RESOLVED);
	assert_int_equal(ended.incident_id, opened.incident_id);
	assert_one_event(here.account, "incident.resolved", opened.incident_id, here.monitor, NULL);
	assert_rows("The title|The cause|2026-03-05 01:00:00|-|2026-03-05 03:00:00", INCIDENTS);
	up(observation_at(here, 5, 3), OBSERVATION_UNCHANGED);
	assert_rows("1", "SELECT COUNT(*) FROM events");
	assert_rows("1", "SELECT unpublished_since IS NULL FROM page_revisions");
}

static void an_observation_that_says_nothing_new_is_published(void **state)
{
	(void)state;
	struct place here = place();
	down(observation_at(here, 5, 1), OBSERVATION_OPENED);
	unpublish("p");
	down(observation_at(here, 5, 1), OBSERVATION_UNCHANGED);
	assert_published(INDEX, "The title");
}

static void an_observation_older_than_what_is_known_opens_nothing(void **state)
{
	(void)state;
	struct place here = place();
	up(observation_at(here, 5, 6), OBSERVATION_UNCHANGED);
	assert_rows("2026-03-05 06:00:00|2026-03-05 06:00:00",
		    "SELECT last_up_at, known_since FROM monitors");
	struct observed recorded = down(observation_at(here, 5, 4), OBSERVATION_RECORDED);
	assert_rows("The title|The cause|2026-03-05 04:00:00|-|2026-03-05 06:00:00", INCIDENTS);
	assert_one_event(here.account, "incident.recorded", recorded.incident_id, here.monitor,
			 "The cause");
	up(observation_at(here, 5, 5), OBSERVATION_UNCHANGED);
	assert_rows("2026-03-05 06:00:00|2026-03-05 04:00:00",
		    "SELECT last_up_at, known_since FROM monitors");
}

static void an_earlier_start_backdates_the_open_incident(void **state)
{
	(void)state;
	struct place here = place();
	struct observed opened = down(observation_at(here, 5, 4), OBSERVATION_OPENED);
	forget_events();
	struct observed again = down(observation_at(here, 5, 2), OBSERVATION_UNCHANGED);
	assert_int_equal(again.incident_id, opened.incident_id);
	assert_rows("The title|The cause|2026-03-05 02:00:00|-|-", INCIDENTS);
	assert_one_event(here.account, "incident.backdated", opened.incident_id, here.monitor,
			 NULL);
}

static void an_incident_is_not_backdated_into_the_one_before(void **state)
{
	(void)state;
	struct place here = place();
	down(observation_at(here, 5, 1), OBSERVATION_OPENED);
	up(observation_at(here, 5, 3), OBSERVATION_RESOLVED);
	down(observation_at(here, 5, 6), OBSERVATION_OPENED);
	execute("UPDATE monitors SET last_up_at = NULL");
	execute("UPDATE incidents SET ended_at = '2026-03-05 05:00:00' WHERE ended_at IS NOT NULL");
	forget_events();
	down(observation_at(here, 5, 4), OBSERVATION_UNCHANGED);
	assert_rows("2026-03-05 01:00:00\n2026-03-05 06:00:00",
		    "SELECT started_at FROM incidents ORDER BY id");
	assert_string_equal(events(), "");
}

static void an_observation_from_far_ahead_is_refused(void **state)
{
	struct observed observed = { 0 };
	(void)state;
	struct observation observation = observation_at(place(), 5, 0);
	observation.at.s = select_number("SELECT UNIX_TIMESTAMP() + 86400");
	assert_result(E_INVALID, service_observe(&service, OBSERVED_DOWN, &observation, &observed));
	assert_result(E_INVALID, service_observe(&service, OBSERVED_UP, &observation, &observed));
	assert_true(violations_has(&violations, "at"));
	assert_rows("0|0|-", "SELECT (SELECT COUNT(*) FROM incidents), "
			     "(SELECT COUNT(*) FROM events), (SELECT last_up_at FROM monitors)");
}

static void a_monitor_of_another_account_or_none_is_refused(void **state)
{
	struct observed observed = { 0 };
	(void)state;
	struct place here = place();
	struct observation observation = observation_at(here, 5, 1);
	observation.account_id = add_account("two");
	for (int i = OBSERVED_UP; i <= OBSERVED_DOWN; i++)
		assert_result(E_NOT_FOUND, service_observe(&service, (enum observed_state)i,
							   &observation, &observed));
	observation = observation_at(here, 5, 1);
	execute("UPDATE monitors SET retired_at = NOW()");
	assert_result(E_NOT_FOUND,
		      service_observe(&service, OBSERVED_DOWN, &observation, &observed));
	observation.monitor_id = 0;
	assert_result(E_INVALID, service_observe(&service, OBSERVED_DOWN, &observation, &observed));
	assert_true(violations_has(&violations, "monitor"));
	assert_rows("0|0", "SELECT (SELECT COUNT(*) FROM incidents), "
			   "(SELECT COUNT(*) FROM events)");
}

static void incidents_beyond_the_quota_are_not_opened(void **state)
{
	struct observed observed = { 0 };
	(void)state;
	struct place here = place(), there = { here.account, add_monitor(here.account, "mail") };
	config.most_incidents_per_day = 1;
	down(observation_at(here, 5, 1), OBSERVATION_OPENED);
	struct observation observation = observation_at(there, 5, 1);
	assert_result(E_QUOTA_EXCEEDED,
		      service_observe(&service, OBSERVED_DOWN, &observation, &observed));
	assert_rows("1|1", "SELECT (SELECT COUNT(*) FROM incidents), "
			   "(SELECT COUNT(*) FROM events)");
	up(observation_at(here, 5, 2), OBSERVATION_RESOLVED);
}

static void an_incident_is_opened_without_judging(void **state)
{
	struct observed observed = { 0 };
	(void)state;
	struct place here = place();
	config.most_incidents_per_day = 9;
	up(observation_at(here, 5, 6), OBSERVATION_UNCHANGED);
	struct observation observation = observation_at(here, 5, 4);
	assert_ok(service_open_incident(&service, &observation, &observed));
	assert_int_equal(observed.outcome, OBSERVATION_OPENED);
	assert_one_event(here.account, "incident.opened", observed.incident_id, here.monitor,
			 "The cause");
	assert_published(INDEX, "The title");
	struct observed again = { 0 };
	assert_ok(service_open_incident(&service, &observation, &again));
	assert_int_equal(again.outcome, OBSERVATION_UNCHANGED);
	assert_int_equal(again.incident_id, observed.incident_id);
	assert_rows("1|1", "SELECT (SELECT COUNT(*) FROM incidents), "
			   "(SELECT used_today %% 1099511627776 FROM account_usage "
			   "WHERE quota = 'incidents')");
}

static void an_observation_whose_event_fails_changes_nothing(void **state)
{
	struct observed observed = { 0 };
	(void)state;
	struct place here = place();
	struct observation observation = observation_at(here, 5, 1);
	break_events();
	assert_result(E_FAILED, service_observe(&service, OBSERVED_DOWN, &observation, &observed));
	assert_result(E_FAILED, service_open_incident(&service, &observation, &observed));
	assert_rows("0|-|1", "SELECT (SELECT COUNT(*) FROM incidents), "
			     "(SELECT known_since FROM monitors), "
			     "(SELECT revision FROM page_revisions)");
	assert_false(is_published(INDEX));
}

static struct alert_observation alert(struct place place, const char *source, int hour, int ended)
{
	struct alert_observation alert = { .source = source,
					   .observation = observation_at(place, 5, hour) };
	if (ended > 0)
		alert.observation.ended_at = at(5, ended);
	return alert;
}

static enum result alerts(struct place place, struct alert_observation *rows, size_t count)
{
	struct arena try;
	arena_init(&try, 1 << 20);
	struct alert_observations alerts = { .account_id = place.account,
					     .rows = rows,
					     .count = count,
					     .alert_count = count,
					     .arena = &try };
	enum result result = service_observe_alerts(&service, &alerts);
	arena_done(&try);
	return result;
}

static void alerts_of_a_monitor_share_its_incident(void **state)
{
	(void)state;
	struct place here = place();
	struct alert_observation firing[] = { alert(here, "a", 2, 0), alert(here, "b", 1, 0) };
	assert_ok(alerts(here, firing, 2));
	assert_rows("The title|The cause|2026-03-05 01:00:00|-|-", INCIDENTS);
	int64_t id = select_number("SELECT id FROM incidents");
	assert_one_event(here.account, "incident.opened", id, here.monitor, "The cause");
	assert_published(INDEX, "The title");
	assert_rows("a|-|1\nb|-|1", "SELECT s.source, s.ended_at, s.incident_id = i.id "
				    "FROM incident_sources s JOIN incidents i ORDER BY s.source");
	assert_rows(arena_printf(&arena, "%ld", (long)here.account),
		    "SELECT DISTINCT account_id FROM incident_sources");
	forget_events();
	struct alert_observation one_ends[] = { alert(here, "b", 1, 9) };
	assert_ok(alerts(here, one_ends, 1));
	assert_rows("1|0", "SELECT COUNT(*), (SELECT COUNT(*) FROM events) FROM incidents "
			   "WHERE ended_at IS NULL");
	/* The last of them ends it, at the latest of their ends. */
	struct alert_observation other_ends[] = { alert(here, "a", 2, 8) };
	assert_ok(alerts(here, other_ends, 1));
	assert_rows("The title|The cause|2026-03-05 01:00:00|-|2026-03-05 09:00:00", INCIDENTS);
	assert_one_event(here.account, "incident.resolved", id, here.monitor, NULL);
	assert_rows("a|2026-03-05 08:00:00\nb|2026-03-05 09:00:00",
		    "SELECT source, ended_at FROM incident_sources ORDER BY source");
	assert_ok(alerts(here, other_ends, 1));
	assert_int_equal(other_ends[0].observed.outcome, OBSERVATION_UNCHANGED);
	assert_rows("1|1", "SELECT COUNT(*), (SELECT COUNT(*) FROM events) FROM incidents");
}

static void alerts_of_two_monitors_have_an_incident_each(void **state)
{
	(void)state;
	struct place here = place(), there = { here.account, add_monitor(here.account, "mail") };
	struct place nowhere = { here.account, 999999999 };
	struct place foreign = { here.account, add_monitor(add_account("two"), "theirs") };
	struct alert_observation rows[] = { alert(there, "t", 3, 0), alert(here, "h", 2, 0),
					    alert(nowhere, "n", 1, 0), alert(foreign, "f", 1, 0) };
	config.most_incidents_per_day = 9;
	assert_ok(alerts(here, rows, ARRAY_LEN(rows)));
	assert_rows("mail|2026-03-05 03:00:00\nweb|2026-03-05 02:00:00",
		    "SELECT m.name, i.started_at FROM incidents i "
		    "JOIN monitors m ON m.id = i.monitor_id ORDER BY m.name");
	assert_true(rows[2].is_gone && rows[3].is_gone && !rows[0].is_gone && !rows[1].is_gone);
	assert_rows("2|2",
		    "SELECT (SELECT used_today %% 1099511627776 FROM account_usage "
		    "WHERE quota = 'incidents' AND account_id = %ld), "
		    "(SELECT COUNT(*) FROM events)",
		    (long)here.account);
}

static void an_alert_that_is_over_is_recorded(void **state)
{
	(void)state;
	struct place here = place();
	struct alert_observation rows[] = { alert(here, "a", 2, 4), alert(here, "b", 3, 5) };
	assert_ok(alerts(here, rows, 2));
	assert_rows("The title|The cause|2026-03-05 02:00:00|-|2026-03-05 05:00:00", INCIDENTS);
	assert_one_event(here.account, "incident.recorded", rows[0].observed.incident_id,
			 here.monitor, "The cause");
}

static void over_the_quota_alerts_end_and_open_nothing(void **state)
{
	(void)state;
	struct place here = place(), there = { here.account, add_monitor(here.account, "mail") };
	config.most_incidents_per_day = 1;
	struct alert_observation first[] = { alert(here, "a", 2, 0) };
	assert_ok(alerts(here, first, 1));
	struct alert_observation rows[] = { alert(here, "a", 2, 3), alert(there, "b", 3, 0) };
	assert_result(E_QUOTA_EXCEEDED, alerts(here, rows, 2));
	assert_rows("The title|The cause|2026-03-05 02:00:00|-|2026-03-05 03:00:00", INCIDENTS);
	assert_rows("incident.opened\nincident.resolved", "SELECT kind FROM events ORDER BY id");
	assert_rows("a", "SELECT source FROM incident_sources");
}

static void monitors_are_matched_by_id_and_label(void **state)
{
	struct monitor_match_list list;
	(void)state;
	struct place here = place();
	int64_t mail = add_monitor(here.account, "mail"), gone = add_monitor(here.account, "gone");
	int64_t theirs = add_monitor(add_account("two"), "theirs");
	execute("UPDATE monitors SET label = IF(id = %1$ld, 'instance=mail', CONCAT('x=', name)), "
		"retired_at = IF(id = %2$ld, NOW(), NULL)",
		(long)mail, (long)gone);
	const char *keys[] = { arena_printf(&arena, "%ld", (long)here.monitor),
			       "instance=mail",
			       arena_printf(&arena, "%ld", (long)theirs),
			       "x=theirs",
			       "X=web",
			       arena_printf(&arena, "%ld", (long)gone),
			       "x=gone" };
	assert_ok(monitor_match(db, here.account, keys, ARRAY_LEN(keys), &arena, &list, &error));
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
		SERVICE_TEST(down_opens_and_up_resolves),
		SERVICE_TEST(an_observation_that_says_nothing_new_is_published),
		SERVICE_TEST(an_observation_older_than_what_is_known_opens_nothing),
		SERVICE_TEST(an_earlier_start_backdates_the_open_incident),
		SERVICE_TEST(an_incident_is_not_backdated_into_the_one_before),
		SERVICE_TEST(an_observation_from_far_ahead_is_refused),
		SERVICE_TEST(a_monitor_of_another_account_or_none_is_refused),
		SERVICE_TEST(incidents_beyond_the_quota_are_not_opened),
		SERVICE_TEST(an_incident_is_opened_without_judging),
		SERVICE_TEST(an_observation_whose_event_fails_changes_nothing),
		SERVICE_TEST(alerts_of_a_monitor_share_its_incident),
		SERVICE_TEST(alerts_of_two_monitors_have_an_incident_each),
		SERVICE_TEST(an_alert_that_is_over_is_recorded),
		SERVICE_TEST(over_the_quota_alerts_end_and_open_nothing),
		SERVICE_TEST(monitors_are_matched_by_id_and_label),
	};
	return RUN_ON_DATABASE(tests);
}
