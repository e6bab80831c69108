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
	struct incident_import_file file; /* lines_done includes this batch */
};
/* Stores the batch, and how many lines of the file are done. After a failure, nothing is stored.
 * E_INVALID: the account does not have a monitor of the batch. E_CONFLICT: a monitor would have two
 * open incidents. */
enum result service_import_incidents(struct service *service, const struct incident_batch *batch)
	MUST_USE;
/* Publishes the pages that the batches have changed. Call it once after the last batch, even if a
 * batch has failed. */
void service_publish_imported(struct service *service);

#endif
