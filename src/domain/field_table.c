#include "domain/field_table.h"

#include <string.h>

#include "base/log.h"
#include "base/str.h"

/* What the check of a text needs. The names of fields in violations begin with `prefix`, as in
 * http/form. */
struct text_check {
	struct arena *arena;
	struct violations *violations;
	const char *prefix;
};

static void add_violation(const struct text_check *check, const struct field *field,
			  const char *name, struct str text)
{
	bool has_chars = field->max_chars > 0;
	const char *label = *check->prefix ? name : violation_label(check->arena, name);
	if (!str_is_text(text)) {
		violations_add(check->violations, name,
			       "The %s field must be valid UTF-8 text without NUL bytes.", label);
		return;
	}
	violations_add(check->violations, name, "The %s field must have %s %zu %s.", label,
		       field->flags & FIELD_NOT_EMPTY ? "1 to" : "at most",
		       has_chars ? field->max_chars : field->max_bytes,
		       has_chars ? "characters" : "bytes");
}

/* Returns whether the field may have `text`. If `sent` is NULL, the client sent null, not an empty
 * text. */
static bool is_allowed(const struct field *field, const char *sent, struct str text)
{
	if (text.len == 0)
		return !(field->flags & FIELD_NOT_EMPTY) ||
		       (!sent && field->flags & FIELD_ZERO_IS_NULL);
	return str_is_text(text) &&
	       (field->max_chars == 0 || str_chars(text) <= field->max_chars) &&
	       (field->max_bytes == 0 || text.len <= field->max_bytes);
}

static void check_text(const struct text_check *check, const struct field *field, void *input,
		       bool is_sent)
{
	const char **member = FIELD_AT(input, field, const char *);
	const char *name = arena_printf(check->arena, "%s%s", check->prefix, field->name);
	struct str text = str_from(*member);
	if (!(is_sent || *member || field->flags & FIELD_REQUIRED) ||
	    violations_has(check->violations, name))
		return;
	if (!(field->flags & FIELD_EXACT))
		text = str_trim(text);
	if (text.len == 0 && field->empty_value)
		text = str_from(field->empty_value);
	if (!is_allowed(field, *member, text))
		add_violation(check, field, name, text);
	*member = text.len > 0 ? arena_strndup(check->arena, text.data, text.len) : NULL;
}

static void check_texts(const struct text_check *check, struct fields form, void *input,
			struct field_set sent)
{
	for (size_t i = 0; i < form.count; i++) {
		const struct field *field = &form.rows[i];
		bool is_sent = field_set_has(sent, i);
		struct field_rows rows = { 0 };
		if (field->kind == FIELD_TEXT && !(field->flags & FIELD_READ_ONLY))
			check_text(check, field, input, is_sent);
		if (field->kind == FIELD_ROWS || (field->kind == FIELD_OBJECT && is_sent))
			rows = field_rows(input, field);
		for (size_t at = 0; at < rows.count; at++) {
			const char *name =
				arena_printf(check->arena, "%s%s.", check->prefix, field->name);
			const struct text_check inner = {
				check->arena,
				check->violations,
				field->kind == FIELD_OBJECT
					? name
					: arena_printf(check->arena, "%s%zu.", name, at),
			};
			check_texts(&inner, *field->members,
				    (char *)rows.rows + at * field->row_bytes, FIELD_SET_NONE);
		}
	}
}

void fields_check_texts(struct fields form, void *input, struct field_set sent, struct arena *arena,
			struct violations *violations)
{
	const struct text_check check = { arena, violations, "" };
	check_texts(&check, form, input, sent);
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

/* Returns whether two lists of objects, or two objects, have the same values. */
static bool is_same_rows(const struct field *field, struct field_rows one, struct field_rows other)
{
	bool is_same_so_far = one.count == other.count;
	for (size_t at = 0; is_same_so_far && at < one.count; at++)
		for (size_t i = 0; is_same_so_far && i < field->members->count; i++)
			is_same_so_far =
				field_is_same(&field->members->rows[i],
					      (const char *)one.rows + at * field->row_bytes,
					      (const char *)other.rows + at * field->row_bytes);
	return is_same_so_far;
}

bool field_is_same(const struct field *field, const void *one, const void *other)
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
		return str_same(*FIELD_AT_CONST(one, field, const char *),
				*FIELD_AT_CONST(other, field, const char *));
	case FIELD_IDS:
		return is_same_ids(FIELD_AT_CONST(one, field, struct id_list),
				   FIELD_AT_CONST(other, field, struct id_list));
	case FIELD_TIME:
		return FIELD_AT_CONST(one, field, struct instant)->s ==
		       FIELD_AT_CONST(other, field, struct instant)->s;
	case FIELD_OBJECT:
	case FIELD_ROWS:
		return is_same_rows(field, field_rows(one, field), field_rows(other, field));
	case FIELD_FILE:
	case FIELD_PERCENT:
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

static void set_initial(const struct field *field, void *object)
{
	const char *text = field->initial;
	if (field->kind == FIELD_INT &&
	    str_to_int64(str_from(text), FIELD_AT(object, field, int64_t)))
		return;
	if (field->kind == FIELD_BOOL) {
		*FIELD_AT(object, field, bool) = strcmp(text, "true") == 0;
		return;
	}
	int place = field->kind == FIELD_CHOICE ? str_place(field->choices, str_from(text)) : -1;
	if (place < 0)
		die("fields: %s cannot begin as %s", field->name, text);
	*FIELD_AT(object, field, int) = place;
}

void fields_set_initial(struct fields fields, void *object)
{
	for (size_t i = 0; i < fields.count; i++)
		if (fields.rows[i].initial)
			set_initial(&fields.rows[i], object);
}

bool field_is_for_owners(const struct field *field, bool is_new)
{
	return field->flags & FIELD_FOR_OWNERS && !(is_new && field->flags & FIELD_FREE_AT_FIRST);
}

struct field_set fields_differing(struct fields form, struct field_set sent, struct fields members,
				  const void *one, const void *other)
{
	struct field_set differing = FIELD_SET_NONE;
	for (size_t i = 0; i < form.count; i++) {
		const struct field *member = fields_find(members, form.rows[i].name);
		if (field_set_has(sent, i) && member && !field_is_same(member, one, other))
			field_set_add(&differing, i);
	}
	return differing;
}
