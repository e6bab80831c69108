/* Applies a plan, in one transaction. */
#include "service/configuration/configuration_parts.h"

#include <stdlib.h>

#include "base/str.h"
#include "service/monitor_changes.h"
#include "service/passwords.h"
#include "store/account/configuration.h"
#include "store/account/usage.h"
#include "store/check/check_settings_store.h"

struct applying {
	const struct configuration_order *order;
	struct configuration_plan *plan;
};

typedef bool choose(enum configured_kind kind, const struct planned *planned);

/* Returns the ids of the stored objects for which `is_chosen` returns true. */
static struct configured_ids chosen_ids(struct service *service,
					const struct configuration_plan *plan,
					enum configured_kind kind, choose *is_chosen)
{
	const struct planned_list *list = &plan->lists[kind];
	struct configured_ids chosen = { kind,
					 { ARENA_ARRAY(service->arena, list->count, int64_t), 0 } };
	for (size_t i = 0; i < list->count; i++)
		if (is_chosen(kind, &list->rows[i]))
			chosen.ids.ids[chosen.ids.count++] = list->rows[i].before.monitor.id;
	return chosen;
}

static bool is_write(enum configured_kind kind, const struct planned *planned)
{
	(void)kind;
	return planned->action == PLAN_CHANGE || planned->action == PLAN_REMOVE;
}

/* Locks the rows to be changed, before the transaction reads anything. */
static enum result lock_rows(struct service *service, const struct configuration_plan *plan)
{
	enum result result = OK;
	for (int kind = 0; result == OK && kind < CONFIGURED_KINDS; kind++) {
		const struct configured_ids ids =
			chosen_ids(service, plan, (enum configured_kind)kind, is_write);
		result = configuration_lock(service->db, service->principal.account_id, &ids,
					    service->arena, service->error);
	}
	return result;
}

/* Compares texts. NULL equals an empty text. */
static bool is_same_text(const char *one, const char *other)
{
	return str_eq(str_from(one), str_from(other));
}

/* Whether the object's key, and the fields that the file states, are unchanged since the plan was
 * made. */
static bool is_unchanged(enum configured_kind kind, const struct planned *planned,
			 const union configured *now)
{
	const struct configured_kind_row *row = &configured_kinds[kind];
	const struct status_page *before = &planned->before.page, *after = &now->page;
	if (!is_same_text(configured_text(kind, &planned->before, row->key),
			  configured_text(kind, now, row->key)) ||
	    !field_set_is_empty(fields_differing(*row->form, planned->stated, *row->members,
						 &planned->before, now)))
		return false;
	return kind == CONFIGURED_MONITORS || !planned->wanted ||
	       (is_same_text(before->password_hash, after->password_hash) &&
		is_same_text(before->logo_file, after->logo_file) &&
		is_same_text(before->logo_dark_file, after->logo_dark_file) &&
		is_same_text(before->header_image_file, after->header_image_file) &&
		is_same_text(before->favicon_file, after->favicon_file));
}

/* Reads the plan's objects again, in this transaction. E_CONFLICT: an object has changed. */
static enum result refresh(struct service *service, struct configuration_plan *plan,
			   enum configured_kind kind)
{
	struct planned_list *list = &plan->lists[kind];
	struct configured_list now;
	size_t known = 0;
	bool is_same = true;
	enum result result = configuration_load(service->db, kind, service->principal.account_id,
						service->arena, &now, service->error);
	if (result != OK)
		return result;
	for (size_t i = 0; i < list->count; i++) {
		struct planned *planned = &list->rows[i];
		if (planned->before.monitor.id == 0)
			continue;
		known++;
		const union configured *found =
			bsearch(&planned->before, now.rows, now.count, sizeof(*now.rows), id_order);
		is_same = is_same && found && is_unchanged(kind, planned, found);
		if (is_same)
			planned->before = *found;
	}
	return is_same && known == now.count
		       ? OK
		       : error_client(service->error, E_CONFLICT,
				      "Another change was made at the same time. Nothing was "
				      "changed; run the command again.");
}

static enum result remove_objects(struct service *service, struct applying *applying)
{
	const struct planned_list *monitors = &applying->plan->lists[CONFIGURED_MONITORS];
	const struct planned_list *pages = &applying->plan->lists[CONFIGURED_PAGES];
	enum result result = OK;
	for (size_t i = 0; result == OK && i < pages->count; i++)
		if (pages->rows[i].action == PLAN_REMOVE)
			result = page_write_delete(service, &pages->rows[i].before.page);
	for (size_t i = 0; result == OK && i < monitors->count; i++) {
		const struct monitor *monitor = &monitors->rows[i].before.monitor;
		if (monitors->rows[i].action == PLAN_REMOVE)
			result = applying->order->keeps_history
					 ? monitor_change_retire(service, monitor)
					 : monitor_change_detach(service, monitor);
	}
	return result;
}

/* Whether the stored label or domain is about to change. */
static bool leaves_unique(enum configured_kind kind, const struct planned *planned)
{
	const char *unique = configured_kinds[kind].unique;
	return planned->action == PLAN_CHANGE && configured_text(kind, &planned->before, unique) &&
	       !is_same_text(configured_text(kind, &planned->before, unique),
			     configured_text(kind, &planned->after, unique));
}

/* Clears labels and domains that will change, because another monitor or page may get them. */
static enum result clear_unique(struct service *service, const struct configuration_plan *plan)
{
	enum result result = OK;
	for (int kind = 0; result == OK && kind < CONFIGURED_KINDS; kind++) {
		const struct configured_ids ids =
			chosen_ids(service, plan, (enum configured_kind)kind, leaves_unique);
		result = configuration_clear_unique(service->db, &ids, service->arena,
						    service->error);
	}
	return result;
}

/* Checks the quota once for all new monitors. */
static enum result check_quota(struct service *service, const struct planned_list *monitors)
{
	int64_t added = 0, most = service->config->most_monitors;
	for (size_t i = 0; i < monitors->count; i++)
		added += monitors->rows[i].action == PLAN_ADD;
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

static enum result write_monitor(struct service *service, struct planned *planned)
{
	struct monitor *monitor = &planned->after.monitor;
	const struct monitor_change change = { .before = &planned->before.monitor,
					       .input = &planned->wanted->input.monitor,
					       .sent = planned->wanted->sent,
					       .changed = planned->changed };
	if (planned->action == PLAN_ADD)
		return monitor_change_add(service, monitor, &change, 0);
	*monitor = planned->before.monitor;
	return monitor_change_fields(service, monitor, &change, false);
}

/* Stores the new dependencies. Call it after write_monitor(), which sets the ids of new monitors,
 * and clears dependencies that change. */
static enum result write_dependencies(struct service *service, struct planned_list *list)
{
	struct check_dependencies all;
	enum result result = OK;
	bool is_any = false;
	for (size_t i = 0; result == OK && i < list->count; i++) {
		struct planned *planned = &list->rows[i];
		if (!planned->depends_on ||
		    !field_set_has(planned->changed, MONITOR_FIELD_depends_on_id))
			continue;
		is_any = true;
		planned->after.monitor.depends_on_id = planned->depends_on->id;
		result = check_settings_put(service->db, &planned->after.monitor, service->arena,
					    service->error);
	}
	if (result == OK && is_any)
		result = check_dependencies_read(service->db, service->principal.account_id,
						 service->arena, &all, service->error);
	for (size_t i = 0; result == OK && is_any && i < list->count; i++) {
		struct planned *planned = &list->rows[i];
		struct violation_scope scope;
		if (!planned->depends_on)
			continue;
		violation_scope_begin(&scope, service);
		monitor_refuse_dependency(service, &all, planned->after.monitor.id);
		violation_scope_end(&scope, service, planned->wanted->path);
	}
	return result == OK && service->violations->count > 0 ? E_INVALID : result;
}

static enum result write_page(struct service *service, struct planned *planned)
{
	struct id_list *ids = &planned->change.input.monitor_ids;
	/* The new monitors have ids now. */
	for (size_t i = 0; planned->monitors && i < ids->count; i++)
		ids->ids[i] = planned->monitors[i]->id;
	planned->change.sent = planned->changed;
	if (planned->action == PLAN_CHANGE)
		return page_write_update(service, &planned->write, &planned->before.page);
	planned->after.page.monitor_ids = *ids;
	planned->after.page.password_hash = planned->write.password_hash;
	return page_write_create(service, &planned->write);
}

static enum result write_list(struct service *service, struct planned_list *list,
			      enum result (*write)(struct service *service,
						   struct planned *planned))
{
	enum result result = OK;
	for (size_t i = 0; result == OK && i < list->count; i++) {
		struct planned *planned = &list->rows[i];
		struct violation_scope scope;
		if (planned->action != PLAN_ADD && planned->action != PLAN_CHANGE)
			continue;
		violation_scope_begin(&scope, service);
		result = write(service, planned);
		/* The plan had no violations, so another process has changed something since
		 * then. */
		if (violation_scope_end(&scope, service, planned->wanted->path) && result != OK)
			result = E_INVALID;
	}
	return result;
}

static bool is_shown(enum configured_kind kind, const struct planned *planned)
{
	return planned->action == PLAN_CHANGE &&
	       !field_set_is_empty(fields_on_page(*configured_kinds[kind].form, planned->changed));
}

static enum result apply_work(struct service *service, void *context)
{
	struct applying *applying = context;
	struct configuration_plan *plan = applying->plan;
	violations_init(service->violations, service->arena);
	enum result result = lock_rows(service, plan);
	for (int kind = 0; result == OK && kind < CONFIGURED_KINDS; kind++)
		result = refresh(service, plan, (enum configured_kind)kind);
	if (result == OK)
		result = remove_objects(service, applying);
	if (result == OK)
		result = clear_unique(service, plan);
	if (result == OK)
		result = check_quota(service, &plan->lists[CONFIGURED_MONITORS]);
	if (result == OK)
		result = write_list(service, &plan->lists[CONFIGURED_MONITORS], write_monitor);
	if (result == OK)
		result = write_dependencies(service, &plan->lists[CONFIGURED_MONITORS]);
	if (result != OK)
		return result;
	/* Mark the pages that show a changed monitor, with few statements for all monitors. Ignore
	 * changes of fields that no page shows. */
	const struct configured_ids shown =
		chosen_ids(service, plan, CONFIGURED_MONITORS, is_shown);
	result = configuration_mark_pages(service->db, &shown.ids, service->now, service->arena,
					  service->error);
	return result == OK ? write_list(service, &plan->lists[CONFIGURED_PAGES], write_page)
			    : result;
}

/* Hashes the passwords before the transaction, because hashing is slow by design. */
static enum result hash_passwords(struct service *service, struct planned_list *pages)
{
	enum result result = OK;
	for (size_t i = 0; result == OK && i < pages->count; i++) {
		struct planned *planned = &pages->rows[i];
		if (field_set_has(planned->changed, STATUS_PAGE_FIELD_password))
			result = service_hash_password(service, planned->change.input.password,
						       &planned->write.password_hash);
	}
	return result;
}

/* Publishes all pages that the plan has changed, and removes the files of deleted pages. */
static void publish_plan(struct service *service, const struct planned_list *pages)
{
	service->dirty = (struct service_dirty){ .is_wide = true,
						 .account_id = service->principal.account_id };
	service_publish_held(service);
	for (size_t i = 0; i < pages->count; i++) {
		if (pages->rows[i].action != PLAN_REMOVE)
			continue;
		service->dirty.page =
			(struct publish_order){ .page_id = pages->rows[i].before.page.id,
						.has_moved = true };
		service_publish(service);
	}
	service->dirty = (struct service_dirty){ 0 };
}

enum result service_apply_configuration(struct service *service,
					const struct configuration_order *order,
					struct configuration_plan *plan)
{
	struct applying applying = { order, plan };
	const struct planned_list *monitors = &plan->lists[CONFIGURED_MONITORS];
	enum result result = hash_passwords(service, &plan->lists[CONFIGURED_PAGES]);
	if (result != OK)
		return result;
	service_hold_publishing(service);
	result = service_transact(service, PERMISSION_MANAGE, apply_work, &applying, NULL);
	if (result != OK) {
		service->publishing.is_held = false;
		service->dirty = (struct service_dirty){ 0 };
		return result;
	}
	publish_plan(service, &plan->lists[CONFIGURED_PAGES]);
	for (size_t i = 0; result == OK && !order->keeps_history && i < monitors->count; i++)
		if (monitors->rows[i].action == PLAN_REMOVE)
			result = monitor_delete_rows(service, monitors->rows[i].before.monitor.id);
	return result;
}
