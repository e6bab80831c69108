/* What a person of the principal's account has to look at. */
#ifndef SERVICE_ATTENTION_H
#define SERVICE_ATTENTION_H

#include "service/service.h"
#include "store/account/attention.h"

/* With the acknowledgers of these incidents: see attention_read(). E_FORBIDDEN. */
enum result service_read_attention(struct service *service, const struct id_list *incidents,
				   struct attention *attention) MUST_USE;

#endif
