#include "unit/lib/unit.h"

#include "http/router.h"

static const struct route routes[] = {
	{ .method = "GET", .pattern = "/api/things" },
	{ .method = "POST", .pattern = "/api/things" },
	{ .method = "GET", .pattern = "/api/things/{id}" },
	{ .method = "PUT", .pattern = "/api/things/{id}" },
	{ .method = "POST", .pattern = "/api/things/{id}", .flags = ROUTE_OVERRIDE },
	{ .method = "GET", .pattern = "/s/{slug}/{file}" },
	{ .method = "GET", .pattern = "/" },
};

static struct route_match match;
static const struct route *found; /* NULL: none */

static enum result find_in(const struct route *rows, size_t count, const struct request *request)
{
	match = (struct route_match){ 0 };
	found = NULL;
	for (size_t i = 0; i < count; i++)
		if (router_try(&match, &rows[i], request))
			found = &rows[i];
	return router_result(&match);
}

static enum result find(const char *method, size_t count, const char *const *segments)
{
	struct request request = { .method = method, .segment_count = count };
	for (size_t i = 0; i < count; i++)
		request.segments[i] = segments[i];
	return find_in(routes, ARRAY_LEN(routes), &request);
}

#define FIND(method, ...) \
	find(method, sizeof((const char *[]){ __VA_ARGS__ }) / sizeof(const char *), \
	     (const char *[]){ __VA_ARGS__ })

static void a_route_is_path_and_method(void **state)
{
	(void)state;
	assert_int_equal(OK, FIND("POST", "api", "things"));
	assert_ptr_equal(&routes[1], found);
	assert_int_equal(OK, FIND("PUT", "api", "things", "7"));
	assert_ptr_equal(&routes[3], found);
	assert_int_equal(7, match.id);
	assert_int_equal(OK, FIND("GET", "s", "a", "b.png"));
	assert_string_equal("a", match.params[0]);
	assert_string_equal("b.png", match.params[1]);
	assert_int_equal(OK, find("GET", 0, NULL));
	assert_ptr_equal(&routes[6], found);
	assert_int_equal(E_METHOD_NOT_ALLOWED, find("POST", 0, NULL));
	assert_string_equal("GET, HEAD", match.allow);
}

static void an_id_is_a_number_in_range(void **state)
{
	(void)state;
	assert_int_equal(OK, FIND("GET", "api", "things", "9223372036854775807"));
	static const char *const rows[] = { "0",  "-1", "01", "1.0", "x", "", "9223372036854775808",
					    " 1", "+1" };
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		assert_int_equal(E_NOT_FOUND, FIND("GET", "api", "things", rows[i]));
}

static void another_method_is_told_what_there_is(void **state)
{
	(void)state;
	assert_int_equal(E_METHOD_NOT_ALLOWED, FIND("DELETE", "api", "things"));
	assert_string_equal("GET, HEAD, POST", match.allow);
	assert_null(found);
	/* POST without _method is rejected on this path, so Allow does not list it. */
	assert_int_equal(E_METHOD_NOT_ALLOWED, FIND("TRACE", "api", "things", "7"));
	assert_string_equal("GET, HEAD, PUT", match.allow);
}

static void other_paths_are_unknown(void **state)
{
	(void)state;
	assert_int_equal(E_NOT_FOUND, FIND("GET", "api"));
	assert_int_equal(E_NOT_FOUND, FIND("GET", "api", "things", "7", "x"));
	assert_int_equal(E_NOT_FOUND, FIND("GET", "api", "", "things"));
	assert_int_equal(E_NOT_FOUND, FIND("GET", "s", "a", ""));
	assert_null(match.pattern);
}

static void find_with_three(void)
{
	static const struct route route = { .method = "GET", .pattern = "/{a}/{b}/{c}" };
	struct request request = { .method = "GET",
				   .segments = { "1", "2", "3" },
				   .segment_count = 3 };
	assert_int_equal(OK, find_in(&route, 1, &request));
}

static void find_with_many_methods(void)
{
	static const struct route many[] = {
		{ .method = "A-METHOD-OF-SOME-TWENTY-BYTES", .pattern = "/a" },
		{ .method = "ANOTHER-METHOD-OF-SOME-TWENTY-BYTES", .pattern = "/a" },
	};
	struct request request = { .method = "GET", .segments = { "a" }, .segment_count = 1 };
	assert_int_equal(E_METHOD_NOT_ALLOWED, find_in(many, ARRAY_LEN(many), &request));
}

static void a_table_that_a_match_has_no_room_for_ends_the_program(void **state)
{
	(void)state;
	assert_true(dies(find_with_three));
	assert_true(dies(find_with_many_methods));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_route_is_path_and_method),
		cmocka_unit_test(an_id_is_a_number_in_range),
		cmocka_unit_test(another_method_is_told_what_there_is),
		cmocka_unit_test(other_paths_are_unknown),
		cmocka_unit_test(a_table_that_a_match_has_no_room_for_ends_the_program),
	};
	return RUN(tests);
}
