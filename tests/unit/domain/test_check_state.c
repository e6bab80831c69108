/* The state machine of a monitor's checks, by tables, and by random histories against a slow model
 * that keeps all outcomes; DAYMARK_HISTORIES is their number. */
#include "unit/lib/unit.h"

#include <stdio.h>
#include <stdlib.h>

#include "domain/monitor/check_state.h"

enum { START_S = 1700000000 };

static const struct check_settings usual = {
	.type = CHECK_HTTP,
	.interval = 60,
	.timeout = 10,
	.confirmations = 2,
	.recoveries = 1,
};

static const char *cause = "refused";

/*
 * Tells a story: a check each `step` seconds, whose outcome is a letter: F fails, . is fast, S is
 * slow (slow_ms is 100), L loses what is known, and a digit waits for that many minutes. Returns
 * the reports by their times in seconds: "D60" for down since the second 60.
 */
static const char *story(const struct check_settings *settings, const char *outcomes, int step,
			 struct check_state *state)
{
	static char told[512];
	struct check_settings used = *settings;
	struct instant now = { START_S };
	used.slow_ms = 100;
	*state = (struct check_state){ 0 };
	told[0] = '\0';
	for (const char *letter = outcomes; *letter; letter++, now.s += step) {
		if (*letter >= '0' && *letter <= '9') {
			now.s += (*letter - '0') * 60 - step;
			continue;
		}
		if (*letter == 'L') {
			check_state_lose(state, now, "cut off");
			continue;
		}
		struct check_outcome outcome = { .at = now,
						 .is_up = *letter != 'F',
						 .response_ms = *letter == 'S' ? 200 : 20,
						 .cause = cause };
		enum check_report report = check_state_take(state, &used, &outcome, now);
		struct instant since = report == CHECK_REPORT_UP ? state->well_since
								 : state->failing_since;
		size_t len = strlen(told);
		if (report != CHECK_REPORT_NONE)
			snprintf(told + len, sizeof(told) - len, "%s%c%lld", len > 0 ? " " : "",
				 " DSU"[report], (long long)(since.s - START_S));
	}
	return told;
}

static void reports(void **state)
{
	static const struct {
		const char *outcomes;
		int step;
		int confirmations, recoveries;
		const char *told;
		int phase;
	} rows[] = {
		{ "", 60, 2, 1, "", CHECK_PENDING },
		{ "F", 60, 2, 1, "", CHECK_CONFIRMING },
		{ "FF", 60, 2, 1, "D0", CHECK_DOWN },
		{ "F.", 60, 2, 1, "U60", CHECK_UP },
		{ "..F.F.F.", 60, 2, 1, "U0", CHECK_UP },
		{ ".FF..", 60, 2, 1, "U0 D60 U180", CHECK_UP },
		{ ".FFFFF", 60, 1, 1, "U0 D60", CHECK_DOWN },
		{ ".FF.F..", 60, 2, 2, "U0 D60 U300", CHECK_UP },
		{ ".FF.F.F.F", 60, 2, 2, "U0 D60", CHECK_DOWN },
		{ ".FFF", 60, 4, 1, "U0", CHECK_CONFIRMING },
		/* Slow. */
		{ ".SS", 60, 2, 1, "U0 S60", CHECK_UP },
		{ ".S.S.S", 60, 2, 1, "U0", CHECK_UP },
		{ ".SSS.S..", 60, 2, 2, "U0 S60 U360", CHECK_UP },
		{ "S", 60, 1, 1, "S0", CHECK_UP },
		{ ".SSF.", 60, 2, 1, "U0 S60 U240", CHECK_UP },
		{ ".SS.F..", 60, 2, 2, "U0 S60 U300", CHECK_UP },
		{ ".SSFF.", 60, 2, 1, "U0 S60 D180 U300", CHECK_UP },
		{ ".SFSF", 60, 2, 1, "U0", CHECK_CONFIRMING },
		{ ".FFSS", 60, 2, 1, "U0 D60 U180", CHECK_UP },
		/* What is not known. */
		{ ".FLF", 60, 2, 1, "U0", CHECK_CONFIRMING },
		{ ".FFLF", 60, 2, 1, "U0 D60", CHECK_DOWN },
		{ ".FFL.", 60, 2, 1, "U0 D60 U240", CHECK_UP },
		{ ".FF.L..", 60, 2, 2, "U0 D60 U300", CHECK_UP },
		{ ".FFLLL", 60, 2, 1, "U0 D60", CHECK_NO_DATA },
		{ ".L.", 60, 2, 1, "U0", CHECK_UP },
		{ "L.", 60, 2, 1, "U60", CHECK_UP },
		{ "FL.", 60, 2, 1, "U120", CHECK_UP },
		{ ".SSL.", 60, 2, 1, "U0 S60 U240", CHECK_UP },
		{ ".SLS", 60, 2, 1, "U0", CHECK_UP },
		/* Flapping: the fourth change within 20 minutes. */
		{ ".FF.FF..", 60, 2, 1, "U0 D60 U180 D240", CHECK_UP },
		{ ".FF.FF.FF.FF.", 60, 2, 1, "U0 D60 U180 D240", CHECK_UP },
		{ ".FF.FF.9.9.1.2.", 60, 2, 1, "U0 D60 U180 D240 U360", CHECK_UP },
		{ ".FF.FF.9.9F1.2.", 60, 2, 1, "U0 D60 U180 D240 U360", CHECK_UP },
		{ ".FF.FF.9.9FF2.9.9.", 60, 2, 1, "U0 D60 U180 D240 U1800", CHECK_UP },
		{ ".FF.FF.FF9F9F2F.", 60, 2, 1, "U0 D60 U180 D240 U1920", CHECK_UP },
		{ ".F.F.9.9.2.", 60, 1, 1, "U0 D60 U120 D180 U240", CHECK_UP },
		/* Four changes within 20 minutes, exactly, and a little more. */
		{ ".F9.8F.", 60, 1, 1, "U0 D60 U660 D1200", CHECK_UP },
		/* Slow and fast are changes, too; one slow check begins the 20 minutes again. */
		{ ".S.S.S.S.S.", 60, 1, 1, "U0 S60 U120 S180", CHECK_UP },
		{ ".S.S.9.9.1.S.", 60, 1, 1, "U0 S60 U120 S180 U240 S1620 U1680", CHECK_UP },
		{ ".S.S.9.9S9.9.9.", 60, 1, 1, "U0 S60 U120 S180 U2040", CHECK_UP },
		{ ".SS..SS..9.9.1.1.", 60, 2, 2, "U0 S60 U180 S300 U420", CHECK_UP },
		{ ".S.F.S.", 60, 1, 1, "U0 S60 U120 D180", CHECK_UP },
		{ ".F.S.F.", 60, 1, 1, "U0 D60 U120 S180 D300", CHECK_UP },
		{ ".F9.9F2.", 1, 1, 1, "U0 D1 U542 D1083 U1204", CHECK_UP },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct check_settings settings = usual;
		struct check_state after;
		settings.confirmations = rows[i].confirmations;
		settings.recoveries = rows[i].recoveries;
		const char *told = story(&settings, rows[i].outcomes, rows[i].step, &after);
		if (strcmp(told, rows[i].told) != 0 || after.phase != rows[i].phase)
			fail_msg("\"%s\": \"%s\" instead of \"%s\", phase %s", rows[i].outcomes,
				 told, rows[i].told, check_phase_words[after.phase]);
	}
}

static void the_cause_names_what_was_found(void **state)
{
	static const struct {
		const char *outcomes, *cause;
	} rows[] = {
		{ ".F", "refused" },
		{ ".SS", "the response took 200 ms, more than 100 ms" },
		{ ".FF.FF.", "unstable: 4 changes in 20 minutes; refused" },
		{ ".SS.SS.",
		  "unstable: 4 changes in 20 minutes; the response took 200 ms, more than 100 ms" },
		{ ".L", "cut off" },
	};
	struct check_state after;
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		story(&usual, rows[i].outcomes, 60, &after);
		assert_string_equal(rows[i].cause, after.cause);
	}
}

static void a_long_cause_stays_text(void **state)
{
	char text[CHECK_CAUSE_MAX_BYTES + 1] = "";
	struct check_state after;
	(void)state;
	for (size_t i = 0; i + 3 < sizeof(text); i += 3)
		memcpy(text + i, "\xe2\x82\xac", 4);
	cause = text;
	story(&usual, ".FF.FF.", 60, &after);
	cause = "refused";
	assert_true(after.is_flapping);
	assert_true(str_is_text(str_from(after.cause)));
}

static void a_failure_is_repeated_at_once_and_then_soon(void **state)
{
	struct check_settings settings = usual;
	struct check_state after;
	(void)state;
	settings.confirmations = 5;
	story(&settings, ".", 60, &after);
	assert_int_equal(-1, check_state_repeat_ms(&after, &settings));
	assert_false(check_state_is_last_chance(&after, &settings));
	story(&settings, ".F", 60, &after);
	assert_int_equal(0, check_state_repeat_ms(&after, &settings));
	story(&settings, ".FF", 60, &after);
	assert_int_equal(5000, check_state_repeat_ms(&after, &settings));
	settings.interval = 2;
	assert_int_equal(2000, check_state_repeat_ms(&after, &settings));
	story(&settings, ".FFFF", 60, &after);
	assert_true(check_state_is_last_chance(&after, &settings));
	story(&settings, ".FFFFF", 60, &after);
	assert_int_equal(-1, check_state_repeat_ms(&after, &settings));
	assert_false(check_state_is_last_chance(&after, &settings));
	check_state_lose(&after, after.checked_at, NULL);
	assert_false(check_state_is_last_chance(&after, &settings));
	/* Settings that change meanwhile count from the next outcome on. */
	story(&settings, ".FFF", 60, &after);
	settings.confirmations = 2;
	assert_true(check_state_is_last_chance(&after, &settings));
	const struct check_outcome failure = { .at = { START_S + 300 }, .cause = "refused" };
	assert_int_equal(CHECK_REPORT_DOWN,
			 check_state_take(&after, &settings, &failure, failure.at));
	assert_int_equal(START_S + 60, after.failing_since.s);
}

static void a_state_is_stale_after_two_intervals_and_the_timeout(void **state)
{
	struct check_state after;
	(void)state;
	story(&usual, ".", 60, &after);
	assert_false(check_state_is_stale(&after, &usual, (struct instant){ START_S + 130 }));
	assert_true(check_state_is_stale(&after, &usual, (struct instant){ START_S + 131 }));
	check_state_lose(&after, after.checked_at, NULL);
	assert_false(check_state_is_stale(&after, &usual, (struct instant){ START_S + 131 }));
	story(&usual, "", 60, &after);
	assert_false(check_state_is_stale(&after, &usual, (struct instant){ START_S + 131 }));
	check_state_lose(&after, (struct instant){ START_S }, NULL);
	assert_int_equal(CHECK_PENDING, after.phase);
}

static void heartbeats_are_expected_after_the_period(void **unused)
{
	const struct check_settings settings = { .type = CHECK_HEARTBEAT,
						 .period = 600,
						 .grace = 60,
						 .confirmations = 3,
						 .recoveries = 3 };
	struct check_state state = { 0 };
	struct check_outcome beat = { .at = { START_S }, .is_up = true };
	(void)unused;
	assert_int_equal(0, check_state_expects(&state, &settings).s);
	assert_int_equal(CHECK_REPORT_UP, check_state_take(&state, &settings, &beat, beat.at));
	assert_int_equal(START_S + 600, check_state_expects(&state, &settings).s);

	struct instant late = { START_S + 660 };
	const struct check_outcome missed = { .at = check_state_expects(&state, &settings),
					      .is_missed = true,
					      .cause = "no heartbeat" };
	assert_int_equal(CHECK_REPORT_DOWN, check_state_take(&state, &settings, &missed, late));
	assert_int_equal(START_S + 600, state.failing_since.s);
	assert_int_equal(START_S, state.checked_at.s);
	assert_int_equal(0, check_state_expects(&state, &settings).s);

	/* A heartbeat that arrives late, but is older: the end is not before the start. */
	beat.at.s = START_S + 500;
	assert_int_equal(CHECK_REPORT_UP, check_state_take(&state, &settings, &beat, late));
	assert_int_equal(START_S + 600, state.well_since.s);
	assert_int_equal(CHECK_UP, state.phase);

	/* While the checker is cut off no heartbeat can come. */
	check_state_lose(&state, (struct instant){ START_S + 1100 }, NULL);
	assert_int_equal(START_S + 1700, check_state_expects(&state, &settings).s);
	/* A failure counts at once, and a heartbeat ends it. */
	const struct check_outcome failed = { .at = { START_S + 1150 }, .cause = "exit status 3" };
	assert_int_equal(CHECK_REPORT_DOWN,
			 check_state_take(&state, &settings, &failed, failed.at));
	check_state_lose(&state, (struct instant){ START_S + 1160 }, NULL);
	assert_int_equal(0, check_state_expects(&state, &settings).s);
}

/* The slow model: all that has happened, and definitions that look at all of it. */
enum kind { FAILS, FAST, SLOW, LOSS };
struct event {
	enum kind kind;
	int64_t at, now;
	int64_t settled; /* its time when it came: see settle() */
};
enum { EVENTS_MAX = 40 };
struct model {
	struct event events[EVENTS_MAX];
	size_t count;
	struct check_settings settings;
};

/* The time of the event i as it counts after the event `last`: no clock is believed that was ahead
 * of a later one. */
static int64_t time_of(const struct model *model, size_t i, size_t last)
{
	int64_t at = model->events[i].settled;
	for (size_t k = i + 1; k <= last; k++)
		at = at < model->events[k].now ? at : model->events[k].now;
	return at;
}

/* Neither beyond the clock nor before an earlier event. */
static void settle(struct model *model, size_t i)
{
	struct event *event = &model->events[i];
	event->settled = event->at < event->now ? event->at : event->now;
	for (size_t j = 0; j < i; j++) {
		int64_t before = time_of(model, j, i);
		event->settled = event->settled > before ? event->settled : before;
	}
}

/* How many events up to `last` are of the kinds, in a row, without a loss between them. */
static size_t run_of(const struct model *model, size_t last, unsigned kinds)
{
	size_t count = 0;
	while (count <= last && kinds & 1u << model->events[last - count].kind)
		count++;
	return count;
}
enum { FAILURE = 1 << FAILS, SUCCESS = 1 << FAST | 1 << SLOW };

/* Whether the system is down after the event `last`: since the last time that enough checks in a
 * row failed, never enough have succeeded. */
static bool is_down(const struct model *model, size_t last)
{
	for (size_t i = last + 1; i-- > 0;) {
		if (run_of(model, i, FAILURE) >= (size_t)model->settings.confirmations)
			return true;
		if (run_of(model, i, SUCCESS) >= (size_t)model->settings.recoveries)
			return false;
	}
	return false;
}

/* The event at which the present run of these kinds began. */
static size_t start_of(const struct model *model, size_t last, unsigned kinds)
{
	return last + 1 - run_of(model, last, kinds);
}

static bool was_down(const struct model *model, size_t i)
{
	return i > 0 && is_down(model, i - 1);
}

/* What follows from the events up to one of them. */
struct course {
	bool is_slow, is_unstable;
	size_t slow, fast;	   /* the checks in a row that count, up to that event */
	size_t starts[EVENTS_MAX]; /* of the changes of well, slow and down: the events that began
				    * them */
	size_t count;
};

static bool has_outage(const struct model *model, const struct course *course, size_t last)
{
	return is_down(model, last) || (course->is_unstable && !course->is_slow);
}

/* The change of the event i, after which the system is unstable if it is one of many. */
static void add_change(const struct model *model, struct course *course, size_t i, size_t start)
{
	course->starts[course->count++] = start;
	if (course->count >= CHECK_FLAPS &&
	    time_of(model, start, i) -
			    time_of(model, course->starts[course->count - CHECK_FLAPS], i) <=
		    CHECK_FLAPPING_S)
		course->is_unstable = true;
}

/* Whether 20 minutes have passed since the last change, and the event i says the same. */
static bool is_quiet(const struct model *model, const struct course *course, size_t i)
{
	unsigned same = is_down(model, i) ? FAILURE : SUCCESS;
	size_t since = course->starts[course->count - 1];
	if (course->is_slow) {
		same = course->fast >= (size_t)model->settings.recoveries ? SUCCESS : 0;
		since = i + 1 - course->fast;
	}
	return same & 1u << model->events[i].kind &&
	       time_of(model, i, i) - time_of(model, since, i) >= CHECK_FLAPPING_S;
}

static void go_on(const struct model *model, struct course *course, size_t i)
{
	enum kind kind = model->events[i].kind;
	bool is = is_down(model, i), was_slow = course->is_slow;
	bool counts = !is && !was_down(model, i) && (was_slow || !course->is_unstable);
	course->slow = counts && kind == SLOW ? course->slow + 1 : 0;
	course->fast = counts && kind == FAST ? course->fast + 1 : 0;
	if (is != was_down(model, i)) {
		course->is_slow = false;
		add_change(model, course, i, start_of(model, i, is ? FAILURE : SUCCESS));
	} else if (!was_slow && course->slow >= (size_t)model->settings.confirmations) {
		course->is_slow = true;
		add_change(model, course, i, i + 1 - course->slow);
	} else if (was_slow && !course->is_unstable &&
		   course->fast >= (size_t)model->settings.recoveries) {
		add_change(model, course, i, i + 1 - course->fast);
		course->is_slow = course->is_unstable;
	} else if (course->is_unstable && is_quiet(model, course, i)) {
		course->is_slow = course->is_unstable = false;
	}
}

static struct course course_of(const struct model *model, size_t count)
{
	struct course course = { 0 };
	for (size_t i = 0; i < count; i++)
		go_on(model, &course, i);
	return course;
}

static enum check_report model_report(const struct model *model, size_t last)
{
	struct course before = course_of(model, last), after = before;
	go_on(model, &after, last);
	bool had = last > 0 && has_outage(model, &before, last - 1);
	bool was_well = false;
	if (has_outage(model, &after, last))
		return had ? CHECK_REPORT_NONE : CHECK_REPORT_DOWN;
	if (after.is_slow)
		return before.is_slow ? CHECK_REPORT_NONE : CHECK_REPORT_SLOW;
	for (size_t i = 0; i < last; i++)
		was_well |= (SUCCESS & 1u << model->events[i].kind) != 0;
	bool is_first = !was_well && SUCCESS & 1u << model->events[last].kind;
	/* After an outage before which it was never up, the recovery is the first success. */
	return had || before.is_slow || is_first ? CHECK_REPORT_UP : CHECK_REPORT_NONE;
}

static int model_phase(const struct model *model)
{
	size_t last = model->count - 1;
	bool is_known = false;
	for (size_t i = 0; i <= last; i++)
		is_known |= model->events[i].kind != LOSS;
	if (!is_known)
		return CHECK_PENDING;
	if (model->events[last].kind == LOSS)
		return CHECK_NO_DATA;
	if (is_down(model, last))
		return CHECK_DOWN;
	return model->events[last].kind == FAILS ? CHECK_CONFIRMING : CHECK_UP;
}

/* The time of a report of an outage or its end. */
static int64_t model_since(const struct model *model, enum check_report report)
{
	size_t last = model->count - 1;
	bool was_slow = course_of(model, last).is_slow;
	struct course course = course_of(model, last + 1);
	size_t start = course.count > 0 ? course.starts[course.count - 1] : last;
	if (report == CHECK_REPORT_UP && was_slow)
		start = last + 1 - course.fast;
	return time_of(model, start, last);
}

static uint64_t seed = 20261123;
static unsigned chance(unsigned below)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(seed >> 33) % below;
}

static void tell_and_fail(const struct model *model, const char *what)
{
	for (size_t i = 0; i < model->count; i++)
		print_error("%c at %lld, now %lld\n", "F.SL"[model->events[i].kind],
			    (long long)model -> events[i].at - START_S,
			    (long long)model->events[i].now - START_S);
	fail_msg("%s; confirmations %lld, recoveries %lld", what,
		 (long long)model->settings.confirmations, (long long)model->settings.recoveries);
}

static void add_event(struct model *model, int64_t *clock, const unsigned weights[4])
{
	unsigned kind = 0, number = chance(weights[0] + weights[1] + weights[2] + weights[3]);
	while (number >= weights[kind])
		number -= weights[kind++];
	if (model->count == 0 && kind == LOSS)
		kind = FAST; /* nothing is known yet that could be lost */
	*clock += 1 + chance(chance(8) == 0 ? 1500 : 200);
	if (kind != LOSS && chance(40) == 0)
		*clock -= chance(2000);
	/* A check starts some time before it ends. */
	model->events[model->count++] =
		(struct event){ kind, *clock - (kind == LOSS ? 0 : chance(10)), *clock, 0 };
	settle(model, model->count - 1);
}

static void random_histories_equal_the_model(void **unused)
{
	enum { HISTORIES = 20000 };
	static const unsigned weights[][4] = {
		{ 1, 1, 0, 0 }, { 4, 4, 4, 1 }, { 1, 8, 4, 1 },
		{ 8, 2, 1, 1 }, { 3, 3, 0, 1 }, { 1, 8, 8, 0 },
	};
	const char *many = getenv("DAYMARK_HISTORIES");
	long histories = many ? strtol(many, NULL, 10) : HISTORIES;
	(void)unused;
	for (long history = 0; history < histories; history++) {
		struct model model = { .settings = usual };
		struct check_state state = { 0 };
		int64_t clock = START_S;
		const unsigned *kinds = weights[chance(ARRAY_LEN(weights))];
		size_t length = 1 + chance(chance(50) == 0 ? EVENTS_MAX : 14);
		model.settings.confirmations = 1 + chance(3);
		model.settings.recoveries = 1 + chance(3);
		model.settings.slow_ms = 100;
		while (model.count < length) {
			add_event(&model, &clock, kinds);
			const struct event *event = &model.events[model.count - 1];
			const struct check_outcome outcome = {
				.at = { event->at },
				.is_up = event->kind != FAILS,
				.response_ms = event->kind == SLOW ? 101 : 100,
				.cause = "",
			};
			enum check_report report = CHECK_REPORT_NONE;
			if (event->kind == LOSS)
				check_state_lose(&state, (struct instant){ event->now }, NULL);
			else
				report = check_state_take(&state, &model.settings, &outcome,
							  (struct instant){ event->now });
			if (state.phase != model_phase(&model))
				tell_and_fail(&model, "another phase");
			if (report != model_report(&model, model.count - 1))
				tell_and_fail(&model, "another report");
			int64_t since = report == CHECK_REPORT_UP ? state.well_since.s
								  : state.failing_since.s;
			if (report != CHECK_REPORT_NONE && since != model_since(&model, report))
				tell_and_fail(&model, "another start");
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reports),
		cmocka_unit_test(the_cause_names_what_was_found),
		cmocka_unit_test(a_long_cause_stays_text),
		cmocka_unit_test(a_failure_is_repeated_at_once_and_then_soon),
		cmocka_unit_test(a_state_is_stale_after_two_intervals_and_the_timeout),
		cmocka_unit_test(heartbeats_are_expected_after_the_period),
		cmocka_unit_test(random_histories_equal_the_model),
	};
	return RUN(tests);
}
