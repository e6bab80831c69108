/* JSON as it is written: structs, rows and trees. */
#include "unit/lib/unit.h"

#include <stdlib.h>

#include "wire/json.h"
#include "wire/json_read.h"

static struct error error;

struct sample {
	int64_t id;
	bool noindex;
	int privacy;
	const char *name;
	const char *nothing;
	struct id_list ids;
	struct instant at;
	struct instant never;
};

static void a_struct_is_written_by_its_table(void **state)
{
	(void)state;
	static const struct field rows[] = {
		FIELD(struct sample, id),      FIELD(struct sample, noindex),
		FIELD(struct sample, privacy), FIELD(struct sample, name),
		FIELD(struct sample, nothing), FIELD(struct sample, ids),
		FIELD(struct sample, at),      FIELD(struct sample, never),
	};
	int64_t ids[] = { 3, INT64_MAX };
	struct sample sample = {
		INT64_MAX,  true,	    2,	  "a\"/<\x01\xf0\x9f\x9a\xa8", NULL,
		{ ids, 2 }, { 1795204710 }, { 0 }
	};
	struct json_object *tree = json_object_tree();
	struct buf out = BUF_INIT(1000);
	json_put_fields(tree, FIELDS(rows), &sample);
	json_print(&out, tree);
	assert_string_equal("{\"id\":9223372036854775807,\"noindex\":true,\"privacy\":2,"
			    "\"name\":\"a\\\"/<\\u0001\xf0\x9f\x9a\xa8\",\"nothing\":null,"
			    "\"ids\":[3,9223372036854775807],\"at\":\"2026-11-20T19:58:30Z\","
			    "\"never\":null}",
			    out.data);
	json_free(tree);
	buf_done(&out);
}

struct printed_row {
	int64_t number;
	bool flag;
	int choice;
	const char *text;
	const char *none;
	struct id_list ids;
	struct instant at;
	struct instant never;
};
#define PRINTED(member) FIELD(struct printed_row, member)
static const struct field printed_inner[] = { PRINTED(text), PRINTED(number) };
static const struct fields printed_inner_fields = { printed_inner, ARRAY_LEN(printed_inner) };
static const struct field printed_rows[] = {
	PRINTED(number),
	PRINTED(flag),
	PRINTED(choice),
	PRINTED(text),
	PRINTED(none),
	PRINTED(ids),
	PRINTED(at),
	PRINTED(never),
	{ .name = "inner", .kind = FIELD_OBJECT, .members = &printed_inner_fields },
};

/* Rows are printed as a tree of them would be. */
static void rows_are_printed_without_a_tree(void **state)
{
	static const int64_t numbers[] = { 0, 7, -7, INT64_MAX, INT64_MIN };
	static const char *const texts[] = {
		"",	    "plain",  "\"quoted\" \\ back",	     "\x01\x1f\b\f\n\r\t", "ends\n",
		"\nbegins", "a\"\"b", "\xc3\xa9\xf0\x9f\x98\x80\x7f"
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		const struct printed_row row = {
			.number = numbers[i % ARRAY_LEN(numbers)],
			.flag = i % 2,
			.choice = (int)i - 1,
			.text = texts[i],
			.ids = { (int64_t[]){ 3, -1, 2 }, i % 4 },
			.at = { 1795204710 },
		};
		struct buf direct = BUF_INIT(4096), by_tree = BUF_INIT(4096), small = BUF_INIT(60);
		struct json_object *tree = json_object_tree();
		json_put_fields(tree, FIELDS(printed_rows), &row);
		json_print(&by_tree, tree);
		json_print_fields(&direct, FIELDS(printed_rows), &row);
		assert_true(buf_ok(&direct));
		assert_string_equal(direct.data, by_tree.data);
		json_print_fields(&small, FIELDS(printed_rows), &row);
		assert_false(buf_ok(&small));
		json_free(tree);
		buf_done(&direct);
		buf_done(&by_tree);
		buf_done(&small);
	}
}

static void texts_are_escaped_as_json_has_it(void **state)
{
	(void)state;
	static const struct field rows[] = { PRINTED(text) };
	struct buf out = BUF_INIT(4096);
	json_print_fields(&out, FIELDS(rows),
			  &(struct printed_row){ .text = "\"\\\b\f\n\r\t\x01/\x7f\xc3\xa9" });
	assert_string_equal(out.data, "{\"text\":\"\\\"\\\\\\b\\f\\n\\r\\t\\u0001/\x7f\xc3\xa9\"}");
	buf_done(&out);
}

static void trees_are_printed_as_they_were_read(void **state)
{
	(void)state;
	static const char text[] = "{\"a\":[1,-2,1.50,18446744073709551615,true,false,null,{},[]],"
				   "\"b\\n\":{\"c\":\"\\u0000\\u001f\\\\/\\b\\f\\r\\t\x7f\"}}";
	static const char pretty[] = "{\n  \"a\": [\n    1,\n    {}\n  ],\n  \"b\": []\n}\n";
	struct json_object *root;
	struct buf out = BUF_INIT(1000);
	assert_int_equal(OK, json_read(str_from(text), &root, &error));
	json_print(&out, root);
	assert_string_equal(text, out.data);
	json_free(root);
	buf_clear(&out);
	assert_int_equal(OK, json_read(STR("{\"a\":[1,{}],\"b\":[]}"), &root, &error));
	json_print_pretty(&out, root);
	assert_string_equal(pretty, out.data);
	json_free(root);
	buf_done(&out);
}

static void printed_text_is_put_as_it_is(void **state)
{
	(void)state;
	struct json_object *tree = json_object_tree();
	struct buf list = BUF_INIT(100), small = BUF_INIT(10), out = BUF_INIT(100);
	buf_puts(&list, "[1,\"x\"]");
	json_put_printed(tree, "list", &list);
	json_print(&out, tree);
	assert_string_equal("{\"list\":[1,\"x\"]}", out.data);
	/* A tree that does not fit is not printed in part. */
	json_print(&small, tree);
	assert_false(buf_ok(&small));
	buf_printf(&list, "%100s", "");
	assert_false(buf_ok(&list));
	json_put_printed(tree, "more", &list);
	buf_clear(&out);
	json_print(&out, tree);
	assert_false(buf_ok(&out));
	json_free(tree);
	buf_done(&list);
	buf_done(&small);
	buf_done(&out);
}

static void a_tree_that_lacks_something_is_not_printed(void **state)
{
	(void)state;
	struct buf out = BUF_INIT(100);
	for (int i = 0; i < 4; i++) {
		struct json_object *tree = json_object_tree(), *array = json_array_tree();
		if (i == 0)
			json_append(array, NULL);
		if (i == 1)
			json_put(tree, "x", NULL);
		json_put(tree, "list", array);
		if (i == 2) {
			json_free(tree);
			tree = NULL;
			json_put_int(tree, "x", 1);
		}
		buf_clear(&out);
		json_print(&out, tree);
		assert_int_equal(i == 3, buf_ok(&out));
		json_free(tree);
	}
	buf_done(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_printed_without_a_tree),
		cmocka_unit_test(texts_are_escaped_as_json_has_it),
		cmocka_unit_test(trees_are_printed_as_they_were_read),
		cmocka_unit_test(printed_text_is_put_as_it_is),
		cmocka_unit_test(a_tree_that_lacks_something_is_not_printed),
		cmocka_unit_test(a_struct_is_written_by_its_table),
	};
	return RUN(tests);
}
