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
static struct buf read_in_pieces(struct str text, size_t piece)
{
	struct printing printing = { .visitor = { "alerts", 0, 0, begin, say },
				     .said = BUF_INIT(32 << 20) };
	struct json_items items;
	struct json_object *root = NULL;
	struct error error = { 0 };
	enum result result = OK;
	json_items_init(&items, &printing.visitor);
	for (size_t at = 0; at < text.len && result == OK; at += piece) {
		size_t len = text.len - at < piece ? text.len - at : piece;
		result = json_items_feed(&items, (struct str){ text.data + at, len }, &error);
	}
	if (result == OK)
		result = json_items_finish(&items, &root, &error);
	if (result == OK) {
		buf_puts(&printing.said, "=");
		json_print(&printing.said, root);
	} else {
		buf_clear(&printing.said);
		buf_puts(&printing.said, result == E_MALFORMED ? "malformed" : "too large");
	}
	json_free(root);
	json_items_done(&items);
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
		{ "{\"\\u0061lerts\":[1,2]}", "|1;2;={\"alerts\":[1,2]}" },
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
		for (size_t piece = 1; piece < 100; piece += 33) {
			struct buf said = read_in_pieces(str_from(rows[i][0]), piece);
			assert_string_equal(rows[i][1], said.data);
			buf_done(&said);
		}
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
	} rows[] = { { "{\"alerts\":[1,\"", "\",2]}", 2 }, { "{\"alerts\":[1],\"", "\":0}", 18 } };
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		for (size_t over = 0; over < 2; over++) {
			struct buf text = long_text(rows[i].head,
						    WIRE_JSON_MAX_BYTES - rows[i].around + over,
						    rows[i].tail);
			struct buf said =
				read_in_pieces((struct str){ text.data, text.len }, 16384);
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
	for (size_t i = 0; i < 2 * ARRAY_LEN(rows); i++) {
		for (size_t over = 0; over < 2; over++) {
			struct buf text = many(rows[i / 2].head, rows[i / 2].item,
					       rows[i / 2].most + over, rows[i / 2].tail);
			struct buf said = read_in_pieces((struct str){ text.data, text.len },
							 i % 2 > 0 ? 16384 : 1 << 20);
			assert_int_equal(over, strcmp(said.data, "too large") == 0);
			assert_int_equal(!over, said.data[0] == '|');
			buf_done(&text);
			buf_done(&said);
		}
	}
	struct buf text = many("{\"alerts\":[", "{}", 3 * VALUES, "]}");
	struct buf said = read_in_pieces((struct str){ text.data, text.len }, 16384);
	assert_int_equal('|', said.data[0]);
	buf_done(&text);
	buf_done(&said);
}

static void the_weight_is_of_the_heaviest_tree_and_of_all_that_is_kept(void **state)
{
	(void)state;
	enum { HEAVY = 100 * WIRE_JSON_CONTAINER_WEIGHT };
	struct printing printing = { .visitor = { "alerts", 100000, 1000, begin, say },
				     .said = BUF_INIT(1 << 20) };
	struct json_items items;
	struct error error = { 0 };
	struct buf text = many("{\"x\":1,\"alerts\":[[", "{}", 100, "]");
	json_items_init(&items, &printing.visitor);
	assert_int_equal(OK, json_items_feed(&items, str_from(text.data), &error));
	assert_in_range(json_items_weight(&items), HEAVY, HEAVY + HEAVY / 2);
	assert_int_equal(OK, json_items_feed(&items, STR(",1,[1,2,3],4"), &error));
	/* 100, 1 and 3 values */
	assert_in_range(json_items_weight(&items), HEAVY + 3 * 100000 + 104 * 1000,
			HEAVY + HEAVY / 2 + 3 * 100000 + 104 * 1000);
	size_t weight = json_items_weight(&items);
	buf_done(&text);
	text = many("],\"y\":[", "[]", 50, "");
	assert_int_equal(OK, json_items_feed(&items, str_from(text.data), &error));
	assert_in_range(json_items_weight(&items), weight + 101000, weight + 101100);
	buf_done(&text);
	text = many(",", "[]", 100, "");
	assert_int_equal(OK, json_items_feed(&items, str_from(text.data), &error));
	assert_in_range(json_items_weight(&items), weight + 101100 + HEAVY / 3,
			weight + 101100 + HEAVY);
	buf_done(&text);
	buf_done(&printing.said);
	json_items_done(&items);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_list_is_read_item_by_item),
		cmocka_unit_test(an_item_and_the_rest_are_limited),
		cmocka_unit_test(containers_and_values_are_counted_for_each_item),
		cmocka_unit_test(the_weight_is_of_the_heaviest_tree_and_of_all_that_is_kept),
	};
	return RUN(tests);
}
