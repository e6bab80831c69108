/*
 * JSON bodies, through the form of a real resource, and JSON bodies and pairs, through a form of
 * rows and objects: what comes out keeps the rules.
 */
#include "domain/page/status_page.h"
#include "fuzz/fuzz.h"
#include "http/form.h"
#include "wire/json_pairs.h"
#include "wire/urlencoded.h"

struct header {
	const char *key;
	struct id_list ids;
};
struct nested {
	struct field_rows headers;
	struct {
		int64_t port;
	} target;
};
static const struct field header_rows[] = {
	FIELD(struct header, key, .flags = FIELD_REQUIRED | FIELD_NOT_EMPTY, .max_chars = 3),
	FIELD(struct header, ids, .max = 2),
};
static const struct fields header_fields = FIELDS(header_rows);
static const struct field target_rows[] = {
	FIELD_NAMED(struct nested, target.port, "port", .min = 1, .max = 100),
};
static const struct fields target_fields = FIELDS(target_rows);
static const struct field nested_rows[] = {
	FIELD(struct nested, headers, FIELD_MEMBERS(struct header, &header_fields), .max = 3),
	{ .name = "target", .kind = FIELD_OBJECT, .members = &target_fields },
};

static void decode_nested(struct str text, bool is_json, struct arena *arena)
{
	struct form form;
	struct violations violations;
	struct error error = { 0 };
	struct nested object = { 0 };
	struct field_set sent;
	enum result result;
	form_init(&form, FIELDS(nested_rows), arena);
	violations_init(&violations, arena);
	if (is_json) {
		result = json_decode(text, arena, &form.sink, &error);
	} else {
		result = urlencoded_decode(text, &form.sink, &error);
	}
	if (result != OK)
		return;
	form_decode(&form, &object, &sent, &violations);
	MUST_HOLD(object.headers.count <= 3);
	MUST_HOLD(object.target.port >= 0 && object.target.port <= 100);
	for (size_t i = 0; i < object.headers.count; i++) {
		const struct header *header = (const struct header *)object.headers.rows + i;
		MUST_HOLD(header->key && str_chars(str_from(header->key)) <= 3);
		MUST_HOLD(header->ids.count <= 2);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena arena;
	struct form form;
	struct violations violations;
	struct error error = { 0 };
	struct status_page_input input = { 0 };
	const struct config config = { .base_url = "https://status.example.org" };
	struct site site;
	struct field_set sent;
	const char *method;
	arena_init(&arena, (size_t)256 << 20);
	site_init(&site, &config, &arena);
	form_init(&form, status_page_create_fields, &arena);
	violations_init(&violations, &arena);
	enum result result = json_decode(fuzz_str(data, size), &arena, &form.sink, &error);
	if (result == OK && form_method(&form, &method, &violations) == OK) {
		form_decode(&form, &input, &sent, &violations);
		status_page_check(&input, &site, &arena, &violations);
		if (violations.count == 0) {
			MUST_HOLD(input.name && str_is_text(str_from(input.name)));
			MUST_HOLD(str_chars(str_from(input.name)) <= 255);
			MUST_HOLD(input.slug &&
				  strspn(input.slug, "abcdefghijklmnopqrstuvwxyz"
						     "0123456789-_") == strlen(input.slug));
			MUST_HOLD(input.monitor_ids.count <= STATUS_PAGE_MONITORS_MAX);
			MUST_HOLD(input.privacy >= 0 && input.privacy <= 2);
		}
	}
	decode_nested(fuzz_str(data, size), true, &arena);
	decode_nested(fuzz_str(data, size), false, &arena);
	arena_done(&arena);
	return 0;
}
