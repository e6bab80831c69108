/* The same inputs as urlencoded pairs, JSON and multipart give the same values and violations. */
#include "unit/lib/unit.h"

#include "http/form.h"
#include "unit/lib/recorder.h"
#include "wire/json.h"
#include "wire/json_pairs.h"
#include "wire/limits.h"
#include "wire/multipart.h"
#include "wire/urlencoded.h"

struct sample {
	const char *name;
	const char *css;
	const char *title;
	bool noindex;
	int privacy;
	int64_t page;
	struct id_list monitor_ids;
	struct field_file *logo;
};

static const char *const privacy_choices[] = { "0", "1", "2", NULL };
#define S(member, ...) FIELD(struct sample, member, __VA_ARGS__)
static const struct field rows[] = {
	S(name, .flags = FIELD_REQUIRED | FIELD_NOT_EMPTY, .max_chars = 5),
	S(css, .flags = FIELD_EXACT, .max_bytes = 10),
	S(title, .max_chars = 5),
	S(noindex),
	S(privacy, .choices = privacy_choices),
	S(page, .min = 1, .max = 100),
	S(monitor_ids, .max = 3),
	S(logo, .max_bytes = 4),
};

static struct form form;
static struct sample sample;
static struct violations violations;
static struct field_set sent;
static struct error error;

static void form_start(void)
{
	arena_reset(&arena);
	form_init(&form, FIELDS(rows), &arena);
	violations_init(&violations, &arena);
	sample = (struct sample){ .privacy = 9, .page = 9 };
}

static void form_end(void)
{
	form_decode(&form, &sample, &sent, &violations);
}

static void urlencoded(const char *text)
{
	form_start();
	assert_int_equal(OK, urlencoded_decode(str_from(text), &form.sink, &error));
	form_end();
}

static void json(const char *text)
{
	form_start();
	assert_int_equal(OK, json_decode(str_from(text), NULL, &form.sink, &error));
	form_end();
}

static void multipart(struct str text)
{
	form_start();
	assert_int_equal(OK, multipart_decode(text, "B", &form.sink, &error));
	form_end();
}

/* "field: message" of the first violation, or "". */
static const char *first_violation(void)
{
	if (!violations.first)
		return "";
	return arena_printf(&arena, "%s: %s", violations.first->field, violations.first->message);
}

static const char *ids_text(void)
{
	const char *text = "";
	for (size_t i = 0; i < sample.monitor_ids.count; i++)
		text = arena_printf(&arena, "%s%lld,", text, (long long)sample.monitor_ids.ids[i]);
	return text;
}

static bool is_sent(size_t row)
{
	return field_set_has(sent, row);
}

static void scalars_are_trimmed_and_the_last_wins(void **state)
{
	(void)state;
	urlencoded("name=x&name=+%C2%A0y+&css=+a+&title=++&noindex=ON&privacy=2&page=7&other=1");
	assert_string_equal("", first_violation());
	assert_string_equal("y", sample.name);
	assert_string_equal(" a ", sample.css);
	assert_null(sample.title);
	assert_true(is_sent(2));
	assert_true(sample.noindex);
	assert_int_equal(2, sample.privacy);
	assert_int_equal(7, sample.page);
	assert_false(is_sent(6));
}

static void json_says_the_same(void **state)
{
	(void)state;
	json("{\"name\":\" y \",\"css\":\" a \",\"title\":null,\"noindex\":true,\"privacy\":2,"
	     "\"page\":7,\"monitor_ids\":[3,\"1\",3],\"other\":{}}");
	assert_string_equal("", first_violation());
	assert_string_equal("y", sample.name);
	assert_string_equal(" a ", sample.css);
	assert_null(sample.title);
	assert_true(sample.noindex);
	assert_int_equal(2, sample.privacy);
	assert_int_equal(7, sample.page);
	assert_string_equal("3,1,", ids_text());
}

static void violations_name_the_field(void **state)
{
	(void)state;
	static const char *const table[][2] = {
		{ "", "name: The name field is required." },
		{ "name=", "name: The name field is required." },
		{ "name=+", "name: The name field is required." },
		{ "name=123456", "name: The name field must not be greater than 5 characters." },
		{ "name=%C3%BC%C3%BC%C3%BC%C3%BC%C3%BC", "" },
		{ "name=%FF", "name: The name field must be valid UTF-8 text without NUL bytes." },
		{ "name=a%00", "name: The name field must be valid UTF-8 text without NUL bytes." },
		{ "name[]=a", "name: The name field must be a single value." },
		{ "name=a&css=12345678901",
		  "css: The css field must not be greater than 10 bytes." },
		{ "name=a&css=1234567890", "" },
		{ "name=a&noindex=", "noindex: The noindex field must be true or false." },
		{ "name=a&noindex=2", "noindex: The noindex field must be true or false." },
		{ "name=a&privacy=3",
		  "privacy: The selected privacy is invalid. It must be one of: 0, 1, 2." },
		{ "name=a&privacy=01",
		  "privacy: The selected privacy is invalid. It must be one of: 0, 1, 2." },
		{ "name=a&page=0", "page: The page field must be from 1 to 100." },
		{ "name=a&page=101", "page: The page field must be from 1 to 100." },
		{ "name=a&page=1.0", "page: The page field must be an integer." },
		{ "name=a&page=9223372036854775808", "page: The page field must be an integer." },
		{ "name=a&monitor_ids=1", "monitor_ids: The monitor ids field must be an array." },
		{ "name=a&monitor_ids[x]=1",
		  "monitor_ids: The monitor ids field must be an array." },
		{ "name=a&monitor_ids[0][x]=1",
		  "monitor_ids: The monitor ids field must be an array." },
		{ "name=a&monitor_ids[]=1&monitor_ids[]=x",
		  "monitor_ids.1: The monitor_ids.1 field must be a positive integer." },
		{ "name=a&monitor_ids[]=0",
		  "monitor_ids.0: The monitor_ids.0 field must be a positive integer." },
		{ "name=a&monitor_ids[]=1&monitor_ids[]=",
		  "monitor_ids.1: The monitor_ids.1 field must be a positive integer." },
		{ "name=a&monitor_ids[]=1&monitor_ids[]=2&monitor_ids[]=3&monitor_ids[]=4",
		  "monitor_ids: The monitor ids field must not have more than 3 items." },
		{ "name=a&logo=x", "logo: The logo field must be a file." },
		{ "name=a&logo=", "" },
	};
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		urlencoded(table[i][0]);
		assert_string_equal(table[i][1], first_violation());
	}
}

static void json_violations_name_the_field(void **state)
{
	(void)state;
	static const char *const table[][2] = {
		{ "{\"name\":1}", "name: The name field must be a string." },
		{ "{\"name\":true}", "name: The name field must be a string." },
		{ "{\"name\":null}", "name: The name field is required." },
		{ "{\"name\":{}}", "name: The name field must be a single value." },
		{ "{\"name\":[]}", "name: The name field must be a single value." },
		{ "{\"name\":[\"a\"]}", "name: The name field must be a single value." },
		{ "{\"name\":\"a\\u0000\"}",
		  "name: The name field must be valid UTF-8 text without NUL bytes." },
		{ "{\"name\":\"a\",\"noindex\":null}",
		  "noindex: The noindex field must be true or false." },
		{ "{\"name\":\"a\",\"noindex\":1}", "" },
		{ "{\"name\":\"a\",\"noindex\":2}",
		  "noindex: The noindex field must be true or false." },
		{ "{\"name\":\"a\",\"privacy\":true}",
		  "privacy: The selected privacy is invalid. It must be one of: 0, 1, 2." },
		{ "{\"name\":\"a\",\"page\":1.5}", "page: The page field must be an integer." },
		{ "{\"name\":\"a\",\"page\":1e1}", "page: The page field must be an integer." },
		{ "{\"name\":\"a\",\"monitor_ids\":\"1\"}",
		  "monitor_ids: The monitor ids field must be an array." },
		{ "{\"name\":\"a\",\"monitor_ids\":{\"a\":1}}",
		  "monitor_ids: The monitor ids field must be an array." },
		{ "{\"name\":\"a\",\"monitor_ids\":[true]}",
		  "monitor_ids.0: The monitor_ids.0 field must be a positive integer." },
		{ "{\"name\":\"a\",\"monitor_ids\":[[1]]}",
		  "monitor_ids.0: The monitor_ids.0 field must be a single value." },
		{ "{\"name\":\"a\",\"logo\":\"x\"}", "logo: The logo field must be a file." },
		{ "{\"name\":\"a\",\"logo\":null}", "" },
	};
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		json(table[i][0]);
		assert_string_equal(table[i][1], first_violation());
	}
}

static void lists_come_in_many_spellings(void **state)
{
	(void)state;
	static const char *const table[][2] = {
		{ "name=a&monitor_ids[]=2&monitor_ids[]=1", "2,1," },
		{ "name=a&monitor_ids%5B%5D=2&monitor_ids%5b%5d=1", "2,1," },
		{ "name=a&monitor_ids[0]=2&monitor_ids[1]=1", "2,1," },
		{ "name=a&monitor_ids[0]=2&monitor_ids[0]=1", "1," },
		{ "name=a&monitor_ids[5]=2&monitor_ids[]=1", "2,1," },
		{ "name=a&monitor_ids[]=2&monitor_ids[]=2&monitor_ids[]=+1", "2,1," },
		{ "name=a&monitor_ids=5&monitor_ids[]=2", "2," },
		{ "name=a&monitor_ids[]=", "" },
		{ "name=a&monitor_ids=", "" },
		{ "name=a&monitor_ids[]=1&monitor_ids=", "" },
	};
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		urlencoded(table[i][0]);
		assert_string_equal("", first_violation());
		assert_true(is_sent(6));
		assert_string_equal(table[i][1], ids_text());
	}
	json("{\"name\":\"a\",\"monitor_ids\":[]}");
	assert_true(is_sent(6));
	json("{\"name\":\"a\",\"monitor_ids\":null}");
	assert_true(is_sent(6));
	assert_string_equal("", first_violation());
}

#define PART(head, value) "--B\r\nContent-Disposition: form-data; " head "\r\n\r\n" value "\r\n"
#define NAME		  PART("name=\"name\"", "a")
#define END		  "--B--\r\n"

static void files_are_taken_whole(void **state)
{
	(void)state;
	multipart(STR(NAME PART("name=\"logo\"; filename=\"x\"", "\0\xff\r\n") END));
	assert_string_equal("", first_violation());
	assert_true(is_sent(7));
	assert_int_equal(4, sample.logo->len);
	assert_memory_equal("\0\xff\r\n", sample.logo->data, 4);
}

static void files_have_their_own_rules(void **state)
{
	(void)state;
	multipart(STR(NAME PART("name=\"logo\"; filename=\"x\"", "12345") END));
	assert_string_equal("logo: The logo field must not be greater than 0 kilobytes.",
			    first_violation());
	multipart(STR(NAME PART("name=\"logo\"; filename=\"x\"", "") END));
	assert_string_equal("", first_violation());
	assert_int_equal(0, sample.logo->len);
	/* an empty file input */
	multipart(STR(NAME PART("name=\"logo\"; filename=\"\"", "") END));
	assert_string_equal("", first_violation());
	assert_false(is_sent(7));
	assert_null(sample.logo);
	multipart(STR(PART("name=\"name\"; filename=\"x\"", "a") END));
	assert_string_equal("name: The name field must be text, not a file.", first_violation());
}

/* A required text or time that is empty would be NULL for the handler. */
static void what_is_required_is_not_empty(void **state)
{
	(void)state;
	struct needed {
		const char *domain;
		struct instant at;
	};
	static const struct field needed_rows[] = {
		FIELD(struct needed, domain, .flags = FIELD_REQUIRED),
		FIELD(struct needed, at, .flags = FIELD_REQUIRED),
	};
	static const char *const empty[] = { "", "domain=&at=", "domain=+&at=+", "domain&at" };
	for (size_t i = 0; i < ARRAY_LEN(empty); i++) {
		struct needed needed = { 0 };
		form_start();
		form_init(&form, FIELDS(needed_rows), &arena);
		assert_int_equal(OK, urlencoded_decode(str_from(empty[i]), &form.sink, &error));
		form_decode(&form, &needed, &sent, &violations);
		assert_int_equal(2, violations.count);
		assert_true(violations_has(&violations, "domain"));
		assert_true(violations_has(&violations, "at"));
	}
}

static void a_long_value_is_cut_and_refused(void **state)
{
	(void)state;
	struct buf text = BUF_INIT(1 << 20);
	buf_puts(&text, "name=");
	for (int i = 0; i < WIRE_VALUE_MAX_BYTES; i++)
		buf_putc(&text, ' ');
	buf_putc(&text, 'a');
	urlencoded(text.data);
	assert_string_not_equal("", first_violation());
	buf_done(&text);
}

static void the_method_is_read_from_the_body(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		enum result result;
		const char *method;
	} table[] = {
		{ "name=a", OK, NULL },
		{ "_method=", OK, NULL },
		{ "_method=PUT", OK, "PUT" },
		{ "_method=put", OK, "PUT" },
		{ "_method=Patch", OK, "PATCH" },
		{ "_method=+PUT", OK, "PUT" },
		{ "_method=DELETE&_method=PUT", OK, "PUT" },
		{ "_method=DELETE", E_INVALID, NULL },
		{ "_method=GET", E_INVALID, NULL },
		{ "_method=POST", E_INVALID, NULL },
		{ "_method=PUT%00", E_INVALID, NULL },
		{ "_method=PUT'--", E_INVALID, NULL },
		{ "_method[]=PUT", E_INVALID, NULL },
	};
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		const char *method;
		urlencoded(table[i].text);
		violations_init(&violations, &arena);
		assert_int_equal(table[i].result, form_method(&form, &method, &violations));
		if (table[i].method)
			assert_string_equal(table[i].method, method);
		else
			assert_null(method);
		assert_int_equal(table[i].result != OK, violations_has(&violations, "_method"));
	}
}

static struct field many_rows[FIELD_SET_MAX + 1];

static void start_form_of_too_many(void)
{
	form_init(&form, (struct fields){ many_rows, FIELD_SET_MAX + 1 }, &arena);
}

/* 64 fields and more: a place of a later word is not the same place of the first. */
static void each_field_has_its_place(void **state)
{
	(void)state;
	static const size_t places[] = { 0, 63, 64, 65, 127, 128, FIELD_SET_MAX - 1 };
	for (size_t i = 0; i < ARRAY_LEN(places); i++) {
		struct {
			const char *texts[FIELD_SET_MAX];
		} object = { { NULL } };
		form_start();
		for (size_t at = 0; at < FIELD_SET_MAX; at++)
			many_rows[at] = (struct field){ .name = arena_printf(&arena, "f%zu", at),
							.kind = FIELD_TEXT,
							.offset = at * sizeof(char *) };
		form_init(&form, (struct fields){ many_rows, FIELD_SET_MAX }, &arena);
		const struct pair pair = { .name = str_from(many_rows[places[i]].name),
					   .value = STR("x") };
		assert_int_equal(OK, form.sink.take(&form.sink, &pair, &error));
		form_decode(&form, &object, &sent, &violations);
		assert_true(field_set_equals(sent, FIELD_SET(places[i])));
		assert_string_equal("x", object.texts[places[i]]);
	}
	assert_true(dies(start_form_of_too_many));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scalars_are_trimmed_and_the_last_wins),
		cmocka_unit_test(json_says_the_same),
		cmocka_unit_test(violations_name_the_field),
		cmocka_unit_test(json_violations_name_the_field),
		cmocka_unit_test(lists_come_in_many_spellings),
		cmocka_unit_test(files_are_taken_whole),
		cmocka_unit_test(files_have_their_own_rules),
		cmocka_unit_test(what_is_required_is_not_empty),
		cmocka_unit_test(a_long_value_is_cut_and_refused),
		cmocka_unit_test(the_method_is_read_from_the_body),
		cmocka_unit_test(each_field_has_its_place),
	};
	return RUN_WITH_ARENA(tests);
}
