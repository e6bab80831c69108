#include "ctl/configuration/apply_changes.h"

#include <stdlib.h>
#include <string.h>

#include "wire/json.h"
#include "wire/json_read.h"

struct named_id {
	int64_t id;
	const char *name;
};

struct json_object *apply_monitor_names(struct ctl *ctl, const struct configuration_plan *plan,
					const struct id_list *ids)
{
	const struct planned_list *monitors = &plan->lists[CONFIGURED_MONITORS];
	struct named_id *names = ARENA_ARRAY(&ctl->arena, monitors->count, struct named_id);
	struct json_object *list = json_array_tree();
	for (size_t i = 0; i < monitors->count; i++)
		names[i] = (struct named_id){ monitors->rows[i].before.monitor.id,
					      monitors->rows[i].before.monitor.name };
	if (monitors->count > 0)
		qsort(names, monitors->count, sizeof(*names), id_order);
	for (size_t i = 0; i < ids->count; i++) {
		const struct named_id *found =
			bsearch(&ids->ids[i], names, monitors->count, sizeof(*names), id_order);
		if (found)
			json_append_text(list, found->name);
	}
	return list;
}

const char *apply_monitor_name(const struct configuration_plan *plan, int64_t id)
{
	const struct planned_list *monitors = &plan->lists[CONFIGURED_MONITORS];
	for (size_t i = 0; id > 0 && i < monitors->count; i++)
		if (monitors->rows[i].before.monitor.id == id)
			return monitors->rows[i].before.monitor.name;
	return NULL;
}

/* Returns {"from": ..., "to": ...}: the values of the field in `before` and in `after`. */
static struct json_object *both_values(const struct field *row, const void *before,
				       const void *after)
{
	struct json_object *tree = json_object_tree();
	struct field from = *row, to = *row;
	from.name = "from";
	to.name = "to";
	json_put_fields(tree, (struct fields){ &from, 1 }, before);
	json_put_fields(tree, (struct fields){ &to, 1 }, after);
	return tree;
}

static struct json_object *both_lists(struct ctl *ctl, const struct configuration_plan *plan,
				      const struct planned *page)
{
	struct json_object *tree = json_object_tree(), *after = json_array_tree();
	for (size_t i = 0; i < page->change.input.monitor_ids.count; i++)
		json_append_text(after, page->monitors[i]->name);
	json_put(tree, "from", apply_monitor_names(ctl, plan, &page->before.page.monitor_ids));
	json_put(tree, "to", after);
	return tree;
}

static struct json_object *both_names(const struct configuration_plan *plan,
				      const struct planned *monitor)
{
	struct json_object *tree = json_object_tree();
	json_put_text(tree, "from",
		      apply_monitor_name(plan, monitor->before.monitor.depends_on_id));
	json_put_text(tree, "to", monitor->depends_on ? monitor->depends_on->name : NULL);
	return tree;
}

/* Returns the name of the picture that the form's field `name` uploads or removes. NULL: `name` is
 * not a field for a picture. */
static const char *picture_of(const char *name)
{
	static const char removal[] = "remove_";
	if (strncmp(name, removal, strlen(removal)) == 0)
		name += strlen(removal);
	for (size_t i = 0; i < STATUS_PAGE_PICTURES; i++)
		if (strcmp(status_page_pictures[i], name) == 0)
			return status_page_pictures[i];
	return NULL;
}

static struct json_object *both_files(const struct planned *page, const char *picture)
{
	struct status_page before = page->before.page, after = page->after.page;
	struct json_object *tree = json_object_tree();
	json_put_text(tree, "from", *status_page_file(&before, picture));
	json_put_text(tree, "to", *status_page_file(&after, picture));
	return tree;
}

/* Returns the changed fields with their old and new values. A changed password has no values. */
static struct json_object *fields_json(struct ctl *ctl, const struct configuration_plan *plan,
				       enum configured_kind kind, const struct planned *planned)
{
	const struct fields form = *configured_kinds[kind].form;
	struct json_object *tree = json_object_tree();
	for (size_t i = 0; i < form.count; i++) {
		const char *name = form.rows[i].name, *picture = picture_of(name);
		const struct field *row = fields_find(*configured_kinds[kind].members, name);
		if (!field_set_has(planned->changed, i))
			continue;
		if (strcmp(name, "depends_on_id") == 0)
			json_put(tree, "depends_on", both_names(plan, planned));
		else if (picture)
			json_put(tree, picture, both_files(planned, picture));
		else if (!row)
			json_put(tree, name, json_object_tree());
		else if (row->kind == FIELD_IDS)
			json_put(tree, "monitors", both_lists(ctl, plan, planned));
		else
			json_put(tree, name, both_values(row, &planned->before, &planned->after));
	}
	return tree;
}

static const char *key_of(enum configured_kind kind, const struct planned *planned)
{
	const struct configured_kind_row *row = &configured_kinds[kind];
	return *FIELD_AT_CONST(&planned->after, fields_find(*row->members, row->key), const char *);
}

struct json_object *apply_changes_json(struct ctl *ctl, const struct configuration_plan *plan)
{
	static const char *const words[] = { "keep", "add", "change", "remove" };
	struct json_object *tree = json_object_tree(), *list = json_array_tree();
	for (int i = 0; i < CONFIGURED_KINDS; i++) {
		const enum configured_kind kind = (enum configured_kind)i;
		for (size_t at = 0; at < plan->lists[kind].count; at++) {
			const struct planned *planned = &plan->lists[kind].rows[at];
			if (planned->action == PLAN_KEEP)
				continue;
			struct json_object *change = json_object_tree();
			json_put_text(change, "action", words[planned->action]);
			json_put_text(change, "object", configured_kinds[kind].object);
			json_put_text(change, configured_kinds[kind].key, key_of(kind, planned));
			if (planned->action == PLAN_CHANGE)
				json_put(change, "fields", fields_json(ctl, plan, kind, planned));
			if (planned->action == PLAN_REMOVE && kind == CONFIGURED_MONITORS)
				json_put_int(change, "incident_count",
					     planned->before.monitor.incident_count);
			json_append(list, change);
		}
	}
	json_put(tree, "changes", list);
	json_put_int(tree, "added", (int64_t)plan->counts[PLAN_ADD]);
	json_put_int(tree, "changed", (int64_t)plan->counts[PLAN_CHANGE]);
	json_put_int(tree, "removed", (int64_t)plan->counts[PLAN_REMOVE]);
	return tree;
}

/* Returns `value` as JSON text; NULL: the text is longer than LONGEST. */
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
	/* A changed password has no values: see fields_json(). */
	if ((before || after) && from && to)
		ctl_line(stdout, "    %s: %s -> %s", key, from, to);
	else
		ctl_line(stdout, "    %s", key);
}

static void print_planned(struct ctl *ctl, const struct configuration_plan *plan,
			  enum configured_kind kind, const struct planned *planned)
{
	static const char signs[] = { ' ', '+', '~', '-' };
	bool is_monitor = kind == CONFIGURED_MONITORS;
	const char *rest = "";
	if (planned->action == PLAN_REMOVE && is_monitor)
		rest = arena_printf(
			&ctl->arena, ", with %s",
			ctl_count(&ctl->arena, planned->before.monitor.incident_count, "incident"));
	ctl_line(stdout, "%c %s %s%s", signs[planned->action], is_monitor ? "monitor" : "page",
		 key_of(kind, planned), rest);
	if (planned->action != PLAN_CHANGE)
		return;
	struct json_object *fields = fields_json(ctl, plan, kind, planned);
	json_each(fields, print_field, &ctl->arena);
	json_free(fields);
}

void apply_changes_print(struct ctl *ctl, const struct configuration_plan *plan)
{
	for (int kind = 0; kind < CONFIGURED_KINDS; kind++)
		for (size_t i = 0; i < plan->lists[kind].count; i++)
			if (plan->lists[kind].rows[i].action != PLAN_KEEP)
				print_planned(ctl, plan, (enum configured_kind)kind,
					      &plan->lists[kind].rows[i]);
}
