/* The matters that need the attention of a person of the principal's account. */
#ifndef SERVICE_ATTENTION_H
#define SERVICE_ATTENTION_H

#include "service/service.h"
#include "domain/incident/incident.h"
#include "domain/notify/subscriber.h"
#include "store/account/attention.h"

/* Reads the matters that need attention, and who has acknowledged each incident of `incidents`. See
 * attention_read(). E_FORBIDDEN. */
enum result service_read_attention(struct service *service, const struct id_list *incidents,
				   struct attention *attention) MUST_USE;

/* Counts the receivers of an update of the incident. NULL: counts the receivers of a new incident,
 * whose systems are not known yet. E_FORBIDDEN. */
enum result service_read_audience(struct service *service, const struct incident *incident,
				  struct audience *audience) MUST_USE;

#endif
