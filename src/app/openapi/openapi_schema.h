/* Makes the JSON Schema (2020-12, as in OpenAPI 3.1) of field tables. */
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

/* Returns the schema of one value. Only schemas of values that clients send have limits. */
struct json_object *openapi_value_schema(const struct field *field, enum openapi_use use);
/* Returns the schema of a body, without read-only fields. `is_override`: the body of a POST that
 * names PUT or PATCH in _method. Only OPENAPI_MULTIPART has files. */
struct json_object *openapi_body_schema(const struct fields *fields, enum openapi_use use,
					bool is_override);
/*
 * Returns an example of a body: the members of the resource's example that a client may send, and
 * defaults for all others.
 */
struct json_object *openapi_body_example(const struct fields *fields, enum openapi_use use,
					 struct json_object *resource);
/* Returns the schema of a resource. Fields with FIELD_READ_ONLY in `update` are read-only in the
 * schema. If `update` is NULL, no field is read-only. */
struct json_object *openapi_resource_schema(const struct fields *fields,
					    const struct fields *update);
bool openapi_has_files(const struct fields *fields);

/* Returns {"$ref": "#/components/KIND/NAMESUFFIX"}. */
struct json_object *openapi_ref(const char *kind, const char *name, const char *suffix);

#endif
