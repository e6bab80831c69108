/* What HTTP checks connect to: names, addresses, redirects; and their ends at any step. */
#include "unit/lib/unit.h"

#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "probe/http_check.h"
#include "unit/probe/http_world.h"
#include "unit/probe/network.h"

/* The URL of a path of the server, by another name or address of it. */
static const char *url_of(const char *host, const char *path)
{
	return arena_printf(&arena, "http://%s:%d%s", host, http_port, path);
}

static void ends(const char *url, const char *cause)
{
	settings.url = url;
	run();
	assert_string_equal(cause, result.cause);
	assert_int_equal(*cause == '\0', result.is_up);
}

static bool url_has(const char *url, const char *text)
{
	settings.alert_condition = CHECK_NO_TEXT;
	settings.alert_text_lookup = text;
	settings.url = url;
	run();
	return result.is_up;
}

static void names_are_resolved(void **state)
{
	(void)state;
	ends(url_of("plain.test", "/status/200"), "");
	assert_string_equal("127.0.0.1", result.address);
	assert_true(url_has(url_of("PLAIN.test.", "/echo"),
			    arena_printf(&arena, "Host: plain.test:%d\n", http_port)));
	assert_true(url_has(url_of("plain.t\xc3\xa9st", "/echo"),
			    arena_printf(&arena, "Host: plain.xn--tst-bma:%d\n", http_port)));
	settings.alert_condition = CHECK_STATUS;
	/* Five addresses, of which the server listens on one. */
	ends(url_of("dual.test", "/status/200"), "");
	assert_string_equal("127.0.0.1", result.address);
	ends(url_of("none.test", "/"), "the name does not exist");
	assert_int_equal(PROBE_NOT_REACHED, result.connected_us);
	ends(url_of("empty.test", "/"), "the name has no address");
	ends("http://[::1]:1/", "connection refused");
	ends("http://a..b/", "the name is not valid");
	settings.timeout = 1;
	ends(url_of("silent.test", "/"), "no address of the name within 1 s");
}

static void https_is_by_name(void **state)
{
	(void)state;
	ends(arena_printf(&arena, "https://plain.test:%d/status/200", https_port), "");
	ends(arena_printf(&arena, "https://dual.test:%d/status/200", https_port),
	     "the certificate is for another name");
}

static void private_addresses_are_refused(void **state)
{
	static const char *const hosts[][2] = {
		{ "127.0.0.1", "127.0.0.1" },
		{ "0x7f.1", "127.0.0.1" },
		{ "2130706433", "127.0.0.1" },
		{ "[::ffff:127.0.0.1]", "::ffff:127.0.0.1" },
		{ "[::1]", "::1" },
		{ "169.254.169.254", "169.254.169.254" },
		{ "plain.test", "127.0.0.1" },
		{ "mixed.test", "10.0.0.1" },
		{ "0.0.0.0", "0.0.0.0" },
	};
	(void)state;
	if (!has_network)
		skip();
	use_prober(false, NULL);
	ends(url_of(PUBLIC_ADDRESS, "/status/200"), "");
	for (size_t i = 0; i < ARRAY_LEN(hosts); i++) {
		const char *cause = "the address is not public";
		const char *note = arena_printf(&arena, "the address is %s", hosts[i][1]);
		const char *target = arena_printf(&arena, "/to/302/http:%%2F%%2F%s:%d%%2Fecho",
						  hosts[i][0], http_port);
		ends(url_of(hosts[i][0], "/status/200"), cause);
		assert_string_equal(result.note, note);
		assert_int_equal(PROBE_NOT_REACHED, result.connected_us);
		ends(url_of(PUBLIC_ADDRESS, target), cause);
		assert_int_equal(PROBE_NOT_REACHED, result.connected_us);
	}
}

static void secrets_stay_with_the_first_server(void **state)
{
	static const char *const secrets[] = { "s3cret", "Authorization", "session" };
	struct check_header headers[] = { { "X-Trace", "s3cret", NULL },
					  { "Cookie", "session=1", NULL },
					  { "Accept-Language", "fr", NULL } };
	/* Other hosts, another port, another protocol. */
	const char *const abroad[] = {
		arena_printf(&arena, "http:%%2F%%2F127.0.0.2:%d%%2Fecho", http_port),
		arena_printf(&arena, "%%2F%%2Fplain.test:%d%%2Fecho", http_port),
		arena_printf(&arena, "https:%%2F%%2F127.0.0.1:%d%%2Fecho", https_port),
	};
	(void)state;
	if (!has_network)
		skip();
	settings.request_headers = (struct field_rows){ headers, ARRAY_LEN(headers) };
	settings.request_auth_username = "ann";
	settings.request_auth_password = "b";
	for (size_t i = 0; i < ARRAY_LEN(secrets); i++)
		assert_true(has("/to/302//echo", secrets[i]));
	for (size_t i = 0; i < ARRAY_LEN(abroad); i++) {
		const char *path = arena_printf(&arena, "/to/307/%s", abroad[i]);
		assert_true(has(path, "Accept-Language: fr"));
		for (size_t j = 0; j < ARRAY_LEN(secrets); j++)
			assert_false(has(path, secrets[j]));
		/* Back at the first server they are sent again. */
		assert_true(has(arena_printf(&arena,
					     "/to/307/http:%%2F%%2F127.0.0.2:%d%%2Fto"
					     "%%2F307%%2Fhttp:%%252F%%252F127.0.0.1:%d"
					     "%%252Fecho",
					     http_port, http_port),
				"s3cret"));
	}
}

static void a_body_stays_with_the_first_server(void **state)
{
	const char *abroad = arena_printf(&arena, "http:%%2F%%2F127.0.0.2:%d%%2Fecho", http_port);
	(void)state;
	if (!has_network)
		skip();
	settings.request_method = CHECK_POST;
	settings.request_body = "password=s3cret";
	is_down(arena_printf(&arena, "/to/307/%s", abroad),
		"a redirect to another server, which must not get the body");
	is_down(arena_printf(&arena, "/to/308/%s", abroad),
		"a redirect to another server, which must not get the body");
	/* As a GET it has none. */
	assert_true(has(arena_printf(&arena, "/to/302/%s", abroad), "GET /echo\nHost: 127.0.0.2"));
	assert_true(has(arena_printf(&arena, "/to/303/%s", abroad), "body: 0 "));
}

static void the_environment_names_no_proxy(void **state)
{
	(void)state;
	setenv("http_proxy", "http://127.0.0.1:1/", 1);
	setenv("ALL_PROXY", "http://127.0.0.1:1/", 1);
	is_up("/status/200");
	unsetenv("http_proxy");
	unsetenv("ALL_PROXY");
}

/* A socket that takes so many connections, and does nothing with them. */
static int listen_for(int connections, int *port)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	socklen_t len = sizeof(address);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	assert_int_equal(0, bind(fd, (struct sockaddr *)&address, sizeof(address)));
	assert_int_equal(0, listen(fd, connections));
	assert_int_equal(0, getsockname(fd, (struct sockaddr *)&address, &len));
	*port = ntohs(address.sin_port);
	return fd;
}

static void a_server_that_does_nothing_is_waited_for(void **state)
{
	enum { PROBES = 3 };
	int port, idle = listen_for(10, &port);
	(void)state;
	settings.timeout = 1;
	ends(arena_printf(&arena, "http://127.0.0.1:%d/", port), "no response within 1 s");
	assert_true(result.connected_us >= 0);
	ends(arena_printf(&arena, "https://127.0.0.1:%d/", port), "no TLS handshake within 1 s");
	assert_true(result.connected_us >= 0);
	close(idle);
	/* A queue of one place; Linux takes one more. */
	int full = listen_for(0, &port);
	for (int i = 0; i < PROBES; i++)
		ends(arena_printf(&arena, "http://127.0.0.1:%d/", port),
		     i == 0 ? "no response within 1 s" : "no connection within 1 s");
	assert_int_equal(PROBE_NOT_REACHED, result.connected_us);
	close(full);
}

static void faults_of_this_machine_say_nothing_of_the_system(void **state)
{
	struct rlimit before, none;
	(void)state;
	is_up("/status/200");
	assert_int_equal(0, getrlimit(RLIMIT_NOFILE, &before));
	none = before;
	none.rlim_cur = 0;
	assert_int_equal(0, setrlimit(RLIMIT_NOFILE, &none));
	check("/status/200");
	assert_true(result.is_void);
	assert_false(result.is_up);
	assert_int_equal(0, setrlimit(RLIMIT_NOFILE, &before));
	settings.has_lost_secrets = true;
	check("/status/200");
	assert_true(result.is_void);
	settings.has_lost_secrets = false;
	use_prober(true, "/nonexistent/ca.pem");
	settings.url = arena_printf(&arena, "https://127.0.0.1:%d/status/200", https_port);
	run();
	assert_string_equal("the file of trusted certificates cannot be read", result.cause);
	assert_true(result.is_void);
	is_up("/status/200");
}

enum { TURNS = 40 };

struct turns {
	struct loop_timer timer;
	int left;
};

/* Lets the loop turn, with what is ready in each turn, and waits a little for the server. */
static void turn(void *context)
{
	struct turns *turns = context;
	usleep(500);
	if (turns->left-- == 0)
		loop_stop(&loop);
	else
		loop_timer_set(&loop, &turns->timer, 0);
}

static void count_call(void *context, const struct probe_result *ended)
{
	(void)ended;
	++*(int *)context;
}

/* At the latest after so many turns it has ended, or waits. */
static void cancel_after(const char *url, int count)
{
	int calls = 0;
	struct turns turns = { .timer = { .call = turn, .context = &turns }, .left = count };
	struct probe probe = { .settings = &settings, .call = count_call, .context = &calls };
	settings.url = url;
	probe_start(prober, &probe);
	loop_timer_set(&loop, &turns.timer, 0);
	loop_run(&loop);
	if (calls > 0)
		return;
	probe_cancel(&probe);
	assert_null(probe.own);
}

static void a_check_can_be_cancelled_at_any_step(void **state)
{
	(void)state;
	is_up("/status/200");
	const char *const urls[] = {
		url_of("plain.test", "/status/200"),
		url_of("silent.test", "/status/200"),
		url_of("dual.test", "/silence"),
		url_of("127.0.0.1", "/count/10"),
		url_of("127.0.0.1", "/to/302//%2Fplain.test%2F"),
		url_of("127.0.0.1", "/endless/"),
		url_of("127.0.0.1", "/trickle"),
		"http://127.0.0.1:1/",
		arena_printf(&arena, "https://127.0.0.1:%d/status/200", https_port),
		arena_printf(&arena, "https://127.0.0.1:%d/status/200", h2_port),
	};
	settings.alert_condition = CHECK_NO_TEXT;
	settings.alert_text_lookup = "something else";
	is_down("/status/200", "the text \"something else\" is missing");
	int before = network_descriptors();
	for (size_t i = 0; i < ARRAY_LEN(urls); i++)
		for (int count = 0; count < TURNS; count++)
			cancel_after(urls[i], count);
	assert_in_range(network_descriptors(), 0, before + 1);
	is_up("/text/something%20else");
}

static void end_many(void *context, const struct probe_result *ended)
{
	int *left = context;
	result = *ended;
	assert_true(result.is_up);
	if (--*left == 0)
		loop_stop(&loop);
}

/* Of one name, which has one entry in libcurl's cache: these do not share it. */
static void checks_at_the_same_time_do_not_mix(void **state)
{
	enum { CHECKS = 50 };
	static struct probe probes[CHECKS];
	static struct check_settings own[CHECKS];
	int left = CHECKS;
	(void)state;
	is_up("/status/200");
	for (int i = 0; i < CHECKS; i++) {
		own[i] = settings;
		own[i].alert_condition = CHECK_NO_TEXT;
		own[i].alert_text_lookup = arena_printf(&arena, "(%d)", i);
		own[i].url = url_of(i % 2 ? "plain.test" : "many-1.test",
				    arena_printf(&arena, "/pieces/(%d)", i));
		probes[i] =
			(struct probe){ .settings = &own[i], .call = end_many, .context = &left };
		probe_start(prober, &probes[i]);
	}
	loop_run(&loop);
	assert_int_equal(0, left);
}

static int void_count, held_left;

static void end_held(void *context, const struct probe_result *ended)
{
	(void)context;
	void_count += ended->is_void;
	if (!ended->is_void)
		assert_string_equal("no complete response within 8 s", ended->cause);
	if (--held_left == 0)
		loop_stop(&loop);
}

static void begin_held(struct probe *probes, size_t count, const char *path)
{
	void_count = 0;
	held_left = (int)count;
	settings.url = url_of("127.0.0.1", path);
	settings.timeout = 8;
	settings.alert_condition = CHECK_JSON;
	settings.json_path = "a";
	settings.json_value = "b";
	for (size_t i = 0; i < count; i++) {
		probes[i] = (struct probe){ .settings = &settings, .call = end_held };
		probe_start(prober, &probes[i]);
	}
	loop_run(&loop);
}

/* Slow servers cannot take more than a bounded part of the memory, and small JSON needs none of it.
 */
static void bodies_that_are_not_complete_take_bounded_memory(void **state)
{
	enum { CHECKS = 100, FIT = HTTP_KEPT_MAX_BYTES / 1000000 };
	static struct probe probes[CHECKS];
	(void)state;
	is_up("/status/200");
	begin_held(probes, CHECKS, "/held/1000000");
	assert_in_range(void_count, CHECKS - FIT - 2, CHECKS - FIT + 20);
	begin_held(probes, CHECKS, "/held/60000");
	assert_int_equal(0, void_count);
	/* The room is free again. */
	begin_held(probes, FIT - 2, "/held/1000000");
	assert_int_equal(0, void_count);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ONE(names_are_resolved),
		ONE(https_is_by_name),
		ONE(private_addresses_are_refused),
		ONE(secrets_stay_with_the_first_server),
		ONE(a_body_stays_with_the_first_server),
		ONE(the_environment_names_no_proxy),
		ONE(a_server_that_does_nothing_is_waited_for),
		ONE(faults_of_this_machine_say_nothing_of_the_system),
		ONE(a_check_can_be_cancelled_at_any_step),
		ONE(checks_at_the_same_time_do_not_mix),
		ONE(bodies_that_are_not_complete_take_bounded_memory),
	};
	return RUN_CHECKS(tests);
}
