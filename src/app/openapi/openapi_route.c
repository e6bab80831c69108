#include "app/openapi/openapi_route.h"

#include <stdio.h>
#include <string.h>

#include "app/openapi/openapi_schema.h"
#include "wire/json.h"
#include "wire/json_read.h"

bool openapi_has_id(const struct app_route *route)
{
	return strstr(route->route.pattern, "{id}") != NULL;
}

/* Whether the path ends in the id of an object. */
bool openapi_is_item(const struct app_route *route)
{
	const char *last = strrchr(route->route.pattern, '/');
	return strcmp(last, "/{id}") == 0 || strcmp(last, "/{update_id}") == 0 ||
	       strcmp(last, "/{link_id}") == 0 || strcmp(last, "/{subscriber_id}") == 0 ||
	       strcmp(last, "/{session_id}") == 0;
}

bool openapi_is_read(const struct app_route *route)
{
	return strcmp(route->route.method, "GET") == 0;
}

/* Whether the request may change the data of an account. */
bool openapi_is_change(const struct app_route *route)
{
	return !openapi_is_read(route) && !(route->route.flags & ROUTE_OPEN);
}

bool openapi_takes_pages_away(const struct app_route *route)
{
	const char *name = route->group->name;
	return openapi_is_change(route) && openapi_is_item(route) && name &&
	       (strcmp(name, "StatusPage") == 0 || strcmp(name, "PageLink") == 0);
}

bool openapi_has(const struct app_route *route)
{
	return route->group && !(route->route.flags & ROUTE_CONSOLE);
}

bool openapi_is_delete(const struct app_route *route)
{
	return strcmp(route->route.method, "DELETE") == 0;
}

bool openapi_is_create(const struct app_route *route)
{
	return route->group->name && strcmp(route->route.method, "POST") == 0 &&
	       !openapi_is_item(route) && !route->group->is_one &&
	       !(route->route.flags & ROUTE_ACCEPTS);
}

/* Whether the route accepts If-Match. The header has the version of the object; for a POST that
 * adds a part, it has the version of the whole object. */
bool openapi_takes_tag(const struct app_route *route)
{
	return openapi_is_item(route) ||
	       (openapi_is_create(route) && openapi_has_id(route) && openapi_is_change(route));
}

bool openapi_has_body(const struct app_route *route)
{
	return !openapi_is_read(route) && !openapi_is_delete(route);
}

bool openapi_is_single(const struct app_route *route)
{
	return route->group->name && !openapi_is_delete(route) &&
	       (openapi_is_item(route) || !openapi_is_read(route) || route->group->is_one);
}

static struct json_object *parameter(const char *name, const char *in, struct json_object *schema)
{
	struct json_object *tree = json_object_tree();
	json_put_text(tree, "name", name);
	json_put_text(tree, "in", in);
	json_put(tree, "schema", schema);
	return tree;
}

static struct json_object *id_parameter(const char *name)
{
	static const struct field id = {
		.name = "id", .kind = FIELD_INT, .min = 1, .max = INT64_MAX
	};
	struct json_object *tree =
		parameter(name, "path", openapi_value_schema(&id, OPENAPI_QUERY));
	json_put_text(tree, "description",
		      strcmp(name, "id") == 0		   ? "The id of the resource."
		      : strcmp(name, "link_id") == 0	   ? "The id of the link."
		      : strcmp(name, "subscriber_id") == 0 ? "The id of the subscriber."
		      : strcmp(name, "session_id") == 0	   ? "The id of the session."
							   : "The id of the update.");
	json_put_bool(tree, "required", true);
	return tree;
}

static struct json_object *query_parameter(const struct field *field)
{
	struct json_object *tree =
		parameter(field->name, "query", openapi_value_schema(field, OPENAPI_QUERY));
	if (field->text)
		json_put_text(tree, "description", field->text);
	if (field->flags & FIELD_REQUIRED)
		json_put_bool(tree, "required", true);
	return tree;
}

static struct json_object *tag_parameter(const struct app_route *route)
{
	static const struct field tag = { .name = "tag", .kind = FIELD_TEXT };
	char text[128];
	const char *name = openapi_is_read(route) ? "If-None-Match" : "If-Match";
	struct json_object *tree =
		parameter(name, "header", openapi_value_schema(&tag, OPENAPI_QUERY));
	snprintf(text, sizeof(text),
		 openapi_is_read(route)
			 ? "Show the %s only if its ETag differs from this ETag; otherwise 304."
		 : openapi_is_item(route)
			 ? "Change the %s only if its ETag is still this ETag; otherwise 412."
			 : "Add the %s only if its parent object still has this ETag; otherwise "
			   "412.",
		 route->group->noun);
	json_put_text(tree, "description", text);
	return tree;
}

void openapi_put_parameters(struct json_object *operation, const struct app_route *route)
{
	struct json_object *list = json_array_tree();
	for (size_t i = 0; route->route.flags & ROUTE_HAS_QUERY && i < route->fields->count; i++)
		json_append(list, query_parameter(&route->fields->rows[i]));
	if (openapi_has_id(route))
		json_append(list, id_parameter("id"));
	if (strstr(route->route.pattern, "{update_id}"))
		json_append(list, id_parameter("update_id"));
	if (strstr(route->route.pattern, "{link_id}"))
		json_append(list, id_parameter("link_id"));
	if (strstr(route->route.pattern, "{subscriber_id}"))
		json_append(list, id_parameter("subscriber_id"));
	if (strstr(route->route.pattern, "{session_id}"))
		json_append(list, id_parameter("session_id"));
	if (openapi_takes_tag(route))
		json_append(list, tag_parameter(route));
	if (openapi_is_change(route))
		json_append(list, openapi_ref("parameters", "IdempotencyKey", ""));
	if (json_length(list) > 0)
		json_put(operation, "parameters", list);
	else
		json_free(list);
}
