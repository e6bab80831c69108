/* A rule of RFC 5545 as far as this program checks it itself, for domain/recurrence.c. */
#ifndef DOMAIN_RECURRENCE_RULE_H
#define DOMAIN_RECURRENCE_RULE_H

#include "base/str.h"
#include "domain/recurrence.h"

enum { DAY_SECONDS = 86400 };

enum until_kind { UNTIL_NEVER, UNTIL_DATE, UNTIL_LOCAL, UNTIL_UTC };

/* A rule, as far as it is checked here. */
struct rule {
	char text[256]; /* without UNTIL: libical would compare it with local times */
	size_t len;
	bool has_freq;
	bool has_nth;	  /* BYDAY=2MO */
	bool is_by_month; /* FREQ=MONTHLY or YEARLY */
	bool is_monthly;
	/* len 0: the rule has no such part */
	struct str by_day, by_month, by_month_day, by_year_day, by_week_no, by_set_pos;
	int64_t count; /* 0: none */
	enum until_kind until_kind;
	struct instant until; /* as if its digits were UTC */
	const struct local_time *start;
};

/* Reads the text into a rule that has its start. NULL, or what is wrong. */
const char *recurrence_read_rule(const char *text, struct rule *rule);

#endif
