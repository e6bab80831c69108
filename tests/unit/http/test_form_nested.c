/* Rows of rows and objects: the same fields as pairs, multipart and JSON give the same values and
 * violations. */
#include "unit/lib/unit.h"

#include "base/violation_code.h"
#include "http/form.h"
#include "unit/lib/recorder.h"
#include "wire/fingerprint.h"
#include "wire/json.h"
#include "wire/json_pairs.h"
#include "wire/limits.h"
#include "wire/multipart.h"
#include "wire/urlencoded.h"

struct header {
	const char *key;
	const char *value;
	struct id_list ids;
};

struct target {
	const char *email;
	int64_t port;
};

struct sample {
	const char *name;
	struct field_rows headers;
	struct target target;
};

#define H(member, ...) FIELD(struct header, member, __VA_ARGS__)
#define T(member, ...) FIELD(struct target, member, __VA_ARGS__)
#define S(member, ...) FIELD(struct sample, member, __VA_ARGS__)
static const struct field header_rows[] = {
	H(key, .flags = FIELD_REQUIRED | FIELD_NOT_EMPTY, .max_chars = 3),
	H(value, .max_bytes = 5),
	H(ids, .max = 2),
};
static const struct fields header_fields = FIELDS(header_rows);
static const struct field target_rows[] = {
	T(email, .max_chars = 5),
	T(port, .min = 1, .max = 100, .flags = FIELD_ZERO_IS_NULL),
};
static const struct fields target_fields = FIELDS(target_rows);
static const struct field rows[] = {
	S(name, .max_chars = 3),
	S(headers, FIELD_MEMBERS(struct header, &header_fields), .max = 3),
	S(target, FIELD_MEMBERS(struct target, &target_fields)),
};

static struct form form;
static struct sample sample;
static struct violations violations;
static struct field_set sent;
static struct error error;
static struct recorder recorder;

static void form_start(struct fields fields)
{
	form_init(&form, fields, &arena);
	violations_init(&violations, &arena);
	sample = (struct sample){ 0 };
}

static enum result feed_pairs(const char *text, struct pair_sink *sink)
{
	return urlencoded_decode(str_from(text), sink, &error);
}

static enum result feed_json(const char *text, struct pair_sink *sink)
{
	return json_decode(str_from(text), NULL, sink, &error);
}

/* Sends the pairs as parts. */
static enum result feed_parts(const char *text, struct pair_sink *sink)
{
	struct buf body CLEANUP(buf_done) = BUF_INIT(1 << 20);
	recorder_init(&recorder);
	assert_int_equal(OK, record_urlencoded(&recorder, str_from(text), &error));
	for (size_t i = 0; i < recorder.count; i++) {
		const struct pair *pair = &recorder.pairs[i];
		buf_printf(&body,
			   "--B\r\nContent-Disposition: form-data; name=\"%.*s\"\r\n\r\n%.*s\r\n",
			   (int)pair->name.len, pair->name.data, (int)pair->value.len,
			   pair->value.data ? pair->value.data : "");
	}
	buf_puts(&body, "--B--\r\n");
	recorder_done(&recorder);
	return multipart_decode((struct str){ body.data, body.len }, "B", sink, &error);
}

/* The violations with their codes, or the sent fields as JSON with ' for ". */
static const char *outcome(void)
{
	const char *text = "";
	form_decode(&form, &sample, &sent, &violations);
	for (const struct violation *one = violations.first; one; one = one->next)
		text = arena_printf(&arena, "%s%s: %s %s\n", text, one->field,
				    violation_code(one->message), one->message);
	if (*text)
		return text;
	struct buf out CLEANUP(buf_done) = BUF_INIT(1 << 20);
	struct buf tree CLEANUP(buf_done) = BUF_INIT(1 << 20);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (field_set_has(sent, i))
			json_print_fields(&out, (struct fields){ &rows[i], 1 }, &sample);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct json_object *object = json_object_tree();
		json_put_fields(object, (struct fields){ &rows[i], 1 }, &sample);
		if (field_set_has(sent, i))
			json_print(&tree, object);
		json_free(object);
	}
	/* A tree has the same rows and objects. */
	assert_int_equal(out.len, tree.len);
	assert_true(out.len == 0 || memcmp(out.data, tree.data, out.len) == 0);
	char *result = arena_strndup(&arena, out.data, out.len);
	for (char *c = result; *c; c++)
		if (*c == '"')
			*c = '\'';
	return result;
}

static const char *double_quotes(const char *text)
{
	char *copy = arena_strdup(&arena, text);
	for (char *c = copy; *c; c++)
		if (*c == '\'')
			*c = '"';
	return copy;
}

/* The outcome of a body; `feed` is of a kind. */
static const char *outcome_of(enum result (*feed)(const char *, struct pair_sink *),
			      const char *text)
{
	form_start(FIELDS(rows));
	assert_int_equal(OK, feed(text, &form.sink));
	return outcome();
}

struct a_case {
	const char *pairs; /* also as parts; NULL: only JSON can say it */
	const char *json;  /* with ' for "; NULL: only forms can say it */
	const char *outcome;
};

static void check(const struct a_case *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct a_case *one = &cases[i];
		arena_reset(&arena);
		if (one->pairs) {
			assert_string_equal(one->outcome, outcome_of(feed_pairs, one->pairs));
			assert_string_equal(one->outcome, outcome_of(feed_parts, one->pairs));
		}
		if (one->json)
			assert_string_equal(one->outcome,
					    outcome_of(feed_json, double_quotes(one->json)));
	}
}

#define HEADER(key, value) "{'key':'" key "','value':" value ",'ids':[]}"

static void rows_and_objects_are_read_and_written(void **state)
{
	(void)state;
	static const struct a_case cases[] = {
		{ "name=n&headers[0][key]=A&headers[0][value]=1&headers[1][key]=B",
		  "{'name':'n','headers':[{'key':'A','value':'1'},{'key':'B'}]}",
		  "{'name':'n'}{'headers':[" HEADER("A", "'1'") "," HEADER("B", "null") "]}" },
		{ "headers%5B0%5D%5Bids%5D%5B%5D=4&headers[0][ids][]=3&headers[0][key]=A",
		  "{'headers':[{'ids':[4,'3'],'key':'A'}]}",
		  "{'headers':[{'key':'A','value':null,'ids':[4,3]}]}" },
		{ "headers[0][key]=A&headers[0][ids]=", "{'headers':[{'key':'A','ids':null}]}",
		  "{'headers':[" HEADER("A", "null") "]}" },
		{ "target[email]=+a@b+&target[port]=25", "{'target':{'email':' a@b ','port':25}}",
		  "{'target':{'email':'a@b','port':25}}" },
		{ "target[port]=25", "{'target':{'port':'25'}}",
		  "{'target':{'email':null,'port':25}}" },
		/* Parts of different rows and fields may alternate. */
		{ "headers[0][key]=A&target[port]=9&headers[1][key]=B&headers[0][value]=1", NULL,
		  "{'headers':[" HEADER("A", "'1'") "," HEADER(
			  "B", "null") "]}"
				       "{'target':{'email':null,'port':9}}" },
		/* Unknown fields and members are ignored. */
		{ "name=n&other[0][key]=A&other[b]=c", "{'name':'n','other':[{'key':'A'}]}",
		  "{'name':'n'}" },
		{ "headers[0][key]=A&headers[0][x]=1&headers[0][y][z]=1&headers[0][][y]=", NULL,
		  "headers.0: type The headers.0 field must be an object.\n" },
		{ "headers[0][key]=A&headers[0][x]=1&headers[0][y][z]=1",
		  "{'headers':[{'key':'A','x':1,'y':{'z':1}}]}",
		  "{'headers':[" HEADER("A", "null") "]}" },
		{ "target[x]=1", "{'target':{'x':1}}", "{'target':{'email':null,'port':null}}" },
		{ "target[0]=1", "{'target':{'0':1}}", "{'target':{'email':null,'port':null}}" },
		{ NULL, "{'target':{}}", "{'target':{'email':null,'port':null}}" },
		{ "", "{}", "" },
	};
	check(cases, ARRAY_LEN(cases));
}

static void the_last_of_equal_names_counts(void **state)
{
	(void)state;
	static const struct a_case cases[] = {
		{ "headers[0][key]=A&headers[0][key]=B", "{'headers':[{'key':'A','key':'B'}]}",
		  "{'headers':[" HEADER("B", "null") "]}" },
		{ "target[port]=1&target[port]=2", "{'target':{'port':1},'target':{'port':2}}",
		  "{'target':{'email':null,'port':2}}" },
		{ "headers=x&headers[0][key]=A", "{'headers':'x','headers':[{'key':'A'}]}",
		  "{'headers':[" HEADER("A", "null") "]}" },
		{ "headers[0][key]=A&headers=", "{'headers':[{'key':'A'}],'headers':''}",
		  "{'headers':[]}" },
		{ "headers[0]=x&headers[0][key]=A", NULL, "{'headers':[" HEADER("A", "null") "]}" },
		{ "headers[0][key]=A&headers[0]=x", NULL,
		  "headers.0: type The headers.0 field must be an object.\n" },
		{ "target[port]=1&target=", "{'target':{'port':1},'target':''}",
		  "{'target':{'email':null,'port':null}}" },
		{ "target=x&target[port]=1", "{'target':'x','target':{'port':1}}",
		  "{'target':{'email':null,'port':1}}" },
		/* Too many rows that were taken back. */
		{ "headers[]=&headers[]=&headers[]=&headers[]=&headers=", NULL, "{'headers':[]}" },
	};
	check(cases, ARRAY_LEN(cases));
}

static void rows_are_in_the_order_of_their_index(void **state)
{
	(void)state;
	static const struct a_case cases[] = {
		{ "headers[7][key]=A", NULL, "{'headers':[" HEADER("A", "null") "]}" },
		{ "headers[9][key]=C&headers[2][key]=A&headers[5][key]=B", NULL,
		  "{'headers':[" HEADER("A", "null") "," HEADER("B", "null") "," HEADER(
			  "C", "null") "]}" },
		{ "headers[2][value]=1&headers[0][key]=A&headers[2][key]=B", NULL,
		  "{'headers':[" HEADER("A", "null") "," HEADER("B", "'1'") "]}" },
		/* The path has the place of the row, as JSON has it. */
		{ "headers[7][key]=A&headers[9][key]=long", NULL,
		  "headers.1.key: length The headers.1.key field must not be greater than 3 "
		  "characters.\n" },
		/* "[]" begins a row each time. */
		{ "headers[][key]=A&headers[][key]=B", NULL,
		  "{'headers':[" HEADER("A", "null") "," HEADER("B", "null") "]}" },
		{ "headers[5][key]=A&headers[][key]=B&headers[6][value]=1", NULL,
		  "{'headers':[" HEADER("A", "null") "," HEADER("B", "'1'") "]}" },
		{ "headers[][key]=A&headers[][value]=1", NULL,
		  "headers.1.key: required The headers.1.key field is required.\n" },
		{ "headers[9223372036854775807][key]=A&headers[][key]=B", NULL,
		  "headers: type The headers field must be an array.\n" },
	};
	check(cases, ARRAY_LEN(cases));
}

static void nothing_clears_rows_and_objects(void **state)
{
	(void)state;
	static const struct a_case cases[] = {
		{ "headers[]=&target=", "{'headers':[],'target':null}",
		  "{'headers':[]}{'target':{'email':null,'port':null}}" },
		{ "headers=+&target=+", "{'headers':null,'target':[]}",
		  "{'headers':[]}{'target':{'email':null,'port':null}}" },
		{ "headers[3]=", "{'headers':[null]}", "{'headers':[]}" },
		{ "headers[]=&headers[]=", "{'headers':[null,null]}",
		  "headers.0: type The headers.0 field must be an object.\n"
		  "headers.1: type The headers.1 field must be an object.\n" },
	};
	check(cases, ARRAY_LEN(cases));
}

static void violations_name_the_path(void **state)
{
	(void)state;
	static const struct a_case cases[] = {
		/* All at once, in the order of the tables. */
		{ "name=long&target[port]=x&headers[1][key]=&headers[1][ids][]=1&headers[1][ids][]="
		  "x&"
		  "headers[0][value]=123456&target[email]=a@b.cd",
		  "{'name':'long','target':{'port':'x','email':'a@b.cd'},'headers':"
		  "[{'value':'123456'},{'key':'','ids':[1,'x']}]}",
		  "name: length The name field must not be greater than 3 characters.\n"
		  "headers.0.key: required The headers.0.key field is required.\n"
		  "headers.0.value: length The headers.0.value field must not be greater than 5 "
		  "bytes.\n"
		  "headers.1.key: required The headers.1.key field is required.\n"
		  "headers.1.ids.1: type The headers.1.ids.1 field must be a positive integer.\n"
		  "target.email: length The target.email field must not be greater than 5 "
		  "characters.\n"
		  "target.port: type The target.port field must be an integer.\n" },
		{ "target[port]=101", "{'target':{'port':101}}",
		  "target.port: range The target.port field must be from 1 to 100.\n" },
		{ "target[email]=%FF", NULL,
		  "target.email: encoding The target.email field must be valid UTF-8 text without "
		  "NUL bytes.\n" },
		{ "headers[0][key]=A&headers[0][ids][]=1&headers[0][ids][]=2&headers[0][ids][]=3",
		  "{'headers':[{'key':'A','ids':[1,2,3]}]}",
		  "headers.0.ids: count The headers.0.ids field must not have more than 2 "
		  "items.\n" },
		{ NULL, "{'headers':[{'key':1}]}",
		  "headers.0.key: type The headers.0.key field must be a string.\n" },
		{ "headers[0][x]=1", "{'headers':[{}]}",
		  "headers.0.key: required The headers.0.key field is required.\n" },
	};
	check(cases, ARRAY_LEN(cases));
}

static void values_of_another_shape_are_refused(void **state)
{
	(void)state;
#define NO_ARRAY  "headers: type The headers field must be an array.\n"
#define NO_OBJECT "target: type The target field must be an object.\n"
#define NO_ROW	  "headers.0: type The headers.0 field must be an object.\n"
#define NO_KEY	  "headers.0.key: type The headers.0.key field must be a single value.\n"
	static const struct a_case cases[] = {
		/* a scalar for rows, an object, a row */
		{ "headers=x", "{'headers':'x'}", NO_ARRAY },
		{ NULL, "{'headers':false}", NO_ARRAY },
		{ "headers[0]=x", "{'headers':['x']}", NO_ROW },
		{ "headers[]=x", "{'headers':[5]}", NO_ROW },
		{ "headers[0]=x&headers[1][key]=long", "{'headers':[0,{'key':'long'}]}",
		  NO_ROW "headers.1.key: length The headers.1.key field must not be greater than 3 "
			 "characters.\n" },
		{ "target=x", "{'target':'x'}", NO_OBJECT },
		{ NULL, "{'target':0}", NO_OBJECT },
		/* an object for rows, and a list for an object or a row */
		{ "headers[key]=A", "{'headers':{'key':'A'}}", NO_ARRAY },
		{ "headers[x][key]=A", "{'headers':{'x':{'key':'A'}}}", NO_ARRAY },
		{ "headers[-1][key]=A", NULL, NO_ARRAY },
		{ "target[]=x", "{'target':['x']}", NO_OBJECT },
		{ NULL, "{'target':[{'email':'x'}]}", NO_OBJECT },
		{ "headers[0][]=x", "{'headers':[['x']]}", NO_ROW },
		{ NULL, "{'headers':[[]]}", NO_ROW },
		/* rows for a scalar */
		{ "name[0][key]=A", "{'name':[{'key':'A'}]}",
		  "name: type The name field must be a single value.\n" },
		{ "name[key]=A", "{'name':{'key':'A'}}",
		  "name: type The name field must be a single value.\n" },
		/* names that are deeper than the tables */
		{ "headers[0][key][]=A", "{'headers':[{'key':['A']}]}", NO_KEY },
		{ "headers[0][key][x]=A", "{'headers':[{'key':{'x':'A'}}]}", NO_KEY },
		{ "headers[0][key][0][x]=A", "{'headers':[{'key':[{'x':'A'}]}]}", NO_KEY },
		{ "headers[0][key]=A&headers[0][ids][x]=1",
		  "{'headers':[{'key':'A','ids':{'x':1}}]}",
		  "headers.0.ids: type The headers.0.ids field must be an array.\n" },
		{ "target[port][x]=A", "{'target':{'port':{'x':1}}}",
		  "target.port: type The target.port field must be a single value.\n" },
		/* names that are not closed, or go on */
		{ "headers[0=x", NULL, NO_ARRAY },
		{ "headers[0]x=x", NULL, NO_ROW },
		{ "headers[0][key=x", NULL, NO_ROW },
		{ "headers[0][key]x=x", NULL, NO_KEY },
		{ "target[=x", NULL, NO_OBJECT },
		{ "target[port]]=1", NULL,
		  "target.port: type The target.port field must be a single value.\n" },
	};
	check(cases, ARRAY_LEN(cases));
	form_start(FIELDS(rows));
	const struct pair file = { STR("headers[0]"), PAIR_FILE, STR("x"), STR("x") };
	assert_int_equal(OK, form.sink.take(&form.sink, &file, &error));
	assert_string_equal(NO_ROW, outcome());
}

/* Rows above the limit take no memory, and values are counted with their lists and objects. */
static void rows_are_bounded(void **state)
{
	(void)state;
	static const struct a_case cases[] = {
		{ "headers[][key]=A&headers[][key]=B&headers[][key]=C",
		  "{'headers':[{'key':'A'},{'key':'B'},{'key':'C'}]}",
		  "{'headers':[" HEADER("A", "null") "," HEADER("B", "null") "," HEADER(
			  "C", "null") "]}" },
		{ "headers[][key]=A&headers[][key]=B&headers[][value]=C&headers[][key]=D",
		  "{'headers':[{'key':'A'},{'key':'B'},{'value':'C'},{'key':'D'}]}",
		  "headers.2.key: required The headers.2.key field is required.\n"
		  "headers: count The headers field must not have more than 3 items.\n" },
		{ "headers[9][key]=A&headers[8][key]=B&headers[7][key]=C&headers[6][key]=D", NULL,
		  "headers: count The headers field must not have more than 3 items.\n" },
	};
	check(cases, ARRAY_LEN(cases));
	struct buf text CLEANUP(buf_done) = BUF_INIT(1 << 20);
	for (int i = 0; i < WIRE_PARTS_MAX; i++)
		buf_printf(&text, "&headers[%d][key]=%d", i % 2 ? i : WIRE_PARTS_MAX + i, i);
	form_start(FIELDS(rows));
	size_t before = arena.used_bytes;
	assert_int_equal(OK, feed_pairs(text.data, &form.sink));
	assert_in_range(arena.used_bytes - before, 1, 2048);
	/* One more value than a body may have: each row counts as one, and each member. */
	for (size_t over = 0; over < 2; over++) {
		text.len = 0;
		buf_puts(&text, "{\"headers\":[{}");
		for (size_t i = 0; i < (WIRE_JSON_PARTS_MAX - 2) / 3 + over; i++)
			buf_puts(&text, ",{\"key\":1,\"value\":2}");
		buf_puts(&text, "]}");
		form_start(FIELDS(rows));
		assert_int_equal(over > 0 ? E_MALFORMED : OK, feed_json(text.data, &form.sink));
	}
}

static const struct field unlimited[] = {
	S(headers, FIELD_MEMBERS(struct header, &header_fields)),
};
static const struct field without_members[] = { S(target) };
static const struct fields unlimited_fields = FIELDS(unlimited);
static const struct field inner_unlimited[] = {
	S(target, FIELD_MEMBERS(struct target, &unlimited_fields)),
};

static void start_unlimited(void)
{
	form_start(FIELDS(unlimited));
}

static void start_without_members(void)
{
	form_start(FIELDS(without_members));
}

static void start_inner_unlimited(void)
{
	form_start(FIELDS(inner_unlimited));
}

static void a_table_has_members_and_limits(void **state)
{
	(void)state;
	assert_true(dies(start_unlimited));
	assert_true(dies(start_without_members));
	assert_true(dies(start_inner_unlimited));
	/* An empty row above the limit does not clear the rows. */
	static const struct field one[] = {
		S(headers, FIELD_MEMBERS(struct header, &header_fields), .max = 1),
	};
	form_start(FIELDS(one));
	assert_int_equal(OK, feed_pairs("headers[]=&headers[]=", &form.sink));
	form_decode(&form, &sample, &sent, &violations);
	assert_int_equal(2, violations.count);
	assert_true(violations_has(&violations, "headers"));
}

/* A name in JSON has the names of what it is in. */
static void a_nested_name_is_bounded(void **state)
{
	(void)state;
	for (int over = 0; over < 2; over++) {
		int len = WIRE_NAME_MAX_BYTES - (int)strlen("target[]") + over;
		form_start(FIELDS(rows));
		assert_int_equal(
			over ? E_MALFORMED : OK,
			feed_json(arena_printf(&arena, "{\"target\":{\"%0*d\":1}}", len, 1),
				  &form.sink));
		form_start(FIELDS(rows));
		assert_int_equal(
			over ? E_MALFORMED : OK,
			feed_pairs(arena_printf(&arena, "target[%0*d]=1", len, 1), &form.sink));
	}
}

static void what_is_required_is_not_empty(void **state)
{
	(void)state;
	static const struct field needed[] = {
		S(headers, FIELD_MEMBERS(struct header, &header_fields), .max = 3,
		  .flags = FIELD_REQUIRED),
		S(target, FIELD_MEMBERS(struct target, &target_fields), .flags = FIELD_REQUIRED),
	};
	static const char *const empty[] = { "", "headers[]=&target=", "headers=&target=",
					     "headers[0]=&target=+" };
	for (size_t i = 0; i < ARRAY_LEN(empty); i++) {
		form_start(FIELDS(needed));
		assert_int_equal(OK, feed_pairs(empty[i], &form.sink));
		assert_string_equal("headers: required The headers field is required.\n"
				    "target: required The target field is required.\n",
				    outcome());
	}
	form_start(FIELDS(needed));
	assert_int_equal(OK, feed_json("{\"headers\":[],\"target\":null}", &form.sink));
	form_decode(&form, &sample, &sent, &violations);
	assert_int_equal(2, violations.count);
}

/* Tables may be deeper: an object of rows with an object. */
static void tables_in_tables_are_read(void **state)
{
	(void)state;
	struct middle {
		struct field_rows headers;
		struct target target;
	};
	struct outer {
		struct middle middle;
		struct field_rows middles;
	} outer = { 0 };
	static const struct field middle_rows[] = {
		FIELD(struct middle, headers, FIELD_MEMBERS(struct header, &header_fields),
		      .max = 2),
		FIELD(struct middle, target, FIELD_MEMBERS(struct target, &target_fields)),
	};
	static const struct fields middle_fields = FIELDS(middle_rows);
	static const struct field outer_rows[] = {
		FIELD(struct outer, middle, FIELD_MEMBERS(struct middle, &middle_fields)),
		FIELD(struct outer, middles, FIELD_MEMBERS(struct middle, &middle_fields),
		      .max = 2),
	};
	form_start(FIELDS(outer_rows));
	assert_int_equal(OK, feed_pairs("middle[headers][0][key]=A&middles[0][target][port]=7&"
					"middles[1][headers][1][value]=x",
					&form.sink));
	form_decode(&form, &outer, &sent, &violations);
	assert_int_equal(1, violations.count);
	assert_string_equal("middles.1.headers.0.key", violations.first->field);
	form_start(FIELDS(outer_rows));
	assert_int_equal(OK, feed_json("{\"middle\":{\"headers\":[{\"key\":\"A\"}]},"
				       "\"middles\":[{\"target\":{\"port\":7}}]}",
				       &form.sink));
	form_decode(&form, &outer, &sent, &violations);
	assert_int_equal(0, violations.count);
	const struct header *header = outer.middle.headers.rows;
	const struct middle *middle = outer.middles.rows;
	assert_string_equal("A", header->key);
	assert_int_equal(1, outer.middles.count);
	assert_int_equal(7, middle->target.port);
}

/* A repeated request is recognised by a sink in front of the form. */
static void a_fingerprint_lets_objects_through(void **state)
{
	(void)state;
	static const char *const bodies[] = { "{\"target\":{\"port\":7}}",
					      "{\"target\":{\"port\":7}}",
					      "{\"target\":{\"port\":8}}" };
	uint8_t hashes[ARRAY_LEN(bodies)][SECRET_HASH_BYTES];
	for (size_t i = 0; i < ARRAY_LEN(bodies); i++) {
		struct fingerprint fingerprint;
		form_start(FIELDS(rows));
		fingerprint_init(&fingerprint, &form.sink);
		assert_int_equal(OK, feed_json(bodies[i], &fingerprint.sink));
		fingerprint_end(&fingerprint, hashes[i]);
		form_decode(&form, &sample, &sent, &violations);
		assert_int_equal(i < 2 ? 7 : 8, sample.target.port);
	}
	assert_memory_equal(hashes[0], hashes[1], SECRET_HASH_BYTES);
	assert_memory_not_equal(hashes[0], hashes[2], SECRET_HASH_BYTES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_and_objects_are_read_and_written),
		cmocka_unit_test(the_last_of_equal_names_counts),
		cmocka_unit_test(rows_are_in_the_order_of_their_index),
		cmocka_unit_test(nothing_clears_rows_and_objects),
		cmocka_unit_test(violations_name_the_path),
		cmocka_unit_test(values_of_another_shape_are_refused),
		cmocka_unit_test(rows_are_bounded),
		cmocka_unit_test(a_table_has_members_and_limits),
		cmocka_unit_test(a_nested_name_is_bounded),
		cmocka_unit_test(what_is_required_is_not_empty),
		cmocka_unit_test(tables_in_tables_are_read),
		cmocka_unit_test(a_fingerprint_lets_objects_through),
	};
	return RUN_WITH_ARENA(tests);
}
