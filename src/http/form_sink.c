/* The sink of a form: keeps the pairs that the field table knows. */
#include <string.h>

#include "base/log.h"
#include "base/str.h"
#include "http/form.h"
#include "wire/limits.h"

static const struct field method_field = { .name = "_method", .kind = FIELD_TEXT };

/* Splits a name such as "field[7]" and gives the field's entry; NULL: an unknown field. */
static struct form_entry *find_entry(struct form *form, struct str name, struct str *brackets,
				     const struct field **field)
{
	const char *open = name.len > 0 ? memchr(name.data, '[', name.len) : NULL;
	struct str base = { name.data, open ? (size_t)(open - name.data) : name.len };
	*brackets = str_skip(name, base.len);
	for (size_t i = 0; i <= form->fields.count; i++) {
		*field = i < form->fields.count ? &form->fields.rows[i] : &method_field;
		if (str_eq(base, str_from((*field)->name)))
			return &form->entries[i];
	}
	return NULL;
}

/* Parses the index of a list: -1 for "[]", 7 for "[7]". False: another text. */
static bool read_index(struct str brackets, int64_t *index)
{
	if (brackets.len < 2 || brackets.data[brackets.len - 1] != ']')
		return false;
	*index = -1;
	struct str inside = { brackets.data + 1, brackets.len - 2 };
	return inside.len == 0 || (str_to_int64(inside, index) && *index >= 0);
}

/* The item with this index; a new one unless the index was sent before. */
static struct form_value *list_item(struct form *form, struct form_entry *entry, int64_t index)
{
	for (struct form_item *item = entry->items; item && index >= 0; item = item->next)
		if (item->index == index)
			return &item->value;
	struct form_item *item = ARENA_NEW(form->arena, struct form_item);
	item->index = index;
	if (entry->last)
		entry->last->next = item;
	else
		entry->items = item;
	entry->last = item;
	return &item->value;
}

static enum result form_open(struct pair_sink *sink, const struct pair *pair, struct error *error)
{
	(void)error;
	struct form *form = CONTAINER_OF(sink, struct form, sink);
	const struct field *field;
	struct str brackets;
	int64_t index;
	struct form_entry *entry = find_entry(form, pair->name, &brackets, &field);
	form->open = NULL;
	if (!entry)
		return OK;
	struct form_value *value = &entry->value;
	if (brackets.len == 0) {
		entry->items = entry->last = NULL;
	} else if (read_index(brackets, &index)) {
		entry->value = (struct form_value){ 0 };
		value = list_item(form, entry, index);
	} else {
		entry->has_bad_index = true;
		return OK;
	}
	*value = (struct form_value){
		.is_sent = true,
		.shape = pair->shape,
		.has_filename = pair->filename.len > 0,
	};
	form->open = value;
	/* Keep one byte more than a file may have, to detect a file that is too large. */
	form->open_max_bytes = field->kind == FIELD_FILE && pair->shape == PAIR_FILE
				       ? field->max_bytes + 1
				       : WIRE_VALUE_MAX_BYTES;
	return OK;
}

static enum result form_data(struct pair_sink *sink, struct str bytes, struct error *error)
{
	(void)error;
	struct form *form = CONTAINER_OF(sink, struct form, sink);
	struct form_value *value = form->open;
	if (!value)
		return OK;
	size_t room = form->open_max_bytes - value->text.len;
	if (bytes.len > room) {
		value->is_cut = true;
		bytes.len = room;
	}
	size_t needed = value->text.len + bytes.len + 1;
	if (needed > value->text_size) {
		size_t size = value->text_size * 2 > needed ? value->text_size * 2 : needed;
		if (size > form->open_max_bytes + 1)
			size = form->open_max_bytes + 1;
		char *grown = arena_alloc(form->arena, size);
		if (value->text.len > 0)
			memcpy(grown, value->text.data, value->text.len);
		value->text.data = grown;
		value->text_size = size;
	}
	/* The cast is safe: the bytes were allocated above, or by an earlier call. */
	memcpy((char *)(uintptr_t)value->text.data + value->text.len, bytes.data, bytes.len);
	value->text.len += bytes.len;
	return OK;
}

static enum result form_close(struct pair_sink *sink, struct error *error)
{
	(void)error;
	CONTAINER_OF(sink, struct form, sink)->open = NULL;
	return OK;
}

void form_init(struct form *form, struct fields fields, struct arena *arena)
{
	if (fields.count > FIELD_SET_MAX)
		die("form: a table of more than %d fields", FIELD_SET_MAX);
	*form = (struct form){
		.sink = { form_open, form_data, form_close },
		.arena = arena,
		.fields = fields,
		.entries = ARENA_ARRAY(arena, fields.count + 1, struct form_entry),
	};
}
