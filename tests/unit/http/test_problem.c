#include "unit/lib/unit.h"

#include "http/problem.h"

static struct response response;

static void answer(enum result result, const struct error *error,
		   const struct violations *violations)
{
	response_done(&response);
	response_init(&response, &arena);
	problem_respond(&response, result, error, violations, "abc123");
}

static const char *header(const char *name)
{
	for (size_t i = 0; i < response.header_count; i++)
		if (strcmp(response.headers[i].name, name) == 0)
			return response.headers[i].value;
	return NULL;
}

static void each_result_has_its_status(void **state)
{
	(void)state;
	static const struct {
		enum result result;
		int status;
	} rows[] = {
		{ E_MALFORMED, 400 },
		{ E_UNAUTHENTICATED, 401 },
		{ E_FORBIDDEN, 403 },
		{ E_NOT_FOUND, 404 },
		{ E_METHOD_NOT_ALLOWED, 405 },
		{ E_CONFLICT, 409 },
		{ E_PRECONDITION_FAILED, 412 },
		{ E_TOO_LARGE, 413 },
		{ E_UNSUPPORTED, 415 },
		{ E_INVALID, 422 },
		{ E_RETRY, 503 },
		{ E_UNAVAILABLE, 503 },
		{ E_REFUSED, 503 },
		{ E_UNCERTAIN, 503 },
		{ E_FAILED, 500 },
		{ E_TOO_SLOW, 408 },
		{ E_CROWDED, 503 },
		{ E_BUSY, 503 },
	};
	struct error error = { .log = "Duplicate entry 'secret' for key 'x'" };
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		answer(rows[i].result, &error, NULL);
		assert_int_equal(rows[i].status, response.status);
		assert_int_equal(rows[i].status, problem_status(rows[i].result));
		assert_null(strstr(response.body.data, "secret"));
		assert_int_equal(rows[i].status >= 500,
				 strstr(response.body.data, "abc123") != NULL);
		assert_int_equal(rows[i].status == 503, header("Retry-After") != NULL);
	}
}

static void a_failure_may_know_better_when_to_try_again(void **state)
{
	(void)state;
	struct error error = { .retry_after_s = 1 };
	answer(E_REFUSED, &error, NULL);
	assert_string_equal("1", header("Retry-After"));
	error.retry_after_s = 0;
	answer(E_RETRY, &error, NULL);
	assert_string_equal("5", header("Retry-After"));
}

static void an_unknown_key_learns_nothing(void **state)
{
	(void)state;
	struct error error = { 0 };
	answer(E_UNAUTHENTICATED, &error, NULL);
	assert_string_equal("{\"message\":\"Unauthenticated.\",\"status\":401}\n",
			    response.body.data);
	assert_string_equal("Bearer realm=\"daymark\"", header("WWW-Authenticate"));
}

static void violations_stand_by_field(void **state)
{
	(void)state;
	struct error error = { 0 };
	struct violations violations;
	violations_init(&violations, &arena);
	violations_add(&violations, "name", "One.");
	answer(E_INVALID, &error, &violations);
	assert_string_equal("{\"message\":\"One.\",\"status\":422,\"errors\":{\"name\":[\"One.\"]},"
			    "\"codes\":{\"name\":[\"invalid\"]}}\n",
			    response.body.data);
	violations_add(&violations, "slug", "The slug has already been taken.");
	answer(E_INVALID, &error, &violations);
	assert_non_null(strstr(response.body.data, "\"One. (and 1 more error)\""));
	violations_add(&violations, "name", "The %s field is required.", "name");
	answer(E_INVALID, &error, &violations);
	assert_string_equal("{\"message\":\"One. (and 2 more errors)\",\"status\":422,"
			    "\"errors\":{\"name\":[\"One.\",\"The name field is required.\"],"
			    "\"slug\":[\"The slug has already been taken.\"]},"
			    "\"codes\":{\"name\":[\"invalid\",\"required\"],"
			    "\"slug\":[\"taken\"]}}\n",
			    response.body.data);
}

static void headers_cannot_be_split(void **state)
{
	(void)state;
	response_done(&response);
	response_init(&response, &arena);
	response_header(&response, "Location", "http://x/\r\nSet-Cookie: %s\x7f", "a");
	assert_string_equal("http://x/  Set-Cookie: a ", header("Location"));
	response_header(&response, "location", "http://y/");
	assert_int_equal(1, response.header_count);
	assert_string_equal("http://y/", response.headers[0].value);
}

static int start(void **state)
{
	(void)state;
	arena_init(&arena, 1 << 20);
	response_init(&response, &arena);
	return 0;
}

static int end(void **state)
{
	(void)state;
	response_done(&response);
	arena_done(&arena);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_result_has_its_status),
		cmocka_unit_test(a_failure_may_know_better_when_to_try_again),
		cmocka_unit_test(an_unknown_key_learns_nothing),
		cmocka_unit_test(violations_stand_by_field),
		cmocka_unit_test(headers_cannot_be_split),
	};
	return cmocka_run_group_tests(tests, start, end);
}
