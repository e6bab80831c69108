/* Summaries of recurrence rules, from which pages make sentences; some rules are too complex for a
 * sentence. Also the rules that people choose in forms. */
#ifndef DOMAIN_MAINTENANCE_RECURRENCE_SUMMARY_H
#define DOMAIN_MAINTENANCE_RECURRENCE_SUMMARY_H

#include "domain/maintenance/recurrence.h"

/* The rules that forms offer as choices. The first one means no rule. The weekday and the day come
 * from the start of the window. */
extern const char *const recurrence_usual[];
/* The last rule in recurrence_usual. recurrence_nth_rule() replaces "nth". */
#define RECURRENCE_NTH_WEEKDAY "FREQ=MONTHLY;BYDAY=nth"
/* The choice for which the form asks for the text of a rule. */
#define RECURRENCE_OTHER       "other"

/* Returns "FREQ=MONTHLY;BYDAY=2SU" for a start on a second Sunday. For a start on a fifth Sunday
 * returns "BYDAY=-1SU", the last one. */
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
	/* A bit for each weekday, from bit 0 for Sunday; 0: the sentence names no weekday. */
	unsigned weekdays;
	int nth;       /* which of these weekdays in the month, or RECURRENCE_LAST; 0: each */
	int month_day; /* the day of the month, or RECURRENCE_LAST; 0: the sentence names no day */
	int64_t count; /* the number of all occurrences; 0: no limit */
	struct instant until; /* 0: no limit */
};
/* Summarizes a rule. Returns false if the rule is too complex for a sentence, or is not allowed. */
bool recurrence_summarize(const struct recurrence *recurrence, struct arena *arena,
			  struct recurrence_summary *summary);

#endif
