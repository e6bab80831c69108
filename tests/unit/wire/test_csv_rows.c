#include "unit/lib/unit.h"

#include "base/str.h"
#include "wire/csv_rows.h"

struct seen {
	const char *text;
	int left; /* rows until `take` refuses; -1: never */
};

static enum result take(void *context, const struct csv_row *row)
{
	struct seen *seen = context;
	if (seen->left == 0)
		return E_INVALID;
	seen->left--;
	seen->text = arena_printf(&arena, "%s%zu:", seen->text, row->line);
	for (size_t i = 0; i < row->count; i++)
		seen->text = arena_printf(&arena, "%s[%s]", seen->text, row->values[i]);
	return OK;
}

/* The rows as "line:[value][value]". */
static const char *rows_of(struct str text, enum result expected, size_t expected_line)
{
	struct seen seen = { "", -1 };
	size_t line;
	assert_int_equal(expected, csv_rows_read(text, &arena, take, &seen, &line));
	if (expected != OK)
		assert_int_equal(expected_line, line);
	return seen.text;
}

static void rows_have_their_lines(void **state)
{
	(void)state;
	static const struct {
		const char *text, *rows;
	} cases[] = {
		{ "", "" },
		{ "a,b", "1:[a][b]" },
		{ "a,b\n1,2\n", "1:[a][b]2:[1][2]" },
		{ "a\r\n\r\n\r\n1\r\n2", "1:[a]4:[1]5:[2]" },
		{ "\xef\xbb\xbf"
		  "a\n1\n",
		  "1:[a]2:[1]" },
		{ "\"a\nb\",c\nd\n", "2:[a\nb][c]3:[d]" },
		{ "\"say \"\"hi\"\", x\",\n", "1:[say \"hi\", x][]" },
		{ " a , b \n", "1:[a][b]" },
	};
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		assert_string_equal(cases[i].rows, rows_of(str_from(cases[i].text), OK, 0));
}

static void wrong_text_is_refused_by_its_line(void **state)
{
	(void)state;
	rows_of(str_from("a\n\nb\"c\nd\n"), E_MALFORMED, 3);
	rows_of(str_from("a\n\"open\n\n"), E_MALFORMED, 4);
	rows_of((struct str){ "a\nb\0c\n", 6 }, E_MALFORMED, 3);
	rows_of(str_from("a\n\"b\"c\n"), E_MALFORMED, 2);
}

static void a_refusal_ends_the_reading(void **state)
{
	struct seen seen = { "", 2 };
	size_t line;
	(void)state;
	assert_int_equal(E_INVALID,
			 csv_rows_read(str_from("a\nb\nc\nd\n"), &arena, take, &seen, &line));
	assert_string_equal("1:[a]2:[b]", seen.text);
}

static void a_row_has_a_bounded_number_of_values(void **state)
{
	enum { VALUES = 3 * CSV_ROWS_COLUMNS_MAX };
	char text[2 * VALUES + 1];
	(void)state;
	for (size_t i = 0; i < VALUES; i++)
		memcpy(text + 2 * i, "x,", 2);
	const char *rows = rows_of((struct str){ text, 2 * VALUES }, OK, 0);
	assert_int_equal(2 + 3 * CSV_ROWS_COLUMNS_MAX, strlen(rows));
}

struct made {
	int64_t id;
	int64_t count;
	const char *who;
	int64_t who_id;
	struct instant at;
};
static const struct field who_rows[] = {
	FIELD_NAMED(struct made, who_id, "id", .flags = FIELD_ZERO_IS_NULL),
	FIELD_NAMED(struct made, who, "label"),
};
static const struct fields who_fields = { who_rows, ARRAY_LEN(who_rows) };
static const struct field made_rows[] = {
	FIELD(struct made, id),
	{ .name = "actor", .kind = FIELD_OBJECT, .members = &who_fields },
	FIELD(struct made, at),
	FIELD(struct made, count),
};
static const struct fields made_fields = { made_rows, ARRAY_LEN(made_rows) };

static void rows_are_written_by_their_fields(void **state)
{
	const struct made first = { 1, 0, "Jo \"J\", K", 7, { 1732046310 } },
			  second = { 2, 3, NULL, 0, { 0 } }, third = { 3, 0, "=1+1", 0, { 0 } },
			  fourth = { 4, 0, "\t=1+1", 0, { 0 } };
	const void *rows[] = { &first, &second, &third, &fourth };
	struct buf out CLEANUP(buf_done) = BUF_INIT(1000);
	(void)state;
	csv_put_rows(&out, &made_fields, rows, ARRAY_LEN(rows));
	assert_string_equal("id,actor.id,actor.label,at,count\r\n"
			    "1,7,\"Jo \"\"J\"\", K\",2024-11-19T19:58:30Z,0\r\n"
			    "2,,,,3\r\n"
			    "3,,'=1+1,,0\r\n"
			    "4,,\"'\t=1+1\",,0\r\n",
			    out.data);
}

static void no_rows_leave_the_names(void **state)
{
	struct buf out CLEANUP(buf_done) = BUF_INIT(1000);
	(void)state;
	csv_put_rows(&out, &who_fields, NULL, 0);
	assert_string_equal("id,label\r\n", out.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_have_their_lines),
		cmocka_unit_test(wrong_text_is_refused_by_its_line),
		cmocka_unit_test(a_refusal_ends_the_reading),
		cmocka_unit_test(a_row_has_a_bounded_number_of_values),
		cmocka_unit_test(rows_are_written_by_their_fields),
		cmocka_unit_test(no_rows_leave_the_names),
	};
	return RUN_WITH_ARENA(tests);
}
