#include "ctl/configuration/configuration_file.h"

#include <string.h>

#include "http/form.h"
#include "wire/json.h"
#include "wire/json_pairs.h"
#include "wire/json_read.h"
#include "wire/limits.h"

/* An object in the file, while it is being read. */
struct place {
	struct arena *arena;
	const struct configuration_files *files;
	struct violations *violations;
	struct error *error;
	enum result result;
	const char *path; /* "monitors[3]"; "" for the file */
	struct form form;
	struct wanted *wanted;
	bool is_page;
	bool has_password_file;
};

static void add_violation(struct place *place, const char *key, const char *message)
{
	const char *path = place->path;
	violations_add(place->violations,
		       *path ? arena_printf(place->arena, "%s.%s", path, key) : key, "%s", message);
}

static void add_rule(struct place *place, const char *key, const char *rule)
{
	const char *label = violation_label(place->arena, key);
	add_violation(place, key,
		      arena_printf(place->arena, "The %s field must be %s.", label, rule));
}

static void read_names(struct place *place, struct json_object *list)
{
	struct wanted *page = place->wanted;
	size_t count = json_length(list);
	page->has_monitors = true;
	page->monitor_names = ARENA_ARRAY(place->arena, count, const char *);
	if (list && !json_is_list(list))
		add_rule(place, "monitors", "a list of names");
	for (size_t i = 0; i < count; i++) {
		const char *name = json_text(json_item(list, i), place->arena);
		struct str text = str_trim(str_from(name));
		if (text.len > 0)
			page->monitor_names[page->monitor_count++] =
				arena_strndup(place->arena, text.data, text.len);
		else
			add_rule(place, arena_printf(place->arena, "monitors[%zu]", i),
				 "the name of a monitor");
	}
}

static void read_dependency(struct place *place, struct json_object *value)
{
	struct str name = str_trim(str_from(json_text(value, place->arena)));
	place->wanted->has_depends_on = true;
	if (name.len > 0)
		place->wanted->depends_on = arena_strndup(place->arena, name.data, name.len);
	else if (value)
		add_rule(place, "depends_on", "the name of a monitor, or null");
}

/* Reads the file that the value names. */
static bool read_named_file(struct place *place, const char *key, struct json_object *value,
			    size_t max_bytes, struct str *content)
{
	const char *name = json_text(value, place->arena), *why = NULL;
	if (!name || !*name) {
		add_rule(place, key, "the path of a file");
		return false;
	}
	if (place->files->read(place->files->context, name, max_bytes, content, &why))
		return true;
	add_violation(place, key, arena_printf(place->arena, "%s: %s.", name, why));
	return false;
}

/* Returns the form's field `name`, and marks it as set in the file. */
static const struct field *take_row(struct place *place, const char *name)
{
	const struct field *field = fields_find(place->form.fields, name);
	field_set_add(&place->wanted->sent, (size_t)(field - place->form.fields.rows));
	return field;
}

/* Reads the value of a picture: the path of its file, or null, which removes the picture. */
static void read_picture(struct place *place, const struct field *field, struct json_object *value)
{
	struct str content;
	if (!value) {
		const char *name = arena_printf(place->arena, "remove_%s", field->name);
		*FIELD_AT(&place->wanted->input, take_row(place, name), bool) = true;
		return;
	}
	if (!read_named_file(place, field->name, value, field->max_bytes, &content))
		return;
	struct field_file *file = ARENA_NEW(place->arena, struct field_file);
	*file = (struct field_file){ content.data, content.len };
	*FIELD_AT(&place->wanted->input, take_row(place, field->name), struct field_file *) = file;
}

/* Reads a page's password from a file. A line feed at the end of the file is not part of the
 * password. */
static void read_password_file(struct place *place, struct json_object *value)
{
	static const char key[] = "password_file";
	struct str content;
	place->has_password_file = true;
	if (!read_named_file(place, key, value, STATUS_PAGE_PASSWORD_MAX_BYTES + 2, &content))
		return;
	if (content.len > 0 && content.data[content.len - 1] == '\n')
		content.len--;
	if (content.len > 0 && content.data[content.len - 1] == '\r')
		content.len--;
	if (content.len == 0 || content.len > STATUS_PAGE_PASSWORD_MAX_BYTES ||
	    !str_is_text(content)) {
		add_rule(place, key, "a file with a text of 1 to 128 bytes");
		return;
	}
	take_row(place, "password");
	place->wanted->input.page.password = arena_strndup(place->arena, content.data, content.len);
}

bool configuration_has_key(const struct field *field)
{
	bool is_removal = field->kind == FIELD_BOOL && strncmp(field->name, "remove_", 7) == 0;
	/* The file has names of monitors instead of ids, since ids differ between installations. */
	bool is_id = strcmp(field->name, "depends_on_id") == 0;
	return !is_id && !(field->flags & (FIELD_READ_ONLY | FIELD_ACT)) &&
	       field->kind != FIELD_IDS && !is_removal;
}

static void visit_key(void *context, const char *key, struct json_object *value)
{
	struct place *place = context;
	const struct field *field = fields_find(place->form.fields, key);
	if (place->result != OK)
		return;
	if (place->is_page && strcmp(key, "monitors") == 0)
		read_names(place, value);
	else if (!place->is_page && strcmp(key, "depends_on") == 0)
		read_dependency(place, value);
	else if (place->is_page && strcmp(key, "password_file") == 0)
		read_password_file(place, value);
	else if (!field || !configuration_has_key(field))
		add_violation(place, key, "There is no such key.");
	else if (field->kind == FIELD_FILE)
		read_picture(place, field, value);
	else
		place->result = json_emit(&place->form.sink, key, value, place->error);
}

/* Adds a violation if `value` is missing. `apply` finds stored objects by the value of `key`. */
static void require(struct place *place, const char *key, const char *value)
{
	const char *label = violation_label(place->arena, key);
	if (!value && !violations_has(place->violations,
				      arena_printf(place->arena, "%s.%s", place->path, key)))
		add_violation(place, key,
			      arena_printf(place->arena, "The %s field is required.", label));
}

static void read_object(struct place *place, struct json_object *object,
			const struct configured_kind_row *kind)
{
	struct wanted *wanted = place->wanted;
	struct violations own;
	struct field_set sent;
	size_t before = place->violations->count;
	form_init(&place->form, *kind->form, place->arena);
	wanted->path = place->path;
	wanted->is_wrong = true;
	if (!json_is_object(object)) {
		violations_add(place->violations, place->path, "The value must be an object.");
		return;
	}
	place->has_password_file = false;
	json_each(object, visit_key, place);
	violations_init(&own, place->arena);
	if (place->result != OK)
		return;
	form_decode(&place->form, &wanted->input, &sent, &own);
	for (const struct violation *one = own.first; one; one = one->next)
		add_violation(place, one->field, one->message);
	if (place->has_password_file && field_set_has(sent, STATUS_PAGE_FIELD_password))
		add_violation(place, "password",
			      "The password and password_file fields exclude each other.");
	wanted->sent = field_set_or(wanted->sent, sent);
	require(place, kind->key,
		*FIELD_AT(&wanted->input, fields_find(*kind->form, kind->key), const char *));
	wanted->is_wrong = place->violations->count > before;
}

static void visit_list(void *context, const char *key, struct json_object *value)
{
	struct place *place = context;
	bool is_known = false;
	for (int kind = 0; kind < CONFIGURED_KINDS; kind++)
		is_known |= strcmp(key, configured_kinds[kind].list) == 0;
	if (!is_known)
		add_violation(place, key, "There is no such key.");
	else if (!json_is_list(value))
		add_rule(place, key, "a list");
}

/* Reads the objects of one kind. */
static void read_list(struct place *place, struct json_object *list, enum configured_kind kind,
		      struct wanted_list *wanted)
{
	*wanted =
		(struct wanted_list){ .is_there = json_is_list(list), .count = json_length(list) };
	wanted->rows = ARENA_ARRAY(place->arena, wanted->count, struct wanted);
	place->is_page = kind == CONFIGURED_PAGES;
	for (size_t i = 0; i < wanted->count; i++) {
		place->path = arena_printf(place->arena, "%s[%zu]", configured_kinds[kind].list, i);
		place->wanted = &wanted->rows[i];
		read_object(place, json_item(list, i), &configured_kinds[kind]);
	}
}

enum result configuration_read(struct str text, const struct configuration_files *files,
			       struct arena *arena, struct configuration *configuration,
			       struct violations *violations, struct error *error)
{
	struct json_object *root;
	struct place place = { .arena = arena, .files = files, .violations = violations };
	place.error = error;
	place.path = "";
	*configuration = (struct configuration){ 0 };
	enum result result = json_read_file(text, &root, error);
	size_t line;
	const char *repeated = result == OK ? json_repeated_name(text, arena, &line) : NULL;
	if (repeated) {
		json_free(root);
		return error_client(error, E_MALFORMED,
				    "line %zu: the key \"%.100s\" is in the object twice", line,
				    repeated);
	}
	if (result != OK)
		return result;
	json_each(root, visit_list, &place);
	for (int kind = 0; kind < CONFIGURED_KINDS; kind++)
		read_list(&place, json_member(root, configured_kinds[kind].list),
			  (enum configured_kind)kind, &configuration->lists[kind]);
	json_free(root);
	return place.result;
}
