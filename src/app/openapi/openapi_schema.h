/* JSON Schema (2020-12, as OpenAPI 3.1 uses it) of field tables. */
#ifndef APP_OPENAPI_OPENAPI_SCHEMA_H
#define APP_OPENAPI_OPENAPI_SCHEMA_H

#include "base/field.h"

struct json_object;

enum openapi_use {
	OPENAPI_QUERY,	    /* a parameter */
	OPENAPI_URLENCODED, /* a body without files */
	OPENAPI_MULTIPART,
	OPENAPI_JSON,
	OPENAPI_RESOURCE, /* the resource, as clients read it */
};

/* The schema of one value; its limits only where clients send the value. */
struct json_object *openapi_value_schema(const struct field *field, enum openapi_use use);
/* The schema of a body. is_override: the body of a POST that names PUT or PATCH in _method. Omits
 * read-only fields. Only OPENAPI_MULTIPART has files. */
struct json_object *openapi_body_schema(const struct fields *fields, enum openapi_use use,
					bool is_override);
/*
 * An example of such a body: the members of the resource's example that a client may send, and
 * defaults for the others.
 */
struct json_object *openapi_body_example(const struct fields *fields, enum openapi_use use,
					 struct json_object *resource);
/* The schema of a resource; `update`, or NULL, tells which of its fields are read-only. */
struct json_object *openapi_resource_schema(const struct fields *fields,
					    const struct fields *update);
bool openapi_has_files(const struct fields *fields);

/* {"$ref": "#/components/KIND/NAMESUFFIX"} */
struct json_object *openapi_ref(const char *kind, const char *name, const char *suffix);

#endif
