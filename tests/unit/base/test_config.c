#include "unit/lib/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/config/config.h"
#include "base/severity.h"

static struct config config;
static struct error error;

static enum result load_bytes(const char *text, size_t len)
{
	char path[] = "/tmp/daymark-config-XXXXXX";
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal((ssize_t)len, write(fd, text, len));
	close(fd);
	error = (struct error){ 0 };
	arena_reset(&arena);
	enum result result = config_load(&config, path, &arena, &error);
	unlink(path);
	return result;
}

static enum result load(const char *text)
{
	return load_bytes(text, strlen(text));
}

#define DATABASE "[database]\nsocket = /run/mysqld/mysqld.sock\n"

static void defaults_hold_where_nothing_is_said(void **state)
{
	(void)state;
	assert_int_equal(OK, load(DATABASE));
	assert_string_equal("/var/lib/daymark/pages", config.pages_dir);
	assert_string_equal("daymark", config.database_name);
	assert_string_equal("utf8mb4_unicode_520_ci", config.collation);
	assert_int_equal(2, config.processes);
	assert_int_equal(8 << 20, config.max_body_bytes);
	assert_int_equal(10, config.per_page);
	assert_int_equal(20, config.publish_in_request_pages);
	assert_int_equal(500, config.publish_in_request_ms);
	assert_int_equal(30, config.check_disk_s);
	assert_true(config.has_publisher);
	assert_null(config.base_url);
	assert_null(config.listen);
}

static void the_file_that_is_shipped_is_good(void **state)
{
	(void)state;
	arena_reset(&arena);
	assert_int_equal(OK,
			 config_load(&config, TESTS_DIR "/../conf/daymark.conf", &arena, &error));
	assert_string_equal("unix:/run/daymark/daymark.sock", config.listen);
}

static void values_are_taken(void **state)
{
	(void)state;
	assert_int_equal(OK, load(DATABASE "[site]\nbase_url = https://s.example.org/x//\n"
					   "[server]\nthreads=64\npublisher = no\n"
					   "[api]\nper_page = 50\n"));
	assert_string_equal("https://s.example.org/x", config.base_url);
	assert_int_equal(64, config.threads);
	assert_false(config.has_publisher);
	assert_int_equal(50, config.per_page);
	assert_int_equal(OK, load(DATABASE "collation = utf8mb4_0900_ai_ci\n"));
	assert_string_equal("utf8mb4_0900_ai_ci", config.collation);
}

static void a_semicolon_is_part_of_a_password_and_a_comment_elsewhere(void **state)
{
	(void)state;
	assert_int_equal(OK,
			 load("; a comment = 1\n" DATABASE "password = a ;b;c ; d\n"
			      "migrate_password = ;x\n  ; name = no\nname = day;mark ; the name\n"
			      "[server]\nthreads = 3 ; few\n"));
	assert_string_equal("a ;b;c ; d", config.database_password);
	assert_string_equal(";x", config.migrate_password);
	assert_string_equal("day;mark", config.database_name);
	assert_int_equal(3, config.threads);
}

static void name_servers_have_many_spellings(void **state)
{
	(void)state;
	assert_int_equal(OK, load(DATABASE "[site]\nresolver = 192.0.2.1, 192.0.2.2:5353,::1, "
					   "[::1], [2001:db8::1]:53\nhosts = a.example, b\n"));
	assert_string_equal("auto", config.domain_proof);
	assert_string_equal("none", config.pages_index);
	assert_int_equal(OK, load(DATABASE "[site]\nresolver =\nhosts =\ndomain_proof = yes\n"));
	assert_null(config.resolver);
	assert_null(config.hosts);
}

static void alerts_have_an_impact_by_severity(void **state)
{
	(void)state;
	assert_int_equal(OK, load(DATABASE));
	assert_null(config.alert_impact);
	assert_int_equal(OK, load(DATABASE "[hooks]\nalert_impact = critical:major_outage, "
					   "warning : partial_outage,info:none\n"));
	assert_string_equal("critical:major_outage, warning : partial_outage,info:none",
			    config.alert_impact);
	static const char *const wrong[] = { "critical",
					     "critical:",
					     ":none",
					     "critical:outage",
					     "critical:none, ,x:none",
					     "critical:none:none" };
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		char text[256];
		snprintf(text, sizeof(text), DATABASE "[hooks]\nalert_impact = %s\n", wrong[i]);
		assert_int_equal(E_INVALID, load(text));
		assert_non_null(strstr(error.client, "[hooks] alert_impact must be"));
	}
}

#define MIRROR "[site]\nbase_url = https://s.example.org\n[mirror_host]\nkey = "
#define KEY_31 "0123456789abcdef0123456789-._~+"

static void the_console_has_a_host_and_rules_for_groups(void **state)
{
	static const char *const wrong[] = {
		"url = http://status.example.org/x",
		"url = console.example.org",
		"sso_create = editor",
		"sso_create = reader",
		"sso_groups = a=owner",
		"sso_account = x\nsso_groups = a=boss",
		"sso_account = x\nsso_groups = =owner",
		"sso_account = x\nsso_groups = owner",
		"sso_logout_url = login.example.org",
		"idle_hours = 0",
		"session_days = 31",
		"passwords = no",
	};
	char text[512];
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		snprintf(text, sizeof(text),
			 DATABASE "[site]\nbase_url = https://STATUS.example.org\n[console]\n%s\n",
			 wrong[i]);
		assert_int_equal(E_INVALID, load(text));
		assert_non_null(strstr(error.client, "[console] "));
	}
	assert_int_equal(OK, load(DATABASE "[console]\nurl = https://console.example.org:8443/\n"
					   "sso = yes\npasswords = no\nsso_account = x\n"
					   "sso_groups = cn=a=owner, b = reader\n"));
	assert_string_equal("https://console.example.org:8443", config.console_url);
	assert_true(config_is_console_host(&config, "Console.example.org"));
	assert_false(config_is_console_host(&config, "status.example.org"));
	assert_int_equal(3, config_role_of_groups(config.sso_groups, "b, cn=a"));
	assert_int_equal(OK, load(DATABASE "[console]\nurl = http://[::1]:8080\n"));
	assert_true(config_is_console_host(&config, "[::1]"));
	assert_int_equal(12, config.session_idle_hours);
	assert_int_equal(7, config.session_days);
	assert_int_equal(OK, load(DATABASE "[console]\nidle_hours = 168\nsession_days = 30\n"));
	assert_int_equal(168, config.session_idle_hours);
	assert_int_equal(30, config.session_days);
}

static void a_mirror_needs_a_key_and_no_database(void **state)
{
	(void)state;
	assert_int_equal(OK, load(DATABASE));
	assert_false(config_is_mirror(&config));
	assert_int_equal(OK, load(MIRROR KEY_31 "/\n"));
	assert_true(config_is_mirror(&config));
	static const struct {
		const char *text;
		const char *wanted;
	} rows[] = {
		{ MIRROR KEY_31 "\n", "[mirror_host] key must have 32 to 256" },
		{ MIRROR KEY_31 "\"\n", "[mirror_host] key must have 32 to 256" },
		{ "[mirror_host]\nkey = " KEY_31 "=\n", "[site] base_url must be the base_url of" },
		{ MIRROR KEY_31 "=\n[server]\nmax_body_bytes = 4194303\n",
		  "max_body_bytes must be at least 4194304" },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		assert_int_equal(E_INVALID, load(rows[i].text));
		assert_non_null(strstr(error.client, rows[i].wanted));
		assert_null(strstr(error.client, KEY_31));
	}
}

static void memory_is_divided_over_the_processes(void **state)
{
	(void)state;
	assert_int_equal(OK, load(DATABASE));
	assert_int_equal(128 << 20, config_process_bytes(&config));
	assert_int_equal(OK, load(DATABASE "[server]\nprocesses = 64\n"));
	/* The largest body fits into a quarter, and the longest list into half. */
	assert_int_equal(32 << 20, config_process_bytes(&config));
	assert_int_equal(8 << 20, config_unfinished_bytes(&config));
	assert_int_equal(OK, load(DATABASE "[server]\nprocesses = 64\nmax_body_bytes = 65536\n"));
	assert_int_equal(16 << 20, config_process_bytes(&config));
	assert_int_equal(OK, load(DATABASE "[server]\nmax_body_bytes = 268435456\n"));
	assert_int_equal((size_t)1 << 30, config_process_bytes(&config));
	assert_int_equal(256 << 20, config_unfinished_bytes(&config));
	assert_int_equal(OK, load(DATABASE "[limits]\nmemory_mb = 0\n"));
	assert_int_equal(0, config_process_bytes(&config));
	assert_int_equal(32 << 20, config_unfinished_bytes(&config));
}

/* libinih takes a colon in place of the equals sign. */
static void a_colon_separates_as_well(void **state)
{
	char password[301], text[512];
	(void)state;
	memset(password, 'p', sizeof(password) - 1);
	password[sizeof(password) - 1] = '\0';
	snprintf(text, sizeof(text), "%spassword: a=b;%s", DATABASE, password);
	assert_int_equal(OK, load(text));
	assert_string_equal(strstr(text, "a=b"), config.database_password);
	assert_int_equal(OK, load(DATABASE "password : a ;b\n"));
	assert_string_equal("a ;b", config.database_password);
}

static void a_fault_is_named_with_its_line(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		const char *wanted;
	} rows[] = {
		{ DATABASE "[server]\nthreads = 65\n", ":4: [server] threads must be" },
		{ DATABASE "[server]\nthreads = many\n", ":4: [server] threads must be" },
		{ DATABASE "[server]\npublisher = 2\n",
		  ":4: [server] publisher must be yes or no" },
		{ DATABASE "[server]\nthread = 4\n", ":4: unknown setting [server] thread" },
		{ "[databse]\nsocket = /x\n", ":2: unknown setting [databse] socket" },
		{ DATABASE "rubbish\n", ":3: not a `key" },
		{ "[site]\n", "[database] needs socket or hosts" },
		{ DATABASE "[pages]\ndir = pages\n", "[pages] dir must be an absolute path" },
		{ DATABASE "[api]\nper_page = 20\n", "[api] per_page must be 10, 25, 50 or 100" },
		{ DATABASE "[site]\nbase_url = status.example.org\n",
		  "[site] base_url must begin" },
		{ "[checker]\ncentre = status.example.org\ncentre_key = k\n",
		  "[checker] centre must begin" },
		{ "[checker]\ncentre = https://status.example.org\n",
		  "[checker] centre and centre_key need each other" },
		{ DATABASE "[checker]\ncentre_key = k\n",
		  "[checker] centre and centre_key need each other" },
		{ DATABASE "[site]\nhosts = a.example, https://b.example\n",
		  "[site] hosts must be" },
		{ DATABASE "[site]\nhosts = a.example:80\n", "[site] hosts must be" },
		{ DATABASE "[site]\nhosts = a.example,,b.example\n", "[site] hosts must be" },
		{ DATABASE "[site]\ndomain_proof = maybe\n", "[site] domain_proof must be" },
		{ DATABASE "[site]\ndomain_proof =\n", "[site] domain_proof must be" },
		{ DATABASE "[pages]\nindex = all\n", "[pages] index must be none or list" },
		{ DATABASE "[pages]\nindex =\n", "[pages] index must be none or list" },
		{ DATABASE "[site]\nresolver = dns.example\n", "[site] resolver must be" },
		{ DATABASE "[site]\nresolver = 192.0.2.1:0\n", "[site] resolver must be" },
		{ DATABASE "[site]\nresolver = 192.0.2.1:70000\n", "[site] resolver must be" },
		{ DATABASE "[site]\nresolver = [::1]53\n", "[site] resolver must be" },
		{ DATABASE "[site]\nresolver = [::1\n", "[site] resolver must be" },
		{ DATABASE "collation = utf8mb4_bin\n", "[database] collation must be utf8mb4_" },
		{ DATABASE "collation = utf8mb4_general_ci'\n", "[database] collation must be" },
		{ DATABASE "collation =\n", "[database] collation must be" },
		{ DATABASE "[server]\nlisten = 127.0.0.1:9000\n", "[server] listen must be unix:" },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		assert_int_equal(E_INVALID, load(rows[i].text));
		if (!strstr(error.client, rows[i].wanted))
			fail_msg("%s: not in: %s", rows[i].wanted, error.client);
	}
	assert_int_equal(E_INVALID, config_load(&config, "/nonexistent", &arena, &error));
}

static void a_checker_elsewhere_needs_two_settings(void **state)
{
	(void)state;
	assert_int_equal(OK, load("[checker]\ncentre = https://status.example.org/\n"
				  "centre_key = dm_k\n"));
	assert_string_equal("https://status.example.org", config.check_centre);
	assert_string_equal("dm_k", config.check_centre_key);
}

static void a_line_with_a_nul_is_refused(void **state)
{
	(void)state;
	static const char name[] = DATABASE "name = day\0mark\n[server]\nthreads = 4\n";
	static const char comment[] = DATABASE "# \0\n";
	static const char end[] = DATABASE "\0";
	static const char later[] = DATABASE "rubbish\nname = \0\n";
	assert_int_equal(E_INVALID, load_bytes(name, sizeof(name) - 1));
	assert_non_null(strstr(error.client, ":3: the line has a NUL character"));
	assert_int_equal(E_INVALID, load_bytes(comment, sizeof(comment) - 1));
	assert_int_equal(E_INVALID, load_bytes(end, sizeof(end) - 1));
	assert_non_null(strstr(error.client, ":3: the line has a NUL character"));
	assert_int_equal(E_INVALID, load_bytes(later, sizeof(later) - 1));
	assert_non_null(strstr(error.client, ":3: not a `key"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(defaults_hold_where_nothing_is_said),
		cmocka_unit_test(the_file_that_is_shipped_is_good),
		cmocka_unit_test(values_are_taken),
		cmocka_unit_test(a_semicolon_is_part_of_a_password_and_a_comment_elsewhere),
		cmocka_unit_test(name_servers_have_many_spellings),
		cmocka_unit_test(alerts_have_an_impact_by_severity),
		cmocka_unit_test(the_console_has_a_host_and_rules_for_groups),
		cmocka_unit_test(a_mirror_needs_a_key_and_no_database),
		cmocka_unit_test(memory_is_divided_over_the_processes),
		cmocka_unit_test(a_colon_separates_as_well),
		cmocka_unit_test(a_fault_is_named_with_its_line),
		cmocka_unit_test(a_checker_elsewhere_needs_two_settings),
		cmocka_unit_test(a_line_with_a_nul_is_refused),
	};
	return RUN_WITH_ARENA(tests);
}
