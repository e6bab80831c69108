#include "app/handlers.h"

#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/openapi/openapi_route.h"
#include "app/openapi/openapi_schema.h"
#include "app/openapi/openapi_text.h"
#include "app/routes.h"
#include "base/violation_code.h"
#include "service/resource/resource.h"
#include "wire/json.h"
#include "wire/json_read.h"

/* The address in openapi.json. A response has the installation's address instead. */
static const char placeholder[] = "https://status.example.org";

enum { DOCUMENT_MAX_BYTES = 1 << 20 };

/* Bodies */

static const struct body_type {
	const char *media_type;
	enum openapi_use use;
	const char *suffix; /* end of the schema's name if the route accepts files */
	const char *other;  /* end of the schema's name if the route accepts no files */
} body_types[] = {
	{ "application/x-www-form-urlencoded", OPENAPI_URLENCODED, "Urlencoded", "Form" },
	{ "multipart/form-data", OPENAPI_MULTIPART, "Multipart", "Form" },
	{ "application/json", OPENAPI_JSON, "Json", "Json" },
};

/* Writes the name of the route's body, such as "StatusPageUpdate". */
static void body_name(const struct app_route *route, char *name, size_t size)
{
	const char *action = route->route.flags & ROUTE_OVERRIDE ? "Override"
			     : openapi_is_item(route)		 ? "Update"
								 : "Create";
	if (route->body)
		snprintf(name, size, "%s", route->body);
	else
		snprintf(name, size, "%s%s", route->group->name, action);
}

/* Writes the name of a body's schema, such as "StatusPageUpdateJson". */
static void schema_name(const struct app_route *route, const struct body_type *type, char *name,
			size_t size)
{
	char stem[64];
	body_name(route, stem, sizeof(stem));
	snprintf(name, size, "%s%s", stem,
		 openapi_has_files(route->fields) ? type->suffix : type->other);
}

/* Whether the route's fields are in the body. With ROUTE_HAS_QUERY, they are in the query. */
static bool has_fields(const struct app_route *route)
{
	return openapi_has_body(route) && route->fields && !(route->route.flags & ROUTE_HAS_QUERY);
}

/*
 * Whether a body of this type can have all required fields. Only a multipart body can have files.
 */
static bool can_send(const struct app_route *route, const struct body_type *type)
{
	for (size_t i = 0; i < route->fields->count; i++)
		if (route->fields->rows[i].kind == FIELD_FILE &&
		    route->fields->rows[i].flags & FIELD_REQUIRED)
			return type->use == OPENAPI_MULTIPART;
	return true;
}

static void put_body(struct json_object *operation, struct json_object *schemas,
		     const struct app_route *route)
{
	struct json_object *body = json_object_tree(), *content = json_object_tree();
	char name[96];
	for (size_t i = 0; i < ARRAY_LEN(body_types); i++) {
		const struct body_type *type = &body_types[i];
		if (!can_send(route, type))
			continue;
		struct json_object *media = json_object_tree();
		schema_name(route, type, name, sizeof(name));
		json_put(schemas, name,
			 openapi_body_schema(route->fields, type->use,
					     route->route.flags & ROUTE_OVERRIDE));
		json_put(media, "schema", openapi_ref("schemas", name, ""));
		json_put(content, type->media_type, media);
	}
	json_put(body, "content", content);
	json_put_bool(body, "required", strcmp(route->route.method, "POST") == 0);
	json_put(operation, "requestBody", body);
}

/* Adds an example to each body schema that has none. Makes it from the resource's example. */
static void put_body_examples(struct json_object *schemas, const struct app_route *route)
{
	char name[96];
	struct json_object *shown = json_member(schemas, route->group->name);
	struct json_object *resource = json_item(json_member(shown, "examples"), 0);
	for (size_t i = 0; i < ARRAY_LEN(body_types); i++) {
		const struct body_type *type = &body_types[i];
		schema_name(route, type, name, sizeof(name));
		if (!can_send(route, type) || json_member(json_member(schemas, name), "examples"))
			continue;
		struct json_object *examples = json_array_tree();
		struct json_object *example =
			openapi_body_example(route->fields, type->use, resource);
		if (route->route.flags & ROUTE_OVERRIDE)
			json_put_text(example, "_method", "PUT");
		json_append(examples, example);
		json_put(json_member(schemas, name), "examples", examples);
	}
}

/* Responses */

static void put_success_content(struct json_object *response, const struct app_route *route)
{
	struct json_object *content = json_object_tree(), *media = json_object_tree();
	const char *name = openapi_is_delete(route) ? "Deleted" : route->group->name;
	const char *suffix = openapi_is_delete(route)	? ""
			     : openapi_is_single(route) ? "Answer"
							: "List";
	json_put(media, "schema", openapi_ref("schemas", name, suffix));
	json_put(content, "application/json", media);
	json_put(response, "content", content);
}

static const char *success_text(const struct app_route *route, char *text, size_t size)
{
	if (openapi_is_delete(route))
		return "Deleted.";
	if (openapi_is_create(route))
		return "Created.";
	if (!openapi_is_single(route))
		return "A part of the list.";
	snprintf(text, size, "The %s.", route->group->noun);
	return text;
}

static void put_success_headers(struct json_object *response, const struct app_route *route)
{
	struct json_object *headers = json_object_tree();
	bool is_open = route->route.flags & ROUTE_OPEN;
	const struct {
		const char *name, *component;
		bool is_possible;
	} rows[] = {
		{ "X-Request-Id", "RequestId", true },
		{ "X-RateLimit-Limit", "RateLimit", !is_open },
		{ "X-RateLimit-Remaining", "RateRemaining", !is_open },
		{ "X-Daymark-Ignored", "Ignored",
		  openapi_is_read(route) && route->route.flags & ROUTE_HAS_QUERY && !is_open },
		{ "ETag", "ETag", openapi_is_single(route) && !route->group->is_one },
		{ "Location", "Location", openapi_is_create(route) },
		{ "Idempotent-Replayed", "Replayed", openapi_is_change(route) },
		{ "X-Daymark-Published", "Published", openapi_is_change(route) },
		{ "X-Daymark-Mirrors", "Mirrors", openapi_takes_pages_away(route) },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (rows[i].is_possible)
			json_put(headers, rows[i].name,
				 openapi_ref("headers", rows[i].component, ""));
	json_put(response, "headers", headers);
}

static void put_success(struct json_object *responses, const struct app_route *route)
{
	struct json_object *response = json_object_tree();
	char text[64];
	/* For a route without a resource, openapi.json has the description and the schema. */
	if (route->group->name) {
		json_put_text(response, "description", success_text(route, text, sizeof(text)));
		put_success_content(response, route);
	}
	put_success_headers(response, route);
	json_put(responses,
		 openapi_is_create(route)	      ? "201"
		 : route->route.flags & ROUTE_ACCEPTS ? "202"
						      : "200",
		 response);
}

static void put_unchanged(struct json_object *responses)
{
	struct json_object *response = json_object_tree(), *headers = json_object_tree();
	json_put_text(response, "description", "Not changed since the ETag in If-None-Match.");
	json_put(headers, "X-Request-Id", openapi_ref("headers", "RequestId", ""));
	json_put(headers, "ETag", openapi_ref("headers", "ETag", ""));
	json_put(response, "headers", headers);
	json_put(responses, "304", response);
}

/* Adds the errors that the common steps of app.c can return for a request of this route. */
static void put_failures(struct json_object *responses, const struct app_route *route)
{
	bool is_open = route->route.flags & ROUTE_OPEN;
	bool is_write = openapi_is_change(route), reads_body = openapi_has_body(route) && !is_open;
	const struct {
		const char *status, *name;
		bool is_possible;
	} rows[] = {
		{ "400", "Malformed", true },
		{ "401", "Unauthenticated", !is_open },
		{ "403", "Forbidden", !is_open && route->permission > PERMISSION_READ },
		{ "404", "Missing", openapi_has_id(route) },
		{ "405", "MethodNotAllowed",
		  route->fields && strcmp(route->route.method, "POST") == 0 },
		{ "408", "TooSlow", openapi_has_body(route) },
		{ "409", "Repeated", is_write },
		{ "412", "MovedOn", openapi_takes_tag(route) && is_write },
		{ "413", "TooLarge", openapi_has_body(route) },
		{ "415", "UnsupportedMediaType", reads_body },
		{ "422", "Invalid", reads_body || route->route.flags & ROUTE_HAS_QUERY },
		{ "429", "TooMany", !is_open },
		{ "500", "Failed", true },
		{ "503", "Unavailable", !is_open },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (rows[i].is_possible)
			json_put(responses, rows[i].status,
				 openapi_ref("responses", rows[i].name, ""));
}

/* The document */

static struct json_object *operation_of(const struct app_route *route, struct json_object *schemas)
{
	struct json_object *operation = json_object_tree(), *tags = json_array_tree();
	struct json_object *responses = json_object_tree();
	json_put_text(operation, "operationId", route->id);
	json_put_text(operation, "summary", route->text);
	json_append_text(tags, route->group->tag);
	json_put(operation, "tags", tags);
	if (route->route.flags & ROUTE_OPEN)
		json_put(operation, "security", json_array_tree());
	openapi_put_parameters(operation, route);
	if (has_fields(route))
		put_body(operation, schemas, route);
	put_success(responses, route);
	if (openapi_is_read(route) && openapi_is_item(route))
		put_unchanged(responses);
	put_failures(responses, route);
	json_put(operation, "responses", responses);
	return operation;
}

static void put_operation(struct json_object *paths, struct json_object *schemas,
			  const struct app_route *route)
{
	char method[16];
	struct json_object *path = json_member(paths, route->route.pattern);
	size_t i = 0;
	for (; route->route.method[i] && i + 1 < sizeof(method); i++)
		method[i] = (char)tolower((unsigned char)route->route.method[i]);
	method[i] = '\0';
	if (!path) {
		path = json_object_tree();
		json_put(paths, route->route.pattern, path);
	}
	json_put(path, method, operation_of(route, schemas));
}

static void describe(struct json_object *schema, const char *text)
{
	json_put_text(schema, "description", text);
}

/* Returns the schema of {"data": …, "status": …}. */
static struct json_object *envelope(struct json_object *data, bool is_list)
{
	struct json_object *schema = json_object_tree(), *properties = json_object_tree();
	struct json_object *required = json_array_tree(), *status = json_object_tree();
	json_put_text(schema, "type", "object");
	json_put(properties, "data", data);
	json_append_text(required, "data");
	if (is_list) {
		json_put(properties, "links", openapi_ref("schemas", "Links", ""));
		json_put(properties, "meta", openapi_ref("schemas", "Meta", ""));
		json_append_text(required, "links");
		json_append_text(required, "meta");
	}
	json_put_text(status, "type", "integer");
	describe(status, "The status of the response.");
	json_put(properties, "status", status);
	json_append_text(required, "status");
	json_put(schema, "required", required);
	json_put(schema, "properties", properties);
	return schema;
}

static void put_resource(struct json_object *schemas, const struct api_group *group)
{
	char name[64];
	const struct resource *resource = group->resource;
	const struct fields *shown = resource ? resource->shown : group->shown;
	bool is_shorter = resource && resource->listed != shown;
	if (shown)
		json_put(schemas, group->name, openapi_resource_schema(shown, group->update));
	snprintf(name, sizeof(name), "%sAnswer", group->name);
	json_put(schemas, name, envelope(openapi_ref("schemas", group->name, ""), false));
	if (group->is_one)
		return;
	if (is_shorter) {
		struct json_object *listed =
			openapi_resource_schema(resource->listed, group->update);
		describe(listed, group->listed_text);
		snprintf(name, sizeof(name), "Listed%s", group->name);
		json_put(schemas, name, listed);
	}
	struct json_object *items = json_object_tree();
	json_put_text(items, "type", "array");
	describe(items, "The rows of this part of the list.");
	json_put(items, "items", openapi_ref("schemas", is_shorter ? "Listed" : "", group->name));
	snprintf(name, sizeof(name), "%sList", group->name);
	json_put(schemas, name, envelope(items, true));
}

static void put_codes(struct json_object *schemas)
{
	struct json_object *schema = json_object_tree(), *words = json_array_tree();
	struct buf text CLEANUP(buf_done) = BUF_INIT(DOCUMENT_MAX_BYTES);
	for (const struct violation_word *word = violation_words; word->word; word++) {
		json_append_text(words, word->word);
		buf_printf(&text, "- `%s`: %s\n", word->word, word->text);
	}
	json_put_text(schema, "type", "string");
	describe(schema, buf_ok(&text) ? text.data : "");
	json_put(schema, "enum", words);
	json_put(schemas, "ErrorCode", schema);
}

/* Merges openapi.json into the document. The members of openapi.json replace generated members. */
static void merge_rest(struct json_object *document, struct buf *out)
{
	struct json_object *rest = json_read_embedded(openapi_files[0].text);
	if (rest)
		json_merge(document, rest);
	else
		out->is_failed = true;
	json_free(rest);
}

void openapi_write(struct buf *out)
{
	struct json_object *document = json_object_tree(), *paths = json_object_tree();
	struct json_object *components = json_object_tree(), *schemas = json_object_tree();
	char list[64];
	/* These members come first in the document. merge_rest() replaces the nulls by their
	 * values. */
	json_put_null(document, "openapi");
	json_put_null(document, "info");
	json_put_null(document, "servers");
	for (size_t i = 0; i < app_route_count; i++) {
		const struct api_group *group = app_routes[i].group;
		if (!openapi_has(&app_routes[i]))
			continue;
		snprintf(list, sizeof(list), "%sAnswer", group->name ? group->name : "");
		if (group->name && !json_member(schemas, list))
			put_resource(schemas, group);
		put_operation(paths, schemas, &app_routes[i]);
	}
	put_codes(schemas);
	json_put(document, "paths", paths);
	json_put(components, "schemas", schemas);
	json_put(document, "components", components);
	merge_rest(document, out);
	for (size_t i = 0; i < app_route_count; i++)
		if (openapi_has(&app_routes[i]) && app_routes[i].group->name &&
		    has_fields(&app_routes[i]))
			put_body_examples(schemas, &app_routes[i]);
	json_print_pretty(out, document);
	json_free(document);
}

/*
 * Returns the document, which the first call generates. Returns NULL if memory is short; the next
 * call tries again.
 */
static const char *document_text(void)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static char *kept;
	pthread_mutex_lock(&lock);
	if (!kept) {
		struct buf text CLEANUP(buf_done) = BUF_INIT(DOCUMENT_MAX_BYTES);
		openapi_write(&text);
		kept = buf_ok(&text) ? strdup(text.data) : NULL;
	}
	const char *text = kept;
	pthread_mutex_unlock(&lock);
	return text;
}

enum result openapi_show(struct exchange *exchange)
{
	struct buf *body = &exchange->response.body;
	const char *text = document_text();
	if (!text)
		return error_log(&exchange->error, E_FAILED, "no memory for openapi.json");
	const char *at = strstr(text, placeholder);
	buf_add(body, text, at ? (size_t)(at - text) : strlen(text));
	if (at) {
		buf_puts(body, exchange->request.base_url);
		buf_puts(body, at + strlen(placeholder));
	}
	exchange->response.content_type = "application/json";
	response_header(&exchange->response, "Cache-Control", "public, max-age=300");
	return OK;
}
