/* daymarkctl maintenance add|list|show|set|update|complete|cancel|delete */
#include "ctl/ctl.h"
#include "service/maintenance/maintenances.h"
#include "view/json/maintenance_json.h"
#include "wire/json.h"

/* Prints the changed window, or the error. Returns the exit status. */
static int finish(struct ctl *ctl, const struct service *service, enum result result,
		  const struct maintenance_shown *shown, const char *what)
{
	int status = ctl_finish(ctl, service, result, "maintenance");
	if (status != CTL_OK)
		return status;
	const struct maintenance *maintenance = &shown->maintenance;
	ctl_say(ctl, maintenance_json(shown), "%s maintenance %lld (%s): %s, %s.", what,
		(long long)maintenance->id, maintenance->title, maintenance->status,
		ctl_time(&ctl->arena, maintenance->next_starts_at));
	return CTL_OK;
}

static int maintenance_add_run(struct ctl *ctl)
{
	int64_t account_id;
	struct service service = ctl_service(ctl);
	struct maintenance_shown shown = { 0 };
	struct maintenance_input input = { .auto_transition = true };
	struct field_set sent;
	int status = ctl_read_new(ctl, &input, &sent, &account_id);
	if (status != CTL_OK)
		return status;
	enum result result = service_add_maintenance(&service, account_id, &input, sent, &shown);
	if (result != OK)
		return ctl_fail(ctl, result, "the maintenance cannot be added");
	return finish(ctl, &service, result, &shown, "Added");
}

const struct ctl_command maintenance_add_command = {
	.words = "maintenance add",
	.arguments = "TITLE",
	.summary = "Plan a maintenance window, which takes place once or by a rule",
	.run = maintenance_add_run,
	.form = &maintenance_create_fields,
	.without = "status",
	.options = { CTL_ACCOUNT_OPTION },
};

static const struct ctl_column columns[] = {
	{ "ID", "id", NULL },
	{ "ACCOUNT", "account_id", NULL },
	{ "STATUS", "status", NULL },
	{ "START", "next_starts_at", NULL },
	{ "END", "next_ends_at", NULL },
	{ "RULE", "rrule", NULL },
	{ "TITLE", "title", NULL },
	{ 0 },
};
static const struct ctl_list list = { "maintenance windows", columns, &maintenance_fields,
				      &resource_maintenances };

const struct ctl_command maintenance_list_command = {
	.words = "maintenance list",
	.summary = "List the maintenance windows",
	.run = ctl_list,
	.list = &list,
	.options = { { "account", "ACCOUNT", "only this account's" } },
};

static int maintenance_show_run(struct ctl *ctl)
{
	int64_t id;
	struct maintenance_shown shown = { 0 };
	struct service service = ctl_service(ctl);
	if (ctl_read_id(ctl, "a window", &id) != CTL_OK)
		return CTL_USAGE;
	enum result result = service_show_maintenance(&service, id, &shown);
	if (result != OK)
		return ctl_fail_find(ctl, result, "maintenance", ctl->arguments[0]);
	ctl_print_json(maintenance_json(&shown));
	return CTL_OK;
}

const struct ctl_command maintenance_show_command = {
	.words = "maintenance show",
	.arguments = "ID",
	.summary = "Print a window with its next occurrences and its updates, as JSON",
	.run = maintenance_show_run,
};

static int change(struct ctl *ctl, const struct maintenance_input *input, struct field_set sent,
		  const char *what)
{
	int64_t id;
	struct maintenance_shown shown = { 0 };
	struct service service = ctl_service(ctl);
	if (ctl_read_id(ctl, "a window", &id) != CTL_OK)
		return CTL_USAGE;
	enum result result = service_update_maintenance(&service, id, input, sent, &shown);
	return finish(ctl, &service, result, &shown, what);
}

static int maintenance_set_run(struct ctl *ctl)
{
	struct maintenance_input input = { 0 };
	struct field_set sent;
	int status = ctl_read_change(ctl, &input, &sent);
	return status == CTL_OK ? change(ctl, &input, sent, "Changed") : status;
}

const struct ctl_command maintenance_set_command = {
	.words = "maintenance set",
	.arguments = "ID",
	.summary = "Change the fields of a window that are given; empty removes a text",
	.run = maintenance_set_run,
	.form = &maintenance_update_fields,
};

static int maintenance_complete_run(struct ctl *ctl)
{
	const struct maintenance_input input = { .status = "completed" };
	return change(ctl, &input, FIELD_SET(MAINTENANCE_FIELD_status), "Completed");
}

const struct ctl_command maintenance_complete_command = {
	.words = "maintenance complete",
	.arguments = "ID",
	.summary = "End the window that is in progress now",
	.run = maintenance_complete_run,
};

static int maintenance_cancel_run(struct ctl *ctl)
{
	const struct maintenance_input input = { .status = "cancelled" };
	return change(ctl, &input, FIELD_SET(MAINTENANCE_FIELD_status), "Cancelled");
}

const struct ctl_command maintenance_cancel_command = {
	.words = "maintenance cancel",
	.arguments = "ID",
	.summary = "Cancel a window; of a recurring window all that is ahead",
	.run = maintenance_cancel_run,
};

static int maintenance_update_run(struct ctl *ctl)
{
	int64_t id;
	struct maintenance_posting posting = { 0 };
	struct maintenance_shown shown = { 0 };
	struct service service = ctl_service(ctl);
	struct maintenance_update_input input = { 0 };
	struct field_set sent;
	int status = ctl_read_id(ctl, "a window", &id);
	if (status == CTL_OK)
		status = ctl_read_form(ctl, maintenance_post_fields, &input, &sent);
	if (status != CTL_OK)
		return status;
	enum result result = service_post_maintenance_update(&service, id, &input, &posting);
	if (result == OK)
		result = service_show_maintenance(&service, id, &shown);
	return finish(ctl, &service, result, &shown, "Updated");
}

const struct ctl_command maintenance_update_command = {
	.words = "maintenance update",
	.arguments = "ID BODY",
	.summary = "Post an update for visitors, which may move the status",
	.run = maintenance_update_run,
	.form = &maintenance_post_fields,
};

static int maintenance_delete_run(struct ctl *ctl)
{
	int64_t id;
	struct maintenance_shown shown = { 0 };
	struct maintenance maintenance;
	struct service service = ctl_service(ctl);
	if (ctl_read_id(ctl, "a window", &id) != CTL_OK)
		return CTL_USAGE;
	enum result result = ctl_find(ctl, &resource_maintenances, id, &shown);
	if (result != OK)
		return ctl_fail_find(ctl, result, "maintenance", ctl->arguments[0]);
	if (!ctl_confirm(ctl,
			 "Delete maintenance %lld (%s)? Outages during the window will count as "
			 "outages.",
			 (long long)id, shown.maintenance.title))
		return CTL_DECLINED;
	result = service_delete_maintenance(&service, id, &maintenance);
	int status = ctl_finish(ctl, &service, result, "maintenance");
	if (status != CTL_OK)
		return status;
	ctl_say(ctl, ctl_done_tree(id, "deleted"), "Deleted maintenance %lld (%s).", (long long)id,
		maintenance.title);
	return CTL_OK;
}

const struct ctl_command maintenance_delete_command = {
	.words = "maintenance delete",
	.arguments = "ID",
	.summary = "Delete a window",
	.run = maintenance_delete_run,
};
