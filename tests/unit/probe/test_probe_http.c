/* HTTP checks of tests/lib/http-server, which has the faults of servers. */
#include "unit/lib/unit.h"

#include "unit/probe/http_world.h"

static void the_result_has_the_times_of_the_steps(void **state)
{
	(void)state;
	is_up("/status/200");
	assert_int_equal(200, result.status);
	assert_string_equal("127.0.0.1", result.address);
	assert_true(result.resolved_us >= 0);
	assert_true(result.connected_us >= result.resolved_us);
	assert_int_equal(PROBE_NOT_REACHED, result.secured_us);
	assert_true(result.first_byte_us >= result.connected_us);
	assert_true(result.done_us >= result.first_byte_us);
	assert_int_equal((result.done_us + 500) / 1000, result.response_ms);
	assert_int_equal(0, result.tls_expires_at.s);
	assert_string_equal("", result.tls_issuer);
	assert_string_equal("", result.note);
}

static void statuses_are_judged(void **state)
{
	(void)state;
	is_up("/status/204");
	is_down("/status/304", "HTTP status 304");
	is_down("/status/503", "HTTP status 503");
	settings.expected_statuses = "200-299,401,503";
	is_up("/status/503");
	is_up("/status/401");
	is_down("/status/404", "HTTP status 404");
	settings.expected_statuses = "401";
	is_down("/status/200", "HTTP status 200");
}

static void the_request_is_as_the_settings_say(void **state)
{
	struct check_header headers[] = { { "X-One", "1", NULL }, { "X-Empty", "", NULL } };
	(void)state;
	assert_true(has("/echo/a?b=c", "GET /echo/a?b=c\n"));
	assert_true(has("/echo",
			"User-Agent: Daymark/" PACKAGE_VERSION " (+https://status.example)\n"));
	assert_true(has("/echo", "Accept-Encoding: gzip, deflate\n"));
	assert_true(has("/echo", arena_printf(&arena, "Host: 127.0.0.1:%d\n", http_port)));
	assert_false(has("/echo", "Authorization"));
	settings.request_headers = (struct field_rows){ headers, 2 };
	assert_true(has("/echo", "X-One: 1\n"));
	assert_true(has("/echo", "X-Empty: \n"));
	headers[0] = (struct check_header){ "accept-encoding", "br", NULL };
	assert_true(has("/echo", "accept-encoding: br\n"));
	assert_false(has("/echo", "gzip"));
	settings.request_auth_username = "ann";
	settings.request_auth_password = "a:b";
	assert_true(has("/echo", "Authorization: Basic YW5uOmE6Yg==\n"));
	settings.cache_buster = true;
	assert_true(has("/echo/?b=c", "GET /echo/?b=c&_="));
	assert_true(has("/echo/", "GET /echo/?_="));
}

static void each_method_is_sent_by_its_name(void **state)
{
	(void)state;
	for (int i = CHECK_GET; i <= CHECK_OPTIONS; i++) {
		settings.request_method = i;
		if (i == CHECK_HEAD)
			is_up("/bytes/5");
		else
			assert_true(has("/echo",
					arena_printf(&arena, "%s /echo\n", check_method_words[i])));
		assert_true(i == CHECK_HEAD || has("/echo", "body: 0 "));
		settings.alert_condition = CHECK_STATUS;
	}
	settings.request_body = "12345";
	for (int i = CHECK_GET; i <= CHECK_OPTIONS; i++) {
		settings.request_method = i;
		assert_true(i == CHECK_HEAD || has("/echo", "body: 5 "));
		assert_false(has("/echo", "Expect"));
	}
}

static void a_text_is_found_wherever_it_is(void **state)
{
	(void)state;
	assert_true(has("/text/all%20is%20OK", "is OK"));
	assert_true(has("/pieces/all%20is%20OK%20here", "is OK"));
	assert_true(has("/pieces/aaaab", "aab"));
	assert_true(has("/coded/gzip/all%20is%20OK", "is OK"));
	assert_true(has("/coded/deflate/all%20is%20OK", "is OK"));
	assert_true(has("/coded/raw/all%20is%20OK", "is OK"));
	assert_true(has("/coded/identity/all%20is%20OK", "is OK"));
	assert_true(has("/text/x", "x"));
	assert_false(has("/text/all%20is%20ok", "OK"));
	assert_string_equal("the text \"OK\" is missing", result.cause);
	assert_false(has("/text/", "OK"));
	settings.alert_condition = CHECK_TEXT;
	is_up("/text/fine");
	is_down("/text/not%20OK", "the text \"OK\" is there");
	/* The status comes first. */
	is_down("/status/500", "HTTP status 500");
}

static void a_long_cause_ends_with_a_whole_character(void **state)
{
	char smileys[4 * 255 + 1] = "";
	(void)state;
	for (size_t i = 0; i < sizeof(smileys) - 1; i += 4)
		memcpy(smileys + i, "\xf0\x9f\x98\x80", 5);
	settings.alert_condition = CHECK_JSON;
	settings.json_path = smileys;
	settings.json_value = "ok";
	is_up(arena_printf(&arena, "/text/{\"%s\":\"ok\"}", smileys));
	check(arena_printf(&arena, "/text/{\"%s\":\"%s\"}", smileys, smileys));
	assert_string_equal("...", arena_strndup(&arena, result.cause + 4 * 60, 3));
	assert_true(str_is_text(str_from(result.cause)));
	assert_string_equal("...", result.cause + 252);
}

static void json_is_judged(void **state)
{
	(void)state;
	settings.alert_condition = CHECK_JSON;
	settings.json_path = "checks[1].status";
	settings.json_value = "ok";
	is_up("/text/{\"checks\":[1,{\"status\":\"ok\"}]}");
	is_up("/coded/gzip/{\"checks\":[1,{\"status\":\"ok\"}]}");
	is_down("/text/{\"checks\":[1,{\"status\":\"down\"}]}",
		"checks[1].status is \"down\", not \"ok\"");
	is_down("/text/{}", "the response has no checks[1].status");
	is_down("/text/fine", "the response is not valid JSON");
	is_down("/text/", "the response is not valid JSON");
	is_down("/bytes/1048577", "the response has more than 1048576 bytes of JSON");
}

static void a_response_is_read_up_to_a_mebibyte(void **state)
{
	(void)state;
	is_up("/bytes/1048577");
	is_up("/endless/");
	assert_false(has("/endless/", "y"));
	is_down("/endless/", "the text \"y\" is missing");
	is_down("/bomb/gzip", "the text \"y\" is missing");
	is_down("/bomb/deflate", "the text \"y\" is missing");
	is_down("/bomb/gzip,gzip", "the response has an encoding that was not asked for");
	is_down("/coded/gzip,deflate/y", "the response has an encoding that was not asked for");
	is_down("/coded/br/y", "the response has an encoding that was not asked for");
	is_down("/raw/HTTP/1.1%20200%20OK%0D%0AContent-Encoding:%20gzip%0D%0A"
		"Content-Encoding:%20gzip%0D%0A%0D%0Aab",
		"the response has an encoding that was not asked for");
	is_down("/raw/HTTP/1.1%20200%20OK%0D%0AContent-Encoding:%20gzip%0D%0A%0D%0Aab",
		"the response cannot be decoded");
	is_down("/void/", "the text \"y\" is missing");
	is_down("/raw/HTTP/1.1%20503%20No%0D%0AContent-Encoding:%20gzip%0D%0A%0D%0Aab",
		"HTTP status 503");
	is_down("/raw/HTTP/1.1%20503%20No%0D%0AContent-Encoding:%20br%0D%0A%0D%0Aab",
		"HTTP status 503");
	is_up("/raw/HTTP/1.1%20302%20To%0D%0AContent-Encoding:%20br%0D%0A"
	      "Location:%20%2Ftext%2Fy%0D%0A%0D%0Aab");
	/* By the status alone the body may be anything. */
	settings.alert_condition = CHECK_STATUS;
	is_up("/bomb/gzip");
	is_up("/bomb/gzip,gzip");
	is_up("/coded/br/y");
	is_up("/raw/HTTP/1.1%20200%20OK%0D%0AContent-Encoding:%20gzip%0D%0A%0D%0Aab");
	is_down("/raw/HTTP/1.1%20200%20OK%0D%0ATransfer-Encoding:%20gzip%0D%0A%0D%0Aab",
		"the Transfer-Encoding of the response was not asked for");
	settings.expected_statuses = "404";
	is_down("/endless/", "HTTP status 200");
}

static void faults_of_servers_are_named(void **state)
{
	static const char *const faults[][2] = {
		{ "/nothing", "the connection was closed without a response" },
		{ "/garbage", "the response is not valid HTTP" },
		{ "/cut", "the response is incomplete" },
		{ "/cut/chunked", "the response is incomplete" },
		{ "/reset/", "connection reset" },
		{ "/reset/HTTP/1.1%20200%20OK%0D%0AContent-Length:%205%0D%0A%0D%0Aab",
		  "connection reset" },
		{ "/raw/HTTP/1.1%20200%20OK%0D%0ATransfer-Encoding:%20chunked%0D%0A%0D%0Azz%0D%0A",
		  "the response is not valid HTTP" },
		{ "/raw/HTTP/1.1%20200%20OK%0D%0AContent-Length:%20-5%0D%0A%0D%0Aab",
		  "the response is not valid HTTP" },
		{ "/raw/HTTP/7.1%20200%20OK%0D%0A%0D%0Aab", "the response is not valid HTTP" },
		{ "/raw/SSH-2.0-OpenSSH%0D%0A", "the response is not valid HTTP" },
		{ "/headers/300", "the headers of the response are too long" },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(faults); i++)
		is_down(faults[i][0], faults[i][1]);
	is_down("/informing/", "the headers of the response are too long");
	is_up("/headers/200");
	/* More than was announced: libcurl reads what was. */
	is_up("/raw/HTTP/1.1%20200%20OK%0D%0AContent-Length:%201%0D%0A%0D%0Aabc");
	is_up("/raw/HTTP/1.1%20103%20Early%0D%0A%0D%0AHTTP/1.1%20200%20OK%0D%0A%0D%0Aabc");
	settings.url = "http://127.0.0.1:1/";
	run();
	assert_string_equal("connection refused", result.cause);
	assert_int_equal(0, result.status);
	assert_int_equal(PROBE_NOT_REACHED, result.connected_us);
}

static void a_check_ends_at_its_timeout(void **state)
{
	(void)state;
	settings.timeout = 1;
	is_down("/silence", "no response within 1 s");
	assert_true(result.connected_us >= 0);
	assert_int_equal(PROBE_NOT_REACHED, result.first_byte_us);
	assert_in_range(result.response_ms, 990, 10000);
	is_down("/trickle", "no complete response within 1 s");
	assert_int_equal(200, result.status);
	is_down("/slowly/HTTP/1.1%20200%20OK%0D%0AX-Long:%20aaaaaaaaaaaa",
		"no complete response within 1 s");
	/* A listening socket, whose queue is full, takes no connection. */
}

static void redirects_are_followed(void **state)
{
	(void)state;
	is_up("/to/302//status/200");
	assert_string_equal(
		arena_printf(&arena, "after 1 redirect, at http://127.0.0.1:%d", http_port),
		result.note);
	is_up("/to/301/..%2F..%2Fstatus%2F200");
	is_down("/to/307//status/404", "HTTP status 404");
	is_up("/count/10");
	is_down("/count/11", "more than 10 redirects");
	assert_int_equal(302, result.status);
	is_down("/to/302/ftp:%2F%2F127.0.0.1%2F",
		"the URL of a redirect is neither http nor https");
	is_down("/to/302/file:%2F%2F%2Fetc%2Fpasswd",
		"the URL of a redirect is neither http nor https");
	is_down("/to/302/http:%2F%2Fann:secret@127.0.0.1%2F",
		"the URL of a redirect has a user or a password");
	is_down("/to/302/http:%2F%2F", "the URL of a redirect is not valid");
	is_down("/to/300//status/200", "HTTP status 300");
	is_down("/to/304//status/200", "HTTP status 304");
	settings.follow_redirects = false;
	is_down("/to/302//status/200", "HTTP status 302");
	settings.expected_statuses = "302";
	is_up("/to/302//status/200");
}

/* RFC 9110 section 15.4. */
static void redirects_keep_or_change_the_method(void **state)
{
	static const struct {
		int status;
		enum check_method method, expected;
	} cases[] = {
		{ 301, CHECK_POST, CHECK_GET },	     { 302, CHECK_POST, CHECK_GET },
		{ 303, CHECK_POST, CHECK_GET },	     { 307, CHECK_POST, CHECK_POST },
		{ 308, CHECK_POST, CHECK_POST },     { 301, CHECK_PUT, CHECK_PUT },
		{ 302, CHECK_DELETE, CHECK_DELETE }, { 303, CHECK_PUT, CHECK_GET },
		{ 303, CHECK_GET, CHECK_GET },	     { 308, CHECK_PATCH, CHECK_PATCH },
	};
	struct check_header header = { "Content-Type", "text/x-own", NULL };
	(void)state;
	settings.request_body = "12345";
	settings.request_headers = (struct field_rows){ &header, 1 };
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const char *path = arena_printf(&arena, "/to/%d//echo", cases[i].status);
		bool is_kept = cases[i].method == cases[i].expected;
		settings.request_method = cases[i].method;
		is_kept &= cases[i].status != 303;
		assert_true(has(path, arena_printf(&arena, "%s /echo\n",
						   check_method_words[cases[i].expected])));
		assert_int_equal(is_kept, has(path, "body: 5 "));
		assert_int_equal(is_kept, has(path, "text/x-own"));
	}
}

static void check_tls(int port)
{
	settings.url = arena_printf(&arena, "https://127.0.0.1:%d/status/200", port);
	run();
}

static void certificates_are_verified(void **state)
{
	(void)state;
	check_tls(https_port);
	assert_string_equal("", result.cause);
	assert_true(result.secured_us >= result.connected_us);
	assert_in_range(result.tls_expires_at.s, clock_now().s + 86400, clock_now().s + 3 * 86400);
	assert_string_equal("CN = authority of a test", result.tls_issuer);
	check_tls(expired_port);
	assert_string_equal("the certificate has expired", result.cause);
	assert_true(result.tls_is_over);
	check_tls(other_port);
	assert_false(result.tls_is_over);
	assert_string_equal("the certificate is for another name", result.cause);
	check_tls(self_port);
	assert_string_equal("the certificate is self-signed", result.cause);
	check_tls(http_port);
	assert_string_equal("the TLS handshake failed", result.cause);
	settings.verify_tls = false;
	const int ports[] = { https_port, expired_port, other_port, self_port };
	for (size_t i = 0; i < ARRAY_LEN(ports); i++) {
		check_tls(ports[i]);
		assert_true(result.is_up);
		assert_true(result.tls_expires_at.s > 0);
	}
	/* Of the last server, whose name would colour a terminal. */
	assert_non_null(strstr(result.tls_issuer, "[31mred name"));
	assert_null(strchr(result.tls_issuer, '\x1b'));
}

static void a_caller_gets_the_body(void **state)
{
	struct buf body CLEANUP(buf_done) = BUF_INIT((1 << 20) + 1);
	(void)state;
	probe_body = &body;
	is_up("/text/hello");
	assert_string_equal("hello", body.data);
	is_up("/coded/gzip/packed");
	assert_string_equal("packed", body.data);
	/* Only of the last response. */
	settings.follow_redirects = true;
	is_up("/to/302/%2Ftext%2Fmoved");
	assert_string_equal("moved", body.data);
	is_down("/status/429", "HTTP status 429");
	assert_int_equal(7, result.retry_after_s);
	is_down("/endless", "the response is too long");
	is_down("/bomb/gzip", "the response is too long");
	is_down("/coded/gzip,gzip/twice", "the response has an encoding that was not asked for");
}

static void http_2_is_spoken_where_it_is_offered(void **state)
{
	(void)state;
	settings.alert_condition = CHECK_NO_TEXT;
	settings.alert_text_lookup = "OK by HTTP/2";
	check_tls(h2_port);
	assert_string_equal("", result.cause);
	assert_int_equal(200, result.status);
}

static void urls_are_checked(void **state)
{
	static const char *const urls[][2] = {
		{ "ftp://127.0.0.1/", "the URL is neither http nor https" },
		{ "http://ann:b@127.0.0.1/", "the URL has a user or a password" },
		{ "127.0.0.1", "the URL is not valid" },
		{ "", "the URL is not valid" },
		{ "http://[::1", "the URL is not valid" },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(urls); i++) {
		settings.url = urls[i][0];
		run();
		assert_string_equal(urls[i][1], result.cause);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ONE(the_result_has_the_times_of_the_steps),
		ONE(statuses_are_judged),
		ONE(the_request_is_as_the_settings_say),
		ONE(each_method_is_sent_by_its_name),
		ONE(a_text_is_found_wherever_it_is),
		ONE(a_long_cause_ends_with_a_whole_character),
		ONE(json_is_judged),
		ONE(a_response_is_read_up_to_a_mebibyte),
		ONE(faults_of_servers_are_named),
		ONE(a_check_ends_at_its_timeout),
		ONE(redirects_are_followed),
		ONE(redirects_keep_or_change_the_method),
		ONE(certificates_are_verified),
		ONE(a_caller_gets_the_body),
		ONE(http_2_is_spoken_where_it_is_offered),
		ONE(urls_are_checked),
	};
	return RUN_CHECKS(tests);
}
