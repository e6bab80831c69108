#include "unit/lib/unit.h"

#include "domain/incident/observation.h"

/* Minutes of a day, for short tables; 0 is no time. */
static struct instant minute(int64_t number)
{
	return (struct instant){ number == 0 ? 0 : 1795204800 + number * 60 };
}

static void a_time_to_come_is_neither_taken_nor_believed(void **state)
{
	(void)state;
	static const int64_t rows[][3] = {
		/* given or stored, taken, believed; now is 100 */
		{ 99, 99, 99 }, { 100, 100, 100 }, { 101, 100, 0 }, { 1540, 100, 0 }, { 0, 0, 0 },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		assert_int_equal(minute(rows[i][1]).s,
				 observation_time(minute(rows[i][0]), minute(100)).s);
		assert_int_equal(minute(rows[i][2]).s,
				 observation_believed(minute(rows[i][0]), minute(100)).s);
	}
}

static void an_observation_of_down_is_old_within_an_incident(void **state)
{
	(void)state;
	static const struct {
		int64_t start, end, at;
		bool is_within;
	} rows[] = {
		/* now is 100 */
		{ 50, 60, 50, true },
		{ 50, 60, 59, true },
		{ 50, 60, 60, false },
		{ 50, 60, 49, false },
		{ 50, 50, 50, true },
		{ 50, 0, 50, true },
		{ 50, 0, 100, true },
		{ 50, 100, 99, true },
		{ 50, 100, 100, false },
		/* An end beyond now hides nothing, except the observation that began it. */
		{ 50, 101, 99, false },
		{ 50, 101, 50, true },
		{ 160, 160, 99, false },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct incident incident = { .started_at = minute(rows[i].start),
					     .ended_at = minute(rows[i].end) };
		if (observation_is_within(&incident, minute(rows[i].at), minute(100)) !=
		    rows[i].is_within)
			fail_msg("row %zu", i);
	}
}

static void an_observation_of_up_ends_what_began_before(void **state)
{
	(void)state;
	static const struct {
		int64_t start, at;
		bool is_end;
	} rows[] = {
		/* now is 100 */
		{ 50, 50, true },
		{ 50, 49, false },
		{ 50, 100, true },
		{ 100, 100, true },
		/* Started by a clock that was ahead: observations of now apply, old ones do not. */
		{ 101, 100, true },
		{ 160, 99, true },
		{ 1540, 95, true },
		{ 160, 94, false },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct incident open = { .started_at = minute(rows[i].start) };
		struct observation observation = { .at = minute(rows[i].at), .now = minute(100) };
		if (observation_ends(&observation, &open) != rows[i].is_end)
			fail_msg("row %zu", i);
	}
}

static void an_end_is_neither_before_the_start_nor_to_come(void **state)
{
	(void)state;
	static const struct {
		int64_t start, end, at, start_after, end_after;
		enum incident_move move;
	} rows[] = {
		/* now is 100 */
		{ 50, 0, 60, 50, 60, INCIDENT_MOVED },
		{ 50, 0, 50, 50, 50, INCIDENT_MOVED },
		{ 50, 0, 40, 50, 50, INCIDENT_MOVED },
		{ 50, 0, 100, 50, 100, INCIDENT_MOVED },
		{ 50, 0, 101, 50, 100, INCIDENT_MOVED },
		{ 50, 0, 1540, 50, 100, INCIDENT_MOVED },
		{ 100, 0, 100, 100, 100, INCIDENT_MOVED },
		/* The clock went back: the start is not believed. */
		{ 101, 0, 100, 100, 100, INCIDENT_MOVED },
		{ 160, 0, 160, 100, 100, INCIDENT_MOVED },
		{ 160, 0, 98, 98, 98, INCIDENT_MOVED },
		/* The first end is kept, with its start. */
		{ 50, 60, 70, 50, 60, INCIDENT_WAS_SO },
		{ 160, 170, 90, 160, 170, INCIDENT_WAS_SO },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct incident incident = { .started_at = minute(rows[i].start),
					     .ended_at = minute(rows[i].end) };
		enum incident_move move =
			observation_end(&incident, minute(rows[i].at), minute(100));
		if (move != rows[i].move ||
		    incident.started_at.s != minute(rows[i].start_after).s ||
		    incident.ended_at.s != minute(rows[i].end_after).s)
			fail_msg("row %zu", i);
	}
}

static void settling_gives_the_database_clock(void **state)
{
	(void)state;
	enum { SKEW = OBSERVATION_SKEW_S / 60 };
	static const struct {
		int64_t at, last_up, at_after, last_up_after;
		bool is_now, is_settled;
	} rows[] = {
		/* now is 100 */
		{ 90, 80, 90, 80, false, true },
		{ 100, 100, 100, 100, false, true },
		{ 101, 80, 100, 80, false, true },
		{ 100 + SKEW, 80, 100, 80, false, true },
		{ 101 + SKEW, 80, 0, 0, false, false },
		{ 0, 80, 100, 80, true, true },
		/* The sender's clock is not asked where it gave no time. */
		{ 1540, 80, 100, 80, true, true },
		/* A stored time to come is not believed. */
		{ 90, 101, 90, 0, false, true },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct observation observation = { .at = minute(rows[i].at),
						   .is_now = rows[i].is_now };
		struct instant last_up_at = minute(rows[i].last_up);
		if (observation_settle(&observation, &last_up_at, minute(100)) !=
		    rows[i].is_settled)
			fail_msg("row %zu", i);
		if (!rows[i].is_settled)
			continue;
		if (observation.at.s != minute(rows[i].at_after).s ||
		    observation.now.s != minute(100).s ||
		    last_up_at.s != minute(rows[i].last_up_after).s)
			fail_msg("row %zu", i);
	}
}

static void an_observation_of_down_has_a_verdict(void **state)
{
	(void)state;
	static const struct {
		int64_t at, last_up;
		bool is_now;
		int64_t start, end; /* of the last incident that had started by then; 0: none */
		enum observation_verdict verdict;
	} rows[] = {
		/* now is 100 */
		{ 90, 0, false, 0, 0, OBSERVATION_OPEN },
		{ 90, 80, false, 0, 0, OBSERVATION_OPEN },
		{ 90, 90, false, 0, 0, OBSERVATION_OPEN },
		/* It was up after that. */
		{ 90, 91, false, 0, 0, OBSERVATION_RECORD },
		{ 90, 91, false, 50, 60, OBSERVATION_RECORD },
		/* Known, whatever else was heard since. */
		{ 90, 0, false, 90, 95, OBSERVATION_KNOWN },
		{ 90, 96, false, 85, 95, OBSERVATION_KNOWN },
		{ 90, 0, false, 85, 0, OBSERVATION_KNOWN },
		/* The incident before it had ended. */
		{ 90, 80, false, 70, 80, OBSERVATION_OPEN },
		/* Without a time it is news. */
		{ 100, 100, true, 100, 100, OBSERVATION_OPEN },
		{ 100, 0, true, 90, 0, OBSERVATION_OPEN },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct observation observation = { .at = minute(rows[i].at),
							 .is_now = rows[i].is_now,
							 .now = minute(100) };
		const struct incident last = { .started_at = minute(rows[i].start),
					       .ended_at = minute(rows[i].end) };
		if (observation_judge_down(&observation, minute(rows[i].last_up),
					   rows[i].start > 0 ? &last : NULL) != rows[i].verdict)
			fail_msg("row %zu", i);
	}
}

static void an_earlier_start_backdates_the_open_incident(void **state)
{
	(void)state;
	static const struct {
		int64_t start, former_start, former_end, at;
		bool is_backdated;
	} rows[] = {
		{ 50, 0, 0, 40, true },
		{ 50, 0, 0, 50, false },
		{ 50, 0, 0, 60, false },
		{ 50, 20, 30, 40, true },
		{ 50, 20, 40, 40, true },
		{ 50, 20, 41, 40, false },
		/* The former one has no end. */
		{ 50, 20, 0, 40, false },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct incident open = { .started_at = minute(rows[i].start) };
		const struct incident former = { .started_at = minute(rows[i].former_start),
						 .ended_at = minute(rows[i].former_end) };
		if (observation_backdates(&open, rows[i].former_start > 0 ? &former : NULL,
					  minute(rows[i].at)) != rows[i].is_backdated)
			fail_msg("row %zu", i);
	}
}

static void an_observation_of_up_extends_the_record(void **state)
{
	(void)state;
	static const struct {
		int64_t at, last_up, known_since;
		bool is_latest, begins;
	} rows[] = {
		{ 50, 0, 0, true, true },     { 50, 40, 40, true, false },
		{ 50, 50, 50, false, false }, { 50, 60, 60, false, true },
		{ 50, 60, 40, false, false }, { 50, 49, 51, true, true },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct observation observation = { .at = minute(rows[i].at) };
		if (observation_is_latest_up(&observation, minute(rows[i].last_up)) !=
			    rows[i].is_latest ||
		    observation_begins_record(&observation, minute(rows[i].known_since)) !=
			    rows[i].begins)
			fail_msg("row %zu", i);
	}
}

static void an_incident_of_alerts_goes_on_while_any_fires(void **state)
{
	(void)state;
	static const struct {
		int64_t firing, first_new, end;
		bool goes_on;
	} rows[] = {
		{ 0, 0, 50, false }, { 1, 0, 50, true },   { 0, 40, 50, true },
		{ 0, 50, 50, true }, { 0, 51, 50, false }, { 2, 51, 50, true },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (observation_goes_on(rows[i].firing, minute(rows[i].first_new),
					minute(rows[i].end)) != rows[i].goes_on)
			fail_msg("row %zu", i);
}

static void an_outcome_has_a_word_and_may_count(void **state)
{
	(void)state;
	static const struct {
		enum observation_outcome outcome;
		const char *word;
		bool is_addition;
	} rows[] = {
		{ OBSERVATION_UNCHANGED, "unchanged", false },
		{ OBSERVATION_OPENED, "opened", true },
		{ OBSERVATION_RESOLVED, "resolved", false },
		{ OBSERVATION_RECORDED, "recorded", true },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		assert_string_equal(rows[i].word, observation_outcome_word(rows[i].outcome));
		assert_int_equal(rows[i].is_addition, observation_is_addition(rows[i].outcome));
	}
	const struct observation observation = { .account_id = 1,
						 .monitor_id = 2,
						 .title = "title",
						 .cause = "cause",
						 .at = { 3 },
						 .ended_at = { 4 } };
	struct incident incident = observation_incident(&observation);
	assert_int_equal(1, incident.account_id);
	assert_int_equal(2, incident.monitor_id);
	assert_string_equal("title", incident.title);
	assert_string_equal("cause", incident.cause);
	assert_int_equal(3, incident.started_at.s);
	assert_int_equal(4, incident.ended_at.s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_time_to_come_is_neither_taken_nor_believed),
		cmocka_unit_test(an_observation_of_down_is_old_within_an_incident),
		cmocka_unit_test(an_observation_of_up_ends_what_began_before),
		cmocka_unit_test(settling_gives_the_database_clock),
		cmocka_unit_test(an_observation_of_down_has_a_verdict),
		cmocka_unit_test(an_earlier_start_backdates_the_open_incident),
		cmocka_unit_test(an_observation_of_up_extends_the_record),
		cmocka_unit_test(an_incident_of_alerts_goes_on_while_any_fires),
		cmocka_unit_test(an_outcome_has_a_word_and_may_count),
		cmocka_unit_test(an_end_is_neither_before_the_start_nor_to_come),
	};
	return RUN(tests);
}
