/* daymarkctl monitor add|list|rename|remove|label|set */
#include <string.h>

#include "ctl/ctl.h"
#include "service/monitors.h"
#include "store/account/account.h"
#include "store/monitor/monitor_uptime.h"
#include "wire/json.h"

/* Reads a time or "now". Returns CTL_OK, or the exit status. */
static int read_since(struct ctl *ctl, struct monitor_input *input, struct instant now)
{
	const char *since = ctl_option(ctl, "since");
	if (since && strcmp(since, "now") == 0)
		input->known_since = now;
	else if (since && !instant_parse(str_from(since), &input->known_since))
		return ctl_usage(ctl, "--since must be now, or a time such as 2026-11-20T19:58:30Z "
				      "that is not in the future");
	return CTL_OK;
}

/* Reads the options that `monitor add` and `monitor set` share. */
static int read_options(struct ctl *ctl, struct monitor_input *input, struct instant now)
{
	const char *position = ctl_option(ctl, "position");
	input->group = ctl_option(ctl, "group");
	input->description = ctl_option(ctl, "description");
	if (position && !str_to_int64(str_from(position), &input->position))
		return ctl_usage(ctl, "--position must be a number from 0");
	return read_since(ctl, input, now);
}

static int monitor_add_run(struct ctl *ctl)
{
	struct account account;
	struct service service = ctl_service(ctl);
	struct monitor monitor;
	struct monitor_input input = { .name = ctl->arguments[0], .url = ctl->arguments[1] };
	int status = read_options(ctl, &input, service.now);
	if (status != CTL_OK)
		return status;
	input.is_paused = ctl_option(ctl, "paused") != NULL;
	status = ctl_account(ctl, &account);
	if (status != CTL_OK)
		return status;
	enum result result =
		service_add_monitor(&service, account.id, &input, FIELD_SET_NONE, &monitor);
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

#define SHARED_OPTIONS \
	{ "group", "TEXT", "the group that the system belongs to" }, \
		{ "description", "TEXT", "a text below the name on pages" }, \
	{ \
		"position", "NUMBER", "the place of the system on pages; lower ones come first" \
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
		SHARED_OPTIONS,
		{ "paused", NULL, "the system is not checked", .field = "is_paused" },
	},
};

static enum result read_monitors(struct ctl *ctl, int64_t account_id, int64_t after_id,
				 const void **rows, size_t *count)
{
	const struct instant now = clock_now();
	struct monitor_list list = { 0 };
	enum result result =
		monitor_list(ctl->db, account_id, after_id, now, &ctl->arena, &list, &ctl->error);
	if (result == OK && ctl->is_json)
		result = monitor_read_uptimes(ctl->db, list.rows, list.count, now, &ctl->error);
	*rows = list.rows;
	*count = list.count;
	return result;
}

static void add_monitor_cells(struct ctl_table *table, const void *row)
{
	const struct monitor *monitor = row;
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
					    "SINCE", "LABEL",	"URL",	NULL };
	return ctl_list(ctl, &(struct ctl_list){ "monitors", head, &monitor_fields,
						 sizeof(struct monitor), true, read_monitors,
						 add_monitor_cells });
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
	const struct field_set sent = FIELD_SET(MONITOR_FIELD_name);
	struct monitor_input input = { .name = ctl->arguments[1] };
	struct monitor monitor;
	int64_t id;
	struct service service = ctl_service(ctl);
	if (ctl_read_id(ctl, "a monitor", &id) != CTL_OK)
		return CTL_USAGE;
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
	if (ctl_read_id(ctl, "a monitor", &id) != CTL_OK)
		return CTL_USAGE;
	enum result result =
		monitor_find(ctl->db, 0, id, clock_now(), &ctl->arena, &monitor, &ctl->error);
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
		    ctl_count(&ctl->arena, monitor.status_pages, "status page"),
		    ctl_count(&ctl->arena, monitor.incidents, "incident")))
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
		is_kept ? "Retired monitor %s; its history of %s remains."
			: "Removed monitor %s and %s.",
		monitor.name, ctl_count(&ctl->arena, monitor.incidents, "incident"));
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
	const struct field_set sent = FIELD_SET(MONITOR_FIELD_label);
	struct monitor_input input = { .label = ctl->arguments[1] };
	struct monitor monitor;
	int64_t id;
	struct service service = ctl_service(ctl);
	if (ctl_read_id(ctl, "a monitor", &id) != CTL_OK)
		return CTL_USAGE;
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

/* The fields whose options were given. */
static struct field_set given_fields(const struct ctl *ctl)
{
	static const struct {
		const char *option;
		enum monitor_field field;
	} rows[] = {
		{ "url", MONITOR_FIELD_url },
		{ "group", MONITOR_FIELD_group },
		{ "description", MONITOR_FIELD_description },
		{ "position", MONITOR_FIELD_position },
		{ "since", MONITOR_FIELD_known_since },
		{ "pause", MONITOR_FIELD_is_paused },
		{ "resume", MONITOR_FIELD_is_paused },
	};
	struct field_set sent = FIELD_SET_NONE;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (ctl_option(ctl, rows[i].option))
			field_set_add(&sent, rows[i].field);
	return sent;
}

static int monitor_set_run(struct ctl *ctl)
{
	int64_t id;
	struct monitor monitor;
	struct service service = ctl_service(ctl);
	struct monitor_input input = { .url = ctl_option(ctl, "url") };
	struct field_set sent = given_fields(ctl);
	if (ctl_read_id(ctl, "a monitor", &id) != CTL_OK)
		return CTL_USAGE;
	if (field_set_is_empty(sent))
		return ctl_usage(ctl, "an option is missing; try `daymarkctl monitor set --help`");
	if (ctl_option(ctl, "pause") && ctl_option(ctl, "resume"))
		return ctl_usage(ctl, "--pause and --resume exclude each other");
	int status = read_options(ctl, &input, service.now);
	if (status != CTL_OK)
		return status;
	input.is_paused = ctl_option(ctl, "pause") != NULL;
	enum result result = service_update_monitor(&service, id, &input, sent, &monitor);
	status = finish_change(ctl, &service, result);
	if (status != CTL_OK)
		return status;
	struct json_object *tree = json_object_tree();
	json_put_fields(tree, monitor_fields, &monitor);
	ctl_say(ctl, tree, "Changed monitor %lld (%s).", (long long)id, monitor.name);
	return CTL_OK;
}

const struct ctl_command monitor_set_command = {
	.group = "monitor",
	.action = "set",
	.arguments = "ID",
	.arguments_count = 1,
	.summary = "Change the fields of a monitor that are given; empty removes a text",
	.run = monitor_set_run,
	.options = {
		{ "url", "URL", "the address of the system" },
		SHARED_OPTIONS,
		{ "since", "TIME", "start of the record, or now", .field = "known_since" },
		{ "pause", NULL, "do not check the system", .field = "is_paused" },
		{ "resume", NULL, "check the system again" },
	},
};
