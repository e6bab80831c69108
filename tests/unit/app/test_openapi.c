/*
 * The generated OpenAPI document against the routes: every operation, its statuses, its references.
 * What openapi.json lays over the generated parts is in it, too.
 */
#include "unit/app/document.h"

#include "view/console/console_resource_html.h"

static bool has_route(const char *path, const char *method)
{
	for (size_t i = 0; i < app_route_count; i++)
		if (strcmp(app_routes[i].route.pattern, path) == 0 &&
		    strcasecmp(app_routes[i].route.method, method) == 0)
			return true;
	return false;
}

static void every_route_is_documented(void **state)
{
	(void)state;
	for (size_t i = 0; i < app_route_count; i++) {
		const struct app_route *route = &app_routes[i];
		if (!is_documented(route))
			continue;
		struct json_object *operation = operation_of(route);
		if (!operation)
			fail_msg("%s %s is not in it", route->route.method, route->route.pattern);
		assert_string_equal(route->id, text_at(operation, "operationId"));
		assert_string_equal(route->text, text_at(operation, "summary"));
		/* An operation without a key says so. */
		bool is_open = AT(operation, "security") != NULL;
		assert_int_equal((route->route.flags & ROUTE_OPEN) != 0, is_open);
	}
}

static void every_documented_operation_exists(void **state)
{
	(void)state;
	static const char *const methods[] = { "get", "put", "post", "delete", "patch", NULL };
	json_object_object_foreach(AT(document, "paths"), path, item)
	{
		for (size_t i = 0; methods[i]; i++)
			if (AT(item, methods[i]) && !has_route(path, methods[i]))
				fail_msg("%s %s is not served", methods[i], path);
	}
}

/* The statuses that the pipeline gives an operation of its kind, beside those of its own. */
static bool is_status_of_kind(const struct app_route *route, int status)
{
	bool is_open = route->route.flags & ROUTE_OPEN;
	bool is_get = strcmp(route->route.method, "GET") == 0;
	bool is_write = !is_get && !is_open;
	bool has_query = route->route.flags & ROUTE_HAS_QUERY;
	bool has_id = strstr(route->route.pattern, "{id}") != NULL;
	bool has_body = !is_get && strcmp(route->route.method, "DELETE") != 0;
	switch (status) {
	case 400:
	case 500:
		return true;
	case 401:
	case 429:
	case 503:
		return !is_open;
	case 403:
		return !is_open && route->permission > PERMISSION_READ;
	case 409:
		return is_write;
	case 404:
		return has_id;
	case 405:
		return route->fields && strcmp(route->route.method, "POST") == 0;
	case 412:
		/* A new part of a resource may name the version of that. */
		return is_write && has_id && !route->group->is_one &&
		       !(route->route.flags & ROUTE_ACCEPTS);
	case 408:
	case 413:
		return has_body;
	case 415:
		return has_body && !is_open;
	case 422:
		return (has_body && !is_open) || has_query;
	default:
		return false;
	}
}

/* What some say for themselves. */
static bool is_status_of_its_own(const struct app_route *route, int status)
{
	static const struct {
		const char *pattern;
		int status;
	} rows[] = { { "/readyz", 503 },       { "/internal/domain-check", 404 },
		     { "/hb/{token}", 404 },   { "/hb/{token}/{report}", 404 },
		     { "/hb/{token}", 429 },   { "/hb/{token}/{report}", 429 },
		     { "/hb/{token}", 503 },   { "/hb/{token}/{report}", 503 },
		     { "/hooks/bounce", 403 }, { "/hooks/bounce", 429 },
		     { "/hooks/bounce", 503 } };
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (status == rows[i].status && strcmp(route->route.pattern, rows[i].pattern) == 0)
			return true;
	return false;
}

static void every_failure_is_documented(void **state)
{
	(void)state;
	for (size_t i = 0; i < app_route_count; i++) {
		const struct app_route *route = &app_routes[i];
		if (!is_documented(route))
			continue;
		struct json_object *responses = AT(operation_of(route), "responses");
		for (int status = 400; status < 600; status++) {
			char key[8];
			snprintf(key, sizeof(key), "%d", status);
			bool is_said = AT(responses, key) != NULL;
			bool is_so = is_status_of_kind(route, status) ||
				     is_status_of_its_own(route, status);
			if (is_said != is_so)
				fail_msg("%s %s: %d is %s", route->route.method,
					 route->route.pattern, status,
					 is_said ? "said and does not come" : "not said");
			if (is_said)
				assert_non_null(AT(resolve(AT(responses, key)), "description"));
		}
	}
}

/* Calls itself for each value of the tree. */
static void check_references(struct json_object *tree)
{
	if (json_object_is_type(tree, json_type_array))
		for (size_t i = 0; i < json_object_array_length(tree); i++)
			check_references(json_object_array_get_idx(tree, i));
	if (!json_object_is_type(tree, json_type_object))
		return;
	if (text_at(tree, "$ref")) {
		assert_int_equal(1, json_object_object_length(tree));
		if (!resolve(tree))
			fail_msg("%s is nowhere", text_at(tree, "$ref"));
	}
	json_object_object_foreach(tree, key, value)
	{
		(void)key;
		check_references(value);
	}
}

static void every_reference_leads_somewhere(void **state)
{
	(void)state;
	check_references(document);
}

static const char *success_type(const struct app_route *route)
{
	const char *pattern = route->route.pattern;
	return strncmp(pattern, "/hb/", strlen("/hb/")) == 0 ? "text/plain"
	       : strstr(pattern, "/export")		     ? "text/csv"
							     : "application/json";
}

static void every_success_has_a_text_and_a_schema(void **state)
{
	(void)state;
	for (size_t i = 0; i < app_route_count; i++) {
		const struct app_route *route = &app_routes[i];
		if (!is_documented(route))
			continue;
		struct json_object *responses = AT(operation_of(route), "responses");
		struct json_object *success = AT(responses, "200");
		if (!success)
			success = AT(responses, "201");
		if (!success)
			success = AT(responses, "202");
		assert_non_null(text_at(success, "description"));
		assert_non_null(AT(success, "content", success_type(route), "schema"));
	}
}

/* Calls itself for each schema within. */
static void check_properties(const char *name, struct json_object *schema)
{
	struct json_object *all = AT(schema, "allOf");
	for (size_t i = 0; all && i < json_object_array_length(all); i++)
		check_properties(name, json_object_array_get_idx(all, i));
	if (AT(schema, "items"))
		check_properties(name, AT(schema, "items"));
	if (!AT(schema, "properties"))
		return;
	json_object_object_foreach(AT(schema, "properties"), key, property)
	{
		if (!text_at(property, "$ref") && !text_at(property, "description"))
			fail_msg("%s of %s has no description", key, name);
		check_properties(key, property);
	}
}

static void check_parameters(struct json_object *list)
{
	for (size_t i = 0; list && i < json_object_array_length(list); i++) {
		struct json_object *parameter = resolve(json_object_array_get_idx(list, i));
		if (!text_at(parameter, "description"))
			fail_msg("the parameter %s has no description", text_at(parameter, "name"));
		/* An id in the path tells whose it is. */
		if (strcmp(text_at(parameter, "name"), "update_id") == 0)
			assert_string_equal("The id of the update.",
					    text_at(parameter, "description"));
		if (strcmp(text_at(parameter, "name"), "link_id") == 0)
			assert_string_equal("The id of the link.",
					    text_at(parameter, "description"));
		if (strcmp(text_at(parameter, "name"), "subscriber_id") == 0 &&
		    strcmp(text_at(parameter, "in"), "path") == 0)
			assert_string_equal("The id of the subscriber.",
					    text_at(parameter, "description"));
	}
}

static void check_headers(const char *where, struct json_object *responses)
{
	json_object_object_foreach(responses, status, reference)
	{
		struct json_object *response = resolve(reference);
		if (!AT(response, "headers", "X-Request-Id"))
			fail_msg("%s %s has no X-Request-Id", where, status);
		json_object_object_foreach(AT(response, "headers"), name,
					   header) if (!text_at(resolve(header), "description"))
			fail_msg("the header %s has no description", name);
	}
}

static void all_that_clients_send_and_read_is_described(void **state)
{
	(void)state;
	json_object_object_foreach(AT(document, "components", "schemas"), name, schema)
		check_properties(name, schema);
	for (size_t i = 0; i < app_route_count; i++) {
		if (!is_documented(&app_routes[i]))
			continue;
		struct json_object *operation = operation_of(&app_routes[i]);
		check_parameters(AT(operation, "parameters"));
		check_headers(app_routes[i].id, AT(operation, "responses"));
	}
}

/* Envelopes have those of their contents; lists omit fields of what has one. */
static bool needs_example(const char *name)
{
	size_t len = strlen(name);
	bool is_envelope = (len > 4 && strcmp(name + len - 4, "List") == 0) ||
			   (len > 6 && strcmp(name + len - 6, "Answer") == 0);
	return !is_envelope && strncmp(name, "Listed", 6) != 0 && strcmp(name, "Links") != 0 &&
	       strcmp(name, "Meta") != 0 && strcmp(name, "ErrorCode") != 0 &&
	       strcmp(name, "HookResults") != 0;
}

static void resources_and_bodies_have_examples(void **state)
{
	(void)state;
	json_object_object_foreach(AT(document, "components", "schemas"), name, schema)
	{
		struct json_object *examples = AT(schema, "examples");
		if (needs_example(name) && (!examples || json_object_array_length(examples) == 0))
			fail_msg("%s has no example", name);
	}
}

static void ids_of_operations_are_unique(void **state)
{
	(void)state;
	for (size_t i = 0; i < app_route_count; i++)
		for (size_t j = 0; j < i; j++)
			if (app_routes[i].id && app_routes[j].id)
				assert_string_not_equal(app_routes[i].id, app_routes[j].id);
}

/* A route without a permission would be open to every key, also to read-only ones. Addresses of
 * subscribers, and people, are not for every reader. */
static void every_route_with_a_key_names_a_permission(void **state)
{
	(void)state;
	for (size_t i = 0; i < app_route_count; i++) {
		const struct route *route = &app_routes[i].route;
		enum permission permission = app_routes[i].permission;
		if (route->flags & ROUTE_OPEN)
			assert_int_equal(PERMISSION_NONE, permission);
		else if (app_routes[i].screen && strstr(route->pattern, "/new"))
			assert_int_equal(app_routes[i].screen->permission, permission);
		else if (strcmp(route->method, "GET") == 0)
			assert_true(strstr(route->pattern, "/subscribers") ||
						    strstr(route->pattern, "/users") ||
						    strstr(route->pattern, "/people")
					    ? permission == PERMISSION_MANAGE
					    : permission == PERMISSION_READ ||
						      permission == PERMISSION_CHECK);
		else /* every user may sign out, and change the own access */
			assert_true(permission > PERMISSION_READ ||
				    strcmp(route->pattern, "/console/logout") == 0 ||
				    strncmp(route->pattern, "/console/me", 11) == 0 ||
				    strncmp(route->pattern, "/console/accounts", 17) == 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_route_with_a_key_names_a_permission),
		cmocka_unit_test(every_route_is_documented),
		cmocka_unit_test(every_documented_operation_exists),
		cmocka_unit_test(every_failure_is_documented),
		cmocka_unit_test(every_reference_leads_somewhere),
		cmocka_unit_test(every_success_has_a_text_and_a_schema),
		cmocka_unit_test(all_that_clients_send_and_read_is_described),
		cmocka_unit_test(resources_and_bodies_have_examples),
		cmocka_unit_test(ids_of_operations_are_unique),
	};
	return RUN_ON_DOCUMENT(tests);
}
