/* The condition "json" of checks, without a server. */
#include "unit/lib/unit.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "probe/json_path.h"

static struct check_settings settings;

/* "" if the value is as demanded, else the cause. */
static const char *judge(const char *body, const char *path, int operator, const char * value)
{
	static char text[2048];
	struct buf cause CLEANUP(buf_done) = BUF_INIT(sizeof(text) - 1);
	settings.json_path = path;
	settings.json_operator = operator;
	settings.json_value = value;
	bool holds = json_path_holds(str_from(body), &settings, &cause);
	snprintf(text, sizeof(text), "%s", cause.data ? cause.data : "");
	assert_int_equal(holds, text[0] == '\0');
	return text;
}

static void values_are_compared(void **state)
{
	static const struct {
		const char *value; /* in the response */
		enum check_operator operator;
		const char *wanted;
		const char *cause;
	} cases[] = {
		{ "\"ok\"", CHECK_EQUAL, "ok", "" },
		{ "\"ok\"", CHECK_EQUAL, "OK", "a is \"ok\", not \"OK\"" },
		{ "\"ok\"", CHECK_NOT_EQUAL, "down", "" },
		{ "\"down\"", CHECK_NOT_EQUAL, "down", "a is \"down\"" },
		{ "\"\"", CHECK_EQUAL, NULL, "" },
		{ "\"\"", CHECK_EQUAL, "x", "a is \"\", not \"x\"" },
		{ "7", CHECK_EQUAL, "7", "" },
		{ "7.0", CHECK_EQUAL, "7", "" },
		{ "7e0", CHECK_EQUAL, "7.00", "" },
		{ "\"7\"", CHECK_EQUAL, "7", "" },
		{ "9007199254740993", CHECK_EQUAL, "9007199254740993", "" },
		{ "true", CHECK_EQUAL, "true", "" },
		{ "false", CHECK_EQUAL, "true", "a is \"false\", not \"true\"" },
		{ "null", CHECK_EQUAL, "null", "" },
		{ "null", CHECK_NOT_EQUAL, "null", "a is \"null\"" },
		{ "[1, 2]", CHECK_EQUAL, "[1,2]", "" },
		{ "{\"b\": {}}", CHECK_EQUAL, "{\"b\":{}}", "" },
		{ "7", CHECK_LESS, "8", "" },
		{ "8", CHECK_LESS, "8", "a is \"8\", not below \"8\"" },
		{ "-1.5", CHECK_LESS, "-1", "" },
		{ "9", CHECK_GREATER, "8.5", "" },
		{ "10", CHECK_GREATER, "9", "" },
		{ "8", CHECK_GREATER, "8", "a is \"8\", not above \"8\"" },
		{ "\"9\"", CHECK_GREATER, "8", "" },
		{ "\"nine\"", CHECK_GREATER, "8", "a is \"nine\", not above \"8\"" },
		{ "true", CHECK_GREATER, "0", "a is \"true\", not above \"0\"" },
		{ "\"1e999\"", CHECK_GREATER, "8", "a is \"1e999\", not above \"8\"" },
		{ "\"0x10\"", CHECK_GREATER, "8", "a is \"0x10\", not above \"8\"" },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char body[256];
		snprintf(body, sizeof(body), "{\"a\": %s}", cases[i].value);
		assert_string_equal(cases[i].cause,
				    judge(body, "a", (int)cases[i].operator, cases[i].wanted));
	}
}

static void values_are_found(void **state)
{
	static const char body[] = "{\"a\": {\"b\": [{\"c\": 1}, [2, null]]}, \"x.y\": 3, \"\": 4}";
	(void)state;
	assert_string_equal("", judge(body, "a.b[0].c", CHECK_EQUAL, "1"));
	assert_string_equal("", judge(body, "$.a.b[1][0]", CHECK_EQUAL, "2"));
	assert_string_equal("", judge(body, "a.b[1][1]", CHECK_EQUAL, "null"));
	assert_string_equal("", judge("[[5]]", "[0][0]", CHECK_EQUAL, "5"));
	assert_string_equal("the response has no a.b[2]", judge(body, "a.b[2]", CHECK_EQUAL, "1"));
	assert_string_equal("the response has no a.c", judge(body, "a.c", CHECK_NOT_EQUAL, "1"));
	assert_string_equal("the response has no a.b.c", judge(body, "a.b.c", CHECK_EQUAL, "1"));
	assert_string_equal("the response has no a[0]", judge(body, "a[0]", CHECK_EQUAL, "1"));
	assert_string_equal("the response has no a.b[1][1].c",
			    judge(body, "a.b[1][1].c", CHECK_EQUAL, "1"));
	assert_string_equal("the response has no a..b", judge(body, "a..b", CHECK_EQUAL, "1"));
}

static void another_text_is_no_json(void **state)
{
	static const char *const bodies[] = {
		"",	    " ",	   "OK",	   "{",	    "{\"a\": 1} x",
		"{'a': 1}", "{\"a\": 01}", "{\"a\": NaN}", "<html>"
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(bodies); i++)
		assert_string_equal("the response is not valid JSON",
				    judge(bodies[i], "a", CHECK_EQUAL, "1"));
}

static void a_cause_shows_little_of_the_response(void **state)
{
	char body[1000] = "{\"a\": \"";
	(void)state;
	memset(body + 7, 'x', 900);
	memcpy(body + 907, "\"}", 3);
	assert_string_equal(
		"a is \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...\", "
		"not \"1\"",
		judge(body, "a", CHECK_EQUAL, "1"));
	assert_string_equal("a is \"\\u001b[31m\\u202e\", not \"1\"",
			    judge("{\"a\": \"\\u001b[31m\\u202e\"}", "a", CHECK_EQUAL, "1"));
}

/* Deep, or with many objects: neither the stack nor the memory grows with the response. */
static void a_response_is_bounded(void **state)
{
	enum { BYTES = 1 << 20 };
	char *body = malloc(BYTES + 1);
	(void)state;
	memset(body, '[', BYTES);
	body[BYTES] = '\0';
	assert_string_equal("the response is not valid JSON", judge(body, "a", CHECK_EQUAL, "1"));
	for (size_t i = 0; i < BYTES; i += 4)
		memcpy(body + i, "{}, ", 4);
	body[0] = '[';
	memcpy(body + BYTES - 4, "{} ]", 4);
	assert_string_equal("the response is not valid JSON", judge(body, "a", CHECK_EQUAL, "1"));
	free(body);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_compared),
		cmocka_unit_test(values_are_found),
		cmocka_unit_test(another_text_is_no_json),
		cmocka_unit_test(a_cause_shows_little_of_the_response),
		cmocka_unit_test(a_response_is_bounded),
	};
	return RUN(tests);
}
