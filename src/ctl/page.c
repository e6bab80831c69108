/* daymarkctl page link|links|withdraw-link|report */
#include <stdio.h>

#include "ctl/ctl.h"
#include "ctl/mirrors.h"
#include "service/page/page_links.h"
#include "service/page/page_reports.h"
#include "view/page.h"
#include "wire/json.h"

static int page_link_run(struct ctl *ctl)
{
	struct service service = ctl_service(ctl);
	const struct page_link_owner owner = { .slug = ctl->arguments[0] };
	struct page_link_input input = { .expires_in = PAGE_LINK_DEFAULT_S };
	struct page_link link;
	struct field_set sent;
	int status = ctl_read_form(ctl, page_link_create_fields, &input, &sent);
	if (status != CTL_OK)
		return status;
	enum result result = service_create_link(&service, &owner, &input, &link);
	if (result != OK)
		return ctl_fail_find(ctl, result, "page", owner.slug);
	ctl_say(ctl, json_row_tree(page_link_created_fields, &link), "%s", link.url);
	return CTL_OK;
}

const struct ctl_command page_link_command = {
	.words = "page link",
	.arguments = "SLUG",
	.summary = "Create a signed link that opens a private or password page",
	.run = page_link_run,
	.form = &page_link_create_fields,
};

static const char *maker_text(struct arena *arena, const void *row)
{
	const struct page_link *link = row;
	return principal_text(link->actor_type, link->actor_id,
			      link->actor_label ? link->actor_label : "", arena);
}

static int page_links_run(struct ctl *ctl)
{
	static const struct ctl_column columns[] = {
		{ "ID", "id", NULL },
		{ "LABEL", "label", NULL },
		{ "MADE BY", NULL, maker_text },
		{ "CREATED", "created_at", NULL },
		{ "EXPIRES", "expires_at", NULL },
		{ 0 },
	};
	struct service service = ctl_service(ctl);
	const struct page_link_owner owner = { .slug = ctl->arguments[0] };
	struct page_link_list list;
	struct ctl_listing listing;
	enum result result = service_list_links(&service, &owner, &list);
	if (result != OK)
		return ctl_fail_find(ctl, result, "page", owner.slug);
	ctl_listing_start(&listing, ctl, columns);
	for (size_t i = 0; i < list.count; i++)
		ctl_listing_row(&listing, page_link_fields, &list.rows[i]);
	return ctl_listing_end(&listing, OK, "links");
}

const struct ctl_command page_links_command = {
	.words = "page links",
	.arguments = "SLUG",
	.summary = "List the valid links of a page, without the links themselves",
	.run = page_links_run,
};

static int page_withdraw_link_run(struct ctl *ctl)
{
	struct service service = ctl_service(ctl);
	const struct page_link_owner owner = { .slug = ctl->arguments[0] };
	struct page_link link = { 0 };
	if (!ctl_id(ctl->arguments[1], &link.id))
		return ctl_usage(ctl, "LINK-ID must be a number; see `daymarkctl page links %s`",
				 owner.slug);
	enum result result = service_withdraw_link(&service, &owner, &link);
	if (result == E_NOT_FOUND)
		return ctl_fail(ctl, result, "the page %s has no valid link %lld", owner.slug,
				(long long)link.id);
	if (result != OK)
		return ctl_fail(ctl, result, "the link cannot be withdrawn");
	ctl_say(ctl, ctl_done_tree(link.id, "withdrawn"), "Withdrew link %lld.",
		(long long)link.id);
	return ctl_published(ctl, &service);
}

const struct ctl_command page_withdraw_link_command = {
	.words = "page withdraw-link",
	.arguments = "SLUG LINK-ID",
	.summary = "Withdraw a signed link at once",
	.waits_for_mirrors = true,
	.run = page_withdraw_link_run,
	.options = { CTL_WAIT_OPTION },
};

static const struct ctl_column report_columns[] = {
	{ "SYSTEM", "name", NULL },
	{ "UPTIME", "uptime", NULL },
	{ "DOWN S", "down_s", NULL },
	{ "OUTAGES", "outage_count", NULL },
	{ "MAINTENANCE S", "maintenance_s", NULL },
	{ "EXCLUDED S", "excluded_s", NULL },
	{ "NO DATA S", "unobserved_s", NULL },
	{ 0 },
};

static int print_csv(struct ctl *ctl, const struct service_report *made)
{
	struct buf csv CLEANUP(buf_done) = BUF_INIT(PAGE_FILE_MAX_BYTES);
	page_report_csv(&csv, made->snapshot, &made->report, &ctl->arena);
	bool is_written = buf_ok(&csv) && fwrite(csv.data, 1, csv.len, stdout) == csv.len &&
			  fflush(stdout) == 0;
	return is_written ? CTL_OK : ctl_fail(ctl, E_FAILED, "the report cannot be written");
}

static int page_report_run(struct ctl *ctl)
{
	struct service service = ctl_service(ctl);
	const struct page_link_owner owner = { .slug = ctl->arguments[0] };
	struct service_report made;
	struct ctl_listing listing;
	enum result result = service_make_report(&service, &owner, ctl->arguments[1], &made);
	if (result == E_NOT_FOUND)
		return ctl_fail(ctl, result, "the page %s has no report of %s", owner.slug,
				ctl->arguments[1]);
	if (result != OK)
		return ctl_fail(ctl, result, "the report cannot be made");
	if (ctl_option(ctl, "csv"))
		return print_csv(ctl, &made);
	if (ctl->is_json) {
		struct json_object *tree = json_row_tree(page_report_fields, &made.report);
		ctl_print_json(tree);
		return CTL_OK;
	}
	ctl_listing_start(&listing, ctl, report_columns);
	for (size_t i = 0; i < made.report.system_count; i++)
		ctl_listing_row(&listing, page_report_system_fields, &made.report.systems[i]);
	return ctl_listing_end(&listing, OK, "the report");
}

const struct ctl_command page_report_command = {
	.words = "page report",
	.arguments = "SLUG MONTH",
	.summary = "Print the report of a month, such as 2026-10: uptime, incidents, maintenance",
	.run = page_report_run,
	.options = { { .name = "csv", .help = "Print CSV, with incidents and maintenance" } },
};
