/* The field tables of monitors and keys in the forms, JSON and OpenAPI of an HTTP API. */
#include "unit/lib/unit.h"

#include <json-c/json.h>

#include "app/openapi/openapi_schema.h"
#include "domain/account/key.h"
#include "domain/monitor/monitor.h"
#include "http/form.h"
#include "wire/json.h"
#include "wire/urlencoded.h"

static struct violations violations;

static struct field_set decode(const char *text, struct fields fields, void *input)
{
	struct form form;
	struct error error = { 0 };
	struct field_set sent;
	violations_init(&violations, &arena);
	form_init(&form, fields, &arena);
	assert_int_equal(OK, urlencoded_decode(str_from(text), &form.sink, &error));
	form_decode(&form, input, &sent, &violations);
	return sent;
}

static void assert_json(struct json_object *tree, const char *wanted)
{
	struct json_object *other = json_tokener_parse(wanted);
	assert_non_null(other);
	if (!json_object_equal(tree, other))
		fail_msg("%s", json_object_to_json_string(tree));
	json_object_put(other);
	json_object_put(tree);
}

static struct json_object *names_of(struct json_object *schema)
{
	struct json_object *names = json_object_new_array(), *properties;
	assert_true(json_object_object_get_ex(schema, "properties", &properties));
	json_object_object_foreach(properties, name, property)
	{
		(void)property;
		json_object_array_add(names, json_object_new_string(name));
	}
	json_object_put(schema);
	return names;
}

static void a_monitor_is_read_merged_and_written(void **state)
{
	(void)state;
	struct monitor monitor = { .id = 7, .account_id = 3, .url = "https://old.test/" };
	struct monitor_input input = { 0 };
	struct field_set sent = decode("name=+Web+&group=g&description=d&position=4&label=a%3Db&"
				       "known_since=2026-03-01T00%3A00%3A00Z&is_paused=1&"
				       "type=dns&interval=61&timeout=11&confirmations=3&"
				       "recoveries=4&slow_ms=500&depends_on_id=12&"
				       "request_method=PUT&request_headers[0][key]=Accept&"
				       "request_headers[0][value]=+text&request_body=+b%0A&"
				       "request_auth_username=u&request_auth_password=p&"
				       "cache_buster=1&expected_statuses=204&follow_redirects=0&"
				       "verify_tls=1&alert_condition=url_no_text&"
				       "alert_text_lookup=+t&json_path=a.b&json_operator=%21%3D&"
				       "json_value=7&tcp_send=s&tcp_expect=e&dns_type=MX&"
				       "dns_server=192.0.2.1&dns_expected=x&ssl_alert_days=30&"
				       "domain_alert_days=60&issuer_alert=1&period=3600&grace=120&"
				       "locations=a%2Cb&quorum=2&"
				       "alert_channel_ids[]=9&alert_channel_ids[]=8",
				       monitor_update_fields, &input);
	assert_int_equal(0, violations.count);
	monitor_merge(&monitor, &input, sent);
	monitor.last_cause = "cause";
	monitor.status_page_count = 5;
	monitor.incident_count = 6;
	monitor.response_ms = 250;
	monitor.tls_expires_at = (struct instant){ 1772409600 };
	monitor.domain_expires_at = (struct instant){ 1772496000 };
	monitor.uptime_7d = (struct percent){ true, 9950 };
	monitor_settle_pause(&monitor, (struct instant){ 1772323201 });
	monitor_derive_state(&monitor);
	monitor.created_at = monitor.updated_at = (struct instant){ 1772323200 };
	struct json_object *tree = json_object_tree();
	json_put_fields(tree, monitor_resource_fields, &monitor);
	assert_json(tree,
		    "{\"id\":7,\"name\":\"Web\",\"url\":\"https://old.test/\",\"group\":\"g\","
		    "\"description\":\"d\",\"position\":4,\"label\":\"a=b\","
		    "\"known_since\":\"2026-03-01T00:00:00Z\",\"is_paused\":true,"
		    "\"type\":\"dns\",\"interval\":61,\"timeout\":11,\"confirmations\":3,"
		    "\"recoveries\":4,\"slow_ms\":500,\"depends_on_id\":12,"
		    "\"request_method\":\"PUT\","
		    "\"request_headers\":[{\"key\":\"Accept\",\"value\":\"text\"}],"
		    "\"request_body\":\" b\\n\",\"request_auth_username\":\"u\","
		    "\"has_request_auth_password\":true,\"cache_buster\":true,"
		    "\"expected_statuses\":\"204\",\"follow_redirects\":false,"
		    "\"verify_tls\":true,\"alert_condition\":\"url_no_text\","
		    "\"alert_text_lookup\":\" t\",\"json_path\":\"a.b\","
		    "\"json_operator\":\"!=\",\"json_value\":\"7\",\"tcp_send\":\"s\","
		    "\"tcp_expect\":\"e\",\"dns_type\":\"MX\",\"dns_server\":\"192.0.2.1\","
		    "\"dns_expected\":\"x\",\"ssl_alert_days\":30,\"domain_alert_days\":60,"
		    "\"issuer_alert\":true,"
		    "\"period\":3600,\"grace\":120,\"locations\":\"a,b\",\"quorum\":2,"
		    "\"alert_channel_ids\":[9,8],\"heartbeat_url\":null,"
		    "\"state\":\"paused\",\"state_since\":\"2026-03-01T00:00:01Z\","
		    "\"checked_at\":null,\"last_cause\":\"cause\",\"response_ms\":250,"
		    "\"tls_expires_at\":\"2026-03-02T00:00:00Z\","
		    "\"domain_expires_at\":\"2026-03-03T00:00:00Z\","
		    "\"uptime_1d\":null,\"uptime_7d\":99.50,\"uptime_30d\":null,"
		    "\"uptime_90d\":null,\"status_page_count\":5,\"incident_count\":6,"
		    "\"retired_at\":null,\"created_at\":\"2026-03-01T00:00:00Z\","
		    "\"updated_at\":\"2026-03-01T00:00:00Z\"}");
}

static void each_field_of_a_monitor_has_its_own_place(void **state)
{
	(void)state;
	static const struct {
		const char *body;
		enum monitor_field place;
	} rows[] = {
		{ "name=x", MONITOR_FIELD_name },
		{ "url=x", MONITOR_FIELD_url },
		{ "group=x", MONITOR_FIELD_group },
		{ "description=x", MONITOR_FIELD_description },
		{ "position=1", MONITOR_FIELD_position },
		{ "label=x", MONITOR_FIELD_label },
		{ "is_paused=1", MONITOR_FIELD_is_paused },
		{ "known_since=2026-03-01T00:00:00Z", MONITOR_FIELD_known_since },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct monitor_input input = { 0 };
		assert_true(field_set_equals(FIELD_SET(rows[i].place),
					     decode(rows[i].body, monitor_update_fields, &input)));
	}
}

static void a_form_refuses_what_the_rows_do_not_allow(void **state)
{
	(void)state;
	struct monitor_input input = { 0 };
	struct key_input key = { 0 };
	decode("label=x", monitor_create_fields, &input);
	assert_true(violations_has(&violations, "name"));
	assert_false(violations_has(&violations, "url"));
	decode("name=", monitor_update_fields, &input);
	assert_true(violations_has(&violations, "name"));
	decode("expires_at=soon&is_read_only=maybe&label=", key_create_fields, &key);
	assert_int_equal(3, violations.count);
	assert_true(field_set_equals(FIELD_SET(KEY_FIELD_is_read_only),
				     decode("is_read_only=1", key_create_fields, &key)));
	assert_true(key.is_read_only);
}

static void schemas_have_the_fields_of_their_rows(void **state)
{
	(void)state;
	assert_json(names_of(openapi_body_schema(&monitor_create_fields, OPENAPI_JSON, false)),
		    "[\"name\",\"url\",\"group\",\"description\",\"position\",\"label\","
		    "\"known_since\",\"is_paused\","
		    "\"type\",\"interval\",\"timeout\","
		    "\"confirmations\",\"recoveries\",\"slow_ms\","
		    "\"depends_on_id\",\"request_method\",\"request_headers\","
		    "\"request_body\",\"request_auth_username\",\"request_auth_password\","
		    "\"cache_buster\",\"expected_statuses\",\"follow_redirects\","
		    "\"verify_tls\",\"alert_condition\",\"alert_text_lookup\","
		    "\"json_path\",\"json_operator\",\"json_value\","
		    "\"tcp_send\",\"tcp_expect\",\"dns_type\","
		    "\"dns_server\",\"dns_expected\",\"ssl_alert_days\","
		    "\"domain_alert_days\",\"issuer_alert\",\"period\",\"grace\",\"locations\","
		    "\"quorum\","
		    "\"alert_channel_ids\",\"maintenance_start_at\",\"maintenance_end_at\"]");
	assert_json(
		names_of(openapi_resource_schema(&monitor_resource_fields, &monitor_update_fields)),
		"[\"id\",\"name\",\"url\",\"group\",\"description\",\"position\",\"label\","
		"\"known_since\",\"is_paused\","
		"\"type\",\"interval\",\"timeout\","
		"\"confirmations\",\"recoveries\",\"slow_ms\","
		"\"depends_on_id\",\"request_method\",\"request_headers\","
		"\"request_body\",\"request_auth_username\",\"has_request_auth_password\","
		"\"cache_buster\",\"expected_statuses\",\"follow_redirects\","
		"\"verify_tls\",\"alert_condition\",\"alert_text_lookup\","
		"\"json_path\",\"json_operator\",\"json_value\","
		"\"tcp_send\",\"tcp_expect\",\"dns_type\","
		"\"dns_server\",\"dns_expected\",\"ssl_alert_days\","
		"\"domain_alert_days\",\"issuer_alert\",\"period\",\"grace\",\"locations\","
		"\"quorum\","
		"\"alert_channel_ids\",\"heartbeat_url\",\"state\",\"state_since\",\"checked_at\","
		"\"last_cause\",\"response_ms\",\"tls_expires_at\",\"domain_expires_at\",\"uptime_"
		"1d\",\"uptime_7d\","
		"\"uptime_30d\","
		"\"uptime_90d\",\"status_page_count\",\"incident_count\",\"retired_at\",\"created_"
		"at\","
		"\"updated_at\"]");
	assert_json(names_of(openapi_body_schema(&key_create_fields, OPENAPI_JSON, false)),
		    "[\"label\",\"is_read_only\",\"location\",\"expires_at\"]");
	assert_json(names_of(openapi_resource_schema(&key_resource_fields, &key_create_fields)),
		    "[\"id\",\"label\",\"is_read_only\",\"location\",\"expires_at\",\"revoked_at\","
		    "\"last_used_at\",\"created_at\",\"made_by\"]");
}

struct header {
	const char *key;
	struct id_list ids;
};
static const struct field header_rows[] = {
	FIELD(struct header, key, .flags = FIELD_REQUIRED | FIELD_NOT_EMPTY, .max_chars = 9),
	FIELD(struct header, ids, .max = 2),
};
static const struct fields header_fields = FIELDS(header_rows);

/* A resource with rows and an object: its table needs a row for each, as for other fields. */
/* clang-format off */
#define WATCH_FIELDS(ROW, of, needed) \
	ROW(of, SHOWN, int64_t, id, .min = 1) \
	ROW(of, APART, struct field_rows, headers, \
	    FIELD_MEMBERS(struct header, &header_fields), .max = 5, .flags = (needed), \
	    .text = "Sent.") \
	ROW(of, APART, struct header, target, FIELD_MEMBERS(struct header, &header_fields))
struct watch { WATCH_FIELDS(FIELD_MEMBER, , 0) };
struct watch_input { WATCH_FIELDS(FIELD_INPUT, , 0) };
enum watch_field { WATCH_FIELDS(FIELD_PLACE, WATCH_, 0) };
static const struct field watch_create_rows[] = {
	WATCH_FIELDS(FIELD_OF_FORM, struct watch_input, FIELD_REQUIRED)
};
static const struct field watch_update_rows[] = {
	WATCH_FIELDS(FIELD_OF_FORM, struct watch_input, 0)
};
static const struct field watch_rows[] = { WATCH_FIELDS(FIELD_OF_RESOURCE, struct watch, 0) };
/* clang-format on */
static const struct fields watch_fields = FIELDS(watch_rows);
static const struct fields watch_create_fields = FIELDS(watch_create_rows);

static void watch_merge(struct watch *row, const struct watch_input *input, struct field_set sent)
{
	WATCH_FIELDS(FIELD_MERGE, WATCH_, 0)
}

static void rows_and_objects_are_merged_and_written(void **state)
{
	(void)state;
	struct header rows[] = { { "A", { 0 } }, { "B", { 0 } } };
	struct watch watch = { 7, { rows, 2 }, { "C", { 0 } } };
	struct watch_input input = { 0 };
	struct field_set sent = decode("headers[0][key]=D&headers[0][ids][]=3&id=7",
				       FIELDS(watch_update_rows), &input);
	const struct watch before = watch;
	assert_int_equal(0, violations.count);
	assert_true(field_set_equals(FIELD_SET(WATCH_headers), sent));
	watch_merge(&watch, &input, sent);
	assert_true(
		field_set_equals(sent, fields_differing(FIELDS(watch_update_rows), FIELD_SET_ALL,
							watch_fields, &before, &watch)));
	struct json_object *tree = json_object_tree();
	json_put_fields(tree, watch_fields, &watch);
	assert_json(tree, "{\"id\":7,\"headers\":[{\"key\":\"D\",\"ids\":[3]}],"
			  "\"target\":{\"key\":\"C\",\"ids\":[]}}");
	decode("headers[]=", watch_create_fields, &input);
	assert_true(violations_has(&violations, "headers"));
	sent = decode("headers[]=", FIELDS(watch_update_rows), &input);
	watch_merge(&watch, &input, sent);
	assert_int_equal(0, watch.headers.count);
}

/* JSON has rows and objects; a form has a name for each member, in the row 0. */
static void schemas_have_rows_and_objects(void **state)
{
	(void)state;
#define KEY "{\"type\":\"string\",\"minLength\":1,\"maxLength\":9}"
#define IDS "{\"type\":\"array\",\"maxItems\":2,\"items\":{\"type\":\"integer\",\"minimum\":1}}"
#define OBJECT \
	"{\"type\":\"object\",\"properties\":{\"key\":" KEY ",\"ids\":" IDS \
	"},\"required\":[\"key\"]}"
	assert_json(openapi_body_schema(&watch_create_fields, OPENAPI_JSON, false),
		    "{\"type\":\"object\",\"properties\":{\"headers\":{\"type\":\"array\","
		    "\"maxItems\":5,"
		    "\"items\":" OBJECT ",\"description\":\"Sent.\"},\"target\":" OBJECT "},"
		    "\"required\":[\"headers\"]}");
	assert_json(openapi_body_schema(&watch_create_fields, OPENAPI_MULTIPART, false),
		    "{\"type\":\"object\",\"properties\":{\"headers[0][key]\":" KEY
		    ",\"headers[0][ids][]\":" IDS ",\"target[key]\":" KEY ",\"target[ids][]\":" IDS
		    "}}");
	struct header rows[] = { { "A", { 0 } }, { "B", { 0 } } };
	const struct watch watch = { 7, { rows, 2 }, { "C", { 0 } } };
	struct json_object *resource = json_object_tree();
	json_put_fields(resource, watch_fields, &watch);
	assert_json(openapi_body_example(&watch_create_fields, OPENAPI_URLENCODED, resource),
		    "{\"headers[0][key]\":\"A\",\"headers[0][ids][]\":[],\"target[key]\":\"C\","
		    "\"target[ids][]\":[]}");
	assert_json(openapi_body_example(&watch_create_fields, OPENAPI_JSON, resource),
		    "{\"headers\":[{\"key\":\"A\",\"ids\":[]},{\"key\":\"B\",\"ids\":[]}],"
		    "\"target\":{\"key\":\"C\",\"ids\":[]}}");
	json_free(resource);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_monitor_is_read_merged_and_written),
		cmocka_unit_test(each_field_of_a_monitor_has_its_own_place),
		cmocka_unit_test(a_form_refuses_what_the_rows_do_not_allow),
		cmocka_unit_test(schemas_have_the_fields_of_their_rows),
		cmocka_unit_test(rows_and_objects_are_merged_and_written),
		cmocka_unit_test(schemas_have_rows_and_objects),
	};
	return RUN_WITH_ARENA(tests);
}
