/* Imports a file of incidents, batch by batch. */
#ifndef SERVICE_INCIDENT_INCIDENT_IMPORT_H
#define SERVICE_INCIDENT_INCIDENT_IMPORT_H

#include "service/service.h"
#include "store/incident/incident.h"
#include "store/incident/incident_import.h"

struct incident_batch {
	int64_t account_id;
	const struct incident *rows;
	size_t count;
	struct incident_import_file file; /* how far the file is imported with this batch */
};
/* Stores a whole batch, and how far the file has been imported; after a failure, neither.
 * E_INVALID: a monitor is not the account's. E_CONFLICT: a monitor would have two open
 * incidents. */
enum result service_import_incidents(struct service *service, const struct incident_batch *batch)
	MUST_USE;
/* Publishes all batches. Call it once after the last batch, even if a batch has failed. */
void service_publish_imported(struct service *service);

#endif
