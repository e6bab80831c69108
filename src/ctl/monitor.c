/* daymarkctl monitor add|list|rename|remove|label|set|check */
#include <string.h>

#include "ctl/ctl.h"
#include "service/check_signals.h"
#include "service/monitors.h"
#include "wire/json.h"

static int say_done(struct ctl *ctl, const struct monitor *monitor, const char *what)
{
	ctl_say(ctl, json_row_tree(monitor_fields, monitor), "%s monitor %lld (%s).", what,
		(long long)monitor->id, monitor->name);
	return CTL_OK;
}

static int monitor_add_run(struct ctl *ctl)
{
	int64_t account_id;
	struct service service = ctl_service(ctl);
	struct monitor monitor;
	struct monitor_input input = { 0 };
	struct field_set sent;
	int status = ctl_read_new(ctl, &input, &sent, &account_id);
	if (status != CTL_OK)
		return status;
	enum result result = service_add_monitor(&service, account_id, &input, sent, &monitor);
	return result == OK ? say_done(ctl, &monitor, "Added")
			    : ctl_fail(ctl, result, "the monitor cannot be added");
}

const struct ctl_command monitor_add_command = {
	.words = "monitor add",
	.arguments = "NAME [URL]",
	.summary = "Add a monitor",
	.run = monitor_add_run,
	.form = &monitor_create_fields,
	.options = { CTL_ACCOUNT_OPTION },
};

static const char *since_text(struct arena *arena, const void *row)
{
	const struct monitor *monitor = row;
	return monitor->retired_at.s ? "retired" : ctl_time(arena, monitor->known_since);
}

static const struct ctl_column columns[] = {
	{ "ID", "id", NULL },	       { "ACCOUNT", "account_id", NULL },
	{ "NAME", "name", NULL },      { "PAGES", "status_page_count", NULL },
	{ "SINCE", NULL, since_text }, { "LABEL", "label", NULL },
	{ "TYPE", "type", NULL },      { "STATE", "state", NULL },
	{ "URL", "url", NULL },	       { 0 },
};
static const struct ctl_list list = { "monitors", columns, &monitor_fields, &resource_monitors };

const struct ctl_command monitor_list_command = {
	.words = "monitor list",
	.summary = "List the monitors",
	.run = ctl_list,
	.list = &list,
	.options = { { "account", "ACCOUNT", "only this account's" } },
};

/* Changes the fields that the command line sets. Returns the exit status. */
static int change(struct ctl *ctl, struct monitor *monitor)
{
	struct monitor_input input = { 0 };
	struct field_set sent;
	int64_t id;
	struct service service = ctl_service(ctl);
	int status = ctl_read_id(ctl, "a monitor", &id);
	if (status == CTL_OK)
		status = ctl_read_change(ctl, &input, &sent);
	if (status != CTL_OK)
		return status;
	enum result result = service_update_monitor(&service, id, &input, sent, monitor);
	if (result == E_CONFLICT) {
		ctl->error = (struct error){ 0 };
		return ctl_fail(ctl, result,
				"another monitor of the account already has this label");
	}
	return ctl_finish(ctl, &service, result, "monitor");
}

static int monitor_rename_run(struct ctl *ctl)
{
	struct monitor monitor;
	int status = change(ctl, &monitor);
	if (status != CTL_OK)
		return status;
	struct json_object *tree = json_object_tree();
	json_put_int(tree, "id", monitor.id);
	json_put_text(tree, "name", monitor.name);
	ctl_say(ctl, tree, "Monitor %lld is now %s.", (long long)monitor.id, monitor.name);
	return CTL_OK;
}

const struct ctl_command monitor_rename_command = {
	.words = "monitor rename",
	.arguments = "ID NAME",
	.summary = "Rename a monitor",
	.run = monitor_rename_run,
	.form = &monitor_update_fields,
	.has_only_arguments = true,
};

static int monitor_remove_run(struct ctl *ctl)
{
	int64_t id;
	struct monitor monitor;
	if (ctl_read_id(ctl, "a monitor", &id) != CTL_OK)
		return CTL_USAGE;
	enum result result = ctl_find(ctl, &resource_monitors, id, &monitor);
	if (result != OK)
		return ctl_fail_find(ctl, result, "monitor", ctl->arguments[0]);
	bool is_kept = ctl_option(ctl, "keep-history") != NULL;
	if (!ctl_confirm(
		    ctl,
		    is_kept ? "Retire monitor %lld (%s)? It will be removed from %s; its history "
			      "of %s remains in their logs."
			    : "Delete monitor %lld (%s)? It will be removed from %s. Its %s will "
			      "be deleted, unless you use --keep-history.",
		    (long long)id, monitor.name,
		    ctl_count(&ctl->arena, monitor.status_page_count, "status page"),
		    ctl_count(&ctl->arena, monitor.incident_count, "incident")))
		return CTL_DECLINED;
	struct service service = ctl_service(ctl);
	result = is_kept ? service_retire_monitor(&service, id)
			 : service_remove_monitor(&service, id);
	int status = ctl_finish(ctl, &service, result, "monitor");
	if (status != CTL_OK)
		return status;
	struct json_object *tree = ctl_done_tree(id, "removed");
	json_put_int(tree, "deleted_incident_count", is_kept ? 0 : monitor.incident_count);
	ctl_say(ctl, tree,
		is_kept ? "Retired monitor %s; its history of %s remains."
			: "Removed monitor %s and %s.",
		monitor.name, ctl_count(&ctl->arena, monitor.incident_count, "incident"));
	return CTL_OK;
}

const struct ctl_command monitor_remove_command = {
	.words = "monitor remove",
	.arguments = "ID",
	.summary = "Remove a monitor from its pages, and delete its incidents",
	.is_patient = true,
	.run = monitor_remove_run,
	.options = { { "keep-history", NULL, "retire the monitor and keep its incidents" } },
};

static int monitor_label_run(struct ctl *ctl)
{
	struct monitor monitor;
	int status = change(ctl, &monitor);
	if (status != CTL_OK)
		return status;
	struct json_object *tree = json_object_tree();
	json_put_int(tree, "id", monitor.id);
	json_put_text(tree, "label", monitor.label);
	ctl_say(ctl, tree, "Monitor %lld %s%s.", (long long)monitor.id,
		monitor.label ? "has the label " : "has no label now",
		monitor.label ? monitor.label : "");
	return CTL_OK;
}

const struct ctl_command monitor_label_command = {
	.words = "monitor label",
	.arguments = "ID LABEL",
	.summary = "Set the label (NAME=VALUE) by which alerts find a monitor",
	.run = monitor_label_run,
	.form = &monitor_update_fields,
	.has_only_arguments = true,
};

static int monitor_set_run(struct ctl *ctl)
{
	struct monitor monitor;
	int status = change(ctl, &monitor);
	return status == CTL_OK ? say_done(ctl, &monitor, "Changed") : status;
}

const struct ctl_command monitor_set_command = {
	.words = "monitor set",
	.arguments = "ID",
	.summary = "Change the fields of a monitor that are given; empty removes a text",
	.run = monitor_set_run,
	.form = &monitor_update_fields,
};

/* Finds the monitor by its id, or by its name. Returns CTL_OK, or the exit status. */
static int find_id(struct ctl *ctl, int64_t *id)
{
	const char *given = ctl->arguments[0];
	struct resource_rows read = { .count = 1 };
	size_t found = 0;
	int64_t after_id = 0;
	if (ctl_id(given, id))
		return CTL_OK;
	while (read.count > 0) {
		enum result result = ctl_read_after(ctl, &resource_monitors, 0, after_id, &read);
		if (result != OK)
			return ctl_fail(ctl, result, "the monitors cannot be read");
		const struct monitor *rows = read.rows;
		for (size_t i = 0; i < read.count; i++) {
			after_id = rows[i].id;
			if (strcmp(rows[i].name, given) != 0)
				continue;
			*id = rows[i].id;
			found++;
		}
	}
	if (found > 1)
		return ctl_usage(ctl, "%zu monitors are named %s: use the id", found, given);
	return found == 1 ? CTL_OK : ctl_fail_find(ctl, E_NOT_FOUND, "monitor", given);
}

static int monitor_check_run(struct ctl *ctl)
{
	struct monitor monitor;
	struct service service = ctl_service(ctl);
	int64_t id;
	int status = find_id(ctl, &id);
	if (status != CTL_OK)
		return status;
	enum result result = service_check_monitor(&service, id, &monitor);
	if (result == E_CONFLICT)
		return ctl_fail(ctl, result, "the monitor is not checked now");
	status = ctl_finish(ctl, &service, result, "monitor");
	if (status != CTL_OK)
		return status;
	ctl_say(ctl, json_row_tree(monitor_fields, &monitor),
		"Monitor %lld (%s) is checked within seconds, if daymark-check runs.",
		(long long)monitor.id, monitor.name);
	return CTL_OK;
}

const struct ctl_command monitor_check_command = {
	.words = "monitor check",
	.arguments = "ID|NAME",
	.summary = "Check a monitor now",
	.run = monitor_check_run,
};
