/*
 * The hooks to which monitoring systems send observations, which open and end incidents.
 *
 * POST /hooks/generic takes a small set of fields. Requests may arrive twice, or in the wrong
 * order. For Alertmanager's webhook see app/incident/alerts.c.
 */
#ifndef APP_INCIDENT_HOOKS_H
#define APP_INCIDENT_HOOKS_H

#include "app/exchange.h"
#include "domain/incident/observation.h"

extern const struct fields hooks_generic_fields;

enum result hooks_generic(struct exchange *exchange);

/* Returns {"monitor_id", "outcome", "incident_id"}. */
struct json_object *hooks_outcome(const struct observed *observed);

#endif
