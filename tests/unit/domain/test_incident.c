#include "unit/lib/unit.h"

#include "domain/incident/incident.h"

enum move { ACKNOWLEDGE, UNACKNOWLEDGE, RESOLVE };

static const struct instant started = { 1000 }, early = { 1100 }, late = { 1200 };

static struct incident make(enum incident_status status)
{
	struct incident incident = { .started_at = started };
	if (status == INCIDENT_ACKNOWLEDGED)
		incident.acknowledged_at = early;
	if (status == INCIDENT_RESOLVED)
		incident.ended_at = early;
	return incident;
}

static void every_move_from_every_state(void **state)
{
	(void)state;
	static const struct {
		enum incident_status from;
		enum move move;
		enum incident_move outcome;
		enum incident_status to;
	} rows[] = {
		{ INCIDENT_UNRESOLVED, ACKNOWLEDGE, INCIDENT_MOVED, INCIDENT_ACKNOWLEDGED },
		{ INCIDENT_UNRESOLVED, UNACKNOWLEDGE, INCIDENT_WAS_SO, INCIDENT_UNRESOLVED },
		{ INCIDENT_UNRESOLVED, RESOLVE, INCIDENT_MOVED, INCIDENT_RESOLVED },
		{ INCIDENT_ACKNOWLEDGED, ACKNOWLEDGE, INCIDENT_WAS_SO, INCIDENT_ACKNOWLEDGED },
		{ INCIDENT_ACKNOWLEDGED, UNACKNOWLEDGE, INCIDENT_MOVED, INCIDENT_UNRESOLVED },
		{ INCIDENT_ACKNOWLEDGED, RESOLVE, INCIDENT_MOVED, INCIDENT_RESOLVED },
		{ INCIDENT_RESOLVED, ACKNOWLEDGE, INCIDENT_REFUSED, INCIDENT_RESOLVED },
		{ INCIDENT_RESOLVED, UNACKNOWLEDGE, INCIDENT_REFUSED, INCIDENT_RESOLVED },
		{ INCIDENT_RESOLVED, RESOLVE, INCIDENT_WAS_SO, INCIDENT_RESOLVED },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct incident incident = make(rows[i].from);
		enum incident_move outcome =
			rows[i].move == ACKNOWLEDGE	? incident_acknowledge(&incident, late)
			: rows[i].move == UNACKNOWLEDGE ? incident_unacknowledge(&incident)
							: incident_resolve(&incident, late);
		assert_int_equal(rows[i].outcome, outcome);
		assert_int_equal(rows[i].to, incident_status(&incident));
	}
}

static void the_first_times_are_kept(void **state)
{
	(void)state;
	struct incident incident = make(INCIDENT_ACKNOWLEDGED);
	incident_acknowledge(&incident, late);
	assert_int_equal(early.s, incident.acknowledged_at.s);
	incident_resolve(&incident, late);
	incident_resolve(&incident, (struct instant){ 5000 });
	assert_int_equal(late.s, incident.ended_at.s);
	/* One that was acknowledged in time may be asked for that again. */
	assert_int_equal(INCIDENT_WAS_SO, incident_acknowledge(&incident, late));
}

static void nothing_ends_before_it_began(void **state)
{
	(void)state;
	struct incident incident = make(INCIDENT_UNRESOLVED);
	incident_resolve(&incident, (struct instant){ 10 });
	assert_int_equal(started.s, incident.ended_at.s);
	assert_int_equal(0, incident_duration_s(&incident, late));
}

static void the_duration_runs_while_it_lasts(void **state)
{
	(void)state;
	struct incident incident = make(INCIDENT_UNRESOLVED);
	assert_int_equal(200, incident_duration_s(&incident, late));
	assert_int_equal(0, incident_duration_s(&incident, (struct instant){ 900 }));
	incident_resolve(&incident, early);
	assert_int_equal(100, incident_duration_s(&incident, late));
}

static void an_update_is_one_kind_of_event(void **state)
{
	(void)state;
	const struct field_set both = FIELD_SET(INCIDENT_SENT_COMMENT, INCIDENT_SENT_ACKNOWLEDGED);
	const struct {
		enum incident_status from;
		struct field_set sent;
		const char *comment; /* before, it is "old" */
		bool acknowledged;
		enum event_kind kind;
		bool is_comment_new;
		bool is_violation;
	} rows[] = {
		{ INCIDENT_UNRESOLVED, FIELD_SET_NONE, "new", true, EVENT_NONE, false, false },
		{ INCIDENT_UNRESOLVED, FIELD_SET(INCIDENT_SENT_COMMENT), "old", true, EVENT_NONE,
		  false, false },
		{ INCIDENT_UNRESOLVED, FIELD_SET(INCIDENT_SENT_COMMENT), "new", true,
		  EVENT_INCIDENT_COMMENTED, true, false },
		{ INCIDENT_UNRESOLVED, FIELD_SET(INCIDENT_SENT_COMMENT), NULL, true,
		  EVENT_INCIDENT_COMMENTED, true, false },
		{ INCIDENT_UNRESOLVED, FIELD_SET(INCIDENT_SENT_ACKNOWLEDGED), "new", true,
		  EVENT_INCIDENT_ACKNOWLEDGED, false, false },
		{ INCIDENT_UNRESOLVED, FIELD_SET(INCIDENT_SENT_ACKNOWLEDGED), "new", false,
		  EVENT_NONE, false, false },
		{ INCIDENT_UNRESOLVED, both, "new", true, EVENT_INCIDENT_ACKNOWLEDGED, true,
		  false },
		{ INCIDENT_ACKNOWLEDGED, both, "new", true, EVENT_INCIDENT_COMMENTED, true, false },
		{ INCIDENT_ACKNOWLEDGED, both, "old", true, EVENT_NONE, false, false },
		{ INCIDENT_ACKNOWLEDGED, both, "new", false, EVENT_INCIDENT_UNACKNOWLEDGED, true,
		  false },
		{ INCIDENT_RESOLVED, FIELD_SET(INCIDENT_SENT_COMMENT), "new", true,
		  EVENT_INCIDENT_COMMENTED, true, false },
		{ INCIDENT_RESOLVED, FIELD_SET(INCIDENT_SENT_ACKNOWLEDGED), "old", true, EVENT_NONE,
		  false, true },
		{ INCIDENT_RESOLVED, FIELD_SET(INCIDENT_SENT_ACKNOWLEDGED), "old", false,
		  EVENT_NONE, false, true },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct violations violations;
		struct incident incident = make(rows[i].from);
		const struct incident_update update = {
			.input = { .comment = rows[i].comment,
				   .acknowledged_at = rows[i].acknowledged },
			.sent = rows[i].sent,
		};
		incident.comment = "old";
		violations_init(&violations, &arena);
		struct incident_changes changes =
			incident_apply(&incident, &update, late, &violations);
		bool is_comment_new = changes.is_comment_new;
		if (changes.acknowledgement != rows[i].kind || changes.end != EVENT_NONE ||
		    changes.fields != EVENT_NONE || is_comment_new != rows[i].is_comment_new ||
		    violations_has(&violations, "acknowledged_at") != rows[i].is_violation)
			fail_msg("row %zu", i);
		if (is_comment_new)
			assert_ptr_equal(rows[i].comment, incident.comment);
		else
			assert_string_equal("old", incident.comment);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_move_from_every_state),
		cmocka_unit_test(the_first_times_are_kept),
		cmocka_unit_test(nothing_ends_before_it_began),
		cmocka_unit_test(the_duration_runs_while_it_lasts),
		cmocka_unit_test(an_update_is_one_kind_of_event),
	};
	return RUN_WITH_ARENA(tests);
}
