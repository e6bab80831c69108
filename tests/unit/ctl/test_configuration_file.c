#include "unit/lib/unit.h"

#include "ctl/configuration/configuration_file.h"

static struct error error;
static struct violations violations;
static struct configuration read;

/* The only files that there are. */
static bool read_file(void *context, const char *path, size_t max_bytes, struct str *content,
		      const char **why)
{
	(void)context;
	*content = strcmp(path, "secret") == 0 ? STR("pass word\r\n") : STR("\n");
	*why = "it is not there";
	return content->len <= max_bytes &&
	       (strcmp(path, "secret") == 0 || strcmp(path, "empty") == 0);
}

static enum result read_text(const char *text)
{
	static const struct configuration_files files = { read_file, NULL };
	violations_init(&violations, &arena);
	return configuration_read(str_from(text), &files, &arena, &read, &violations, &error);
}

/* All violations as "place: message", one in each line. */
static const char *all_violations(void)
{
	const char *text = "";
	for (const struct violation *one = violations.first; one; one = one->next)
		text = arena_printf(&arena, "%s%s: %s\n", text, one->field, one->message);
	return text;
}

static void the_fields_of_the_api_are_read(void **state)
{
	(void)state;
	assert_int_equal(
		OK,
		read_text("{\"monitors\": [{\"name\": \" Web \", \"position\": 7, \"label\": null,"
			  " \"known_since\": \"2026-03-01T00:00:00Z\", \"is_paused\": true}],"
			  "\"status_pages\": [{\"slug\": \"S\", \"privacy\": 2,"
			  " \"monitors\": [\" Web\", \"Mail\"], \"password_file\": \"secret\","
			  " \"logo\": null, \"logo_dark\": \"secret\", \"favicon\": null},"
			  " {\"slug\": \"t\"}]}"));
	assert_string_equal("", all_violations());
	assert_int_equal(1, read.lists[CONFIGURED_MONITORS].count);
	const struct wanted *web = &read.lists[CONFIGURED_MONITORS].rows[0];
	assert_string_equal("Web", web->input.monitor.name);
	assert_int_equal(7, web->input.monitor.position);
	assert_true(web->input.monitor.is_paused);
	assert_null(web->input.monitor.label);
	assert_true(field_set_equals(web->sent,
				     FIELD_SET(MONITOR_FIELD_name, MONITOR_FIELD_position,
					       MONITOR_FIELD_label, MONITOR_FIELD_known_since,
					       MONITOR_FIELD_is_paused)));
	const struct wanted *pages = read.lists[CONFIGURED_PAGES].rows, *page = &pages[0];
	assert_int_equal(2, page->monitor_count);
	assert_string_equal("Web", page->monitor_names[0]);
	assert_string_equal("Mail", page->monitor_names[1]);
	assert_string_equal("pass word", page->input.page.password);
	assert_true(page->input.page.remove_logo && page->input.page.remove_favicon);
	assert_false(page->input.page.remove_logo_dark);
	assert_non_null(page->input.page.logo_dark);
	assert_null(page->input.page.logo);
	assert_memory_equal("pass word", page->input.page.logo_dark->data, 9);
	assert_false(pages[1].has_monitors);
	assert_true(field_set_equals(FIELD_SET(STATUS_PAGE_FIELD_slug), pages[1].sent));
}

static void a_list_that_is_missing_is_not_an_empty_list(void **state)
{
	(void)state;
	assert_int_equal(OK, read_text("{\"monitors\": []}"));
	assert_true(read.lists[CONFIGURED_MONITORS].is_there);
	assert_false(read.lists[CONFIGURED_PAGES].is_there);
	assert_int_equal(OK, read_text("{}"));
	assert_false(read.lists[CONFIGURED_MONITORS].is_there);
}

/* A row of a field table is a key of the file. */
static void each_field_of_the_tables_is_a_key(void **state)
{
	(void)state;
	for (int kind = 0; kind < CONFIGURED_KINDS; kind++) {
		const struct fields form = *configured_kinds[kind].form;
		size_t keys = 0;
		for (size_t i = 0; i < form.count; i++) {
			const char *name = form.rows[i].name;
			bool is_apart = strcmp(name, "monitor_ids") == 0 ||
					strcmp(name, "alert_channel_ids") == 0 ||
					strncmp(name, "remove_", 7) == 0 ||
					strncmp(name, "maintenance_", 12) == 0 ||
					strcmp(name, "depends_on_id") == 0;
			bool is_key = !is_apart && !(form.rows[i].flags & FIELD_READ_ONLY);
			assert_int_equal(
				OK, read_text(arena_printf(&arena, "{\"%s\": [{\"%s\": {}}]}",
							   configured_kinds[kind].list, name)));
			assert_true(is_key == !strstr(all_violations(), "There is no such key."));
			keys += is_key;
		}
		assert_true(keys >= 8);
	}
}

static void every_unknown_key_is_a_violation(void **state)
{
	(void)state;
	assert_int_equal(OK, read_text("{\"pages\": [], \"monitors\": [{\"name\": \"a\", \"id\": 1,"
				       "\"urls\": 2}], \"status_pages\": [{\"slug\": \"s\","
				       "\"monitor_ids\": [], \"remove_logo\": true, \"Name\": 1,"
				       "\"created_at\": null}]}"));
	assert_string_equal("pages: There is no such key.\n"
			    "monitors[0].id: There is no such key.\n"
			    "monitors[0].urls: There is no such key.\n"
			    "status_pages[0].monitor_ids: There is no such key.\n"
			    "status_pages[0].remove_logo: There is no such key.\n"
			    "status_pages[0].Name: There is no such key.\n"
			    "status_pages[0].created_at: There is no such key.\n",
			    all_violations());
	assert_true(read.lists[CONFIGURED_MONITORS].rows[0].is_wrong);
	assert_true(read.lists[CONFIGURED_PAGES].rows[0].is_wrong);
}

static void every_wrong_value_is_named(void **state)
{
	(void)state;
	assert_int_equal(
		OK, read_text("{\"monitors\": [{}, 1, null, {\"name\": \"a\", \"position\": -1,"
			      "\"is_paused\": 2}], \"status_pages\": [{\"slug\": \"\", \"logo\": 5,"
			      "\"favicon\": \"none.ico\", \"password_file\": \"empty\","
			      "\"monitors\": [\"\", [], \"x\"]}, {\"slug\": \"s\", \"monitors\": 1,"
			      "\"password\": \"p\", \"password_file\": \"secret\"}]}"));
	assert_string_equal(
		"monitors[0].name: The name field is required.\n"
		"monitors[1]: The value must be an object.\n"
		"monitors[2]: The value must be an object.\n"
		"monitors[3].position: The position field must be from 0 to 2147483647.\n"
		"monitors[3].is_paused: The is paused field must be true or false.\n"
		"status_pages[0].logo: 5: it is not there.\n"
		"status_pages[0].favicon: none.ico: it is not there.\n"
		"status_pages[0].password_file: The password file field must be a file with a text "
		"of 1 to 128 bytes.\n"
		"status_pages[0].monitors[0]: The monitors[0] field must be the name of a "
		"monitor.\n"
		"status_pages[0].monitors[1]: The monitors[1] field must be the name of a "
		"monitor.\n"
		"status_pages[0].slug: The slug field is required.\n"
		"status_pages[1].monitors: The monitors field must be a list of names.\n"
		"status_pages[1].password: The password and password_file fields exclude each "
		"other.\n",
		all_violations());
	assert_int_equal(OK, read_text("{\"monitors\": {}, \"status_pages\": null}"));
	assert_string_equal("monitors: The monitors field must be a list.\n"
			    "status_pages: The status pages field must be a list.\n",
			    all_violations());
}

static void a_syntax_error_names_its_line(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		const char *message;
	} rows[] = {
		{ "{\n\"monitors\": [\n  {\"name\": \"x\",}\n]}", "line 3: unexpected character." },
		{ "{\n\"a\": 'x'}", "line 2: it has a single quote, NaN or Infinity." },
		{ "{}\n\n{}", "line 3: There is text after the JSON body." },
		{ "{\"monitors\": [", "The JSON body is incomplete." },
		{ "[]", "The JSON body must be an object." },
		{ "", "The JSON body is incomplete." },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		assert_int_equal(E_MALFORMED, read_text(rows[i].text));
		assert_string_equal(rows[i].message, error.client);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_fields_of_the_api_are_read),
		cmocka_unit_test(a_list_that_is_missing_is_not_an_empty_list),
		cmocka_unit_test(each_field_of_the_tables_is_a_key),
		cmocka_unit_test(every_unknown_key_is_a_violation),
		cmocka_unit_test(every_wrong_value_is_named),
		cmocka_unit_test(a_syntax_error_names_its_line),
	};
	return RUN_WITH_ARENA(tests);
}
