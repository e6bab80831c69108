/* The sink of a form: keeps the pairs that the field table knows. */
#include <string.h>

#include "base/log.h"
#include "base/str.h"
#include "http/form.h"
#include "wire/limits.h"

static const struct field method_field = { .name = "_method", .kind = FIELD_TEXT };

static const struct field *find_row(const struct fields *fields, struct str name)
{
	for (size_t i = 0; i < fields->count; i++)
		if (str_eq(name, str_from(fields->rows[i].name)))
			return &fields->rows[i];
	return NULL;
}

/* Removes the part before the first bracket from *name, and returns this part. */
static struct str take_base(struct str *name)
{
	const char *open = name->len > 0 ? memchr(name->data, '[', name->len) : NULL;
	struct str base = { name->data, open ? (size_t)(open - name->data) : name->len };
	*name = str_skip(*name, base.len);
	return base;
}

/* Removes "[inside]" from the front of *text. Returns false if *text does not begin with a pair of
 * brackets. */
static bool take_bracket(struct str *text, struct str *inside)
{
	const char *end = text->len > 0 ? memchr(text->data, ']', text->len) : NULL;
	if (!end || text->data[0] != '[')
		return false;
	*inside = (struct str){ text->data + 1, (size_t)(end - text->data) - 1 };
	*text = str_skip(*text, inside->len + 2);
	return true;
}

/* Parses the index of a list: -1 for "", 7 for "7". Returns false for any other text. */
static bool read_index(struct str inside, int64_t *index)
{
	*index = -1;
	return inside.len == 0 || (str_to_int64(inside, index) && *index >= 0);
}

/* Finds the item with this index, or adds a new one. `rows` is the field if its items are rows,
 * otherwise NULL. Returns NULL if there are too many rows. */
static struct form_entry *find_item(struct form *form, struct form_entry *entry,
				    const struct field *rows, int64_t index)
{
	bool is_row = rows != NULL;
	bool is_next = index < 0 || (is_row && entry->last && index > entry->last->index);
	struct form_item **at = entry->last ? &entry->last->next : &entry->items;
	for (struct form_item **one = &entry->items; !is_next && *one; one = &(*one)->next) {
		if ((*one)->index == index)
			return &(*one)->entry;
		is_next = is_row && (*one)->index > index;
		if (is_next)
			at = one;
	}
	if (is_row && (int64_t)entry->item_count >= rows->max) {
		entry->has_too_many = true;
		return NULL;
	}
	struct form_item *item = ARENA_NEW(form->arena, struct form_item);
	item->index = index;
	item->next = *at;
	*at = item;
	if (!item->next)
		entry->last = item;
	entry->item_count++;
	return &item->entry;
}

static struct form_value *find_in_field(struct form *form, struct form_entry *entry,
					const struct field **field, struct str brackets);

/* Returns the index that "[]" stands for in a list of rows; -1: no larger index is possible. */
static int64_t next_index(const struct form_entry *entry)
{
	if (!entry->last)
		return 0;
	return entry->last->index < INT64_MAX ? entry->last->index + 1 : -1;
}

/* Returns the value for a name without brackets. Drops the items that were sent with brackets. */
static struct form_value *find_plain(struct form_entry *entry)
{
	*entry = (struct form_entry){ .has_bad_index = entry->has_bad_index };
	return &entry->value;
}

static struct form_value *find_in_object(struct form *form, struct form_entry *entry,
					 const struct field **field, struct str brackets)
{
	const struct fields *members = (*field)->members;
	struct str name;
	if (brackets.len == 0)
		return find_plain(entry);
	if (!take_bracket(&brackets, &name) || name.len == 0) {
		entry->has_bad_index = true;
		return NULL;
	}
	entry->value = (struct form_value){ .is_sent = true, .shape = PAIR_OBJECT };
	const struct field *member = find_row(members, name);
	if (!member)
		return NULL;
	entry = find_item(form, entry, NULL, member - members->rows);
	*field = member;
	return find_in_field(form, entry, field, brackets);
}

/* Returns the value that a name with these brackets sets; NULL: the field has no such value. Sets
 * *field to the field or member of this value. */
static struct form_value *find_in_field(struct form *form, struct form_entry *entry,
					const struct field **field, struct str brackets)
{
	bool is_rows = (*field)->kind == FIELD_ROWS;
	struct str inside;
	int64_t index;
	if ((*field)->kind == FIELD_OBJECT)
		return find_in_object(form, entry, field, brackets);
	if (brackets.len == 0)
		return find_plain(entry);
	bool is_item = take_bracket(&brackets, &inside) && read_index(inside, &index);
	if (is_item && is_rows && index < 0)
		index = next_index(entry);
	if (!is_item || (is_rows ? index < 0 : brackets.len > 0)) {
		entry->has_bad_index = true;
		return NULL;
	}
	entry->value = (struct form_value){ 0 };
	entry = find_item(form, entry, is_rows ? *field : NULL, index);
	if (!entry)
		return NULL;
	return is_rows ? find_in_object(form, entry, field, brackets) : &entry->value;
}

/* Whether the name belongs to an object or to a row. */
static bool form_has_members(struct pair_sink *sink, struct str name)
{
	const struct form *form = CONTAINER_OF(sink, struct form, sink);
	const struct field *field = find_row(&form->fields, take_base(&name));
	bool is_object = field && field->kind == FIELD_OBJECT;
	struct str inside;
	while (field && take_bracket(&name, &inside)) {
		bool is_list = field->kind == FIELD_ROWS && !is_object;
		if (!is_list)
			field = is_object ? find_row(field->members, inside) : NULL;
		is_object = is_list || (field && field->kind == FIELD_OBJECT);
	}
	return is_object && name.len == 0;
}

static enum result form_take(struct pair_sink *sink, const struct pair *pair, struct error *error)
{
	(void)error;
	struct form *form = CONTAINER_OF(sink, struct form, sink);
	struct str brackets = pair->name, base = take_base(&brackets), text = pair->value;
	const struct field *field = find_row(&form->fields, base);
	struct form_entry *entry =
		form->entries + (field ? (size_t)(field - form->fields.rows) : form->fields.count);
	if (!field && str_eq(base, str_from(method_field.name)))
		field = &method_field;
	struct form_value *value = field ? find_in_field(form, entry, &field, brackets) : NULL;
	if (!value)
		return OK;
	/* Keep a byte more than a file may have, to detect a file that is too large. */
	size_t max_bytes = field->kind == FIELD_FILE && pair->shape == PAIR_FILE
				   ? field->max_bytes + 1
				   : WIRE_VALUE_MAX_BYTES;
	*value = (struct form_value){
		.is_sent = true,
		.shape = pair->shape,
		.is_cut = text.len > max_bytes,
		.has_filename = pair->filename.len > 0,
	};
	if (value->is_cut)
		text.len = max_bytes;
	if (text.len > 0)
		value->text =
			(struct str){ arena_strndup(form->arena, text.data, text.len), text.len };
	return OK;
}

/* Ends the program if a field for rows or objects has no table of members, or a field for rows has
 * no limit. A struct of an unknown C type also counts as an object. */
static void check_tables(const struct fields *fields)
{
	for (size_t i = 0; i < fields->count; i++) {
		const struct field *field = &fields->rows[i];
		if (field->kind != FIELD_ROWS && field->kind != FIELD_OBJECT)
			continue;
		if (!field->members || (field->kind == FIELD_ROWS && field->max <= 0))
			die("form: %s has no table of members, or no limit", field->name);
		check_tables(field->members);
	}
}

void form_init(struct form *form, struct fields fields, struct arena *arena)
{
	if (fields.count > FIELD_SET_MAX)
		die("form: a table of more than %d fields", FIELD_SET_MAX);
	check_tables(&fields);
	*form = (struct form){
		.sink = { form_take, form_has_members },
		.arena = arena,
		.fields = fields,
		.entries = ARENA_ARRAY(arena, fields.count + 1, struct form_entry),
	};
}
