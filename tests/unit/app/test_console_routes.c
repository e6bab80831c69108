/* tests/accept/console-routes says who may do what in the console: it has each route, once. */
#include "unit/lib/unit.h"

#include <stdio.h>
#include <string.h>

#include "app/routes.h"

enum { PATTERN_SIZE = 128 };

/* How many rows of the table the route has. */
static size_t rows_of(const struct route *route)
{
	char line[512], method[8], pattern[PATTERN_SIZE];
	size_t count = 0;
	FILE *table = fopen(TESTS_DIR "/accept/console-routes", "r");
	assert_non_null(table);
	while (fgets(line, sizeof(line), table))
		count += line[0] != '#' && sscanf(line, "%7s %127s", method, pattern) == 2 &&
			 strcmp(method, route->method) == 0 && strcmp(pattern, route->pattern) == 0;
	fclose(table);
	return count;
}

static void each_route_has_a_row_of_the_table(void **state)
{
	size_t found = 0;
	(void)state;
	for (size_t i = 0; i < app_route_count; i++) {
		const struct route *route = &app_routes[i].route;
		if (!(route->flags & ROUTE_CONSOLE))
			continue;
		found++;
		if (rows_of(route) != 1)
			fail_msg("%s %s has %zu rows in tests/accept/console-routes", route->method,
				 route->pattern, rows_of(route));
	}
	assert_true(found > 100);
}

static bool begins(const char *pattern, const char *path)
{
	return strncmp(pattern, path, strlen(path)) == 0;
}

/* What a session reaches that lacks the second factor which its account demands. */
static void only_the_own_access_needs_no_second_factor(void **state)
{
	(void)state;
	for (size_t i = 0; i < app_route_count; i++) {
		const struct route *route = &app_routes[i].route;
		bool is_own = begins(route->pattern, "/console/me") ||
			      begins(route->pattern, "/console/accounts") ||
			      begins(route->pattern, "/console/logout");
		if (route->flags & ROUTE_CONSOLE && !(route->flags & ROUTE_OPEN) &&
		    is_own != ((route->flags & ROUTE_OWN) != 0))
			fail_msg("%s %s", route->method, route->pattern);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_route_has_a_row_of_the_table),
		cmocka_unit_test(only_the_own_access_needs_no_second_factor),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
