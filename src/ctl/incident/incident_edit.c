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

/* Prints the update with --json, otherwise the sentence. */
static int finish_update(struct ctl *ctl, const struct service *service,
			 const struct incident_posting *posting, const char *what)
{
	int status = ctl_published(ctl, service);
	if (status != CTL_OK)
		return status;
	ctl_say(ctl, json_row_tree(posted_update_fields, &posting->update),
		"%s update %lld of incident %lld.", what, (long long)posting->update.id,
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
	struct field_set sent;
	int64_t update_id;
	const char *update = ctl_option(ctl, "update");
	if (!ctl_id(update, &update_id))
		return ctl_usage(ctl, "--update must be the id of an update; see `daymarkctl "
				      "incident show`");
	int status = ctl_read_form(ctl, incident_edit_fields, &edit, &sent);
	if (status != CTL_OK)
		return status;
	fields_check_texts(incident_edit_fields, &edit, sent, &ctl->arena, &ctl->violations);
	enum result result = service_edit_update(&service, id, update_id, &edit, sent, &posting);
	return result == OK ? finish_update(ctl, &service, &posting, "Changed")
			    : fail_update(ctl, result, update);
}

/* Reads the post-mortem from the file in --postmortem. An empty file name removes the
 * post-mortem. */
static int read_postmortem(struct ctl *ctl, struct incident_update *update)
{
	const char *path = ctl_option(ctl, "postmortem"), *why;
	struct str content = { 0 };
	if (!path)
		return CTL_OK;
	field_set_add(&update->sent, INCIDENT_SENT_postmortem);
	if (!*path)
		return CTL_OK;
	if (!ctl_read_file(ctl, path, WIRE_VALUE_MAX_BYTES, &content, &why))
		return ctl_usage(ctl, "--postmortem %s: %s", path, why);
	if (!str_is_text(content))
		return ctl_usage(ctl, "--postmortem must be valid UTF-8 text without NUL bytes");
	update->input.postmortem = content.data;
	return CTL_OK;
}

/* Returns whether an option of an update was given. */
static bool has_update_option(const struct ctl *ctl)
{
	return ctl_option(ctl, "update") || ctl_option(ctl, "body") || ctl_option(ctl, "at");
}

static int edit_run(struct ctl *ctl)
{
	struct service service = ctl_service(ctl);
	struct incident_update update = { 0 };
	struct incident_resource incident;
	int64_t id;
	bool has_update = has_update_option(ctl);
	int status = ctl_read_id(ctl, "an incident", &id);
	if (status == CTL_OK)
		status = ctl_read_form(ctl, incident_update_fields, &update.input, &update.sent);
	if (status == CTL_OK)
		status = read_postmortem(ctl, &update);
	if (status != CTL_OK)
		return status;
	if (has_update != field_set_is_empty(update.sent))
		return ctl_usage(ctl, has_update ? "an update and the incident are changed one "
						   "after the other"
						 : "an option is missing; try `daymarkctl incident "
						   "edit --help`");
	if (has_update && !ctl_option(ctl, "update"))
		return ctl_usage(ctl, "--body and --at need --update");
	if (has_update)
		return edit_update(ctl, id);
	fields_check_texts(incident_update_fields, &update.input, update.sent, &ctl->arena,
			   &ctl->violations);
	enum result result = service_update_incident(&service, id, &update, &incident);
	return incident_finish(ctl, &service, result, &incident,
			       arena_printf(&ctl->arena, "Changed incident %lld.", (long long)id));
}

const struct ctl_command incident_edit_command = {
	.words = "incident edit",
	.arguments = "ID",
	.summary = "Change the given fields of an incident, or one of its updates",
	.run = edit_run,
	.form = &incident_update_fields,
	.options = {
		{ "postmortem", "FILE", "The post-mortem, in CommonMark; - is standard input.",
		  .field = "postmortem" },
		{ "update", "UPDATE", "Change the update of this id in place of the incident." },
		{ "body", "TEXT", "With --update: its text; - is standard input." },
		{ "at", "TIME", "With --update: its time." },
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
	.words = "incident withdraw",
	.arguments = "ID UPDATE",
	.summary = "Withdraw an update of an incident",
	.run = withdraw_run,
};

static int delete_run(struct ctl *ctl)
{
	struct service service = ctl_service(ctl);
	struct incident_resource found;
	int64_t id;
	int status = ctl_read_id(ctl, "an incident", &id);
	if (status != CTL_OK)
		return status;
	enum result result = ctl_find(ctl, &resource_incidents, id, &found);
	if (result != OK)
		return ctl_fail_find(ctl, result, "incident", ctl->arguments[0]);
	struct incident incident = found.row;
	const char *what = incident.title ? incident.title : incident.cause;
	if (!ctl_confirm(ctl, "Delete incident %lld (%s)? Pages will not show it any more.",
			 (long long)id, what ? what : ""))
		return CTL_DECLINED;
	result = service_delete_incident(&service, id, &incident);
	status = ctl_finish(ctl, &service, result, "incident");
	if (status != CTL_OK)
		return status;
	ctl_say(ctl, ctl_done_tree(id, "deleted"), "Deleted incident %lld; its events remain.",
		(long long)id);
	return CTL_OK;
}

const struct ctl_command incident_delete_command = {
	.words = "incident delete",
	.arguments = "ID",
	.summary = "Delete an incident",
	.run = delete_run,
};
