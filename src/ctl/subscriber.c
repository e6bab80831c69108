/* daymarkctl subscriber list|add|remove|import|export, bounce */
#include <stdio.h>

#include "ctl/ctl.h"
#include "ctl/read_file.h"
#include "service/bounces.h"
#include "service/subscribers.h"
#include "store/page/page_link.h"
#include "wire/bounce_report.h"
#include "wire/json.h"

/* Finds the page whose slug is the first argument. Also sets *service. */
static int find_page(struct ctl *ctl, struct service *service, struct status_page *page)
{
	const struct page_link_owner owner = { .slug = ctl->arguments[0] };
	*service = ctl_service(ctl);
	enum result result = page_link_owner_find(ctl->db, &owner, &ctl->arena, page, &ctl->error);
	return result == OK ? CTL_OK : ctl_fail_find(ctl, result, "page", owner.slug);
}

static const struct ctl_column subscriber_columns[] = {
	{ "ID", "id", NULL },
	{ "PAGE", "page_id", NULL },
	{ "TYPE", "type", NULL },
	{ "ADDRESS", "address", NULL },
	{ "STATE", "state", NULL },
	{ "CONFIRMED", "confirmed_at", NULL },
	{ "REASON", "suspension", NULL },
	{ 0 },
};
static const struct ctl_list subscriber_list = { "subscribers", subscriber_columns,
						 &subscriber_fields, &resource_subscribers };

const struct ctl_command subscriber_list_command = {
	.words = "subscriber list",
	.summary = "List the subscribers of pages",
	.run = ctl_list,
	.list = &subscriber_list,
	.options = { { "account", "ACCOUNT", "only this account's" } },
};

static int subscriber_add_run(struct ctl *ctl)
{
	struct service service;
	struct status_page page;
	struct subscriber subscriber;
	struct subscriber_input input = { .address = ctl->arguments[1] };
	int status = find_page(ctl, &service, &page);
	if (status != CTL_OK)
		return status;
	enum result result = service_add_subscriber(&service, page.id, &input, &subscriber);
	if (result != OK)
		return ctl_fail(ctl, result, "the subscriber cannot be added");
	ctl_say(ctl, json_row_tree(subscriber_fields, &subscriber), "Added subscriber %lld: %s.",
		(long long)subscriber.id, subscriber.address);
	return CTL_OK;
}

const struct ctl_command subscriber_add_command = {
	.words = "subscriber add",
	.arguments = "SLUG ADDRESS",
	.summary = "Add a subscriber who has consented; no confirmation is asked for",
	.run = subscriber_add_run,
};

static int subscriber_remove_run(struct ctl *ctl)
{
	struct service service;
	struct status_page page;
	struct subscriber subscriber;
	int64_t id;
	if (!ctl_id(ctl->arguments[1], &id))
		return ctl_usage(ctl, "ID must be a number; see `daymarkctl subscriber list`");
	int status = find_page(ctl, &service, &page);
	if (status != CTL_OK)
		return status;
	enum result result = service_delete_subscriber(&service, page.id, id, &subscriber);
	if (result == E_NOT_FOUND)
		return ctl_fail(ctl, result, "the page %s has no subscriber %lld",
				ctl->arguments[0], (long long)id);
	status = ctl_finish(ctl, &service, result, "subscriber");
	if (status == CTL_OK)
		ctl_say(ctl, ctl_done_tree(id, "removed"), "Removed subscriber %lld.",
			(long long)id);
	return status;
}

const struct ctl_command subscriber_remove_command = {
	.words = "subscriber remove",
	.arguments = "SLUG ID",
	.summary = "Delete a subscriber, with all messages and the address",
	.run = subscriber_remove_run,
};

static int subscriber_import_run(struct ctl *ctl)
{
	enum { FILE_MAX_BYTES = 4 << 20 };
	struct service service;
	struct status_page page;
	struct subscriber_import import = { 0 };
	const char *why;
	if (!ctl_read_file(ctl, ctl->arguments[1], FILE_MAX_BYTES, &import.csv, &why))
		return ctl_usage(ctl, "%s: %s", ctl->arguments[1], why);
	int status = find_page(ctl, &service, &page);
	if (status != CTL_OK)
		return status;
	enum result result = service_import_subscribers(&service, page.id, &import);
	if (result != OK)
		return ctl_fail(ctl, result, "the subscribers cannot be imported");
	ctl_say(ctl, json_row_tree(subscriber_import_fields, &import),
		"New subscribers: %lld. Left out: %lld.", (long long)import.added,
		(long long)import.skipped);
	return CTL_OK;
}

const struct ctl_command subscriber_import_command = {
	.words = "subscriber import",
	.arguments = "SLUG FILE",
	.summary = "Add the subscribers of a CSV file, who have consented; - is the standard input",
	.run = subscriber_import_run,
};

static int subscriber_export_run(struct ctl *ctl)
{
	enum { EXPORT_MAX_BYTES = 256 << 20 };
	struct buf csv CLEANUP(buf_done) = BUF_INIT(EXPORT_MAX_BYTES);
	struct service service;
	struct status_page page;
	int status = find_page(ctl, &service, &page);
	if (status != CTL_OK)
		return status;
	enum result result = service_export_subscribers(&service, page.id, &csv);
	if (result != OK || !buf_ok(&csv))
		return ctl_fail(ctl, result == OK ? E_FAILED : result,
				"the subscribers cannot be exported");
	bool is_written = fwrite(csv.data, 1, csv.len, stdout) == csv.len && fflush(stdout) == 0;
	return is_written ? CTL_OK : ctl_fail(ctl, E_FAILED, "the file cannot be written");
}

const struct ctl_command subscriber_export_command = {
	.words = "subscriber export",
	.arguments = "SLUG",
	.summary = "Print the subscribers of a page as CSV",
	.run = subscriber_export_run,
};

static int bounce_run(struct ctl *ctl)
{
	struct service service = ctl_service(ctl);
	struct str report;
	enum bounce_outcome outcome;
	const char *why;
	if (!ctl_read_file(ctl, "-", BOUNCE_MAX_BYTES, &report, &why))
		return ctl_usage(ctl, "standard input: %s", why);
	enum result result = service_take_bounce(&service, report, &outcome);
	if (result != OK)
		return ctl_fail(ctl, result, "the report cannot be taken");
	struct json_object *tree = json_object_tree();
	json_put_text(tree, "outcome", bounce_outcome_words[outcome]);
	ctl_say(ctl, tree, "The report is %s.", bounce_outcome_words[outcome]);
	return outcome == BOUNCE_UNSIGNED ? CTL_FAILED : CTL_OK;
}

const struct ctl_command bounce_command = {
	.words = "bounce",
	.summary = "Take a report that mail to a subscriber came back, from the standard input",
	.run = bounce_run,
};
