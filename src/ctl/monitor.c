/* daymarkctl monitor add|list|rename|remove */
#include "store/monitor.h"
#include "store/removal.h"

#include <string.h>

#include "base/clock.h"
#include "ctl/ctl.h"
#include "domain/web_url.h"
#include "publish/publish.h"
#include "store/account.h"
#include "wire/json.h"

struct addition {
	struct monitor *monitor;
	int64_t most;
};

static enum result add_work(struct db *db, void *context, struct error *error)
{
	struct addition *addition = context;
	return monitor_add(db, addition->monitor, addition->most, error);
}

static int monitor_add_run(struct ctl *ctl)
{
	struct account account;
	struct monitor monitor = { .created_at = clock_now(), .url = ctl->arguments[1] };
	monitor.updated_at = monitor.created_at;
	monitor.name = ctl_text(ctl, ctl->arguments[0], 255);
	if (!monitor.name)
		return ctl_usage(ctl, "NAME must have 1 to 255 characters");
	if (!str_is_text(str_from(monitor.url)) || !web_url_is_valid(monitor.url))
		return ctl_usage(ctl, "URL must be an absolute http or https URL");
	const char *since = ctl_option(ctl, "since");
	if (since && strcmp(since, "now") == 0)
		monitor.known_since = monitor.created_at;
	else if (since && (!instant_parse(str_from(since), &monitor.known_since) ||
			   monitor.known_since.s > monitor.created_at.s))
		return ctl_usage(ctl, "--since must be now, or a time such as 2026-11-20T19:58:30Z "
				      "that is not in the future");
	int status = ctl_account(ctl, &account);
	if (status != CTL_OK)
		return status;
	monitor.account_id = account.id;
	struct addition addition = { &monitor, ctl->config.most_monitors };
	enum result result = db_transact(ctl->db, DB_WRITE, add_work, &addition, &ctl->error);
	if (result != OK)
		return ctl_fail(ctl, result, "the monitor cannot be added");
	struct json_object *tree = json_object_tree();
	json_put_fields(tree, monitor_fields, &monitor);
	ctl_say(ctl, tree, "Monitor %lld, %s.", (long long)monitor.id, monitor.name);
	return CTL_OK;
}

#define ACCOUNT_OPTION \
	{ \
		"account", "ACCOUNT", \
			"its account, by id or name; may be left out if there is one" \
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
		{ "since", "TIME", "since when it is known to be up, or now; else the page shows "
				   "\"No data\" until the first report" },
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
	ctl_table_cell(table, "%s", monitor->url);
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
	.options = { { "account", "ACCOUNT", "only of this account" } },
};

/* A monitor that is gone no longer tells which pages showed it: then all that are due. */
static int finish(struct ctl *ctl, enum result result, int64_t id, bool is_removed)
{
	if (result == OK)
		result = db_commit(ctl->db, &ctl->error);
	else
		db_rollback(ctl->db);
	if (result != OK)
		return ctl_fail_find(ctl, result, "monitor", ctl->arguments[0]);
	return ctl_publish(ctl, is_removed ? 0 : id);
}

static int monitor_rename_run(struct ctl *ctl)
{
	int64_t id;
	const char *name = ctl_text(ctl, ctl->arguments[1], 255);
	if (!ctl_id(ctl->arguments[0], &id))
		return ctl_usage(ctl, "ID must be the number of a monitor; see monitor list");
	if (!name)
		return ctl_usage(ctl, "NAME must have 1 to 255 characters");
	enum result result = db_begin(ctl->db, DB_WRITE, &ctl->error);
	if (result == OK)
		result = monitor_rename(ctl->db, id, name, clock_now(), &ctl->error);
	int status = finish(ctl, result, id, false);
	if (status != CTL_OK)
		return status;
	struct json_object *tree = json_object_tree();
	json_put_int(tree, "id", id);
	json_put_text(tree, "name", name);
	ctl_say(ctl, tree, "Monitor %lld is now %s.", (long long)id, name);
	return CTL_OK;
}

const struct ctl_command monitor_rename_command = {
	.group = "monitor",
	.action = "rename",
	.arguments = "ID NAME",
	.arguments_count = 2,
	.summary = "Give a monitor another name",
	.run = monitor_rename_run,
};

struct incident_batch {
	int64_t monitor_id;
	int64_t count;
};

static enum result remove_incidents_work(struct db *db, void *context, struct error *error)
{
	struct incident_batch *batch = context;
	struct arena arena CLEANUP(arena_done);
	arena_init(&arena, 4 << 20);
	return removal_incidents_some(db, batch->monitor_id, &arena, &batch->count, error);
}

/* What is left of a monitor that is on no page any more, in small transactions. */
static enum result remove_rest(struct ctl *ctl, int64_t id)
{
	struct incident_batch batch = { .monitor_id = id };
	enum result result;
	do
		result = db_transact(ctl->db, DB_WRITE, remove_incidents_work, &batch, &ctl->error);
	while (result == OK && batch.count > 0);
	return result == OK ? monitor_remove(ctl->db, id, &ctl->error) : result;
}

static int monitor_remove_run(struct ctl *ctl)
{
	int64_t id;
	struct monitor monitor;
	if (!ctl_id(ctl->arguments[0], &id))
		return ctl_usage(ctl, "ID must be the number of a monitor; see monitor list");
	enum result result = monitor_find(ctl->db, id, &ctl->arena, &monitor, &ctl->error);
	if (result != OK)
		return ctl_fail_find(ctl, result, "monitor", ctl->arguments[0]);
	bool is_kept = ctl_option(ctl, "keep-history") != NULL;
	if (!ctl_confirm(ctl,
			 "Delete monitor %lld (%s)? It will be removed from %lld status pages%s "
			 "%lld incidents %s.",
			 (long long)id, monitor.name, (long long)monitor.status_pages,
			 is_kept ? ";" : ", and", (long long)monitor.incidents,
			 is_kept ? "stay in their logs"
				 : "will be deleted with it (--keep-history "
				   "keeps them)"))
		return CTL_DECLINED;
	struct incident_actor actor = { "daymarkctl", clock_now() };
	result = db_begin(ctl->db, DB_WRITE, &ctl->error);
	if (result == OK)
		result = is_kept ? monitor_retire(ctl->db, id, &actor, &ctl->arena, &ctl->error)
				 : monitor_detach(ctl->db, id, actor.now, &ctl->error);
	int status = finish(ctl, result, id, true);
	if (status != CTL_OK)
		return status;
	result = is_kept ? OK : remove_rest(ctl, id);
	if (result != OK)
		return ctl_fail(ctl, result,
				"the monitor is on no page any more, but not all of its incidents "
				"are deleted; run the command again");
	struct json_object *tree = json_object_tree();
	json_put_int(tree, "id", id);
	json_put_bool(tree, "removed", true);
	json_put_int(tree, "deleted_incidents", is_kept ? 0 : monitor.incidents);
	ctl_say(ctl, tree,
		is_kept ? "Monitor %s is retired; its %lld incidents stay."
			: "Monitor %s is removed, with %lld incidents.",
		monitor.name, (long long)monitor.incidents);
	return CTL_OK;
}

const struct ctl_command monitor_remove_command = {
	.group = "monitor",
	.action = "remove",
	.arguments = "ID",
	.arguments_count = 1,
	.summary = "Remove a monitor and its incidents, from its status pages too",
	.is_patient = true,
	.run = monitor_remove_run,
	.options = { { "keep-history", NULL, "keep its incidents in the log of its pages" } },
};

static int monitor_label_run(struct ctl *ctl)
{
	int64_t id;
	const char *label = ctl->arguments[1];
	bool is_removal = label[0] == '\0';
	if (!ctl_id(ctl->arguments[0], &id))
		return ctl_usage(ctl, "ID must be the number of a monitor; see monitor list");
	if (!is_removal) {
		label = ctl_text(ctl, label, 255);
		const char *equals = label ? strchr(label, '=') : NULL;
		if (!equals || equals == label || equals[1] == '\0')
			return ctl_usage(ctl, "LABEL must be NAME=VALUE, or empty to remove it");
	}
	enum result result =
		monitor_set_label(ctl->db, id, is_removal ? NULL : label, clock_now(), &ctl->error);
	if (result == E_CONFLICT) {
		ctl->error = (struct error){ 0 };
		return ctl_fail(ctl, result, "another monitor of the account has that label");
	}
	if (result != OK)
		return ctl_fail_find(ctl, result, "monitor", ctl->arguments[0]);
	struct json_object *tree = json_object_tree();
	json_put_int(tree, "id", id);
	json_put_text(tree, "label", is_removal ? NULL : label);
	ctl_say(ctl, tree, "Monitor %lld %s%s.", (long long)id,
		is_removal ? "has no label" : "is found by ", label);
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
