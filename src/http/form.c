#include "http/form.h"

#include <string.h>
#include <strings.h>

#include "base/str.h"
#include "wire/limits.h"

/* A value that was sent, prepared for the rules of its field. */
struct given {
	const struct field *field;
	const char *name; /* for violations: "monitor_ids.3" */
	const char *label;
	struct form_value *value;
	struct str text; /* trimmed */
	bool is_null;	 /* JSON null, or an empty text */
};

static bool violation_of(const struct given *given, struct violations *violations, const char *rule)
{
	violations_add(violations, given->name, "The %s field must be %s.", given->label, rule);
	return false;
}

static bool add_violation_required(const char *name, const char *label,
				   struct violations *violations)
{
	violations_add(violations, name, "The %s field is required.", label);
	return false;
}

/* Reads the text of a scalar, trimmed unless FIELD_EXACT. */
static bool read_scalar_text(struct given *given, struct violations *violations)
{
	struct form_value *value = given->value;
	if (value->shape == PAIR_NESTED || value->shape == PAIR_EMPTY_LIST)
		return violation_of(given, violations, "a single value");
	if (value->shape == PAIR_FILE)
		return violation_of(given, violations, "text, not a file");
	given->text = value->text;
	if (!str_is_text(given->text))
		return violation_of(given, violations, "valid UTF-8 text without NUL bytes");
	if (!(given->field->flags & FIELD_EXACT))
		given->text = str_trim(given->text);
	given->is_null = value->shape == PAIR_NULL || given->text.len == 0;
	return true;
}

static bool decode_text(struct given *given, struct arena *arena, void *object,
			struct violations *violations)
{
	const struct field *field = given->field;
	bool is_number = given->value->shape == PAIR_NUMBER;
	if ((is_number && !(field->flags & FIELD_NUMBER_TOO)) ||
	    given->value->shape == PAIR_BOOLEAN)
		return violation_of(given, violations, "a string");
	if (given->is_null && field->empty_value) {
		*FIELD_AT(object, field, const char *) = field->empty_value;
		return true;
	}
	if (given->is_null && field->flags & (FIELD_NOT_EMPTY | FIELD_REQUIRED))
		return add_violation_required(given->name, given->label, violations);
	if (field->max_chars > 0 &&
	    (given->value->is_cut || str_chars(given->text) > field->max_chars)) {
		violations_add(violations, given->name,
			       "The %s field must not be greater than %zu characters.",
			       given->label, field->max_chars);
		return false;
	}
	size_t max_bytes = field->max_bytes > 0 ? field->max_bytes : WIRE_VALUE_MAX_BYTES;
	if (given->value->is_cut || given->text.len > max_bytes) {
		violations_add(violations, given->name,
			       "The %s field must not be greater than %zu bytes.", given->label,
			       max_bytes);
		return false;
	}
	*FIELD_AT(object, field, const char *) =
		given->is_null ? NULL : arena_strndup(arena, given->text.data, given->text.len);
	return true;
}

bool form_read_bool(struct str text, bool *value)
{
	static const struct {
		struct str word;
		bool value;
	} words[] = {
		{ { "1", 1 }, true },	   { { "0", 1 }, false },  { { "true", 4 }, true },
		{ { "false", 5 }, false }, { { "on", 2 }, true },  { { "off", 3 }, false },
		{ { "yes", 3 }, true },	   { { "no", 2 }, false },
	};
	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		if (!str_eq_nocase(text, words[i].word))
			continue;
		*value = words[i].value;
		return true;
	}
	return false;
}

static bool decode_bool(const struct given *given, void *object, struct violations *violations)
{
	return form_read_bool(given->text, FIELD_AT(object, given->field, bool)) ||
	       violation_of(given, violations, "true or false");
}

static bool decode_int(const struct given *given, void *object, struct violations *violations)
{
	const struct field *field = given->field;
	int64_t number = 0;
	if (given->is_null && field->flags & FIELD_ZERO_IS_NULL) {
		*FIELD_AT(object, field, int64_t) = number;
		return true;
	}
	bool is_number = given->value->shape == PAIR_TEXT || given->value->shape == PAIR_NUMBER;
	if (!is_number || !str_to_int64(given->text, &number))
		return violation_of(given, violations, "an integer");
	if (number < field->min || number > field->max) {
		violations_add(violations, given->name, "The %s field must be from %lld to %lld.",
			       given->label, (long long)field->min, (long long)field->max);
		return false;
	}
	*FIELD_AT(object, field, int64_t) = number;
	return true;
}

static bool decode_choice(const struct given *given, struct arena *arena, void *object,
			  struct violations *violations)
{
	const char *const *choices = given->field->choices;
	const char *all = "";
	for (int i = 0; choices[i]; i++) {
		if (str_eq(given->text, str_from(choices[i])) &&
		    given->value->shape != PAIR_BOOLEAN) {
			*FIELD_AT(object, given->field, int) = i;
			return true;
		}
		all = arena_printf(arena, "%s%s%s", all, i > 0 ? ", " : "", choices[i]);
	}
	violations_add(violations, given->name,
		       "The selected %s is invalid. It must be one of: %s.", given->label, all);
	return false;
}

static bool decode_time(const struct given *given, void *object, struct violations *violations)
{
	struct instant at = { 0 };
	if (given->is_null ? given->field->flags & FIELD_REQUIRED
			   : !instant_parse(given->text, &at))
		return violation_of(given, violations, "a time such as 2026-11-20T19:58:30Z");
	*FIELD_AT(object, given->field, struct instant) = at;
	return true;
}

/* Clears *is_sent if the field treats an empty value as not sent. */
static bool decode_scalar(struct given *given, struct arena *arena, void *object, bool *is_sent,
			  struct violations *violations)
{
	if (!read_scalar_text(given, violations))
		return false;
	if (given->is_null && given->field->flags & FIELD_NULL_IS_UNSENT) {
		*is_sent = false;
		return true;
	}
	switch (given->field->kind) {
	case FIELD_TEXT:
		return decode_text(given, arena, object, violations);
	case FIELD_BOOL:
		return decode_bool(given, object, violations);
	case FIELD_INT:
		return decode_int(given, object, violations);
	case FIELD_CHOICE:
		return decode_choice(given, arena, object, violations);
	case FIELD_TIME:
		return decode_time(given, object, violations);
	case FIELD_IDS:
	case FIELD_FILE:
	case FIELD_PERCENT:
	case FIELD_OBJECT:
	case FIELD_ROWS:
		break;
	}
	return false;
}

static void append_id(struct id_list *list, int64_t id)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->ids[i] == id)
			return;
	list->ids[list->count++] = id;
}

/* The items of a list, each a positive integer. */
static bool decode_items(const struct given *given, const struct form_entry *entry,
			 struct arena *arena, void *object, struct violations *violations)
{
	struct id_list list = { 0 };
	size_t count = 0, at = 0, violations_before = violations->count;
	for (const struct form_item *item = entry->items; item; item = item->next)
		count++;
	list.ids = ARENA_ARRAY(arena, count, int64_t);
	for (struct form_item *item = entry->items; item; item = item->next, at++) {
		struct given one = { given->field, arena_printf(arena, "%s.%zu", given->name, at),
				     NULL,	   &item->value,
				     { 0 },	   false };
		one.label = one.name;
		int64_t id;
		if (!read_scalar_text(&one, violations))
			continue;
		/* A form sends an empty list as "monitor_ids[]=" alone. */
		if (one.is_null && count == 1)
			continue;
		if (item->value.shape == PAIR_BOOLEAN || !str_to_int64(one.text, &id) || id < 1)
			violation_of(&one, violations, "a positive integer");
		else
			append_id(&list, id);
	}
	if (violations->count > violations_before)
		return false;
	if ((int64_t)list.count > given->field->max) {
		violations_add(violations, given->name,
			       "The %s field must not have more than %lld items.", given->label,
			       (long long)given->field->max);
		return false;
	}
	*FIELD_AT(object, given->field, struct id_list) = list;
	return true;
}

static bool decode_list(struct given *given, const struct form_entry *entry, struct arena *arena,
			void *object, struct violations *violations)
{
	if (!entry->has_bad_index && entry->items)
		return decode_items(given, entry, arena, object, violations);
	enum pair_shape shape = given->value->shape;
	bool is_empty = shape == PAIR_NULL || shape == PAIR_EMPTY_LIST ||
			(shape == PAIR_TEXT && str_trim(given->value->text).len == 0);
	if (entry->has_bad_index || !is_empty)
		return violation_of(given, violations, "an array");
	*FIELD_AT(object, given->field, struct id_list) = (struct id_list){ 0 };
	return true;
}

/* Reads an upload. Clears *is_sent when no file was chosen. */
static bool decode_file(struct given *given, struct arena *arena, void *object, bool *is_sent,
			struct violations *violations)
{
	struct form_value *value = given->value;
	bool is_file = value->shape == PAIR_FILE;
	bool is_nothing = value->text.len == 0 &&
			  ((is_file && !value->has_filename) || value->shape == PAIR_NULL ||
			   value->shape == PAIR_TEXT);
	/* Browsers send an empty file input as a part without a name. */
	if (is_nothing || (is_file && !value->has_filename)) {
		*is_sent = false;
		return true;
	}
	if (!is_file)
		return violation_of(given, violations, "a file");
	if (value->text.len > given->field->max_bytes) {
		violations_add(violations, given->name,
			       "The %s field must not be greater than %zu kilobytes.", given->label,
			       given->field->max_bytes / 1024);
		return false;
	}
	struct field_file *upload = ARENA_NEW(arena, struct field_file);
	*upload = (struct field_file){ value->text.data ? value->text.data : "", value->text.len };
	*FIELD_AT(object, given->field, struct field_file *) = upload;
	return true;
}

static bool decode_entry(struct form *form, const struct field *field, struct form_entry *entry,
			 void *object, bool *is_sent, struct violations *violations)
{
	struct given given = {
		field,	       field->name, violation_label(form->arena, field->name),
		&entry->value, { 0 },	    false
	};
	if (field->kind == FIELD_IDS)
		return decode_list(&given, entry, form->arena, object, violations);
	if (entry->items || entry->has_bad_index)
		return violation_of(&given, violations, "a single value");

	if (field->kind == FIELD_FILE)
		return decode_file(&given, form->arena, object, is_sent, violations);
	return decode_scalar(&given, form->arena, object, is_sent, violations);
}

static bool is_sent(const struct form_entry *entry)
{
	return entry->value.is_sent || entry->items || entry->has_bad_index;
}

bool form_keeps_as_read(const struct field *field, const struct form_entry *entry)
{
	struct instant at;
	if (!is_sent(entry) || !(field->flags & (FIELD_READ_ONLY | FIELD_OR_AS_READ)))
		return false;
	return field->flags & FIELD_READ_ONLY || entry->value.shape == PAIR_NULL ||
	       instant_parse(str_trim(entry->value.text), &at);
}

bool form_has(const struct form *form, const char *name)
{
	for (size_t i = 0; i < form->fields.count; i++)
		if (strcmp(form->fields.rows[i].name, name) == 0)
			return is_sent(&form->entries[i]);
	return false;
}

void form_decode(struct form *form, void *object, struct field_set *sent,
		 struct violations *violations)
{
	*sent = FIELD_SET_NONE;
	for (size_t i = 0; i < form->fields.count; i++) {
		const struct field *field = &form->fields.rows[i];
		struct form_entry *entry = &form->entries[i];
		bool is_there = is_sent(entry);
		if (form_keeps_as_read(field, entry))
			continue;
		if (is_there && decode_entry(form, field, entry, object, &is_there, violations) &&
		    is_there)
			field_set_add(sent, i);
		if (!is_there && field->flags & FIELD_REQUIRED)
			add_violation_required(
				field->name, violation_label(form->arena, field->name), violations);
	}
}

enum result form_method(struct form *form, const char **method, struct violations *violations)
{
	struct {
		const char *method;
	} object = { 0 };
	static const struct field row = { .name = "_method", .kind = FIELD_TEXT };
	struct form_entry *entry = &form->entries[form->fields.count];
	bool is_there = is_sent(entry);
	*method = NULL;
	if (!is_there)
		return OK;
	if (!decode_entry(form, &row, entry, &object, &is_there, violations))
		return E_INVALID;
	if (!object.method)
		return OK;
	if (strcasecmp(object.method, "PUT") == 0)
		*method = "PUT";
	else if (strcasecmp(object.method, "PATCH") == 0)
		*method = "PATCH";
	else
		violations_add(violations, "_method",
			       "The selected _method is invalid. It must be PUT or PATCH.");
	return *method ? OK : E_INVALID;
}
