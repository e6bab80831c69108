/* Plans the parts of status pages that the field table cannot describe. */
#include <string.h>

#include "base/log.h"
#include "service/configuration/configuration_parts.h"
#include "service/passwords.h"
#include "store/account/configuration.h"

void plan_page_check(struct planning *planning, struct planned *planned)
{
	planned->change.input = planned->wanted->input.page;
	planned->change.sent = planned->wanted->sent;
	planned->write.change = &planned->change;
	page_write_check(planning->service, &planned->write);
	/* Copy back the slug and the domain: page_write_check() has brought them into the stored
	 * form. */
	planned->wanted->input.page = planned->change.input;
}

/* Removes the password from the change if the page already has it: a new hash of the same password
 * would differ from the stored hash. */
static enum result compare_password(struct service *service, struct planned *planned)
{
	struct status_page_change *change = &planned->change;
	const char *hash = planned->before.page.password_hash;
	bool is_right = false;
	if (!change->input.password)
		return OK;
	enum result result =
		hash ? service_password_matches(service, hash, change->input.password, &is_right)
		     : OK;
	if (result == OK && is_right) {
		change->input.password = NULL;
		field_set_remove(&change->sent, STATUS_PAGE_FIELD_password);
	}
	return result;
}

/* Removes from the change the files that the page already has. */
static void compare_files(struct planned *planned, struct arena *arena)
{
	struct page_write *write = &planned->write;
	size_t kept = 0;
	for (size_t i = 0; i < write->file_count; i++) {
		const struct page_file *file = &write->files[i];
		const char *stored = *status_page_file(&planned->before.page, file->kind);
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

/* Finds the monitors that the page names, and sets the ids of the monitors that are already
 * stored. */
static void find_monitors(struct planning *planning, struct planned *planned)
{
	struct service *service = planning->service;
	const struct wanted *wanted = planned->wanted;
	struct planned *monitors = planning->plan->lists[CONFIGURED_MONITORS].rows;
	size_t page = (size_t)(planned - planning->plan->lists[CONFIGURED_PAGES].rows) + 1;
	struct id_list *ids = &planned->change.input.monitor_ids;
	planned->monitors =
		ARENA_ARRAY(service->arena, wanted->monitor_count, const struct monitor *);
	*ids = (struct id_list){ ARENA_ARRAY(service->arena, wanted->monitor_count, int64_t), 0 };
	if (wanted->monitor_count > STATUS_PAGE_MONITORS_MAX)
		violations_add(service->violations, "monitors",
			       "The monitors field must not have more than %d items.",
			       STATUS_PAGE_MONITORS_MAX);
	for (size_t i = 0; i < wanted->monitor_count; i++) {
		const char *name = wanted->monitor_names[i];
		size_t at = 0, count = name_index_find(&planning->plan->monitors, name, &at);
		if (count != 1) {
			violations_add(service->violations,
				       arena_printf(service->arena, "monitors[%zu]", i),
				       count == 0 ? "There is no monitor %s."
						  : "There are several monitors %s.",
				       name);
			continue;
		}
		/* If the page names a monitor twice, add it once, as the API does. */
		if (monitors[at].named_by == page)
			continue;
		monitors[at].named_by = page;
		planned->monitors[ids->count] = &monitors[at].after.monitor;
		ids->ids[ids->count++] = monitors[at].before.monitor.id;
	}
}

void plan_page_names(struct planning *planning, struct planned *planned)
{
	struct violations *violations = planning->service->violations;
	bool has_name = field_set_has(planned->change.sent, STATUS_PAGE_FIELD_name);
	if (planned->before.page.id == 0 && !has_name && !violations_has(violations, "name"))
		violations_add(violations, "name", "The name field is required.");
	if (!planned->wanted->has_monitors)
		return;
	field_set_add(&planned->change.sent, STATUS_PAGE_FIELD_monitor_ids);
	find_monitors(planning, planned);
}

/* Returns the sent fields that count as changed because fields_differing() cannot compare them. */
static struct field_set apart_of(const struct status_page_change *change)
{
	struct field_set apart = FIELD_SET_NONE;
	for (size_t i = 0; i < status_page_update_fields.count; i++)
		if (field_set_has(change->sent, i) &&
		    !fields_find(status_page_resource_fields,
				 status_page_update_fields.rows[i].name))
			field_set_add(&apart, i);
	/* A new monitor has no id yet, so a list with a new monitor has changed. */
	for (size_t i = 0; i < change->input.monitor_ids.count; i++)
		if (change->input.monitor_ids.ids[i] == 0)
			field_set_add(&apart, STATUS_PAGE_FIELD_monitor_ids);
	return apart;
}

enum result plan_page_merge(struct planning *planning, struct planned *planned)
{
	struct service *service = planning->service;
	const char *domain = planned->change.input.domain, *before = planned->before.page.domain;
	enum result result = compare_password(service, planned);
	/* Look up only a domain that the page does not have yet. */
	if (result == OK && domain && !(before && strcmp(domain, before) == 0))
		result = page_domain_look_up(service, domain, planned->before.page.id,
					     &planned->write.domain);
	if (result != OK)
		return result;
	compare_files(planned, service->arena);
	planned->write.id = planned->before.page.id;
	if (planned->write.id == 0)
		planned->after.page = status_page_new(service->principal.account_id, service->now);
	planned->write.page = &planned->after.page;
	page_write_merge(service, &planned->write);
	planned->stated = planned->change.sent;
	planned->changed = apart_of(&planned->change);
	return OK;
}

/* Whether the plan removes the domain from the page with this id, or removes the page. */
static bool gives_up_domain(const struct planned_list *pages, int64_t id, const char *domain)
{
	for (size_t i = 0; i < pages->count; i++) {
		const struct planned *planned = &pages->rows[i];
		if (planned->before.page.id == id)
			return planned->action == PLAN_REMOVE || !planned->after.page.domain ||
			       strcmp(planned->after.page.domain, domain) != 0;
	}
	return false;
}

/* Adds violations for addresses that belong to other pages of the plan, or to pages of other
 * accounts. */
static void check_address(struct planning *planning, const struct planned *planned,
			  const struct configured_addresses *taken)
{
	struct violations *violations = planning->service->violations;
	const struct planned_list *pages = &planning->plan->lists[CONFIGURED_PAGES];
	const struct status_page *page = &planned->after.page;
	for (size_t i = 0; i < taken->count; i++) {
		const struct configured_address *other = &taken->rows[i];
		if (planned->action == PLAN_ADD && strcmp(other->slug, page->slug) == 0)
			violations_add(violations, "slug", "The slug has already been taken.");
		if (other->id != planned->before.page.id && page->domain && other->domain &&
		    strcmp(other->domain, page->domain) == 0 &&
		    !gives_up_domain(pages, other->id, page->domain))
			violations_add(violations, "domain", "The domain has already been taken.");
	}
}

static bool has_new_address(const struct planned *planned)
{
	return planned->action == PLAN_ADD ||
	       (planned->after.page.domain &&
		field_set_has(planned->changed, STATUS_PAGE_FIELD_domain));
}

/* Checks with one statement whether other pages have the new slugs and domains. */
enum result plan_page_addresses(struct planning *planning)
{
	struct service *service = planning->service;
	const struct planned_list *pages = &planning->plan->lists[CONFIGURED_PAGES];
	const char **texts = ARENA_ARRAY(service->arena, 2 * pages->count, const char *);
	struct configured_addresses taken;
	size_t count = 0;
	for (size_t i = 0; i < pages->count; i++) {
		const struct status_page *page = &pages->rows[i].after.page;
		if (!has_new_address(&pages->rows[i]))
			continue;
		texts[count++] = page->slug;
		if (page->domain)
			texts[count++] = page->domain;
	}
	enum result result = configuration_addresses(service->db, texts, count, service->arena,
						     &taken, service->error);
	for (size_t i = 0; result == OK && i < pages->count; i++) {
		struct violation_scope scope;
		if (!has_new_address(&pages->rows[i]))
			continue;
		violation_scope_begin(&scope, service);
		check_address(planning, &pages->rows[i], &taken);
		violation_scope_end(&scope, service, pages->rows[i].wanted->path);
	}
	return result;
}
