/*
 * The inbox for monitoring systems: observations that open and end incidents.
 *
 * POST /hooks/generic takes a small form, which may be sent twice and out of order. For
 * Alertmanager's webhook see app/incident/alerts.h.
 */
#ifndef APP_INCIDENT_HOOKS_H
#define APP_INCIDENT_HOOKS_H

#include "app/exchange.h"
#include "domain/incident/observation.h"

extern const struct fields hooks_generic_fields;

enum result hooks_generic(struct exchange *exchange);

/* {"monitor_id", "outcome", "incident_id"} */
struct json_object *hooks_outcome(const struct observed *observed);

#endif
