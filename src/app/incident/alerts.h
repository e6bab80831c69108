/*
 * POST /hooks/alertmanager: the webhook payload (version 4) of Prometheus Alertmanager. It may be
 * sent twice and out of order, and is read alert by alert.
 */
#ifndef APP_INCIDENT_ALERTS_H
#define APP_INCIDENT_ALERTS_H

#include "app/exchange.h"

enum result hooks_alertmanager(struct exchange *exchange);

/* The parameters of the webhook's address. */
extern const struct fields hooks_alertmanager_query_fields;

#endif
