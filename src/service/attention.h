/* What a person of the principal's account has to look at. */
#ifndef SERVICE_ATTENTION_H
#define SERVICE_ATTENTION_H

#include "service/service.h"
#include "store/account/attention.h"

/* E_FORBIDDEN. */
enum result service_read_attention(struct service *service, struct attention *attention) MUST_USE;
/* Sets the list of struct acknowledger; without incidents no statement is run. E_FORBIDDEN. */
enum result service_read_acknowledgers(struct service *service, const struct id_list *incidents,
				       struct db_list *list) MUST_USE;

#endif
