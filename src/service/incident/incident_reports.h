/*
 * The operations of people on incidents (contract section 6.1): reports and updates. The rules of
 * service/incident/incidents.h apply.
 */
#ifndef SERVICE_INCIDENT_INCIDENT_REPORTS_H
#define SERVICE_INCIDENT_INCIDENT_REPORTS_H

#include "domain/incident/incident_report.h"
#include "service/service.h"

/* Reports an incident. E_INVALID; E_QUOTA_EXCEEDED. The response renders the incident, with its
 * first update if there is one. */
enum result service_report_incident(struct service *service, const struct incident_report *report,
				    struct field_set sent, struct incident_resource *outcome)
	MUST_USE;

/* An update with its incident: the outcome of the operations below. The update must be the first
 * member, because callers render the posting as an update. */
struct incident_posting {
	struct posted_update update;
	struct incident incident;
};

/* Posts an update. E_NOT_FOUND: there is no such incident. Calls service_admit() with the posting,
 * before posting->update is set. */
enum result service_post_update(struct service *service, int64_t incident_id,
				const struct incident_post *post, struct field_set sent,
				struct incident_posting *posting) MUST_USE;
/* Changes an update. E_NOT_FOUND: there is no such incident, or it has no such update. */
enum result service_edit_update(struct service *service, int64_t incident_id, int64_t id,
				const struct incident_edit *edit, struct field_set sent,
				struct incident_posting *posting) MUST_USE;
/* Removes the update; the incident keeps its phase. */
enum result service_withdraw_update(struct service *service, int64_t incident_id, int64_t id,
				    struct incident_posting *posting) MUST_USE;
enum result service_find_update(struct service *service, int64_t incident_id, int64_t id,
				struct incident_posting *posting) MUST_USE;

/* The functions below are for the other operations on incidents. */
/* Sets the incident's comment to the body of the newest update that is left. */
enum result incident_take_comment(struct service *service, struct incident *incident) MUST_USE;
/* Returns `result`, the result of incident_update_insert(). If the incident has too many updates,
 * instead adds a violation at `field`, and returns E_INVALID. */
enum result incident_updates_full(struct service *service, enum result result, const char *field)
	MUST_USE;

#endif
