#include "unit/lib/unit.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

#include "unit/lib/recorder.h"
#include "wire/json.h"
#include "wire/json_read.h"
#include "wire/limits.h"

static struct recorder recorder;
static struct error error;

static enum result decode(const char *text)
{
	recorder_init(&recorder);
	return record_json(&recorder, str_from(text), &error);
}

static void an_object_becomes_pairs(void **state)
{
	(void)state;
	assert_int_equal(OK, decode(" {\"a\":\"\\u00fc\\n\",\"n\":12,\"d\":1.50,\"t\":true,"
				    "\"z\":null,\"l\":[1,\"2\"],\"e\":[],\"o\":{\"x\":1}} \n"));
	assert_string_equal("a=\xc3\xbc\n;n=12;d=1.50;t=true;z=;l[]=1;l[]=2;e=;o={\"x\":1};",
			    recorder_text(&recorder));
	static const enum pair_shape shapes[] = { PAIR_TEXT,	PAIR_NUMBER,	 PAIR_NUMBER,
						  PAIR_BOOLEAN, PAIR_NULL,	 PAIR_NUMBER,
						  PAIR_TEXT,	PAIR_EMPTY_LIST, PAIR_NESTED };
	for (size_t i = 0; i < ARRAY_LEN(shapes); i++)
		assert_int_equal(shapes[i], recorder.pairs[i].shape);
	recorder_done(&recorder);
}

static void what_is_no_object_is_refused(void **state)
{
	(void)state;
	static const char *const rows[] = {
		"",
		" ",
		"{",
		"{\"a\":1",
		"[]",
		"\"x\"",
		"null",
		"1",
		"{\"a\":1}x",
		"{\"a\":1}{}",
		"{'a':1}",
		"{a:1}",
		"{\"a\":1,}",
		"{\"a\":01}",
		"{\"a\":NaN}",
		"// x\n{}",
		"{\"a\":[[[[[[[[[1]]]]]]]]]}",
		/* a byte order mark, raw control characters */
		"\xef\xbb\xbf{}",
		"{\"a\":\"\n\"}",
		"{\"a\":\"x\ty\"}",
		"{\"\x1f\":1}",
		"{\"a\":\"\\\x01\"}",
		"{\"a\"\v:1}",
		/* unpaired surrogates */
		"{\"a\":\"\\ud800\"}",
		"{\"a\":\"\\udc00\"}",
		"{\"a\":\"\\uDBFFx\"}",
		"{\"a\":\"\\ud800\\n\"}",
		"{\"a\":\"\\ud800\\u0041\"}",
		"{\"\\udfff\":1}",
		"{\"a\":\"\\ud800\\ud800\\udc00\"}",
		"{\"a\":\"\\udc00\\ud800\"}",
		/* invalid escapes and numbers, a name with a NUL */
		"{\"a\":\"\\u12g4\"}",
		"{\"a\":\"\\x41\"}",
		"{\"a\\u0000b\":1}",
		"{\"a\":1.}",
		"{\"a\":-01.5}",
		"{\"a\":00}",
		"{\"a\":0.e1}",
		"{\"a\":.5}",
		"{\"a\":+1}",
		"{\"a\":-}",
		"{\"a\":1e}",
		"{\"a\":TRUE}",
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (decode(rows[i]) != E_MALFORMED)
			fail_msg("taken: %s", rows[i]);
		recorder_done(&recorder);
	}
}

static void what_is_an_object_is_taken(void **state)
{
	(void)state;
	static const char *const rows[][2] = {
		{ "{\"a\":\"\\ud83d\\ude00\\uD83D\\uDE00\"}",
		  "a=\xf0\x9f\x98\x80\xf0\x9f\x98\x80;" },
		{ "{\"a\":\"\\u001f\\\"\\\\\\/\\b\"}", "a=\x1f\"\\/\b;" },
		{ "{\"a\":\"\\\\ud800 NaN 'I'\"}", "a=\\ud800 NaN 'I';" },
		{ "{\"a\":1,\"a\":2}", "a=2;" },
		{ "\r\n\t {\"a\":-0.50,\"b\":1e05,\"c\":10}", "a=-0.50;b=1e05;c=10;" },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		assert_int_equal(OK, decode(rows[i][0]));
		assert_string_equal(rows[i][1], recorder_text(&recorder));
		recorder_done(&recorder);
	}
}

static void a_value_may_be_any_bytes_for_the_form_to_judge(void **state)
{
	(void)state;
	recorder_init(&recorder);
	assert_int_equal(
		OK, record_json(&recorder, STR("{\"a\":\"\xff\",\"b\":\"x\\u0000y\"}"), &error));
	assert_true(str_eq(STR("\xff"), recorder.pairs[0].value));
	assert_true(str_eq(STR("x\0y"), recorder.pairs[1].value));
	recorder_done(&recorder);
}

static void the_size_is_limited(void **state)
{
	(void)state;
	char *body = malloc(WIRE_JSON_MAX_BYTES + 2);
	for (size_t over = 0; over < 2; over++) {
		memset(body, ' ', WIRE_JSON_MAX_BYTES + over);
		memcpy(body, "{}", 2);
		body[WIRE_JSON_MAX_BYTES + over] = '\0';
		recorder_init(&recorder);
		assert_int_equal(over ? E_TOO_LARGE : OK,
				 record_json(&recorder, str_from(body), &error));
		recorder_done(&recorder);
	}
	free(body);
}

static void the_number_of_values_is_limited(void **state)
{
	(void)state;
	for (int over = 0; over < 2; over++) {
		struct buf body = BUF_INIT(1 << 20);
		buf_puts(&body, "{\"l\":[0");
		/* The list itself counts as one value. */
		for (int i = 2; i < WIRE_JSON_PARTS_MAX + over; i++)
			buf_puts(&body, ",0");
		buf_puts(&body, "]}");
		recorder_init(&recorder);
		assert_int_equal(over ? E_MALFORMED : OK,
				 record_json(&recorder, str_from(body.data), &error));
		recorder_done(&recorder);
		buf_done(&body);
	}
}

/* Reads {"l":[ITEM,ITEM,…]}. *weight is the memory that was claimed, *bytes that of the tree. */
static enum result feed(const char *item, int count, size_t *weight, size_t *bytes)
{
	struct buf body = BUF_INIT(1 << 20);
	struct json_object *root;
	struct arena claims;
	arena_init(&claims, 1);
	buf_puts(&body, "{\"l\":[");
	for (int i = 0; i < count; i++)
		buf_printf(&body, "%s%s", i > 0 ? "," : "", item);
	buf_puts(&body, "]}");
	assert_true(buf_ok(&body));
	size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
	enum result result =
		json_read_body((struct str){ body.data, body.len }, &claims, &root, &error);
	*bytes = mallinfo2().uordblks + mallinfo2().hblkhd - before;
	*weight = claims.charged_bytes;
	json_free(root);
	arena_done(&claims);
	buf_done(&body);
	return result;
}

static void what_a_body_costs_is_known_and_limited(void **state)
{
	(void)state;
	static const struct {
		const char *item;
		int most; /* how many fit into a list; one more is too many */
	} rows[] = {
		{ "{}", WIRE_JSON_MAX_CONTAINERS - 2 },
		{ "[]", WIRE_JSON_MAX_CONTAINERS - 2 },
		{ "1", WIRE_JSON_MAX_VALUES + 1 },
		{ "\"x\"", WIRE_JSON_MAX_VALUES + 1 },
		{ "{\"a\":1,\"b\":\"x\",\"c\":null,\"d\":[]}", WIRE_JSON_MAX_CONTAINERS / 2 - 1 },
	};
	size_t weight, bytes;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		assert_int_equal(OK, feed(rows[i].item, rows[i].most, &weight, &bytes));
		if (bytes > weight)
			fail_msg("%s takes %zu bytes, not %zu", rows[i].item, bytes, weight);
		assert_int_equal(E_TOO_LARGE,
				 feed(rows[i].item, rows[i].most + 1, &weight, &bytes));
	}
	/* In a string they are ordinary characters. */
	assert_int_equal(OK, feed("\"{{{{[[[[,,,,\\\"{[,\"", 40000, &weight, &bytes));
}

static void trees_are_laid_over_each_other(void **state)
{
	(void)state;
	struct json_object *into = json_read_embedded(
		"{\"a\":{\"x\":1,\"y\":{\"z\":2}},\"b\":[1],\"c\":null,\"d\":{}}");
	struct json_object *from = json_read_embedded(
		"{\"a\":{\"y\":{\"w\":3},\"x\":4},\"b\":[],\"c\":{\"n\":null},\"d\":5,\"e\":6}");
	struct buf out = BUF_INIT(200);
	json_merge(into, from);
	json_free(from);
	json_print(&out, into);
	assert_string_equal("{\"a\":{\"x\":4,\"y\":{\"z\":2,\"w\":3}},\"b\":[],\"c\":{\"n\":null},"
			    "\"d\":5,\"e\":6}",
			    out.data);
	buf_done(&out);
	json_free(into);
	assert_null(json_read_embedded("{"));
}

static void members_of_an_object_are_of_the_same_struct(void **state)
{
	(void)state;
	struct row {
		int64_t id;
		const char *name;
	} row = { 7, "x" };
	static const struct field inner_rows[] = { FIELD(struct row, name) };
	static const struct fields inner = { inner_rows, ARRAY_LEN(inner_rows) };
	static const struct field outer_rows[] = {
		FIELD(struct row, id),
		{ .name = "of", .kind = FIELD_OBJECT, .members = &inner },
	};
	struct json_object *tree = json_object_tree();
	struct buf out = BUF_INIT(200);
	json_put_fields(tree, FIELDS(outer_rows), &row);
	json_print(&out, tree);
	assert_string_equal("{\"id\":7,\"of\":{\"name\":\"x\"}}", out.data);
	buf_done(&out);
	json_free(tree);
}

/* The text `first`, then `item` that many times, then `last`. */
static char *repeated(const char *first, const char *item, size_t count, const char *last)
{
	size_t len = strlen(item);
	char *text = malloc(strlen(first) + count * len + strlen(last) + 1);
	assert_non_null(text);
	char *end = stpcpy(text, first);
	for (size_t i = 0; i < count; i++)
		end = stpcpy(end, item);
	strcpy(end, last);
	return text;
}

static enum result read_file(char *text)
{
	struct json_object *root;
	enum result result = json_read_file(str_from(text), &root, &error);
	json_free(root);
	free(text);
	return result;
}

static void a_file_has_larger_limits(void **state)
{
	(void)state;
	const struct {
		const char *first, *item;
		size_t most;
		const char *last;
	} rows[] = {
		{ "{\"a\":\"", "x", WIRE_FILE_MAX_BYTES - strlen("{\"a\":\"\"}"), "\"}" },
		/* The object, its list, and the lists in it but for the last. */
		{ "{\"a\":[", "[],", WIRE_FILE_MAX_CONTAINERS - 3, "[]]}" },
		{ "{\"a\":[", "1,", WIRE_FILE_MAX_VALUES, "1]}" },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		for (size_t above = 0; above < 2; above++)
			assert_int_equal(above ? E_TOO_LARGE : OK,
					 read_file(repeated(rows[i].first, rows[i].item,
							    rows[i].most + above, rows[i].last)));
}

static void a_violation_in_a_file_has_its_line(void **state)
{
	(void)state;
	struct json_object *root;
	assert_int_equal(E_MALFORMED,
			 json_read_file(STR("{\n\"a\": 1,\n\"b\": tru}\n"), &root, &error));
	assert_string_equal("line 3: boolean expected.", error.client);
	assert_int_equal(E_MALFORMED, json_read_file(STR("{}\r\n\n1"), &root, &error));
	assert_string_equal("line 3: There is text after the JSON body.", error.client);
}

static void a_repeated_name_is_found_with_its_line(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		const char *name; /* NULL: none is repeated */
		size_t line;
	} rows[] = {
		{ "{}", NULL, 0 },
		{ "{\"a\": 1, \"b\": {\"a\": [\"a\", \"a\"]}}", NULL, 0 },
		{ "{\"a\": 1,\n\"b\": 2,\n\"a\": 3}", "a", 3 },
		{ "{\"a\": [{\"x\": 1},\n {\"x\": 1,\n \"x\": 2}]}", "x", 3 },
		{ "{\"a\\\"b\": 1, \"a\": {}}", NULL, 0 },
		{ "{\"a\\\"b\": 1,\n \"a\\\"b\": {}}", "a\"b", 2 },
		{ "{\"name\": 1, \"n\\u0061me\": 2}", "name", 1 },
		{ "{\"a\": \"a, a\", \"b\": \"{\", \"c\": \"a\"}", NULL, 0 },
		{ "{\"a\": [1, \"b\", \"b\"], \"b\": [[]], \"c\": {\"b\": \"b\"}}", NULL, 0 },
	};
	struct arena names CLEANUP(arena_done);
	arena_init(&names, 1 << 20);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		size_t line;
		const char *name = json_repeated_name(str_from(rows[i].text), &names, &line);
		if (!rows[i].name
			    ? name != NULL
			    : !name || strcmp(name, rows[i].name) != 0 || line != rows[i].line)
			fail_msg("row %zu: %s", i, name ? name : "none");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_repeated_name_is_found_with_its_line),
		cmocka_unit_test(a_file_has_larger_limits),
		cmocka_unit_test(a_violation_in_a_file_has_its_line),
		cmocka_unit_test(an_object_becomes_pairs),
		cmocka_unit_test(what_is_no_object_is_refused),
		cmocka_unit_test(what_is_an_object_is_taken),
		cmocka_unit_test(a_value_may_be_any_bytes_for_the_form_to_judge),
		cmocka_unit_test(the_size_is_limited),
		cmocka_unit_test(the_number_of_values_is_limited),
		cmocka_unit_test(what_a_body_costs_is_known_and_limited),
		cmocka_unit_test(trees_are_laid_over_each_other),
		cmocka_unit_test(members_of_an_object_are_of_the_same_struct),
	};
	return RUN(tests);
}
