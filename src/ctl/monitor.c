/* daymarkctl monitor add|list|rename|remove|label */
#include <string.h>

#include "ctl/ctl.h"
#include "service/monitors.h"
#include "store/account.h"
#include "wire/json.h"

static int monitor_add_run(struct ctl *ctl)
{
	struct account account;
	struct service service = ctl_service(ctl);
	struct monitor monitor;
	struct monitor_input input = { .name = ctl->arguments[0], .url = ctl->arguments[1] };
	const char *since = ctl_option(ctl, "since");
	if (since && strcmp(since, "now") == 0)
		input.known_since = service.now;
	else if (since && !instant_parse(str_from(since), &input.known_since))
		return ctl_usage(ctl, "--since must be now, or a time such as 2026-11-20T19:58:30Z "
				      "that is not in the future");
	int status = ctl_account(ctl, &account);
	if (status != CTL_OK)
		return status;
	enum result result = service_add_monitor(&service, account.id, &input, 0, &monitor);
	if (result != OK)
		return ctl_fail(ctl, result, "the monitor cannot be added");
	struct json_object *tree = json_object_tree();
	json_put_fields(tree, monitor_fields, &monitor);
	ctl_say(ctl, tree, "Added monitor %lld (%s).", (long long)monitor.id, monitor.name);
	return CTL_OK;
}

#define ACCOUNT_OPTION \
	{ \
		"account", "ACCOUNT", "the account, by id or name; needed if there are several" \
	}

const struct ctl_command monitor_add_command = {
	.group = "monitor",
	.action = "add",
	.arguments = "NAME URL",
	.arguments_count = 2,
	.summary = "Add a monitor",
	.run = monitor_add_run,
	.options = {
		ACCOUNT_OPTION,
		{ "since", "TIME", "start of the record, or now; without it pages show "
				   "\"No data\" until the first report",
		  .field = "known_since" },
	},
};

static void add_monitor_row(struct ctl_table *table, const struct monitor *monitor)
{
	ctl_table_cell(table, "%lld", (long long)monitor->id);
	ctl_table_cell(table, "%lld", (long long)monitor->account_id);
	ctl_table_cell(table, "%s", monitor->name);
	ctl_table_cell(table, "%lld", (long long)monitor->status_pages);
	ctl_table_cell(table, "%s",
		       monitor->retired_at.s ? "retired"
					     : ctl_time(table->arena, monitor->known_since));
	ctl_table_cell(table, "%s", monitor->label ? monitor->label : "-");
	ctl_table_cell(table, "%s", monitor->url ? monitor->url : "-");
}

static int monitor_list_run(struct ctl *ctl)
{
	static const char *const head[] = { "ID",    "ACCOUNT", "NAME", "PAGES",
					    "SINCE", "LABEL",	"URL" };
	struct ctl_listing listing;
	struct account account = { 0 };
	struct monitor_list list = { 0 };
	int64_t after_id = 0;
	enum result result;
	int status = ctl_option(ctl, "account") ? ctl_account(ctl, &account) : CTL_OK;
	if (status != CTL_OK)
		return status;
	ctl_listing_start(&listing, ctl, head, ARRAY_LEN(head));
	do {
		result = monitor_list(ctl->db, account.id, after_id, &ctl->arena, &list,
				      &ctl->error);
		for (size_t i = 0; i < list.count; i++) {
			after_id = list.rows[i].id;
			ctl_listing_row(&listing, monitor_fields, &list.rows[i]);
			add_monitor_row(&listing.table, &list.rows[i]);
		}
	} while (result == OK && list.count > 0);
	return ctl_listing_end(&listing, result, "monitors");
}

const struct ctl_command monitor_list_command = {
	.group = "monitor",
	.action = "list",
	.summary = "List the monitors",
	.run = monitor_list_run,
	.options = { { "account", "ACCOUNT", "only this account's" } },
};

/* Returns the exit status after a change of the monitor in the first argument. */
static int finish_change(struct ctl *ctl, const struct service *service, enum result result)
{
	return result == OK ? ctl_published(ctl, service)
			    : ctl_fail_find(ctl, result, "monitor", ctl->arguments[0]);
}

static int monitor_rename_run(struct ctl *ctl)
{
	const uint64_t sent = FIELD_BIT(MONITOR_FIELD_name);
	struct monitor_input input = { .name = ctl->arguments[1] };
	struct monitor monitor;
	int64_t id;
	struct service service = ctl_service(ctl);
	if (!ctl_id(ctl->arguments[0], &id))
		return ctl_usage(ctl,
				 "ID must be the id of a monitor; see `daymarkctl monitor list`");
	enum result result = service_update_monitor(&service, id, &input, sent, &monitor);
	int status = finish_change(ctl, &service, result);
	if (status != CTL_OK)
		return status;
	struct json_object *tree = json_object_tree();
	json_put_int(tree, "id", id);
	json_put_text(tree, "name", monitor.name);
	ctl_say(ctl, tree, "Monitor %lld is now %s.", (long long)id, monitor.name);
	return CTL_OK;
}

const struct ctl_command monitor_rename_command = {
	.group = "monitor",
	.action = "rename",
	.arguments = "ID NAME",
	.arguments_count = 2,
	.summary = "Rename a monitor",
	.run = monitor_rename_run,
};

static int monitor_remove_run(struct ctl *ctl)
{
	int64_t id;
	struct monitor monitor;
	if (!ctl_id(ctl->arguments[0], &id))
		return ctl_usage(ctl,
				 "ID must be the id of a monitor; see `daymarkctl monitor list`");
	enum result result = monitor_find(ctl->db, 0, id, &ctl->arena, &monitor, &ctl->error);
	if (result != OK)
		return ctl_fail_find(ctl, result, "monitor", ctl->arguments[0]);
	bool is_kept = ctl_option(ctl, "keep-history") != NULL;
	if (!ctl_confirm(ctl,
			 is_kept ? "Retire monitor %lld (%s)? It will be removed from %lld status "
				   "pages; its %lld incidents remain in their logs."
				 : "Delete monitor %lld (%s)? It will be removed from %lld status "
				   "pages. Its %lld incidents will be deleted; use --keep-history "
				   "to keep them.",
			 (long long)id, monitor.name, (long long)monitor.status_pages,
			 (long long)monitor.incidents))
		return CTL_DECLINED;
	struct service service = ctl_service(ctl);
	result = is_kept ? service_retire_monitor(&service, id)
			 : service_remove_monitor(&service, id);
	int status = finish_change(ctl, &service, result);
	if (status != CTL_OK)
		return status;
	struct json_object *tree = json_object_tree();
	json_put_int(tree, "id", id);
	json_put_bool(tree, "removed", true);
	json_put_int(tree, "deleted_incidents", is_kept ? 0 : monitor.incidents);
	ctl_say(ctl, tree,
		is_kept ? "Retired monitor %s; its %lld incidents remain."
			: "Removed monitor %s and %lld incidents.",
		monitor.name, (long long)monitor.incidents);
	return CTL_OK;
}

const struct ctl_command monitor_remove_command = {
	.group = "monitor",
	.action = "remove",
	.arguments = "ID",
	.arguments_count = 1,
	.summary = "Remove a monitor from its pages, and delete its incidents",
	.is_patient = true,
	.run = monitor_remove_run,
	.options = { { "keep-history", NULL, "retire the monitor and keep its incidents" } },
};

static int monitor_label_run(struct ctl *ctl)
{
	const uint64_t sent = FIELD_BIT(MONITOR_FIELD_label);
	struct monitor_input input = { .label = ctl->arguments[1] };
	struct monitor monitor;
	int64_t id;
	struct service service = ctl_service(ctl);
	if (!ctl_id(ctl->arguments[0], &id))
		return ctl_usage(ctl,
				 "ID must be the id of a monitor; see `daymarkctl monitor list`");
	enum result result = service_update_monitor(&service, id, &input, sent, &monitor);
	if (result == E_CONFLICT) {
		ctl->error = (struct error){ 0 };
		return ctl_fail(ctl, result,
				"another monitor of the account already has this label");
	}
	if (result != OK)
		return ctl_fail_find(ctl, result, "monitor", ctl->arguments[0]);
	struct json_object *tree = json_object_tree();
	json_put_int(tree, "id", id);
	json_put_text(tree, "label", monitor.label);
	ctl_say(ctl, tree, "Monitor %lld %s%s.", (long long)id,
		monitor.label ? "has the label " : "has no label now",
		monitor.label ? monitor.label : "");
	return CTL_OK;
}

const struct ctl_command monitor_label_command = {
	.group = "monitor",
	.action = "label",
	.arguments = "ID LABEL",
	.arguments_count = 2,
	.summary = "Set the label (NAME=VALUE) by which alerts find a monitor",
	.run = monitor_label_run,
};
