/* daymarkctl incident report|update */
#include "service/incident/incident_reports.h"

#include <string.h>

#include "ctl/incident/incident_input.h"
#include "domain/field_table.h"
#include "store/account/configuration.h"
#include "store/incident/incident_update.h"
#include "wire/json.h"

/* Reads, with one statement, the ids of the pages whose slugs are in --pages. */
static int read_pages(struct ctl *ctl, int64_t account_id, struct id_list *ids)
{
	const char *text = ctl_option(ctl, "pages");
	struct str rest = str_from(text), item;
	struct configured_addresses found;
	const char *slugs[INCIDENT_PAGES_MAX];
	size_t count = 0;
	while (text && str_split(&rest, ',', &item)) {
		struct str slug = str_trim(item);
		if (count == INCIDENT_PAGES_MAX)
			return ctl_usage(ctl, "--pages must be at most %d slugs",
					 INCIDENT_PAGES_MAX);
		slugs[count++] = arena_strndup(&ctl->arena, slug.data, slug.len);
	}
	enum result result =
		configuration_addresses(ctl->db, slugs, count, &ctl->arena, &found, &ctl->error);
	if (result != OK)
		return ctl_fail(ctl, result, "the pages cannot be read");
	ids->ids = ARENA_ARRAY(&ctl->arena, count, int64_t);
	for (size_t i = 0; i < count; i++) {
		int64_t id = 0;
		for (size_t j = 0; j < found.count; j++)
			if (found.rows[j].account_id == account_id &&
			    strcmp(found.rows[j].slug, slugs[i]) == 0)
				id = found.rows[j].id;
		if (id == 0)
			return ctl_fail_find(ctl, E_NOT_FOUND, "page", slugs[i]);
		ids->ids[ids->count++] = id;
	}
	return CTL_OK;
}

static int report_run(struct ctl *ctl)
{
	int64_t account_id;
	struct service service = ctl_service(ctl);
	struct incident_report report = { 0 };
	struct incident_resource incident;
	struct field_set sent;
	int status = ctl_read_form(ctl, incident_report_fields, &report, &sent);
	if (status == CTL_OK)
		status = ctl_account(ctl, &account_id);
	if (status == CTL_OK)
		status = read_pages(ctl, account_id, &report.status_page_ids);
	if (status != CTL_OK)
		return status;
	service.principal.account_id = account_id;
	fields_check_texts(incident_report_fields, &report, sent, &ctl->arena, &ctl->violations);
	enum result result = service_report_incident(&service, &report, sent, &incident);
	if (result != OK)
		return ctl_fail(ctl, result, "the incident cannot be reported");
	return incident_finish(
		ctl, &service, OK, &incident,
		arena_printf(&ctl->arena, "Reported incident %lld.", (long long)incident.row.id));
}

const struct ctl_command incident_report_command = {
	.words = "incident report",
	.arguments = "[TITLE]",
	.summary = "Report an incident of any number of monitors or pages",
	.run = report_run,
	.form = &incident_report_fields,
	.options = {
		CTL_ACCOUNT_OPTION,
		{ "pages", "SLUGS", "Pages that show the incident without a monitor.",
		  .field = "status_page_ids" },
	},
};

static int update_run(struct ctl *ctl)
{
	struct service service = ctl_service(ctl);
	struct incident_post post = { 0 };
	struct incident_posting posting;
	struct field_set sent;
	int64_t id;
	int status = ctl_read_form(ctl, incident_post_fields, &post, &sent);
	if (status == CTL_OK)
		status = ctl_read_id(ctl, "an incident", &id);
	if (status != CTL_OK)
		return status;
	fields_check_texts(incident_post_fields, &post, sent, &ctl->arena, &ctl->violations);
	enum result result = service_post_update(&service, id, &post, sent, &posting);
	status = ctl_finish(ctl, &service, result, "incident");
	if (status != CTL_OK)
		return status;
	ctl_say(ctl, json_row_tree(posted_update_fields, &posting.update),
		"Posted update %lld of incident %lld.", (long long)posting.update.id,
		(long long)id);
	return CTL_OK;
}

const struct ctl_command incident_update_command = {
	.words = "incident update",
	.arguments = "ID BODY",
	.summary = "Post an update of an incident; BODY - is standard input",
	.run = update_run,
	.form = &incident_post_fields,
};
