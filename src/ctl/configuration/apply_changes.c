#include "ctl/configuration/apply_changes.h"

#include <stdlib.h>
#include <string.h>

#include "wire/json.h"
#include "wire/json_read.h"

struct named_id {
	int64_t id;
	const char *name;
};

static int by_id(const void *a, const void *b)
{
	const struct named_id *left = a, *right = b;
	return (left->id > right->id) - (left->id < right->id);
}

struct json_object *apply_monitor_names(struct ctl *ctl, const struct configuration_plan *plan,
					const struct id_list *ids)
{
	struct named_id *names = ARENA_ARRAY(&ctl->arena, plan->monitor_count, struct named_id);
	struct json_object *list = json_array_tree();
	for (size_t i = 0; i < plan->monitor_count; i++)
		names[i] = (struct named_id){ plan->monitors[i].before.id,
					      plan->monitors[i].before.name };
	if (plan->monitor_count > 0)
		qsort(names, plan->monitor_count, sizeof(*names), by_id);
	for (size_t i = 0; i < ids->count; i++) {
		const struct named_id key = { .id = ids->ids[i] };
		const struct named_id *found =
			bsearch(&key, names, plan->monitor_count, sizeof(*names), by_id);
		if (found)
			json_append_text(list, found->name);
	}
	return list;
}

/* {"from": ..., "to": ...} by the row of the field */
static struct json_object *both_values(const struct field *row, const void *before,
				       const void *after)
{
	static const char *const names[] = { "from", "to" };
	struct json_object *tree = json_object_tree();
	struct field one = *row;
	for (int i = 0; i < 2; i++) {
		one.name = names[i];
		json_put_fields(tree, (struct fields){ &one, 1 }, i == 0 ? before : after);
	}
	return tree;
}

static struct json_object *both_files(const char *before, const char *after)
{
	struct json_object *tree = json_object_tree();
	json_put_text(tree, "from", before);
	json_put_text(tree, "to", after);
	return tree;
}

static struct json_object *both_lists(struct ctl *ctl, const struct configuration_plan *plan,
				      const struct planned_page *page)
{
	struct json_object *tree = json_object_tree(), *after = json_array_tree();
	for (size_t i = 0; i < page->change.input.monitor_ids.count; i++)
		json_append_text(after, page->monitors[i]->name);
	json_put(tree, "from", apply_monitor_names(ctl, plan, &page->before.monitor_ids));
	json_put(tree, "to", after);
	return tree;
}

static struct json_object *monitor_fields_json(const struct planned_monitor *planned)
{
	struct json_object *tree = json_object_tree();
	for (size_t i = 0; i < monitor_update_fields.count; i++) {
		const char *name = monitor_update_fields.rows[i].name;
		if (field_set_has(planned->changed, i))
			json_put(tree, name,
				 both_values(fields_find(monitor_fields, name), &planned->before,
					     &planned->after));
	}
	return tree;
}

/* A password is named without its values. */
static struct json_object *page_fields_json(struct ctl *ctl, const struct configuration_plan *plan,
					    const struct planned_page *page)
{
	const struct status_page *before = &page->before, *after = &page->after;
	struct json_object *tree = json_object_tree();
	for (size_t i = 0; i < status_page_update_fields.count; i++) {
		const char *name = status_page_update_fields.rows[i].name;
		const struct field *row = fields_find(status_page_resource_fields, name);
		if (!field_set_has(page->changed, i))
			continue;
		if (i == STATUS_PAGE_FIELD_monitor_ids)
			json_put(tree, "monitors", both_lists(ctl, plan, page));
		else if (i == STATUS_PAGE_FIELD_logo || i == STATUS_PAGE_FIELD_remove_logo)
			json_put(tree, "logo", both_files(before->logo_file, after->logo_file));
		else if (i == STATUS_PAGE_FIELD_logo_dark ||
			 i == STATUS_PAGE_FIELD_remove_logo_dark)
			json_put(tree, "logo_dark",
				 both_files(before->logo_dark_file, after->logo_dark_file));
		else if (i == STATUS_PAGE_FIELD_favicon || i == STATUS_PAGE_FIELD_remove_favicon)
			json_put(tree, "favicon",
				 both_files(before->favicon_file, after->favicon_file));
		else
			json_put(tree, name,
				 row ? both_values(row, before, after) : json_object_tree());
	}
	return tree;
}

static struct json_object *change_json(enum planned_action action, const char *object,
				       const char *key, const char *name)
{
	static const char *const words[] = { "keep", "add", "change", "remove" };
	struct json_object *tree = json_object_tree();
	json_put_text(tree, "action", words[action]);
	json_put_text(tree, "object", object);
	json_put_text(tree, key, name);
	return tree;
}

struct json_object *apply_changes_json(struct ctl *ctl, const struct configuration_plan *plan)
{
	struct json_object *tree = json_object_tree(), *list = json_array_tree();
	for (size_t i = 0; i < plan->monitor_count; i++) {
		const struct planned_monitor *planned = &plan->monitors[i];
		if (planned->action == PLAN_KEEP)
			continue;
		struct json_object *change =
			change_json(planned->action, "monitor", "name", planned->after.name);
		if (planned->action == PLAN_CHANGE)
			json_put(change, "fields", monitor_fields_json(planned));
		if (planned->action == PLAN_REMOVE)
			json_put_int(change, "incidents", planned->before.incidents);
		json_append(list, change);
	}
	for (size_t i = 0; i < plan->page_count; i++) {
		const struct planned_page *planned = &plan->pages[i];
		if (planned->action == PLAN_KEEP)
			continue;
		struct json_object *change =
			change_json(planned->action, "status_page", "slug", planned->after.slug);
		if (planned->action == PLAN_CHANGE)
			json_put(change, "fields", page_fields_json(ctl, plan, planned));
		json_append(list, change);
	}
	json_put(tree, "changes", list);
	json_put_int(tree, "added", (int64_t)plan->added);
	json_put_int(tree, "changed", (int64_t)plan->changed);
	json_put_int(tree, "removed", (int64_t)plan->removed);
	return tree;
}

/* A value on one line; NULL: too long for it. */
static const char *shown_value(struct arena *arena, struct json_object *value)
{
	enum { LONGEST = 100 };
	struct buf text = BUF_INIT((size_t)1 << 20);
	if (!value)
		return "null";
	json_print(&text, value);
	const char *shown = buf_ok(&text) && text.len <= LONGEST
				    ? arena_strndup(arena, text.data, text.len)
				    : NULL;
	buf_done(&text);
	return shown;
}

static void print_field(void *context, const char *key, struct json_object *values)
{
	struct arena *arena = context;
	struct json_object *before = json_member(values, "from"),
			   *after = json_member(values, "to");
	const char *from = shown_value(arena, before), *to = shown_value(arena, after);
	/* A password has neither value. */
	if ((before || after) && from && to)
		ctl_line(stdout, "    %s: %s -> %s", key, from, to);
	else
		ctl_line(stdout, "    %s", key);
}

void apply_changes_print(struct ctl *ctl, const struct configuration_plan *plan)
{
	static const char signs[] = { ' ', '+', '~', '-' };
	for (size_t i = 0; i < plan->monitor_count; i++) {
		const struct planned_monitor *planned = &plan->monitors[i];
		if (planned->action == PLAN_REMOVE)
			ctl_line(stdout, "- monitor %s, with %lld incident%s", planned->before.name,
				 (long long)planned->before.incidents,
				 planned->before.incidents == 1 ? "" : "s");
		else if (planned->action != PLAN_KEEP)
			ctl_line(stdout, "%c monitor %s", signs[planned->action],
				 planned->after.name);
		if (planned->action != PLAN_CHANGE)
			continue;
		struct json_object *fields = monitor_fields_json(planned);
		json_each(fields, print_field, &ctl->arena);
		json_free(fields);
	}
	for (size_t i = 0; i < plan->page_count; i++) {
		const struct planned_page *planned = &plan->pages[i];
		if (planned->action != PLAN_KEEP)
			ctl_line(stdout, "%c page %s", signs[planned->action], planned->after.slug);
		if (planned->action != PLAN_CHANGE)
			continue;
		struct json_object *fields = page_fields_json(ctl, plan, planned);
		json_each(fields, print_field, &ctl->arena);
		json_free(fields);
	}
}
