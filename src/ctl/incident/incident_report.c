/* daymarkctl incident report|update */
#include "service/incident/incident_reports.h"

#include <string.h>

#include "ctl/incident/incident_input.h"
#include "ctl/read_file.h"
#include "domain/field_table.h"
#include "store/account/account.h"
#include "store/account/configuration.h"
#include "store/incident/incident_update.h"
#include "wire/json.h"

/* Finds the pages that --pages names by their slugs, with one statement. */
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

static int read_report(struct ctl *ctl, struct incident_report *report, struct field_set *sent)
{
	const char *body = ctl_option(ctl, "body");
	int status = incident_read_ids(ctl, "monitors", &report->monitor_ids, 0, NULL);
	if (status == CTL_OK)
		status = incident_read_word(ctl, "impact", incident_impact_words, &report->impact,
					    REPORT_SENT_IMPACT, sent);
	if (status == CTL_OK)
		status = incident_read_word(ctl, "phase", incident_phase_words, &report->phase,
					    REPORT_SENT_PHASE, sent);
	if (status == CTL_OK)
		status = incident_read_time(ctl, "started-at", &report->started_at, 0, NULL);
	if (status == CTL_OK)
		status = incident_read_time(ctl, "ended-at", &report->ended_at, 0, NULL);
	if (status == CTL_OK)
		status = incident_read_promise(ctl, &report->next_update_at, 0, NULL);
	if (status == CTL_OK && body && !(report->body = ctl_text_or_input(ctl, body)))
		status = CTL_USAGE;
	return status;
}

static int report_run(struct ctl *ctl)
{
	struct account account;
	struct service service = ctl_service(ctl);
	struct incident_report report = { .title = ctl->arguments[0] };
	struct incident incident;
	struct field_set sent = FIELD_SET_NONE;
	int status = read_report(ctl, &report, &sent);
	if (status == CTL_OK)
		status = ctl_account(ctl, &account);
	if (status == CTL_OK)
		status = read_pages(ctl, account.id, &report.status_page_ids);
	if (status != CTL_OK)
		return status;
	service.principal.account_id = account.id;
	fields_check_texts(incident_report_fields, &report, sent, &ctl->arena, &ctl->violations);
	enum result result = service_report_incident(&service, &report, sent, &incident);
	if (result != OK)
		return ctl_fail(ctl, result, "the incident cannot be reported");
	return incident_finish(
		ctl, &service, OK, &incident,
		arena_printf(&ctl->arena, "Reported incident %lld.", (long long)incident.id));
}

#define IMPACT_OPTION \
	{ \
		"impact", "IMPACT", "none, degraded_performance, partial_outage or major_outage" \
	}
#define PHASE_OPTION \
	{ \
		"phase", "PHASE", "investigating, identified, monitoring or resolved" \
	}
#define NEXT_UPDATE_OPTION \
	{ \
		"next-update", "TIME", "promise an update: 30m, 2h or a time", \
			.field = "next_update_at" \
	}

const struct ctl_command incident_report_command = {
	.group = "incident",
	.action = "report",
	.arguments = "TITLE",
	.arguments_count = 1,
	.summary = "Report an incident of any number of monitors or pages",
	.run = report_run,
	.options = {
		{ "account", "ACCOUNT", "the account, by id or name; needed if there are several" },
		{ "monitors", "IDS", "the monitors that are affected: 7,8",
		  .field = "monitor_ids" },
		{ "pages", "SLUGS", "pages that show the incident without a monitor",
		  .field = "status_page_ids" },
		IMPACT_OPTION,
		PHASE_OPTION,
		{ "body", "TEXT", "the first update, in CommonMark; - is standard input" },
		{ "started-at", "TIME", "the start, UTC; default: now", .field = "started_at" },
		{ "ended-at", "TIME", "the end of an incident that is over", .field = "ended_at" },
		NEXT_UPDATE_OPTION,
	},
};

static int update_run(struct ctl *ctl)
{
	struct service service = ctl_service(ctl);
	struct incident_post post = { .body = ctl_text_or_input(ctl, ctl->arguments[1]) };
	struct incident_posting posting;
	struct field_set sent = FIELD_SET_NONE;
	int64_t id;
	int status = post.body ? ctl_read_id(ctl, "an incident", &id) : CTL_USAGE;
	if (status == CTL_OK)
		status = incident_read_ids(ctl, "monitors", &post.monitor_ids, POST_SENT_MONITORS,
					   &sent);
	if (status == CTL_OK)
		status = incident_read_word(ctl, "impact", incident_impact_words, &post.impact,
					    POST_SENT_IMPACT, &sent);
	if (status == CTL_OK)
		status = incident_read_word(ctl, "phase", incident_phase_words, &post.phase,
					    POST_SENT_PHASE, &sent);
	if (status == CTL_OK)
		status = incident_read_time(ctl, "at", &post.at, 0, NULL);
	if (status == CTL_OK)
		status = incident_read_promise(ctl, &post.next_update_at, 0, NULL);
	if (status != CTL_OK)
		return status;
	fields_check_texts(incident_post_fields, &post, sent, &ctl->arena, &ctl->violations);
	enum result result = service_post_update(&service, id, &post, sent, &posting);
	if (result != OK)
		return ctl_fail_find(ctl, result, "incident", ctl->arguments[0]);
	status = ctl_published(ctl, &service);
	if (status != CTL_OK)
		return status;
	struct json_object *tree = json_object_tree();
	json_put_fields(tree, posted_update_fields, &posting.update);
	ctl_say(ctl, tree, "Posted update %lld of incident %lld.", (long long)posting.update.id,
		(long long)id);
	return CTL_OK;
}

const struct ctl_command incident_update_command = {
	.group = "incident",
	.action = "update",
	.arguments = "ID BODY",
	.arguments_count = 2,
	.summary = "Post an update of an incident; BODY - is standard input",
	.run = update_run,
	.options = {
		PHASE_OPTION,
		IMPACT_OPTION,
		{ "monitors", "IDS", "the monitors that the impact is of; default: all",
		  .field = "monitor_ids" },
		{ "at", "TIME", "the time of the update, UTC; default: now" },
		NEXT_UPDATE_OPTION,
	},
};
