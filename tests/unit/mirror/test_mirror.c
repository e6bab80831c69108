#include "unit/lib/unit.h"

#include <stdio.h>
#include <string.h>

#include "mirror/mirror.h"

#define KEY "0123456789abcdef0123456789abcdef"

static struct error error;
static struct mirrors mirrors;

static enum result parse(const char *const *values)
{
	static struct config_mirror rows[MIRRORS_MAX + 2];
	struct config config = { .mirrors = rows };
	for (; values[config.mirror_count]; config.mirror_count++)
		rows[config.mirror_count] = (struct config_mirror){ values[config.mirror_count],
								    10 + (int)config.mirror_count };
	error = (struct error){ 0 };
	return mirrors_parse(&config, &arena, &mirrors, &error);
}

#define PARSE(...) parse((const char *const[]){ __VA_ARGS__, NULL })

static void the_three_kinds_are_understood(void **state)
{
	(void)state;
	assert_int_equal(OK,
			 PARSE("https://mirror.example.org/ key=" KEY " ca_file=/etc/ca.pem",
			       "s3:https://s3.eu.example.com/status/here region=eu-1 "
			       "access_key=ID  secret_key=a+/b= name=bucket ca_file=/etc/own.pem",
			       "command:/usr/bin/rsync -a ; true", "command: rsync -a x y:z"));
	assert_int_equal(4, mirrors.count);
	assert_int_equal(MIRROR_HOST, mirrors.rows[0].kind);
	assert_string_equal("mirror.example.org", mirrors.rows[0].name);
	assert_string_equal("https://mirror.example.org", mirrors.rows[0].url);
	assert_string_equal(KEY, mirrors.rows[0].key);
	assert_string_equal("/etc/ca.pem", mirrors.rows[0].ca_file);
	assert_string_equal("/etc/own.pem", mirrors.rows[1].ca_file);
	assert_int_equal(MIRROR_BUCKET, mirrors.rows[1].kind);
	assert_string_equal("bucket", mirrors.rows[1].name);
	assert_string_equal("https://s3.eu.example.com/status/here", mirrors.rows[1].url);
	assert_string_equal("eu-1", mirrors.rows[1].region);
	assert_string_equal("ID", mirrors.rows[1].access_key);
	assert_string_equal("a+/b=", mirrors.rows[1].secret_key);
	assert_int_equal(MIRROR_COMMAND, mirrors.rows[2].kind);
	assert_string_equal("rsync", mirrors.rows[2].name);
	assert_string_equal("/usr/bin/rsync -a ; true", mirrors.rows[2].command);
	assert_string_equal("rsync-2", mirrors.rows[3].name);
	assert_string_equal("rsync -a x y:z", mirrors.rows[3].command);
}

static void the_bucket_names_its_mirror(void **state)
{
	(void)state;
	assert_int_equal(OK, PARSE("s3:https://s3.example.com/status region=a access_key=b "
				   "secret_key=c"));
	assert_string_equal("status", mirrors.rows[0].name);
}

static void plain_http_is_for_loopback_only(void **state)
{
	static const char *const good[] = { "http://127.0.0.1:8000/x", "http://[::1]:8000",
					    "http://localhost", "https://[2001:db8::1]/a",
					    "https://a.example:65535" };
	static const char *const bad[] = { "http://mirror.example.org", "http://128.0.0.1",
					   "http://127.0.0.1.example.org", "http://10.0.0.1:80" };
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(good); i++)
		assert_int_equal(OK, PARSE(arena_printf(&arena, "%s key=" KEY " name=a", good[i])));
	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		assert_int_equal(E_INVALID,
				 PARSE(arena_printf(&arena, "%s key=" KEY " name=a", bad[i])));
}

static void a_wrong_line_is_named_and_no_key_is_repeated(void **state)
{
	static const struct {
		const char *value, *says;
	} cases[] = {
		{ "ftp://x", "must begin with" },
		{ "", "must begin with" },
		{ "https:// key=" KEY, "URL" },
		{ "https://a:b@example.org key=" KEY, "URL" },
		{ "https://example.org?a key=" KEY, "URL" },
		{ "https://example.org:0 key=" KEY, "URL" },
		{ "https://example.org:65536 key=" KEY, "URL" },
		{ "https://[::1 key=" KEY, "URL" },
		{ "https://example.org", "key= is missing" },
		{ "https://example.org key=SECRET-is-short", "at least 32" },
		{ "https://example.org key=" KEY " key=SECRET", "twice" },
		{ "https://example.org key=" KEY " SECRET", "NAME=VALUE" },
		{ "https://example.org kye=SECRET", "unknown" },
		{ "https://example.org key=" KEY " region=SECRET", "unknown" },
		{ "https://example.org key=" KEY " name=.x", "name must be" },
		{ "https://example.org key=" KEY " name=a/b", "name must be" },
		{ "s3:https://example.org region=a access_key=b secret_key=SECRET", "BUCKET" },
		{ "s3:https://example.org/b region=a access_key=b", "secret_key= is missing" },
		{ "s3:https://example.org/b/../c region=a access_key=b secret_key=SECRET",
		  "BUCKET" },
		{ "s3:https://example.org//b region=a access_key=b secret_key=SECRET", "BUCKET" },
		{ "s3:https://example.org/b region=a:b access_key=b secret_key=SECRET",
		  "no colon" },
		{ "command:  ", "command line" },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		assert_int_equal(E_INVALID, PARSE("command:true", cases[i].value));
		if (!strstr(error.client, cases[i].says) || !strstr(error.client, "line 11"))
			fail_msg("%s: %s", cases[i].value, error.client);
		assert_null(strstr(error.client, "SECRET"));
		assert_null(strstr(error.client, KEY));
	}
}

static void a_name_belongs_to_one_mirror(void **state)
{
	(void)state;
	assert_int_equal(E_INVALID,
			 PARSE("https://a.example/x key=" KEY, "https://a.example/y key=" KEY));
	assert_non_null(strstr(error.client, "line 11: mirror a.example"));
	assert_int_equal(OK, PARSE("https://a.example/x key=" KEY,
				   "https://a.example/y name=other key=" KEY));
	const char *values[MIRRORS_MAX + 2] = { 0 };
	for (size_t i = 0; i < MIRRORS_MAX; i++)
		values[i] = "command:true";
	assert_int_equal(OK, parse(values));
	values[MIRRORS_MAX] = "command:true";
	assert_int_equal(E_INVALID, parse(values));
	char longest[MIRROR_NAME_MAX + 2];
	memset(longest, 'a', sizeof(longest));
	longest[MIRROR_NAME_MAX] = '\0';
	static char value[200];
	snprintf(value, sizeof(value), "https://a.example key=" KEY " name=%s", longest);
	assert_int_equal(OK, PARSE(value));
	snprintf(value, sizeof(value), "https://a.example key=" KEY " name=%sa", longest);
	assert_int_equal(E_INVALID, PARSE(value));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_three_kinds_are_understood),
		cmocka_unit_test(the_bucket_names_its_mirror),
		cmocka_unit_test(plain_http_is_for_loopback_only),
		cmocka_unit_test(a_wrong_line_is_named_and_no_key_is_repeated),
		cmocka_unit_test(a_name_belongs_to_one_mirror),
	};
	return RUN_WITH_ARENA(tests);
}
