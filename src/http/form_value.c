#include "http/form_value.h"

#include "wire/limits.h"

bool form_refuse(const struct given *given, const char *rule)
{
	violations_add(given->violations, given->name, "The %s field must be %s.", given->label,
		       rule);
	return false;
}

bool form_refuse_missing(const struct given *given)
{
	violations_add(given->violations, given->name, "The %s field is required.", given->label);
	return false;
}

bool form_refuse_count(const struct given *given)
{
	violations_add(given->violations, given->name,
		       "The %s field must not have more than %lld items.", given->label,
		       (long long)given->field->max);
	return false;
}

bool form_is_empty(const struct form_value *value)
{
	return value->shape == PAIR_NULL || value->shape == PAIR_EMPTY_LIST ||
	       (value->shape == PAIR_TEXT && str_trim(value->text).len == 0);
}

bool form_read_text(struct given *given)
{
	struct form_value *value = given->value;
	if (value->shape == PAIR_NESTED || value->shape == PAIR_EMPTY_LIST)
		return form_refuse(given, "a single value");
	if (value->shape == PAIR_FILE)
		return form_refuse(given, "text, not a file");
	given->text = value->text;
	if (!str_is_text(given->text))
		return form_refuse(given, "valid UTF-8 text without NUL bytes");
	if (!(given->field->flags & FIELD_EXACT))
		given->text = str_trim(given->text);
	given->is_null = value->shape == PAIR_NULL || given->text.len == 0;
	return true;
}

static bool decode_text(const struct given *given, void *object)
{
	const struct field *field = given->field;
	bool is_number = given->value->shape == PAIR_NUMBER;
	if ((is_number && !(field->flags & FIELD_NUMBER_TOO)) ||
	    given->value->shape == PAIR_BOOLEAN)
		return form_refuse(given, "a string");
	if (given->is_null && field->empty_value) {
		*FIELD_AT(object, field, const char *) = field->empty_value;
		return true;
	}
	/* Accept null for a field that the resource shows as null: clients send resources back. */
	bool is_as_read = given->value->shape == PAIR_NULL && field->flags & FIELD_ZERO_IS_NULL;
	if (given->is_null && !is_as_read && field->flags & (FIELD_NOT_EMPTY | FIELD_REQUIRED))
		return form_refuse_missing(given);
	if (field->max_chars > 0 &&
	    (given->value->is_cut || str_chars(given->text) > field->max_chars)) {
		violations_add(given->violations, given->name,
			       "The %s field must not be greater than %zu characters.",
			       given->label, field->max_chars);
		return false;
	}
	size_t max_bytes = field->max_bytes > 0 ? field->max_bytes : WIRE_VALUE_MAX_BYTES;
	if (given->value->is_cut || given->text.len > max_bytes) {
		violations_add(given->violations, given->name,
			       "The %s field must not be greater than %zu bytes.", given->label,
			       max_bytes);
		return false;
	}
	*FIELD_AT(object, field, const char *) =
		given->is_null ? NULL
			       : arena_strndup(given->arena, given->text.data, given->text.len);
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

static bool decode_bool(const struct given *given, void *object)
{
	return form_read_bool(given->text, FIELD_AT(object, given->field, bool)) ||
	       form_refuse(given, "true or false");
}

static bool decode_int(const struct given *given, void *object)
{
	const struct field *field = given->field;
	int64_t number = 0;
	if (given->is_null && field->flags & FIELD_ZERO_IS_NULL) {
		*FIELD_AT(object, field, int64_t) = number;
		return true;
	}
	bool is_number = given->value->shape == PAIR_TEXT || given->value->shape == PAIR_NUMBER;
	if (!is_number || !str_to_int64(given->text, &number))
		return form_refuse(given, "an integer");
	if (number < field->min || number > field->max) {
		violations_add(given->violations, given->name,
			       "The %s field must be from %lld to %lld.", given->label,
			       (long long)field->min, (long long)field->max);
		return false;
	}
	*FIELD_AT(object, field, int64_t) = number;
	return true;
}

static bool decode_choice(const struct given *given, void *object)
{
	const char *const *choices = given->field->choices;
	const char *all = "";
	for (int i = 0; choices[i]; i++) {
		if (str_eq(given->text, str_from(choices[i])) &&
		    given->value->shape != PAIR_BOOLEAN) {
			*FIELD_AT(object, given->field, int) = i;
			return true;
		}
		all = arena_printf(given->arena, "%s%s%s", all, i > 0 ? ", " : "", choices[i]);
	}
	violations_add(given->violations, given->name,
		       "The selected %s is invalid. It must be one of: %s.", given->label, all);
	return false;
}

static bool decode_time(const struct given *given, void *object)
{
	struct instant at = { 0 };
	if (given->is_null ? given->field->flags & FIELD_REQUIRED
			   : !instant_parse(given->text, &at))
		return form_refuse(given, "a time such as 2026-11-20T19:58:30Z");
	*FIELD_AT(object, given->field, struct instant) = at;
	return true;
}

/* Reads an upload. Clears *is_sent when no file was chosen. */
static bool decode_file(struct given *given, void *object, bool *is_sent)
{
	struct form_value *value = given->value;
	bool is_file = value->shape == PAIR_FILE;
	bool is_nothing = value->text.len == 0 &&
			  ((is_file && !value->has_filename) || value->shape == PAIR_NULL ||
			   value->shape == PAIR_TEXT);
	/* Browsers send an empty file input as a part without a file name. */
	if (is_nothing || (is_file && !value->has_filename)) {
		*is_sent = false;
		return true;
	}
	if (!is_file)
		return form_refuse(given, "a file");
	if (value->text.len > given->field->max_bytes) {
		violations_add(given->violations, given->name,
			       "The %s field must not be greater than %zu kilobytes.", given->label,
			       given->field->max_bytes / 1024);
		return false;
	}
	struct field_file *upload = ARENA_NEW(given->arena, struct field_file);
	*upload = (struct field_file){ value->text.data ? value->text.data : "", value->text.len };
	*FIELD_AT(object, given->field, struct field_file *) = upload;
	return true;
}

bool form_decode_value(struct given *given, void *object, bool *is_sent)
{
	if (given->field->kind == FIELD_FILE)
		return decode_file(given, object, is_sent);
	if (!form_read_text(given))
		return false;
	if (given->is_null && given->field->flags & FIELD_NULL_IS_UNSENT) {
		*is_sent = false;
		return true;
	}
	switch (given->field->kind) {
	case FIELD_TEXT:
		return decode_text(given, object);
	case FIELD_BOOL:
		return decode_bool(given, object);
	case FIELD_INT:
		return decode_int(given, object);
	case FIELD_CHOICE:
		return decode_choice(given, object);
	case FIELD_TIME:
		return decode_time(given, object);
	case FIELD_IDS:
	case FIELD_FILE:
	case FIELD_PERCENT:
	case FIELD_OBJECT:
	case FIELD_ROWS:
		break;
	}
	return false;
}
