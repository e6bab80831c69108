/*
 * The setting alert_impact: "critical:major_outage, warning:degraded_performance", the impact of an
 * alert by its severity. The words are those of domain/incident/incident.h.
 */
#ifndef BASE_SEVERITY_H
#define BASE_SEVERITY_H

#include <stdbool.h>

#include "base/str.h"

/* Whether each item has a severity and an impact. NULL: no items. */
bool severity_rules_are_valid(const char *rules);
/* The impact of the first item that names the severity; empty if no item names it. */
struct str severity_impact(const char *rules, const char *severity);

#endif
