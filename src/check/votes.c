/* The state of a monitor that several locations check: see domain/monitor/check_quorum.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "check/checked.h"

static struct check_vote vote_of(const struct check_voting *voting)
{
	struct check_vote vote = { .at = voting->checked_at, .since = voting->since };
	switch (voting->phase) {
	case CHECK_UP:
		break;
	case CHECK_CONFIRMING: /* the failure is not confirmed: the location still votes for up */
		if (voting->well_since.s == 0)
			return (struct check_vote){ 0 };
		vote.since = voting->well_since;
		break;
	case CHECK_DOWN:
		vote.is_down = true;
		vote.since = voting->failing_since;
		break;
	case CHECK_NO_DATA:
		return (struct check_vote){ .is_cut_off = true };
	default:
		return (struct check_vote){ 0 };
	}
	/* If the result lacks the time of the change, use the time of the check. With the time 0,
	 * an outage would begin in 1970. */
	if (vote.since.s == 0)
		vote.since = vote.at;
	return vote;
}

struct votes *votes_new(const struct check_settings *settings)
{
	struct str rest = str_from(settings->locations), name;
	size_t count = 0;
	if (settings->type == CHECK_HEARTBEAT)
		return NULL;
	while (check_location_take(&rest, &name))
		count++;
	if (count == 0)
		return NULL;
	struct votes *votes = memory_needed(calloc(1, sizeof(*votes)));
	votes->count = count < CHECK_LOCATIONS_MAX ? count : CHECK_LOCATIONS_MAX;
	votes->own = check_location_place(settings->locations, str_from(CHECK_LOCATION_CENTRE));
	votes->until_ms = clock_ms() + (2 * settings->interval + settings->timeout) * INT64_C(1000);
	return votes;
}

bool votes_are_of_others(const struct checked *checked)
{
	return checked->votes && checked->votes->own < 0;
}

static void set_vote(struct votes *votes, int place, const struct check_voting *voting)
{
	struct cast *cast = &votes->casts[place];
	cast->vote = vote_of(voting);
	cast->is_slow = voting->is_slow;
	cast->response_ms = voting->response_ms;
	snprintf(cast->cause, sizeof(cast->cause), "%s", voting->cause ? voting->cause : "");
}

static void set_own(struct votes *votes)
{
	const struct check_state *state = &votes->state;
	const struct check_voting voting = { .phase = state->phase,
					     .since = state->since,
					     .checked_at = state->checked_at,
					     .failing_since = state->failing_since,
					     .well_since = state->well_since,
					     .is_slow = state->is_slow,
					     .response_ms = state->response_ms,
					     .cause = state->cause };
	if (votes->own >= 0)
		set_vote(votes, votes->own, &voting);
}

static int by_time(const void *a, const void *b)
{
	return id_order(b, a);
}

/* Returns the longest response time that at least `quorum` locations reach or exceed. So a monitor
 * is slow if at least `quorum` locations find it slow. */
static int64_t response_of(const struct votes *all, const struct check_vote *votes, int64_t slow_ms,
			   size_t quorum)
{
	int64_t times[CHECK_LOCATIONS_MAX];
	size_t count = 0;
	for (size_t i = 0; i < all->count; i++) {
		const struct cast *cast = &all->casts[i];
		int64_t ms = cast->response_ms;
		if (votes[i].at.s == 0 || votes[i].is_down)
			continue;
		/* The location has already decided whether the system is slow. Adjust a time that
		 * contradicts this decision. */
		if (slow_ms > 0 && cast->is_slow != (ms > slow_ms))
			ms = cast->is_slow ? slow_ms + 1 : slow_ms;
		times[count++] = ms;
	}
	if (count == 0)
		return 0;
	qsort(times, count, sizeof(*times), by_time);
	return times[quorum < count ? quorum - 1 : count - 1];
}

/* Applies a verdict of up or down. Votes that do not count have the time 0. */
static void decide(struct checked *checked, const struct check_vote *votes, size_t quorum,
		   bool is_down, struct instant since)
{
	const struct votes *all = checked->votes;
	struct check_settings settings = *checked->settings;
	struct check_outcome outcome = { .is_up = !is_down };
	struct check_state *state = &checked->state;
	bool was_down = state->phase == CHECK_DOWN ||
			(state->phase == CHECK_NO_DATA && state->failing_since.s > 0);
	struct instant newest = { 0 }, joined = { 0 };
	for (size_t i = 0; i < all->count; i++) {
		if (votes[i].at.s > newest.s)
			newest = votes[i].at;
		if (votes[i].at.s == 0 || votes[i].is_down != is_down)
			continue;
		outcome.cause = all->casts[i].cause;
		if (votes[i].since.s > joined.s)
			joined = votes[i].since;
	}
	outcome.at = newest;
	outcome.response_ms = response_of(all, votes, settings.slow_ms, quorum);
	/* Use the time of the change, although newer votes may exist. An outage begins when enough
	 * locations fail. It ends when the last of the locations that vote for up recovers. */
	if (is_down != was_down && state->phase != CHECK_PENDING) {
		outcome.at = is_down ? since : joined;
		if (state->checked_at.s > outcome.at.s)
			state->checked_at = outcome.at;
	}
	/* One outcome suffices, because the locations have already confirmed it. */
	settings.confirmations = settings.recoveries = 1;
	judge_decide(checked, &settings, &outcome);
	if (state->checked_at.s < newest.s)
		state->checked_at = newest;
}

/* Returns whether the failure of another monitor, on which this monitor depends, excuses this
 * monitor. If so, makes the state unknown, and ignores failures up to `now`. */
static bool excuse(struct checked *checked, struct instant now)
{
	char cause[CHECK_CAUSE_MAX_BYTES + 1];
	if (checked->state.phase == CHECK_DOWN || !judge_excuses(checked, cause))
		return false;
	checked->votes->excused_at = now;
	if (checked->state.phase != CHECK_NO_DATA)
		judge_unknown(checked, checked->state.checked_at, cause);
	return true;
}

void votes_judge(struct checked *checked)
{
	struct votes *all = checked->votes;
	struct check_vote votes[CHECK_LOCATIONS_MAX];
	const struct check_settings *settings = checked->settings;
	const struct check_rule rule = {
		.quorum = settings->quorum > 0 ? (size_t)settings->quorum
					       : check_quorum_default(all->count),
		.max_age_s = 2 * settings->interval + settings->timeout,
	};
	struct instant since, now = checker_now(checked->checker);
	char cause[64];
	if (checked->is_paused || !checked->checker->has_lease)
		return;
	set_own(all);
	for (size_t i = 0; i < all->count; i++) {
		votes[i] = all->casts[i].vote;
		bool is_excused = votes[i].is_down && votes[i].at.s <= all->excused_at.s;
		if (is_excused || !check_vote_counts(&votes[i], &rule, now))
			votes[i].at.s = 0;
		if (votes[i].is_down && votes[i].since.s < all->excused_at.s)
			votes[i].since = all->excused_at;
	}
	switch (check_quorum_judge(votes, all->count, &rule, now, &since)) {
	case CHECK_IS_UP:
		decide(checked, votes, rule.quorum, false, since);
		return;
	case CHECK_IS_DOWN:
		if (!excuse(checked, now))
			decide(checked, votes, rule.quorum, true, since);
		return;
	case CHECK_STAYS:
		if (checked->state.phase != CHECK_UP && checked->state.phase != CHECK_DOWN)
			return;
		checked->state.checked_at = now;
		judge_record(checked); /* otherwise the next checker would see a gap */
		return;
	case CHECK_IS_UNKNOWN:
		/* After a start, wait for votes that may still come. */
		if (clock_ms() < all->until_ms || checked->state.phase == CHECK_NO_DATA)
			return;
		snprintf(cause, sizeof(cause), "fewer than %zu locations can tell", rule.quorum);
		judge_unknown(checked, checked->state.checked_at, cause);
		return;
	}
}

void votes_take(void *context, const struct check_votings *list)
{
	struct checker *checker = context;
	for (size_t i = 0; i < list->count; i++) {
		const struct check_voting *voting = &list->rows[i];
		struct checked *checked = checker_find(checker, voting->monitor_id);
		if (!checked || !checked->votes)
			continue;
		int place = check_location_place(checked->settings->locations,
						 str_from(voting->location));
		struct votes *votes = checked->votes;
		if (place < 0 || place == votes->own || (size_t)place >= votes->count)
			continue;
		set_vote(votes, place, voting);
		/* Another location has found a first failure: check the monitor from here at
		 * once. */
		if (voting->phase == CHECK_CONFIRMING && votes->state.phase == CHECK_UP &&
		    votes->state.checked_at.s < voting->checked_at.s && !checked->is_paused &&
		    checker_observes(checker))
			schedule_want(checked);
	}
	for (size_t i = 0; i < list->count; i++) {
		struct checked *checked = checker_find(checker, list->rows[i].monitor_id);
		if (checked && checked->votes)
			votes_judge(checked);
	}
}
