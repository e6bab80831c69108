/* The updates that people post about a maintenance window. */
#include "service/maintenance/maintenance_changes.h"
#include "service/previews.h"

#define POST(member, ...) FIELD(struct maintenance_update_input, member, __VA_ARGS__)
#define UPDATE_ROWS(body_flags) \
	POST(body, .flags = FIELD_NOT_EMPTY | FIELD_PROSE | (body_flags), \
	     .max_chars = MAINTENANCE_BODY_MAX_CHARS, .label = "Update for the visitors", \
	     .text = "The text for visitors: CommonMark without raw HTML."), \
		POST(phase, .flags = FIELD_NOT_EMPTY, .choices = maintenance_status_words, \
		     .text = "The status from now on; if this field is not sent, the status " \
			     "stays."), \
		POST(at, .text = "When the update was made, not in the future; default: now.")
static const struct field post_rows[] = { UPDATE_ROWS(FIELD_REQUIRED) };
static const struct field edit_rows[] = { UPDATE_ROWS(0), FIELD_KEPT("id"),
					  FIELD_KEPT("edited_at") };
const struct fields maintenance_post_fields = { post_rows, ARRAY_LEN(post_rows) };
const struct fields maintenance_edit_fields = { edit_rows, ARRAY_LEN(edit_rows) };

static const char *word_of(int phase)
{
	return maintenance_status_words[phase - PHASE_SCHEDULED];
}

static void check_input(struct service *service, struct fields form,
			struct maintenance_update_input *input, struct field_set sent)
{
	struct violations *violations = service->violations;
	fields_check_texts(form, input, sent, service->arena, violations);
	if (input->phase && str_place(maintenance_status_words, str_from(input->phase)) < 0 &&
	    !violations_has(violations, "phase"))
		violations_add(violations, "phase",
			       "The selected phase is invalid. It must be one of: scheduled, "
			       "in_progress, verifying, completed, cancelled.");
	if (violations_has(violations, "at"))
		return;
	if (input->at.s > service->now.s)
		violations_add(violations, "at", "The at field must not be in the future.");
	if (input->at.s > 0 && input->at.s < service->now.s - MAINTENANCE_PAST_MAX_S)
		violations_add(violations, "at",
			       "The at field must not be more than 366 days ago.");
}

struct editing {
	struct maintenance_update_place place;
	const struct maintenance_update_input *input;
	struct field_set sent;
	bool is_withdrawal;
	struct maintenance_posting *posting;
};

/* Stores the changed window, and marks its pages. */
static enum result finish(struct service *service, struct maintenance *maintenance)
{
	maintenance->updated_at = service->now;
	enum result result = maintenance_store(service->db, maintenance, service->error);
	return result == OK ? maintenance_mark(service, maintenance, maintenance_always) : result;
}

static enum result check_count(struct service *service, int64_t maintenance_id)
{
	struct maintenance_update_list updates;
	enum result result = maintenance_update_list(service->db, maintenance_id, service->arena,
						     &updates, service->error);
	if (result != OK || updates.count < MAINTENANCE_UPDATES_MAX)
		return result;
	violations_add(service->violations, "body",
		       "A window has at most %d updates; withdraw an update first.",
		       MAINTENANCE_UPDATES_MAX);
	return E_INVALID;
}

static enum result post_work(struct service *service, void *context)
{
	const struct editing *editing = context;
	const struct maintenance_update_input *input = editing->input;
	struct maintenance *maintenance = &editing->posting->maintenance;
	struct maintenance_update_row *row = &editing->posting->row;
	enum result result = maintenance_begin(service, editing->place.maintenance_id, maintenance);
	if (result == OK)
		result = service_admit(service, editing->posting);
	if (result == OK && service->violations->count > 0)
		result = E_INVALID;
	if (result == OK)
		result = check_count(service, maintenance->id);
	if (result != OK)
		return result;
	*row = (struct maintenance_update_row){
		.update = { .body = input->body, .at = input->at.s > 0 ? input->at : service->now },
		.maintenance_id = maintenance->id,
		.occurrence_id = maintenance->current.id,
	};
	maintenance_add_event(service, maintenance, EVENT_MAINTENANCE_UPDATE_POSTED, input->body);
	const size_t event = service->events.count - 1;
	if (input->phase)
		result = maintenance_move_current(service, maintenance, input->phase, "phase");
	row->update.phase =
		PHASE_SCHEDULED + (int)maintenance_status_at(&maintenance->current, service->now);
	if (result == OK)
		result = maintenance_update_add(service->db, row, service->error);
	service->events.rows[event].update_id = row->update.id;
	return result == OK ? finish(service, maintenance) : result;
}

enum result service_post_maintenance_update(struct service *service, int64_t id,
					    const struct maintenance_update_input *input,
					    struct maintenance_posting *posting)
{
	struct maintenance_update_input checked = *input;
	struct editing editing = { .place = { id, 0 }, .input = &checked, .posting = posting };
	check_input(service, maintenance_post_fields, &checked, FIELD_SET_NONE);
	service_preview_object(service, &posting->maintenance);
	return service_transact(service, PERMISSION_RESPOND, post_work, &editing, posting);
}

static enum result show_work(struct service *service, void *context)
{
	const struct editing *editing = context;
	const struct maintenance_update_place *place = &editing->place;
	enum result result = maintenance_find(service->db, service->principal.account_id,
					      place->maintenance_id, service->now, service->arena,
					      &editing->posting->maintenance, service->error);
	return result == OK ? maintenance_update_find(service->db, place->maintenance_id,
						      place->update_id, service->arena,
						      &editing->posting->row, service->error)
			    : result;
}

enum result service_show_maintenance_update(struct service *service,
					    const struct maintenance_update_place *place,
					    struct maintenance_posting *posting)
{
	struct editing editing = { .place = *place, .posting = posting };
	return service_read(service, show_work, &editing);
}

/* Changes the update by the input. Returns false if the input changes nothing. */
static bool apply(const struct editing *editing, struct posted_update *update)
{
	const struct maintenance_update_input *input = editing->input;
	bool has_body = field_set_has(editing->sent, MAINTENANCE_SENT_BODY) &&
			!str_eq(str_from(input->body), str_from(update->body));
	bool has_time = field_set_has(editing->sent, MAINTENANCE_SENT_AT) && input->at.s > 0 &&
			input->at.s != update->at.s;
	if (has_body)
		update->body = input->body;
	if (has_time)
		update->at = input->at;
	return has_body || has_time;
}

static enum result edit_work(struct service *service, void *context)
{
	const struct editing *editing = context;
	const char *phase = editing->input->phase;
	struct maintenance *maintenance = &editing->posting->maintenance;
	struct posted_update *update = &editing->posting->row.update;
	enum result result = maintenance_begin(service, editing->place.maintenance_id, maintenance);
	if (result == OK)
		result = maintenance_update_find(service->db, maintenance->id,
						 editing->place.update_id, service->arena,
						 &editing->posting->row, service->error);
	if (result == OK && phase && !str_eq(str_from(phase), str_from(word_of(update->phase))))
		violations_add(service->violations, "phase",
			       "The phase of an update stays; post another update.");
	if (result == OK)
		result = service_admit(service, editing->posting);
	if (result == OK && service->violations->count > 0)
		result = E_INVALID;
	if (result != OK)
		return result;
	if (editing->is_withdrawal) {
		maintenance_add_event(service, maintenance, EVENT_MAINTENANCE_UPDATE_WITHDRAWN,
				      update->body);
		result = maintenance_update_remove(service->db, update->id, service->error);
		return result == OK ? finish(service, maintenance) : result;
	}
	if (!apply(editing, update))
		return OK;
	update->edited_at = service->now;
	maintenance_add_event(service, maintenance, EVENT_MAINTENANCE_UPDATE_EDITED, update->body);
	result = maintenance_update_change(service->db, &editing->posting->row, service->error);
	return result == OK ? finish(service, maintenance) : result;
}

enum result service_edit_maintenance_update(struct service *service,
					    const struct maintenance_update_place *place,
					    const struct maintenance_update_input *input,
					    struct field_set sent,
					    struct maintenance_posting *posting)
{
	struct maintenance_update_input checked = *input;
	struct editing editing = { *place, &checked, sent, false, posting };
	check_input(service, maintenance_edit_fields, &checked, sent);
	service_preview_object(service, &posting->maintenance);
	return service_transact(service, PERMISSION_RESPOND, edit_work, &editing, posting);
}

enum result service_withdraw_maintenance_update(struct service *service,
						const struct maintenance_update_place *place,
						struct maintenance_posting *posting)
{
	const struct maintenance_update_input none = { 0 };
	struct editing editing = { *place, &none, FIELD_SET_NONE, true, posting };
	return service_transact(service, PERMISSION_RESPOND, edit_work, &editing, posting);
}
