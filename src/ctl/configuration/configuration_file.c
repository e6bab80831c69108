#include "ctl/configuration/configuration_file.h"

#include <string.h>

#include "http/form.h"
#include "wire/json.h"
#include "wire/json_read.h"
#include "wire/limits.h"

/* Where a key is: of the file, of a monitor or of a page. */
struct place {
	struct arena *arena;
	const struct configuration_files *files;
	struct violations *violations;
	struct error *error;
	enum result result;
	const char *path; /* "monitors[3]"; "" for the file */
	struct form form;
	struct wanted_page *page; /* NULL: the object is no page */
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

/* The keys of a page that the API has under another name, or as a file. */
static bool is_apart(const char *key)
{
	static const char *const keys[] = { "monitor_ids",   "logo",	    "logo_dark",
					    "favicon",	     "remove_logo", "remove_logo_dark",
					    "remove_favicon" };
	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		if (strcmp(keys[i], key) == 0)
			return true;
	return false;
}

static void read_names(struct place *place, struct json_object *list)
{
	struct wanted_page *page = place->page;
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

/* The members of a picture of a page. */
static const struct picture {
	const char *key, *removal;
	size_t file, is_removed; /* offsets in struct status_page_input */
	size_t max_bytes;
} pictures[] = {
	{ "logo", "remove_logo", offsetof(struct status_page_input, logo),
	  offsetof(struct status_page_input, remove_logo), STATUS_PAGE_LOGO_MAX_BYTES },
	{ "logo_dark", "remove_logo_dark", offsetof(struct status_page_input, logo_dark),
	  offsetof(struct status_page_input, remove_logo_dark), STATUS_PAGE_LOGO_MAX_BYTES },
	{ "favicon", "remove_favicon", offsetof(struct status_page_input, favicon),
	  offsetof(struct status_page_input, remove_favicon), STATUS_PAGE_FAVICON_MAX_BYTES },
};

/* NULL: the key is no picture. */
static const struct picture *picture_of(const char *key)
{
	for (size_t i = 0; i < ARRAY_LEN(pictures); i++)
		if (strcmp(pictures[i].key, key) == 0)
			return &pictures[i];
	return NULL;
}

static struct field_file **file_in(struct status_page_input *input, const struct picture *picture)
{
	return (struct field_file **)(void *)((char *)input + picture->file);
}

static bool *removal_in(struct status_page_input *input, const struct picture *picture)
{
	return (bool *)(void *)((char *)input + picture->is_removed);
}

static void read_picture(struct place *place, const struct picture *picture,
			 struct json_object *value)
{
	struct status_page_change *change = &place->page->change;
	struct status_page_input *input = &change->input;
	struct str content;
	if (!value) {
		*removal_in(input, picture) = true;
		field_set_add(&change->sent, status_page_place(picture->removal));
		return;
	}
	if (!read_named_file(place, picture->key, value, picture->max_bytes, &content))
		return;
	struct field_file *file = ARENA_NEW(place->arena, struct field_file);
	*file = (struct field_file){ content.data, content.len };
	*file_in(input, picture) = file;
	field_set_add(&change->sent, status_page_place(picture->key));
}

/* The file may end with a line feed, which is not part of the password. */
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
	place->page->change.input.password = arena_strndup(place->arena, content.data, content.len);
	field_set_add(&place->page->change.sent, status_page_place("password"));
}

/* Reads a key of a page that is not a value of the form. False: it is none of these. */
static bool read_apart(struct place *place, const char *key, struct json_object *value)
{
	if (strcmp(key, "monitors") == 0)
		read_names(place, value);
	else if (picture_of(key))
		read_picture(place, picture_of(key), value);
	else if (strcmp(key, "password_file") == 0)
		read_password_file(place, value);
	else
		return false;
	return true;
}

static void visit_key(void *context, const char *key, struct json_object *value)
{
	struct place *place = context;
	const struct field *field = fields_find(place->form.fields, key);
	if (place->result != OK || (place->page && read_apart(place, key, value)))
		return;
	if (field && !(field->flags & FIELD_READ_ONLY) && !(place->page && is_apart(key)))
		place->result = json_emit(&place->form.sink, key, value, place->error);
	else
		add_violation(place, key, "There is no such key.");
}

/* The key by which the object is found. */
static void require(struct place *place, const char *key)
{
	const char *label = violation_label(place->arena, key);
	if (!violations_has(place->violations,
			    arena_printf(place->arena, "%s.%s", place->path, key)))
		add_violation(place, key,
			      arena_printf(place->arena, "The %s field is required.", label));
}

/* Reads the values of an object into `input`. */
static void read_object(struct place *place, struct json_object *object, struct fields fields,
			void *input, struct field_set *sent)
{
	struct violations own;
	form_init(&place->form, fields, place->arena);
	if (!json_is_object(object)) {
		violations_add(place->violations, place->path, "It must be an object.");
		return;
	}
	json_each(object, visit_key, place);
	violations_init(&own, place->arena);
	if (place->result == OK)
		form_decode(&place->form, input, sent, &own);
	for (const struct violation *one = own.first; one; one = one->next)
		add_violation(place, one->field, one->message);
}

static void read_monitor(struct place *place, struct json_object *object,
			 struct wanted_monitor *monitor)
{
	size_t before = place->violations->count;
	place->page = NULL;
	monitor->path = place->path;
	read_object(place, object, monitor_update_fields, &monitor->input, &monitor->sent);
	if (!monitor->input.name && json_is_object(object))
		require(place, "name");
	monitor->is_wrong = place->violations->count > before;
}

static void read_page(struct place *place, struct json_object *object, struct wanted_page *page)
{
	struct status_page_change form = { 0 };
	place->page = page;
	place->has_password_file = false;
	page->path = place->path;
	size_t before = place->violations->count;
	/* The form has its own input: form_decode() sets *sent anew. */
	read_object(place, object, status_page_update_fields, &form.input, &form.sent);
	if (place->has_password_file && field_set_has(form.sent, status_page_place("password")))
		add_violation(place, "password",
			      "The password and password_file fields exclude each other.");
	struct status_page_input apart = page->change.input;
	page->change.input = form.input;
	for (size_t i = 0; i < ARRAY_LEN(pictures); i++) {
		const struct picture *picture = &pictures[i];
		*file_in(&page->change.input, picture) = *file_in(&apart, picture);
		*removal_in(&page->change.input, picture) = *removal_in(&apart, picture);
	}
	if (apart.password)
		page->change.input.password = apart.password;
	page->change.sent = field_set_or(page->change.sent, form.sent);
	if (!form.input.slug && json_is_object(object))
		require(place, "slug");
	page->is_wrong = place->violations->count > before;
}

/* A member that must be a list. */
static bool has_list(struct place *place, struct json_object *list, const char *key)
{
	place->path = "";
	if (!json_is_list(list))
		add_rule(place, key, "a list");
	return json_is_list(list);
}

static void visit_list(void *context, const char *key, struct json_object *value)
{
	struct place *place = context;
	place->path = "";
	if (strcmp(key, "monitors") == 0 || strcmp(key, "status_pages") == 0)
		has_list(place, value, key);
	else
		add_violation(place, key, "There is no such key.");
}

enum result configuration_read(struct str text, const struct configuration_files *files,
			       struct arena *arena, struct configuration *configuration,
			       struct violations *violations, struct error *error)
{
	struct json_object *root;
	struct place place = { .arena = arena, .files = files, .violations = violations };
	place.error = error;
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
	struct json_object *monitors = json_member(root, "monitors");
	struct json_object *pages = json_member(root, "status_pages");
	configuration->has_monitors = json_is_list(monitors);
	configuration->has_pages = json_is_list(pages);
	configuration->monitor_count = json_length(monitors);
	configuration->page_count = json_length(pages);
	configuration->monitors =
		ARENA_ARRAY(arena, configuration->monitor_count, struct wanted_monitor);
	configuration->pages = ARENA_ARRAY(arena, configuration->page_count, struct wanted_page);
	for (size_t i = 0; i < configuration->monitor_count; i++) {
		place.path = arena_printf(arena, "monitors[%zu]", i);
		read_monitor(&place, json_item(monitors, i), &configuration->monitors[i]);
	}
	for (size_t i = 0; i < configuration->page_count; i++) {
		place.path = arena_printf(arena, "status_pages[%zu]", i);
		read_page(&place, json_item(pages, i), &configuration->pages[i]);
	}
	json_free(root);
	return place.result;
}
