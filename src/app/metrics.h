/* GET /metrics, and the counts of requests. */
#ifndef APP_METRICS_H
#define APP_METRICS_H

#include "app/exchange.h"

/*
 * GET /metrics: the text format 0.0.4 of Prometheus, or OpenMetrics 1.0 if Accept names it. Admits
 * the clients of metrics_allow, and clients with metrics_key; 404 for all other clients, and on the
 * domains of pages. Runs a statement only if `metrics_monitors` is set.
 */
enum result metrics_show(struct exchange *exchange);

/* Counts the request with its response. `method` is as the client sent it; `us` is the duration. */
void metrics_count_request(const struct exchange *exchange, const char *method, int64_t us);

#endif
