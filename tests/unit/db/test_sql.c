#include "unit/lib/unit.h"

#include "base/arena.h"
#include "db/sql.h"

static void a_statement_is_built_from_pieces(void **state)
{
	(void)state;
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT 1 WHERE a = ? "), 7);
	sql_add(&sql, SQL("AND b = ? AND c = ?"), NULL, (struct instant){ 1795204710 });
	assert_string_equal("SELECT 1 WHERE a = ? AND b = ? AND c = ?", sql.text);
	assert_int_equal(3, sql.count);
	assert_int_equal(SQL_NULL, sql.args[1].kind);
	assert_true(str_eq(STR("2026-11-20 19:58:30"), sql.args[2].bytes));
	sql_start(&sql, SQL("SELECT 2"));
	assert_int_equal(0, sql.count);
}

static void a_field_is_bound_by_its_kind(void **state)
{
	(void)state;
	struct row {
		int64_t number;
		bool truth;
		int choice;
		const char *text;
		const char *none;
		struct instant at;
	} row = { 7, true, 2, "x", NULL, { 1795204710 } };
	static const struct field fields[] = {
		FIELD(struct row, number), FIELD(struct row, truth), FIELD(struct row, choice),
		FIELD(struct row, text),   FIELD(struct row, none),  FIELD(struct row, at),
	};
	struct sql_build sql;
	sql_start(&sql, SQL("VALUES (?, ?, ?, ?, ?, ?)"));
	for (size_t i = 0; i < ARRAY_LEN(fields); i++)
		sql_field(&sql, &fields[i], &row);
	assert_int_equal(6, sql.count);
	assert_int_equal(7, sql.args[0].number);
	assert_int_equal(1, sql.args[1].number);
	assert_int_equal(2, sql.args[2].number);
	assert_true(str_eq(STR("x"), sql.args[3].bytes));
	assert_int_equal(SQL_NULL, sql.args[4].kind);
	assert_true(str_eq(STR("2026-11-20 19:58:30"), sql.args[5].bytes));
}

static void wildcards_of_a_search_are_ordinary_characters(void **state)
{
	(void)state;
	assert_string_equal("%50!% off!_!!'\\%", sql_contains(&arena, "50% off_!'\\"));
	assert_string_equal("%%", sql_contains(&arena, ""));
}

static struct sql_build full;

static void add_one_more(void)
{
	sql_add(&full, 1);
}

static void add_one_more_time(void)
{
	sql_add(&full, (struct instant){ 1795204710 });
}

static void add_too_much_text(void)
{
	for (int i = 0; i <= SQL_TEXT_MAX_BYTES / 8; i++)
		sql_add(&full, SQL("AND 1=1 "));
}

static void a_statement_has_its_bounds(void **state)
{
	(void)state;
	sql_start(&full, SQL("SELECT 1"));
	for (int i = 0; i < SQL_ARGS_MAX; i++)
		sql_add(&full, i);
	assert_int_equal(SQL_ARGS_MAX, full.count);
	assert_true(dies(add_one_more));
	assert_true(dies(add_one_more_time));
	assert_true(dies(add_too_much_text));
}

static const struct sql_rows pairs = { { "(?, ?)" }, { ", (?, ?)" }, .repeats_last = true };

/* A statement with a list of `count` numbers from 1, and an argument before and behind it. */
static void build_list(struct sql_build *sql, size_t count)
{
	int64_t numbers[SQL_ROWS_MAX];
	for (size_t i = 0; i < count; i++)
		numbers[i] = (int64_t)i + 1;
	sql_start(sql, SQL("SELECT ? FROM t WHERE id IN ("), -1);
	sql_list_ints(sql, numbers, count, &arena);
	sql_add(sql, SQL(") LIMIT ?"), (struct instant){ 1795204710 });
}

static void a_list_has_one_of_five_sizes_and_ends_with_nulls(void **state)
{
	(void)state;
	static const struct {
		size_t count, size;
	} cases[] = { { 0, 1 },	  { 1, 1 },    { 2, 8 },     { 8, 8 },	    { 9, 64 },
		      { 64, 64 }, { 65, 512 }, { 512, 512 }, { 513, 4096 }, { 4096, 4096 } };
	struct sql_build sql;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		size_t count = cases[i].count, size = cases[i].size, placeholders = 0;
		build_list(&sql, count);
		for (const char *c = sql.text; *c; c++)
			placeholders += *c == '?';
		assert_int_equal(size + 2, placeholders);
		assert_int_equal(size + 2, sql.count);
		assert_int_equal(strlen(sql.text), sql.len);
		assert_int_equal(-1, sql.args[0].number);
		for (size_t at = 1; at <= size; at++) {
			assert_int_equal(at <= count ? SQL_INT : SQL_NULL, sql.args[at].kind);
			assert_int_equal(at <= count ? at : 0, sql.args[at].number);
		}
		assert_true(str_eq(STR("2026-11-20 19:58:30"), sql.args[size + 1].bytes));
	}
	build_list(&sql, 2);
	assert_string_equal("SELECT ? FROM t WHERE id IN (?, ?, ?, ?, ?, ?, ?, ?) LIMIT ?",
			    sql.text);
}

static void rows_to_insert_are_filled_up_with_the_last(void **state)
{
	(void)state;
	struct sql_build sql;
	sql_start(&sql, SQL("INSERT INTO t (a, b) VALUES "));
	sql_rows_begin(&sql, &pairs, 2, &arena);
	for (int i = 0; i < 2; i++)
		sql_add(&sql, i, i == 0 ? "x" : "y");
	sql_rows_end(&sql);
	assert_string_equal("INSERT INTO t (a, b) VALUES (?, ?), (?, ?), (?, ?), (?, ?), (?, ?), "
			    "(?, ?), (?, ?), (?, ?)",
			    sql.text);
	assert_int_equal(16, sql.count);
	assert_true(str_eq(STR("x"), sql.args[1].bytes));
	for (size_t i = 2; i < 16; i += 2) {
		assert_int_equal(1, sql.args[i].number);
		assert_true(str_eq(STR("y"), sql.args[i + 1].bytes));
	}
}

static void a_longer_list_goes_in_chunks(void **state)
{
	(void)state;
	static const struct sql_rows wide = { { "(?, ?, ?, ?, ?, ?, ?, ?)" }, { "" }, false };
	static const struct sql_rows wider = { { "(?, ?, ?, ?, ?, ?, ?, ?, ?)" }, { "" }, false };
	assert_int_equal(0, sql_rows_chunk(&sql_list, 0));
	assert_int_equal(4096, sql_rows_chunk(&sql_list, 4096));
	assert_int_equal(4096, sql_rows_chunk(&sql_list, 4097));
	assert_int_equal(512, sql_rows_chunk(&pairs, 512));
	assert_int_equal(512, sql_rows_chunk(&pairs, 513));
	assert_int_equal(512, sql_rows_chunk(&wide, 513));
	assert_int_equal(64, sql_rows_chunk(&wider, 513));
}

static void add_a_list_too_long(void)
{
	build_list(&full, SQL_ROWS_MAX);
	sql_rows_begin(&full, &pairs, 513, &arena);
}

static void add_one_more_than_the_list(void)
{
	sql_start(&full, SQL(""));
	sql_rows_begin(&full, &sql_list, 2, &arena);
	for (int i = 0; i < 9; i++)
		sql_add(&full, i);
}

static void add_half_a_row(void)
{
	sql_start(&full, SQL(""));
	sql_rows_begin(&full, &pairs, 1, &arena);
	sql_add(&full, 1);
	sql_rows_end(&full);
}

static void insert_no_rows(void)
{
	sql_start(&full, SQL(""));
	sql_rows_begin(&full, &pairs, 0, &arena);
	sql_rows_end(&full);
}

static void a_list_that_does_not_fit_ends_the_program(void **state)
{
	(void)state;
	assert_true(dies(add_a_list_too_long));
	assert_true(dies(add_one_more_than_the_list));
	assert_true(dies(add_half_a_row));
	assert_true(dies(insert_no_rows));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_statement_is_built_from_pieces),
		cmocka_unit_test(a_field_is_bound_by_its_kind),
		cmocka_unit_test(wildcards_of_a_search_are_ordinary_characters),
		cmocka_unit_test(a_statement_has_its_bounds),
		cmocka_unit_test(a_list_has_one_of_five_sizes_and_ends_with_nulls),
		cmocka_unit_test(rows_to_insert_are_filled_up_with_the_last),
		cmocka_unit_test(a_longer_list_goes_in_chunks),
		cmocka_unit_test(a_list_that_does_not_fit_ends_the_program),
	};
	return RUN_WITH_ARENA(tests);
}
