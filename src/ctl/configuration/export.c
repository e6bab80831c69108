/* daymarkctl export */
#include <string.h>

#include "ctl/configuration/apply_changes.h"
#include "ctl/configuration/configuration_file.h"
#include "wire/json.h"

/* Returns the fields of `object` with other values than in `new_object`. */
static struct json_object *settable_json(enum configured_kind kind, const union configured *object,
					 const union configured *new_object)
{
	const struct fields form = *configured_kinds[kind].form;
	const struct fields members = *configured_kinds[kind].members;
	struct json_object *tree = json_object_tree();
	struct field_set differing =
		fields_differing(form, FIELD_SET_ALL, members, object, new_object);
	for (size_t i = 0; i < form.count; i++)
		if (configuration_has_key(&form.rows[i]) && field_set_has(differing, i))
			json_put_fields(
				tree, (struct fields){ fields_find(members, form.rows[i].name), 1 },
				object);
	return tree;
}

/* Warns of monitors with equal names, since apply finds monitors by their names. */
static void warn_of_equal_names(const struct name_index *names)
{
	for (size_t from = 0, to; from < names->count; from = to) {
		const char *name = names->rows[from].name;
		for (to = from + 1; to < names->count && strcmp(names->rows[to].name, name) == 0;)
			to++;
		if (to - from > 1)
			ctl_line(stderr,
				 "daymarkctl: warning: %zu monitors are named %s: rename all but "
				 "one, or apply refuses the file",
				 to - from, name);
	}
}

/* Warns that the file lacks the page's pictures, and its password, which cannot be read. */
static void warn_of_omissions(const struct status_page *page)
{
	const struct {
		const char *what;
		bool is_left_out;
	} rows[] = {
		{ "the password", page->has_password },
		{ "the logo", page->logo_file != NULL },
		{ "the logo in dark mode", page->logo_dark_file != NULL },
		{ "the header image", page->header_image_file != NULL },
		{ "the favicon", page->favicon_file != NULL },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (rows[i].is_left_out)
			ctl_line(stderr,
				 "daymarkctl: warning: the file does not have %s of the page %s",
				 rows[i].what, page->slug);
}

/* Warns that the file lacks the monitor's secrets. A secret header has the value null in the file.
 * Also warns that the file lacks the monitor's alert channels: channels have secrets, and their ids
 * differ in another installation. */
static void warn_of_secrets(const struct monitor *monitor)
{
	const struct check_header *headers = monitor->request_headers.rows;
	if (monitor->sealed_password)
		ctl_line(stderr,
			 "daymarkctl: warning: the file does not have the request_auth_password of "
			 "the monitor %s",
			 monitor->name);
	if (monitor->alert_channel_ids.count > 0)
		ctl_line(stderr,
			 "daymarkctl: warning: the file does not have the alert channels of the "
			 "monitor %s",
			 monitor->name);
	for (size_t i = 0; i < monitor->request_headers.count; i++)
		if (headers[i].sealed)
			ctl_line(stderr,
				 "daymarkctl: warning: the file does not have the value of the "
				 "header %s of the monitor %s",
				 headers[i].key, monitor->name);
}

static void put_list(struct ctl *ctl, const struct configuration_plan *plan,
		     enum configured_kind kind, const union configured *new_object,
		     struct json_object *tree)
{
	struct json_object *list = json_array_tree();
	for (size_t i = 0; i < plan->lists[kind].count; i++) {
		const union configured *object = &plan->lists[kind].rows[i].before;
		struct json_object *one = settable_json(kind, object, new_object);
		json_append(list, one);
		if (kind == CONFIGURED_MONITORS) {
			const int64_t other = object->monitor.depends_on_id;
			if (other > 0)
				json_put_text(one, "depends_on", apply_monitor_name(plan, other));
			warn_of_secrets(&object->monitor);
			continue;
		}
		json_put(one, "monitors",
			 apply_monitor_names(ctl, plan, &object->page.monitor_ids));
		warn_of_omissions(&object->page);
	}
	json_put(tree, configured_kinds[kind].list, list);
}

static int export_run(struct ctl *ctl)
{
	static const struct configuration nothing;
	static const struct configuration_order order = { .wanted = &nothing };
	int64_t account_id;
	struct configuration_plan plan;
	struct service service = ctl_service(ctl);
	int status = ctl_account(ctl, &account_id);
	if (status != CTL_OK)
		return status;
	service.principal.account_id = account_id;
	enum result result = service_plan_configuration(&service, &order, &plan);
	if (result != OK)
		return ctl_fail(ctl, result, "the configuration cannot be read");
	struct json_object *tree = json_object_tree();
	const union configured new_objects[CONFIGURED_KINDS] = {
		[CONFIGURED_MONITORS].monitor = monitor_new(account_id, service.now),
		[CONFIGURED_PAGES].page = status_page_new(account_id, service.now),
	};
	for (int kind = 0; kind < CONFIGURED_KINDS; kind++)
		put_list(ctl, &plan, (enum configured_kind)kind, &new_objects[kind], tree);
	warn_of_equal_names(&plan.monitors);
	ctl_print_json(tree);
	return CTL_OK;
}

const struct ctl_command export_command = {
	.words = "export",
	.summary = "Print monitors and pages as a file for apply",
	.run = export_run,
	.options = { CTL_ACCOUNT_OPTION },
};
