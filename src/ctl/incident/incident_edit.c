/* daymarkctl incident edit|withdraw|delete */
#include <string.h>

#include "ctl/incident/incident_input.h"
#include "ctl/read_file.h"
#include "domain/field_table.h"
#include "service/incident/incident_reports.h"
#include "service/incident/incidents.h"
#include "store/incident/incident.h"
#include "store/incident/incident_update.h"
#include "wire/json.h"
#include "wire/limits.h"

/* The options of an update of the incident, and those of the incident itself. */
static bool has_any(const struct ctl *ctl, const char *const *options)
{
	for (; *options; options++)
		if (ctl_option(ctl, *options))
			return true;
	return false;
}

/* Prints the update with --json, else the sentence. */
static int finish_update(struct ctl *ctl, const struct service *service,
			 const struct incident_posting *posting, const char *what)
{
	int status = ctl_published(ctl, service);
	if (status != CTL_OK)
		return status;
	struct json_object *tree = json_object_tree();
	json_put_fields(tree, posted_update_fields, &posting->update);
	ctl_say(ctl, tree, "%s update %lld of incident %lld.", what, (long long)posting->update.id,
		(long long)posting->incident.id);
	return CTL_OK;
}

static int fail_update(struct ctl *ctl, enum result result, const char *update)
{
	if (result != E_NOT_FOUND)
		return ctl_fail(ctl, result, "the update cannot be changed");
	ctl->error = (struct error){ 0 };
	return ctl_fail(ctl, result, "there is no incident %s with an update %s", ctl->arguments[0],
			update);
}

static int edit_update(struct ctl *ctl, int64_t id)
{
	struct service service = ctl_service(ctl);
	struct incident_edit edit = { 0 };
	struct incident_posting posting;
	struct field_set sent = FIELD_SET_NONE;
	int64_t update_id;
	const char *update = ctl_option(ctl, "update"), *body = ctl_option(ctl, "body");
	if (!ctl_id(update, &update_id))
		return ctl_usage(ctl, "--update must be the id of an update; see `daymarkctl "
				      "incident show`");
	int status = incident_read_time(ctl, "at", &edit.at, EDIT_SENT_AT, &sent);
	if (status != CTL_OK)
		return status;
	if (body && !(edit.body = ctl_text_or_input(ctl, body)))
		return CTL_USAGE;
	if (body)
		field_set_add(&sent, EDIT_SENT_BODY);
	fields_check_texts(incident_edit_fields, &edit, sent, &ctl->arena, &ctl->violations);
	enum result result = service_edit_update(&service, id, update_id, &edit, sent, &posting);
	return result == OK ? finish_update(ctl, &service, &posting, "Changed")
			    : fail_update(ctl, result, update);
}

/* Reads the post-mortem from a file; an empty name removes it. */
static int read_postmortem(struct ctl *ctl, struct incident_update *update)
{
	const char *path = ctl_option(ctl, "postmortem"), *why;
	struct str content = { 0 };
	if (!path)
		return CTL_OK;
	field_set_add(&update->sent, INCIDENT_SENT_POSTMORTEM);
	if (!*path)
		return CTL_OK;
	if (!ctl_read_file(ctl, path, WIRE_VALUE_MAX_BYTES, &content, &why))
		return ctl_usage(ctl, "--postmortem %s: %s", path, why);
	if (!str_is_text(content))
		return ctl_usage(ctl, "--postmortem must be valid UTF-8 text without NUL bytes");
	update->input.postmortem = content.data;
	return CTL_OK;
}

/* Reads a pair of flags. */
static int read_flag(struct ctl *ctl, const char *on, const char *off, bool *value, size_t place,
		     struct field_set *sent)
{
	bool is_on = ctl_option(ctl, on) != NULL, is_off = ctl_option(ctl, off) != NULL;
	if (is_on && is_off)
		return ctl_usage(ctl, "--%s and --%s exclude each other", on, off);
	*value = is_on;
	if (is_on || is_off)
		field_set_add(sent, place);
	return CTL_OK;
}

static int read_fields(struct ctl *ctl, struct incident_update *update)
{
	struct incident_input *input = &update->input;
	struct field_set *sent = &update->sent;
	input->title = ctl_option(ctl, "title");
	if (input->title)
		field_set_add(sent, INCIDENT_SENT_TITLE);
	int status = incident_read_word(ctl, "impact", incident_impact_words, &input->impact,
					INCIDENT_SENT_IMPACT, sent);
	if (status == CTL_OK)
		status = incident_read_ids(ctl, "monitors", &input->monitor_ids,
					   INCIDENT_SENT_MONITORS, sent);
	if (status == CTL_OK)
		status = incident_read_time(ctl, "started-at", &input->started_at,
					    INCIDENT_SENT_STARTED, sent);
	if (status == CTL_OK)
		status = incident_read_time(ctl, "ended-at", &input->ended_at, INCIDENT_SENT_ENDED,
					    sent);
	if (status == CTL_OK)
		status = incident_read_promise(ctl, &input->next_update_at,
					       INCIDENT_SENT_NEXT_UPDATE, sent);
	if (status == CTL_OK)
		status = read_flag(ctl, "exclude", "include", &input->exclude_from_uptime,
				   INCIDENT_SENT_EXCLUDE, sent);
	if (status == CTL_OK)
		status = read_flag(ctl, "acknowledge", "unacknowledge", &input->acknowledged_at,
				   INCIDENT_SENT_ACKNOWLEDGED, sent);
	return status == CTL_OK ? read_postmortem(ctl, update) : status;
}

static int edit_run(struct ctl *ctl)
{
	static const char *const of_update[] = { "update", "body", "at", NULL };
	static const char *const of_incident[] = {
		"title",       "impact",	"started-at", "ended-at", "next-update", "exclude",
		"acknowledge", "unacknowledge", "postmortem", "include",  "monitors",	 NULL,
	};
	struct incident_update update = { 0 };
	struct incident incident;
	int64_t id;
	int status = ctl_read_id(ctl, "an incident", &id);
	bool has_update = has_any(ctl, of_update), has_incident = has_any(ctl, of_incident);
	if (status != CTL_OK)
		return status;
	if (has_update == has_incident)
		return ctl_usage(ctl, has_update ? "an update and the incident are changed one "
						   "after the other"
						 : "an option is missing; try `daymarkctl incident "
						   "edit --help`");
	if (has_update && !ctl_option(ctl, "update"))
		return ctl_usage(ctl, "--body and --at need --update");
	if (has_update)
		return edit_update(ctl, id);
	struct service service = ctl_service(ctl);
	status = read_fields(ctl, &update);
	if (status != CTL_OK)
		return status;
	fields_check_texts(incident_update_fields, &update.input, update.sent, &ctl->arena,
			   &ctl->violations);
	enum result result = service_update_incident(&service, id, &update, &incident);
	return incident_finish(ctl, &service, result, &incident,
			       arena_printf(&ctl->arena, "Changed incident %lld.", (long long)id));
}

const struct ctl_command incident_edit_command = {
	.group = "incident",
	.action = "edit",
	.arguments = "ID",
	.arguments_count = 1,
	.summary = "Change the given fields of an incident, or one of its updates",
	.run = edit_run,
	.options = {
		{ "title", "TEXT", "the public title" },
		{ "impact", "IMPACT", "none, degraded_performance, partial_outage, "
				      "major_outage" },
		{ "monitors", "IDS", "the whole list of its monitors, such as 1,2",
		  .field = "monitor_ids" },
		{ "started-at", "TIME", "the start, UTC", .field = "started_at" },
		{ "ended-at", "TIME", "the end, UTC; empty opens a reported incident again",
		  .field = "ended_at" },
		{ "next-update", "TIME", "promise an update: 30m, 2h or a time; empty: none",
		  .field = "next_update_at" },
		{ "exclude", NULL, "do not count the incident against uptime" },
		{ "include", NULL, "count the incident again" },
		{ "acknowledge", NULL, "someone is working on the incident",
		  .field = "acknowledged_at" },
		{ "unacknowledge", NULL, "withdraw the acknowledgement" },
		{ "postmortem", "FILE", "the post-mortem, in CommonMark; - is standard input" },
		{ "update", "UPDATE", "change the update of this id in place of the incident" },
		{ "body", "TEXT", "with --update: its text; - is standard input" },
		{ "at", "TIME", "with --update: its time, UTC" },
	},
};

static int withdraw_run(struct ctl *ctl)
{
	struct service service = ctl_service(ctl);
	struct incident_posting posting;
	const char *update = ctl->arguments[1];
	int64_t id, update_id;
	int status = ctl_read_id(ctl, "an incident", &id);
	if (status != CTL_OK)
		return status;
	if (!ctl_id(update, &update_id))
		return ctl_usage(ctl, "the id of the update must be a number; see `daymarkctl "
				      "incident show`");
	enum result result = service_withdraw_update(&service, id, update_id, &posting);
	return result == OK ? finish_update(ctl, &service, &posting, "Withdrew")
			    : fail_update(ctl, result, update);
}

const struct ctl_command incident_withdraw_command = {
	.group = "incident",
	.action = "withdraw",
	.arguments = "ID UPDATE",
	.arguments_count = 2,
	.summary = "Withdraw an update of an incident",
	.run = withdraw_run,
};

static int delete_run(struct ctl *ctl)
{
	struct service service = ctl_service(ctl);
	struct incident incident;
	int64_t id;
	int status = ctl_read_id(ctl, "an incident", &id);
	if (status != CTL_OK)
		return status;
	enum result result =
		incident_find(ctl->db, 0, id, false, &ctl->arena, &incident, &ctl->error);
	if (result != OK)
		return ctl_fail_find(ctl, result, "incident", ctl->arguments[0]);
	const char *what = incident.title ? incident.title : incident.cause;
	if (!ctl_confirm(ctl, "Delete incident %lld (%s)? Pages will not show it any more.",
			 (long long)id, what ? what : ""))
		return CTL_DECLINED;
	result = service_delete_incident(&service, id, &incident);
	if (result != OK)
		return ctl_fail_find(ctl, result, "incident", ctl->arguments[0]);
	status = ctl_published(ctl, &service);
	if (status != CTL_OK)
		return status;
	struct json_object *tree = json_object_tree();
	json_put_int(tree, "id", id);
	json_put_bool(tree, "deleted", true);
	ctl_say(ctl, tree, "Deleted incident %lld; its events remain.", (long long)id);
	return CTL_OK;
}

const struct ctl_command incident_delete_command = {
	.group = "incident",
	.action = "delete",
	.arguments = "ID",
	.arguments_count = 1,
	.summary = "Delete an incident",
	.run = delete_run,
};
