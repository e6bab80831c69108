/* The plan: the changes that a configuration file makes. */
#include <string.h>

#include "service/configuration/configuration_parts.h"
#include "service/monitor_changes.h"
#include "store/account/configuration.h"

const struct configured_kind_row configured_kinds[CONFIGURED_KINDS] = {
	{ "monitors", "monitor", "name", "label", &monitor_update_fields, &monitor_fields },
	{ "status_pages", "status_page", "slug", "domain", &status_page_update_fields,
	  &status_page_resource_fields },
};

const char *configured_text(enum configured_kind kind, const union configured *object,
			    const char *name)
{
	const struct field *field = fields_find(*configured_kinds[kind].members, name);
	return *FIELD_AT_CONST(object, field, const char *);
}

static const char *wanted_key(enum configured_kind kind, const struct wanted *wanted)
{
	return kind == CONFIGURED_PAGES ? wanted->input.page.slug : wanted->input.monitor.name;
}

/* The comparison of all objects of one kind. */
struct comparing {
	struct planning *planning;
	enum configured_kind kind;
	struct configured_list current;
	bool *is_used;		   /* is_used[n]: the file has object n of `current` */
	struct name_index names;   /* the keys of the objects in `current` */
	struct name_index in_file; /* the keys of the file's objects */
};

static bool is_new(const struct planned *planned)
{
	_Static_assert(offsetof(struct monitor, id) == 0 && offsetof(struct status_page, id) == 0,
		       "before.monitor.id is the id of each kind");
	return planned->before.monitor.id == 0;
}

/* Checks an object of the file by the rules of the API, except rules about several objects. */
static void check_object(struct comparing *comparing, struct planned *planned)
{
	struct service *service = comparing->planning->service;
	struct wanted *wanted = planned->wanted;
	if (comparing->kind == CONFIGURED_PAGES)
		plan_page_check(comparing->planning, planned);
	else
		monitor_check(&wanted->input.monitor, monitor_update_fields, wanted->sent,
			      service->now, service->arena, service->violations);
	planned->stated = wanted->sent;
}

/* Finds the stored object that has the key of an object of the file. */
static void match_object(struct comparing *comparing, struct planned *planned, size_t at)
{
	const struct configured_kind_row *kind = &configured_kinds[comparing->kind];
	struct violations *violations = comparing->planning->service->violations;
	const char *key = wanted_key(comparing->kind, planned->wanted);
	size_t first = 0, found = 0, count;
	if (name_index_find(&comparing->in_file, key, &first) > 1 && first != at)
		violations_add(violations, kind->key, "The %s is already used by %s[%zu].",
			       kind->key, kind->list, first);
	count = name_index_find(&comparing->names, key, &found);
	if (count > 1)
		violations_add(violations, kind->key,
			       "The account has %zu monitors of this name: rename all but one.",
			       count);
	if (count != 1)
		return;
	planned->before = planned->after = comparing->current.rows[found];
	comparing->is_used[found] = true;
}

/* Sets planned->after to the object as it will be after the change. */
static enum result merge_object(struct comparing *comparing, struct planned *planned)
{
	struct service *service = comparing->planning->service;
	struct wanted *wanted = planned->wanted;
	if (comparing->kind == CONFIGURED_PAGES)
		return plan_page_merge(comparing->planning, planned);
	if (is_new(planned))
		planned->after.monitor = monitor_new(service->principal.account_id, service->now);
	const struct monitor before = planned->after.monitor;
	struct monitor_change change = { .before = &before,
					 .input = &wanted->input.monitor,
					 .sent = wanted->sent };
	enum result result = monitor_settle_change(service, &change);
	/* monitor_settle_change() has also compared the secrets. */
	planned->changed = change.changed;
	monitor_merge(&planned->after.monitor, &wanted->input.monitor, wanted->sent);
	return result;
}

static enum result compare_object(struct comparing *comparing, struct planned *planned)
{
	const struct configured_kind_row *kind = &configured_kinds[comparing->kind];
	enum result result = merge_object(comparing, planned);
	planned->changed = field_set_or(
		planned->changed, fields_differing(*kind->form, planned->stated, *kind->members,
						   &planned->before, &planned->after));
	if (is_new(planned))
		planned->changed = planned->stated;
	planned->action = is_new(planned)			 ? PLAN_ADD
			  : field_set_is_empty(planned->changed) ? PLAN_KEEP
								 : PLAN_CHANGE;
	return result;
}

static enum result plan_object(struct comparing *comparing, struct planned *planned, size_t at)
{
	struct service *service = comparing->planning->service;
	enum result result = OK;
	match_object(comparing, planned, at);
	if (comparing->kind == CONFIGURED_PAGES)
		plan_page_names(comparing->planning, planned);
	/* Compare a monitor even if it has violations, because the comparison finds further
	 * violations. */
	if (!planned->wanted->is_wrong &&
	    (comparing->kind == CONFIGURED_MONITORS || service->violations->count == 0))
		result = compare_object(comparing, planned);
	/* Set the name even after violations: pages of the file may name the monitor. */
	if (comparing->kind == CONFIGURED_MONITORS)
		planned->after.monitor.name = planned->wanted->input.monitor.name;
	return result;
}

/* Plans the objects of the file. */
static enum result plan_wanted(struct comparing *comparing, const struct wanted_list *wanted,
			       struct planned_list *list)
{
	struct service *service = comparing->planning->service;
	struct violation_scope *scopes =
		ARENA_ARRAY(service->arena, wanted->count, struct violation_scope);
	enum result result = OK;
	for (size_t i = 0; i < wanted->count; i++) {
		list->rows[i].wanted = &wanted->rows[i];
		violation_scope_begin(&scopes[i], service);
		check_object(comparing, &list->rows[i]);
		service->violations = scopes[i].all;
		name_index_add(&comparing->in_file, wanted_key(comparing->kind, &wanted->rows[i]),
			       i);
	}
	name_index_sort(&comparing->in_file);
	for (size_t i = 0; result == OK && i < wanted->count; i++) {
		service->violations = &scopes[i].own;
		result = plan_object(comparing, &list->rows[i], i);
		violation_scope_end(&scopes[i], service, wanted->rows[i].path);
	}
	list->count = wanted->count;
	return result;
}

/* Plans to keep or to remove the stored objects that are not in the file. */
static void plan_others(struct comparing *comparing, struct planned_list *list)
{
	const struct configuration_order *order = comparing->planning->order;
	bool prunes = order->prunes && order->wanted->lists[comparing->kind].is_there;
	for (size_t i = 0; i < comparing->current.count; i++)
		if (!comparing->is_used[i])
			list->rows[list->count++] = (struct planned){
				.action = prunes ? PLAN_REMOVE : PLAN_KEEP,
				.before = comparing->current.rows[i],
				.after = comparing->current.rows[i],
			};
}

/* Adds violations if two objects would have the same label or domain. */
static void check_unique(struct planning *planning, enum configured_kind kind)
{
	struct service *service = planning->service;
	const struct fields form = *configured_kinds[kind].form;
	const char *unique = configured_kinds[kind].unique;
	const size_t place = (size_t)(fields_find(form, unique) - form.rows);
	const struct planned_list *list = &planning->plan->lists[kind];
	struct name_index values;
	name_index_init(&values, list->count, service->arena);
	for (size_t i = 0; i < list->count; i++)
		if (list->rows[i].action != PLAN_REMOVE)
			name_index_add(&values, configured_text(kind, &list->rows[i].after, unique),
				       i);
	name_index_sort(&values);
	for (size_t i = 0; i < list->count; i++) {
		const struct planned *planned = &list->rows[i];
		const char *value = configured_text(kind, &planned->after, unique);
		struct violation_scope scope;
		size_t at = 0;
		if (!field_set_has(planned->changed, place) ||
		    name_index_find(&values, value, &at) < 2)
			continue;
		violation_scope_begin(&scope, service);
		violations_add(service->violations, unique, "The %s has already been taken.",
			       unique);
		violation_scope_end(&scope, service, planned->wanted->path);
	}
}

static enum result plan_kind(struct planning *planning, enum configured_kind kind)
{
	struct arena *arena = planning->service->arena;
	const struct wanted_list *wanted = &planning->order->wanted->lists[kind];
	struct planned_list *list = &planning->plan->lists[kind];
	struct comparing comparing = { .planning = planning, .kind = kind };
	struct configured_list *current = &comparing.current;
	struct service *service = planning->service;
	enum result result = configuration_load(service->db, kind, service->principal.account_id,
						arena, current, service->error);
	if (result != OK)
		return result;
	comparing.is_used = ARENA_ARRAY(arena, current->count, bool);
	list->rows = ARENA_ARRAY(arena, wanted->count + current->count, struct planned);
	name_index_init(&comparing.in_file, wanted->count, arena);
	name_index_init(&comparing.names, current->count, arena);
	for (size_t i = 0; i < current->count; i++)
		name_index_add(&comparing.names,
			       configured_text(kind, &current->rows[i], configured_kinds[kind].key),
			       i);
	name_index_sort(&comparing.names);
	result = plan_wanted(&comparing, wanted, list);
	plan_others(&comparing, list);
	if (result == OK && kind == CONFIGURED_PAGES)
		result = plan_page_addresses(planning);
	check_unique(planning, kind);
	return result;
}

/* Makes the index of monitors by name, which pages and dependencies need. */
static void index_monitors(struct planning *planning)
{
	const struct planned_list *list = &planning->plan->lists[CONFIGURED_MONITORS];
	name_index_init(&planning->plan->monitors, list->count, planning->service->arena);
	for (size_t i = 0; i < list->count; i++)
		if (list->rows[i].action != PLAN_REMOVE)
			name_index_add(&planning->plan->monitors, list->rows[i].after.monitor.name,
				       i);
	name_index_sort(&planning->plan->monitors);
}

/* Finds the monitor on which this monitor depends; the file states its name. */
static void plan_dependency(struct planning *planning, struct planned *planned)
{
	const struct configuration_plan *plan = planning->plan;
	const struct wanted *wanted = planned->wanted;
	const int64_t before = planned->before.monitor.depends_on_id;
	struct violation_scope scope;
	size_t at = 0;
	if (!wanted || wanted->is_wrong || !wanted->has_depends_on)
		return;
	size_t count = name_index_find(&plan->monitors, wanted->depends_on, &at);
	violation_scope_begin(&scope, planning->service);
	if (wanted->depends_on && count != 1)
		violations_add(planning->service->violations, "depends_on",
			       count == 0 ? "There is no monitor %s."
					  : "There are several monitors %s.",
			       wanted->depends_on);
	violation_scope_end(&scope, planning->service, wanted->path);
	if (count == 1)
		planned->depends_on = &plan->lists[CONFIGURED_MONITORS].rows[at].after.monitor;
	field_set_add(&planned->stated, MONITOR_FIELD_depends_on_id);
	/* A new monitor has no id yet. */
	if (planned->depends_on ? planned->depends_on->id == 0 || planned->depends_on->id != before
				: before > 0) {
		field_set_add(&planned->changed, MONITOR_FIELD_depends_on_id);
		planned->action = is_new(planned) ? PLAN_ADD : PLAN_CHANGE;
	}
}

/* Runs outside a transaction, because DNS may take seconds. service_apply_configuration() therefore
 * checks that no object has changed meanwhile. */
enum result service_plan_configuration(struct service *service,
				       const struct configuration_order *order,
				       struct configuration_plan *plan)
{
	struct planning planning = { .service = service, .order = order, .plan = plan };
	*plan = (struct configuration_plan){ 0 };
	enum result result = plan_kind(&planning, CONFIGURED_MONITORS);
	index_monitors(&planning);
	for (size_t i = 0; result == OK && i < plan->lists[CONFIGURED_MONITORS].count; i++)
		plan_dependency(&planning, &plan->lists[CONFIGURED_MONITORS].rows[i]);
	if (result == OK)
		result = plan_kind(&planning, CONFIGURED_PAGES);
	for (int kind = 0; kind < CONFIGURED_KINDS; kind++)
		for (size_t i = 0; i < plan->lists[kind].count; i++)
			plan->counts[plan->lists[kind].rows[i].action]++;
	return result == OK && service->violations->count > 0 ? E_INVALID : result;
}
