/* daymarkctl audit */
#include <string.h>

#include "ctl/ctl.h"
#include "store/account/account.h"
#include "store/event.h"
#include "wire/json.h"

static bool is_object(const char *word)
{
	for (int i = 0; i < EVENT_OBJECTS; i++)
		if (strcmp(word, event_object_words[i]) == 0)
			return true;
	return false;
}

/* Reads the options except --account. Returns CTL_OK, or the exit status. */
static int read_options(struct ctl *ctl, struct event_query *query)
{
	const char *id = ctl_option(ctl, "object-id"), *since = ctl_option(ctl, "since");
	const char *limit = ctl_option(ctl, "limit");
	query->object = ctl_option(ctl, "object");
	query->limit = 50;
	if (query->object && !is_object(query->object))
		return ctl_usage(ctl, "--object must be incident, status_page, monitor, "
				      "maintenance, key or account");
	if (id && !ctl_id(id, &query->object_id))
		return ctl_usage(ctl, "--object-id must be the id of an object");
	if (since && !instant_parse(str_from(since), &query->since))
		return ctl_usage(ctl, "--since must be a time such as 2026-11-20T19:58:30Z");
	if (limit && (!ctl_id(limit, &query->limit) || query->limit > EVENT_LIST_MAX))
		return ctl_usage(ctl, "--limit must be a number from 1 to %d", EVENT_LIST_MAX);
	return CTL_OK;
}

static void add_row(struct ctl_table *table, const struct event *event)
{
	ctl_table_cell(table, "%s", ctl_time(table->arena, event->at));
	if (event->account_id > 0)
		ctl_table_cell(table, "%lld", (long long)event->account_id);
	else
		ctl_table_cell(table, "-");
	ctl_table_cell(table, "%s", event->kind);
	ctl_table_cell(table, "%lld", (long long)event->object_id);
	ctl_table_cell(table, "%s",
		       principal_text(event->actor_type, event->actor_id, event->actor_label,
				      table->arena));
	ctl_table_cell(table, "%s", event->address ? event->address : "-");
	ctl_table_cell(table, "%s", event->detail ? event->detail : "");
}

static void print_events(struct ctl *ctl, const struct event_list *list)
{
	static const char *const head[] = { "AT",    "ACCOUNT", "EVENT", "ID",
					    "ACTOR", "ADDRESS", "DETAIL" };
	struct ctl_table table = { .arena = &ctl->arena, .columns = ARRAY_LEN(head) };
	for (size_t i = 0; i < ARRAY_LEN(head); i++)
		ctl_table_cell(&table, "%s", head[i]);
	for (size_t i = 0; i < list->count; i++)
		add_row(&table, &list->rows[i]);
	ctl_table_print(&table);
}

static int audit_run(struct ctl *ctl)
{
	struct account account = { 0 };
	struct event_query query = { 0 };
	struct event_list list;
	int status = read_options(ctl, &query);
	if (status == CTL_OK && ctl_option(ctl, "account"))
		status = ctl_account(ctl, &account);
	if (status != CTL_OK)
		return status;
	query.account_id = account.id;
	enum result result = event_list(ctl->db, &query, &ctl->arena, &list, &ctl->error);
	if (result != OK)
		return ctl_fail(ctl, result, "the events cannot be read");
	if (!ctl->is_json) {
		print_events(ctl, &list);
		return CTL_OK;
	}
	struct json_object *array = json_array_tree();
	for (size_t i = 0; i < list.count; i++) {
		struct json_object *tree = json_object_tree();
		json_put_fields(tree, event_fields, &list.rows[i]);
		json_put_int_or_null(tree, "account_id", list.rows[i].account_id > 0,
				     list.rows[i].account_id);
		json_append(array, tree);
	}
	ctl_print_json(array);
	return CTL_OK;
}

const struct ctl_command audit_command = {
	.group = "audit",
	.summary = "List changes, newest first, and who made them",
	.run = audit_run,
	.options = {
		{ "account", "ACCOUNT", "only this account's, by id or name" },
		{ "object", "KIND",
		  "only of an incident, status_page, monitor, maintenance, key or account" },
		{ "object-id", "ID", "only of the object with this id" },
		{ "since", "TIME", "only changes since this time, UTC" },
		{ "limit", "N", "at most N changes, 1 to 1000; default: 50" },
	},
};
