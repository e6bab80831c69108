#include "service/incident/incident_import.h"

#include "store/incident/incident.h"

static enum result import_work(struct service *service, void *context)
{
	const struct incident_batch *batch = context;
	const struct event_source source = { &service->principal, service->now };
	service_mark_account(service, batch->account_id);
	enum result result = incident_import(service->db, batch->account_id, batch->rows,
					     batch->count, &source, service->error);
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
