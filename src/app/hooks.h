/*
 * The inbox for monitoring systems: reports that open and end incidents.
 *
 * POST /hooks/generic takes a small form, which may be sent twice and out of order. For
 * Alertmanager's webhook see app/alerts.h.
 */
#ifndef APP_HOOKS_H
#define APP_HOOKS_H

#include "app/exchange.h"
#include "store/report.h"

extern const struct fields hooks_generic_fields;

enum result hooks_generic(struct exchange *exchange);

/*
 * Counts incidents that a transaction has added, at its end. E_QUOTA_EXCEEDED: these are more than
 * the account may open on this day.
 */
enum result hooks_count_additions(struct exchange *exchange, int64_t count) MUST_USE;
/* {"monitor_id", "outcome", "incident_id"} */
struct json_object *hooks_outcome(const struct reported *reported, int64_t monitor_id);

#endif
