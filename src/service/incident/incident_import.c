#include "service/incident/incident_import.h"

#include "service/incident/incident_changes.h"
#include "store/incident/incident_update.h"
#include "store/monitor/monitor.h"

/* Copies the rows of the batch, because the changes write into them. Imported incidents count as
 * major outages that monitoring has detected. */
static struct incident *copy_rows(struct service *service, const struct incident_batch *batch)
{
	struct incident *rows = ARENA_ARRAY(service->arena, batch->count, struct incident);
	for (size_t i = 0; i < batch->count; i++) {
		rows[i] = batch->rows[i];
		rows[i].account_id = batch->account_id;
		rows[i].kind = INCIDENT_DETECTED;
		rows[i].impact = INCIDENT_MAJOR_OUTAGE;
	}
	return rows;
}

static enum result lock_monitors(struct service *service, const struct incident_batch *batch,
				 const struct incident *rows)
{
	struct id_list ids = { ARENA_ARRAY(service->arena, batch->count, int64_t), batch->count };
	for (size_t i = 0; i < batch->count; i++)
		ids.ids[i] = rows[i].monitor_id;
	id_list_settle(&ids);
	enum result result =
		monitors_lock(service->db, batch->account_id, &ids, service->arena, service->error);
	return result == E_NOT_FOUND
		       ? error_client(service->error, E_INVALID,
				      "a line names a monitor that the account does not have")
		       : result;
}

/* Adds an update for each incident with a comment. */
static enum result add_updates(struct service *service, const struct incident_batch *batch,
			       const struct incident *rows)
{
	struct id_list ids = { ARENA_ARRAY(service->arena, batch->count, int64_t), 0 };
	for (size_t i = 0; i < batch->count; i++)
		if (rows[i].comment)
			ids.ids[ids.count++] = rows[i].id;
	return incident_updates_of_comments(service->db, &ids, service->arena, service->error);
}

static enum result import_work(struct service *service, void *context)
{
	const struct incident_batch *batch = context;
	struct incident *rows = copy_rows(service, batch);
	enum result result = lock_monitors(service, batch, rows);
	for (size_t i = 0; result == OK && i < batch->count; i++)
		result = incident_changes_put(
			service, &(struct incident_change){
					 .after = &rows[i],
					 .why = { { EVENT_INCIDENT_IMPORTED, rows[i].cause } } });
	if (result == OK)
		result = incident_changes_store(service);
	if (result == OK)
		result = add_updates(service, batch, rows);
	return result == OK ? incident_import_note(service->db, batch->account_id, &batch->file,
						   service->now, service->error)
			    : result;
}

enum result service_import_incidents(struct service *service, const struct incident_batch *batch)
{
	struct incident_batch own = *batch;
	service_hold_publishing(service);
	return service_transact(service, PERMISSION_EDIT, import_work, &own, batch);
}

void service_publish_imported(struct service *service)
{
	service_publish_held(service);
}
