#include "app/app.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/console/console.h"
#include "app/exchange.h"
#include "app/idempotency.h"
#include "app/metrics.h"
#include "app/handlers.h"
#include "app/mirrors.h"
#include "app/operation.h"
#include "app/page/page_files.h"
#include "app/page/page_host.h"
#include "app/page/page_problem.h"
#include "app/rate.h"
#include "app/routes.h"
#include "base/log.h"
#include "http/auth.h"
#include "store/account/api_key.h"
#include "store/account/usage.h"

struct worker {
	struct exchange_worker own;
	int publisher_fd;
};

static void *worker_open(const void *context)
{
	struct worker *worker = calloc(1, sizeof(*worker));
	if (!worker)
		die("app: out of memory");
	const struct app_settings *settings = context;
	worker->own.config = settings->config;
	worker->own.site = settings->site;
	worker->publisher_fd = settings->publisher_fd;
	struct db_login login = db_login_of(worker->own.config, false);
	if (!config_is_mirror(worker->own.config))
		worker->own.db = db_new(&login);
	worker->own.throttle = THROTTLE_CLOSED;
	return worker;
}

static void worker_close(void *state)
{
	struct worker *worker = state;
	db_free(worker->own.db);
	throttle_close(&worker->own.throttle);
	arena_spare_done(&worker->own.spare_chunks);
	buf_spare_done(&worker->own.spare_body);
	free(worker);
}

static void warn_unpublished(const struct exchange *exchange, const struct error *failure)
{
	log_warn("publish", "request %s is not published yet: %s", exchange->request.id,
		 error_text(failure));
}

/* Sets the header X-Daymark-Published, and logs a failure. Called after the handler has returned.
 */
static void tell_publishing(struct exchange *exchange)
{
	const struct service_publishing *publishing = &exchange->service.publishing;
	if (publishing->result != OK) {
		response_header(&exchange->response, "X-Daymark-Published", "no");
		warn_unpublished(exchange, &publishing->failure);
	} else if (publishing->is_pending) {
		response_header(&exchange->response, "X-Daymark-Published", "pending");
	}
}

/* Runs after the response. Marks the pages that the request has published. If some pages are not
 * yet published, wakes the publisher process. If there is no such process, publishes them here. */
static void publish_rest(struct exchange *exchange, int wake_fd)
{
	static const uint64_t one = 1;
	struct error failure = { 0 };
	/*
	 * Only log a failure: the publisher process repeats the work for each page that is not
	 * marked. It publishes the page again, or removes the files of a deleted page.
	 */
	if (service_finish_publishing(&exchange->service, &failure) != OK)
		log_warn("publish", "publishing after request %s failed: %s", exchange->request.id,
			 error_text(&failure));
	if (!exchange->service.publishing.is_pending)
		return;
	/* If this write fails, the publisher process finds the pages within a second. */
	if (wake_fd >= 0 && write(wake_fd, &one, sizeof(one)) > 0)
		return;
	struct publisher publisher = service_publisher(&exchange->service);
	struct publish_run run = { .account_id = exchange->service.principal.account_id };
	if (publish_run(&publisher, &run, &failure) != OK)
		warn_unpublished(exchange, &failure);
}

static bool is_below_api(const struct request *request)
{
	return request->segment_count >= 2 && strcmp(request->segments[0], "api") == 0 &&
	       strcmp(request->segments[1], "v1") == 0;
}

static bool is_below_console(const struct request *request)
{
	return request->segment_count >= 1 && strcmp(request->segments[0], "console") == 0;
}

static bool is_below_page(const struct request *request)
{
	return request->segment_count > 2 && strcmp(request->segments[0], "s") == 0;
}

/* Whether the request is for the API, a hook or a heartbeat, which a mirror cannot serve. */
static bool is_for_origin(const struct request *request)
{
	const char *first = request->segment_count > 0 ? request->segments[0] : "";
	return strcmp(first, "api") == 0 || strcmp(first, "hooks") == 0 || strcmp(first, "hb") == 0;
}

static enum result authenticate(struct exchange *exchange)
{
	struct str text;
	if (!auth_bearer(exchange->request.authorization, &text))
		return rate_refuse_key(exchange);
	struct api_key key;
	enum result result =
		api_key_find(exchange->db, text, &exchange->arena, &key, &exchange->error);
	if (result == E_NOT_FOUND || (result == OK && !api_key_is_valid(&key, exchange->now)))
		return rate_refuse_key(exchange);
	if (result != OK)
		return result;
	exchange->service.principal = (struct principal){
		.type = key.location ? PRINCIPAL_CHECKER : PRINCIPAL_KEY,
		.id = key.id,
		.account_id = key.account_id,
		.role = key.is_read_only ? ROLE_READER : ROLE_OWNER,
		.expires_at = key.expires_at,
		.label = key.label,
		.location = key.location,
	};
	exchange->is_key_due = api_key_wants_touch(&key, exchange->now);
	return rate_take_request(exchange);
}

static enum result refuse_permission(struct exchange *exchange)
{
	if (exchange->route->permission == PERMISSION_CHECK)
		return error_client(
			&exchange->error, E_FORBIDDEN,
			"Only the key of a location may do this. Create one: daymarkctl "
			"key create --location NAME");
	if (exchange->service.principal.location)
		return error_client(&exchange->error, E_FORBIDDEN,
				    "This key is for the checker of a location, and may do nothing "
				    "else.");
	return E_FORBIDDEN;
}

static bool is_write(const char *method)
{
	return strcmp(method, "GET") != 0;
}

/* Handles the request, from the choice of its route to its response. */
static enum result respond(struct exchange *exchange)
{
	const struct request *request = &exchange->request;
	bool is_mirror = config_is_mirror(exchange->config);
	enum result whose = page_host_resolve(exchange);
	if (whose == E_NOT_FOUND && !exchange->is_moved)
		page_problem_not_found(exchange);
	if (whose != OK)
		return whose == E_NOT_FOUND ? OK : whose;
	enum result found = app_route_find(request, is_mirror, &exchange->match, &exchange->route);
	const struct app_route *route = exchange->route;
	if (found == E_METHOD_NOT_ALLOWED && strcmp(request->method, "OPTIONS") == 0) {
		response_header(&exchange->response, "Allow", "%s", exchange->match.allow);
		exchange->response.status = 204;
		return OK;
	}
	/* Require a key before responding 404, so that a client without a key does not learn which
	 * paths exist. */
	bool is_console = route && route->route.flags & ROUTE_CONSOLE, is_done = false;
	bool is_open = route ? is_console || route->route.flags & ROUTE_OPEN
			     : !is_below_api(request);
	if (is_mirror && found == E_NOT_FOUND && is_for_origin(request))
		return mirror_host_refuse(exchange);
	if (found == E_NOT_FOUND && !is_mirror && is_below_console(request))
		return console_miss(exchange);
	if (!is_open) {
		enum result result = authenticate(exchange);
		if (result != OK)
			return result;
	}
	if (is_console) {
		enum result result = console_admit(exchange, &is_done);
		if (result != OK || is_done)
			return result;
	}
	exchange_begin_service(exchange);
	/* Take the form before the test of the permission. A form that was made for another account
	 * is only shown again, which needs no permission. */
	if (found == OK && is_console && is_write(request->method)) {
		enum result result = console_take_form(exchange, &is_done);
		if (result != OK || is_done)
			return result;
	}
	if (route && !principal_may(&exchange->service.principal, route->permission))
		return refuse_permission(exchange);
	if (found == OK && !is_open && is_write(request->method)) {
		enum result result = idempotency_start(exchange);
		if (result != OK)
			return result;
	}
	enum result result = found == OK ? route->handle(exchange) : found;
	if (result == OK && exchange->service.preview)
		result = console_show_preview(exchange);
	if (found == E_NOT_FOUND && is_below_page(request))
		result = page_files_missing(exchange);
	tell_publishing(exchange);
	if (result == OK || result == E_REPLAYED)
		exchange_tell_mirrors(exchange);
	return result == E_REPLAYED ? OK : result;
}

/* Refuses a request whose body could not be received. Returns the result; no handler runs. */
static enum result refuse_request(struct exchange *exchange)
{
	static const char *const reasons[] = {
		[E_BUSY] = "no memory is free for the body",
		[E_CROWDED] = "too many unfinished requests",
		[E_TOO_SLOW] = "the body did not come in time",
	};
	enum result refusal = exchange->gateway->refusal;
	/* Find the route, because the log names it. */
	if (app_route_find(&exchange->request, config_is_mirror(exchange->config), &exchange->match,
			   &exchange->route) != OK)
		exchange->match.pattern = NULL;
	return error_log(&exchange->error, refusal, "%s", reasons[refusal]);
}

static void log_request(const struct exchange *exchange, enum result result, int64_t started_us,
			size_t bytes)
{
	struct log_line line;
	const char *method = exchange->request.is_head ? "HEAD" : exchange->request.method;
	int status = exchange->response.status;
	int64_t us = clock_us() - started_us;
	log_begin(&line, status >= 500 ? "error" : "info", "request");
	log_text(&line, "id", exchange->request.id);
	log_text(&line, "method", method);
	/* Log the pattern, not the path: a path may contain private data. */
	log_text(&line, "route", exchange->match.pattern ? exchange->match.pattern : "-");
	log_int(&line, "status", status);
	log_int(&line, "us", us);
	log_int(&line, "queries", (int64_t)(db_queries(exchange->db) - exchange->queries_before));
	log_int(&line, "bytes", (int64_t)bytes);
	if (exchange->service.principal.id > 0)
		log_int(&line, exchange->service.principal.type == PRINCIPAL_USER ? "user" : "key",
			exchange->service.principal.id);
	if (exchange->monitor_id > 0)
		log_int(&line, "monitor", exchange->monitor_id);
	if (result != OK && exchange->error.log[0] != '\0')
		log_text(&line, "error", exchange->error.log);
	log_end(&line);
	metrics_count_request(exchange, method, us);
}

/* Does the work that can wait until the client has its response. */
static void after_response(struct exchange *exchange)
{
	struct error ignored = { 0 };
	console_after_response(exchange);
	if (exchange->is_key_due && api_key_touch(exchange->db, exchange->service.principal.id,
						  exchange->now, &ignored) != OK)
		log_warn("key", "last use of key %lld was not noted: %s",
			 (long long)exchange->service.principal.id, ignored.log);
}

static void worker_serve(void *state, struct gateway *gateway)
{
	struct worker *worker = state;
	int64_t started_us = clock_us();
	struct exchange exchange;
	exchange_init(&exchange, &worker->own, gateway);
	enum result result = request_read(&exchange.request, gateway, worker->own.config,
					  &exchange.arena, &exchange.error);
	response_header(&exchange.response, "X-Request-Id", "%s", exchange.request.id);
	response_header(&exchange.response, "X-Content-Type-Options", "nosniff");
	response_header(&exchange.response, "Cache-Control", "private, no-cache");
	if (result == OK)
		result = gateway->refusal == OK ? respond(&exchange) : refuse_request(&exchange);
	if (result == E_METHOD_NOT_ALLOWED)
		response_header(&exchange.response, "Allow", "%s", exchange.match.allow);
	/* Daily quotas are reset at midnight UTC. */
	if (result == E_QUOTA_EXCEEDED)
		response_header(&exchange.response, "Retry-After", "%lld",
				(long long)(USAGE_DAY_S - exchange.now.s % USAGE_DAY_S));
	if (result == E_RATE_LIMITED && exchange.error.retry_after_s > 0)
		response_header(&exchange.response, "Retry-After", "%d",
				exchange.error.retry_after_s);
	if (result != OK)
		(exchange.console ? console_respond_problem : page_problem_respond)(&exchange,
										    result);
	size_t bytes = response_send(&exchange.response, gateway, exchange.request.is_head);
	gateway->finish(gateway);
	log_request(&exchange, result, started_us, bytes);
	publish_rest(&exchange, worker->publisher_fd);
	after_response(&exchange);
	exchange_done(&exchange, &worker->own);
}

const struct responder app_responder = {
	.open = worker_open,
	.serve = worker_serve,
	.close = worker_close,
};
