/* The client against tests/lib/http-server, which has the faults of servers. */
#include "unit/lib/unit.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/secret.h"
#include "unit/lib/server.h"
#include "wire/http_client.h"

enum { PATIENCE_S = 30, RESPONSE_MAX = 10000 };

static struct test_server server;
static bool has_server;
static int http_port, https_port, other_port;
static struct http_client *client;
static struct error error;

static int start(void **state)
{
	secret_init();
	if (folder_start(state) != 0)
		return 1;
	const char *const argv[] = { TESTS_DIR "/lib/http-server", test_folder, NULL };
	/* Without python3 or openssl the tests are skipped. */
	has_server = server_start(&server, argv) &&
		     sscanf(server.line, "%d %d %d", &http_port, &https_port, &other_port) == 3;
	return 0;
}

static int stop(void **state)
{
	if (has_server)
		server_stop(&server);
	return folder_end(state);
}

static int open_client(void **state)
{
	(void)state;
	error = (struct error){ 0 };
	return http_client_open(&client, NULL, &error) != OK;
}

static int close_client(void **state)
{
	(void)state;
	http_client_close(client);
	return 0;
}

static struct http_client_request request_of(const char *method, const char *path)
{
	return (struct http_client_request){
		.method = method,
		.url = arena_printf(&arena, "http://127.0.0.1:%d%s", http_port, path),
		.timeout_s = PATIENCE_S,
		.response_max = RESPONSE_MAX,
	};
}

static struct http_client_response get(const char *path)
{
	struct http_client_response response;
	struct http_client_request request = request_of("GET", path);
	if (!has_server)
		skip();
	assert_int_equal(OK, http_client_send(client, &request, &arena, &response, &error));
	return response;
}

/* Sends a GET that must fail as E_UNAVAILABLE, with `reason` in the error. */
static void fails(struct http_client_request request, const char *reason)
{
	struct http_client_response response;
	if (!has_server)
		skip();
	error = (struct error){ 0 };
	assert_int_equal(E_UNAVAILABLE,
			 http_client_send(client, &request, &arena, &response, &error));
	assert_int_equal(0, response.status);
	if (!strstr(error.log, reason))
		assert_string_equal(reason, error.log);
	/* The client can be used again. */
	assert_int_equal(200, get("/echo").status);
}

static bool has_line(struct str text, const char *line)
{
	struct str item;
	while (str_split(&text, '\n', &item))
		if (str_eq(item, str_from(line)))
			return true;
	return false;
}

static const char *body_line(const char *body, size_t len)
{
	return arena_printf(&arena, "body: %zu %s", len, secret_hash_hex(&arena, body, len, 64));
}

static void a_request_arrives_as_it_is(void **state)
{
	(void)state;
	static const char *const headers[] = { "X-One: 1", "Content-Type: text/plain", NULL };
	static const char body[] = "a\0body";
	struct http_client_response response;
	struct http_client_request request = request_of("PUT", "/echo/a%20b?c=%2F&d");
	request.headers = headers;
	request.body = (struct str){ body, sizeof(body) };
	if (!has_server)
		skip();
	assert_int_equal(OK, http_client_send(client, &request, &arena, &response, &error));
	assert_int_equal(200, response.status);
	assert_true(has_line(response.body, "PUT /echo/a%20b?c=%2F&d"));
	assert_true(has_line(response.body, "X-One: 1"));
	assert_true(has_line(response.body, "Content-Type: text/plain"));
	assert_true(has_line(response.body, "User-Agent: daymark/" PACKAGE_VERSION));
	assert_true(has_line(response.body, "Content-Length: 7"));
	assert_true(has_line(response.body, body_line(body, sizeof(body))));
}

static void each_method_is_sent_by_its_name(void **state)
{
	(void)state;
	static const char *const methods[] = { "GET", "PUT", "POST", "DELETE" };
	struct http_client_response response;
	if (!has_server)
		skip();
	for (size_t i = 0; i < ARRAY_LEN(methods); i++) {
		struct http_client_request request = request_of(methods[i], "/echo");
		assert_int_equal(OK, http_client_send(client, &request, &arena, &response, &error));
		assert_true(has_line(response.body, arena_printf(&arena, "%s /echo", methods[i])));
		assert_true(has_line(response.body, body_line("", 0)));
	}
	struct http_client_request request = request_of("HEAD", "/bytes/5");
	assert_int_equal(OK, http_client_send(client, &request, &arena, &response, &error));
	assert_int_equal(200, response.status);
	assert_int_equal(0, response.body.len);
}

struct source {
	const char *data;
	int64_t fails_at;
};

static int64_t read_source(void *context, int64_t offset, char *to, size_t max)
{
	const struct source *source = context;
	if (offset + (int64_t)max > source->fails_at)
		return -1;
	memcpy(to, source->data + offset, max);
	return (int64_t)max;
}

static void a_body_comes_in_pieces(void **state)
{
	(void)state;
	enum { BYTES = 3 << 20 };
	char *data = malloc(BYTES);
	for (size_t i = 0; i < BYTES; i++)
		data[i] = (char)(i >> 5);
	struct source source = { data, BYTES };
	struct http_client_response response;
	struct http_client_request request = request_of("PUT", "/echo");
	request.read = read_source;
	request.context = &source;
	request.body_bytes = BYTES;
	if (!has_server)
		skip();
	assert_int_equal(OK, http_client_send(client, &request, &arena, &response, &error));
	assert_true(has_line(response.body, body_line(data, BYTES)));
	source.fails_at = BYTES / 2;
	assert_int_equal(E_FAILED, http_client_send(client, &request, &arena, &response, &error));
	assert_string_equal("the body of the request cannot be read", error.log);
	assert_int_equal(0, response.status);
	free(data);
	assert_int_equal(200, get("/echo").status);
}

static void any_status_is_a_response(void **state)
{
	(void)state;
	static const int statuses[] = { 200, 204, 304, 403, 404, 409, 429, 500, 503 };
	for (size_t i = 0; i < ARRAY_LEN(statuses); i++) {
		struct http_client_response response =
			get(arena_printf(&arena, "/status/%d", statuses[i]));
		assert_int_equal(statuses[i], response.status);
		assert_string_equal("\"abc\"", response.etag);
		assert_int_equal(7, response.retry_after_s);
	}
	assert_null(get("/echo").etag);
	assert_int_equal(0, get("/echo").retry_after_s);
}

static void a_redirect_is_not_followed(void **state)
{
	(void)state;
	assert_int_equal(302, get("/redirect").status);
}

static void a_response_may_have_as_much_as_is_accepted(void **state)
{
	(void)state;
	assert_int_equal(RESPONSE_MAX, get("/bytes/10000").body.len);
	assert_int_equal(RESPONSE_MAX, get("/chunked/10000").body.len);
	assert_int_equal(0, get("/chunked/0").body.len);
	assert_string_equal("", get("/chunked/0").body.data);
	fails(request_of("GET", "/bytes/10001"), "the response has more than 10000 bytes");
	fails(request_of("GET", "/chunked/10001"), "the response has more than 10000 bytes");
	fails(request_of("GET", "/chunked/1000000"), "the response has more than 10000 bytes");
}

static void a_part_of_a_response_is_none(void **state)
{
	(void)state;
	fails(request_of("GET", "/cut"), "transfer closed");
	fails(request_of("GET", "/cut/chunked"), "transfer closed");
	fails(request_of("GET", "/nothing"), "Empty reply");
	fails(request_of("GET", "/garbage"), "HTTP/0.9");
}

static void a_server_without_progress_is_given_up(void **state)
{
	(void)state;
	struct http_client_response responses[2];
	struct http_client_request requests[2] = { request_of("GET", "/silence"),
						   request_of("GET", "/trickle") };
	requests[0].timeout_s = requests[1].timeout_s = 1;
	if (!has_server)
		skip();
	assert_int_equal(E_UNAVAILABLE,
			 http_client_send_all(client, requests, 2, &arena, responses, &error));
	assert_non_null(strstr(error.log, "no progress for 1 s"));
	assert_int_equal(0, responses[0].status);
	assert_int_equal(0, responses[1].status);
	assert_int_equal(200, get("/echo").status);
}

/* A line to the server that passes so many bytes a second, and `stop` bytes at most. */
static void use_line(struct test_server *line, const char *rate, const char *stop,
		     struct http_client_request *request)
{
	const char *const argv[] = { TESTS_DIR "/lib/slow-line",
				     arena_printf(&arena, "%d", http_port), rate, stop, NULL };
	int port = 0;
	if (!has_server)
		skip();
	assert_true(server_start(line, argv) && sscanf(line->line, "%d", &port) == 1);
	request->url = arena_printf(&arena, "http://127.0.0.1:%d/echo", port);
	request->timeout_s = 1;
}

/* The socket's buffer takes all of the body at once. */
static void a_slow_line_has_progress_while_bytes_arrive(void **state)
{
	(void)state;
	enum { BYTES = 1200000 };
	struct test_server line CLEANUP(server_stop);
	struct http_client_response response;
	struct http_client_request request = request_of("PUT", "");
	char *data = arena_alloc(&arena, BYTES);
	memset(data, 'x', BYTES);
	request.body = (struct str){ data, BYTES };
	use_line(&line, "150000", NULL, &request);
	/* The second request is on the same connection. */
	for (size_t bytes = 1; bytes <= BYTES; bytes += BYTES - 1) {
		request.body.len = bytes;
		assert_int_equal(OK, http_client_send(client, &request, &arena, &response, &error));
		assert_true(has_line(response.body, body_line(data, bytes)));
	}
}

static void a_dead_line_has_no_progress_whatever_the_buffer_takes(void **state)
{
	(void)state;
	enum { BYTES = 500000 };
	struct test_server line CLEANUP(server_stop);
	struct http_client_request request = request_of("PUT", "");
	char *data = arena_alloc(&arena, BYTES);
	memset(data, 'x', BYTES);
	request.body = (struct str){ data, BYTES };
	use_line(&line, "1000000", "100000", &request);
	fails(request, "no progress for 1 s");
}

static void a_server_that_is_not_there_is_named(void **state)
{
	(void)state;
	struct http_client_request request = request_of("GET", "/");
	request.url = "http://127.0.0.1:1/";
	fails(request, "127.0.0.1 port 1");
	request.url = "http://no-such-host.invalid/";
	fails(request, "no-such-host.invalid");
}

static void only_http_is_spoken(void **state)
{
	(void)state;
	struct http_client_request request = request_of("GET", "/");
	request.url = "file:///etc/passwd";
	fails(request, "file");
	request.url = "ftp://127.0.0.1/";
	fails(request, "ftp");
	request.url = arena_printf(&arena, "http://user:secret@127.0.0.1:%d/echo", http_port);
	fails(request, "");
	assert_null(strstr(error.log, "secret"));
}

static void the_environment_names_no_proxy(void **state)
{
	(void)state;
	setenv("http_proxy", "http://127.0.0.1:1/", 1);
	setenv("ALL_PROXY", "http://127.0.0.1:1/", 1);
	assert_int_equal(200, get("/echo").status);
	unsetenv("http_proxy");
	unsetenv("ALL_PROXY");
}

static void connections_are_kept(void **state)
{
	(void)state;
	const char *first = get("/connection").body.data;
	assert_int_equal(404, get("/status/404").status);
	assert_string_equal(first, get("/connection").body.data);
	/* One that the server has closed is replaced. */
	assert_int_equal(200, get("/last").status);
	assert_string_not_equal(first, get("/connection").body.data);
}

/* A request with a body whose connection has just been closed by the server. */
static void a_body_is_sent_again_on_another_connection(void **state)
{
	(void)state;
	enum { BYTES = 200000, TIMES = 20 };
	char *data = calloc(1, BYTES);
	struct http_client_response response;
	for (size_t i = 0; i < TIMES; i++) {
		assert_int_equal(200, get("/last").status);
		struct http_client_request request = request_of("PUT", "/echo");
		request.body = (struct str){ data, BYTES };
		assert_int_equal(OK, http_client_send(client, &request, &arena, &response, &error));
		assert_true(has_line(response.body, body_line(data, BYTES)));
	}
	free(data);
}

static void certificates_are_verified(void **state)
{
	(void)state;
	struct http_client *trusting = NULL, *lost = NULL;
	struct http_client_response response;
	struct http_client_request request = request_of("GET", "/");
	request.url = arena_printf(&arena, "https://127.0.0.1:%d/echo", https_port);
	fails(request, "certificate");
	const char *ca_file = arena_printf(&arena, "%s/ca.pem", test_folder);
	assert_int_equal(OK, http_client_open(&trusting, ca_file, &error));
	assert_int_equal(OK, http_client_send(trusting, &request, &arena, &response, &error));
	assert_int_equal(200, response.status);
	request.url = arena_printf(&arena, "https://127.0.0.1:%d/echo", other_port);
	assert_int_equal(E_UNAVAILABLE,
			 http_client_send(trusting, &request, &arena, &response, &error));
	assert_non_null(strstr(error.log, "127.0.0.1"));
	http_client_close(trusting);
	assert_int_equal(OK, http_client_open(&lost, "/nonexistent/ca.pem", &error));
	assert_int_equal(E_FAILED, http_client_send(lost, &request, &arena, &response, &error));
	assert_non_null(strstr(error.log, "/nonexistent/ca.pem"));
	http_client_close(lost);
}

enum { MANY = 100 };

static struct http_client_request *many(const char *path)
{
	struct http_client_request *requests =
		ARENA_ARRAY(&arena, MANY, struct http_client_request);
	for (size_t i = 0; i < MANY; i++)
		requests[i] = request_of("GET", arena_printf(&arena, "%s/%zu", path, i));
	return requests;
}

static void many_requests_have_their_own_responses(void **state)
{
	(void)state;
	struct http_client_response responses[MANY];
	struct http_client_request *requests = many("/bytes");
	if (!has_server)
		skip();
	assert_int_equal(OK,
			 http_client_send_all(client, requests, MANY, &arena, responses, &error));
	for (size_t i = 0; i < MANY; i++) {
		assert_int_equal(200, responses[i].status);
		assert_int_equal(i, responses[i].body.len);
	}
	assert_int_equal(OK, http_client_send_all(client, requests, 0, &arena, responses, &error));
}

static void the_first_failure_stops_the_others(void **state)
{
	(void)state;
	struct http_client_response responses[MANY];
	struct http_client_request *requests = many("/echo");
	int before = 0;
	if (!has_server)
		skip();
	requests[20] = request_of("GET", "/status/403");
	assert_int_equal(OK,
			 http_client_send_all(client, requests, MANY, &arena, responses, &error));
	/* When the failing one was sent, fewer than PARALLEL of those before it were without
	 * response. */
	for (size_t i = 0; i < 20; i++)
		before += responses[i].status == 200;
	assert_in_range(before, 20 - HTTP_CLIENT_PARALLEL + 1, 20);
	assert_int_equal(403, responses[20].status);
	/* A busy machine may answer some of those after it first. */
	assert_int_equal(0, responses[MANY - 1].status);
	requests[10] = request_of("GET", "/nothing");
	assert_int_equal(E_UNAVAILABLE,
			 http_client_send_all(client, requests, MANY, &arena, responses, &error));
	assert_int_equal(0, responses[10].status);
	assert_int_equal(0, responses[MANY - 1].status);
	/* By the state of the connection when the server closes it. */
	if (!strstr(error.log, "Empty reply") && !strstr(error.log, "reset by peer") &&
	    !strstr(error.log, "Connection died"))
		fail_msg("%s", error.log);
}

static void *use_a_client(void *context)
{
	struct arena own;
	struct http_client *one = NULL;
	struct http_client_response response = { 0 };
	struct error own_error = { 0 };
	struct http_client_request request = *(const struct http_client_request *)context;
	arena_init(&own, 1 << 20);
	bool is_ok = http_client_open(&one, NULL, &own_error) == OK;
	for (int i = 0; is_ok && i < 20; i++)
		is_ok = http_client_send(one, &request, &own, &response, &own_error) == OK &&
			response.status == 200;
	http_client_close(one);
	arena_done(&own);
	return is_ok ? context : NULL;
}

static void threads_have_their_own_clients(void **state)
{
	(void)state;
	pthread_t threads[4];
	void *is_ok;
	struct http_client_request request = request_of("GET", "/echo");
	if (!has_server)
		skip();
	for (size_t i = 0; i < ARRAY_LEN(threads); i++)
		assert_int_equal(0, pthread_create(&threads[i], NULL, use_a_client, &request));
	for (size_t i = 0; i < ARRAY_LEN(threads); i++) {
		pthread_join(threads[i], &is_ok);
		assert_non_null(is_ok);
	}
}

#define ONE(test) cmocka_unit_test_setup_teardown(test, open_client, close_client)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ONE(a_request_arrives_as_it_is),
		ONE(each_method_is_sent_by_its_name),
		ONE(a_body_comes_in_pieces),
		ONE(any_status_is_a_response),
		ONE(a_redirect_is_not_followed),
		ONE(a_response_may_have_as_much_as_is_accepted),
		ONE(a_part_of_a_response_is_none),
		ONE(a_server_without_progress_is_given_up),
		ONE(a_slow_line_has_progress_while_bytes_arrive),
		ONE(a_dead_line_has_no_progress_whatever_the_buffer_takes),
		ONE(a_server_that_is_not_there_is_named),
		ONE(only_http_is_spoken),
		ONE(the_environment_names_no_proxy),
		ONE(connections_are_kept),
		ONE(a_body_is_sent_again_on_another_connection),
		ONE(certificates_are_verified),
		ONE(many_requests_have_their_own_responses),
		ONE(the_first_failure_stops_the_others),
		ONE(threads_have_their_own_clients),
	};
	return cmocka_run_group_tests(tests, start, stop);
}
