#include "base/severity.h"

#include <string.h>

#include "base/attr.h"

static bool is_impact(struct str word)
{
	static const char *const words[] = { "none", "degraded_performance", "partial_outage",
					     "major_outage", NULL };
	return str_place(words, word) >= 0;
}

/* Splits an item such as "critical:major_outage" into two words, without blanks around them.
 * Returns false if the item is not valid. */
static bool read_rule(struct str rule, struct str *severity, struct str *impact)
{
	if (rule.len == 0 || !memchr(rule.data, ':', rule.len))
		return false;
	str_split(&rule, ':', severity);
	*severity = str_trim_ows(*severity);
	*impact = str_trim_ows(rule);
	return severity->len > 0 && is_impact(*impact);
}

bool severity_rules_are_valid(const char *rules)
{
	struct str rest = str_from(rules), rule, severity, impact;
	while (rules && str_split(&rest, ',', &rule))
		if (!read_rule(rule, &severity, &impact))
			return false;
	return true;
}

struct str severity_impact(const char *rules, const char *severity)
{
	struct str rest = str_from(rules), rule, one, impact;
	while (rules && severity && str_split(&rest, ',', &rule))
		if (read_rule(rule, &one, &impact) && str_eq(one, str_from(severity)))
			return impact;
	return (struct str){ 0 };
}
