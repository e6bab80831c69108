/* A rule of RFC 5545 as far as this program checks it itself, for domain/recurrence.c. */
#ifndef DOMAIN_RECURRENCE_RULE_H
#define DOMAIN_RECURRENCE_RULE_H

#include "base/arena.h"
#include "base/str.h"
#include "domain/recurrence.h"

enum { DAY_SECONDS = 86400, RULE_MAX = 255 };

enum until_kind { UNTIL_NEVER, UNTIL_DATE, UNTIL_LOCAL, UNTIL_UTC };

/* A rule, as far as it is checked here. */
struct rule {
	/* For libical: without UNTIL, which it would compare with local times, and with the BYDAY
	 * that BYWEEKNO needs. */
	char text[RULE_MAX + sizeof(";BYDAY=SU")];
	size_t len;
	bool has_freq;
	bool has_nth;	  /* BYDAY=2MO */
	bool is_by_month; /* FREQ=MONTHLY or YEARLY */
	bool is_monthly;
	/* len 0: the rule has no such part */
	struct str by_day, by_month, by_month_day, by_year_day, by_week_no, by_set_pos;
	int week_start; /* 0 is Sunday */
	int64_t count;	/* 0: none */
	enum until_kind until_kind;
	struct instant until; /* as if its digits were UTC */
	const struct local_time *start;
};

/*
 * Reads the text into a rule that has its start. NULL, or what is wrong, which names the refused
 * part. A rule that does not occur at its start is refused here: libical would search for its first
 * occurrence until the year 20000.
 */
const char *recurrence_read_rule(const char *text, struct rule *rule, struct arena *arena);

#endif
