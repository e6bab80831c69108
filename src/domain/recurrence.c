#include "domain/recurrence.h"

#include <libical/ical.h>
#include <pthread.h>
#include <string.h>

#include "base/clock.h"
#include "base/library.h"
#include "base/str.h"
#include "domain/recurrence_rule.h"

enum {
	STEPS_MAX = 100000, /* occurrences from the start of the rule on */
};

#ifdef ICAL_LIBRARY

/* libical loads ICU, whose data has 30 MB: only processes that expand a rule load it. */
#define ICAL_FUNCTIONS(X) \
	X(icalerror_set_errors_are_fatal) \
	X(icalrecurrencetype_from_string) \
	X(icalrecur_iterator_new) \
	X(icalrecur_iterator_next) \
	X(icalrecur_iterator_free)

static struct {
#define MEMBER(name) __typeof__(name) *call_##name;
	ICAL_FUNCTIONS(MEMBER)
#undef MEMBER
} ical;

static const struct library_symbol symbols[] = {
#define SYMBOL(name) { #name, &ical.call_##name },
	ICAL_FUNCTIONS(SYMBOL)
#undef SYMBOL
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char failure[LIBRARY_FAILURE_SIZE]; /* empty: the library is loaded */

static void load_library(void)
{
	if (library_load(ICAL_LIBRARY, symbols, ARRAY_LEN(symbols), failure))
		ical.call_icalerror_set_errors_are_fatal(false);
}

static enum result load(struct error *error)
{
	pthread_once(&once, load_library);
	return failure[0] == '\0' ? OK
				  : error_log(error, E_UNAVAILABLE,
					      "the library for recurring windows cannot be "
					      "loaded: %s",
					      failure);
}

#define icalrecurrencetype_from_string ical.call_icalrecurrencetype_from_string
#define icalrecur_iterator_new	       ical.call_icalrecur_iterator_new
#define icalrecur_iterator_next	       ical.call_icalrecur_iterator_next
#define icalrecur_iterator_free	       ical.call_icalrecur_iterator_free

#else

static enum result load(struct error *error)
{
	(void)error;
	icalerror_set_errors_are_fatal(false);
	return OK;
}

#endif

bool local_time_parse(const char *text, struct local_time *local)
{
	enum { WITHOUT_SECONDS = 16, WITH_SECONDS = 19 };
	char padded[WITH_SECONDS + 1] = "0000-00-00T00:00:00";
	size_t len = strlen(text);
	struct instant at;
	if (len != WITHOUT_SECONDS && len != WITH_SECONDS)
		return false;
	memcpy(padded, text, len);
	/* No sign, and no letter but the T: instant_parse() knows offsets. */
	if (strspn(padded + 11, "0123456789:") != 8 || !instant_parse(str_from(padded), &at))
		return false;
	struct instant_parts parts = instant_split(at);
	*local = (struct local_time){ parts.year, parts.month,	parts.day,
				      parts.hour, parts.minute, parts.second };
	return true;
}

static struct icaltimetype ical_time(const struct local_time *local)
{
	return (struct icaltimetype){ .year = local->year,
				      .month = local->month,
				      .day = local->day,
				      .hour = local->hour,
				      .minute = local->minute,
				      .second = local->second };
}

static struct local_time local_of(const struct icaltimetype *time)
{
	return (struct local_time){ time->year, time->month,  time->day,
				    time->hour, time->minute, time->second };
}

static int64_t as_utc_s(const struct local_time *local)
{
	const struct instant_parts parts = { local->year, local->month,	 local->day,
					     local->hour, local->minute, local->second };
	return instant_of(&parts).s;
}

static bool is_past_until(const struct rule *rule, const struct local_time *local,
			  struct instant at)
{
	if (rule->until_kind == UNTIL_NEVER)
		return false;
	return (rule->until_kind == UNTIL_UTC ? at.s : as_utc_s(local)) > rule->until.s;
}

struct expansion {
	const struct recurrence *recurrence;
	const struct recurrence_range *range;
	const struct rule *rule;
	struct recurrence_times *times;
};

/* Takes the occurrences one by one, the first of which must be the start. */
static const char *walk(const struct expansion *expansion, icalrecur_iterator *iterator)
{
	const struct recurrence *recurrence = expansion->recurrence;
	struct recurrence_times *times = expansion->times;
	for (int64_t step = 0; step < STEPS_MAX; step++) {
		struct icaltimetype next = icalrecur_iterator_next(iterator);
		const struct local_time local = local_of(&next);
		bool is_end = next.year == 0;
		if (step == 0 && (is_end || as_utc_s(&local) != as_utc_s(&recurrence->start)))
			return "must have its first occurrence at starts_at";
		if (is_end) {
			times->is_last = step == expansion->rule->count;
			return NULL;
		}
		struct instant at = zone_instant(recurrence->zone, &local);
		times->is_last = is_past_until(expansion->rule, &local, at);
		if (times->is_last || at.s > expansion->range->until.s)
			return NULL;
		if (at.s < expansion->range->from.s)
			continue;
		if (times->count == expansion->range->most)
			return "has too many occurrences";
		times->starts[times->count++] = at;
	}
	return "has too many occurrences";
}

enum result recurrence_expand(const struct recurrence *recurrence,
			      const struct recurrence_range *range, struct arena *arena,
			      struct recurrence_times *times, const char **why, struct error *error)
{
	struct rule rule = { .start = &recurrence->start };
	const struct expansion expansion = { recurrence, range, &rule, times };
	*times = (struct recurrence_times){ .starts = ARENA_ARRAY(arena, range->most,
								  struct instant) };
	*why = recurrence_read_rule(recurrence->rule, &rule, arena);
	if (*why)
		return E_INVALID;
	enum result result = load(error);
	if (result != OK)
		return result;
	struct icalrecurrencetype type = icalrecurrencetype_from_string(rule.text);
	const int64_t first_s = as_utc_s(&recurrence->start);
	const int64_t last_s = (first_s > range->until.s ? first_s : range->until.s);
	const struct local_time until =
		zone_local(zone_utc(), (struct instant){ last_s + 2 * DAY_SECONDS });
	/* So that libical does not search on. */
	type.until = ical_time(&until);
	icalrecur_iterator *iterator =
		type.freq == ICAL_NO_RECURRENCE
			? NULL
			: icalrecur_iterator_new(type, ical_time(&recurrence->start));
	*why = iterator ? walk(&expansion, iterator)
			: "must be a rule of RFC 5545, such as FREQ=WEEKLY;BYDAY=SA";
	if (iterator)
		icalrecur_iterator_free(iterator);
	return *why ? E_INVALID : OK;
}
