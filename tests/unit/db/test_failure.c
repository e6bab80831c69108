#include "unit/lib/unit.h"

#include "db/failure.h"

static enum result result_of(unsigned number, enum failure_moment moment)
{
	return failure_result(failure_kind(number), moment);
}

static void each_number_is_told_for_each_moment(void **state)
{
	(void)state;
	static const struct {
		unsigned number;
		enum result asking, writing, in_transaction, committing;
	} rows[] = {
		{ 1062, E_CONFLICT, E_CONFLICT, E_CONFLICT, E_UNCERTAIN },
		{ 1213, E_RETRY, E_RETRY, E_RETRY, E_RETRY },
		{ 1180, E_RETRY, E_UNCERTAIN, E_RETRY, E_UNCERTAIN },
		{ 2006, E_UNAVAILABLE, E_UNAVAILABLE, E_RETRY, E_RETRY },
		{ 2013, E_UNAVAILABLE, E_UNCERTAIN, E_RETRY, E_UNCERTAIN },
		{ 1927, E_UNAVAILABLE, E_UNCERTAIN, E_RETRY, E_UNCERTAIN },
		{ 1047, E_UNAVAILABLE, E_UNCERTAIN, E_RETRY, E_UNCERTAIN },
		{ 1290, E_REFUSED, E_REFUSED, E_REFUSED, E_REFUSED },
		{ 1836, E_REFUSED, E_REFUSED, E_REFUSED, E_REFUSED },
		{ 1205, E_REFUSED, E_REFUSED, E_REFUSED, E_REFUSED },
		{ 1021, E_REFUSED, E_REFUSED, E_REFUSED, E_UNCERTAIN },
		{ 1153, E_REFUSED, E_REFUSED, E_REFUSED, E_UNCERTAIN },
		{ 1064, E_FAILED, E_FAILED, E_FAILED, E_UNCERTAIN },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		unsigned number = rows[i].number;
		assert_int_equal(rows[i].asking, result_of(number, MOMENT_ASKING));
		assert_int_equal(rows[i].writing, result_of(number, MOMENT_WRITING));
		assert_int_equal(rows[i].in_transaction, result_of(number, MOMENT_IN_TRANSACTION));
		assert_int_equal(rows[i].committing, result_of(number, MOMENT_COMMITTING));
	}
}

static void what_passes_by_itself_is_no_defect(void **state)
{
	(void)state;
	static const unsigned numbers[] = { 1,	  3,	20,   28,   1004, 1467, 1878, 1021,
					    1026, 1030, 1040, 1041, 1114, 1203, 1226, 1290,
					    1317, 1836, 1969, 3024, 1205, 1153, 2020, 1301 };
	for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
		assert_int_equal(E_REFUSED, result_of(numbers[i], MOMENT_IN_TRANSACTION));
		assert_non_null(failure_meaning(numbers[i]));
	}
	assert_null(failure_meaning(1146));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_number_is_told_for_each_moment),
		cmocka_unit_test(what_passes_by_itself_is_no_defect),
	};
	return RUN(tests);
}
