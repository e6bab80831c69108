/* Requests to the service in this process: what comes is what the rows say afterwards. */
/* Before the tests' own headers, whose globals have the names of arguments. */
#include "app/operation.h"
#include "app/routes.h"

#include "integration/lib/database.h"

#include <json-c/json.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "app/app.h"
#include "app/console/console.h"
#include "base/log.h"
#include "domain/page/site.h"

static struct config config;
static struct site site;
static struct app_settings settings = { .config = &config, .site = &site, .publisher_fd = -1 };
static struct responder responder;
static void *service;
static char directory[256];

/* One request, and what came of it. */
struct request_gateway {
	struct gateway gateway;
	const char *method, *path, *key, *header, *header_value;
	struct str body;
	char length[24];
	char response[64 << 10];
	size_t used;
};

static const char *param(struct gateway *gateway, const char *name)
{
	struct request_gateway *request = CONTAINER_OF(gateway, struct request_gateway, gateway);
	const char *question = strchr(request->path, '?');
	const char *const params[][2] = {
		{ "REQUEST_METHOD", request->method },
		{ "REQUEST_URI", request->path },
		{ "QUERY_STRING", question ? question + 1 : "" },
		{ "HTTP_HOST", "status.test" },
		{ "REMOTE_ADDR", "127.0.0.1" },
		{ "CONTENT_TYPE", "application/x-www-form-urlencoded" },
		{ "CONTENT_LENGTH", request->length },
		{ "HTTP_AUTHORIZATION", request->key },
	};
	if (request->header && strcmp(request->header, name) == 0)
		return request->header_value;
	for (size_t i = 0; i < ARRAY_LEN(params); i++)
		if (strcmp(params[i][0], name) == 0)
			return params[i][1];
	return NULL;
}

static ssize_t read_body(struct gateway *gateway, char *out, size_t size)
{
	struct request_gateway *request = CONTAINER_OF(gateway, struct request_gateway, gateway);
	size_t len = request->body.len < size ? request->body.len : size;
	if (len > 0)
		memcpy(out, request->body.data, len);
	request->body = str_skip(request->body, len);
	return (ssize_t)len;
}

static bool write_response(struct gateway *gateway, const void *data, size_t len)
{
	struct request_gateway *request = CONTAINER_OF(gateway, struct request_gateway, gateway);
	assert_in_range(len, 0, sizeof(request->response) - request->used - 1);
	memcpy(request->response + request->used, data, len);
	request->used += len;
	return true;
}

static void finish(struct gateway *gateway)
{
	(void)gateway;
}

static struct request_gateway last;
static struct json_object *json;
static const char *account_key;

/* The status of the request's response; its body is in `json`. */
static int ask_with(const char *method, const char *path, const char *body, const char *header,
		    const char *value)
{
	last = (struct request_gateway){ .gateway = { param, read_body, write_response, finish,
						      .is_framed = true },
					 .method = method,
					 .path = path,
					 .key = account_key,
					 .header = header,
					 .header_value = value,
					 .body = str_from(body) };
	snprintf(last.length, sizeof(last.length), "%zu", last.body.len);
	responder.serve(service, &last.gateway);
	last.response[last.used] = '\0';
	json_object_put(json);
	const char *rest = strstr(last.response, "\r\n\r\n");
	assert_non_null(rest);
	json = json_tokener_parse(rest + 4);
	assert_int_equal(strncmp(last.response, "Status: ", 8), 0);
	return atoi(last.response + 8);
}

static int ask(const char *method, const char *path, const char *body)
{
	return ask_with(method, path, body, NULL, NULL);
}

/* "data.name" of the response, as text; NULL where there is none. */
static const char *member(const char *path)
{
	struct json_object *at_path = NULL;
	const char *pointer = arena_printf(&arena, "/%s", path);
	if (json_pointer_get(json, pointer, &at_path) != 0 || !at_path)
		return NULL;
	return arena_strdup(&arena, json_object_get_string(at_path));
}

static const char *header(const char *name)
{
	const char *line = strstr(last.response, arena_printf(&arena, "\r\n%s: ", name));
	const char *value = line ? line + 2 + strlen(name) + 2 : NULL;
	return value ? arena_strndup(&arena, value, strcspn(value, "\r")) : NULL;
}

static int service_open(void **state)
{
	const char *parent = getenv("DAYMARK_TEST_DIR");
	int status = database_open(state);
	snprintf(directory, sizeof(directory), "%s/app-XXXXXX", parent ? parent : "/tmp");
	assert_non_null(mkdtemp(directory));
	const char *path = arena_printf(&arena, "%s/daymark.conf", directory);
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	fprintf(file,
		"[site]\nbase_url = https://status.test\n[pages]\ndir = %s/pages\n"
		"[database]\nsocket = %s\nname = daymark_integration\nuser = root\npassword =\n"
		"[quotas]\nstatus_pages = 3\n",
		directory, getenv("DAYMARK_TEST_SOCKET"));
	fclose(file);
	chmod(path, 0600);
	static struct arena lasting;
	arena_init(&lasting, 1 << 20);
	assert_ok(config_load(&config, path, &lasting, &error));
	log_to_fd(-1);
	responder = app_responder;
	responder.context = &settings;
	service = responder.open(responder.context);
	return status;
}

static int service_close(void **state)
{
	responder.close(service);
	json_object_put(json);
	return database_close(state);
}

static int64_t account;

static void add_key(const char *text, bool is_read_only)
{
	execute("INSERT INTO api_keys (account_id, key_hash, label, is_read_only, created_at) "
		"VALUES (%ld, UNHEX(SHA2('%s', 256)), 'test', %d, NOW())",
		(long)account, text, is_read_only);
	account_key = arena_printf(&arena, "Bearer %s", text);
}

#define KEY_A "dm_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define KEY_B "dm_bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"

static int request_start(void **state)
{
	database_clear(state);
	account = add_account("one");
	add_key(KEY_A, false);
	return 0;
}

#define REQUEST_TEST(function) cmocka_unit_test_setup(function, request_start)
#define PAGES		       "/api/v1/status-pages"

static void a_key_is_asked_for_and_writes_need_one_that_may(void **state)
{
	(void)state;
	add_key(KEY_B, true);
	assert_int_equal(ask("POST", PAGES, "name=N&slug=s"), 403);
	assert_int_equal(ask("GET", PAGES, ""), 200);
	account_key = NULL;
	assert_int_equal(ask("GET", PAGES, ""), 401);
	account_key = "Bearer dm_ccccccccccccccccccccccccccccccccccccccccccc";
	assert_int_equal(ask("GET", PAGES, ""), 401);
	assert_rows("0", "SELECT COUNT(*) FROM status_pages");
}

static void a_page_is_created_as_sent(void **state)
{
	(void)state;
	int64_t web = add_monitor(account, "web"), mail = add_monitor(account, "mail");
	const char *body = arena_printf(
		&arena,
		"name=The+name&slug=The-Slug&monitor_ids[]=%ld&monitor_ids[]=%ld&privacy=1&"
		"website_url=https://w.test/&contact_url=https://c.test/"
		"&custom_css=css&custom_js=js&"
		"meta_title=Title&meta_description=Description&noindex=1&show_causes=0",
		(long)mail, (long)web);
	assert_int_equal(ask("POST", PAGES, body), 201);
	assert_rows("The name|the-slug|1|https://w.test/|https://c.test/|css|js|Title|Description|"
		    "1|0",
		    "SELECT name, slug, privacy, website_url, contact_url, custom_css, custom_js, "
		    "meta_title, meta_description, noindex, show_causes FROM status_pages "
		    "WHERE account_id = %ld",
		    (long)account);
	assert_rows("mail\nweb", "SELECT m.name FROM status_page_monitors s "
				 "JOIN monitors m ON m.id = s.monitor_id ORDER BY s.position");
	assert_string_equal(member("data/name"), "The name");
	assert_string_equal(member("data/slug"), "the-slug");
	assert_string_equal(member("data/website_url"), "https://w.test/");
	assert_string_equal(member("data/contact_url"), "https://c.test/");
	assert_string_equal(member("data/custom_css"), "css");
	assert_string_equal(member("data/custom_js"), "js");
	assert_string_equal(member("data/meta_title"), "Title");
	assert_string_equal(member("data/meta_description"), "Description");
	/* Published before the response. */
	struct stat status;
	assert_int_equal(
		stat(arena_printf(&arena, "%s/pages/private/the-slug/index.html", directory),
		     &status),
		0);
	assert_rows("1", "SELECT unpublished_since IS NULL FROM page_revisions");
}

static void faults_are_named_and_nothing_is_stored(void **state)
{
	(void)state;
	add_page(add_account("two"), "taken");
	int64_t theirs = add_monitor(select_number("SELECT MAX(id) FROM accounts"), "theirs");
	const char *body =
		arena_printf(&arena, "slug=taken&privacy=7&monitor_ids[]=%ld", (long)theirs);
	assert_int_equal(ask("POST", PAGES, body), 422);
	assert_non_null(member("errors/name"));
	assert_non_null(member("errors/privacy"));
	assert_int_equal(
		ask("POST", PAGES,
		    arena_printf(&arena, "name=N&slug=taken&monitor_ids[]=%ld", (long)theirs)),
		422);
	assert_non_null(member("errors/slug"));
	assert_non_null(member("errors/monitor_ids.0"));
	assert_rows("1", "SELECT COUNT(*) FROM status_pages");
}

static void the_quota_refuses_the_page_beyond_it(void **state)
{
	(void)state;
	for (int i = 0; i < 3; i++)
		assert_int_equal(ask("POST", PAGES, arena_printf(&arena, "name=N&slug=s%d", i)),
				 201);
	assert_int_equal(ask("POST", PAGES, "name=N&slug=s3"), 422);
	assert_non_null(member("errors/status_pages"));
	assert_rows("3", "SELECT COUNT(*) FROM status_pages");
}

static void an_update_changes_what_is_sent_and_a_stale_one_nothing(void **state)
{
	(void)state;
	int64_t id = add_page(account, "p");
	const char *path = arena_printf(&arena, PAGES "/%ld", (long)id);
	execute("UPDATE status_pages SET meta_title = 'Kept', website_url = 'https://kept.test/'");
	assert_int_equal(ask("GET", path, ""), 200);
	const char *etag = header("ETag");
	assert_int_equal(ask_with("PUT", path, "name=New", "HTTP_IF_MATCH", etag), 200);
	assert_int_equal(ask_with("PUT", path, "name=Stale", "HTTP_IF_MATCH", etag), 412);
	assert_rows("New|Kept|https://kept.test/|2|2",
		    "SELECT p.name, p.meta_title, p.website_url, p.version, r.revision "
		    "FROM " PAGES_AND_REVISIONS);
}

static void other_accounts_pages_are_unknown(void **state)
{
	(void)state;
	int64_t theirs = add_page(add_account("two"), "theirs");
	const char *path = arena_printf(&arena, PAGES "/%ld", (long)theirs);
	assert_int_equal(ask("GET", path, ""), 404);
	assert_int_equal(ask("PUT", path, "name=New"), 404);
	assert_int_equal(ask("DELETE", path, ""), 404);
	assert_int_equal(ask("GET", PAGES, ""), 200);
	assert_string_equal(member("meta/total"), "0");
	assert_rows("Page theirs", "SELECT name FROM status_pages");
}

static void a_deleted_page_is_gone(void **state)
{
	(void)state;
	int64_t id = add_page(account, "gone");
	add_page(account, "kept");
	const char *path = arena_printf(&arena, PAGES "/%ld", (long)id);
	assert_int_equal(ask("DELETE", path, ""), 200);
	assert_rows("kept", "SELECT slug FROM status_pages");
	assert_int_equal(ask("DELETE", path, ""), 404);
}

static void the_same_key_does_a_write_once(void **state)
{
	(void)state;
	const char *name = "HTTP_IDEMPOTENCY_KEY";
	assert_int_equal(ask_with("POST", PAGES, "name=N&slug=s", name, "k1"), 201);
	const char *id = member("data/id");
	assert_int_equal(ask_with("POST", PAGES, "name=N&slug=s", name, "k1"), 201);
	assert_string_equal(member("data/id"), id);
	assert_string_equal(header("Idempotent-Replayed"), "true");
	assert_int_equal(ask_with("POST", PAGES, "name=N&slug=t", name, "k1"), 409);
	assert_rows("1", "SELECT COUNT(*) FROM status_pages");
}

static void reports_open_and_end_an_incident_which_a_client_may_comment(void **state)
{
	(void)state;
	int64_t monitor = add_monitor(account, "web");
	const char *down =
		arena_printf(&arena, "monitor=%ld&state=down&cause=Why&title=What", (long)monitor);
	assert_int_equal(ask("POST", "/hooks/generic", down), 200);
	assert_string_equal(member("data/outcome"), "opened");
	int64_t id = select_number("SELECT id FROM incidents");
	const char *path = arena_printf(&arena, "/api/v1/incidents/%ld", (long)id);
	assert_int_equal(ask("PUT", path, "comment=On+it&acknowledged_at=1"), 200);
	assert_rows("What|Why|On it|1|-",
		    "SELECT title, cause, comment, acknowledged_at IS NOT NULL, ended_at "
		    "FROM incidents");
	assert_int_equal(ask("GET", "/api/v1/incidents?status=acknowledged", ""), 200);
	assert_string_equal(member("meta/total"), "1");
	assert_string_equal(member("data/0/cause"), "Why");
	assert_string_equal(member("data/0/comment"), "On it");
	const char *up = arena_printf(&arena, "monitor=%ld&state=up", (long)monitor);
	assert_int_equal(ask("POST", "/hooks/generic", up), 200);
	assert_string_equal(member("data/outcome"), "resolved");
	assert_int_equal(ask("DELETE", path, ""), 200);
	assert_rows("0", "SELECT COUNT(*) FROM incidents");
	assert_rows("incident.opened\nincident.acknowledged\nincident.resolved\nincident.deleted",
		    "SELECT kind FROM events WHERE actor_type = 'key' AND actor_label = 'test' "
		    "AND address = '127.0.0.1' ORDER BY id");
}

static void what_is_not_there_is_404_and_what_is_not_for_it_405(void **state)
{
	(void)state;
	assert_int_equal(ask("GET", "/api/v1/nothing", ""), 404);
	assert_int_equal(ask("DELETE", PAGES, ""), 405);
	assert_non_null(header("Allow"));
	assert_int_equal(ask("GET", "/healthz", ""), 200);
}

/* The result of the route's handler, without the checks that come before it. */
static enum result handle_as(const struct app_route *route, const struct principal *principal)
{
	static const char body[] =
		"name=n&slug=s&title=t&body=b&state=up&monitor=1"
		"&starts_at=2027-01-01T00:00:00Z&ends_at=2027-01-01T01:00:00Z&csrf=c",
			  alerts[] = "{\"version\": \"4\", \"alerts\": []}";
	struct exchange exchange;
	struct console console = { .is_signed_in = true, .token = "", .csrf = "c" };
	struct exchange_worker worker = {
		.config = &config, .site = &site, .db = db, .throttle = THROTTLE_CLOSED
	};
	bool is_alert = strstr(route->route.pattern, "alertmanager");
	struct request_gateway request = {
		.gateway = { param, read_body, write_response, finish, .is_framed = true },
		.method = route->route.method,
		.path = "/",
		.header = is_alert ? "CONTENT_TYPE" : NULL,
		.header_value = "application/json",
		.body = str_from(is_alert ? alerts
				 : route->route.flags & ROUTE_OVERRIDE
					 ? arena_printf(&arena, "%s&_method=PUT", body)
					 : body),
	};
	snprintf(request.length, sizeof(request.length), "%zu", request.body.len);
	exchange_init(&exchange, &worker, &request.gateway);
	assert_ok(request_read(&exchange.request, &request.gateway, &config, &exchange.arena,
			       &error));
	exchange.route = route;
	exchange.console = &console;
	exchange.match = (struct route_match){ .pattern = route->route.pattern,
					       .id = 1 << 30,
					       .part_id = 1 << 30 };
	exchange.service.principal = *principal;
	exchange_begin_service(&exchange);
	enum result result = route->handle(&exchange);
	exchange_done(&exchange, &worker);
	throttle_close(&worker.throttle);
	arena_spare_done(&worker.spare_chunks);
	buf_spare_done(&worker.spare_body);
	return result;
}

/* A console's screen may call the operation without any route. */
static void each_operation_checks_its_permission_itself(void **state)
{
	static const enum principal_type types[] = { PRINCIPAL_NONE, PRINCIPAL_KEY, PRINCIPAL_USER,
						     PRINCIPAL_CHECKER };
	int refused = 0, admitted = 0;
	(void)state;
	for (size_t i = 0; i < app_route_count; i++)
		for (size_t t = 0; t < ARRAY_LEN(types); t++)
			for (int role = ROLE_READER; role <= ROLE_OWNER; role++) {
				const struct app_route *route = &app_routes[i];
				struct principal principal = { .type = types[t],
							       .id = 1,
							       .account_id = account,
							       .role = (enum role)role,
							       .label = "" };
				/* Each second checker is elsewhere. */
				if (types[t] == PRINCIPAL_CHECKER && role % 2 == 1)
					principal.location = "paris";
				/* Everybody may sign out, and change the own access. */
				const char *pattern = route->route.pattern;
				if (route->permission == PERMISSION_NONE ||
				    strcmp(pattern, "/console/logout") == 0 ||
				    strncmp(pattern, "/console/me", 11) == 0 ||
				    strncmp(pattern, "/console/accounts", 17) == 0)
					continue;
				bool may = principal_may(&principal, route->permission);
				bool is_refused = handle_as(route, &principal) == E_FORBIDDEN;
				if (may == is_refused)
					print_error("%s %s, type %d, role %d\n",
						    route->route.method, route->route.pattern,
						    types[t], role);
				assert_int_equal(!may, is_refused);
				refused += is_refused;
				admitted += !is_refused;
			}
	assert_in_range(refused, 100, INT_MAX);
	assert_in_range(admitted, 100, INT_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		REQUEST_TEST(each_operation_checks_its_permission_itself),
		REQUEST_TEST(a_key_is_asked_for_and_writes_need_one_that_may),
		REQUEST_TEST(a_page_is_created_as_sent),
		REQUEST_TEST(faults_are_named_and_nothing_is_stored),
		REQUEST_TEST(the_quota_refuses_the_page_beyond_it),
		REQUEST_TEST(an_update_changes_what_is_sent_and_a_stale_one_nothing),
		REQUEST_TEST(other_accounts_pages_are_unknown),
		REQUEST_TEST(a_deleted_page_is_gone),
		REQUEST_TEST(the_same_key_does_a_write_once),
		REQUEST_TEST(reports_open_and_end_an_incident_which_a_client_may_comment),
		REQUEST_TEST(what_is_not_there_is_404_and_what_is_not_for_it_405),
	};
	return cmocka_run_group_tests(tests, service_open, service_close);
}
