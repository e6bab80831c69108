/* daymarkctl account add|list|set|remove */
#include "store/account/account.h"

#include <unistd.h>

#include "ctl/mirrors.h"
#include "publish/publish.h"
#include "service/accounts.h"
#include "store/account/removal.h"
#include "wire/json.h"

static int account_add_run(struct ctl *ctl)
{
	struct service service = ctl_service(ctl);
	struct account_input input = { .name = ctl->arguments[0] };
	struct account account;
	enum result result = service_add_account(&service, &input, &account);
	if (result == E_CONFLICT) {
		const char *name = account.name;
		ctl->error = (struct error){ 0 };
		if (account_find_removed(ctl->db, name, &ctl->arena, &account, &ctl->error) == OK)
			return ctl_fail(ctl, E_CONFLICT,
					"account %s is being removed; `daymarkctl account remove` "
					"completes the removal",
					account.name);
		ctl->error = (struct error){ 0 };
		return ctl_fail(ctl, result, "account %s already exists", name);
	}
	if (result != OK)
		return ctl_fail(ctl, result, "the account cannot be added");
	ctl_say(ctl, json_row_tree(account_fields, &account),
		"Added account %lld (%s). Next: daymarkctl key create --account %lld",
		(long long)account.id, account.name, (long long)account.id);
	return CTL_OK;
}

const struct ctl_command account_add_command = {
	.words = "account add",
	.arguments = "NAME",
	.summary = "Add an account",
	.run = account_add_run,
};

static enum result read_accounts(struct ctl *ctl, int64_t after_id, struct resource_rows *rows)
{
	struct account_list list = { 0 };
	enum result result = account_list(ctl->db, after_id, &ctl->arena, &list, &ctl->error);
	*rows = (struct resource_rows){ list.rows, sizeof(*list.rows), list.count };
	return result;
}

static const char *uploads_text(struct arena *arena, const void *row)
{
	const struct account *account = row;
	return arena_printf(arena, "%.1f MB", (double)account->upload_bytes / (1 << 20));
}

static const char *today_text(struct arena *arena, const void *row)
{
	const struct account *account = row;
	return ctl_count(arena, account->incidents_today, "incident");
}

static const struct ctl_column columns[] = {
	{ "ID", "id", NULL },
	{ "NAME", "name", NULL },
	{ "KEYS", "key_count", NULL },
	{ "MONITORS", "monitor_count", NULL },
	{ "PAGES", "status_page_count", NULL },
	{ "UPLOADS", NULL, uploads_text },
	{ "TODAY", NULL, today_text },
	{ "CREATED", "created_at", NULL },
	{ 0 },
};
static const struct ctl_list list = { "accounts", columns, &account_fields, .read = read_accounts };

const struct ctl_command account_list_command = {
	.words = "account list",
	.summary = "List the accounts with the usage of each",
	.run = ctl_list,
	.list = &list,
};

static int account_set_run(struct ctl *ctl)
{
	struct service service = ctl_service(ctl);
	struct account_input input = { 0 };
	struct field_set sent;
	struct account account;
	const char *who = ctl->arguments[0];
	int status = ctl_read_change(ctl, &input, &sent);
	if (status != CTL_OK)
		return status;
	enum result result = account_find(ctl->db, who, &ctl->arena, &account, &ctl->error);
	if (result == OK)
		result = service_demand_factor(&service, account.id, input.needs_second_factor,
					       &account);
	if (result != OK)
		return ctl_fail_find(ctl, result, "account", who);
	ctl_say(ctl, json_row_tree(account_fields, &account),
		account.needs_second_factor
			? "The people of account %lld (%s) need a second factor."
			: "The people of account %lld (%s) need no second "
			  "factor.",
		(long long)account.id, account.name);
	return CTL_OK;
}

const struct ctl_command account_set_command = {
	.words = "account set",
	.arguments = "ACCOUNT",
	.summary = "Demand a second factor of the people of an account, or demand it no more",
	.run = account_set_run,
	.form = &account_update_fields,
};

/* Removes the published files of pages that are no longer in the database. */
static enum result sweep_pages(struct ctl *ctl)
{
	struct publisher publisher = ctl_publisher(ctl);
	struct publish_run run = { .is_sweeping = true };
	return publish_run(&publisher, &run, &ctl->error);
}

/* Deletes the rows of an account that is marked for removal. Removes its published pages after the
 * rows of the pages are deleted. */
static enum result remove_rows(struct ctl *ctl, struct removal *removal, enum result *swept)
{
	bool is_shown = isatty(STDERR_FILENO) && !ctl->is_json, is_swept = false;
	enum result result = OK;
	while (result == OK && !removal->is_done) {
		result = removal_account_some(ctl->db, removal, &ctl->error);
		if (removal->has_no_pages && !is_swept)
			*swept = sweep_pages(ctl);
		is_swept = removal->has_no_pages;
		if (is_shown)
			fprintf(stderr, "\r%lld rows deleted", (long long)removal->deleted);
	}
	if (is_shown)
		fputc('\n', stderr);
	return result;
}

/* Marks the account for removal after the operator has confirmed. Does not ask again if an earlier
 * run has marked the account. */
static int mark_account(struct ctl *ctl, const char *who, struct account *account)
{
	enum result result = account_find_removed(ctl->db, who, &ctl->arena, account, &ctl->error);
	if (result != E_NOT_FOUND)
		return result == OK ? CTL_OK : ctl_fail_find(ctl, result, "account", who);
	result = account_find(ctl->db, who, &ctl->arena, account, &ctl->error);
	if (result != OK)
		return ctl_fail_find(ctl, result, "account", who);
	if (!ctl_confirm(ctl, "Delete account %lld (%s) with its %s, %s and %s?",
			 (long long)account->id, account->name,
			 ctl_count(&ctl->arena, account->key_count, "key"),
			 ctl_count(&ctl->arena, account->monitor_count, "monitor"),
			 ctl_count(&ctl->arena, account->status_page_count, "status page")))
		return CTL_DECLINED;
	struct service service = ctl_service(ctl);
	result = service_close_account(&service, account->id, account->name);
	return result == OK ? CTL_OK : ctl_fail(ctl, result, "account %s cannot be removed", who);
}

static int account_remove_run(struct ctl *ctl)
{
	struct account account;
	enum result swept = OK;
	int status = mark_account(ctl, ctl->arguments[0], &account);
	if (status != CTL_OK)
		return status;
	struct removal removal = { .account_id = account.id };
	enum result result = remove_rows(ctl, &removal, &swept);
	if (result != OK)
		return ctl_fail(ctl, result,
				"account %s is closed, but some of its data remain; run "
				"the command again",
				account.name);
	if (swept != OK)
		return ctl_fail(ctl, swept,
				"the account is removed, but some of its files remain; run "
				"`daymarkctl publish`");
	struct json_object *tree = ctl_done_tree(account.id, "removed");
	ctl_say(ctl, tree, "Removed account %s.", account.name);
	return CTL_OK;
}

const struct ctl_command account_remove_command = {
	.words = "account remove",
	.arguments = "ACCOUNT",
	.summary = "Remove an account (id or name) with its keys, monitors and pages",
	.is_patient = true,
	.waits_for_mirrors = true,
	.run = account_remove_run,
	.options = { CTL_WAIT_OPTION },
};
