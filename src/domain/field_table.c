#include "domain/field_table.h"

#include <string.h>

#include "base/str.h"

static void add_violation(const struct field *field, struct str text, struct arena *arena,
			  struct violations *violations)
{
	bool has_chars = field->max_chars > 0;
	const char *label = violation_label(arena, field->name);
	if (!str_is_text(text)) {
		violations_add(violations, field->name,
			       "The %s field must be valid UTF-8 text without NUL bytes.", label);
		return;
	}
	violations_add(violations, field->name, "The %s field must have %s %zu %s.", label,
		       field->flags & FIELD_NOT_EMPTY ? "1 to" : "at most",
		       has_chars ? field->max_chars : field->max_bytes,
		       has_chars ? "characters" : "bytes");
}

static bool is_allowed(const struct field *field, struct str text)
{
	if (text.len == 0)
		return !(field->flags & FIELD_NOT_EMPTY);
	return str_is_text(text) &&
	       (field->max_chars == 0 || str_chars(text) <= field->max_chars) &&
	       (field->max_bytes == 0 || text.len <= field->max_bytes);
}

void fields_check_texts(struct fields form, void *input, struct field_set sent, struct arena *arena,
			struct violations *violations)
{
	for (size_t i = 0; i < form.count; i++) {
		const struct field *field = &form.rows[i];
		if (field->kind != FIELD_TEXT || field->flags & FIELD_READ_ONLY)
			continue;
		const char **member = FIELD_AT(input, field, const char *);
		bool is_sent = *member || field_set_has(sent, i) || field->flags & FIELD_REQUIRED;
		struct str text = str_from(*member);
		if (!is_sent || violations_has(violations, field->name))
			continue;
		if (!(field->flags & FIELD_EXACT))
			text = str_trim(text);
		if (text.len == 0 && field->empty_value)
			text = str_from(field->empty_value);
		if (!is_allowed(field, text))
			add_violation(field, text, arena, violations);
		*member = text.len > 0 ? arena_strndup(arena, text.data, text.len) : NULL;
	}
}

struct field_set fields_on_page(struct fields form, struct field_set sent)
{
	struct field_set shown = FIELD_SET_NONE;
	for (size_t i = 0; i < form.count; i++)
		if (form.rows[i].flags & FIELD_ON_PAGE && field_set_has(sent, i))
			field_set_add(&shown, i);
	return shown;
}

static bool is_same_ids(const struct id_list *one, const struct id_list *other)
{
	return one->count == other->count &&
	       (one->count == 0 ||
		memcmp(one->ids, other->ids, one->count * sizeof(*one->ids)) == 0);
}

static bool is_same_text(const char *one, const char *other)
{
	return one && other ? strcmp(one, other) == 0 : one == other;
}

static bool is_same(const struct field *field, const void *one, const void *other)
{
	switch (field->kind) {
	case FIELD_INT:
		return *FIELD_AT_CONST(one, field, int64_t) ==
		       *FIELD_AT_CONST(other, field, int64_t);
	case FIELD_BOOL:
		return *FIELD_AT_CONST(one, field, bool) == *FIELD_AT_CONST(other, field, bool);
	case FIELD_CHOICE:
		return *FIELD_AT_CONST(one, field, int) == *FIELD_AT_CONST(other, field, int);
	case FIELD_TEXT:
		return is_same_text(*FIELD_AT_CONST(one, field, const char *),
				    *FIELD_AT_CONST(other, field, const char *));
	case FIELD_IDS:
		return is_same_ids(FIELD_AT_CONST(one, field, struct id_list),
				   FIELD_AT_CONST(other, field, struct id_list));
	case FIELD_TIME:
		return FIELD_AT_CONST(one, field, struct instant)->s ==
		       FIELD_AT_CONST(other, field, struct instant)->s;
	case FIELD_FILE:
	case FIELD_PERCENT:
	case FIELD_OBJECT:
	case FIELD_ROWS:
		break;
	}
	return true;
}

const struct field *fields_find(struct fields fields, const char *name)
{
	for (size_t i = 0; i < fields.count; i++)
		if (strcmp(fields.rows[i].name, name) == 0)
			return &fields.rows[i];
	return NULL;
}

struct field_set fields_differing(struct fields form, struct field_set sent, struct fields members,
				  const void *one, const void *other)
{
	struct field_set differing = FIELD_SET_NONE;
	for (size_t i = 0; i < form.count; i++) {
		const struct field *member = fields_find(members, form.rows[i].name);
		if (field_set_has(sent, i) && member && !is_same(member, one, other))
			field_set_add(&differing, i);
	}
	return differing;
}
