#include "service/incident/alert_changes.h"

struct alert_changes alert_changes_of(struct service *service, struct alert_batch *batch)
{
	return (struct alert_changes){
		.service = service,
		.batch = batch,
		.statements = { .db = batch->db,
				.account_id = batch->account_id,
				.now = service->now,
				.row = batch->row,
				.error = batch->error },
	};
}

static void append_row(struct alert_changes *changes, struct alert_change_list *list,
		       const struct batch_incident *row)
{
	list->rows = arena_grow(changes->batch->arena, list->rows, list->count, &list->room,
				sizeof(*list->rows));
	list->rows[list->count++] = *row;
}

static void note_start(struct alert_monitor *monitor, struct instant at)
{
	if (monitor->changed_since.s == 0 || at.s < monitor->changed_since.s)
		monitor->changed_since = at;
}

size_t alert_changes_add(struct alert_changes *changes, struct alert_monitor *monitor,
			 const struct observation *observation)
{
	const struct incident incident = observation_incident(observation);
	note_start(monitor, incident.started_at);
	append_row(changes, &changes->added,
		   &(struct batch_incident){
			   .monitor_id = incident.monitor_id,
			   .title = incident.title,
			   .cause = incident.cause,
			   .started_at = incident.started_at,
			   .ended_at = incident.ended_at,
			   .former_start = incident.started_at,
			   .former_status = BATCH_NO_STATUS,
			   .status = incident_status(&incident),
			   .impact = incident.impact,
		   });
	return changes->added.count;
}

void alert_changes_worsen(struct alert_changes *changes, size_t place, int impact)
{
	struct batch_incident *added = &changes->added.rows[place - 1];
	if (impact > added->impact)
		added->impact = impact;
}

size_t alert_changes_move(struct alert_changes *changes, const struct incident *before,
			  const struct incident *after)
{
	struct alert_monitor *monitor = alert_batch_monitor(changes->batch, after->monitor_id);
	if (monitor)
		note_start(monitor, after->started_at);
	append_row(changes, &changes->moved,
		   &(struct batch_incident){
			   .id = after->id,
			   .monitor_id = after->monitor_id,
			   .started_at = after->started_at,
			   .ended_at = after->ended_at,
			   .former_start = before->started_at,
			   .former_status = incident_status(before),
			   .status = incident_status(after),
			   .impact = after->impact,
		   });
	return changes->moved.count;
}

static enum event_kind kind_of(const struct batch_incident *row)
{
	if (row->former_status == BATCH_NO_STATUS)
		return row->ended_at.s > 0 ? EVENT_INCIDENT_RECORDED : EVENT_INCIDENT_OPENED;
	if (row->former_status != row->status)
		return EVENT_INCIDENT_RESOLVED;
	return row->former_start.s == row->started_at.s ? EVENT_INCIDENT_UPDATED
							: EVENT_INCIDENT_BACKDATED;
}

static void add_events(struct alert_changes *changes, const struct alert_change_list *list)
{
	for (size_t i = list->stored; i < list->count; i++)
		service_add_event(changes->service,
				  &(struct event_change){
					  .kind = kind_of(&list->rows[i]),
					  .account_id = changes->batch->account_id,
					  .object_id = list->rows[i].id,
					  .monitor_id = list->rows[i].monitor_id,
					  .detail = list->rows[i].cause,
				  });
}

/* Gives the sources, and the alerts that have them, the ids of incidents that were added. */
static void settle_ids(struct alert_changes *changes)
{
	struct alert_batch *batch = changes->batch;
	const struct batch_incident *rows = changes->added.rows;
	for (size_t i = 0; i < batch->monitor_count; i++) {
		struct alert_monitor *monitor = &batch->monitors[i];
		if (monitor->opened > 0) {
			monitor->open_id = rows[monitor->opened - 1].id;
			monitor->open_since = rows[monitor->opened - 1].started_at;
		}
		monitor->opened = 0;
	}
	for (size_t i = 0; i < batch->source_count; i++)
		if (batch->sources[i].added > 0)
			batch->sources[i].incident_id = rows[batch->sources[i].added - 1].id;
	for (size_t i = 0; i < batch->count; i++)
		if (batch->entries[i].source->added > 0)
			batch->entries[i].alert->observed.incident_id =
				batch->entries[i].source->incident_id;
	for (size_t i = 0; i < batch->source_count; i++)
		batch->sources[i].added = 0;
}

enum result alert_changes_store(struct alert_changes *changes)
{
	const struct incident_batch *batch = &changes->statements;
	struct alert_change_list *added = &changes->added, *moved = &changes->moved;
	enum result result = OK;
	if (added->count > added->stored)
		result = incident_batch_insert(batch, added->rows + added->stored,
					       added->count - added->stored);
	if (result == OK && moved->count > moved->stored)
		result = incident_batch_move(batch, moved->rows + moved->stored,
					     moved->count - moved->stored);
	if (result != OK)
		return result;
	add_events(changes, added);
	add_events(changes, moved);
	added->stored = added->count;
	moved->stored = moved->count;
	settle_ids(changes);
	return OK;
}

/* The monitors whose incidents have changed. */
struct marking {
	struct incident_batch batch;
	struct batch_monitor *monitors;
	size_t count;
};

static void note_monitors(const struct alert_batch *batch, struct marking *marking)
{
	marking->monitors = ARENA_ARRAY(batch->arena, batch->monitor_count, struct batch_monitor);
	for (size_t i = 0; i < batch->monitor_count; i++) {
		const struct alert_monitor *monitor = &batch->monitors[i];
		struct instant since = monitor->changed_since;
		if (since.s == 0)
			continue;
		bool is_known = monitor->known_since.s > 0 && monitor->known_since.s <= since.s;
		marking->monitors[marking->count++] = (struct batch_monitor){
			.id = monitor->id,
			.known_since = is_known ? (struct instant){ 0 } : since,
			.is_on_no_page = monitor->is_on_no_page,
		};
	}
}

static enum result mark_work(struct service *service, void *context)
{
	struct marking *marking = context;
	struct arena row CLEANUP(arena_done);
	arena_init(&row, service->arena->cap_bytes);
	marking->batch.row = &row;
	return incident_batch_mark_pages(&marking->batch, marking->monitors, marking->count);
}

enum result alert_changes_finish(struct alert_changes *changes)
{
	const struct incident_batch *batch = &changes->statements;
	const struct alert_change_list *const lists[] = { &changes->added, &changes->moved };
	enum result result = OK;
	for (size_t i = 0; result == OK && i < ARRAY_LEN(lists); i++) {
		result = incident_batch_count(batch, lists[i]->rows, lists[i]->count);
		if (result == OK)
			result =
				incident_batch_touch_months(batch, lists[i]->rows, lists[i]->count);
	}
	if (result != OK || changes->added.count + changes->moved.count == 0)
		return result;
	struct marking *marking = ARENA_NEW(changes->batch->arena, struct marking);
	marking->batch = *batch;
	note_monitors(changes->batch, marking);
	return service_write_last(changes->service, mark_work, marking);
}
