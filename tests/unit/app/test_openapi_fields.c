/*
 * The generated OpenAPI document against the field tables: every field and parameter with its
 * limits and its text, and nothing beyond them.
 */
#include "unit/app/document.h"

#include "domain/incident/incident.h"
#include "domain/incident/incident_report.h"
#include "domain/account/key.h"
#include "domain/monitor/monitor.h"
#include "domain/page/page_link.h"
#include "domain/page/status_page.h"

static int64_t number_at(struct json_object *object, const char *key)
{
	struct json_object *value = AT(object, key);
	return value ? json_object_get_int64(value) : -1;
}

static bool type_is(struct json_object *schema, const char *wanted)
{
	struct json_object *type = AT(schema, "type");
	if (!type || json_object_is_type(type, json_type_string))
		return type && strcmp(json_object_get_string(type), wanted) == 0;
	for (size_t i = 0; i < json_object_array_length(type); i++)
		if (strcmp(json_object_get_string(json_object_array_get_idx(type, i)), wanted) == 0)
			return true;
	return false;
}

static void check_choices(const struct field *field, struct json_object *schema)
{
	struct json_object *values = AT(schema, "enum");
	size_t count = 0;
	assert_non_null(values);
	for (; field->choices[count]; count++)
		assert_string_equal(
			field->choices[count],
			json_object_get_string(json_object_array_get_idx(values, count)));
	assert_int_equal(count, json_object_array_length(values));
}

/* The limits in a row of the field table are those in the schema. */
static void check_limits(const struct field *field, struct json_object *schema)
{
	schema = resolve(schema);
	switch (field->kind) {
	case FIELD_TEXT:
		assert_true(type_is(schema, "string"));
		if (field->max_chars > 0)
			assert_int_equal(field->max_chars, number_at(schema, "maxLength"));
		else if (field->max_bytes > 0)
			assert_int_equal(field->max_bytes, number_at(schema, "maxLength"));
		break;
	case FIELD_BOOL:
		assert_true(type_is(schema, "boolean"));
		break;
	case FIELD_INT:
		assert_true(type_is(schema, "integer"));
		assert_int_equal(field->min, number_at(schema, "minimum"));
		break;
	case FIELD_CHOICE:
		check_choices(field, schema);
		break;
	case FIELD_IDS:
	case FIELD_ROWS:
		assert_true(type_is(schema, "array"));
		assert_int_equal(field->max, number_at(schema, "maxItems"));
		break;
	case FIELD_TIME:
		assert_string_equal("date-time", text_at(schema, "format"));
		break;
	case FIELD_FILE:
		assert_string_equal("binary", text_at(schema, "format"));
		break;
	case FIELD_OBJECT:
		assert_true(type_is(schema, "object"));
		break;
	case FIELD_PERCENT:
		fail_msg("%s: a client cannot send this", field->name);
	}
}

static bool is_required(struct json_object *schema, const char *name)
{
	struct json_object *required = AT(schema, "required");
	for (size_t i = 0; required && i < json_object_array_length(required); i++)
		if (strcmp(json_object_get_string(json_object_array_get_idx(required, i)), name) ==
		    0)
			return true;
	return false;
}

/* What the schema calls the field: lists have brackets in forms. */
static struct json_object *property_of(struct json_object *schema, const struct field *field)
{
	char name[128];
	struct json_object *found = AT(schema, "properties", field->name);
	snprintf(name, sizeof(name), "%s[]", field->name);
	return found ? found : AT(schema, "properties", name);
}

static bool is_named(const struct fields *fields, const char *name)
{
	size_t len = strcspn(name, "[");
	for (size_t i = 0; i < fields->count; i++)
		if (strlen(fields->rows[i].name) == len &&
		    strncmp(fields->rows[i].name, name, len) == 0)
			return true;
	return strcmp(name, "_method") == 0;
}

/* A form names each member of the rows: "request_headers[0][key]"; of an object: "value[url]". */
static void check_members(struct json_object *schema, const struct field *field)
{
	for (size_t i = 0; i < field->members->count; i++) {
		const struct field *member = &field->members->rows[i];
		char name[128];
		snprintf(name, sizeof(name), "%s%s[%s]", field->name,
			 field->kind == FIELD_ROWS ? "[0]" : "", member->name);
		struct json_object *property = AT(schema, "properties", name);
		assert_non_null(property);
		assert_string_equal(member->text, text_at(property, "description"));
	}
}

static bool needs_file(const struct fields *fields)
{
	for (size_t i = 0; i < fields->count; i++)
		if (fields->rows[i].kind == FIELD_FILE && fields->rows[i].flags & FIELD_REQUIRED)
			return true;
	return false;
}

static void check_body(const struct app_route *route, const char *media_type, bool takes_files)
{
	struct json_object *schema =
		resolve(AT(operation_of(route), "requestBody", "content", media_type, "schema"));
	/* Only one type has files: the others cannot be sent if a file is required. */
	if (!takes_files && needs_file(route->fields)) {
		assert_null(schema);
		return;
	}
	if (!schema)
		fail_msg("%s %s takes no %s", route->route.method, route->route.pattern,
			 media_type);
	for (size_t i = 0; i < route->fields->count; i++) {
		const struct field *field = &route->fields->rows[i];
		struct json_object *property = property_of(schema, field);
		if (field->flags & FIELD_READ_ONLY || (field->kind == FIELD_FILE && !takes_files))
			continue;
		bool has_members = field->kind == FIELD_ROWS || field->kind == FIELD_OBJECT;
		if (has_members && strcmp(media_type, "application/json") != 0) {
			check_members(schema, field);
			continue;
		}
		if (!property)
			fail_msg("%s %s: no %s in %s", route->route.method, route->route.pattern,
				 field->name, media_type);
		check_limits(field, property);
		/* daymarkctl takes 90m; requests take seconds. */
		const char *unit = field->flags & FIELD_SECONDS ? " In seconds." : "";
		char text[1024];
		snprintf(text, sizeof(text), "%s%s%s%s%s", field->text, unit,
			 field->initial ? " Default on create: " : "",
			 field->initial ? field->initial : "", field->initial ? "." : "");
		assert_string_equal(text, text_at(property, "description"));
		assert_int_equal((field->flags & FIELD_REQUIRED) != 0,
				 is_required(schema, field->name));
	}
	json_object_object_foreach(AT(schema, "properties"), name, property)
	{
		(void)property;
		if (!is_named(route->fields, name))
			fail_msg("%s %s: %s is not read", route->route.method, route->route.pattern,
				 name);
	}
	assert_int_equal((route->route.flags & ROUTE_OVERRIDE) != 0,
			 is_required(schema, "_method"));
}

static void bodies_are_what_the_forms_take(void **state)
{
	(void)state;
	for (size_t i = 0; i < app_route_count; i++) {
		const struct app_route *route = &app_routes[i];
		if (!route->fields || route->route.flags & ROUTE_HAS_QUERY || !is_documented(route))
			continue;
		check_body(route, "application/x-www-form-urlencoded", false);
		check_body(route, "multipart/form-data", true);
		check_body(route, "application/json", false);
	}
}

static void queries_are_what_the_lists_take(void **state)
{
	(void)state;
	for (size_t i = 0; i < app_route_count; i++) {
		const struct app_route *route = &app_routes[i];
		if (!(route->route.flags & ROUTE_HAS_QUERY) || !is_documented(route))
			continue;
		struct json_object *parameters = AT(operation_of(route), "parameters");
		/* Behind them the id stands, and those of a DELETE. */
		size_t ids = strstr(route->route.pattern, "{id}") != NULL;
		if (strcmp(route->route.method, "GET") == 0)
			assert_int_equal(route->fields->count + ids,
					 json_object_array_length(parameters));
		for (size_t j = 0; j < route->fields->count; j++) {
			struct json_object *parameter =
				resolve(json_object_array_get_idx(parameters, j));
			assert_string_equal(route->fields->rows[j].name,
					    text_at(parameter, "name"));
			assert_string_equal("query", text_at(parameter, "in"));
			check_limits(&route->fields->rows[j], AT(parameter, "schema"));
			assert_string_equal(route->fields->rows[j].text,
					    text_at(parameter, "description"));
		}
	}
}

static void check_resource(const char *schema, const struct fields *fields)
{
	struct json_object *properties =
		AT(document, "components", "schemas", schema, "properties");
	assert_int_equal(fields->count, json_object_object_length(properties));
	size_t i = 0;
	json_object_object_foreach(properties, name, property)
	{
		assert_string_equal(fields->rows[i].name, name);
		assert_non_null(resolve(property));
		i++;
	}
}

static void the_resource_is_what_is_written(void **state)
{
	(void)state;
	check_resource("StatusPage", &status_page_resource_fields);
	check_resource("ListedStatusPage", &status_page_listed_fields);
	check_resource("PageLink", &page_link_created_fields);
	check_resource("ListedPageLink", &page_link_fields);
	check_resource("Incident", &incident_shown_fields);
	check_resource("ListedIncident", &incident_resource_fields);
	check_resource("IncidentUpdate", &posted_update_fields);
	check_resource("Monitor", &monitor_resource_fields);
	check_resource("Key", &key_resource_fields);
}

static const struct field *row_named(const struct fields *fields, const char *name)
{
	for (size_t i = 0; i < fields->count; i++)
		if (strcmp(fields->rows[i].name, name) == 0)
			return &fields->rows[i];
	return NULL;
}

/* Each field of a resource can be sent back: it may be set, or be compared. */
static void check_sent_back(const char *schema, const struct fields *input)
{
	struct json_object *properties =
		AT(document, "components", "schemas", schema, "properties");
	size_t kept = 0;
	json_object_object_foreach(properties, name, property)
	{
		const struct field *row = row_named(input, name);
		if (!row)
			fail_msg("%s: an update does not know %s", schema, name);
		bool is_read_only = row->flags & FIELD_READ_ONLY;
		kept += is_read_only;
		assert_int_equal(is_read_only, AT(property, "readOnly") != NULL);
	}
	for (size_t i = 0; i < input->count; i++)
		kept -= (input->rows[i].flags & FIELD_READ_ONLY) != 0;
	assert_int_equal(0, kept);
}

static void fields_that_cannot_be_set_are_read_only(void **state)
{
	(void)state;
	check_sent_back("StatusPage", &status_page_create_fields);
	check_sent_back("StatusPage", &status_page_update_fields);
	check_sent_back("Incident", &incident_update_fields);
	check_sent_back("IncidentUpdate", &incident_edit_fields);
}

/* Samples of the schemas that clients rely on. */
static void samples_are_as_they_were(void **state)
{
	(void)state;
	static const struct {
		const char *schema, *property, *json;
	} rows[] = {
		{ "StatusPageCreateUrlencoded", "monitor_ids[]",
		  "{\"type\":\"array\",\"maxItems\":1000,\"items\":{\"type\":\"integer\","
		  "\"minimum\":1},"
		  "\"description\":\"The account's own monitors, in the order of the page. "
		  "Replaces "
		  "the whole list.\"}" },
		{ "StatusPage", "privacy",
		  "{\"type\":\"integer\",\"enum\":[0,1,2],\"description\":\"0 public; 1 private: "
		  "opens with a key of the account, or with a signed link; 2 password. Default on "
		  "create: 0. Only an owner changes it later.\"}" },
		{ "StatusPage", "id",
		  "{\"type\":\"integer\",\"minimum\":1,\"description\":\"The id, which never "
		  "changes.\",\"readOnly\":true}" },
		{ "StatusPageOverrideJson", "_method",
		  "{\"type\":\"string\",\"enum\":[\"PUT\",\"PATCH\"],\"description\":\"The "
		  "method; letter case is ignored.\"}" },
		{ "Incident", "ended_at",
		  "{\"type\":[\"string\",\"null\"],\"format\":\"date-time\",\"description\":\"When "
		  "the incident ended; null: it is open.\"}" },
		{ "Incident", "created_at",
		  "{\"type\":\"string\",\"format\":\"date-time\",\"description\":\"When it was "
		  "created.\",\"readOnly\":true}" },
		{ "Incident", "monitor_id",
		  "{\"type\":[\"integer\",\"null\"],\"description\":\"The first of monitor_ids.\","
		  "\"readOnly\":true}" },
		{ "MonitorUpdateJson", "json_value",
		  "{\"type\":[\"string\",\"integer\",\"null\"],\"maxLength\":255,\"description\":"
		  "\"http: the value that the response must have.\"}" },
		{ "ReportJson", "monitor",
		  "{\"type\":[\"string\",\"integer\"],\"minLength\":1,\"maxLength\":255,"
		  "\"description\":"
		  "\"The monitor's id, or its label (NAME=VALUE).\"}" },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct json_object *found = AT(document, "components", "schemas", rows[i].schema,
					       "properties", rows[i].property);
		struct json_object *wanted = json_tokener_parse(rows[i].json);
		assert_non_null(wanted);
		if (!json_object_equal(wanted, found))
			fail_msg("%s.%s is %s", rows[i].schema, rows[i].property,
				 json_object_to_json_string(found));
		json_object_put(wanted);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_are_as_they_were),
		cmocka_unit_test(bodies_are_what_the_forms_take),
		cmocka_unit_test(queries_are_what_the_lists_take),
		cmocka_unit_test(the_resource_is_what_is_written),
		cmocka_unit_test(fields_that_cannot_be_set_are_read_only),
	};
	return RUN_ON_DOCUMENT(tests);
}
