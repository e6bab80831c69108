/* Applies a plan, in one transaction. */
#include "service/configuration/configuration_parts.h"

#include "service/monitor_changes.h"
#include "service/passwords.h"
#include "store/account/configuration.h"
#include "store/account/usage.h"

struct applying {
	const struct configuration_order *order;
	struct configuration_plan *shown; /* what the caller has seen */
	struct configuration_plan now;	  /* the same, from locked rows */
};

static bool is_write(enum planned_action action)
{
	return action == PLAN_CHANGE || action == PLAN_REMOVE;
}

/* Locks what is to be changed, before the transaction reads anything. */
static enum result lock_rows(struct service *service, const struct configuration_plan *plan)
{
	struct arena *arena = service->arena;
	struct id_list monitors = { .ids = ARENA_ARRAY(arena, plan->monitor_count, int64_t) };
	struct id_list pages = { .ids = ARENA_ARRAY(arena, plan->page_count, int64_t) };
	int64_t account_id = service->principal.account_id;
	for (size_t i = 0; i < plan->monitor_count; i++)
		if (is_write(plan->monitors[i].action))
			monitors.ids[monitors.count++] = plan->monitors[i].before.id;
	for (size_t i = 0; i < plan->page_count; i++)
		if (is_write(plan->pages[i].action))
			pages.ids[pages.count++] = plan->pages[i].before.id;
	enum result result = configuration_lock_monitors(service->db, account_id, &monitors, arena,
							 service->error);
	return result == OK ? configuration_lock_pages(service->db, account_id, &pages, arena,
						       service->error)
			    : result;
}

static enum result remove_objects(struct service *service, struct applying *applying)
{
	const struct configuration_plan *plan = &applying->now;
	enum result result = OK;
	for (size_t i = 0; result == OK && i < plan->page_count; i++)
		if (plan->pages[i].action == PLAN_REMOVE)
			result = page_write_delete(service, &plan->pages[i].before);
	for (size_t i = 0; result == OK && i < plan->monitor_count; i++) {
		const struct planned_monitor *planned = &plan->monitors[i];
		if (planned->action == PLAN_REMOVE)
			result = applying->order->keeps_history
					 ? monitor_change_retire(service, &planned->before)
					 : monitor_change_detach(service, &planned->before);
	}
	return result;
}

/* Makes labels and domains free that go to another monitor or page. */
static enum result clear_unique(struct service *service, const struct configuration_plan *plan)
{
	struct arena *arena = service->arena;
	struct id_list labels = { .ids = ARENA_ARRAY(arena, plan->monitor_count, int64_t) };
	struct id_list domains = { .ids = ARENA_ARRAY(arena, plan->page_count, int64_t) };
	for (size_t i = 0; i < plan->monitor_count; i++) {
		const struct planned_monitor *planned = &plan->monitors[i];
		if (planned->action == PLAN_CHANGE && planned->before.label &&
		    field_set_has(planned->changed, MONITOR_FIELD_label))
			labels.ids[labels.count++] = planned->before.id;
	}
	for (size_t i = 0; i < plan->page_count; i++) {
		const struct planned_page *planned = &plan->pages[i];
		if (planned->action == PLAN_CHANGE && planned->before.domain &&
		    field_set_has(planned->changed, STATUS_PAGE_FIELD_domain))
			domains.ids[domains.count++] = planned->before.id;
	}
	enum result result =
		configuration_clear_labels(service->db, &labels, arena, service->error);
	return result == OK
		       ? configuration_clear_domains(service->db, &domains, arena, service->error)
		       : result;
}

/* One check for all new monitors. */
static enum result check_quota(struct service *service, const struct configuration_plan *plan)
{
	int64_t added = 0, most = service->config->most_monitors;
	for (size_t i = 0; i < plan->monitor_count; i++)
		added += plan->monitors[i].action == PLAN_ADD;
	if (added == 0 || most == 0)
		return OK;
	enum result result = E_QUOTA_EXCEEDED;
	if (added <= most)
		result = usage_check_monitors(service->db, service->principal.account_id,
					      most - added + 1, service->error);
	if (result != E_QUOTA_EXCEEDED)
		return result;
	violations_add(service->violations, "monitors",
		       "The account may have at most %lld monitors.", (long long)most);
	return E_INVALID;
}

/* The violations of a write that another change has made wrong. */
static enum result end_write(struct service *service, struct violation_scope *scope,
			     const char *path, enum result result)
{
	bool is_wrong = violation_scope_end(scope, service, path);
	return result != OK && is_wrong ? E_INVALID : result;
}

static enum result write_monitor(struct service *service, struct planned_monitor *planned)
{
	const struct wanted_monitor *wanted = planned->wanted;
	struct monitor_input input = wanted->input;
	struct violation_scope scope;
	enum result result;
	violation_scope_begin(&scope, service);
	monitor_check(&input, monitor_update_fields, wanted->sent, service->now, service->arena,
		      service->violations);
	if (planned->action == PLAN_ADD) {
		result = monitor_change_add(service, &planned->after, 0);
	} else {
		planned->after = planned->before;
		result = monitor_change_fields(service, &planned->after, &input, planned->changed,
					       false);
	}
	return end_write(service, &scope, wanted->path, result);
}

static enum result write_page(struct service *service, struct planned_page *planned)
{
	struct id_list *ids = &planned->change.input.monitor_ids;
	struct violation_scope scope;
	/* New monitors have their ids now. */
	for (size_t i = 0; planned->monitors && i < ids->count; i++)
		ids->ids[i] = planned->monitors[i]->id;
	violation_scope_begin(&scope, service);
	if (planned->action == PLAN_ADD)
		planned->after.monitor_ids = *ids;
	enum result result =
		planned->action == PLAN_ADD
			? page_write_create(service, &planned->write)
			: page_write_update(service, &planned->write, &planned->before);
	return end_write(service, &scope, planned->wanted->path, result);
}

/* Marks the pages of all monitors of which pages show a change: few statements. */
static enum result mark_pages(struct service *service, const struct configuration_plan *plan)
{
	struct id_list changed = { .ids = ARENA_ARRAY(service->arena, plan->monitor_count,
						      int64_t) };
	for (size_t i = 0; i < plan->monitor_count; i++) {
		const struct planned_monitor *planned = &plan->monitors[i];
		if (planned->action == PLAN_CHANGE &&
		    !field_set_is_empty(fields_on_page(monitor_update_fields, planned->changed)))
			changed.ids[changed.count++] = planned->before.id;
	}
	return configuration_mark_pages(service->db, &changed, service->now, service->arena,
					service->error);
}

static enum result write_objects(struct service *service, struct configuration_plan *plan)
{
	enum result result = check_quota(service, plan);
	for (size_t i = 0; result == OK && i < plan->monitor_count; i++) {
		enum planned_action action = plan->monitors[i].action;
		if (action == PLAN_ADD || action == PLAN_CHANGE)
			result = write_monitor(service, &plan->monitors[i]);
	}
	if (result == OK)
		result = mark_pages(service, plan);
	for (size_t i = 0; result == OK && i < plan->page_count; i++) {
		enum planned_action action = plan->pages[i].action;
		if (action == PLAN_ADD || action == PLAN_CHANGE)
			result = write_page(service, &plan->pages[i]);
	}
	return result;
}

static enum result apply_work(struct service *service, void *context)
{
	struct applying *applying = context;
	violations_init(service->violations, service->arena);
	enum result result = lock_rows(service, applying->shown);
	if (result == OK)
		result = plan_configuration(service, applying->order, applying->shown,
					    &applying->now);
	if (result == OK)
		result = remove_objects(service, applying);
	if (result == OK)
		result = clear_unique(service, &applying->now);
	return result == OK ? write_objects(service, &applying->now) : result;
}

/* Hashing is slow by design: before the transaction. */
static enum result hash_passwords(struct service *service, struct configuration_plan *plan)
{
	enum result result = OK;
	for (size_t i = 0; result == OK && i < plan->page_count; i++) {
		struct planned_page *planned = &plan->pages[i];
		if (field_set_has(planned->changed, STATUS_PAGE_FIELD_password))
			result = service_hash_password(service, planned->change.input.password,
						       &planned->write.password_hash);
	}
	return result;
}

/* Publishes all pages that the plan has changed, and removes the files of deleted pages. */
static void publish_plan(struct service *service, const struct configuration_plan *plan)
{
	service->dirty = (struct service_dirty){ .is_wide = true,
						 .account_id = service->principal.account_id };
	service_publish_held(service);
	for (size_t i = 0; i < plan->page_count; i++) {
		if (plan->pages[i].action != PLAN_REMOVE)
			continue;
		service->dirty.page = (struct publish_order){ .page_id = plan->pages[i].before.id,
							      .has_moved = true };
		service_publish(service);
	}
	service->dirty = (struct service_dirty){ 0 };
}

enum result service_apply_configuration(struct service *service,
					const struct configuration_order *order,
					struct configuration_plan *plan)
{
	struct applying applying = { .order = order, .shown = plan };
	enum result result = hash_passwords(service, plan);
	if (result != OK)
		return result;
	service_hold_publishing(service);
	result = service_transact(service, PERMISSION_MANAGE, apply_work, &applying, NULL);
	if (result != OK) {
		service->publishing.is_held = false;
		service->dirty = (struct service_dirty){ 0 };
		return result;
	}
	publish_plan(service, plan);
	for (size_t i = 0; result == OK && !order->keeps_history && i < plan->monitor_count; i++)
		if (plan->monitors[i].action == PLAN_REMOVE)
			result = monitor_delete_rows(service, plan->monitors[i].before.id);
	return result;
}
