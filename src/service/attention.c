#include "service/attention.h"

enum result service_read_attention(struct service *service, struct attention *attention)
{
	if (!principal_may(&service->principal, PERMISSION_READ))
		return E_FORBIDDEN;
	return attention_read(service->db, service->principal.account_id, service->now, attention,
			      service->error);
}

enum result service_read_acknowledgers(struct service *service, const struct id_list *incidents,
				       struct db_list *list)
{
	*list = (struct db_list){ 0 };
	if (!principal_may(&service->principal, PERMISSION_READ))
		return E_FORBIDDEN;
	if (incidents->count == 0)
		return OK;
	return acknowledgers_read(service->db, service->principal.account_id, incidents,
				  service->arena, list, service->error);
}
