/* The rules of maintenance windows and of their occurrences. */
#include "unit/lib/unit.h"

#include "domain/maintenance/maintenance_typed.h"

/* Noon of 2026-11-20. */
#define NOON INT64_C(1795176000)
static const struct instant now = { NOON };
static struct violations violations;

#define PLACE(name) MAINTENANCE_FIELD_##name
#define SINGLE_ROWS PLACE(title), PLACE(starts_at), PLACE(ends_at)
#define SINGLE	    FIELD_SET(SINGLE_ROWS)
#define RULE_ROWS   PLACE(title), PLACE(starts_at), PLACE(duration), PLACE(time_zone), PLACE(rrule)
#define RULE	    FIELD_SET(RULE_ROWS)

static enum result settle(struct maintenance *maintenance, struct field_set sent)
{
	const struct maintenance_change change = { sent, now, &arena, &violations };
	violations_init(&violations, &arena);
	return maintenance_settle(maintenance, &change);
}

static void the_times_of_a_window_are_checked_together(void **state)
{
	(void)state;
	const struct {
		const char *starts_at;
		int64_t ends_at, duration;
		const char *zone, *rrule;
		bool is_manual;
		struct field_set sent;
		const char *field; /* of the violation; NULL: none */
		const char *stored;
	} rows[] = {
		{ "2026-11-21T10:00:00Z", NOON + 86400, 0, NULL, NULL, false, SINGLE, NULL,
		  "2026-11-21T10:00:00Z" },
		{ "2026-11-21T11:00:00+01:00", NOON + 86400, 0, NULL, NULL, true, SINGLE, NULL,
		  "2026-11-21T10:00:00Z" },
		{ "2026-11-21 10:00:00", NOON + 86400, 0, NULL, NULL, false, SINGLE, NULL,
		  "2026-11-21T10:00:00Z" },
		{ "soon", NOON, 0, NULL, NULL, false, SINGLE, "starts_at", NULL },
		{ "2026-11-21T10:00:00Z", 0, 0, NULL, NULL, false, SINGLE, "ends_at", NULL },
		{ "2026-11-20T12:00:00Z", NOON, 0, NULL, NULL, false, SINGLE, "ends_at", NULL },
		{ "2026-11-20T12:00:00Z", NOON + 1, 0, NULL, NULL, false, SINGLE, NULL,
		  "2026-11-20T12:00:00Z" },
		{ "2026-11-20T12:00:00Z", NOON + 366 * 86400, 0, NULL, NULL, false, SINGLE, NULL,
		  "2026-11-20T12:00:00Z" },
		{ "2026-11-20T12:00:00Z", NOON + 366 * 86400 + 1, 0, NULL, NULL, false, SINGLE,
		  "ends_at", NULL },
		{ "2025-11-19T11:59:59Z", NOON - 366 * 86400, 0, NULL, NULL, false, SINGLE,
		  "starts_at", NULL },
		{ "2036-11-17T11:59:59Z", NOON + 3650 * 86400, 0, NULL, NULL, false, SINGLE,
		  "starts_at", NULL },
		/* What only the other kind has is refused if it was sent, else removed. */
		{ "2026-11-21T10:00:00Z", NOON + 86400, 60, NULL, NULL, false,
		  FIELD_SET(SINGLE_ROWS, PLACE(duration)), "duration", NULL },
		{ "2026-11-21T10:00:00Z", NOON + 86400, 60, "UTC", NULL, false, SINGLE, NULL,
		  "2026-11-21T10:00:00Z" },
		{ "2026-11-21T10:00:00Z", NOON + 86400, 0, "UTC", NULL, false,
		  FIELD_SET(SINGLE_ROWS, PLACE(time_zone)), "time_zone", NULL },
		{ "2026-11-21T10:00:00", NOON + 86400, 60, "UTC", NULL, false,
		  FIELD_SET(PLACE(rrule), PLACE(ends_at)), "starts_at", NULL },
		{ "2026-11-21T10:00:00", 0, 60, "Europe/Berlin", "freq=daily", false, RULE, NULL,
		  "2026-11-21T10:00:00" },
		{ "2026-11-21 10:00", 0, 60, "Europe/Berlin", "FREQ=DAILY", false, RULE, NULL,
		  "2026-11-21T10:00:00" },
		{ "2026-11-21T10:00:00Z", 0, 60, "UTC", "FREQ=DAILY", false, RULE, "starts_at",
		  NULL },
		{ "2026-11-21T10:00:00", 0, 0, "UTC", "FREQ=DAILY", false, RULE, "duration", NULL },
		{ "2026-11-21T10:00:00", 0, 60, NULL, "FREQ=DAILY", false, RULE, "time_zone",
		  NULL },
		{ "2026-11-21T10:00:00", 0, 60, "Mars/Base", "FREQ=DAILY", false, RULE, "time_zone",
		  NULL },
		{ "2026-11-21T10:00:00", 0, 60, "../../etc/passwd", "FREQ=DAILY", false, RULE,
		  "time_zone", NULL },
		{ "2026-11-21T10:00:00", NOON, 60, "UTC", "FREQ=DAILY", false,
		  FIELD_SET(RULE_ROWS, PLACE(ends_at)), "ends_at", NULL },
		{ "2026-11-21T10:00:00", NOON, 60, "UTC", "FREQ=DAILY", false, RULE, NULL,
		  "2026-11-21T10:00:00" },
		{ "2026-11-21T10:00:00", 0, 60, "UTC", "FREQ=DAILY", true, RULE, "auto_transition",
		  NULL },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct maintenance window = {
			.title = "t",
			.starts_at = rows[i].starts_at,
			.ends_at = { rows[i].ends_at },
			.duration = rows[i].duration,
			.time_zone = rows[i].zone,
			.rrule = rows[i].rrule,
			.auto_transition = !rows[i].is_manual,
		};
		enum result result = settle(&window, rows[i].sent);
		const char *field = violations.first ? violations.first->field : "";
		if (rows[i].field ? strcmp(field, rows[i].field) != 0 : result != OK)
			fail_msg("row %zu: violation of '%s'", i, field);
		if (!rows[i].field)
			assert_string_equal(window.starts_at, rows[i].stored);
		if (rows[i].field || rows[i].rrule)
			continue;
		assert_int_equal(window.duration, 0);
		assert_null(window.time_zone);
	}
}

static void an_old_window_may_be_sent_back(void **state)
{
	(void)state;
	struct maintenance window = { .starts_at = "2020-01-01T00:00:00Z",
				      .ends_at = { 1577840400 },
				      .first_at = { 1577836800 } };
	assert_int_equal(settle(&window, SINGLE), OK);
	window.first_at.s++;
	assert_int_equal(settle(&window, SINGLE), E_INVALID);
}

static struct maintenance_occurrence occurrence(int status, int64_t from, int64_t to)
{
	return (struct maintenance_occurrence){ .id = 1,
						.starts_at = { NOON + from },
						.ends_at = { NOON + to },
						.status = status,
						.is_auto = true,
						.is_reminded = true };
}

static void the_clock_moves_the_status(void **state)
{
	(void)state;
	static const struct {
		int stored;
		int64_t from, to;
		bool is_manual;
		enum maintenance_status wanted;
		size_t events;
		int64_t next; /* after the clock; 0: never */
	} rows[] = {
		{ MAINTENANCE_SCHEDULED, 1, 10, false, MAINTENANCE_SCHEDULED, 0, 1 },
		{ MAINTENANCE_SCHEDULED, 0, 10, false, MAINTENANCE_IN_PROGRESS, 1, 10 },
		{ MAINTENANCE_SCHEDULED, -9, 1, false, MAINTENANCE_IN_PROGRESS, 1, 1 },
		{ MAINTENANCE_SCHEDULED, -9, 0, false, MAINTENANCE_COMPLETED, 2, 0 },
		{ MAINTENANCE_IN_PROGRESS, -9, 0, false, MAINTENANCE_COMPLETED, 1, 0 },
		{ MAINTENANCE_VERIFYING, -9, 1, false, MAINTENANCE_VERIFYING, 0, 1 },
		{ MAINTENANCE_VERIFYING, -9, 0, false, MAINTENANCE_COMPLETED, 1, 0 },
		{ MAINTENANCE_CANCELLED, -9, 9, false, MAINTENANCE_CANCELLED, 0, 0 },
		{ MAINTENANCE_COMPLETED, -9, 9, false, MAINTENANCE_COMPLETED, 0, 0 },
		{ MAINTENANCE_SCHEDULED, -9, -1, true, MAINTENANCE_SCHEDULED, 0, 0 },
		{ MAINTENANCE_IN_PROGRESS, -9, -1, true, MAINTENANCE_IN_PROGRESS, 0, 0 },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct maintenance_occurrence row =
			occurrence(rows[i].stored, rows[i].from, rows[i].to);
		enum event_kind kinds[MAINTENANCE_CLOCK_EVENTS];
		row.is_auto = !rows[i].is_manual;
		assert_int_equal(maintenance_status_at(&row, now), rows[i].wanted);
		assert_int_equal(maintenance_by_clock(&row, now, kinds), rows[i].events);
		assert_int_equal(row.status, rows[i].wanted);
		assert_int_equal(row.next_at.s, rows[i].next == 0 ? 0 : NOON + rows[i].next);
	}
}

static void a_reminder_comes_once_and_before_the_start(void **state)
{
	(void)state;
	enum event_kind kinds[MAINTENANCE_CLOCK_EVENTS];
	struct maintenance_occurrence row = occurrence(MAINTENANCE_SCHEDULED, 60, 90);
	row.is_reminded = false;
	row.remind_before = 60;
	maintenance_set_next(&row);
	assert_int_equal(row.next_at.s, NOON);
	assert_int_equal(maintenance_by_clock(&row, (struct instant){ NOON - 1 }, kinds), 0);
	assert_int_equal(maintenance_by_clock(&row, now, kinds), 1);
	assert_int_equal(kinds[0], EVENT_MAINTENANCE_REMINDER);
	assert_int_equal(row.next_at.s, NOON + 60);
	assert_int_equal(maintenance_by_clock(&row, now, kinds), 0);
	/* The worker was away until the start: it is no use any more. */
	row = occurrence(MAINTENANCE_SCHEDULED, 0, 90);
	row.is_reminded = false;
	row.remind_before = 60;
	assert_int_equal(maintenance_by_clock(&row, now, kinds), 1);
	assert_int_equal(kinds[0], EVENT_MAINTENANCE_STARTED);
	assert_true(row.is_reminded);
}

static void people_move_the_status(void **state)
{
	(void)state;
	enum { S, P, V, C, X };
	static const struct {
		int from;
		int64_t starts, ends;
		int to;
		char wanted; /* m: moved, s: was so, r: refused */
	} rows[] = {
		{ S, 10, 20, S, 's' },
		{ S, 10, 20, P, 'm' },
		{ S, 10, 20, V, 'r' },
		{ S, 10, 20, C, 'r' },
		{ S, 10, 20, X, 'm' },
		{ P, -10, 20, S, 'r' },
		{ P, -10, 20, P, 's' },
		{ P, -10, 20, V, 'm' },
		{ P, -10, 20, C, 'm' },
		{ P, -10, 20, X, 'm' },
		{ V, -10, 20, P, 'm' },
		{ V, -10, 20, V, 's' },
		{ V, -10, 20, C, 'm' },
		{ V, -10, 20, S, 'r' },
		{ C, -10, -5, C, 's' },
		{ C, -10, -5, P, 'r' },
		{ C, -10, -5, X, 'r' },
		{ X, 10, 20, X, 's' },
		{ X, 10, 20, S, 'r' },
		{ X, 10, 20, C, 'r' },
		/* By the clock it is over, though stored as scheduled. */
		{ S, -20, -10, X, 'r' },
		{ S, -20, -10, C, 's' },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct maintenance_occurrence row =
			occurrence(rows[i].from, rows[i].starts, rows[i].ends);
		const char *why = NULL;
		bool was_so, is_done = maintenance_move(&row, (enum maintenance_status)rows[i].to,
							now, &was_so, &why);
		char found = !is_done ? 'r' : was_so ? 's' : 'm';
		if (found != rows[i].wanted || (why != NULL) != (found == 'r'))
			fail_msg("row %zu: %c", i, found);
		if (found == 'm')
			assert_int_equal(row.status, rows[i].to);
	}
	const char *why;
	bool was_so;
	struct maintenance_occurrence early = occurrence(S, 10, 20);
	assert_true(maintenance_move(&early, MAINTENANCE_IN_PROGRESS, now, &was_so, &why));
	assert_int_equal(early.starts_at.s, NOON);
	assert_int_equal(early.ends_at.s, NOON + 20);
	assert_true(maintenance_move(&early, MAINTENANCE_COMPLETED, (struct instant){ NOON + 5 },
				     &was_so, &why));
	assert_int_equal(early.ends_at.s, NOON + 5);
	/* Started late by hand: as long as planned. */
	struct maintenance_occurrence late = occurrence(S, -100, -40);
	late.is_auto = false;
	assert_true(maintenance_move(&late, MAINTENANCE_IN_PROGRESS, now, &was_so, &why));
	assert_int_equal(late.starts_at.s, NOON);
	assert_int_equal(late.ends_at.s, NOON + 60);
}

/* The plan as "id@start" for each row, with - for one that is dropped and + for a new one. */
static const char *plan_of(const struct maintenance_occurrence *stored, size_t count,
			   const int64_t *starts, size_t starts_count, int64_t remind_before)
{
	struct maintenance window = { .id = 9,
				      .auto_transition = true,
				      .remind_before = remind_before };
	struct maintenance_times times = { .length_s = 10, .now = now };
	const char *text = "";
	times.starts.starts = ARENA_ARRAY(&arena, starts_count, struct instant);
	times.starts.count = starts_count;
	for (size_t i = 0; i < starts_count; i++)
		times.starts.starts[i].s = NOON + starts[i];
	struct maintenance_plan plan = maintenance_plan(&window, stored, count, &times, &arena);
	for (size_t i = 0; i < plan.count; i++) {
		const struct maintenance_occurrence *row = &plan.rows[i];
		assert_int_equal(row->is_dropped, row->status == MAINTENANCE_CANCELLED);
		assert_int_equal(row->updated_at.s, NOON);
		if (!row->is_dropped)
			assert_int_equal(row->ends_at.s, row->starts_at.s + 10);
		text = arena_printf(&arena, "%s%s%lld@%lld", text,
				    row->is_dropped ? " -"
				    : row->id == 0  ? " +"
						    : " ",
				    (long long)row->id, (long long)(row->starts_at.s - NOON));
	}
	return text;
}

static void occurrences_move_with_their_rule(void **state)
{
	(void)state;
	struct maintenance_occurrence stored[3] = {
		occurrence(MAINTENANCE_SCHEDULED, 100, 110),
		occurrence(MAINTENANCE_SCHEDULED, 200, 210),
		occurrence(MAINTENANCE_SCHEDULED, 300, 310),
	};
	for (int i = 0; i < 3; i++)
		stored[i].id = i + 1;
#define PLAN(...) \
	plan_of(stored, 3, (const int64_t[]){ __VA_ARGS__ }, \
		sizeof((const int64_t[]){ __VA_ARGS__ }) / sizeof(int64_t), 0)
	assert_string_equal(PLAN(100, 200, 300), "");
	assert_string_equal(PLAN(100, 200, 300, 400), " +0@400");
	assert_string_equal(PLAN(150, 250, 350), " 1@150 2@250 3@350");
	assert_string_equal(PLAN(100, 250, 300), " 2@250");
	assert_string_equal(PLAN(100), " -2@200 -3@300");
	assert_string_equal(PLAN(50, 100, 200, 300), " +0@50");
	assert_string_equal(plan_of(stored, 3, NULL, 0, 0), " -1@100 -2@200 -3@300");
	assert_string_equal(plan_of(NULL, 0, (const int64_t[]){ 5 }, 1, 0), " +0@5");
	/* A day that people have cancelled stays cancelled; a dropped one comes back. */
	stored[0].status = MAINTENANCE_CANCELLED;
	assert_string_equal(PLAN(100, 200, 300), "");
	assert_string_equal(PLAN(150, 200, 300), " +0@150");
	stored[1].status = MAINTENANCE_CANCELLED;
	stored[1].is_dropped = true;
	assert_string_equal(PLAN(100, 200, 300), " 2@200");
	assert_string_equal(PLAN(100, 300), "");
	/* Another length, or another reminder, changes all. */
	stored[2].ends_at.s += 5;
	assert_string_equal(PLAN(300), " 3@300");
	stored[2].ends_at.s -= 5;
	assert_string_equal(plan_of(stored, 3, (const int64_t[]){ 300 }, 1, 60), " 3@300");
}

static void the_window_follows_its_only_occurrence(void **state)
{
	(void)state;
	struct maintenance window = { .current = occurrence(MAINTENANCE_IN_PROGRESS, 0, 60) };
	maintenance_follow_current(&window, &arena);
	assert_string_equal(window.starts_at, "2026-11-20T12:00:00Z");
	assert_int_equal(window.ends_at.s, NOON + 60);
	assert_int_equal(window.over_at.s, NOON + 60);
	window.current.is_auto = false;
	maintenance_follow_current(&window, &arena);
	assert_int_equal(window.over_at.s, maintenance_never.s);
	window.current.status = MAINTENANCE_CANCELLED;
	window.current.updated_at.s = NOON + 1;
	maintenance_follow_current(&window, &arena);
	assert_int_equal(window.over_at.s, NOON + 1);
}

static void visitors_find_an_occurrence_on_the_page_that_shows_it(void **state)
{
	(void)state;
	static const struct {
		const char *page_address, *url;
	} rows[] = {
		{ "shop/", "https://status.test/s/shop/maintenance/8" },
		{ "shop/shop.test", "https://shop.test/maintenance/8" },
		{ NULL, NULL },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct maintenance_occurrence next[] = { { .id = 7 }, { .id = 8 } };
		struct maintenance_shown shown = { .maintenance.current.id = 8,
						   .occurrences = next,
						   .occurrence_count = ARRAY_LEN(next) };
		maintenance_set_urls(&shown, rows[i].page_address, "https://status.test", &arena);
		assert_true((shown.url == NULL) == (rows[i].url == NULL));
		assert_true((next[0].url == NULL) == (rows[i].url == NULL));
		if (!rows[i].url)
			continue;
		assert_string_equal(shown.url, rows[i].url);
		assert_string_equal(next[1].url, rows[i].url);
		assert_string_not_equal(next[0].url, rows[i].url);
	}
}

#define TEXT(text) ((text) ? (text) : "-")

static void assert_typed(const struct maintenance_typed *typed, const char *wanted)
{
	assert_string_equal(arena_printf(&arena, "%s %s %s %s %s", TEXT(typed->starts_at),
					 TEXT(typed->ends_at), TEXT(typed->duration),
					 TEXT(typed->time_zone), TEXT(typed->rrule)),
			    wanted);
}

/* Clocks in Berlin go back on 2026-10-25 at 03:00, and forward on 2027-03-28 at 02:00. */
static void what_a_person_types_becomes_what_the_api_takes(void **state)
{
	(void)state;
	static const struct {
		struct maintenance_typed typed;
		const char *wanted;
	} rows[] = {
		/* Once: in the zone, or in UTC. */
		{ { "2026-11-21T22:00", "2026-11-22T01:00:30", NULL, "", "", NULL },
		  "2026-11-21T22:00:00Z 2026-11-22T01:00:30Z -  " },
		{ { "2026-11-21T22:00", "2026-11-22T01:00", "60", "Europe/Berlin", "", NULL },
		  "2026-11-21T21:00:00Z 2026-11-22T00:00:00Z   " },
		{ { "2026-10-25T02:30", "2026-10-25T04:00", NULL, "Europe/Berlin", "", NULL },
		  "2026-10-25T00:30:00Z 2026-10-25T03:00:00Z -  " },
		{ { "2027-03-28T02:30", "2027-03-28T04:00", NULL, "Europe/Berlin", "", NULL },
		  "2027-03-28T01:30:00Z 2027-03-28T02:00:00Z -  " },
		/* The API refuses an unknown zone, and an invalid time. */
		{ { "2026-11-21T22:00", "soon", NULL, "Mars/Base", "", NULL },
		  "2026-11-21T22:00:00Z soon - Mars/Base " },
		{ { "2026-11-21T22:00:00+05:00", "", NULL, "Europe/Berlin", "", NULL },
		  "2026-11-21T22:00:00+05:00  -  " },
		/* Without a rule the zone of the stored window stays. */
		{ { "2026-11-21T22:00", NULL, NULL, "Europe/Berlin", NULL, NULL },
		  "2026-11-21T21:00:00Z - - Europe/Berlin -" },
		{ { NULL, NULL, NULL, NULL, NULL, NULL }, "- - - - -" },
		/* Again and again: the local time, and how long it lasts by the clock on the wall.
		 */
		{ { "2026-10-24T22:00", "2026-10-25T06:00", NULL, "Europe/Berlin", "FREQ=DAILY",
		    "FREQ=YEARLY" },
		  "2026-10-24T22:00:00  28800 Europe/Berlin FREQ=DAILY" },
		{ { "2026-10-24T22:00", "", "60", "", "FREQ=DAILY", NULL },
		  "2026-10-24T22:00:00  60 UTC FREQ=DAILY" },
		{ { "2026-10-24T22:00", "2026-10-24T21:00", NULL, "UTC", "FREQ=DAILY", NULL },
		  "2026-10-24T22:00:00  -3600 UTC FREQ=DAILY" },
		{ { "2026-12-13T22:00", "2026-12-13T23:00", "", "UTC", RECURRENCE_NTH_WEEKDAY,
		    NULL },
		  "2026-12-13T22:00:00  3600 UTC FREQ=MONTHLY;BYDAY=2SU" },
		{ { "soon", "", NULL, "UTC", RECURRENCE_NTH_WEEKDAY, NULL },
		  "soon  - UTC FREQ=MONTHLY" },
		{ { "2026-12-13T22:00", "2026-12-13T23:00", NULL, "UTC", RECURRENCE_OTHER,
		    "FREQ=YEARLY" },
		  "2026-12-13T22:00:00  3600 UTC FREQ=YEARLY" },
		{ { "2026-12-13T22:00", "2026-12-13T23:00", NULL, "UTC", RECURRENCE_OTHER, NULL },
		  "2026-12-13T22:00:00  3600 UTC INTERVAL=1" },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct maintenance_typed typed = rows[i].typed;
		bool is_right = maintenance_settle_typed(&typed, &arena);
		assert_int_equal(is_right, !typed.duration || typed.duration[0] != '-');
		assert_typed(&typed, rows[i].wanted);
	}
}

static void assert_standing(struct maintenance maintenance, const char *wanted)
{
	struct maintenance_typed typed =
		maintenance_typed_of(&maintenance, zone_find("Europe/Berlin"), &arena);
	assert_typed(&typed, wanted);
	assert_true(maintenance_settle_typed(&typed, &arena));
	assert_string_equal(typed.starts_at, maintenance.starts_at);
	if (maintenance.rrule)
		assert_string_equal(typed.rrule, maintenance.rrule);
}

/* A form that is saved unchanged changes nothing. */
static void a_stored_window_stands_in_the_form_as_it_was_typed(void **state)
{
	(void)state;
	assert_standing((struct maintenance){ .starts_at = "2026-11-20T12:00:00Z",
					      .first_at = { NOON },
					      .ends_at = { NOON + 30 } },
			"2026-11-20T13:00:00 2026-11-20T13:00:30 - Europe/Berlin ");
	/* The second 02:30 of that night. */
	assert_standing((struct maintenance){ .starts_at = "2026-10-25T01:30:00Z",
					      .first_at = { INT64_C(1792891800) },
					      .ends_at = { INT64_C(1792895400) } },
			"2026-10-25T01:30:00 2026-10-25T02:30:00 - UTC ");
	struct maintenance recurring = { .starts_at = "2026-12-13T22:00:00",
					 .duration = 10800,
					 .time_zone = "America/New_York",
					 .rrule = "FREQ=MONTHLY;BYDAY=2SU" };
	assert_standing(recurring, "2026-12-13T22:00:00 2026-12-14T01:00:00 - America/New_York "
				   "FREQ=MONTHLY;BYDAY=nth");
	recurring.rrule = "FREQ=MONTHLY;BYDAY=-3SU";
	assert_standing(recurring, "2026-12-13T22:00:00 2026-12-14T01:00:00 - America/New_York "
				   "FREQ=MONTHLY;BYDAY=-3SU");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_times_of_a_window_are_checked_together),
		cmocka_unit_test(an_old_window_may_be_sent_back),
		cmocka_unit_test(the_clock_moves_the_status),
		cmocka_unit_test(a_reminder_comes_once_and_before_the_start),
		cmocka_unit_test(people_move_the_status),
		cmocka_unit_test(occurrences_move_with_their_rule),
		cmocka_unit_test(the_window_follows_its_only_occurrence),
		cmocka_unit_test(what_a_person_types_becomes_what_the_api_takes),
		cmocka_unit_test(a_stored_window_stands_in_the_form_as_it_was_typed),
		cmocka_unit_test(visitors_find_an_occurrence_on_the_page_that_shows_it),
	};
	return RUN_WITH_ARENA(tests);
}
