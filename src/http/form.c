#include "http/form_value.h"

#include <string.h>
#include <strings.h>

#include "base/str.h"

/* What all decoding functions need: memory, violations, and the prefix of the fields' names. */
struct scope {
	struct arena *arena;
	struct violations *violations;
	const char *prefix; /* "", or "request_headers.1." */
};

static bool is_sent(const struct form_entry *entry)
{
	return entry->value.is_sent || entry->items || entry->has_bad_index;
}

static struct given given_of(const struct scope *scope, const struct field *field,
			     struct form_value *value)
{
	bool is_inner = *scope->prefix;
	struct given given = { .field = field,
			       .value = value,
			       .arena = scope->arena,
			       .violations = scope->violations };
	given.name = is_inner ? arena_printf(scope->arena, "%s%s", scope->prefix, field->name)
			      : field->name;
	given.label = is_inner ? given.name : violation_label(scope->arena, field->name);
	return given;
}

/* Returns the item at index `place` of the list. Violations name it `monitor_ids.3`, for
 * example. */
static struct given given_item(const struct given *list, struct form_value *value, size_t place)
{
	struct given item = *list;
	item.name = item.label = arena_printf(list->arena, "%s.%zu", list->name, place);
	item.value = value;
	return item;
}

static void append_id(struct id_list *list, int64_t id)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->ids[i] == id)
			return;
	list->ids[list->count++] = id;
}

/* Decodes a list of ids, each a positive integer. */
static bool decode_ids(const struct given *given, const struct form_entry *entry, void *object)
{
	struct id_list list = { .ids = ARENA_ARRAY(given->arena, entry->item_count, int64_t) };
	size_t place = 0, violations_before = given->violations->count;
	for (struct form_item *item = entry->items; item; item = item->next, place++) {
		struct given one = given_item(given, &item->entry.value, place);
		int64_t id;
		if (!form_read_text(&one))
			continue;
		/* A form sends an empty list as a single empty item: "monitor_ids[]=". */
		if (one.is_null && entry->item_count == 1)
			continue;
		if (one.value->shape == PAIR_BOOLEAN || !str_to_int64(one.text, &id) || id < 1)
			form_refuse(&one, "a positive integer");
		else
			append_id(&list, id);
	}
	if (given->violations->count > violations_before)
		return false;
	if ((int64_t)list.count > given->field->max)
		return form_refuse_count(given);
	*FIELD_AT(object, given->field, struct id_list) = list;
	return true;
}

static bool decode_members(const struct given *given, const struct form_entry *entry, void *object);

static bool decode_rows(const struct given *given, const struct form_entry *entry, void *object)
{
	const size_t row_bytes = given->field->row_bytes;
	char *rows = arena_array(given->arena, entry->item_count, row_bytes);
	size_t place = 0, violations_before = given->violations->count;
	for (struct form_item *item = entry->items; item; item = item->next, place++) {
		const struct given row = given_item(given, &item->entry.value, place);
		decode_members(&row, &item->entry, rows + place * row_bytes);
	}
	if (entry->has_too_many)
		form_refuse_count(given);
	if (given->violations->count > violations_before)
		return false;
	field_set_rows(object, given->field, (struct field_rows){ rows, place });
	return true;
}

/* Returns whether the list has only one item, which is empty, as in "request_headers[]=". Such a
 * list counts as empty, as in decode_ids(). */
static bool is_empty_row(const struct form_entry *entry)
{
	const struct form_entry *first = &entry->items->entry;
	return entry->item_count == 1 && !entry->has_too_many && !first->has_bad_index &&
	       form_is_empty(&first->value);
}

/* Decodes a list of ids or of rows. */
static bool decode_list(const struct given *given, const struct form_entry *entry, void *object)
{
	bool is_rows = given->field->kind == FIELD_ROWS;
	if (entry->has_bad_index || (!entry->items && !form_is_empty(given->value)))
		return form_refuse(given, "an array");
	if (entry->items && !is_rows)
		return decode_ids(given, entry, object);
	if (entry->items && !is_empty_row(entry))
		return decode_rows(given, entry, object);
	if (is_rows && given->field->flags & FIELD_REQUIRED)
		return form_refuse_missing(given);
	if (is_rows)
		field_set_rows(object, given->field, (struct field_rows){ 0 });
	else
		*FIELD_AT(object, given->field, struct id_list) = (struct id_list){ 0 };
	return true;
}

static bool decode_object(const struct given *given, const struct form_entry *entry, void *object)
{
	bool is_empty = !entry->has_bad_index && form_is_empty(given->value);
	if (is_empty && given->field->flags & FIELD_REQUIRED)
		return form_refuse_missing(given);
	return is_empty || decode_members(given, entry, field_rows(object, given->field).rows);
}

/* Decodes a value of any kind. Clears *is_sent if the value counts as not sent. */
static bool decode_entry(const struct scope *scope, const struct field *field,
			 struct form_entry *entry, void *object, bool *is_sent)
{
	struct given given = given_of(scope, field, &entry->value);
	if (field->kind == FIELD_IDS || field->kind == FIELD_ROWS)
		return decode_list(&given, entry, object);
	if (field->kind == FIELD_OBJECT)
		return decode_object(&given, entry, object);
	if (entry->items || entry->has_bad_index)
		return form_refuse(&given, "a single value");
	return form_decode_value(&given, object, is_sent);
}

/* Decodes the value of a field. Returns false if the field counts as not sent, or has
 * violations. */
static bool decode_field(const struct scope *scope, const struct field *field,
			 struct form_entry *entry, void *object)
{
	bool is_there = is_sent(entry);
	if (form_keeps_as_read(field, entry))
		return false;
	bool is_valid = is_there && decode_entry(scope, field, entry, object, &is_there);
	if (!is_there && field->flags & FIELD_REQUIRED) {
		const struct given missing = given_of(scope, field, NULL);
		form_refuse_missing(&missing);
	}
	return is_valid && is_there;
}

/* Decodes the members of a row or an object, in the order of their table. */
static bool decode_members(const struct given *given, const struct form_entry *entry, void *object)
{
	const struct fields *members = given->field->members;
	const struct scope scope = { given->arena, given->violations,
				     arena_printf(given->arena, "%s.", given->name) };
	size_t violations_before = given->violations->count;
	if (entry->has_bad_index || entry->value.shape != PAIR_OBJECT)
		return form_refuse(given, "an object");
	for (size_t i = 0; i < members->count; i++) {
		struct form_entry none = { 0 }, *member = &none;
		for (struct form_item *item = entry->items; item; item = item->next)
			if (item->index == (int64_t)i)
				member = &item->entry;
		decode_field(&scope, &members->rows[i], member, object);
	}
	return given->violations->count == violations_before;
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
	const struct scope scope = { form->arena, violations, "" };
	*sent = FIELD_SET_NONE;
	for (size_t i = 0; i < form->fields.count; i++)
		if (decode_field(&scope, &form->fields.rows[i], &form->entries[i], object))
			field_set_add(sent, i);
}

enum result form_method(struct form *form, const char **method, struct violations *violations)
{
	struct {
		const char *method;
	} object = { 0 };
	static const struct field row = { .name = "_method", .kind = FIELD_TEXT };
	const struct scope scope = { form->arena, violations, "" };
	struct form_entry *entry = &form->entries[form->fields.count];
	bool is_there = is_sent(entry);
	*method = NULL;
	if (!is_there)
		return OK;
	if (!decode_entry(&scope, &row, entry, &object, &is_there))
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
