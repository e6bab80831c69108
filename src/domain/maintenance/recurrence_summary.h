/* What a recurrence rule says, as far as a sentence can say it; and the rules that people choose by
 * a sentence. */
#ifndef DOMAIN_MAINTENANCE_RECURRENCE_SUMMARY_H
#define DOMAIN_MAINTENANCE_RECURRENCE_SUMMARY_H

#include "domain/maintenance/recurrence.h"

/* What forms offer, beside any other rule. The first is no rule. The days follow from the start. */
extern const char *const recurrence_usual[];
/* The last of them: recurrence_nth_rule() makes the rule. */
#define RECURRENCE_NTH_WEEKDAY "FREQ=MONTHLY;BYDAY=nth"
/* The choice of a form that leads to the text of the rule. */
#define RECURRENCE_OTHER       "other"

/* "FREQ=MONTHLY;BYDAY=2SU" for a start on a second Sunday. The fifth weekday counts as the last. */
const char *recurrence_nth_rule(const struct local_time *start, struct arena *arena);

enum recurrence_every {
	RECURRENCE_EVERY_DAY,
	RECURRENCE_EVERY_2_DAYS,
	RECURRENCE_EVERY_WEEK,
	RECURRENCE_EVERY_2_WEEKS,
	RECURRENCE_EVERY_MONTH,
	RECURRENCE_EVERY_2_MONTHS,
	RECURRENCE_EVERY_3_MONTHS,
	RECURRENCE_EVERY_YEAR,
};
enum { RECURRENCE_LAST = -1 };

struct recurrence_summary {
	enum recurrence_every every;
	unsigned weekdays;    /* a bit for each, 0 is Sunday; 0: it is said without weekdays */
	int nth;	      /* of the weekday in the month, or RECURRENCE_LAST; 0: each */
	int month_day;	      /* or RECURRENCE_LAST; 0: it is said without a day */
	int64_t count;	      /* of all occurrences; 0: no limit */
	struct instant until; /* 0: no limit */
};
/* False: the rule says more, or is not allowed. */
bool recurrence_summarize(const struct recurrence *recurrence, struct arena *arena,
			  struct recurrence_summary *summary);

#endif
