/* JSON bodies, through the form of a real resource: what comes out keeps the rules. */
#include "domain/status_page.h"
#include "fuzz/fuzz.h"
#include "http/form.h"
#include "wire/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena arena;
	struct form form;
	struct violations violations;
	struct json_decoder decoder;
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
	json_decoder_init(&decoder, &form.sink);
	enum result result = json_decoder_feed(&decoder, fuzz_str(data, size), &error);
	if (result == OK)
		result = json_decoder_finish(&decoder, &error);
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
	json_decoder_done(&decoder);
	arena_done(&arena);
	return 0;
}
