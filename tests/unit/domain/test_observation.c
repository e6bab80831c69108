#include "unit/lib/unit.h"

#include "domain/observation.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_time_to_come_is_neither_taken_nor_believed),
		cmocka_unit_test(an_observation_of_down_is_old_within_an_incident),
		cmocka_unit_test(an_observation_of_up_ends_what_began_before),
		cmocka_unit_test(an_end_is_neither_before_the_start_nor_to_come),
	};
	return RUN(tests);
}
