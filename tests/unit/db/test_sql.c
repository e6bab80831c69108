#include "unit/lib/unit.h"

#include "base/arena.h"
#include "db/sql.h"

static void a_statement_is_built_from_pieces(void **state)
{
	(void)state;
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT 1 WHERE a = ? "));
	sql_int(&sql, 7);
	sql_add(&sql, SQL("AND b = ? AND c = ?"));
	sql_text(&sql, NULL);
	sql_time(&sql, (struct instant){ 1795204710 });
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
	sql_int(&full, 1);
}

static void add_one_more_time(void)
{
	sql_time(&full, (struct instant){ 1795204710 });
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
		sql_int(&full, i);
	assert_int_equal(SQL_ARGS_MAX, full.count);
	assert_true(dies(add_one_more));
	assert_true(dies(add_one_more_time));
	assert_true(dies(add_too_much_text));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_statement_is_built_from_pieces),
		cmocka_unit_test(a_field_is_bound_by_its_kind),
		cmocka_unit_test(wildcards_of_a_search_are_ordinary_characters),
		cmocka_unit_test(a_statement_has_its_bounds),
	};
	return RUN_WITH_ARENA(tests);
}
