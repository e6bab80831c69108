#include "service/maintenance/maintenance_changes.h"

#include <string.h>

#include "domain/page/uptime.h"

void maintenance_add_event(struct service *service, const struct maintenance *maintenance,
			   enum event_kind kind, const char *detail)
{
	service_add_event(service, &(struct event_change){
					   .kind = kind,
					   .account_id = maintenance->account_id,
					   .object_id = maintenance->id,
					   .detail = detail,
					   .starts_at = maintenance->current.starts_at,
					   .ends_at = maintenance->current.ends_at,
				   });
}

/* Appends the events of changes by the clock. Their actor is the system, not the principal who
 * changes the window now. */
static enum result append_clock_events(struct service *service,
				       const struct maintenance *maintenance,
				       const enum event_kind *kinds, size_t count)
{
	static const struct principal clock = { .type = PRINCIPAL_SYSTEM, .label = "" };
	const struct event_source source = { &clock, service->now, service->config->has_outbox };
	struct event_change changes[MAINTENANCE_CLOCK_EVENTS];
	for (size_t i = 0; i < count; i++)
		changes[i] = (struct event_change){ .kind = kinds[i],
						    .account_id = maintenance->account_id,
						    .object_id = maintenance->id,
						    .detail = maintenance->title,
						    .starts_at = maintenance->current.starts_at,
						    .ends_at = maintenance->current.ends_at };
	return event_append(service->db, &source, changes, count, service->error);
}

static enum result store_clock(struct service *service, struct maintenance *maintenance)
{
	enum event_kind kinds[MAINTENANCE_CLOCK_EVENTS];
	size_t count = maintenance_by_clock(&maintenance->current, service->now, kinds);
	if (count == 0)
		return OK;
	enum result result = maintenance_occurrences_put(service->db, maintenance->id,
							 &maintenance->current, 1, service->arena,
							 service->error);
	return result == OK ? append_clock_events(service, maintenance, kinds, count) : result;
}

enum result maintenance_begin(struct service *service, int64_t id, struct maintenance *maintenance)
{
	int64_t account_id = service->principal.account_id;
	enum result result = service_await_one(service, RUNNING_WRITES_MAINTENANCES, id);
	if (result == OK)
		result = maintenance_lock(service->db, account_id, id, service->error);
	if (result == OK)
		result = maintenance_find(service->db, account_id, id, service->now, service->arena,
					  maintenance, service->error);
	if (result == OK)
		result = store_clock(service, maintenance);
	return result;
}

static void check_overlaps(struct service *service, const struct maintenance_times *times)
{
	for (size_t i = 1; i < times->starts.count; i++)
		if (times->starts.starts[i].s - times->starts.starts[i - 1].s < times->length_s) {
			violations_add(service->violations, "duration",
				       "The duration field must not be greater than the time "
				       "between two occurrences.");
			return;
		}
}

static enum result find_recurring(struct service *service, const struct maintenance *maintenance,
				  struct instant from, struct maintenance_times *times)
{
	const struct recurrence recurrence = maintenance_recurrence(maintenance);
	const struct recurrence_range range = {
		.from = from,
		.until = { service->now.s + MAINTENANCE_EXPANDED_DAYS * (int64_t)DAY_S },
		.most = MAINTENANCE_OCCURRENCES_MAX,
	};
	const char *why = NULL;
	times->length_s = maintenance->duration;
	enum result result =
		recurrence_expand(&recurrence, &range, service->arena, &times->starts, &why);
	if (result == E_INVALID)
		violations_add(service->violations, "rrule", "The rrule field %s.", why);
	if (result == OK)
		check_overlaps(service, times);
	return result == OK && service->violations->count > 0 ? E_INVALID : result;
}

enum result maintenance_find_times(struct service *service, const struct maintenance *maintenance,
				   struct instant from, struct maintenance_times *times)
{
	*times = (struct maintenance_times){ .now = service->now };
	if (maintenance->rrule)
		return find_recurring(service, maintenance, from, times);
	times->starts.starts = ARENA_ARRAY(service->arena, 1, struct instant);
	times->starts.starts[0] = maintenance->first_at;
	times->starts.count = 1;
	times->length_s = maintenance->ends_at.s - maintenance->first_at.s;
	return OK;
}

void maintenance_set_over(struct maintenance *maintenance, const struct maintenance_times *times)
{
	const struct recurrence_times *starts = &times->starts;
	maintenance->expanded_at = times->now;
	maintenance->over_at = maintenance_never;
	if (!starts->is_last)
		return;
	const struct maintenance_occurrence *current = &maintenance->current;
	bool is_running = maintenance_is_open((enum maintenance_status)current->status);
	maintenance->over_at = is_running ? current->ends_at : times->now;
	if (starts->count > 0)
		maintenance->over_at.s = starts->starts[starts->count - 1].s + times->length_s;
}

enum result maintenance_mark(struct service *service, const struct maintenance *maintenance,
			     struct instant since)
{
	const struct id_list *ids = &maintenance->monitor_ids;
	for (size_t i = 0; i < ids->count; i++)
		service_mark_monitor(service, ids->ids[i], maintenance->account_id);
	if (ids->count == 0)
		return OK;
	enum result result =
		maintenance_touch_months(service->db, maintenance->id, since, service->error);
	if (result == OK)
		result = maintenance_touch_monitors(
			service->db, &(struct id_list){ (int64_t[]){ maintenance->id }, 1 },
			service->now, service->arena, service->error);
	return result == OK ? maintenance_mark_pages(service->db, maintenance->id, service->now,
						     service->error)
			    : result;
}

static enum maintenance_status status_of(const char *word)
{
	int status = 0;
	while (status < MAINTENANCE_CANCELLED &&
	       strcmp(maintenance_status_words[status], word) != 0)
		status++;
	return (enum maintenance_status)status;
}

/* For an occurrence that a person starts early: returns a cancelled row with the planned time.
 * Without this row the next expansion of the rule would plan this time again. */
static struct maintenance_occurrence vacated(const struct maintenance_occurrence *planned,
					     struct instant now)
{
	struct maintenance_occurrence row = *planned;
	row.id = 0;
	row.status = MAINTENANCE_CANCELLED;
	row.is_reminded = true;
	row.created_at = row.updated_at = now;
	maintenance_set_next(&row);
	return row;
}

enum result maintenance_move_current(struct service *service, struct maintenance *maintenance,
				     const char *word, const char *field)
{
	struct maintenance_occurrence *current = &maintenance->current, planned = *current;
	enum maintenance_status to = status_of(word);
	bool is_early = maintenance->rrule && to == MAINTENANCE_IN_PROGRESS &&
			maintenance_status_at(current, service->now) == MAINTENANCE_SCHEDULED;
	const char *why = NULL;
	bool was_so;
	if (!maintenance_move(current, to, service->now, &was_so, &why)) {
		violations_add(service->violations, field, "%s", why);
		return E_INVALID;
	}
	if (was_so)
		return OK;
	/*
	 * An occurrence that starts early keeps its duration, so it also ends early. Its planned
	 * end may be far ahead.
	 */
	if (is_early) {
		current->ends_at.s = current->starts_at.s + maintenance->duration;
		maintenance_set_next(current);
	}
	maintenance_add_event(service, maintenance, maintenance_event(to), maintenance->title);
	if (!maintenance->rrule)
		maintenance_follow_current(maintenance, service->arena);
	const struct maintenance_occurrence rows[] = { *current, vacated(&planned, service->now) };
	return maintenance_occurrences_put(service->db, maintenance->id, rows, is_early ? 2 : 1,
					   service->arena, service->error);
}

enum result maintenance_read(struct service *service, int64_t account_id, int64_t id,
			     struct maintenance_shown *shown)
{
	struct db *db = service->db;
	struct error *error = service->error;
	struct maintenance_update_list updates;
	struct maintenance_occurrence_list occurrences;
	enum result result = maintenance_find(db, account_id, id, service->now, service->arena,
					      &shown->maintenance, error);
	if (result == OK)
		result = maintenance_update_list(db, id, service->arena, &updates, error);
	if (result == OK)
		result = maintenance_occurrences_next(db, id, service->now, MAINTENANCE_SHOWN_MAX,
						      service->arena, &occurrences, error);
	const char *address = NULL;
	if (result == OK)
		result = maintenance_page_address(db, id, service->arena, &address, error);
	if (result != OK)
		return result;
	shown->occurrences = occurrences.rows;
	shown->occurrence_count = occurrences.count;
	for (size_t i = 0; i < occurrences.count; i++)
		shown->occurrences[i].status =
			maintenance_status_at(&shown->occurrences[i], service->now);
	shown->updates = ARENA_ARRAY(service->arena, updates.count, struct posted_update);
	shown->update_count = updates.count;
	for (size_t i = 0; i < updates.count; i++)
		shown->updates[i] = updates.rows[i].update;
	maintenance_set_urls(shown, address, service->base_url, service->arena);
	return OK;
}

enum result maintenance_check_monitors(struct service *service, int64_t account_id,
				       const struct id_list *ids)
{
	struct id_list unknown;
	enum result result = maintenance_unknown_monitors(service->db, account_id, ids,
							  service->arena, &unknown, service->error);
	if (result != OK || unknown.count == 0)
		return result;
	for (size_t i = 0, at = 0; i < ids->count && at < unknown.count; i++)
		if (ids->ids[i] == unknown.ids[at]) {
			const char *field = arena_printf(service->arena, "monitor_ids.%zu", i);
			violations_add(service->violations, field, "The selected %s is invalid.",
				       field);
			at++;
		}
	return E_INVALID;
}
