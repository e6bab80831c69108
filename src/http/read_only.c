#include "http/read_only.h"

#include <string.h>

#include "wire/json.h"
#include "wire/json_read.h"

static bool is_same_text(const char *text, struct str sent)
{
	struct instant is, was;
	if (instant_parse(str_from(text), &is) && instant_parse(sent, &was))
		return is.s == was.s;
	return str_eq(str_from(text), sent);
}

static bool is_same_tree(struct json_object *tree, struct str sent)
{
	struct json_object *other;
	struct error ignored = { 0 };
	if (json_read(sent, &other, &ignored) != OK)
		return false;
	bool is_same = json_equal(tree, other);
	json_free(other);
	return is_same;
}

static bool is_earlier(const char *text, struct str sent)
{
	int64_t now, then;
	return str_to_int64(str_from(text), &now) && str_to_int64(sent, &then) && then >= 0 &&
	       then <= now;
}

static bool is_as_read(const struct form *form, const char *name, const struct form_value *sent,
		       const struct read_only_check *check)
{
	struct json_object *value = json_member(check->resource, name);
	struct str text = str_trim(sent->text);
	bool is = false, was;
	if (sent->is_cut || sent->shape == PAIR_FILE)
		return false;
	/* A value that the resource lacks counts as null and as false. */
	if (!value || json_truth(value, &is))
		return form_read_bool(text, &was) ? was == (value && is) : !value && text.len == 0;
	const char *now = json_text(value, form->arena);
	if (!now)
		return is_same_tree(value, text);
	bool is_growing = check->growing && strcmp(check->growing, name) == 0;
	return is_same_text(now, text) || (is_growing && is_earlier(now, text));
}

/* Whether the items that were sent equal the items of the list. */
static bool is_same_list(const struct form *form, const char *name, const struct form_item *item,
			 const struct read_only_check *check)
{
	struct json_object *list = json_member(check->resource, name);
	size_t count = 0, length = json_length(list);
	/* A form sends an empty list as a single empty item: "monitor_ids[]=". */
	if (!item->next && item->entry.value.text.len == 0)
		return length == 0;
	for (; item && count < length; item = item->next, count++) {
		const char *now = json_text(json_item(list, count), form->arena);
		struct str sent = str_trim(item->entry.value.text);
		if (item->entry.value.is_cut || item->entry.value.shape == PAIR_FILE ||
		    !(now ? is_same_text(now, sent) : is_same_tree(json_item(list, count), sent)))
			return false;
	}
	return !item && count == length && json_is_list(list);
}

static bool is_kept(const struct form *form, const char *name, const struct form_entry *entry,
		    const struct read_only_check *check)
{
	if (entry->has_bad_index)
		return false;
	if (entry->items)
		return is_same_list(form, name, entry->items, check);
	struct json_object *value = json_member(check->resource, name);
	if (entry->value.shape == PAIR_EMPTY_LIST && (!value || json_is_list(value)))
		return json_length(value) == 0;
	return is_as_read(form, name, &entry->value, check);
}

void read_only_check(const struct form *form, const struct read_only_check *check,
		     struct violations *violations)
{
	for (size_t i = 0; i < form->fields.count; i++) {
		const struct field *field = &form->fields.rows[i];
		const struct form_entry *entry = &form->entries[i];
		if (field->flags & FIELD_MOVES || !form_keeps_as_read(field, entry) ||
		    violations_has(violations, field->name))
			continue;
		if (is_kept(form, field->name, entry, check))
			continue;
		bool is_read_only = field->flags & FIELD_READ_ONLY;
		violations_add(violations, field->name,
			       is_read_only
				       ? "The %s field cannot be set."
				       : "The %s field must be true, false, or its current value.",
			       violation_label(form->arena, field->name));
	}
}
