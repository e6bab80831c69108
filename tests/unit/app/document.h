/* The generated OpenAPI document, and how tests read it. */
#ifndef UNIT_APP_DOCUMENT_H
#define UNIT_APP_DOCUMENT_H

#include "unit/lib/unit.h"

#include <ctype.h>
#include <json-c/json.h>
#include <stdio.h>

#include "app/handlers.h"
#include "app/routes.h"

static struct json_object *document;

/* The value under a path of keys; NULL at the first that is not there. */
static inline struct json_object *at(struct json_object *object, const char *const *keys)
{
	for (; *keys && object; keys++)
		if (!json_object_object_get_ex(object, *keys, &object))
			return NULL;
	return object;
}
#define AT(object, ...) at(object, (const char *const[]){ __VA_ARGS__, NULL })

static inline const char *text_at(struct json_object *object, const char *key)
{
	struct json_object *value = AT(object, key);
	return value ? json_object_get_string(value) : NULL;
}

/* Follows a {"$ref": "#/components/…/NAME"}. */
static inline struct json_object *resolve(struct json_object *object)
{
	const char *reference = text_at(object, "$ref");
	if (!reference)
		return object;
	char copy[256];
	const char *keys[8] = { 0 };
	size_t count = 0;
	snprintf(copy, sizeof(copy), "%s", reference + 2);
	char *rest = copy;
	for (char *key = strsep(&rest, "/"); key && count < 7; key = strsep(&rest, "/"))
		keys[count++] = key;
	return at(document, keys);
}

static inline bool is_documented(const struct app_route *route)
{
	/* Not those for visitors, people in the console, crawlers and Prometheus. */
	return !(route->route.flags & ROUTE_CONSOLE) &&
	       strncmp(route->route.pattern, "/s/", 3) != 0 &&
	       strcmp(route->route.pattern, "/metrics") != 0 &&
	       strcmp(route->route.pattern, "/") != 0 &&
	       strcmp(route->route.pattern, "/robots.txt") != 0;
}

static inline struct json_object *operation_of(const struct app_route *route)
{
	char method[16];
	size_t i = 0;
	for (; route->route.method[i]; i++)
		method[i] = (char)tolower((unsigned char)route->route.method[i]);
	method[i] = '\0';
	return AT(document, "paths", route->route.pattern, method);
}

static inline int document_write(void **state)
{
	struct buf text = BUF_INIT(1 << 20);
	(void)state;
	openapi_write(&text);
	document = buf_ok(&text) ? json_tokener_parse(text.data) : NULL;
	buf_done(&text);
	return document ? 0 : -1;
}

static inline int document_free(void **state)
{
	(void)state;
	json_object_put(document);
	return 0;
}

/* Writes the document, and runs the tests. */
#define RUN_ON_DOCUMENT(tests) cmocka_run_group_tests(tests, document_write, document_free)

#endif
