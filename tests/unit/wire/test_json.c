#include "unit/lib/unit.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

#include "unit/lib/recorder.h"
#include "wire/json.h"
#include "wire/limits.h"

static struct recorder recorder;
static struct error error;

static enum result decode(const char *text)
{
	recorder_init(&recorder);
	return record_json(&recorder, str_from(text), 3, &error);
}

static void an_object_becomes_pairs(void **state)
{
	(void)state;
	assert_int_equal(OK, decode(" {\"a\":\"\\u00fc\\n\",\"n\":12,\"d\":1.50,\"t\":true,"
				    "\"z\":null,\"l\":[1,\"2\"],\"e\":[],\"o\":{\"x\":1}} \n"));
	assert_string_equal("a=\xc3\xbc\n;n=12;d=1.50;t=true;z=;l[]=1;l[]=2;e=;o={\"x\":1};",
			    recorder_text(&recorder));
	static const enum pair_shape shapes[] = { PAIR_TEXT, PAIR_NUMBER, PAIR_NUMBER,
						  PAIR_BOOLEAN, PAIR_NULL, PAIR_NUMBER,
						  PAIR_TEXT, PAIR_EMPTY_LIST, PAIR_NESTED };
	for (size_t i = 0; i < ARRAY_LEN(shapes); i++)
		assert_int_equal(shapes[i], recorder.pairs[i].shape);
	recorder_done(&recorder);
}

static void what_is_no_object_is_refused(void **state)
{
	(void)state;
	static const char *const rows[] = {
		"", " ", "{", "{\"a\":1", "[]", "\"x\"", "null", "1", "{\"a\":1}x", "{\"a\":1}{}",
		"{'a':1}", "{a:1}", "{\"a\":1,}", "{\"a\":01}", "{\"a\":NaN}", "// x\n{}",
		"{\"a\":[[[[[[[[[1]]]]]]]]]}",
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (decode(rows[i]) != E_MALFORMED)
			fail_msg("taken: %s", rows[i]);
		recorder_done(&recorder);
	}
}

static void a_value_may_be_any_bytes_for_the_form_to_judge(void **state)
{
	(void)state;
	recorder_init(&recorder);
	assert_int_equal(OK, record_json(&recorder, STR("{\"a\":\"\xff\",\"b\":\"x\\u0000y\"}"), 1,
					 &error));
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
				 record_json(&recorder, str_from(body), 0, &error));
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
		/* The list itself counts as one. */
		for (int i = 2; i < WIRE_PARTS_MAX + over; i++)
			buf_puts(&body, ",0");
		buf_puts(&body, "]}");
		recorder_init(&recorder);
		assert_int_equal(over ? E_MALFORMED : OK,
				 record_json(&recorder, str_from(body.data), 0, &error));
		recorder_done(&recorder);
		buf_done(&body);
	}
}

/* Feeds {"l":[ITEM,ITEM,…]}. What the tree takes of memory is in *bytes. */
static enum result feed(const char *item, int count, size_t *weight, size_t *bytes)
{
	struct json_decoder decoder;
	struct buf body = BUF_INIT(1 << 20);
	buf_puts(&body, "{\"l\":[");
	for (int i = 0; i < count; i++)
		buf_printf(&body, "%s%s", i > 0 ? "," : "", item);
	buf_puts(&body, "]}");
	assert_true(buf_ok(&body));
	json_decoder_init(&decoder, NULL);
	size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
	enum result result = json_decoder_feed(&decoder, str_from(body.data), &error);
	*bytes = mallinfo2().uordblks + mallinfo2().hblkhd - before;
	*weight = json_decoder_weight(&decoder);
	json_decoder_done(&decoder);
	buf_done(&body);
	return result;
}

static void what_a_body_costs_is_known_and_limited(void **state)
{
	(void)state;
	static const struct {
		const char *item;
		int most; /* of it in a list, and one more is too many */
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
		assert_int_equal(E_TOO_LARGE, feed(rows[i].item, rows[i].most + 1, &weight, &bytes));
	}
	/* In a text they are characters. */
	assert_int_equal(OK, feed("\"{{{{[[[[,,,,\\\"{[,\"", 40000, &weight, &bytes));
}

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
	struct sample sample = { INT64_MAX, true, 2, "a\"/<\x01\xf0\x9f\x9a\xa8", NULL,
				 { ids, 2 }, { 1795204710 }, { 0 } };
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_object_becomes_pairs),
		cmocka_unit_test(what_is_no_object_is_refused),
		cmocka_unit_test(a_value_may_be_any_bytes_for_the_form_to_judge),
		cmocka_unit_test(the_size_is_limited),
		cmocka_unit_test(the_number_of_values_is_limited),
		cmocka_unit_test(what_a_body_costs_is_known_and_limited),
		cmocka_unit_test(a_struct_is_written_by_its_table),
	};
	return RUN(tests);
}
