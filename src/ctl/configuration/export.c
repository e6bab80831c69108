/* daymarkctl export */
#include <stdlib.h>
#include <string.h>

#include "ctl/configuration/apply_changes.h"
#include "store/account/account.h"
#include "wire/json.h"

/* Adds the fields of the form that the resource shows, and that differ from those of a new one. */
static struct json_object *settable_json(struct fields form, struct fields members, const void *row,
					 const void *new_row)
{
	struct json_object *tree = json_object_tree();
	struct field_set differing = fields_differing(form, FIELD_SET_ALL, members, row, new_row);
	for (size_t i = 0; i < form.count; i++) {
		const struct field *member = fields_find(members, form.rows[i].name);
		bool is_settable = !(form.rows[i].flags & FIELD_READ_ONLY) &&
				   form.rows[i].kind != FIELD_IDS;
		if (is_settable && field_set_has(differing, i))
			json_put_fields(tree, (struct fields){ member, 1 }, row);
	}
	return tree;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* apply finds monitors by their names. */
static void warn_of_equal_names(struct ctl *ctl, const struct configuration_plan *plan)
{
	const char **names = ARENA_ARRAY(&ctl->arena, plan->monitor_count, const char *);
	for (size_t i = 0; i < plan->monitor_count; i++)
		names[i] = plan->monitors[i].before.name;
	if (plan->monitor_count > 1)
		qsort(names, plan->monitor_count, sizeof(*names), by_name);
	for (size_t from = 0, to; from < plan->monitor_count; from = to) {
		for (to = from + 1;
		     to < plan->monitor_count && strcmp(names[to], names[from]) == 0;)
			to++;
		if (to - from > 1)
			ctl_line(stderr,
				 "daymarkctl: warning: %zu monitors are named %s: rename all but "
				 "one, or apply refuses the file",
				 to - from, names[from]);
	}
}

/* The file has neither what nobody may read nor what is no text. */
static void warn_of_omissions(const struct status_page *page)
{
	const struct {
		const char *what;
		bool is_left_out;
	} rows[] = {
		{ "the password", page->has_password },
		{ "the logo", page->logo_file != NULL },
		{ "the logo in dark mode", page->logo_dark_file != NULL },
		{ "the favicon", page->favicon_file != NULL },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (rows[i].is_left_out)
			ctl_line(stderr,
				 "daymarkctl: warning: the file does not have %s of the page %s",
				 rows[i].what, page->slug);
}

static int export_run(struct ctl *ctl)
{
	struct account account;
	struct configuration_plan plan;
	struct service service = ctl_service(ctl);
	int status = ctl_account(ctl, &account);
	if (status != CTL_OK)
		return status;
	service.principal.account_id = account.id;
	enum result result = service_read_configuration(&service, &plan);
	if (result != OK)
		return ctl_fail(ctl, result, "the configuration cannot be read");
	struct json_object *tree = json_object_tree();
	struct json_object *monitors = json_array_tree(), *pages = json_array_tree();
	const struct monitor new_monitor = { 0 };
	const struct status_page new_page = status_page_new(account.id, service.now);
	for (size_t i = 0; i < plan.monitor_count; i++)
		json_append(monitors, settable_json(monitor_update_fields, monitor_fields,
						    &plan.monitors[i].before, &new_monitor));
	for (size_t i = 0; i < plan.page_count; i++) {
		const struct status_page *page = &plan.pages[i].before;
		struct json_object *one = settable_json(
			status_page_update_fields, status_page_resource_fields, page, &new_page);
		json_put(one, "monitors", apply_monitor_names(ctl, &plan, &page->monitor_ids));
		json_append(pages, one);
		warn_of_omissions(page);
	}
	warn_of_equal_names(ctl, &plan);
	json_put(tree, "monitors", monitors);
	json_put(tree, "status_pages", pages);
	ctl_print_json(tree);
	return CTL_OK;
}

const struct ctl_command export_command = {
	.group = "export",
	.summary = "Print monitors and pages as a file for apply",
	.run = export_run,
	.options = {
		{ "account", "ACCOUNT", "the account, by id or name; needed if there are several" },
	},
};
