#include "unit/lib/unit.h"

#include "domain/monitor/check_quorum.h"

enum { START = 1795204800, INTERVAL_S = 60, MAX_AGE_S = 130 };

static struct instant step(size_t number)
{
	return (struct instant){ START + (int64_t)number * INTERVAL_S };
}

static void a_verdict_needs_enough_votes(void **state)
{
	(void)state;
	/* A letter for each location: Down, Up, Cut off, - has not voted, d and u expired. */
	static const struct {
		const char *votes;
		size_t quorum;
		enum check_verdict verdict;
	} rows[] = {
		{ "U", 1, CHECK_IS_UP },
		{ "D", 1, CHECK_IS_DOWN },
		{ "-", 1, CHECK_IS_UNKNOWN },
		{ "C", 1, CHECK_IS_UNKNOWN },
		{ "d", 1, CHECK_IS_UNKNOWN },
		{ "UU", 2, CHECK_IS_UP },
		{ "DD", 2, CHECK_IS_DOWN },
		{ "DU", 2, CHECK_IS_UP },
		{ "DU", 1, CHECK_IS_DOWN },
		{ "DC", 2, CHECK_IS_UNKNOWN },
		{ "DDU", 2, CHECK_IS_DOWN },
		{ "DUU", 2, CHECK_IS_UP },
		/* A location that is silent is missing among the votes for up. */
		{ "DU-", 2, CHECK_STAYS },
		{ "DUu", 2, CHECK_STAYS },
		{ "UU-", 2, CHECK_IS_UP },
		{ "DD-", 2, CHECK_IS_DOWN },
		{ "U--", 2, CHECK_IS_UNKNOWN },
		/* A location that is cut off counts for nothing. */
		{ "DUC", 2, CHECK_IS_UP },
		{ "UUC", 2, CHECK_IS_UP },
		{ "DDC", 2, CHECK_IS_DOWN },
		{ "UCC", 2, CHECK_IS_UNKNOWN },
		{ "DDUU", 2, CHECK_IS_DOWN },
		{ "DDUU", 3, CHECK_IS_UP },
		{ "DDU-", 3, CHECK_STAYS },
		{ "DUUU", 4, CHECK_IS_UP },
		{ "DDDD", 4, CHECK_IS_DOWN },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct check_vote votes[CHECK_LOCATIONS_MAX] = { 0 };
		struct instant since;
		size_t count = strlen(rows[i].votes);
		for (size_t j = 0; j < count; j++) {
			char letter = rows[i].votes[j];
			int64_t age = letter == 'd' || letter == 'u' ? MAX_AGE_S + 1 : MAX_AGE_S;
			votes[j].is_cut_off = letter == 'C';
			votes[j].is_down = letter == 'D' || letter == 'd';
			if (letter != '-')
				votes[j].at.s = votes[j].since.s = step(9).s - age;
		}
		struct check_rule rule = { rows[i].quorum, MAX_AGE_S };
		enum check_verdict verdict =
			check_quorum_judge(votes, count, &rule, step(9), &since);
		if (verdict != rows[i].verdict)
			fail_msg("%s, quorum %zu: %d", rows[i].votes, rows[i].quorum, verdict);
	}
}

static void an_outage_starts_with_the_vote_that_makes_the_quorum(void **state)
{
	(void)state;
	struct check_vote votes[] = {
		{ .is_down = true, .at = step(5), .since = step(3) },
		{ .is_down = true, .at = step(5), .since = step(2) },
		{ .is_down = false, .at = step(5), .since = step(1) },
		{ .is_down = true, .at = step(1), .since = step(1) }, /* has expired */
		{ .is_cut_off = true, .is_down = true, .at = step(5), .since = step(1) },
	};
	struct check_rule rule = { 2, MAX_AGE_S };
	struct instant since;
	assert_int_equal(CHECK_IS_DOWN, check_quorum_judge(votes, 5, &rule, step(5), &since));
	assert_int_equal(step(3).s, since.s);
	rule.quorum = 1;
	assert_int_equal(CHECK_IS_DOWN, check_quorum_judge(votes, 5, &rule, step(5), &since));
	assert_int_equal(step(2).s, since.s);
	rule.quorum = 2;
	votes[0].is_down = votes[1].is_down = false;
	assert_int_equal(CHECK_IS_UP, check_quorum_judge(votes, 5, &rule, step(5), &since));
	assert_int_equal(step(1).s, since.s);
}

static void a_clock_that_is_ahead_gives_no_longer_life(void **state)
{
	(void)state;
	struct check_vote vote = { .is_down = true, .at = step(9), .since = step(9) };
	struct check_rule rule = { 1, MAX_AGE_S };
	struct instant since;
	assert_int_equal(CHECK_IS_DOWN, check_quorum_judge(&vote, 1, &rule, step(5), &since));
	assert_int_equal(CHECK_IS_UNKNOWN, check_quorum_judge(&vote, 1, &rule, step(12), &since));
}

static void a_default_quorum_is_a_majority(void **state)
{
	(void)state;
	static const size_t rows[][2] = { { 1, 1 }, { 2, 2 }, { 3, 2 }, { 4, 3 }, { 5, 3 } };
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		assert_int_equal(rows[i][1], check_quorum_default(rows[i][0]));
}

/*
 * All histories of three locations: in each step a location checks and finds the system up or down,
 * loses its line, or is silent. The model keeps the whole history, and counts anew after each step.
 * The first step is always the first location's: locations differ by their places alone, and the
 * later steps have all orders.
 */
enum { LOCATIONS = 3, STEPS = 6, FINDS = 4 };
enum find { FINDS_UP, FINDS_DOWN, IS_CUT_OFF, IS_SILENT };

struct history {
	struct {
		size_t location;
		enum find find;
	} steps[STEPS];
	size_t count;
};

/* The last that the location said, and the step; IS_SILENT: nothing. */
static enum find model_last(const struct history *history, size_t location, size_t *at)
{
	for (size_t i = history->count; i-- > 0;) {
		*at = i;
		if (history->steps[i].location == location && history->steps[i].find != IS_SILENT)
			return history->steps[i].find;
	}
	return IS_SILENT;
}

/* 'U', 'D', '?', or the former letter: sentence by sentence as the contract says. */
static char model_letter(const struct history *history, size_t quorum, char former)
{
	size_t able = 0, down = 0, up = 0, connected = LOCATIONS;
	for (size_t location = 0; location < LOCATIONS; location++) {
		size_t at = 0;
		enum find find = model_last(history, location, &at);
		if (find == IS_CUT_OFF)
			connected--;
		/* A vote lives for two more steps. */
		if ((find != FINDS_UP && find != FINDS_DOWN) || history->count - 1 - at > 2)
			continue;
		able++;
		*(find == FINDS_DOWN ? &down : &up) += 1;
	}
	if (able < quorum)
		return '?';
	if (down >= quorum)
		return 'D';
	return up + quorum > connected ? 'U' : former;
}

static char take_verdict(const struct check_vote *votes, size_t quorum, size_t now, char former)
{
	static const char letters[] = {
		[CHECK_IS_UP] = 'U', [CHECK_IS_DOWN] = 'D', [CHECK_IS_UNKNOWN] = '?'
	};
	struct check_rule rule = { quorum, MAX_AGE_S };
	struct instant since;
	enum check_verdict verdict = check_quorum_judge(votes, LOCATIONS, &rule, step(now), &since);
	return verdict == CHECK_STAYS ? former : letters[verdict];
}

static void take_vote(struct check_vote *vote, enum find find, size_t now)
{
	bool is_down = find == FINDS_DOWN;
	if (find == IS_SILENT)
		return;
	vote->is_cut_off = find == IS_CUT_OFF;
	if (vote->is_cut_off)
		return;
	if (vote->at.s == 0 || vote->is_down != is_down)
		vote->since = step(now);
	vote->is_down = is_down;
	vote->at = step(now);
}

static size_t compare_from(struct history *history, const struct check_vote *votes, size_t quorum,
			   const char formers[2])
{
	size_t compared = 0;
	if (history->count == STEPS)
		return 0;
	size_t choices = history->count == 0 ? FINDS : LOCATIONS * FINDS;
	for (size_t choice = 0; choice < choices; choice++) {
		struct check_vote next[LOCATIONS];
		size_t now = history->count, location = choice / FINDS;
		enum find find = (enum find)(choice % FINDS);
		memcpy(next, votes, sizeof(next));
		history->steps[history->count].location = location;
		history->steps[history->count++].find = find;
		take_vote(&next[location], find, now);
		char letters[2] = { model_letter(history, quorum, formers[0]),
				    take_verdict(next, quorum, now, formers[1]) };
		if (letters[0] != letters[1])
			fail_msg("quorum %zu, step %zu: %c instead of %c", quorum, now, letters[1],
				 letters[0]);
		compared += 1 + compare_from(history, next, quorum, letters);
		history->count--;
	}
	return compared;
}

static void all_histories_of_three_locations_agree_with_the_model(void **state)
{
	(void)state;
	for (size_t quorum = 1; quorum <= LOCATIONS; quorum++) {
		struct history history = { 0 };
		struct check_vote votes[LOCATIONS] = { 0 };
		const char pending[2] = { '?', '?' };
		/* The nodes of four trees of degree 12, whose roots are at depth 1 of 6. */
		assert_int_equal(1085812, compare_from(&history, votes, quorum, pending));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_verdict_needs_enough_votes),
		cmocka_unit_test(an_outage_starts_with_the_vote_that_makes_the_quorum),
		cmocka_unit_test(a_clock_that_is_ahead_gives_no_longer_life),
		cmocka_unit_test(a_default_quorum_is_a_majority),
		cmocka_unit_test(all_histories_of_three_locations_agree_with_the_model),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
