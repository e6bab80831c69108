/* Reads the text of a recurrence rule (RFC 5545 section 3.3.10) for
 * domain/maintenance/recurrence.c. */
#ifndef DOMAIN_MAINTENANCE_RECURRENCE_RULE_H
#define DOMAIN_MAINTENANCE_RECURRENCE_RULE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/zone.h"

enum { DAY_SECONDS = 86400, WEEK_DAYS = 7, YEAR_DAYS_MAX = 366, RULE_MAX = 255 };

/* "SU" to "SA"; NULL ends the array. */
extern const char *const rule_weekdays[];
/* Returns the weekday of a day, as an index of rule_weekdays. `day` is counted from 1970-01-01. */
int rule_weekday(int64_t day);

enum frequency { DAILY, WEEKLY, MONTHLY, YEARLY };
enum until_kind { UNTIL_NEVER, UNTIL_DATE, UNTIL_LOCAL, UNTIL_UTC };

/* Positions in a sequence, such as "1,-1". They begin at 1; negative positions count from the
 * end. */
struct place_set {
	bool is_given;
	uint64_t from_start[YEAR_DAYS_MAX / 64 + 1], from_end[YEAR_DAYS_MAX / 64 + 1]; /* bits */
};

struct rule {
	enum frequency frequency;
	int64_t interval; /* 1 to 1000 */
	int64_t count;	  /* 1 to 10000; 0: none */
	enum until_kind until_kind;
	struct instant until; /* the digits of UNTIL, read as UTC */
	struct place_set months, month_days, year_days, weeks, positions;
	bool has_weekdays;
	/* For each weekday (0 is Sunday) its positions in the month or the year: "2MO" is the
	 * second Monday. A weekday without a number has a bit in `weekdays`: "MO" is each Monday.
	 */
	struct place_set nth_weekdays[WEEK_DAYS];
	unsigned weekdays;
	int week_start; /* 0 is Sunday */
};

/* Reads `text` into *rule. Returns NULL, or why the rule is refused: the end of a sentence ("must
 * ...") that names the refused part. The arena owns the reason. */
const char *recurrence_read_rule(const char *text, struct rule *rule, struct arena *arena);

/* Returns whether the set contains the position. A positive `place` counts from the start, a
 * negative `place` from the end. */
bool place_set_has(const struct place_set *set, int place);

#endif
