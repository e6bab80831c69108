/* GET /metrics, and the function that counts requests. */
#ifndef APP_METRICS_H
#define APP_METRICS_H

#include "app/exchange.h"

/*
 * GET /metrics: the text format 0.0.4 of Prometheus, or OpenMetrics 1.0 if Accept names it. Admits
 * the clients of metrics_allow, and clients with metrics_key. The response is 404 to all other
 * clients, and at the domain of a page. Reads the database for monitors if `metrics_monitors` is
 * set, and for messages if `has_outbox` is set.
 */
enum result metrics_show(struct exchange *exchange);

/* Counts the request and its response. `method`: as sent by the client; `us`: the duration. */
void metrics_count_request(const struct exchange *exchange, const char *method, int64_t us);

#endif
