/* The operations on templates of incidents (contract section 15). */
#ifndef SERVICE_INCIDENT_INCIDENT_TEMPLATES_H
#define SERVICE_INCIDENT_INCIDENT_TEMPLATES_H

#include "service/service.h"
#include "store/incident/incident_template.h"

/*
 * Adds a template (id 0) or changes a template. *row is the stored template. E_INVALID;
 * E_NOT_FOUND. E_CONFLICT, with a violation: another template has the name. E_QUOTA_EXCEEDED, with
 * a violation.
 */
enum result service_save_incident_template(struct service *service, int64_t id,
					   const struct incident_template_input *input,
					   struct field_set sent, struct incident_template *row)
	MUST_USE;
/* Reads the value of the placeholder {cause}: see incident_template_cause(). E_FORBIDDEN. */
enum result service_template_cause(struct service *service, const struct id_list *monitor_ids,
				   const char **cause) MUST_USE;
/* Deletes a template. Incidents keep the values that they got from the template. E_NOT_FOUND. */
enum result service_delete_incident_template(struct service *service, int64_t id,
					     struct incident_template *row) MUST_USE;

#endif
