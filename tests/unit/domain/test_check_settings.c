/* The rules of the settings of checks. */
#include "unit/lib/unit.h"

#include "domain/monitor/monitor.h"

/* Settings of each type that have no violation. */
static struct check_settings valid(enum check_type type)
{
	static const char *const urls[CHECK_TYPES] = {
		[CHECK_HTTP] = "https://a.example/", [CHECK_TCP] = "a.example:25",
		[CHECK_PING] = "a.example",	     [CHECK_DNS] = "a.example",
		[CHECK_TLS] = "a.example",
	};
	const struct monitor monitor = monitor_new(1, (struct instant){ 1000 });
	return (struct check_settings){
		.type = (int)type,
		.url = urls[type],
		.interval = monitor.interval,
		.ssl_alert_days = monitor.ssl_alert_days,
		.period = 60,
	};
}

/* The fields with violations, each followed by a blank. */
static const char *wrong(const struct check_settings *settings)
{
	struct violations violations;
	const char *fields = "";
	violations_init(&violations, &arena);
	check_headers_check(&settings->request_headers, &violations);
	check_settings_check(settings, &violations);
	for (const struct violation *one = violations.first; one; one = one->next)
		fields = arena_printf(&arena, "%s%s ", fields, one->field);
	return fields;
}

static void each_type_has_its_address(void **state)
{
	(void)state;
	static const struct {
		enum check_type type;
		const char *right[14], *wrong[14];
	} rows[] = {
		{ CHECK_EXTERNAL,
		  { "https://a.example/x", "http://a" },
		  { "a.example", "ftp://a/" } },
		{ CHECK_HEARTBEAT, { "https://a.example/" }, { "a.example:25" } },
		{ CHECK_HTTP,
		  { "http://127.0.0.1:8080/", "HTTPS://a.example", "https://a.example/u:p@b" },
		  { "", "a.example", "tcp://a.example:80", "https://", "https:///x",
		    "https://u:p@a.example/", "https://u@a.example?q" } },
		{ CHECK_TCP,
		  { "a.example:25", "tcp://a.example:25", "TCP://a:1", "192.0.2.1:65535",
		    "[2001:db8::1]:22", "tcp://[::1]:22", "m\xc3\xbcller.example:25", "_x:1" },
		  { "", "a.example", "a.example:0", "a.example:65536", "a.example:", "a:b",
		    "a.example:25/x", "https://a.example:25", "2001:db8::1", "[a]:22", "a b:1",
		    "tcp://", ":25", "a..b:1" } },
		{ CHECK_PING,
		  { "a.example", "a", "192.0.2.1", "2001:db8::1", "[2001:db8::1]", "a.example." },
		  { "", "a.example:7", "https://a.example/", "-a", "a/b", ".", "a\nb" } },
		{ CHECK_DNS, { "_dmarc.a.example", "a.example" }, { "", "a.example:53", "a,b" } },
		{ CHECK_TLS,
		  { "a.example", "a.example:993", "[2001:db8::1]:443" },
		  { "", "https://a.example/", "a.example:99999" } },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		for (size_t at = 0; at < ARRAY_LEN(rows[i].right); at++) {
			struct check_settings settings = valid(rows[i].type);
			settings.url = rows[i].right[at];
			if (settings.url)
				assert_string_equal(wrong(&settings), "");
			settings.url = rows[i].wrong[at];
			if (settings.url && !*settings.url)
				settings.url = NULL;
			if (rows[i].wrong[at])
				assert_string_equal(wrong(&settings), "url ");
		}
	const char *label = arena_printf(&arena, "%063d", 0);
	struct check_settings settings = valid(CHECK_PING);
	settings.url = arena_printf(&arena, "%s.%s.%s.%.61s", label, label, label, label);
	assert_int_equal(strlen(settings.url), 253);
	assert_string_equal(wrong(&settings), "");
	settings.url = arena_printf(&arena, "%sx", settings.url);
	assert_string_equal(wrong(&settings), "url ");
	settings.url = arena_printf(&arena, "%sx", label);
	assert_string_equal(wrong(&settings), "url ");
}

static void a_target_has_a_host_and_perhaps_a_port(void **state)
{
	(void)state;
	static const struct {
		const char *url, *host;
		int64_t port;
	} rows[] = {
		{ "a.example", "a.example", 0 },
		{ "a.example:25", "a.example", 25 },
		{ "tcp://192.0.2.1:53", "192.0.2.1", 53 },
		{ "[2001:db8::1]:443", "2001:db8::1", 443 },
		{ "[2001:db8::1]", "2001:db8::1", 0 },
		{ "2001:db8::1", "2001:db8::1", 0 },
	};
	struct check_target target;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		assert_true(check_target_read(rows[i].url, &target));
		assert_string_equal(target.host, rows[i].host);
		assert_int_equal(target.port, rows[i].port);
	}
	assert_false(check_target_read(NULL, &target));
	assert_false(check_target_read("[2001:db8::1]x", &target));
}

/* Another setting of a check of type http, unless the row names another type. */
#define SETS(its_field, ...) \
	{ \
		its_field, \
		{ \
			__VA_ARGS__ \
		} \
	}

static void settings_that_contradict_each_other_are_named(void **state)
{
	(void)state;
	const struct {
		const char *field;
		struct check_settings set;
	} rows[] = {
		SETS("", .alert_condition = CHECK_TEXT, .alert_text_lookup = "x"),
		SETS("alert_text_lookup ", .alert_condition = CHECK_TEXT),
		SETS("alert_text_lookup ", .alert_condition = CHECK_NO_TEXT, .json_path = "a"),
		SETS("json_path json_value ", .alert_condition = CHECK_JSON),
		SETS("json_value ", .alert_condition = CHECK_JSON, .json_path = "a"),
		SETS("", .alert_condition = CHECK_JSON, .json_path = "a", .json_value = "x"),
		SETS("json_value ", .alert_condition = CHECK_JSON, .json_path = "a",
		     .json_value = "x", .json_operator = CHECK_LESS),
		SETS("json_path ", .alert_condition = CHECK_JSON, .json_path = "a..b",
		     .json_value = "x"),
		SETS("", .json_path = "a..b"),
		SETS("json_value ", .alert_condition = CHECK_JSON, .json_path = "a",
		     .json_value = "0x10", .json_operator = CHECK_LESS),
		SETS("json_value ", .alert_condition = CHECK_JSON, .json_path = "a",
		     .json_value = "1x", .json_operator = CHECK_GREATER),
		SETS("", .alert_condition = CHECK_JSON, .json_path = "a", .json_value = "-1.5",
		     .json_operator = CHECK_GREATER),
		SETS("", .json_operator = CHECK_LESS),
		SETS("", .expected_statuses = "200-299, 401"),
		SETS("expected_statuses ", .expected_statuses = "200-299,"),
		SETS("expected_statuses ", .expected_statuses = "299-200"),
		SETS("expected_statuses ", .expected_statuses = "99"),
		SETS("expected_statuses ", .expected_statuses = "600"),
		SETS("expected_statuses ", .expected_statuses = "2xx"),
		SETS("expected_statuses ", .expected_statuses = "200-"),
		SETS("expected_statuses ", .expected_statuses = "200-210-220"),
		SETS("", .request_auth_username = "a@b c"),
		SETS("request_auth_username ", .request_auth_username = "a:b"),
		SETS("request_auth_username ", .request_auth_username = "a\nb"),
		SETS("", .dns_server = "192.0.2.1"),
		SETS("", .dns_server = "[2001:db8::1]:53"),
		SETS("dns_server ", .dns_server = "ns.example"),
		SETS("dns_server ", .dns_server = "192.0.2.1:0"),
		SETS("ssl_alert_days ", .ssl_alert_days = 4),
		SETS("", .ssl_alert_days = 60),
		SETS("domain_alert_days ", .domain_alert_days = 59),
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct check_settings settings = rows[i].set;
		settings.type = CHECK_HTTP;
		settings.url = "https://a.example/";
		assert_string_equal(wrong(&settings), rows[i].field);
	}
	struct check_settings heartbeat = valid(CHECK_HEARTBEAT);
	assert_string_equal(wrong(&heartbeat), "");
	heartbeat.period = 0;
	assert_string_equal(wrong(&heartbeat), "period ");
	heartbeat.type = CHECK_PING;
	heartbeat.url = "a";
	heartbeat.alert_condition = CHECK_TEXT; /* concerns http alone */
	assert_string_equal(wrong(&heartbeat), "");
}

static void a_status_is_expected_or_not(void **state)
{
	(void)state;
	static const struct {
		const char *statuses;
		int64_t status;
		bool is_expected;
	} rows[] = {
		{ NULL, 200, true },	      { NULL, 299, true },
		{ NULL, 300, false },	      { NULL, 199, false },
		{ "401", 401, true },	      { "401", 200, false },
		{ "200-299,401", 401, true }, { "200-299 , 500", 500, true },
		{ "401", 0, false },	      { "200-204", 204, true },
		{ "200-204", 205, false },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		assert_int_equal(check_status_is_expected(rows[i].statuses, rows[i].status),
				 rows[i].is_expected);
}

static void headers_cannot_reframe_the_request(void **state)
{
	(void)state;
	static const struct {
		struct check_header header;
		const char *wrong;
	} rows[] = {
		{ { "X-Test", "a\tb", NULL }, "" },
		{ { "x!#$%&'*+-.^_`|~9", "\xc3\xa9", NULL }, "" },
		{ { "Host", "a", NULL }, "request_headers.0.key " },
		{ { "content-LENGTH", "1", NULL }, "request_headers.0.key " },
		{ { "Transfer-Encoding", "chunked", NULL }, "request_headers.0.key " },
		{ { "Connection", "close", NULL }, "request_headers.0.key " },
		{ { "X Test", "1", NULL }, "request_headers.0.key " },
		{ { "X-Test:", "1", NULL }, "request_headers.0.key " },
		{ { "=X", "1", NULL }, "request_headers.0.key " },
		{ { "X-T\r\nHost", "1", NULL }, "request_headers.0.key " },
		{ { "", "1", NULL }, "request_headers.0.key " },
		{ { "X-Test", "a\r\nHost: b", NULL }, "request_headers.0.value " },
		{ { "X-Test", "a\nb", NULL }, "request_headers.0.value " },
		{ { "X-Test", "a\x7f", NULL }, "request_headers.0.value " },
		{ { "X-Test", NULL, NULL }, "request_headers.0.value " },
		{ { "Authorization", NULL, NULL }, "request_headers.0.value " },
		{ { "Authorization", NULL, "sealed" }, "" },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct check_settings settings = valid(CHECK_HTTP);
		struct check_header header = rows[i].header;
		settings.request_headers = (struct field_rows){ &header, 1 };
		assert_string_equal(wrong(&settings), rows[i].wrong);
	}
	struct check_header large[] = { { "X-A", arena_printf(&arena, "%08189d", 0), NULL },
					{ "X-B", arena_printf(&arena, "%08189d", 0), NULL } };
	struct check_settings settings = valid(CHECK_HTTP);
	settings.request_headers = (struct field_rows){ large, 2 };
	assert_string_equal(wrong(&settings), "");
	large[1].key = "X-BC";
	assert_string_equal(wrong(&settings), "request_headers ");
}

static void a_header_is_secret_by_its_name(void **state)
{
	(void)state;
	static const char *const secret[] = {
		"Authorization", "proxy-AUTHORIZATION", "Cookie", "X-Api-Key", "X-Auth", "My-Token",
		"PASSWORD",	 "x-secret-x",		"apikey"
	};
	static const char *const plain[] = { "Accept", "User-Agent", "Content-Type",
					     "X-Ke",   "Referer",    "" };
	for (size_t i = 0; i < ARRAY_LEN(secret); i++)
		assert_true(check_header_is_secret(secret[i]));
	for (size_t i = 0; i < ARRAY_LEN(plain); i++)
		assert_false(check_header_is_secret(plain[i]));
}

static void a_window_needs_both_times_in_order(void **state)
{
	(void)state;
	enum { NOW = 1772323200, YEAR = 366 * 86400 };
	const struct field_set start = FIELD_SET(MONITOR_FIELD_maintenance_start_at);
	const struct field_set end = FIELD_SET(MONITOR_FIELD_maintenance_end_at);
	const struct {
		int64_t start, end;
		struct field_set sent;
		const char *field;
	} rows[] = {
		{ NOW, NOW + 1, field_set_or(start, end), NULL },
		{ NOW - YEAR, NOW, field_set_or(start, end), NULL },
		{ NOW - YEAR - 1, NOW - YEAR, field_set_or(start, end), "maintenance_start_at" },
		{ NOW + 5 * YEAR + 1, NOW + 5 * YEAR + 2, field_set_or(start, end),
		  "maintenance_start_at" },
		{ NOW, NOW, field_set_or(start, end), "maintenance_end_at" },
		{ NOW, NOW + YEAR, field_set_or(start, end), NULL },
		{ NOW, NOW + YEAR + 1, field_set_or(start, end), "maintenance_end_at" },
		{ NOW, 0, start, "maintenance_end_at" },
		{ 0, NOW, end, "maintenance_start_at" },
		{ 0, NOW, field_set_or(start, end), "maintenance_start_at" },
		{ 0, 0, field_set_or(start, end), NULL },
		{ 0, 0, FIELD_SET_NONE, NULL },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct violations violations;
		struct monitor_input input = { .maintenance_start_at = { rows[i].start },
					       .maintenance_end_at = { rows[i].end } };
		violations_init(&violations, &arena);
		monitor_check(&input, monitor_update_fields, rows[i].sent, (struct instant){ NOW },
			      &arena, &violations);
		assert_int_equal(violations.count, rows[i].field != NULL);
		if (rows[i].field)
			assert_string_equal(violations.first->field, rows[i].field);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_type_has_its_address),
		cmocka_unit_test(a_target_has_a_host_and_perhaps_a_port),
		cmocka_unit_test(settings_that_contradict_each_other_are_named),
		cmocka_unit_test(a_status_is_expected_or_not),
		cmocka_unit_test(headers_cannot_reframe_the_request),
		cmocka_unit_test(a_header_is_secret_by_its_name),
		cmocka_unit_test(a_window_needs_both_times_in_order),
	};
	return cmocka_run_group_tests(tests, arena_start, arena_end);
}
