#include "service/maintenance/maintenances.h"

#include "service/maintenance/maintenance_changes.h"
#include "store/maintenance/maintenance.h"

#define IS_SENT(sent, name) field_set_has(sent, MAINTENANCE_FIELD_##name)

/* Changing */

struct changing {
	int64_t id;
	struct maintenance_input input;
	struct field_set sent;
	struct maintenance before;
	struct maintenance_shown *shown;
};

static void refuse(struct service *service, const char *field, const char *message)
{
	if (!violations_has(service->violations, field))
		violations_add(service->violations, field, "%s", message);
}

/* Checks the new times of a window that has begun. A single window must stay single, and a
 * recurring window must stay recurring. A past time must stay in the past. */
static enum result check_move(struct service *service, const struct maintenance *before,
			      const struct maintenance *after)
{
	enum maintenance_status status = (enum maintenance_status)before->current.status;
	struct instant now = service->now;
	bool is_begun = status != MAINTENANCE_SCHEDULED;
	if (is_begun && (before->rrule != NULL) != (after->rrule != NULL))
		refuse(service, "rrule",
		       "The rrule field cannot be added or removed once the window has begun.");
	if (is_begun && !after->rrule && status == MAINTENANCE_CANCELLED)
		refuse(service, "starts_at", "The window is cancelled; its times stay.");
	if (is_begun && !after->rrule && after->first_at.s > now.s)
		refuse(service, "starts_at",
		       "The starts at field must not be in the future: the "
		       "window has begun.");
	if (status == MAINTENANCE_COMPLETED && !after->rrule && after->ends_at.s > now.s)
		refuse(service, "ends_at",
		       "The ends at field must not be in the future: the "
		       "window is over.");
	return service->violations->count > 0 ? E_INVALID : OK;
}

/* Corrects the times of a single window that has begun. */
static enum result correct_current(struct service *service, struct maintenance *after)
{
	struct maintenance_occurrence *current = &after->current;
	current->starts_at = after->first_at;
	current->ends_at = after->ends_at;
	current->is_auto = after->auto_transition;
	current->updated_at = service->now;
	maintenance_set_next(current);
	maintenance_follow_current(after, service->arena);
	return maintenance_occurrences_put(service->db, after->id, current, 1, service->arena,
					   service->error);
}

/* If the duration has changed, moves the end of the occurrence in progress. */
static enum result stretch_current(struct service *service, const struct changing *changing)
{
	const struct maintenance *after = &changing->shown->maintenance;
	struct maintenance_occurrence current = changing->before.current;
	enum maintenance_status status = (enum maintenance_status)current.status;
	bool is_running = maintenance_is_open(status) && status != MAINTENANCE_SCHEDULED;
	if (!is_running || after->duration == changing->before.duration)
		return OK;
	current.ends_at.s = current.starts_at.s + after->duration;
	current.updated_at = service->now;
	maintenance_set_next(&current);
	return maintenance_occurrences_put(service->db, after->id, &current, 1, service->arena,
					   service->error);
}

/* Changes the stored occurrences to the times of the changed window. */
static enum result move_occurrences(struct service *service, const struct changing *changing)
{
	const struct maintenance *before = &changing->before;
	struct maintenance *after = &changing->shown->maintenance;
	struct maintenance_occurrence_list stored = { &changing->shown->maintenance.current, 1 };
	struct maintenance_times times;
	enum result result = check_move(service, before, after);
	if (result != OK)
		return result;
	if (!after->rrule && before->current.status != MAINTENANCE_SCHEDULED)
		return correct_current(service, after);
	const struct instant from = { service->now.s + 1 };
	result = maintenance_find_times(service, after, from, &times);
	if (result == OK && before->rrule)
		result = maintenance_occurrences_ahead(service->db, after->id, service->now,
						       service->arena, &stored, service->error);
	if (result != OK)
		return result;
	if (times.starts.count == 0 &&
	    !maintenance_is_open((enum maintenance_status)before->current.status))
		refuse(service, "rrule",
		       "The rrule field must have an occurrence in the next 400 days.");
	if (service->violations->count > 0)
		return E_INVALID;
	struct maintenance_plan plan =
		maintenance_plan(after, stored.rows, stored.count, &times, service->arena);
	result = maintenance_occurrences_put(service->db, after->id, plan.rows, plan.count,
					     service->arena, service->error);
	if (result == OK && after->rrule)
		result = stretch_current(service, changing);
	if (after->rrule) {
		maintenance_set_over(after, &times);
		return result;
	}
	after->expanded_at = (struct instant){ 0 };
	after->current.starts_at = after->first_at;
	after->current.ends_at = after->ends_at;
	after->current.is_auto = after->auto_transition;
	maintenance_follow_current(after, service->arena);
	return result;
}

static enum result cancel_all(struct service *service, struct maintenance *maintenance)
{
	maintenance->over_at = service->now;
	maintenance->expanded_at = (struct instant){ 0 };
	maintenance_add_event(service, maintenance, EVENT_MAINTENANCE_CANCELLED,
			      maintenance->title);
	return maintenance_occurrences_cancel(service->db, maintenance->id, service->now,
					      service->error);
}

static bool is_word(const char *word, enum maintenance_status status)
{
	return str_eq(str_from(word), str_from(maintenance_status_words[status]));
}

/* Applies a status that was sent. Call it after the times were changed. */
static enum result move_status(struct service *service, const struct changing *changing,
			       bool has_moved)
{
	struct maintenance *after = &changing->shown->maintenance;
	const char *word = changing->input.status;
	if (!IS_SENT(changing->sent, status) || !word ||
	    violations_has(service->violations, "status"))
		return OK;
	if (after->rrule && is_word(word, MAINTENANCE_CANCELLED))
		return changing->before.over_at.s > service->now.s ? cancel_all(service, after)
								   : OK;
	/* After a change of the times, another occurrence may be the current one. */
	struct maintenance stored = *after;
	enum result result = OK;
	if (has_moved) {
		result = maintenance_find(service->db, 0, after->id, service->now, service->arena,
					  &stored, service->error);
		after->current = stored.current;
	}
	return result == OK ? maintenance_move_current(service, after, word, "status") : result;
}

static enum result change_monitors(struct service *service, const struct changing *changing)
{
	const struct maintenance *after = &changing->shown->maintenance;
	if (!IS_SENT(changing->sent, monitor_ids))
		return OK;
	enum result result =
		maintenance_check_monitors(service, after->account_id, &after->monitor_ids);
	return result == OK ? maintenance_put_monitors(service->db, after, false, service->arena,
						       service->error)
			    : result;
}

/* Applies the fields to shown->maintenance, which equals `before`. */
static enum result apply(struct service *service, const struct changing *changing)
{
	struct maintenance *after = &changing->shown->maintenance;
	const struct maintenance_change change = { changing->sent, service->now, service->arena,
						   service->violations };
	const struct field_set status = FIELD_SET(MAINTENANCE_FIELD_status);
	bool has_moved = maintenance_moves(changing->sent) ||
			 IS_SENT(changing->sent, auto_transition) ||
			 IS_SENT(changing->sent, remind_before);
	maintenance_merge(after, &changing->input, field_set_without(changing->sent, status));
	enum result result = maintenance_settle(after, &change);
	bool is_cancelled = !after->rrule &&
			    changing->before.current.status == MAINTENANCE_CANCELLED;
	/* A client may send back the times of a cancelled window as it read them. This is no
	 * change. */
	has_moved &= !is_cancelled || after->first_at.s != changing->before.first_at.s ||
		     after->ends_at.s != changing->before.ends_at.s;
	if (result == OK && has_moved)
		result = move_occurrences(service, changing);
	/* After E_INVALID go on, so that the client gets all violations at once; the transaction is
	 * rolled back. */
	if (result == OK || result == E_INVALID)
		result = change_monitors(service, changing);
	if (result == OK || result == E_INVALID)
		result = move_status(service, changing, has_moved);
	return result == OK && service->violations->count > 0 ? E_INVALID : result;
}

/* Whether the client has sent a field that clients may set. */
static bool changes_window(struct field_set sent)
{
	for (size_t i = 0; i < maintenance_update_fields.count; i++)
		if (field_set_has(sent, i) &&
		    !(maintenance_update_fields.rows[i].flags & FIELD_READ_ONLY))
			return true;
	return false;
}

static enum result update_work(struct service *service, void *context)
{
	struct changing *changing = context;
	struct maintenance *after = &changing->shown->maintenance;
	enum result result = maintenance_begin(service, changing->id, &changing->before);
	if (result == OK)
		result = service_admit(service, &changing->before);
	*after = changing->before;
	bool is_invalid = service->violations->count > 0;
	if (result == OK && (is_invalid || changes_window(changing->sent))) {
		after->updated_at = service->now;
		/* Also mark the months and the pages that the window had before the change, because
		 * the change may remove the window from them. */
		result = maintenance_mark(service, &changing->before, maintenance_always);
		if (result == OK)
			result = apply(service, changing);
		if (result == OK)
			result = maintenance_store(service->db, after, service->error);
		if (result == OK && !field_set_is_empty(field_set_without(
					    changing->sent, FIELD_SET(MAINTENANCE_FIELD_status))))
			maintenance_add_event(service, after, EVENT_MAINTENANCE_UPDATED,
					      after->title);
		if (result == OK)
			result = maintenance_mark(service, after, maintenance_always);
	}
	return result == OK
		       ? maintenance_read(service, after->account_id, changing->id, changing->shown)
		       : result;
}

enum result service_update_maintenance(struct service *service, int64_t id,
				       const struct maintenance_input *input, struct field_set sent,
				       struct maintenance_shown *shown)
{
	struct changing changing = { .id = id, .input = *input, .sent = sent, .shown = shown };
	maintenance_check(&changing.input, maintenance_update_fields, sent, service->arena,
			  service->violations);
	return service_transact(service, PERMISSION_RESPOND, update_work, &changing, shown);
}

/* Deleting and showing */

struct place {
	int64_t id;
	struct maintenance *maintenance;
};

static enum result delete_work(struct service *service, void *context)
{
	const struct place *place = context;
	struct maintenance *maintenance = place->maintenance;
	enum result result = maintenance_begin(service, place->id, maintenance);
	if (result == OK)
		result = service_admit(service, maintenance);
	if (result == OK)
		result = maintenance_occurrences_cancel(service->db, place->id, service->now,
							service->error);
	if (result == OK)
		result = maintenance_mark_deleted(service->db, place->id, service->now,
						  service->error);
	if (result != OK)
		return result;
	maintenance_add_event(service, maintenance, EVENT_MAINTENANCE_DELETED, maintenance->title);
	return maintenance_mark(service, maintenance, maintenance_always);
}

enum result service_delete_maintenance(struct service *service, int64_t id,
				       struct maintenance *maintenance)
{
	struct place place = { id, maintenance };
	return service_transact(service, PERMISSION_RESPOND, delete_work, &place, maintenance);
}

struct showing {
	int64_t id;
	struct maintenance_shown *shown;
};

static enum result show_work(struct service *service, void *context)
{
	const struct showing *showing = context;
	return maintenance_read(service, service->principal.account_id, showing->id,
				showing->shown);
}

enum result service_show_maintenance(struct service *service, int64_t id,
				     struct maintenance_shown *shown)
{
	struct showing showing = { id, shown };
	return service_read(service, show_work, &showing);
}
