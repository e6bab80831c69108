#include "unit/lib/unit.h"

#include <stdlib.h>

#include "wire/json.h"
#include "wire/json_items.h"
#include "wire/limits.h"

/* A visitor that prints its calls: "|" for the start of the list, then the items. */
struct printing {
	struct json_visitor visitor;
	struct buf said;
};

static void begin(struct json_visitor *visitor)
{
	buf_puts(&CONTAINER_OF(visitor, struct printing, visitor)->said, "|");
}

static enum result say(struct json_visitor *visitor, struct json_object *item, struct error *error)
{
	struct buf *said = &CONTAINER_OF(visitor, struct printing, visitor)->said;
	(void)error;
	if (item)
		json_print(said, item);
	else
		buf_puts(said, "nothing");
	buf_puts(said, ";");
	return OK;
}

/* Returns the items, then "=" and the rest; or "malformed" or "too large". The caller frees it. */
static struct buf read_items(struct str text)
{
	struct printing printing = { .visitor = { "alerts", 0, 0, begin, say },
				     .said = BUF_INIT(32 << 20) };
	struct json_object *root;
	struct error error = { 0 };
	enum result result = json_read_items(text, NULL, &printing.visitor, &root, &error);
	if (result == OK) {
		buf_puts(&printing.said, "=");
		json_print(&printing.said, root);
	} else {
		buf_clear(&printing.said);
		buf_puts(&printing.said, result == E_MALFORMED ? "malformed" : "too large");
	}
	json_free(root);
	return printing.said;
}

static void a_list_is_read_item_by_item(void **state)
{
	(void)state;
	static const char *const rows[][2] = {
		{ "{\"alerts\":[1,\"a,]\\\"\",{\"x\":[1,[2]]},[],null,true,-1.5]}",
		  "|1;\"a,]\\\"\";{\"x\":[1,[2]]};[];nothing;true;-1.5;={\"alerts\":[]}" },
		{ " { \"v\" : \"4\" , \"alerts\" : [ 1 , 2 ] , \"w\" : [ 3 ] } ",
		  "|1;2;={\"v\":\"4\",\"alerts\":[],\"w\":[3]}" },
		{ "{\"alerts\":[]}", "|={\"alerts\":[]}" },
		{ "{\"alerts\":[ \n]}", "|={\"alerts\":[]}" },
		{ "{}", "={}" },
		/* Members, values and names elsewhere are not the list. */
		{ "{\"x\":{\"alerts\":[1]},\"y\":\"alerts\",\"z\":[\"alerts\",[2]]}",
		  "={\"x\":{\"alerts\":[1]},\"y\":\"alerts\",\"z\":[\"alerts\",[2]]}" },
		{ "{\"alerts\":{\"alerts\":[1]}}", "={\"alerts\":{\"alerts\":[1]}}" },
		{ "{\"alerts\":null,\"alert\":[1]}", "={\"alerts\":null,\"alert\":[1]}" },
		{ "{\"alerts\":[1],\"alerts\":[2]}", "|1;|2;={\"alerts\":[]}" },
		{ "{\"alerts\":[1],\"alerts\":5}", "|1;={\"alerts\":5}" },
		{ "{\"\\u0061lerts\":[1,2]}", "|1;2;={\"alerts\":[]}" },
		{ "{\"alerts\\u0000\":[1]}", "malformed" },
		{ "{\"\\u0000\":1,\"alerts\":[1]}", "malformed" },
		{ "{\"x\":{\"a\\u0000\":1}}", "malformed" },
		{ "{\"x\":\"\\u0000\"}", "={\"x\":\"\\u0000\"}" },
		{ "{\"alerts\":[1]}x", "malformed" },
		{ "{\"alerts\":[1]", "malformed" },
		{ "{\"alerts\":[1", "malformed" },
		{ "{\"alerts\":[1,]}", "malformed" },
		{ "{\"alerts\":[,1]}", "malformed" },
		{ "{\"alerts\":[,]}", "malformed" },
		{ "{\"alerts\":[1 2]}", "malformed" },
		{ "{\"alerts\":[{}{}]}", "malformed" },
		{ "{\"alerts\":[}]}", "malformed" },
		{ "{\"alerts\":[{]}}", "malformed" },
		{ "{\"alerts\":[\"\n\"]}", "malformed" },
		{ "{\"alerts\":[\"\\udc00\"]}", "malformed" },
		{ "{\"alerts\" [1]}", "malformed" },
		{ "{\"alerts\":[1] 2}", "malformed" },
		{ "{\"alerts\":[[[[[[[[[1]]]]]]]]]}", "malformed" },
		{ "[1]", "malformed" },
		{ "[{\"alerts\":[1]}]", "malformed" },
		{ "", "malformed" },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct buf said = read_items(str_from(rows[i][0]));
		assert_string_equal(rows[i][1], said.data);
		buf_done(&said);
	}
}

/* {"alerts":["xx…"]} or {"xx…":[]}, with `len` bytes between the quotes. */
static struct buf long_text(const char *head, size_t len, const char *tail)
{
	struct buf text = BUF_INIT(4 * WIRE_JSON_MAX_BYTES);
	buf_puts(&text, head);
	for (size_t i = 0; i < len; i++)
		buf_putc(&text, 'x');
	buf_puts(&text, tail);
	return text;
}

static void an_item_and_the_rest_are_limited(void **state)
{
	(void)state;
	static const struct {
		const char *head, *tail;
		size_t around; /* bytes that count, in addition to those between the quotes */
	} rows[] = { { "{\"alerts\":[1,\"", "\",2]}", 2 }, { "{\"alerts\":[1],\"", "\":0}", 17 } };
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		for (size_t over = 0; over < 2; over++) {
			struct buf text = long_text(rows[i].head,
						    WIRE_JSON_MAX_BYTES - rows[i].around + over,
						    rows[i].tail);
			struct buf said = read_items((struct str){ text.data, text.len });
			assert_int_equal(over, strcmp(said.data, "too large") == 0);
			assert_int_equal(!over, said.data[0] == '|');
			buf_done(&text);
			buf_done(&said);
		}
	}
}

/* A list with `count` times the item, either inside an item or as the list itself. */
static struct buf many(const char *head, const char *item, size_t count, const char *tail)
{
	struct buf text = BUF_INIT(1 << 20);
	buf_puts(&text, head);
	for (size_t i = 0; i < count; i++)
		buf_printf(&text, "%s%s", i > 0 ? "," : "", item);
	buf_puts(&text, tail);
	assert_true(buf_ok(&text));
	return text;
}

static void containers_and_values_are_counted_for_each_item(void **state)
{
	(void)state;
	enum { CONTAINERS = WIRE_JSON_MAX_CONTAINERS, VALUES = WIRE_JSON_MAX_VALUES };
	static const struct {
		const char *head, *item, *tail;
		size_t most; /* one more is too many */
	} rows[] = {
		{ "{\"alerts\":[[", "{}", "]]}", CONTAINERS - 1 },
		{ "{\"alerts\":[1,[", "[]", "],{}]}", CONTAINERS - 1 },
		{ "{\"alerts\":[1],\"x\":[", "{}", "]}", CONTAINERS - 3 },
		{ "{\"alerts\":[[", "1", "]]}", VALUES + 1 },
		{ "{\"alerts\":[1,[", "1", "],2]}", VALUES + 1 },
		{ "{\"alerts\":[1],\"x\":[", "1", "]}", VALUES },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		for (size_t over = 0; over < 2; over++) {
			struct buf text =
				many(rows[i].head, rows[i].item, rows[i].most + over, rows[i].tail);
			struct buf said = read_items((struct str){ text.data, text.len });
			assert_int_equal(over, strcmp(said.data, "too large") == 0);
			assert_int_equal(!over, said.data[0] == '|');
			buf_done(&text);
			buf_done(&said);
		}
	}
	struct buf text = many("{\"alerts\":[", "{}", 3 * VALUES, "]}");
	struct buf said = read_items((struct str){ text.data, text.len });
	assert_int_equal('|', said.data[0]);
	buf_done(&text);
	buf_done(&said);
}

static void the_heaviest_tree_and_all_that_is_kept_are_claimed(void **state)
{
	(void)state;
	enum { HEAVY = 300 * WIRE_JSON_CONTAINER_WEIGHT };
	struct printing printing = { .visitor = { "alerts", 100000, 1000, begin, say },
				     .said = BUF_INIT(1 << 20) };
	struct json_object *root;
	struct error error = { 0 };
	struct arena claims;
	arena_init(&claims, 1);
	/* Items of 300, 3 and 1 values. */
	struct buf text = many("{\"x\":1,\"alerts\":[4,[1,2,3],[", "{}", 300, "],1],\"y\":[{}]}");
	assert_int_equal(OK, json_read_items((struct str){ text.data, text.len }, &claims,
					     &printing.visitor, &root, &error));
	/* Of the values before the heavy one 104,000 and 103,000 are kept. */
	size_t tree = 204000 + HEAVY, kept = 4 * 100000 + 305 * 1000;
	assert_in_range(claims.charged_bytes, tree > kept ? tree : kept,
			(tree > kept ? tree : kept) + HEAVY / 2);
	json_free(root);
	arena_done(&claims);
	buf_done(&text);
	buf_done(&printing.said);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_list_is_read_item_by_item),
		cmocka_unit_test(an_item_and_the_rest_are_limited),
		cmocka_unit_test(containers_and_values_are_counted_for_each_item),
		cmocka_unit_test(the_heaviest_tree_and_all_that_is_kept_are_claimed),
	};
	return RUN(tests);
}
