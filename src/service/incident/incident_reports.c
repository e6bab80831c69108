#include "service/incident/incident_reports.h"

#include "service/incident/incident_changes.h"
#include "service/incident/pending_updates.h"
#include "service/previews.h"
#include "store/incident/incident.h"
#include "store/incident/incident_report.h"
#include "store/incident/incident_template.h"
#include "store/incident/incident_update.h"

struct reporting {
	const struct incident_report *report;
	struct field_set sent;
	struct posted_update update;
	struct incident_resource *outcome;
};

/* If the report has a text, stores it as the first update. Then reads the incident as clients see
 * it. */
static enum result complete_report(struct service *service, struct incident_resource *outcome,
				   struct posted_update *update)
{
	struct incident *incident = &outcome->row;
	enum result result = OK;
	if (update->body)
		result = incident_update_insert(service->db, incident, INCIDENT_UPDATES_MAX, update,
						service->error);
	if (result == OK)
		result = incident_find(service->db, incident->account_id, incident->id, false,
				       service->arena, incident, service->error);
	if (result != OK || !update->body)
		return result;
	outcome->updates =
		(struct posted_updates){ ARENA_NEW(service->arena, struct posted_update), 1 };
	outcome->updates.rows[0] = *update;
	return OK;
}

/* Copies the template's values to the fields that were not sent. */
static enum result apply_template(struct service *service, const struct reporting *reporting,
				  struct incident_report *report)
{
	struct incident_template row;
	if (report->template_id == 0)
		return OK;
	enum result result = incident_template_find(service->db, service->principal.account_id,
						    report->template_id, true, service->arena, &row,
						    service->error);
	if (result == OK)
		incident_template_apply(&row, report, reporting->sent);
	if (result == E_NOT_FOUND)
		violations_add(service->violations, "template_id",
			       "The selected template id is invalid.");
	return result == E_NOT_FOUND ? E_INVALID : result;
}

/* Replaces the placeholders in the texts of the template. */
static enum result fill_texts(struct service *service, struct reporting *reporting,
			      struct incident_report *report, struct incident *incident)
{
	const char *cause;
	enum result result = incident_template_cause(service->db, &incident->monitor_ids,
						     service->arena, &cause, service->error);
	if (result != OK)
		return result;
	incident_template_fill(report, reporting->sent, incident, cause, service->arena);
	fields_check_texts(incident_report_fields, report, reporting->sent, service->arena,
			   service->violations);
	incident->title = report->title;
	incident->comment = reporting->update.body = report->body;
	return OK;
}

/* If a second person must publish the report, stores the report with the values of the template, so
 * that the second person reads the text that will be published. */
static enum result hold_report(struct service *service, const struct reporting *reporting,
			       struct incident_report *report, const struct incident *incident)
{
	struct field_set sent = reporting->sent;
	if (report->template_id > 0) {
		sent = field_set_or(sent, FIELD_SET(REPORT_SENT_TITLE, REPORT_SENT_MONITORS,
						    REPORT_SENT_IMPACT, REPORT_SENT_BODY));
		if (report->ended_at.s == 0)
			field_set_add(&sent, REPORT_SENT_PHASE);
		field_set_remove(&sent, REPORT_SENT_TEMPLATE);
	}
	return pending_update_hold(service, PENDING_REPORT, incident, 0, report, sent);
}

static enum result report_work(struct service *service, void *context)
{
	struct reporting *reporting = context;
	struct incident_report report = *reporting->report;
	struct incident *incident = &reporting->outcome->row;
	*reporting->outcome = (struct incident_resource){ 0 };
	enum result result = apply_template(service, reporting, &report);
	if (result != OK)
		return result;
	if (!report.title && !violations_has(service->violations, "title"))
		violations_add(service->violations, "title", "The title field is required.");
	incident_begin(incident, &report, reporting->sent, service->now, &reporting->update,
		       service->arena, service->violations);
	incident->account_id = service->principal.account_id;
	result = incident_report_lock(service->db, incident, NULL, service->arena,
				      service->violations, service->error);
	if (result == OK && report.template_id > 0 && service->violations->count == 0)
		result = fill_texts(service, reporting, &report, incident);
	if (result == OK && service->violations->count > 0)
		result = E_INVALID;
	if (result == OK && !service->published)
		result = hold_report(service, reporting, &report, incident);
	if (result != OK || service->held)
		return result;
	result = incident_add(service, incident, EVENT_INCIDENT_REPORTED);
	const size_t event = service->events.count - 1;
	if (result == OK)
		result = complete_report(service, reporting->outcome, &reporting->update);
	if (result == OK)
		service->events.rows[event].update_id = reporting->update.id;
	if (result == OK)
		result = pending_update_take(service, incident->id);
	return result == OK ? incident_count_additions(service, incident->account_id, 1) : result;
}

enum result service_report_incident(struct service *service, const struct incident_report *report,
				    struct field_set sent, struct incident_resource *outcome)
{
	struct reporting reporting = { .report = report, .sent = sent, .outcome = outcome };
	enum result result = service_admit(service, NULL);
	return result == OK ? service_transact(service, PERMISSION_RESPOND, report_work, &reporting,
					       outcome)
			    : result;
}

struct posting_work {
	int64_t incident_id;
	int64_t id;
	const struct incident_post *post;
	const struct incident_edit *edit;
	struct field_set sent;
	struct incident_posting *posting;
};

static enum result find_incident(struct service *service, const struct posting_work *work)
{
	*work->posting = (struct incident_posting){ 0 };
	return incident_lock(service, work->incident_id, &work->posting->incident);
}

enum result incident_updates_full(struct service *service, enum result result, const char *field)
{
	if (result != E_QUOTA_EXCEEDED)
		return result;
	violations_add(service->violations, field, "An incident has at most %d updates.",
		       INCIDENT_UPDATES_MAX);
	return E_INVALID;
}

enum result incident_take_comment(struct service *service, struct incident *incident)
{
	struct posted_update newest;
	enum result result = incident_update_newest(service->db, incident->id, service->arena,
						    &newest, service->error);
	incident->comment = result == OK ? newest.body : NULL;
	return result == E_NOT_FOUND ? OK : result;
}

/* Stores the changed incident, with the event of the update. If the update ends or reopens the
 * incident, adds a second event. */
static enum result change_incident(struct service *service, const struct incident *before,
				   struct incident_posting *posting)
{
	struct incident *after = &posting->incident;
	bool was_open = before->ended_at.s == 0, is_open = after->ended_at.s == 0;
	enum event_kind end = is_open ? EVENT_INCIDENT_REOPENED : EVENT_INCIDENT_RESOLVED;
	const struct incident_why why[INCIDENT_WHY_MAX] = {
		{ EVENT_INCIDENT_UPDATE_POSTED, posting->update.body, posting->update.id },
		{ was_open == is_open ? EVENT_NONE : end, NULL },
	};
	return incident_change_all(service, before, after, why);
}

static enum result post_work(struct service *service, void *context)
{
	const struct posting_work *work = context;
	struct incident_posting *posting = work->posting;
	struct incident before, *incident = &posting->incident;
	struct posted_update newest = { 0 };
	enum result result = find_incident(service, work);
	if (result == OK)
		result = service_admit(service, posting);
	if (result == OK)
		result = incident_update_newest(service->db, incident->id, service->arena, &newest,
						service->error);
	if (result != OK && result != E_NOT_FOUND)
		return result;
	if (incident->id == 0)
		return E_NOT_FOUND;
	before = *incident;
	*incident = incident_copy(&before, service->arena);
	incident_post(incident, work->post, work->sent, newest.at, service->now, &posting->update,
		      service->arena, service->violations);
	result = OK;
	if (incident->monitor_count > before.monitor_count)
		result = incident_report_lock(service->db, incident, &work->post->monitor_ids,
					      service->arena, service->violations, service->error);
	if (result == OK && service->violations->count > 0)
		result = E_INVALID;
	if (result == OK)
		result = pending_update_hold(service, PENDING_UPDATE, incident, 0, work->post,
					     work->sent);
	if (service->held)
		return result;
	/* An update that ends the incident may exceed INCIDENT_UPDATES_MAX: people must be able to
	 * report the end of each incident. */
	bool is_end = before.ended_at.s == 0 && incident->ended_at.s > 0;
	if (result == OK)
		result = incident_updates_full(
			service,
			incident_update_insert(service->db, incident,
					       is_end ? INCIDENT_UPDATES_END_MAX
						      : INCIDENT_UPDATES_MAX,
					       &posting->update, service->error),
			"body");
	return result == OK ? change_incident(service, &before, posting) : result;
}

enum result service_post_update(struct service *service, int64_t incident_id,
				const struct incident_post *post, struct field_set sent,
				struct incident_posting *posting)
{
	struct posting_work work = {
		.incident_id = incident_id, .post = post, .sent = sent, .posting = posting
	};
	service_preview_object(service, &posting->incident);
	return service_transact(service, PERMISSION_RESPOND, post_work, &work, posting);
}

static enum result find_update(struct service *service, const struct posting_work *work)
{
	struct incident_posting *posting = work->posting;
	enum result result = find_incident(service, work);
	if (result == OK)
		result = incident_update_find(service->db, work->incident_id, work->id,
					      service->arena, &posting->update, service->error);
	return result == OK ? service_admit(service, posting) : result;
}

/* Stores the incident after a change of its updates. */
static enum result store_change(struct service *service, struct incident_posting *posting,
				enum event_kind kind)
{
	struct incident before = posting->incident;
	enum result result = incident_take_comment(service, &posting->incident);
	return result == OK ? incident_change(service, &before, &posting->incident, kind,
					      posting->update.body)
			    : result;
}

static enum result edit_work(struct service *service, void *context)
{
	const struct posting_work *work = context;
	struct incident_posting *posting = work->posting;
	enum result result = find_update(service, work);
	if (result != OK)
		return result;
	bool is_changed = incident_edit(&posting->incident, &posting->update, work->edit,
					work->sent, service->now, service->violations);
	if (service->violations->count > 0)
		return E_INVALID;
	result = is_changed ? pending_update_hold(service, PENDING_EDIT, &posting->incident,
						  work->id, work->edit, work->sent)
			    : pending_update_take(service, work->incident_id);
	if (result != OK || service->held)
		return result;
	incident_publish(service, &posting->incident);
	if (!is_changed)
		return OK;
	result = incident_update_save(service->db, &posting->update, service->error);
	return result == OK ? store_change(service, posting, EVENT_INCIDENT_UPDATE_EDITED) : result;
}

enum result service_edit_update(struct service *service, int64_t incident_id, int64_t id,
				const struct incident_edit *edit, struct field_set sent,
				struct incident_posting *posting)
{
	struct posting_work work = {
		.incident_id = incident_id, .id = id, .edit = edit, .sent = sent, .posting = posting
	};
	service_preview_object(service, &posting->incident);
	return service_transact(service, PERMISSION_RESPOND, edit_work, &work, posting);
}

static enum result withdraw_work(struct service *service, void *context)
{
	const struct posting_work *work = context;
	struct incident_posting *posting = work->posting;
	enum result result = find_update(service, work);
	if (result == OK)
		result = incident_update_delete(service->db, posting->update.id, service->error);
	return result == OK ? store_change(service, posting, EVENT_INCIDENT_UPDATE_WITHDRAWN)
			    : result;
}

enum result service_withdraw_update(struct service *service, int64_t incident_id, int64_t id,
				    struct incident_posting *posting)
{
	struct posting_work work = { .incident_id = incident_id, .id = id, .posting = posting };
	return service_transact(service, PERMISSION_RESPOND, withdraw_work, &work, posting);
}

enum result service_find_update(struct service *service, int64_t incident_id, int64_t id,
				struct incident_posting *posting)
{
	enum result result = incident_find(service->db, service->principal.account_id, incident_id,
					   false, service->arena, &posting->incident,
					   service->error);
	return result == OK ? incident_update_find(service->db, incident_id, id, service->arena,
						   &posting->update, service->error)
			    : result;
}
