/* daymarkctl maintenance add|list|show|set|update|complete|cancel|delete */
#include <string.h>

#include "ctl/ctl.h"
#include "service/maintenance/maintenances.h"
#include "store/account/account.h"
#include "view/json/maintenance_json.h"
#include "wire/json.h"

#define PLACE(name) MAINTENANCE_FIELD_##name

/* Reads "7,8". False: another text. An empty text is the empty list. */
static bool read_ids(const char *text, struct arena *arena, struct id_list *list)
{
	struct str rest = str_from(text), item;
	int64_t id;
	*list = (struct id_list){ ARENA_ARRAY(arena, rest.len, int64_t), 0 };
	while (str_split(&rest, ',', &item)) {
		if (!str_to_int64(str_trim(item), &id) || id < 1)
			return false;
		bool is_known = false;
		for (size_t i = 0; i < list->count; i++)
			is_known |= list->ids[i] == id;
		if (!is_known)
			list->ids[list->count++] = id;
	}
	return list->count <= MAINTENANCE_MONITORS_MAX;
}

/* Empty text is none. */
static bool read_seconds(const char *text, int64_t *seconds)
{
	*seconds = 0;
	return text[0] == '\0' || ctl_duration(text, seconds);
}

/* Reads the options that `add` and `set` share. Returns CTL_OK, or the exit status. */
static int read_options(struct ctl *ctl, struct maintenance_input *input, struct field_set *sent)
{
	const char *monitors = ctl_option(ctl, "monitors"), *end = ctl_option(ctl, "end"),
		   *duration = ctl_option(ctl, "duration"), *remind = ctl_option(ctl, "remind");
	const struct {
		const char *option;
		const char **member;
		size_t place;
	} texts[] = {
		{ "body", &input->body, PLACE(body) },
		{ "start", &input->starts_at, PLACE(starts_at) },
		{ "zone", &input->time_zone, PLACE(time_zone) },
		{ "rrule", &input->rrule, PLACE(rrule) },
	};
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		if (!ctl_option(ctl, texts[i].option))
			continue;
		*texts[i].member = ctl_option(ctl, texts[i].option);
		field_set_add(sent, texts[i].place);
	}
	if (monitors && !read_ids(monitors, &ctl->arena, &input->monitor_ids))
		return ctl_usage(ctl, "--monitors must be ids of monitors, such as 7,8; see "
				      "`daymarkctl monitor list`");
	if (end && end[0] != '\0' && !instant_parse(str_from(end), &input->ends_at))
		return ctl_usage(ctl, "--end must be a time such as 2026-11-20T19:58:30Z");
	if (duration && !read_seconds(duration, &input->duration))
		return ctl_usage(ctl, "--duration must be a time such as 90m, 2h or 1d");
	if (remind && !read_seconds(remind, &input->remind_before))
		return ctl_usage(ctl, "--remind must be a time such as 30m, 2h or 1d");
	if (monitors)
		field_set_add(sent, PLACE(monitor_ids));
	if (end)
		field_set_add(sent, PLACE(ends_at));
	if (duration)
		field_set_add(sent, PLACE(duration));
	if (remind)
		field_set_add(sent, PLACE(remind_before));
	return CTL_OK;
}

/* Prints what a change has done. Returns the exit status. */
static int finish(struct ctl *ctl, const struct service *service, enum result result,
		  const struct maintenance_shown *shown, const char *what)
{
	if (result != OK)
		return ctl_fail_find(ctl, result, "maintenance", ctl->arguments[0]);
	int status = ctl_published(ctl, service);
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
	struct account account;
	struct service service = ctl_service(ctl);
	struct maintenance_shown shown = { 0 };
	struct maintenance_input input = { .title = ctl->arguments[0] };
	struct field_set sent = FIELD_SET(PLACE(title));
	int status = read_options(ctl, &input, &sent);
	if (status != CTL_OK)
		return status;
	input.auto_transition = ctl_option(ctl, "manual") == NULL;
	status = ctl_account(ctl, &account);
	if (status != CTL_OK)
		return status;
	enum result result = service_add_maintenance(&service, account.id, &input, sent, &shown);
	if (result != OK)
		return ctl_fail(ctl, result, "the maintenance cannot be added");
	return finish(ctl, &service, result, &shown, "Added");
}

/* clang-format off */
#define SHARED_OPTIONS \
	{ "monitors", "IDS", "the monitors, such as 7,8", .field = "monitor_ids" }, \
	{ "body", "TEXT", "a description for visitors" }, \
	{ "start", "TIME", "the start, UTC; with --rrule the first start, local time", \
	  .field = "starts_at" }, \
	{ "end", "TIME", "the end, UTC; not with --rrule", .field = "ends_at" }, \
	{ "duration", "TIME", "how long, such as 90m; with --rrule" }, \
	{ "zone", "NAME", "the time zone, such as Europe/Berlin; with --rrule", \
	  .field = "time_zone" }, \
	{ "rrule", "RULE", "repeats the window, such as FREQ=WEEKLY;BYDAY=SA" }, \
	{ "remind", "TIME", "an event so long before each start", .field = "remind_before" }
/* clang-format on */

const struct ctl_command maintenance_add_command = {
	.group = "maintenance",
	.action = "add",
	.arguments = "TITLE",
	.arguments_count = 1,
	.summary = "Plan a maintenance window, which takes place once or by a rule",
	.run = maintenance_add_run,
	.options = {
		SHARED_OPTIONS,
		{ "manual", NULL, "the clock does not start and end it",
		  .field = "auto_transition" },
		{ "account", "ACCOUNT",
		  "the account, by id or name; needed if there are several" },
	},
};

static enum result read_windows(struct ctl *ctl, int64_t account_id, int64_t after_id,
				const void **rows, size_t *count)
{
	struct maintenance_page page = { 0 };
	enum result result = maintenance_list_all(ctl->db, account_id, after_id, clock_now(),
						  &ctl->arena, &page, &ctl->error);
	*rows = page.rows;
	*count = page.count;
	return result;
}

static void add_window_cells(struct ctl_table *table, const void *row)
{
	const struct maintenance *window = row;
	ctl_table_cell(table, "%lld", (long long)window->id);
	ctl_table_cell(table, "%lld", (long long)window->account_id);
	ctl_table_cell(table, "%s", window->status);
	ctl_table_cell(table, "%s", ctl_time(table->arena, window->next_starts_at));
	ctl_table_cell(table, "%s", ctl_time(table->arena, window->next_ends_at));
	ctl_table_cell(table, "%s", window->rrule ? window->rrule : "-");
	ctl_table_cell(table, "%s", window->title);
}

static int maintenance_list_run(struct ctl *ctl)
{
	static const char *const head[] = { "ID",  "ACCOUNT", "STATUS", "START",
					    "END", "RULE",    "TITLE",	NULL };
	return ctl_list(ctl, &(struct ctl_list){ "maintenance windows", head, &maintenance_fields,
						 sizeof(struct maintenance), true, read_windows,
						 add_window_cells });
}

const struct ctl_command maintenance_list_command = {
	.group = "maintenance",
	.action = "list",
	.summary = "List the maintenance windows",
	.run = maintenance_list_run,
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
	.group = "maintenance",
	.action = "show",
	.arguments = "ID",
	.arguments_count = 1,
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
	struct maintenance_input input = { .title = ctl_option(ctl, "title") };
	struct field_set sent = FIELD_SET_NONE;
	if (input.title)
		field_set_add(&sent, PLACE(title));
	int status = read_options(ctl, &input, &sent);
	if (status == CTL_OK && field_set_is_empty(sent))
		return ctl_usage(ctl,
				 "an option is missing; try `daymarkctl maintenance set --help`");
	return status == CTL_OK ? change(ctl, &input, sent, "Changed") : status;
}

const struct ctl_command maintenance_set_command = {
	.group = "maintenance",
	.action = "set",
	.arguments = "ID",
	.arguments_count = 1,
	.summary = "Change the fields of a window that are given; empty removes a text",
	.run = maintenance_set_run,
	.options = { SHARED_OPTIONS, { "title", "TEXT", "the title" } },
};

static int maintenance_complete_run(struct ctl *ctl)
{
	const struct maintenance_input input = { .status = "completed" };
	return change(ctl, &input, FIELD_SET(PLACE(status)), "Completed");
}

const struct ctl_command maintenance_complete_command = {
	.group = "maintenance",
	.action = "complete",
	.arguments = "ID",
	.arguments_count = 1,
	.summary = "End the window that is in progress now",
	.run = maintenance_complete_run,
};

static int maintenance_cancel_run(struct ctl *ctl)
{
	const struct maintenance_input input = { .status = "cancelled" };
	return change(ctl, &input, FIELD_SET(PLACE(status)), "Cancelled");
}

const struct ctl_command maintenance_cancel_command = {
	.group = "maintenance",
	.action = "cancel",
	.arguments = "ID",
	.arguments_count = 1,
	.summary = "Cancel a window; of a recurring window all that is ahead",
	.run = maintenance_cancel_run,
};

static int maintenance_update_run(struct ctl *ctl)
{
	int64_t id;
	struct maintenance_posting posting = { 0 };
	struct maintenance_shown shown = { 0 };
	struct service service = ctl_service(ctl);
	struct maintenance_update_input input = { .body = ctl->arguments[1],
						  .phase = ctl_option(ctl, "phase") };
	const char *at = ctl_option(ctl, "at");
	if (ctl_read_id(ctl, "a window", &id) != CTL_OK)
		return CTL_USAGE;
	if (at && !instant_parse(str_from(at), &input.at))
		return ctl_usage(ctl, "--at must be a time such as 2026-11-20T19:58:30Z that is "
				      "not in the future");
	enum result result = service_post_maintenance_update(&service, id, &input, &posting);
	if (result == OK)
		result = service_show_maintenance(&service, id, &shown);
	return finish(ctl, &service, result, &shown, "Updated");
}

const struct ctl_command maintenance_update_command = {
	.group = "maintenance",
	.action = "update",
	.arguments = "ID TEXT",
	.arguments_count = 2,
	.summary = "Post an update for visitors, which may move the status",
	.run = maintenance_update_run,
	.options = {
		{ "phase", "STATUS", "in_progress, verifying, completed or cancelled: of the "
				     "occurrence in progress, or the next" },
		{ "at", "TIME", "when the update was made, UTC; default: now" },
	},
};

static int maintenance_delete_run(struct ctl *ctl)
{
	int64_t id;
	struct maintenance maintenance;
	struct service service = ctl_service(ctl);
	if (ctl_read_id(ctl, "a window", &id) != CTL_OK)
		return CTL_USAGE;
	enum result result = maintenance_find(ctl->db, 0, id, service.now, &ctl->arena,
					      &maintenance, &ctl->error);
	if (result != OK)
		return ctl_fail_find(ctl, result, "maintenance", ctl->arguments[0]);
	if (!ctl_confirm(ctl,
			 "Delete maintenance %lld (%s)? Outages during the window will count as "
			 "outages.",
			 (long long)id, maintenance.title))
		return CTL_DECLINED;
	result = service_delete_maintenance(&service, id, &maintenance);
	if (result != OK)
		return ctl_fail_find(ctl, result, "maintenance", ctl->arguments[0]);
	int status = ctl_published(ctl, &service);
	if (status != CTL_OK)
		return status;
	struct json_object *tree = json_object_tree();
	json_put_int(tree, "id", id);
	json_put_bool(tree, "deleted", true);
	ctl_say(ctl, tree, "Deleted maintenance %lld (%s).", (long long)id, maintenance.title);
	return CTL_OK;
}

const struct ctl_command maintenance_delete_command = {
	.group = "maintenance",
	.action = "delete",
	.arguments = "ID",
	.arguments_count = 1,
	.summary = "Delete a window",
	.run = maintenance_delete_run,
};
