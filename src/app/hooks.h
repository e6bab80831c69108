/*
 * The inbox for monitoring systems: reports that open and end incidents.
 *
 * POST /hooks/alertmanager takes the webhook payload (version 4) of Prometheus
 * Alertmanager; POST /hooks/generic a small form. Both may be sent twice and
 * out of order.
 */
#ifndef APP_HOOKS_H
#define APP_HOOKS_H

#include "app/exchange.h"

extern const struct fields hooks_generic_fields;

enum result hooks_alertmanager(struct exchange *exchange);
enum result hooks_generic(struct exchange *exchange);

#endif
