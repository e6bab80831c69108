/* The plan: what a configuration file changes. */
#include "service/configuration/configuration_parts.h"

#include <string.h>

#include "service/monitor_changes.h"
#include "store/account/configuration.h"

/* A name that two objects of the file have is a violation at the later ones. */
static void refuse_repeat(struct service *service, const struct name_index *index, const char *name,
			  size_t at, const char *field, const char *list)
{
	size_t first = 0;
	if (name_index_find(index, name, &first) > 1 && first != at)
		violations_add(service->violations, field, "The %s is already used by %s[%zu].",
			       field, list, first);
}

/* Finds the monitor of the file among those that there are. */
static void match_monitor(struct planning *planning, struct planned_monitor *planned,
			  const struct name_index *names, const struct monitor_list *current,
			  bool *is_used)
{
	struct service *service = planning->service;
	const struct wanted_monitor *wanted = planned->wanted;
	size_t at = 0, count = name_index_find(names, wanted->input.name, &at);
	if (count > 1)
		violations_add(service->violations, "name",
			       "The account has %zu monitors of this name: rename all but one.",
			       count);
	if (count != 1)
		return;
	planned->before = current->rows[at];
	is_used[at] = true;
}

static void compare_monitor(struct planning *planning, struct planned_monitor *planned,
			    const struct monitor_input *input)
{
	struct service *service = planning->service;
	const struct wanted_monitor *wanted = planned->wanted;
	if (planned->before.id == 0) {
		monitor_begin(service, service->principal.account_id, input, &planned->after);
		planned->changed = wanted->sent;
		planned->action = PLAN_ADD;
		return;
	}
	planned->after = planned->before;
	monitor_merge(&planned->after, input, wanted->sent);
	planned->changed = fields_differing(monitor_update_fields, wanted->sent, monitor_fields,
					    &planned->before, &planned->after);
	planned->action = field_set_is_empty(planned->changed) ? PLAN_KEEP : PLAN_CHANGE;
}

/* Checks a monitor of the file by the rules of the API, and compares it. */
static void plan_monitor(struct planning *planning, size_t at, const struct name_index *in_file,
			 const struct name_index *names, const struct monitor_list *current,
			 bool *is_used)
{
	struct service *service = planning->service;
	struct planned_monitor *planned = &planning->plan->monitors[at];
	const struct wanted_monitor *wanted = &planning->order->wanted->monitors[at];
	struct monitor_input input = wanted->input;
	struct violation_scope scope;
	planned->wanted = wanted;
	violation_scope_begin(&scope, service);
	if (!wanted->is_wrong)
		monitor_check(&input, monitor_update_fields, wanted->sent, service->now,
			      service->arena, service->violations);
	refuse_repeat(service, in_file, wanted->input.name, at, "name", "monitors");
	match_monitor(planning, planned, names, current, is_used);
	if (!wanted->is_wrong && service->violations->count == 0)
		compare_monitor(planning, planned, &input);
	else
		planned->after = planned->before;
	/* Pages of the file may name a monitor that has violations. */
	planned->after.name = wanted->input.name;
	violation_scope_end(&scope, service, wanted->path);
}

/* Two monitors of an account may not have the same label. */
static void check_labels(struct planning *planning)
{
	struct service *service = planning->service;
	const struct configuration_plan *plan = planning->plan;
	struct name_index labels;
	size_t at = 0;
	name_index_init(&labels, plan->monitor_count, service->arena);
	for (size_t i = 0; i < plan->monitor_count; i++)
		if (plan->monitors[i].action != PLAN_REMOVE)
			name_index_add(&labels, plan->monitors[i].after.label, i);
	name_index_sort(&labels);
	for (size_t i = 0; i < plan->monitor_count; i++) {
		const struct planned_monitor *planned = &plan->monitors[i];
		struct violation_scope scope;
		if (!planned->wanted || !field_set_has(planned->changed, MONITOR_FIELD_label) ||
		    name_index_find(&labels, planned->after.label, &at) < 2)
			continue;
		violation_scope_begin(&scope, service);
		violations_add(service->violations, "label", "The label has already been taken.");
		violation_scope_end(&scope, service, planned->wanted->path);
	}
}

/* What the file does not have stays, or is removed. */
static void plan_others(struct planning *planning, const struct monitor_list *current,
			const bool *is_used)
{
	struct configuration_plan *plan = planning->plan;
	bool prunes = planning->order->prunes && planning->order->wanted->has_monitors;
	for (size_t i = 0; i < current->count; i++) {
		if (is_used[i])
			continue;
		plan->monitors[plan->monitor_count++] = (struct planned_monitor){
			.action = prunes ? PLAN_REMOVE : PLAN_KEEP,
			.before = current->rows[i],
			.after = current->rows[i],
		};
	}
}

static enum result plan_monitors(struct planning *planning)
{
	struct service *service = planning->service;
	struct configuration_plan *plan = planning->plan;
	const struct configuration *wanted = planning->order->wanted;
	struct monitor_list current;
	struct name_index names, in_file;
	enum result result = configuration_monitors(service->db, service->principal.account_id,
						    service->arena, &current, service->error);
	if (result != OK)
		return result;
	size_t room = wanted->monitor_count + current.count;
	bool *is_used = ARENA_ARRAY(service->arena, current.count, bool);
	plan->monitors = ARENA_ARRAY(service->arena, room, struct planned_monitor);
	plan->monitor_count = wanted->monitor_count;
	name_index_init(&names, current.count, service->arena);
	for (size_t i = 0; i < current.count; i++)
		name_index_add(&names, current.rows[i].name, i);
	name_index_sort(&names);
	name_index_init(&in_file, wanted->monitor_count, service->arena);
	for (size_t i = 0; i < wanted->monitor_count; i++)
		name_index_add(&in_file, wanted->monitors[i].input.name, i);
	name_index_sort(&in_file);
	for (size_t i = 0; i < wanted->monitor_count; i++)
		plan_monitor(planning, i, &in_file, &names, &current, is_used);
	plan_others(planning, &current, is_used);
	check_labels(planning);
	planning->named_by = ARENA_ARRAY(service->arena, plan->monitor_count, size_t);
	name_index_init(&planning->monitors, plan->monitor_count, service->arena);
	for (size_t i = 0; i < plan->monitor_count; i++)
		if (plan->monitors[i].action != PLAN_REMOVE)
			name_index_add(&planning->monitors, plan->monitors[i].after.name, i);
	name_index_sort(&planning->monitors);
	return OK;
}

static void count_action(struct configuration_plan *plan, enum planned_action action)
{
	plan->added += action == PLAN_ADD;
	plan->changed += action == PLAN_CHANGE;
	plan->removed += action == PLAN_REMOVE;
}

/* Whether the plan is the one that was shown, and confirmed. */
static bool is_same_plan(const struct configuration_plan *one,
			 const struct configuration_plan *other)
{
	if (one->monitor_count != other->monitor_count || one->page_count != other->page_count)
		return false;
	for (size_t i = 0; i < one->monitor_count; i++) {
		const struct planned_monitor *a = &one->monitors[i], *b = &other->monitors[i];
		if (a->action != b->action || !field_set_equals(a->changed, b->changed) ||
		    a->before.id != b->before.id)
			return false;
	}
	for (size_t i = 0; i < one->page_count; i++) {
		const struct planned_page *a = &one->pages[i], *b = &other->pages[i];
		if (a->action != b->action || !field_set_equals(a->changed, b->changed) ||
		    a->before.id != b->before.id)
			return false;
	}
	return true;
}

enum result plan_configuration(struct service *service, const struct configuration_order *order,
			       const struct configuration_plan *first,
			       struct configuration_plan *plan)
{
	struct planning planning = { service, order, plan, first, { 0 }, NULL };
	*plan = (struct configuration_plan){ 0 };
	enum result result = plan_monitors(&planning);
	if (result == OK)
		result = plan_pages(&planning);
	if (result != OK)
		return result;
	for (size_t i = 0; i < plan->monitor_count; i++)
		count_action(plan, plan->monitors[i].action);
	for (size_t i = 0; i < plan->page_count; i++)
		count_action(plan, plan->pages[i].action);
	if (service->violations->count > 0)
		return E_INVALID;
	return first && !is_same_plan(first, plan) ? configuration_has_changed(service) : OK;
}

/* Not in a transaction, since DNS may take seconds: service_apply_configuration() compares again.
 */
enum result service_plan_configuration(struct service *service,
				       const struct configuration_order *order,
				       struct configuration_plan *plan)
{
	return plan_configuration(service, order, NULL, plan);
}

enum result service_read_configuration(struct service *service, struct configuration_plan *plan)
{
	static const struct configuration nothing;
	static const struct configuration_order order = { .wanted = &nothing };
	return service_plan_configuration(service, &order, plan);
}
