#include "domain/maintenance/recurrence_summary.h"

#include "base/clock.h"
#include "domain/maintenance/recurrence_rule.h"

const char *const recurrence_usual[] = {
	"",
	"FREQ=DAILY",
	"FREQ=WEEKLY",
	"FREQ=WEEKLY;INTERVAL=2",
	"FREQ=MONTHLY",
	RECURRENCE_NTH_WEEKDAY,
	NULL,
};

static int weekday_of(const struct local_time *local)
{
	const struct instant_parts date = { local->year, local->month, local->day, 0, 0, 0 };
	return rule_weekday(instant_of(&date).s / DAY_SECONDS);
}

const char *recurrence_nth_rule(const struct local_time *start, struct arena *arena)
{
	enum { MOST = 4 };
	const int nth = (start->day - 1) / WEEK_DAYS + 1;
	return arena_printf(arena, "FREQ=MONTHLY;BYDAY=%d%s", nth > MOST ? RECURRENCE_LAST : nth,
			    rule_weekdays[weekday_of(start)]);
}

/* Returns the only position in the set, from 1 to `most`, or RECURRENCE_LAST. 0: the set is empty,
 * has several positions, or has a position beyond `most`. */
static int only_place(const struct place_set *set, int most)
{
	int found = place_set_has(set, RECURRENCE_LAST) ? RECURRENCE_LAST : 0;
	for (int place = 1; place <= YEAR_DAYS_MAX; place++) {
		bool is_other = place_set_has(set, place) ||
				(place > 1 && place_set_has(set, -place));
		if (is_other && (found != 0 || place > most || !place_set_has(set, place)))
			return 0;
		if (is_other)
			found = place;
	}
	return found;
}

static bool summarize_every(const struct rule *rule, struct recurrence_summary *summary)
{
	static const struct {
		enum recurrence_every first;
		int64_t most;
	} every[] = { [DAILY] = { RECURRENCE_EVERY_DAY, 2 },
		      [WEEKLY] = { RECURRENCE_EVERY_WEEK, 2 },
		      [MONTHLY] = { RECURRENCE_EVERY_MONTH, 3 },
		      [YEARLY] = { RECURRENCE_EVERY_YEAR, 1 } };
	summary->every = every[rule->frequency].first + (enum recurrence_every)(rule->interval - 1);
	return rule->interval <= every[rule->frequency].most;
}

/* Summarizes a monthly rule. Returns false if the rule is too complex for a sentence, such as "each
 * Monday of a month". */
static bool summarize_month(const struct rule *rule, const struct local_time *start,
			    struct recurrence_summary *summary)
{
	enum { WEEKS_MAX = 4, MONTH_DAYS_MAX = 31 };
	if (!rule->has_weekdays) {
		summary->month_day = rule->month_days.is_given
					     ? only_place(&rule->month_days, MONTH_DAYS_MAX)
					     : start->day;
		return summary->month_day != 0;
	}
	for (int i = 0; i < WEEK_DAYS; i++) {
		if (!rule->nth_weekdays[i].is_given)
			continue;
		if (summary->weekdays != 0)
			return false;
		summary->weekdays = 1U << i;
		summary->nth = only_place(&rule->nth_weekdays[i], WEEKS_MAX);
	}
	return summary->nth != 0 && rule->weekdays == 0 && !rule->month_days.is_given;
}

static bool summarize_days(const struct rule *rule, const struct local_time *start,
			   struct recurrence_summary *summary)
{
	if (rule->frequency == MONTHLY)
		return summarize_month(rule, start, summary);
	if (rule->month_days.is_given)
		return false;
	if (rule->frequency == YEARLY)
		return !rule->has_weekdays;
	if (rule->has_weekdays)
		summary->weekdays = rule->weekdays;
	else if (rule->frequency == WEEKLY)
		summary->weekdays = 1U << weekday_of(start);
	if (rule->frequency == DAILY && rule->has_weekdays) {
		summary->every = RECURRENCE_EVERY_WEEK;
		return rule->interval == 1;
	}
	return true;
}

static struct instant until_of(const struct rule *rule, const struct zone *zone)
{
	const struct local_time local = zone_local(zone_utc(), rule->until);
	if (rule->until_kind == UNTIL_NEVER || rule->until_kind == UNTIL_UTC)
		return rule->until;
	return zone_instant(zone, &local);
}

bool recurrence_summarize(const struct recurrence *recurrence, struct arena *arena,
			  struct recurrence_summary *summary)
{
	struct rule rule;
	*summary = (struct recurrence_summary){ 0 };
	if (recurrence_read_rule(recurrence->rule, &rule, arena) || rule.months.is_given ||
	    rule.year_days.is_given || rule.weeks.is_given || rule.positions.is_given)
		return false;
	summary->count = rule.count;
	summary->until = until_of(&rule, recurrence->zone);
	return summarize_every(&rule, summary) &&
	       summarize_days(&rule, &recurrence->start, summary);
}
