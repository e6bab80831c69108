#include "service/attention.h"

enum result service_read_attention(struct service *service, const struct id_list *incidents,
				   struct attention *attention)
{
	const struct attention_query query = { service->principal.account_id, *incidents,
					       service->now };
	if (!principal_may(&service->principal, PERMISSION_READ))
		return E_FORBIDDEN;
	return attention_read(service->db, &query, service->arena, attention, service->error);
}
