#include "app/metrics.h"

#include <string.h>

#include "app/mirrors.h"
#include "app/page/page_host.h"
#include "app/routes.h"
#include "base/metrics.h"
#include "base/secret.h"
#include "db/failure.h"
#include "domain/notify/delivery.h"
#include "http/auth.h"
#include "http/client_address.h"
#include "store/check/monitor_series.h"
#include "store/notify/delivery.h"

static const char *const methods[] = { "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS" };
static const char *const results[] = { "ok", "failed" };
static const char *const check_results[] = { "up", "down", "void" };

void metrics_count_request(const struct exchange *exchange, const char *method, int64_t us)
{
	uint16_t route = (uint16_t)app_route_number(exchange->match.pattern), at = 0;
	while (at < ARRAY_LEN(methods) && strcmp(methods[at], method) != 0)
		at++;
	metrics_tend();
	metrics_add(METRIC_REQUESTS, METRIC_LABELS(route, at, (uint16_t)exchange->response.status),
		    1);
	metrics_observe(METRIC_REQUEST_TIME, METRIC_LABELS(route), us);
}

static bool has_key(const struct exchange *exchange)
{
	struct str text;
	return exchange->config->metrics_key &&
	       auth_bearer_text(exchange->request.authorization, &text) &&
	       secret_is_equal(text, str_from(exchange->config->metrics_key));
}

static bool is_admitted(struct exchange *exchange)
{
	return !page_host_is_foreign(exchange) &&
	       (has_key(exchange) || page_host_is_among(exchange, exchange->config->metrics_allow));
}

static void name_labels(struct metrics_output *output, struct arena *arena)
{
	struct metric_words *words = output->words;
	const char **routes = ARENA_ARRAY(arena, APP_ROUTE_NUMBERS, const char *);
	const char **states = ARENA_ARRAY(arena, METRIC_PHASES, const char *);
	for (size_t i = 0; i < APP_ROUTE_NUMBERS; i++)
		routes[i] = app_route_pattern(i);
	for (size_t i = 0; i < METRIC_PHASE_PAUSED; i++)
		states[i] = check_phase_words[i];
	states[METRIC_PHASE_PAUSED] = "paused";
	words[LABEL_ROUTE] = (struct metric_words){ routes, APP_ROUTE_NUMBERS };
	words[LABEL_METHOD] = (struct metric_words){ methods, ARRAY_LEN(methods) };
	words[LABEL_ERROR] = (struct metric_words){ failure_kind_words, FAILURE_KINDS };
	words[LABEL_RESULT] = (struct metric_words){ results, ARRAY_LEN(results) };
	words[LABEL_TYPE] = (struct metric_words){ check_type_words, CHECK_TYPES };
	words[LABEL_CHECK_RESULT] =
		(struct metric_words){ check_results, ARRAY_LEN(check_results) };
	words[LABEL_DELIVERY] = (struct metric_words){ delivery_state_words, DELIVERY_WITHDRAWN };
	words[LABEL_STATE] = (struct metric_words){ states, METRIC_PHASES };
}
_Static_assert((int)METRIC_PHASE_PAUSED == (int)CHECK_NO_DATA + 1, "the phases of checks");

/* Sets *value to the value of the metric for the monitor. Returns false if there is no value. */
static bool value_of(const struct monitor_series *monitor, enum metric metric, int64_t now_s,
		     int64_t *value)
{
	switch (metric) {
	case METRIC_MONITOR_UP:
		*value = monitor->phase != CHECK_DOWN;
		return monitor->phase == CHECK_UP || monitor->phase == CHECK_CONFIRMING ||
		       monitor->phase == CHECK_DOWN;
	case METRIC_MONITOR_RESPONSE:
		*value = monitor->response_ms * 1000;
		return monitor->response_ms > 0;
	default:
		*value = monitor->tls_expires_at.s - now_s;
		return monitor->tls_expires_at.s > 0;
	}
}

/* Prints the metrics of monitors. Prints none if the database cannot be read. */
static void print_monitors(struct exchange *exchange, const struct metrics_output *output)
{
	static const enum metric metrics[] = { METRIC_MONITOR_UP, METRIC_MONITOR_RESPONSE,
					       METRIC_MONITOR_TLS_EXPIRY };
	struct monitor_series_list list = { 0 };
	struct error ignored = { 0 };
	if (!exchange->config->metrics_monitors || !exchange->db ||
	    monitor_series_read(exchange->db, &exchange->arena, &list, &ignored) != OK)
		return;
	for (size_t m = 0; m < ARRAY_LEN(metrics); m++) {
		metrics_print_head(output, metrics[m]);
		for (size_t i = 0; i < list.count; i++) {
			const struct monitor_series *row = &list.rows[i];
			const char *id = arena_printf(&exchange->arena, "%lld", (long long)row->id);
			int64_t value;
			if (value_of(row, metrics[m], exchange->now.s, &value))
				metrics_print_value(
					output, metrics[m],
					(const char *const[]){ id, row->name, row->account },
					value);
		}
	}
}

/* Prints the metrics of messages. Prints none if the database cannot be read, or if the
 * installation sends no messages. */
static void print_messages(struct exchange *exchange, const struct metrics_output *output)
{
	struct delivery_health health;
	struct error ignored = { 0 };
	if (!exchange->config->has_outbox || !exchange->db ||
	    delivery_health_read(exchange->db, exchange->now, &health, &ignored) != OK)
		return;
	const struct {
		enum metric metric;
		int64_t value;
	} gauges[] = {
		{ METRIC_DELIVERIES_QUEUED, health.queued },
		{ METRIC_OLDEST_DELIVERY, health.oldest_s },
		{ METRIC_OLDEST_EVENT, health.unexpanded_s },
		{ METRIC_CHANNELS_SUSPENDED, health.suspended_channels },
	};
	for (size_t i = 0; i < ARRAY_LEN(gauges); i++) {
		metrics_print_head(output, gauges[i].metric);
		metrics_print_value(output, gauges[i].metric,
				    (const char *const[METRIC_LABELS_MAX]){ NULL },
				    gauges[i].value);
	}
}

static void print_version(const struct metrics_output *output)
{
	static const char *const labels[METRIC_LABELS_MAX] = { PACKAGE_VERSION };
	metrics_print_head(output, METRIC_BUILD);
	metrics_print_value(output, METRIC_BUILD, labels, 1);
}

enum result metrics_show(struct exchange *exchange)
{
	struct gateway *gateway = exchange->gateway;
	struct response *response = &exchange->response;
	const char *accept = gateway->param(gateway, "HTTP_ACCEPT");
	if (!is_admitted(exchange))
		return error_log(&exchange->error, E_NOT_FOUND, "the client may not read metrics");
	struct metrics_output output = {
		.body = &response->body,
		.is_open_metrics = accept && strstr(accept, "application/openmetrics-text"),
	};
	metrics_tend_now();
	name_labels(&output, &exchange->arena);
	print_version(&output);
	metrics_print(&output, exchange->now.s);
	mirrors_print_metrics(exchange, &output);
	print_monitors(exchange, &output);
	print_messages(exchange, &output);
	metrics_print_end(&output);
	response->status = 200;
	response->is_failed = !buf_ok(&response->body);
	response->content_type = output.is_open_metrics
					 ? "application/openmetrics-text; version=1.0.0; "
					   "charset=utf-8"
					 : "text/plain; version=0.0.4; charset=utf-8";
	return OK;
}
