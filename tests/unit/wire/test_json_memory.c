/*
 * Each allocation fails in turn: what is read or printed is whole, or refused as E_BUSY. The
 * replaced functions are those that json-c and strdup() of the C library call.
 */
#include "unit/lib/unit.h"

#include <errno.h>
#include <stdlib.h>

#include "wire/json.h"
#include "wire/json_items.h"
#include "wire/json_pairs.h"
#include "wire/json_read.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define OWN_MALLOC 1
#endif
#endif

static long left; /* 0: no allocation fails; 1: the next one fails */

#ifndef OWN_MALLOC
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);

static bool fails(void)
{
	if (left == 0 || --left > 0)
		return false;
	errno = ENOMEM;
	return true;
}

void *malloc(size_t size)
{
	return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	return fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
	return fails() ? NULL : __libc_realloc(old, size);
}
#endif

/*
 * An integer follows values of each kind, since json-c sets errno to 0 for an integer. Some texts
 * and names are longer than json-c's buffer of 32 bytes, and the object and a list have more
 * members than json-c makes room for at first.
 */
static const char text[] =
	"{\"name\":\"a text of more than the thirty-two bytes of a buffer\",\"n\":1,"
	"\"a name of more than the thirty-two bytes of a buffer\":null,\"l\":[\"x\",2,[],{},[3]],"
	"\"o\":{\"p\":{\"q\":\"r\"},\"s\":4.50},\"d\":12345678901234567890.5,\"t\":true,\"u\":5,"
	"\"list\":[\"a\",6,{\"b\":\"c\",\"d\":7},\"e\",null],"
	"\"many\":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,"
	"30,"
	"31,32,33,34,35],\"1\":1,\"2\":2,\"3\":3,\"4\":4,\"5\":5,\"6\":6,\"7\":7,\"8\":8,\"9\":9,"
	"\"z\":\"z\"}";

/* What came of an attempt: no memory is allocated for it. */
static char outcome[4096];
static size_t outcome_len;

static void add_outcome(struct str bytes)
{
	assert_true(bytes.len < sizeof(outcome) - outcome_len);
	if (bytes.len > 0)
		memcpy(outcome + outcome_len, bytes.data, bytes.len);
	outcome_len += bytes.len;
	outcome[outcome_len] = '\0';
}

/* Prints without a failure. */
static void add_tree(struct json_object *tree)
{
	struct buf out = BUF_INIT(4096);
	long before = left;
	left = 0;
	if (tree)
		json_print(&out, tree);
	add_outcome(tree ? (struct str){ out.data, out.len } : STR("null"));
	buf_done(&out);
	left = before;
}

static enum result read_tree(void)
{
	struct json_object *root;
	struct error error = { 0 };
	enum result result = json_read(str_from(text), &root, &error);
	if (result == OK)
		add_tree(root);
	json_free(root);
	return result;
}

static enum result take_pair(struct pair_sink *sink, const struct pair *pair, struct error *error)
{
	(void)sink;
	(void)error;
	add_outcome(pair->name);
	add_outcome((struct str){ (const char[]){ (char)('0' + pair->shape) }, 1 });
	add_outcome(pair->value);
	add_outcome(STR(";"));
	return OK;
}

static enum result read_pairs(void)
{
	struct pair_sink sink = { .take = take_pair };
	struct error error = { 0 };
	return json_decode(str_from(text), NULL, &sink, &error);
}

static void begin_list(struct json_visitor *visitor)
{
	(void)visitor;
	add_outcome(STR("["));
}

static enum result visit_item(struct json_visitor *visitor, struct json_object *item,
			      struct error *error)
{
	(void)visitor;
	(void)error;
	add_tree(item);
	add_outcome(STR("|"));
	return OK;
}

static enum result read_items(void)
{
	struct json_visitor visitor = { "list", 0, 0, begin_list, visit_item };
	struct json_object *root;
	struct error error = { 0 };
	enum result result = json_read_items(str_from(text), NULL, &visitor, &root, &error);
	if (result == OK)
		add_tree(root);
	json_free(root);
	return result;
}

static enum result build_and_print(void)
{
	static const struct field rows[] = { { .name = "number", .kind = FIELD_INT } };
	struct json_object *tree = json_object_tree(), *list = json_array_tree();
	struct buf part = BUF_INIT(100), out = BUF_INIT(4096);
	json_put(tree, "list", list);
	json_append_text(list, "a text of more than the thirty-two bytes of a buffer");
	json_append_int(list, 5);
	json_put_fields(tree, FIELDS(rows), &(int64_t){ 7 });
	json_put_bool(tree, "bool", true);
	json_put_null(tree, "null");
	buf_puts(&part, "[1,2]");
	json_put_printed(tree, "part", &part);
	json_print(&out, tree);
	enum result result = buf_ok(&out) ? OK : E_BUSY;
	if (result == OK)
		add_outcome((struct str){ out.data, out.len });
	json_free(tree);
	buf_done(&part);
	buf_done(&out);
	return result;
}

/* Has each allocation of the function fail in turn. */
static void fail_each(enum result (*function)(void), long most)
{
#ifdef OWN_MALLOC
	skip(); /* a sanitizer has its own allocator */
#endif
	char whole[sizeof(outcome)];
	long refused = 0, at = 0;
	bool is_reached = true;
	outcome_len = 0;
	assert_int_equal(OK, function());
	memcpy(whole, outcome, sizeof(whole));
	while (is_reached) {
		outcome_len = 0;
		left = ++at;
		enum result result = function();
		is_reached = left == 0;
		left = 0;
		if (result == OK)
			assert_string_equal(whole, outcome);
		else
			assert_int_equal(E_BUSY, result);
		refused += result == E_BUSY;
	}
	assert_true(refused >= most);
}

static void what_is_read_is_whole_or_refused(void **state)
{
	(void)state;
	fail_each(read_tree, 80);
	fail_each(read_pairs, 80);
	fail_each(read_items, 80);
}

static void what_is_written_is_whole_or_refused(void **state)
{
	(void)state;
	fail_each(build_and_print, 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_read_is_whole_or_refused),
		cmocka_unit_test(what_is_written_is_whole_or_refused),
	};
	return RUN(tests);
}
