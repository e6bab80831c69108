#include "unit/lib/unit.h"

#include "base/attr.h"
#include "base/str.h"
#include "http/fcgi_guard.h"

#define BEGIN	  "\1\1\0\1\0\10\0\0\0\1\1\0\0\0\0\0"
#define PARAMS	  "\1\4\0\1\0\3\5\0\1\1ABpadd"
#define NO_PARAMS "\1\4\0\1\0\0\0\0"
#define STDIN	  "\1\5\0\1\0\2\0\0ab"
#define NO_STDIN  "\1\5\0\1\0\0\0\0"

static enum fcgi_sight look(struct str bytes)
{
	return fcgi_look((const unsigned char *)bytes.data, bytes.len);
}

static void a_request_is_whole_once_its_input_has_ended(void **state)
{
	(void)state;
	static const struct str wholes[] = {
		STR(BEGIN PARAMS NO_PARAMS NO_STDIN),
		STR(BEGIN PARAMS PARAMS NO_PARAMS STDIN STDIN NO_STDIN),
		STR(BEGIN NO_STDIN),
	};
	for (size_t i = 0; i < ARRAY_LEN(wholes); i++) {
		struct str whole = wholes[i];
		assert_int_equal(FCGI_IS_WHOLE, look(whole));
		for (size_t len = 0; len < whole.len; len++)
			assert_int_equal(len < 8 ? FCGI_IS_NO_REQUEST : FCGI_IS_PART,
					 look((struct str){ whole.data, len }));
	}
	/* Whatever follows belongs to the next request. */
	assert_int_equal(FCGI_IS_WHOLE, look((struct str)STR(BEGIN NO_STDIN "x")));
}

static void other_bytes_are_no_request(void **state)
{
	(void)state;
	static const struct str others[] = {
		STR("GET / HTTP/1.1\r\n\r\n"),
		STR("\2\1\0\1\0\10\0\0"), /* another version */
		STR("\1\11\0\0\0\0\0\0"), /* FCGI_GET_VALUES */
		STR("\1\11\0\1\0\0\0\0"),
		STR("\1\1\0\0\0\10\0\0"), /* no request */
		STR(NO_PARAMS),		  /* without a begin */
		STR(NO_STDIN),
		STR(BEGIN "\1\11\0\0\0\0\0\0"), /* management records between the others */
		STR(BEGIN PARAMS "\1\4\0\0\0\0\0\0"),
		STR(BEGIN "\1\115\0\1\0\0\0\0"),		 /* an unknown type */
		STR(BEGIN BEGIN),				 /* two requests at once */
		STR(BEGIN PARAMS NO_PARAMS "\1\2\0\1\0\0\0\0"),	 /* FCGI_ABORT_REQUEST */
		STR(BEGIN PARAMS NO_PARAMS "\1\10\0\1\0\0\0\0"), /* FCGI_DATA */
	};
	for (size_t i = 0; i < ARRAY_LEN(others); i++)
		assert_int_equal(FCGI_IS_NO_REQUEST, look(others[i]));
}

/* Bytes that are not there are not read, whatever lengths a record claims. */
static void lengths_may_exceed_the_bytes(void **state)
{
	(void)state;
	assert_int_equal(FCGI_IS_PART, look((struct str)STR("\1\1\xff\xff\xff\xff\xff\xff")));
	assert_int_equal(FCGI_IS_PART, look((struct str)STR(BEGIN "\1\5\0\1\xff\xff\xff\0x")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_request_is_whole_once_its_input_has_ended),
		cmocka_unit_test(other_bytes_are_no_request),
		cmocka_unit_test(lengths_may_exceed_the_bytes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
