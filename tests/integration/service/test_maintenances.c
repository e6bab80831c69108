#include "integration/lib/service.h"

#include "service/maintenance/maintenances.h"
#include "store/monitor/monitor.h"

#define INDEX	    "public/s/p/index.html"
#define CALENDAR    "public/s/p/calendar.ics"
#define PLACE(name) MAINTENANCE_FIELD_##name

struct place {
	int64_t account, monitor, page;
};

/* A monitor on the page "p"; the principal is a key of its account, at 2026-03-05 10:00. */
static struct place place(void)
{
	struct place place = { .account = add_account("one") };
	place.monitor = add_monitor(place.account, "web");
	place.page = add_page(place.account, "p");
	show_monitor(place.page, place.monitor, 1);
	act_as_key(place.account);
	return place;
}

static struct maintenance_shown shown;

static enum result plan(const struct place *here, const char *starts_at, struct instant ends_at)
{
	int64_t ids[] = { here->monitor };
	const struct maintenance_input input = { .title = "Upgrade",
						 .body = "All disks",
						 .monitor_ids = { ids, 1 },
						 .starts_at = starts_at,
						 .ends_at = ends_at,
						 .auto_transition = true,
						 .remind_before = 3600 };
	violations = (struct violations){ .arena = &arena };
	return service_add_maintenance(&service, here->account, &input, FIELD_SET_NONE, &shown);
}

static enum result plan_daily(const struct place *here)
{
	int64_t ids[] = { here->monitor };
	const struct maintenance_input input = { .title = "Daily",
						 .monitor_ids = { ids, 1 },
						 .starts_at = "2026-03-06T22:00:00",
						 .duration = 600,
						 .time_zone = "Europe/Berlin",
						 .rrule = "FREQ=DAILY",
						 .auto_transition = true };
	violations = (struct violations){ .arena = &arena };
	return service_add_maintenance(&service, here->account, &input, FIELD_SET_NONE, &shown);
}

static void a_window_is_stored_with_its_occurrence_and_published(void **state)
{
	(void)state;
	struct place here = place();
	assert_ok(plan(&here, "2026-03-06T10:00:00Z", at(6, 12)));
	assert_rows("Upgrade|All disks|2026-03-06T10:00:00Z|2026-03-06 12:00:00|0|-|-|1|3600|"
		    "2026-03-06 10:00:00|2026-03-06 12:00:00|-|-|1|2026-03-05 10:00:00|"
		    "2026-03-05 10:00:00",
		    "SELECT title, body, starts_at, ends_at, duration, time_zone, rrule, "
		    "auto_transition, remind_before, first_at, over_at, expanded_at, deleted_at, "
		    "revision, created_at, updated_at FROM maintenances");
	assert_rows("2026-03-06 10:00:00|2026-03-06 12:00:00|0|0|0|2026-03-06 09:00:00|"
		    "2026-03-05 10:00:00|2026-03-05 10:00:00",
		    "SELECT starts_at, ends_at, status, is_dropped, is_reminded, next_at, "
		    "created_at, updated_at FROM maintenance_occurrences");
	assert_int_equal(select_number("SELECT monitor_id FROM maintenance_monitors"),
			 here.monitor);
	assert_one_event(here.account, "maintenance.scheduled", shown.maintenance.id, 0, "Upgrade");
	assert_published(CALENDAR, "SUMMARY:Upgrade\r\n");
	assert_published(INDEX, "Upgrade");
	/* The page is due when the window begins. */
	assert_rows("1|2026-03-06 00:00:00",
		    "SELECT unpublished_since IS NULL, next_change_at FROM page_revisions");
}

static void a_rule_has_its_occurrences(void **state)
{
	(void)state;
	struct place here = place();
	assert_ok(plan_daily(&here));
	assert_rows("FREQ=DAILY|Europe/Berlin|600|9999-01-01 00:00:00|2026-03-05 10:00:00",
		    "SELECT rrule, time_zone, duration, over_at, expanded_at FROM maintenances");
	/* Summer time begins on 29 March. */
	assert_rows("399|2026-03-06 21:00:00|2026-03-28 21:00:00|2026-03-29 20:00:00",
		    "SELECT COUNT(*), MIN(starts_at), "
		    "MAX(IF(starts_at < '2026-03-29', starts_at, NULL)), "
		    "MIN(IF(starts_at > '2026-03-29', starts_at, NULL)) "
		    "FROM maintenance_occurrences");
	assert_int_equal(shown.occurrence_count, MAINTENANCE_SHOWN_MAX);
}

static void a_failure_stores_nothing(void **state)
{
	(void)state;
	struct place here = place();
	break_events();
	assert_result(E_FAILED, plan(&here, "2026-03-06T10:00:00Z", at(6, 12)));
	assert_rows("0|0|0", "SELECT COUNT(*), (SELECT COUNT(*) FROM maintenance_occurrences), "
			     "(SELECT COUNT(*) FROM maintenance_monitors) FROM maintenances");
}

static void the_quota_is_of_a_year(void **state)
{
	(void)state;
	struct place here = place();
	config.most_maintenances = 2;
	assert_ok(plan(&here, "2026-03-06T10:00:00Z", at(6, 12)));
	assert_ok(plan(&here, "2026-03-04T10:00:00Z", at(4, 12)));
	assert_result(E_QUOTA_EXCEEDED, plan(&here, "2026-03-06T10:00:00Z", at(6, 12)));
	assert_true(violations_has(&violations, "maintenances"));
	/* Neither what was deleted counts, nor what is long over, nor another account. */
	execute("UPDATE maintenances SET over_at = '2025-03-04 10:00:00' ORDER BY id LIMIT 1");
	assert_ok(plan(&here, "2026-03-06T10:00:00Z", at(6, 12)));
	execute("UPDATE maintenances SET deleted_at = '2026-03-05 09:00:00' ORDER BY id DESC LIMIT "
		"1");
	assert_ok(plan(&here, "2026-03-06T10:00:00Z", at(6, 12)));
	assert_result(E_QUOTA_EXCEEDED, plan(&here, "2026-03-06T10:00:00Z", at(6, 12)));
	struct place other = { .account = add_account("other") };
	other.monitor = add_monitor(other.account, "other");
	act_as_key(other.account);
	assert_ok(plan(&other, "2026-03-06T10:00:00Z", at(6, 12)));
	config.most_maintenances = 0;
}

static void monitors_of_another_account_are_named(void **state)
{
	(void)state;
	struct place here = place();
	int64_t other = add_monitor(add_account("other"), "other");
	int64_t ids[] = { here.monitor, other };
	const struct maintenance_input input = { .title = "x",
						 .monitor_ids = { ids, 2 },
						 .starts_at = "2026-03-06T10:00:00Z",
						 .ends_at = at(6, 12) };
	assert_result(E_INVALID, service_add_maintenance(&service, here.account, &input,
							 FIELD_SET_NONE, &shown));
	assert_true(violations_has(&violations, "monitor_ids.1"));
	assert_int_equal(violations.count, 1);
	assert_rows("0|0", "SELECT COUNT(*), (SELECT COUNT(*) FROM events) FROM maintenances");
}

static void other_accounts_change_nothing(void **state)
{
	(void)state;
	struct place here = place();
	const struct maintenance_input input = { .title = "Mine" };
	struct maintenance maintenance;
	assert_ok(plan(&here, "2026-03-06T10:00:00Z", at(6, 12)));
	int64_t id = shown.maintenance.id;
	act_as_key(add_account("other"));
	assert_result(E_NOT_FOUND, service_update_maintenance(&service, id, &input,
							      FIELD_SET(PLACE(title)), &shown));
	assert_result(E_NOT_FOUND, service_delete_maintenance(&service, id, &maintenance));
	assert_result(E_NOT_FOUND, service_show_maintenance(&service, id, &shown));
	assert_rows("Upgrade|-|1", "SELECT title, deleted_at, revision FROM maintenances");
}

/* What the worker does at that moment, until nothing is left. */
static void run_clock(struct instant now)
{
	bool is_more = true;
	for (int turns = 0; is_more && turns < 10; turns++)
		assert_ok(service_maintenance_clock(db, &config, now, &is_more, &error));
	assert_false(is_more);
}

static void the_clock_reminds_starts_and_completes_once(void **state)
{
	(void)state;
	struct place here = place();
	assert_ok(plan(&here, "2026-03-06T10:00:00Z", at(6, 12)));
	static const struct {
		int hour;
		const char *status, *kinds;
		const char *maintained; /* of the monitor, which had its last window long ago */
	} rows[] = {
		{ 8, "0|2026-03-06 09:00:00", "scheduled", "2026-01-01" },
		{ 9, "0|2026-03-06 10:00:00", "scheduled,reminder", "2026-01-01" },
		{ 10, "1|2026-03-06 12:00:00", "scheduled,reminder,started",
		  "2026-03-06 10:00:00" },
		{ 11, "1|2026-03-06 12:00:00", "scheduled,reminder,started",
		  "2026-03-06 10:00:00" },
		{ 12, "3|-", "scheduled,reminder,started,completed", "2026-03-06 12:00:00" },
		{ 13, "3|-", "scheduled,reminder,started,completed", "2026-03-06 12:00:00" },
	};
	execute("UPDATE monitors SET maintained_at = '2026-01-01'");
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		run_clock(at(6, rows[i].hour));
		assert_rows(rows[i].status, "SELECT status, next_at FROM maintenance_occurrences");
		assert_rows(rows[i].kinds,
			    "SELECT GROUP_CONCAT(SUBSTRING_INDEX(kind, '.', -1) ORDER BY id) "
			    "FROM events");
		assert_rows("0",
			    "SELECT COUNT(*) FROM maintenance_monitors x "
			    "JOIN monitors m ON m.id = x.monitor_id "
			    "WHERE m.maintained_at <> '%s'",
			    rows[i].maintained);
	}
	assert_rows("system", "SELECT DISTINCT actor_type FROM events WHERE kind <> "
			      "'maintenance.scheduled'");
}

static void a_worker_that_was_away_misses_nothing(void **state)
{
	(void)state;
	struct place here = place();
	assert_ok(plan(&here, "2026-03-06T10:00:00Z", at(6, 12)));
	run_clock(at(8, 0));
	assert_rows("3", "SELECT status FROM maintenance_occurrences");
	assert_rows("scheduled,started,completed",
		    "SELECT GROUP_CONCAT(SUBSTRING_INDEX(kind, '.', -1) ORDER BY id) FROM events");
}

static void many_windows_begin_with_few_statements(void **state)
{
	(void)state;
	struct place here = place();
	assert_ok(plan(&here, "2026-03-06T10:00:00Z", at(6, 12)));
	for (int i = 1; i < 1000; i *= 10)
		for (int j = 0; j < 9; j++)
			execute("INSERT INTO maintenance_occurrences (maintenance_id, starts_at, "
				"ends_at, status, is_dropped, is_reminded, next_at, created_at, "
				"updated_at) SELECT maintenance_id, starts_at, ends_at, status, "
				"is_dropped, 1, starts_at, created_at, updated_at FROM "
				"maintenance_occurrences ORDER BY id LIMIT %d",
				i);
	execute("UPDATE maintenance_occurrences SET is_reminded = 1, next_at = starts_at");
	int64_t count = select_number("SELECT COUNT(*) FROM maintenance_occurrences");
	assert_int_equal(count, 1000);
	uint64_t before = db_queries(db);
	run_clock(at(6, 10));
	/* A turn moves 200, and the last finds none: BEGIN, a read, two reads that lock, two writes
	 * for each chunk, and COMMIT. */
	assert_in_range(db_queries(db) - before, 5, 5 * 12 + 1);
	assert_rows("1000|1000",
		    "SELECT COUNT(*), (SELECT COUNT(*) FROM events WHERE kind = "
		    "'maintenance.started') FROM maintenance_occurrences WHERE status = 1");
}

static void a_change_notes_first_what_the_clock_did(void **state)
{
	(void)state;
	struct place here = place();
	assert_ok(plan(&here, "2026-03-06T10:00:00Z", at(6, 12)));
	int64_t id = shown.maintenance.id;
	forget_events();
	service.now = at(6, 11);
	const struct maintenance_update_input input = { .body = "Half done" };
	struct maintenance_posting posting;
	assert_ok(service_post_maintenance_update(&service, id, &input, &posting));
	assert_int_equal(posting.row.update.phase, PHASE_IN_PROGRESS);
	assert_rows("maintenance.started system,maintenance.update_posted key",
		    "SELECT GROUP_CONCAT(kind, ' ', actor_type ORDER BY id) FROM events");
	assert_rows("5|Half done|2026-03-06 11:00:00|-|1",
		    "SELECT phase, body, at, edited_at, occurrence_id = (SELECT id FROM "
		    "maintenance_occurrences) FROM maintenance_updates");
	assert_rows("2", "SELECT revision FROM maintenances");
	assert_published(INDEX, "Half done");
}

static void a_change_of_monitors_publishes_the_pages_of_both(void **state)
{
	(void)state;
	struct place here = place();
	int64_t mail = add_monitor(here.account, "mail");
	show_monitor(add_page(here.account, "q"), mail, 1);
	assert_ok(plan(&here, "2026-03-06T10:00:00Z", at(6, 12)));
	int64_t ids[] = { mail };
	const struct maintenance_input input = { .monitor_ids = { ids, 1 } };
	assert_ok(service_update_maintenance(&service, shown.maintenance.id, &input,
					     FIELD_SET(PLACE(monitor_ids)), &shown));
	assert_null(strstr(published(INDEX), "Upgrade"));
	assert_published("public/s/q/index.html", "Upgrade");
	assert_rows("0", "SELECT COUNT(*) FROM page_revisions WHERE unpublished_since IS NOT NULL");
}

static void the_next_occurrences_are_computed_again(void **state)
{
	(void)state;
	struct place here = place();
	assert_ok(plan_daily(&here));
	bool is_more = false;
	act_as_operator();
	/* As if the zone had another offset from tomorrow on, and a day were missing. */
	execute("UPDATE maintenance_occurrences SET starts_at = starts_at + INTERVAL 1 HOUR, "
		"ends_at = ends_at + INTERVAL 1 HOUR");
	execute("DELETE FROM maintenance_occurrences ORDER BY starts_at DESC LIMIT 1");
	service.now.s += 3600;
	assert_ok(service_maintenance_expand(&service, &is_more));
	assert_false(is_more);
	assert_rows("398|2026-03-06 22:00:00",
		    "SELECT COUNT(*), MIN(starts_at) FROM maintenance_occurrences");
	service.now = at(6, 11);
	assert_ok(service_maintenance_expand(&service, &is_more));
	assert_true(is_more);
	assert_rows("400|2026-03-06 21:00:00|2026-03-06 11:00:00|0",
		    "SELECT COUNT(*), MIN(starts_at), (SELECT expanded_at FROM maintenances), "
		    "SUM(status) FROM maintenance_occurrences");
	assert_ok(service_maintenance_expand(&service, &is_more));
	assert_false(is_more);
}

static void an_occurrence_that_starts_early_does_not_come_again(void **state)
{
	(void)state;
	struct place here = place();
	assert_ok(plan_daily(&here));
	service.now = at(6, 10);
	const struct maintenance_update_input input = { .body = "Early", .phase = "in_progress" };
	struct maintenance_posting posting;
	assert_ok(
		service_post_maintenance_update(&service, shown.maintenance.id, &input, &posting));
	bool is_more = false;
	act_as_operator();
	service.now = at(6, 11);
	assert_ok(service_maintenance_expand(&service, &is_more));
	assert_true(is_more);
	assert_rows("2026-03-06 10:00:00|2026-03-06 10:10:00|1,2026-03-06 21:00:00|2026-03-06 "
		    "21:10:00|4,2026-03-07 21:00:00|2026-03-07 21:10:00|0",
		    "SELECT GROUP_CONCAT(starts_at, '|', ends_at, '|', status ORDER BY starts_at) "
		    "FROM maintenance_occurrences WHERE starts_at < '2026-03-08'");
}

static void a_page_costs_four_statements_more_however_many_windows(void **state)
{
	(void)state;
	struct place here = place();
	struct publisher publisher = { .db = db,
				       .path = service.config->pages_dir,
				       .base_url = service.base_url,
				       .site = service.site,
				       .now = service.now,
				       .arena = &arena };
	const struct publish_order order = { .page_id = here.page };
	uint64_t before = db_queries(db);
	assert_ok(publish_page(&publisher, &order, &error));
	uint64_t without = db_queries(db) - before;
	for (int i = 0; i < 5; i++)
		assert_ok(i % 2 ? plan(&here, "2026-03-06T10:00:00Z", at(6, 12))
				: plan_daily(&here));
	before = db_queries(db);
	assert_ok(publish_page(&publisher, &order, &error));
	assert_int_equal(db_queries(db) - before, without + 4);
	/* Of each rule the next ten. */
	int events = 0;
	for (const char *found = published(CALENDAR); (found = strstr(found, "BEGIN:VEVENT"));
	     found++)
		events++;
	assert_int_equal(events, 3 * MAINTENANCE_SHOWN_MAX + 2);
}

#define FEBRUARY "public/s/p/2026-02.html"
#define INSIDE	 "From monitoring"

static void months_show_maintenance_and_what_it_excuses(void **state)
{
	(void)state;
	struct place here = place();
	execute("INSERT INTO incidents (account_id, monitor_id, cause, started_at, ended_at, "
		"created_at, updated_at) SELECT account_id, id, 'c', '2026-02-10 10:10:00', "
		"'2026-02-10 10:20:00', NOW(), NOW() FROM monitors");
	execute("INSERT INTO incident_months (monitor_id, month, revision) SELECT id, "
		"'2026-02-01', 1 FROM monitors");
	assert_ok(plan(&here, "2026-02-10T10:00:00Z",
		       instant_of(&(struct instant_parts){ 2026, 2, 10, 11, 0, 0 })));
	int64_t window = select_number("SELECT id FROM maintenance_occurrences");
	const char *link = arena_printf(&arena, "<a dir=\"auto\" href=\"maintenance/%lld\">Upgrade",
					(long long)window);
	assert_published(FEBRUARY, link);
	assert_published(FEBRUARY, INSIDE);
	assert_published("public/s/p/2026-02.maintenance", "All disks");
	/* Of the days of the bars no more than the month has it. */
	assert_null(strstr(published(INDEX), "Upgrade"));
	const struct maintenance_input renamed = { .title = "New disks" };
	assert_ok(service_update_maintenance(&service, shown.maintenance.id, &renamed,
					     FIELD_SET(PLACE(title)), &shown));
	assert_published(FEBRUARY, "New disks");
	const struct maintenance_input moved = { .starts_at = "2026-01-20T10:00:00Z",
						 .ends_at = instant_of(&(struct instant_parts){
							 2026, 1, 20, 11, 0, 0 }) };
	assert_ok(service_update_maintenance(&service, shown.maintenance.id, &moved,
					     FIELD_SET(PLACE(starts_at), PLACE(ends_at)), &shown));
	assert_published("public/s/p/2026-01.html", "New disks");
	assert_null(strstr(published(FEBRUARY), "New disks"));
	assert_null(strstr(published(FEBRUARY), INSIDE));
	assert_published(FEBRUARY, "<li class=\"down\" id=\"incident-");
	struct maintenance deleted;
	assert_ok(service_delete_maintenance(&service, shown.maintenance.id, &deleted));
	assert_null(strstr(published("public/s/p/2026-01.html"), "New disks"));
}

static void the_clock_alone_changes_the_month_of_a_window(void **state)
{
	(void)state;
	struct place here = place();
	assert_ok(plan(&here, "2026-03-06T10:00:00Z", at(6, 12)));
	assert_null(strstr(published("public/s/p/2026-03.html"), "Upgrade"));
	struct publisher publisher = { .db = db,
				       .path = service.config->pages_dir,
				       .base_url = service.base_url,
				       .site = service.site,
				       .now = at(6, 11),
				       .arena = &arena };
	const struct publish_order order = { .page_id = here.page };
	assert_ok(publish_page(&publisher, &order, &error));
	assert_published("public/s/p/2026-03.html", "In progress");
	publisher.now = at(6, 13);
	assert_ok(publish_page(&publisher, &order, &error));
	assert_published("public/s/p/2026-03.html", "Completed");
	assert_published("public/s/p/current.maintenance", "Completed");
}

/* The state of the monitor, alone and as the only one of the list in that state. */
static void assert_state(const struct place *here, struct instant now, int state)
{
	struct monitor monitor;
	struct monitor_page page;
	assert_ok(monitor_find(db, here->account, here->monitor, now, &arena, &monitor, &error));
	assert_string_equal(monitor_state_words[state], monitor.state);
	for (int other = MONITOR_UP; other <= MONITOR_MAINTENANCE; other++) {
		const struct monitor_query query = {
			.list = { .account_id = here->account, .now = now, .limit = 10 },
			.state = other
		};
		assert_ok(monitor_list_page(db, &query, &arena, &page, &error));
		assert_int_equal(other == state, page.total);
		if (page.count > 0)
			assert_string_equal(monitor_state_words[state], page.rows[0].state);
	}
}

static void a_monitor_in_a_window_is_in_maintenance(void **state)
{
	(void)state;
	struct place here = place();
	assert_ok(plan(&here, "2026-03-06T10:00:00Z", at(6, 12)));
	assert_state(&here, at(6, 9), MONITOR_NO_DATA);
	assert_state(&here, at(6, 10), MONITOR_MAINTENANCE);
	assert_state(&here, at(6, 12), MONITOR_NO_DATA);
	execute("UPDATE monitors SET known_since = '2026-03-01 00:00:00'");
	assert_state(&here, at(6, 9), MONITOR_UP);
	assert_state(&here, at(6, 11), MONITOR_MAINTENANCE);
	execute("INSERT INTO incidents (account_id, monitor_id, cause, started_at, created_at, "
		"updated_at) SELECT account_id, id, 'c', '2026-03-06 10:30:00', NOW(), NOW() "
		"FROM monitors");
	/* What begins in the window is maintenance until the window ends. */
	assert_state(&here, at(6, 11), MONITOR_MAINTENANCE);
	assert_state(&here, at(6, 12), MONITOR_DOWN);
	execute("UPDATE incidents SET started_at = '2026-03-06 09:59:59'");
	assert_state(&here, at(6, 11), MONITOR_DOWN);
	execute("DELETE FROM incidents");
	execute("UPDATE monitors SET is_paused = 1");
	assert_state(&here, at(6, 9), MONITOR_PAUSED);
	assert_state(&here, at(6, 11), MONITOR_MAINTENANCE);
	/* A window that people start goes on until they end it. */
	execute("UPDATE maintenances SET auto_transition = 0, over_at = '9999-01-01 00:00:00'");
	assert_state(&here, at(6, 11), MONITOR_PAUSED);
	execute("UPDATE maintenance_occurrences SET status = 1");
	assert_state(&here, at(6, 13), MONITOR_MAINTENANCE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		SERVICE_TEST(a_window_is_stored_with_its_occurrence_and_published),
		SERVICE_TEST(a_rule_has_its_occurrences),
		SERVICE_TEST(a_failure_stores_nothing),
		SERVICE_TEST(the_quota_is_of_a_year),
		SERVICE_TEST(monitors_of_another_account_are_named),
		SERVICE_TEST(other_accounts_change_nothing),
		SERVICE_TEST(the_clock_reminds_starts_and_completes_once),
		SERVICE_TEST(a_worker_that_was_away_misses_nothing),
		SERVICE_TEST(many_windows_begin_with_few_statements),
		SERVICE_TEST(a_change_notes_first_what_the_clock_did),
		SERVICE_TEST(a_change_of_monitors_publishes_the_pages_of_both),
		SERVICE_TEST(the_next_occurrences_are_computed_again),
		SERVICE_TEST(an_occurrence_that_starts_early_does_not_come_again),
		SERVICE_TEST(a_page_costs_four_statements_more_however_many_windows),
		SERVICE_TEST(months_show_maintenance_and_what_it_excuses),
		SERVICE_TEST(the_clock_alone_changes_the_month_of_a_window),
		SERVICE_TEST(a_monitor_in_a_window_is_in_maintenance),
	};
	return RUN_ON_DATABASE(tests);
}
