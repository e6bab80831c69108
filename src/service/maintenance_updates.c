/* The updates that people post about a maintenance window. */
#include "service/maintenance_changes.h"

#define POST(member, ...) FIELD(struct maintenance_update_input, member, __VA_ARGS__)
#define UPDATE_ROWS(body_flags) \
	POST(body, .flags = FIELD_NOT_EMPTY | (body_flags), \
	     .max_chars = MAINTENANCE_BODY_MAX_CHARS, \
	     .text = "What visitors read: CommonMark without raw HTML."), \
		POST(phase, .flags = FIELD_NOT_EMPTY, .choices = maintenance_status_words, \
		     .text = "The status from now on; without it the status stays."), \
		POST(at, .text = "When the update was made, not in the future; default: now.")
static const struct field post_rows[] = { UPDATE_ROWS(FIELD_REQUIRED) };
static const struct field edit_rows[] = { UPDATE_ROWS(0) };
const struct fields maintenance_post_fields = { post_rows, ARRAY_LEN(post_rows) };
const struct fields maintenance_edit_fields = { edit_rows, ARRAY_LEN(edit_rows) };

static const char *word_of(int phase)
{
	return maintenance_status_words[phase - PHASE_SCHEDULED];
}

static void check_input(struct service *service, struct fields form,
			struct maintenance_update_input *input, uint64_t sent)
{
	struct violations *violations = service->violations;
	bool is_word = !input->phase;
	fields_check_texts(form, input, sent, service->arena, violations);
	for (int i = 0; i < MAINTENANCE_STATUSES && !is_word; i++)
		is_word = str_eq(str_from(input->phase), str_from(maintenance_status_words[i]));
	if (!is_word && !violations_has(violations, "phase"))
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

struct posting {
	struct maintenance_update_place place;
	const struct maintenance_update_input *input;
	uint64_t sent;
	bool is_withdrawal;
	struct maintenance_shown *shown;
};

/* Locks the window, and lets the caller check it. */
static enum result begin(struct service *service, const struct posting *posting)
{
	struct maintenance *maintenance = &posting->shown->maintenance;
	enum result result = maintenance_begin(service, posting->place.maintenance_id, maintenance);
	if (result == OK)
		result = service_admit(service, maintenance);
	return result == OK && service->violations->count > 0 ? E_INVALID : result;
}

/* Stores the window's revision, marks its pages, and reads it again. */
static enum result finish(struct service *service, const struct posting *posting)
{
	struct maintenance *maintenance = &posting->shown->maintenance;
	maintenance->updated_at = service->now;
	enum result result = maintenance_store(service->db, maintenance, service->error);
	if (result == OK)
		result = maintenance_mark(service, maintenance);
	return result == OK ? maintenance_read(service, maintenance->account_id, maintenance->id,
					       posting->shown)
			    : result;
}

static enum result post_work(struct service *service, void *context)
{
	const struct posting *posting = context;
	const struct maintenance_update_input *input = posting->input;
	struct maintenance *maintenance = &posting->shown->maintenance;
	struct maintenance_update_list updates = { 0 };
	enum result result = begin(service, posting);
	if (result == OK)
		result = maintenance_update_list(service->db, maintenance->id, service->arena,
						 &updates, service->error);
	if (result == OK && updates.count == MAINTENANCE_UPDATES_MAX) {
		violations_add(service->violations, "body",
			       "A window has at most %d updates; withdraw one first.",
			       MAINTENANCE_UPDATES_MAX);
		result = E_INVALID;
	}
	struct maintenance_update_row row = {
		.update = { .body = input->body, .at = input->at.s > 0 ? input->at : service->now },
		.maintenance_id = maintenance->id,
		.occurrence_id = maintenance->current.id,
	};
	if (result == OK)
		maintenance_add_event(service, maintenance, EVENT_MAINTENANCE_UPDATE_POSTED,
				      input->body);
	if (result == OK && input->phase)
		result = maintenance_move_current(service, maintenance, input->phase, "phase");
	row.update.phase =
		PHASE_SCHEDULED + (int)maintenance_status_at(&maintenance->current, service->now);
	if (result == OK)
		result = maintenance_update_add(service->db, &row, service->error);
	return result == OK ? finish(service, posting) : result;
}

enum result service_post_maintenance_update(struct service *service, int64_t id,
					    const struct maintenance_update_input *input,
					    struct maintenance_shown *shown)
{
	struct maintenance_update_input checked = *input;
	struct posting posting = { .place = { id, 0 }, .input = &checked, .shown = shown };
	check_input(service, maintenance_post_fields, &checked, 0);
	return service_transact(service, post_work, &posting, shown);
}

static enum result edit_work(struct service *service, void *context)
{
	const struct posting *posting = context;
	const struct maintenance_update_place *place = &posting->place;
	const struct maintenance_update_input *input = posting->input;
	struct maintenance *maintenance = &posting->shown->maintenance;
	struct maintenance_update_row row;
	enum result result = maintenance_lock(service->db, service->principal.account_id,
					      place->maintenance_id, service->error);
	if (result == OK)
		result = maintenance_update_find(service->db, place->maintenance_id,
						 place->update_id, service->arena, &row,
						 service->error);
	if (result == OK && input->phase &&
	    !str_eq(str_from(input->phase), str_from(word_of(row.update.phase))))
		violations_add(service->violations, "phase",
			       "The phase of an update stays; post another update.");
	if (result == OK)
		result = begin(service, posting);
	if (result != OK)
		return result;
	if (posting->is_withdrawal) {
		maintenance_add_event(service, maintenance, EVENT_MAINTENANCE_UPDATE_WITHDRAWN,
				      row.update.body);
		result = maintenance_update_remove(service->db, row.update.id, service->error);
		return result == OK ? finish(service, posting) : result;
	}
	bool has_body = posting->sent & MAINTENANCE_SENT_BODY &&
			!str_eq(str_from(input->body), str_from(row.update.body));
	bool has_time = posting->sent & MAINTENANCE_SENT_AT && input->at.s > 0 &&
			input->at.s != row.update.at.s;
	if (has_body)
		row.update.body = input->body;
	if (has_time)
		row.update.at = input->at;
	if (!has_body && !has_time)
		return maintenance_read(service, maintenance->account_id, maintenance->id,
					posting->shown);
	row.update.edited_at = service->now;
	maintenance_add_event(service, maintenance, EVENT_MAINTENANCE_UPDATE_EDITED,
			      row.update.body);
	result = maintenance_update_change(service->db, &row, service->error);
	return result == OK ? finish(service, posting) : result;
}

enum result service_edit_maintenance_update(struct service *service,
					    const struct maintenance_update_place *place,
					    const struct maintenance_update_input *input,
					    uint64_t sent, struct maintenance_shown *shown)
{
	struct maintenance_update_input checked = *input;
	struct posting posting = { *place, &checked, sent, false, shown };
	check_input(service, maintenance_edit_fields, &checked, sent);
	return service_transact(service, edit_work, &posting, shown);
}

enum result service_withdraw_maintenance_update(struct service *service,
						const struct maintenance_update_place *place,
						struct maintenance_shown *shown)
{
	const struct maintenance_update_input none = { 0 };
	struct posting posting = { *place, &none, 0, true, shown };
	return service_transact(service, edit_work, &posting, shown);
}
