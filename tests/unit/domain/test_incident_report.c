/* What people write about incidents: the rules for reports, updates and corrections. */
#include "unit/lib/unit.h"

#include "domain/incident/incident_report.h"
#include "domain/page/page_snapshot.h"

static const struct instant now = { 100000 };
static struct violations violations;

static struct instant at(int64_t seconds)
{
	return (struct instant){ now.s + seconds };
}

static struct incident begin(const struct incident_report *report, struct field_set sent)
{
	struct incident incident;
	struct posted_update update;
	violations_init(&violations, &arena);
	incident_begin(&incident, report, sent, now, &update, &arena, &violations);
	incident.id = 7;
	return incident;
}

static void a_report_is_checked(void **state)
{
	(void)state;
	static int64_t ids[] = { 3 };
	const struct id_list one = { ids, 1 };
	const struct {
		struct incident_report report;
		struct field_set sent;
		const char *field; /* of the violation; NULL: none */
		int phase;
		int64_t started_at;
		int64_t ended_at;
	} rows[] = {
		{ { .monitor_ids = one }, FIELD_SET_NONE, NULL, PHASE_INVESTIGATING, now.s, 0 },
		{ { .status_page_ids = one }, FIELD_SET_NONE, NULL, PHASE_INVESTIGATING, now.s, 0 },
		{ { 0 }, FIELD_SET_NONE, "monitor_ids", PHASE_INVESTIGATING, now.s, 0 },
		{ { .monitor_ids = one, .phase = PHASE_RESOLVED },
		  FIELD_SET(REPORT_SENT_PHASE),
		  NULL,
		  PHASE_RESOLVED,
		  now.s,
		  now.s },
		{ { .monitor_ids = one, .started_at = at(-9), .ended_at = at(-5) },
		  FIELD_SET_NONE,
		  NULL,
		  PHASE_RESOLVED,
		  now.s - 9,
		  now.s - 5 },
		{ { .monitor_ids = one, .started_at = at(-5), .ended_at = at(-5) },
		  FIELD_SET_NONE,
		  NULL,
		  PHASE_RESOLVED,
		  now.s - 5,
		  now.s - 5 },
		{ { .monitor_ids = one, .started_at = at(-5), .ended_at = at(-6) },
		  FIELD_SET_NONE,
		  "ended_at",
		  PHASE_RESOLVED,
		  now.s - 5,
		  now.s - 6 },
		{ { .monitor_ids = one, .ended_at = at(0), .phase = PHASE_MONITORING },
		  FIELD_SET(REPORT_SENT_PHASE),
		  "phase",
		  PHASE_RESOLVED,
		  now.s,
		  now.s },
		/* Clocks differ by minutes. */
		{ { .monitor_ids = one, .started_at = at(300) },
		  FIELD_SET_NONE,
		  NULL,
		  PHASE_INVESTIGATING,
		  now.s,
		  0 },
		{ { .monitor_ids = one, .started_at = at(301) },
		  FIELD_SET_NONE,
		  "started_at",
		  PHASE_INVESTIGATING,
		  now.s,
		  0 },
		{ { .monitor_ids = one, .next_update_at = at(1) },
		  FIELD_SET_NONE,
		  NULL,
		  PHASE_INVESTIGATING,
		  now.s,
		  0 },
		{ { .monitor_ids = one, .next_update_at = at(0) },
		  FIELD_SET_NONE,
		  "next_update_at",
		  PHASE_INVESTIGATING,
		  now.s,
		  0 },
		{ { .monitor_ids = one, .next_update_at = at(367 * DAY_S) },
		  FIELD_SET_NONE,
		  "next_update_at",
		  PHASE_INVESTIGATING,
		  now.s,
		  0 },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct incident incident = begin(&rows[i].report, rows[i].sent);
		bool is_refused = rows[i].field && violations_has(&violations, rows[i].field);
		if (violations.count != (rows[i].field ? 1 : 0) || is_refused != !!rows[i].field ||
		    incident.phase != rows[i].phase ||
		    incident.started_at.s != rows[i].started_at ||
		    incident.ended_at.s != rows[i].ended_at)
			fail_msg("row %zu", i);
	}
}

/* An incident on the monitors 1 and 2, which began 1,000 seconds ago. */
static struct incident reported(int impact)
{
	static int64_t ids[] = { 1, 2 };
	const struct incident_report report = { .monitor_ids = { ids, 2 },
						.impact = impact,
						.started_at = at(-1000) };
	return begin(&report, FIELD_SET_NONE);
}

static struct posted_update post(struct incident *incident, const struct incident_post *sent,
				 struct field_set places, int64_t newest)
{
	struct posted_update update;
	violations_init(&violations, &arena);
	incident_post(incident, sent, places, at(newest), now, &update, &arena, &violations);
	return update;
}

/* The incident and its newest update are of 500 seconds ahead. */
static void an_update_counts_after_the_clock_was_set_back(void **state)
{
	(void)state;
	struct incident incident = reported(INCIDENT_MAJOR_OUTAGE);
	incident.started_at = at(400);
	const struct incident_post sent = { .body = "Over.", .phase = PHASE_RESOLVED };
	struct posted_update update = post(&incident, &sent, FIELD_SET(POST_SENT_PHASE), 500);
	assert_int_equal(0, violations.count);
	assert_int_equal(now.s + 500, update.at.s);
	assert_int_equal(PHASE_RESOLVED, incident.phase);
	assert_int_equal(now.s + 500, incident.ended_at.s);
	struct incident fresh = reported(INCIDENT_MAJOR_OUTAGE);
	fresh.started_at = at(400);
	update = post(&fresh, &sent, FIELD_SET(POST_SENT_PHASE), -now.s);
	assert_int_equal(0, violations.count);
	assert_int_equal(now.s + 400, update.at.s);
}

static void an_update_moves_the_incident(void **state)
{
	(void)state;
	static const struct {
		int kind;
		int64_t ended; /* before; 0: open */
		int phase;
		int64_t at;
		int wanted_phase;
		int64_t wanted_end; /* 0: open */
		bool is_violation;
	} rows[] = {
		{ INCIDENT_REPORTED, 0, PHASE_IDENTIFIED, 0, PHASE_IDENTIFIED, 0, false },
		{ INCIDENT_REPORTED, 0, PHASE_RESOLVED, 0, PHASE_RESOLVED, 100000, false },
		{ INCIDENT_REPORTED, 0, PHASE_RESOLVED, -100, PHASE_RESOLVED, 99900, false },
		{ INCIDENT_REPORTED, 99950, PHASE_MONITORING, 0, PHASE_MONITORING, 0, false },
		{ INCIDENT_REPORTED, 99950, PHASE_RESOLVED, 0, PHASE_RESOLVED, 99950, false },
		{ INCIDENT_DETECTED, 0, PHASE_RESOLVED, 0, PHASE_RESOLVED, 100000, false },
		{ INCIDENT_DETECTED, 99950, PHASE_MONITORING, 0, PHASE_RESOLVED, 99950, true },
		/* Before the newest update only an end counts, and the first one. */
		{ INCIDENT_REPORTED, 0, PHASE_RESOLVED, -300, PHASE_RESOLVED, 99700, false },
		{ INCIDENT_DETECTED, 0, PHASE_RESOLVED, -300, PHASE_RESOLVED, 99700, false },
		{ INCIDENT_REPORTED, 0, PHASE_MONITORING, -300, PHASE_INVESTIGATING, 0, false },
		{ INCIDENT_REPORTED, 99950, PHASE_RESOLVED, -300, PHASE_RESOLVED, 99950, false },
		{ INCIDENT_REPORTED, 99950, PHASE_MONITORING, -300, PHASE_RESOLVED, 99950, false },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct incident incident = reported(INCIDENT_MAJOR_OUTAGE);
		const struct incident_post sent = { .body = "b",
						    .phase = rows[i].phase,
						    .at = at(rows[i].at) };
		incident.kind = rows[i].kind;
		incident.ended_at.s = rows[i].ended;
		incident_settle(&incident);
		post(&incident, &sent, FIELD_SET(POST_SENT_PHASE), -200);
		if (incident.phase != rows[i].wanted_phase ||
		    incident.ended_at.s != rows[i].wanted_end ||
		    violations_has(&violations, "phase") != rows[i].is_violation)
			fail_msg("row %zu", i);
	}
}

static void an_impact_is_of_the_named_monitors_from_the_update_on(void **state)
{
	(void)state;
	static int64_t second[] = { 2, 3 };
	struct incident incident = reported(INCIDENT_MAJOR_OUTAGE);
	const struct incident_post lesser = { .body = "b",
					      .impact = INCIDENT_DEGRADED_PERFORMANCE,
					      .monitor_ids = { second, 2 },
					      .at = at(-600) };
	const struct incident_post none = { .body = "b", .impact = INCIDENT_IMPACT_NONE };
	post(&incident, &lesser, FIELD_SET(POST_SENT_IMPACT, POST_SENT_MONITORS), -1000);
	assert_int_equal(3, incident.monitor_count);
	assert_int_equal(INCIDENT_MAJOR_OUTAGE, incident.monitors[0].impact);
	assert_int_equal(INCIDENT_DEGRADED_PERFORMANCE, incident.monitors[1].impact);
	assert_int_equal(INCIDENT_DEGRADED_PERFORMANCE, incident.monitors[2].impact);
	assert_int_equal(INCIDENT_MAJOR_OUTAGE, incident.impact);
	assert_string_equal("b", incident.comment);
	post(&incident, &none, FIELD_SET(POST_SENT_IMPACT), -600);
	assert_int_equal(INCIDENT_IMPACT_NONE, incident.impact);

	struct uptime_interval times[INCIDENT_MONITOR_TIMES_MAX];
	const struct instant open = { 0 };
	/* Out of order from the start until now. */
	assert_int_equal(
		1, incident_monitor_times(&incident.monitors[0], incident.started_at, open, times));
	assert_int_equal(INCIDENT_MAJOR_OUTAGE, times[0].impact);
	assert_int_equal(at(-1000).s, times[0].from.s);
	assert_int_equal(now.s, times[0].to.s);
	/* Out of order until the update, then slow. */
	assert_int_equal(
		2, incident_monitor_times(&incident.monitors[1], incident.started_at, open, times));
	assert_int_equal(at(-600).s, times[0].to.s);
	assert_int_equal(INCIDENT_DEGRADED_PERFORMANCE, times[1].impact);
	assert_int_equal(at(-600).s, times[1].from.s);
	assert_int_equal(now.s, times[1].to.s);
	/* Affected since it was added. */
	assert_int_equal(
		1, incident_monitor_times(&incident.monitors[2], incident.started_at, open, times));
	assert_int_equal(INCIDENT_DEGRADED_PERFORMANCE, times[0].impact);
	assert_int_equal(at(-600).s, times[0].from.s);
	/* A correction is for the whole time; a corrected end cuts the times off. */
	incident_set_impact(&incident, INCIDENT_PARTIAL_OUTAGE);
	assert_int_equal(1, incident_monitor_times(&incident.monitors[2], incident.started_at,
						   at(-700), times));
	assert_int_equal(INCIDENT_PARTIAL_OUTAGE, times[0].impact);
	assert_int_equal(at(-1000).s, times[0].from.s);
	assert_int_equal(at(-700).s, times[0].to.s);
}

static void a_monitor_without_impact_has_no_times(void **state)
{
	(void)state;
	struct incident incident = reported(INCIDENT_IMPACT_NONE);
	struct uptime_interval times[INCIDENT_MONITOR_TIMES_MAX];
	assert_int_equal(0, incident_monitor_times(&incident.monitors[0], incident.started_at,
						   (struct instant){ 0 }, times));
	incident_monitor_change(&incident.monitors[0], INCIDENT_MAJOR_OUTAGE, at(-10));
	assert_int_equal(1, incident_monitor_times(&incident.monitors[0], incident.started_at,
						   (struct instant){ 0 }, times));
	assert_int_equal(at(-10).s, times[0].from.s);
	assert_int_equal(0, times[0].to.s);
}

static void corrected_times_leave_no_impact_beyond_them(void **state)
{
	(void)state;
	struct uptime_interval times[INCIDENT_MONITOR_TIMES_MAX];
	/* Degraded, with an outage from -600 to -400. */
	struct incident_monitor monitor = { .lesser_impact = INCIDENT_DEGRADED_PERFORMANCE,
					    .has_outage = true,
					    .outage_from = at(-600),
					    .outage_until = at(-400) };
	for (int end = -800; end <= -100; end += 700) {
		struct instant from = at(end - 200), to = at(end);
		assert_int_equal(1, incident_monitor_times(&monitor, from, to, times));
		assert_int_equal(INCIDENT_DEGRADED_PERFORMANCE, times[0].impact);
		assert_true(times[0].from.s == from.s && times[0].to.s == to.s);
	}
	monitor.affected_from = at(-700);
	assert_int_equal(0, incident_monitor_times(&monitor, at(-1000), at(-800), times));
}

static void corrections_are_checked(void **state)
{
	(void)state;
	const struct {
		int kind;
		int64_t ended; /* before; 0: open */
		struct incident_input input;
		struct field_set sent;
		const char *field; /* of the violation; NULL: none */
		enum event_kind end;
		enum event_kind fields;
	} rows[] = {
		{ INCIDENT_REPORTED,
		  0,
		  { .title = "t" },
		  FIELD_SET(INCIDENT_SENT_TITLE),
		  NULL,
		  EVENT_NONE,
		  EVENT_INCIDENT_UPDATED },
		{ INCIDENT_REPORTED,
		  0,
		  { 0 },
		  FIELD_SET(INCIDENT_SENT_TITLE),
		  "title",
		  EVENT_NONE,
		  EVENT_INCIDENT_UPDATED },
		{ INCIDENT_DETECTED,
		  0,
		  { .started_at = at(-9) },
		  FIELD_SET(INCIDENT_SENT_STARTED),
		  "started_at",
		  EVENT_NONE,
		  EVENT_INCIDENT_UPDATED },
		{ INCIDENT_DETECTED,
		  0,
		  { .started_at = at(-1000) },
		  FIELD_SET(INCIDENT_SENT_STARTED),
		  NULL,
		  EVENT_NONE,
		  EVENT_NONE },
		{ INCIDENT_DETECTED,
		  99950,
		  { .started_at = at(-900) },
		  FIELD_SET(INCIDENT_SENT_STARTED),
		  NULL,
		  EVENT_NONE,
		  EVENT_INCIDENT_UPDATED },
		{ INCIDENT_DETECTED,
		  99950,
		  { 0 },
		  FIELD_SET(INCIDENT_SENT_ENDED),
		  "ended_at",
		  EVENT_INCIDENT_REOPENED,
		  EVENT_NONE },
		{ INCIDENT_REPORTED,
		  99950,
		  { 0 },
		  FIELD_SET(INCIDENT_SENT_ENDED),
		  NULL,
		  EVENT_INCIDENT_REOPENED,
		  EVENT_NONE },
		{ INCIDENT_REPORTED,
		  0,
		  { .ended_at = at(-1) },
		  FIELD_SET(INCIDENT_SENT_ENDED),
		  NULL,
		  EVENT_INCIDENT_RESOLVED,
		  EVENT_NONE },
		{ INCIDENT_REPORTED,
		  99950,
		  { .ended_at = at(-1) },
		  FIELD_SET(INCIDENT_SENT_ENDED),
		  NULL,
		  EVENT_NONE,
		  EVENT_INCIDENT_UPDATED },
		{ INCIDENT_REPORTED,
		  0,
		  { .ended_at = at(-1001) },
		  FIELD_SET(INCIDENT_SENT_ENDED),
		  "ended_at",
		  EVENT_INCIDENT_RESOLVED,
		  EVENT_NONE },
		{ INCIDENT_REPORTED,
		  0,
		  { .ended_at = at(400) },
		  FIELD_SET(INCIDENT_SENT_ENDED),
		  "ended_at",
		  EVENT_INCIDENT_RESOLVED,
		  EVENT_NONE },
		{ INCIDENT_REPORTED,
		  99950,
		  { .next_update_at = at(9) },
		  FIELD_SET(INCIDENT_SENT_NEXT_UPDATE),
		  "next_update_at",
		  EVENT_NONE,
		  EVENT_INCIDENT_UPDATED },
		{ INCIDENT_DETECTED,
		  0,
		  { .impact = INCIDENT_IMPACT_NONE },
		  FIELD_SET(INCIDENT_SENT_IMPACT),
		  NULL,
		  EVENT_NONE,
		  EVENT_INCIDENT_UPDATED },
		{ INCIDENT_DETECTED,
		  0,
		  { .exclude_from_uptime = false },
		  FIELD_SET(INCIDENT_SENT_exclude_from_uptime),
		  NULL,
		  EVENT_NONE,
		  EVENT_NONE },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct incident incident = reported(INCIDENT_MAJOR_OUTAGE);
		const struct incident_update update = { rows[i].input, rows[i].sent };
		incident.title = "old";
		incident.kind = rows[i].kind;
		incident.ended_at.s = rows[i].ended;
		incident_settle(&incident);
		violations_init(&violations, &arena);
		struct incident_changes changes =
			incident_apply(&incident, &update, now, &violations);
		if (violations.count != (rows[i].field ? 1 : 0) ||
		    (rows[i].field && !violations_has(&violations, rows[i].field)) ||
		    changes.end != rows[i].end || changes.fields != rows[i].fields)
			fail_msg("row %zu", i);
	}
}

static void detected_incidents_are_inside_reported_ones_that_overlap(void **state)
{
	(void)state;
	struct incident_monitor covered[] = { { .id = 1 }, { .id = 2 } };
	struct page_incident rows[] = {
		{ .row = { .id = 1,
			   .kind = INCIDENT_REPORTED,
			   .monitors = covered,
			   .monitor_count = 2,
			   .started_at = { 1000 },
			   .ended_at = { 2000 } } },
		{ .row = { .id = 2,
			   .monitor_id = 2,
			   .started_at = { 900 },
			   .ended_at = { 1000 } } },
		{ .row = { .id = 3,
			   .monitor_id = 1,
			   .started_at = { 1900 },
			   .ended_at = { 2100 } } },
		{ .row = { .id = 4, .monitor_id = 1, .started_at = { 2001 } } },
		{ .row = { .id = 5, .monitor_id = 3, .started_at = { 1500 } } },
		{ .row = { .id = 6, .monitor_id = 2, .started_at = { 800 }, .ended_at = { 999 } } },
		/* Open, while the report is over. */
		{ .row = { .id = 7, .monitor_id = 1, .started_at = { 1950 } } },
	};
	page_incidents_nest(rows, ARRAY_LEN(rows), &arena);
	assert_null(rows[0].inside);
	assert_ptr_equal(&rows[0], rows[1].inside);
	assert_ptr_equal(&rows[0], rows[2].inside);
	assert_null(rows[3].inside);
	assert_null(rows[4].inside);
	assert_null(rows[5].inside);
	assert_null(rows[6].inside);
	rows[0].row.ended_at.s = 0;
	page_incidents_nest(rows, ARRAY_LEN(rows), &arena);
	assert_ptr_equal(&rows[0], rows[6].inside);
}

static void an_update_keeps_what_it_changed(void **state)
{
	(void)state;
	static int64_t ids[] = { 30, 4 }, more[] = { 4, 5 };
	const struct incident_report report = { .monitor_ids = { ids, 2 },
						.impact = INCIDENT_PARTIAL_OUTAGE,
						.body = "x" };
	struct incident incident;
	struct posted_update first;
	violations_init(&violations, &arena);
	incident_begin(&incident, &report, FIELD_SET(REPORT_SENT_IMPACT), now, &first, &arena,
		       &violations);
	assert_string_equal("4:0:2,30:0:2", first.impacts);
	struct incident_post sent = { .body = "y",
				      .monitor_ids = { more, 2 },
				      .impact = INCIDENT_MAJOR_OUTAGE };
	struct posted_update second = post(&incident, &sent, FIELD_SET(POST_SENT_IMPACT), 0);
	assert_string_equal("4:2:3,5:0:3,30:2:2", second.impacts);
	/* A text of an earlier time changed nothing. */
	struct incident_post late = { .body = "z", .at = at(-1) };
	incident.started_at = at(-10);
	assert_null(post(&incident, &late, FIELD_SET_NONE, 0).impacts);
	/* A notice has no system. */
	struct incident notice = { .kind = INCIDENT_REPORTED };
	assert_null(
		post(&notice, &(struct incident_post){ .body = "n" }, FIELD_SET_NONE, 0).impacts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_report_is_checked),
		cmocka_unit_test(an_update_moves_the_incident),
		cmocka_unit_test(an_impact_is_of_the_named_monitors_from_the_update_on),
		cmocka_unit_test(a_monitor_without_impact_has_no_times),
		cmocka_unit_test(an_update_counts_after_the_clock_was_set_back),
		cmocka_unit_test(corrected_times_leave_no_impact_beyond_them),
		cmocka_unit_test(corrections_are_checked),
		cmocka_unit_test(detected_incidents_are_inside_reported_ones_that_overlap),
		cmocka_unit_test(an_update_keeps_what_it_changed),
	};
	return RUN_WITH_ARENA(tests);
}
