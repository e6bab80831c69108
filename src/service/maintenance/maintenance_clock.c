/* Changes maintenance windows by the clock, for the background loop. */
#include "domain/page/uptime.h"
#include "service/maintenance/maintenance_changes.h"

enum { SCRATCH_MAX_BYTES = 16 << 20 };

struct clocking {
	const struct config *config;
	struct instant now;
	struct id_list ids;
};

/* Returns the later of `newest` and the occurrence's last change: its end if it is completed,
 * otherwise its start. Ignores a change after `now`. */
static struct instant newest_move(const struct maintenance_occurrence *row, struct instant now,
				  struct instant newest)
{
	struct instant at = row->status == MAINTENANCE_COMPLETED ? row->ends_at : row->starts_at;
	return at.s <= now.s && at.s > newest.s ? at : newest;
}

static enum result move_due(struct db *db, void *context, struct error *error)
{
	static const struct principal clock = { .type = PRINCIPAL_SYSTEM, .label = "" };
	const struct clocking *clocking = context;
	const struct event_source source = { &clock, clocking->now, clocking->config->has_outbox };
	struct arena scratch CLEANUP(arena_done);
	struct maintenance_due_list due;
	struct instant newest = { 0 };
	size_t count = 0;
	arena_init(&scratch, SCRATCH_MAX_BYTES);
	enum result result =
		maintenance_lock_due(db, clocking->now, &clocking->ids, &scratch, &due, error);
	if (result != OK || due.count == 0)
		return result;
	struct maintenance_occurrence *rows =
		ARENA_ARRAY(&scratch, due.count, struct maintenance_occurrence);
	struct event_change *changes =
		ARENA_ARRAY(&scratch, due.count * MAINTENANCE_CLOCK_EVENTS, struct event_change);
	for (size_t i = 0; i < due.count; i++) {
		enum event_kind kinds[MAINTENANCE_CLOCK_EVENTS];
		rows[i] = due.rows[i].occurrence;
		size_t moves = maintenance_by_clock(&rows[i], clocking->now, kinds);
		newest = newest_move(&rows[i], clocking->now, newest);
		for (size_t j = 0; j < moves; j++)
			changes[count++] = (struct event_change){
				.kind = kinds[j],
				.account_id = due.rows[i].account_id,
				.object_id = rows[i].maintenance_id,
				.detail = due.rows[i].title,
				.starts_at = rows[i].starts_at,
				.ends_at = rows[i].ends_at,
			};
	}
	result = maintenance_occurrences_put(db, 0, rows, due.count, &scratch, error);
	/* Store `newest` in the monitors, for pages that no longer load the window. */
	if (result == OK && newest.s > 0)
		result = maintenance_touch_monitors(db, &clocking->ids, newest, &scratch, error);
	return result == OK ? event_append(db, &source, changes, count, error) : result;
}

enum result service_maintenance_clock(struct db *db, const struct config *config,
				      struct instant now, bool *is_more, struct error *error)
{
	struct clocking clocking = { .config = config, .now = now };
	struct arena arena CLEANUP(arena_done);
	arena_init(&arena, 1 << 20);
	/* Read without locks before the transaction, because most calls find nothing to do. */
	enum result result = maintenance_find_due(db, now, &arena, &clocking.ids, error);
	*is_more = clocking.ids.count == MAINTENANCE_DUE_MAX;
	return result == OK && clocking.ids.count > 0
		       ? db_transact(db, DB_WRITE, move_due, &clocking, error)
		       : result;
}

struct expanding {
	int64_t id;
};

/* Computes the occurrences of the next 400 days. Stores the new occurrences, and the occurrences
 * that a change of the time zone's rules has moved. */
static enum result expand_work(struct service *service, void *context)
{
	const struct expanding *expanding = context;
	const struct instant now = service->now, from = { now.s + 1 };
	struct maintenance maintenance;
	struct maintenance_times times;
	struct maintenance_occurrence_list stored;
	enum result result = maintenance_begin(service, expanding->id, &maintenance);
	if (result != OK)
		return result;
	result = maintenance_find_times(service, &maintenance, from, &times);
	if (result == OK)
		result = maintenance_occurrences_ahead(service->db, maintenance.id, now,
						       service->arena, &stored, service->error);
	if (result != OK)
		return result;
	struct maintenance_plan plan =
		maintenance_plan(&maintenance, stored.rows, stored.count, &times, service->arena);
	maintenance_set_over(&maintenance, &times);
	if (maintenance.over_at.s <= now.s)
		maintenance.expanded_at = (struct instant){ 0 };
	result = maintenance_occurrences_put(service->db, maintenance.id, plan.rows, plan.count,
					     service->arena, service->error);
	if (result == OK)
		result = maintenance_occurrences_forget(service->db, maintenance.id, now,
							service->error);
	if (result == OK)
		result = maintenance_set_expanded(service->db, &maintenance, plan.count > 0,
						  service->error);
	return result == OK && plan.count > 0 ? maintenance_mark(service, &maintenance, now)
					      : result;
}

/* For a window whose rule cannot be expanded: postpones the next attempt by a day. */
static enum result put_off(struct service *service, void *context)
{
	const struct expanding *expanding = context;
	struct maintenance maintenance;
	enum result result = maintenance_begin(service, expanding->id, &maintenance);
	maintenance.expanded_at = service->now;
	return result == OK
		       ? maintenance_set_expanded(service->db, &maintenance, false, service->error)
		       : result;
}

enum result service_maintenance_expand(struct service *service, bool *is_more)
{
	const struct instant before = { service->now.s - DAY_S };
	const struct instant kept = { service->now.s -
				      MAINTENANCE_CANCELLED_DAYS * (int64_t)DAY_S };
	struct expanding expanding;
	*is_more = false;
	enum result result =
		maintenance_next_expansion(service->db, before, &expanding.id, service->error);
	if (result == E_NOT_FOUND)
		return maintenance_purge(service->db, kept, is_more, service->error);
	if (result == OK)
		result = service_transact(service, PERMISSION_RESPOND, expand_work, &expanding,
					  NULL);
	if (result == E_INVALID) {
		service->violations->count = 0;
		result = service_transact(service, PERMISSION_RESPOND, put_off, &expanding, NULL);
	}
	*is_more = result == OK;
	return result;
}
