#include "service/attention.h"

#include "store/notify/notice.h"

/* Sets which kinds of messages this installation sends at all. */
static void set_senders(const struct service *service, struct audience *audience)
{
	audience->sends_messages = service->config->has_outbox;
	audience->sends_mail = service->config->mail_server != NULL;
}

enum result service_read_attention(struct service *service, const struct id_list *incidents,
				   struct attention *attention)
{
	const struct attention_query query = { service->principal.account_id, *incidents,
					       service->now };
	if (!principal_may(&service->principal, PERMISSION_READ))
		return E_FORBIDDEN;
	enum result result =
		attention_read(service->db, &query, service->arena, attention, service->error);
	attention->audience.is_bound = true;
	set_senders(service, &attention->audience);
	return result;
}

enum result service_read_audience(struct service *service, const struct incident *incident,
				  struct audience *audience)
{
	struct audience_query query = { .account_id = service->principal.account_id,
					.now = service->now };
	struct notice_scope scope;
	*audience = (struct audience){ .is_bound = !incident };
	set_senders(service, audience);
	if (!principal_may(&service->principal, PERMISSION_READ))
		return E_FORBIDDEN;
	if (incident) {
		struct incident whole = *incident;
		incident_list_ids(&whole, service->arena);
		scope = (struct notice_scope){ whole.monitor_ids, whole.page_ids };
		query.incident_id = whole.id;
		query.scope = &scope;
	}
	return notice_audience(service->db, &query, service->arena, audience, service->error);
}
