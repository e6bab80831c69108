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

static void wildcards_of_a_search_are_ordinary_characters(void **state)
{
	(void)state;
	assert_string_equal("%50!% off!_!!'\\%", sql_contains(&arena, "50% off_!'\\"));
	assert_string_equal("%%", sql_contains(&arena, ""));
}

static void add_ids(struct sql_build *sql, size_t count)
{
	static const int64_t ids[SQL_IDS_MAX + 1];
	sql_start(sql, SQL("SELECT ? IN "));
	sql_int(sql, 1);
	sql_ids(sql, ids, count);
}

static void lists_of_ids_have_a_few_sizes(void **state)
{
	(void)state;
	static const struct {
		size_t count, placeholders;
	} rows[] = { { 1, 8 }, { 8, 8 }, { 9, 64 }, { 64, 64 }, { 65, 512 }, { SQL_IDS_MAX, 512 } };
	struct sql_build sql;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		size_t marks = 0;
		add_ids(&sql, rows[i].count);
		for (const char *c = sql.text; *c; c++)
			marks += *c == '?';
		assert_int_equal(1 + rows[i].placeholders, marks);
		assert_int_equal(marks, sql_placeholders(&sql));
	}
	add_ids(&sql, 3);
	assert_string_equal("SELECT ? IN (?,?,?,?,?,?,?,?) ", sql.text);
}

static void add_no_ids(void)
{
	struct sql_build sql;
	add_ids(&sql, 0);
}

static void add_too_many_ids(void)
{
	struct sql_build sql;
	add_ids(&sql, SQL_IDS_MAX + 1);
}

static void a_list_of_ids_has_its_bounds(void **state)
{
	(void)state;
	assert_true(dies(add_no_ids));
	assert_true(dies(add_too_many_ids));
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
		cmocka_unit_test(wildcards_of_a_search_are_ordinary_characters),
		cmocka_unit_test(lists_of_ids_have_a_few_sizes),
		cmocka_unit_test(a_list_of_ids_has_its_bounds),
		cmocka_unit_test(a_statement_has_its_bounds),
	};
	return RUN_WITH_ARENA(tests);
}
