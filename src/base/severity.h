/*
 * The setting alert_impact, such as "critical:major_outage, warning:degraded_performance". It maps
 * the severity of an alert to the impact of the incident. The words for impacts are those of
 * domain/incident/incident.h.
 */
#ifndef BASE_SEVERITY_H
#define BASE_SEVERITY_H

#include <stdbool.h>

#include "base/str.h"

/* Whether each item has a severity and an impact. `rules` may be NULL: no items. */
bool severity_rules_are_valid(const char *rules);
/* Returns the impact of the first item that names the severity, or an empty text if no item names
 * it. */
struct str severity_impact(const char *rules, const char *severity);

#endif
