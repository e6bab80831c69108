#include "domain/monitor/check_quorum.h"

/* A vote with a time in the future counts as a vote of now. */
bool check_vote_counts(const struct check_vote *vote, const struct check_rule *rule,
		       struct instant now)
{
	return !vote->is_cut_off && vote->at.s > 0 && now.s - vote->at.s <= rule->max_age_s;
}

/* Inserts `at` into the ascending array. */
static void keep(struct instant *times, size_t *count, struct instant at)
{
	size_t place = (*count)++;
	for (; place > 0 && times[place - 1].s > at.s; place--)
		times[place] = times[place - 1];
	times[place] = at;
}

enum check_verdict check_quorum_judge(const struct check_vote *votes, size_t count,
				      const struct check_rule *rule, struct instant now,
				      struct instant *since)
{
	size_t locations = 0, ups = 0, downs = 0;
	struct instant up_since[CHECK_LOCATIONS_MAX], down_since[CHECK_LOCATIONS_MAX];
	*since = (struct instant){ 0 };
	for (size_t i = 0; i < count; i++) {
		locations += !votes[i].is_cut_off;
		if (!check_vote_counts(&votes[i], rule, now))
			continue;
		if (votes[i].is_down)
			keep(down_since, &downs, votes[i].since);
		else
			keep(up_since, &ups, votes[i].since);
	}
	if (ups + downs < rule->quorum)
		return CHECK_IS_UNKNOWN;
	if (downs >= rule->quorum) {
		*since = down_since[rule->quorum - 1];
		return CHECK_IS_DOWN;
	}
	if (ups + rule->quorum < locations + 1)
		return CHECK_STAYS;
	*since = up_since[0];
	return CHECK_IS_UP;
}

size_t check_quorum_default(size_t locations)
{
	return locations / 2 + 1;
}
