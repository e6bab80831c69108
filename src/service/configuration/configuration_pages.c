/* The plan of the status pages. */
#include "service/configuration/configuration_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "service/passwords.h"
#include "store/account/configuration.h"

/* The page of the first plan that this page repeats. */
static const struct planned_page *first_of(const struct planning *planning,
					   const struct planned_page *planned)
{
	const struct planned_page *pages = planning->plan->pages;
	return planning->first ? &planning->first->pages[planned - pages] : NULL;
}

/*
 * Drops a password that the page has already: a new hash would differ each time. A second plan
 * takes the finding of the first, if the stored hash is the same.
 */
static enum result compare_password(struct planning *planning, struct planned_page *planned)
{
	struct service *service = planning->service;
	struct status_page_change *change = &planned->change;
	const struct planned_page *first = first_of(planning, planned);
	const char *hash = planned->before.password_hash;
	bool is_right = false;
	if (!change->input.password)
		return OK;
	if (first) {
		const char *seen = first->before.password_hash;
		if (hash && seen ? strcmp(hash, seen) != 0 : hash != seen)
			return configuration_has_changed(service);
		is_right = !field_set_has(first->change.sent, STATUS_PAGE_FIELD_password);
		planned->write.password_hash = first->write.password_hash;
	} else if (hash) {
		enum result result =
			service_password_matches(service, hash, change->input.password, &is_right);
		if (result != OK)
			return result;
	}
	if (is_right) {
		change->input.password = NULL;
		field_set_remove(&change->sent, STATUS_PAGE_FIELD_password);
	}
	return OK;
}

/* Drops the files that the page has already. */
static void compare_files(struct planned_page *planned, struct arena *arena)
{
	struct page_write *write = &planned->write;
	size_t kept = 0;
	for (size_t i = 0; i < write->file_count; i++) {
		const struct page_file *file = &write->files[i];
		const char *stored = *status_page_file(&planned->before, file->kind);
		bool is_same = file->name && stored ? strcmp(file->name, stored) == 0
						    : file->name == stored;
		size_t upload = status_page_place(file->kind);
		size_t removal = status_page_place(arena_printf(arena, "remove_%s", file->kind));
		field_set_remove(&planned->change.sent, upload);
		field_set_remove(&planned->change.sent, removal);
		if (is_same)
			continue;
		field_set_add(&planned->change.sent, file->name ? upload : removal);
		write->files[kept++] = *file;
	}
	write->file_count = kept;
}

/* Asks DNS only for a domain that the page does not have. */
static enum result look_up_domain(struct planning *planning, struct planned_page *planned)
{
	const char *domain = planned->change.input.domain, *before = planned->before.domain;
	const struct planned_page *first = first_of(planning, planned);
	if (!domain || (before && strcmp(domain, before) == 0))
		return OK;
	if (first) {
		planned->write.domain = first->write.domain;
		return OK;
	}
	return page_domain_look_up(planning->service, domain, planned->before.id,
				   &planned->write.domain);
}

/* Finds the monitors that the page names; gives the ids of those that are stored. */
static void find_monitors(struct planning *planning, struct planned_page *planned)
{
	struct service *service = planning->service;
	const struct wanted_page *wanted = planned->wanted;
	struct id_list *ids = &planned->change.input.monitor_ids;
	if (!wanted->has_monitors)
		return;
	planned->monitors =
		ARENA_ARRAY(service->arena, wanted->monitor_count, const struct monitor *);
	ids->ids = ARENA_ARRAY(service->arena, wanted->monitor_count, int64_t);
	ids->count = 0;
	field_set_add(&planned->change.sent, STATUS_PAGE_FIELD_monitor_ids);
	if (wanted->monitor_count > STATUS_PAGE_MONITORS_MAX)
		violations_add(service->violations, "monitors",
			       "The monitors field must not have more than %d items.",
			       STATUS_PAGE_MONITORS_MAX);
	for (size_t i = 0; i < wanted->monitor_count; i++) {
		const char *name = wanted->monitor_names[i];
		char field[32];
		size_t at = 0, count = name_index_find(&planning->monitors, name, &at);
		snprintf(field, sizeof(field), "monitors[%zu]", i);
		if (count != 1) {
			violations_add(service->violations, field,
				       count == 0 ? "There is no monitor %s."
						  : "There are several monitors %s.",
				       name);
			continue;
		}
		/* As in the API a monitor counts once. */
		size_t page = (size_t)(planned - planning->plan->pages) + 1;
		if (planning->named_by[at] == page)
			continue;
		planning->named_by[at] = page;
		planned->monitors[ids->count] = &planning->plan->monitors[at].after;
		ids->ids[ids->count++] = planning->plan->monitors[at].before.id;
	}
}

/* The fields that a new page needs. */
static void check_required(struct service *service, const struct planned_page *planned)
{
	bool has_name = field_set_has(planned->change.sent, STATUS_PAGE_FIELD_name);
	if (planned->before.id == 0 && !has_name && !violations_has(service->violations, "name"))
		violations_add(service->violations, "name", "The name field is required.");
}

/* Puts what the file wants on the page, and finds what that changes. */
static enum result compare_page(struct planning *planning, struct planned_page *planned)
{
	struct service *service = planning->service;
	struct status_page_change *change = &planned->change;
	const struct field_set apart = FIELD_SET(
		STATUS_PAGE_FIELD_password, STATUS_PAGE_FIELD_logo, STATUS_PAGE_FIELD_logo_dark,
		STATUS_PAGE_FIELD_favicon, STATUS_PAGE_FIELD_remove_logo,
		STATUS_PAGE_FIELD_remove_logo_dark, STATUS_PAGE_FIELD_remove_favicon);
	enum result result = compare_password(planning, planned);
	if (result == OK)
		result = look_up_domain(planning, planned);
	if (result != OK)
		return result;
	compare_files(planned, service->arena);
	bool is_new = planned->before.id == 0;
	planned->after = planned->before;
	if (is_new)
		planned->after = status_page_new(service->principal.account_id, service->now);
	planned->write.page = &planned->after;
	page_write_merge(service, &planned->write);
	planned->changed = field_set_or(field_set_and(change->sent, apart),
					fields_differing(status_page_update_fields, change->sent,
							 status_page_resource_fields,
							 &planned->before, &planned->after));
	/* A new monitor has no id yet. */
	for (size_t i = 0; i < change->input.monitor_ids.count; i++)
		if (change->input.monitor_ids.ids[i] == 0)
			field_set_add(&planned->changed, STATUS_PAGE_FIELD_monitor_ids);
	if (is_new)
		planned->changed = change->sent;
	change->sent = planned->changed;
	planned->action = is_new				 ? PLAN_ADD
			  : field_set_is_empty(planned->changed) ? PLAN_KEEP
								 : PLAN_CHANGE;
	return OK;
}

static void refuse_second_slug(struct planning *planning, const struct name_index *in_file,
			       size_t at)
{
	struct service *service = planning->service;
	size_t first = 0;
	const char *slug = planning->plan->pages[at].change.input.slug;
	if (name_index_find(in_file, slug, &first) > 1 && first != at)
		violations_add(service->violations, "slug",
			       "The slug is already used by status_pages[%zu].", first);
}

/* Finds the page of the file among those that there are, and compares it. */
static enum result plan_page(struct planning *planning, size_t at, const struct name_index *slugs,
			     const struct configured_pages *current, bool *is_used)
{
	struct service *service = planning->service;
	struct planned_page *planned = &planning->plan->pages[at];
	size_t found = 0;
	if (name_index_find(slugs, planned->change.input.slug, &found) > 0) {
		planned->before = current->rows[found];
		is_used[found] = true;
	}
	planned->after = planned->before;
	planned->write.id = planned->before.id;
	check_required(service, planned);
	find_monitors(planning, planned);
	if (planned->wanted->is_wrong || service->violations->count > 0)
		return OK;
	return compare_page(planning, planned);
}

/* Whether the page with the domain gives it up by this plan. */
static bool gives_up_domain(const struct configuration_plan *plan, int64_t id, const char *domain)
{
	for (size_t i = 0; i < plan->page_count; i++) {
		const struct planned_page *planned = &plan->pages[i];
		if (planned->before.id == id)
			return planned->action == PLAN_REMOVE || !planned->after.domain ||
			       strcmp(planned->after.domain, domain) != 0;
	}
	return false;
}

/* Adds what other pages have: of this plan, or of other accounts. */
static void check_address(struct planning *planning, const struct planned_page *planned,
			  const struct configured_addresses *taken,
			  const struct name_index *domains)
{
	struct violations *violations = planning->service->violations;
	const struct status_page *page = &planned->after;
	bool is_new = planned->action == PLAN_ADD, is_domain_taken = false;
	size_t at;
	for (size_t i = 0; i < taken->count; i++) {
		const struct configured_address *other = &taken->rows[i];
		if (is_new && strcmp(other->slug, page->slug) == 0)
			violations_add(violations, "slug", "The slug has already been taken.");
		is_domain_taken |= other->id != planned->before.id && page->domain &&
				   other->domain && strcmp(other->domain, page->domain) == 0 &&
				   !gives_up_domain(planning->plan, other->id, page->domain);
	}
	if (is_domain_taken || name_index_find(domains, page->domain, &at) > 1)
		violations_add(violations, "domain", "The domain has already been taken.");
}

static bool has_new_address(const struct planned_page *planned)
{
	return planned->action == PLAN_ADD ||
	       (field_set_has(planned->changed, STATUS_PAGE_FIELD_domain) && planned->after.domain);
}

/* Asks whether new slugs and domains are taken: one statement for all. */
static enum result check_addresses(struct planning *planning)
{
	struct service *service = planning->service;
	const struct configuration_plan *plan = planning->plan;
	const char **texts = ARENA_ARRAY(service->arena, 2 * plan->page_count, const char *);
	struct configured_addresses taken;
	struct name_index domains;
	size_t count = 0;
	name_index_init(&domains, plan->page_count, service->arena);
	for (size_t i = 0; i < plan->page_count; i++) {
		const struct planned_page *planned = &plan->pages[i];
		if (planned->action != PLAN_REMOVE)
			name_index_add(&domains, planned->after.domain, i);
		if (!has_new_address(planned))
			continue;
		texts[count++] = planned->after.slug;
		if (planned->after.domain)
			texts[count++] = planned->after.domain;
	}
	name_index_sort(&domains);
	enum result result = configuration_addresses(service->db, texts, count, service->arena,
						     &taken, service->error);
	for (size_t i = 0; result == OK && i < plan->page_count; i++) {
		struct violation_scope scope;
		if (!has_new_address(&plan->pages[i]))
			continue;
		violation_scope_begin(&scope, service);
		check_address(planning, &plan->pages[i], &taken, &domains);
		violation_scope_end(&scope, service, plan->pages[i].wanted->path);
	}
	return result;
}

/* Checks each page of the file by itself, and gives its slug in its stored form. */
static void check_page(struct planning *planning, size_t at, struct violation_scope *scope)
{
	struct service *service = planning->service;
	struct planned_page *planned = &planning->plan->pages[at];
	planned->wanted = &planning->order->wanted->pages[at];
	planned->change = planned->wanted->change;
	planned->write.change = &planned->change;
	violation_scope_begin(scope, service);
	page_write_check(service, &planned->write);
	service->violations = scope->all;
}

static void plan_other_pages(struct planning *planning, const struct configured_pages *current,
			     const bool *is_used)
{
	struct configuration_plan *plan = planning->plan;
	bool prunes = planning->order->prunes && planning->order->wanted->has_pages;
	for (size_t i = 0; i < current->count; i++) {
		if (is_used[i])
			continue;
		plan->pages[plan->page_count++] = (struct planned_page){
			.action = prunes ? PLAN_REMOVE : PLAN_KEEP,
			.before = current->rows[i],
			.after = current->rows[i],
		};
	}
}

/* Plans the pages of the file, whose own violations `scopes` have. */
static enum result plan_wanted_pages(struct planning *planning, struct violation_scope *scopes,
				     const struct configured_pages *current, bool *is_used)
{
	struct service *service = planning->service;
	const struct configuration *wanted = planning->order->wanted;
	struct name_index slugs, in_file;
	enum result result = OK;
	name_index_init(&slugs, current->count, service->arena);
	name_index_init(&in_file, wanted->page_count, service->arena);
	for (size_t i = 0; i < current->count; i++)
		name_index_add(&slugs, current->rows[i].slug, i);
	for (size_t i = 0; i < wanted->page_count; i++)
		name_index_add(&in_file, planning->plan->pages[i].change.input.slug, i);
	name_index_sort(&slugs);
	name_index_sort(&in_file);
	for (size_t i = 0; result == OK && i < wanted->page_count; i++) {
		service->violations = &scopes[i].own;
		refuse_second_slug(planning, &in_file, i);
		result = plan_page(planning, i, &slugs, current, is_used);
		violation_scope_end(&scopes[i], service, wanted->pages[i].path);
	}
	return result;
}

enum result plan_pages(struct planning *planning)
{
	struct service *service = planning->service;
	struct configuration_plan *plan = planning->plan;
	size_t wanted = planning->order->wanted->page_count;
	struct configured_pages current;
	enum result result = configuration_pages(service->db, service->principal.account_id,
						 service->arena, &current, service->error);
	if (result != OK)
		return result;
	bool *is_used = ARENA_ARRAY(service->arena, current.count, bool);
	struct violation_scope *scopes =
		ARENA_ARRAY(service->arena, wanted, struct violation_scope);
	plan->pages = ARENA_ARRAY(service->arena, wanted + current.count, struct planned_page);
	plan->page_count = wanted;
	for (size_t i = 0; i < wanted; i++)
		check_page(planning, i, &scopes[i]);
	result = plan_wanted_pages(planning, scopes, &current, is_used);
	if (result != OK)
		return result;
	plan_other_pages(planning, &current, is_used);
	return check_addresses(planning);
}
