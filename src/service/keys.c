#include "service/keys.h"

static void add_event(struct service *service, const struct api_key *key, enum event_kind kind)
{
	service_add_event(service, &(struct event_change){
					   .kind = kind,
					   .account_id = key->account_id,
					   .object_id = key->id,
					   .detail = key->label,
				   });
}

struct creating {
	struct api_key *key;
	const char **text;
};

static enum result create_work(struct service *service, void *context)
{
	const struct creating *creating = context;
	struct api_key *key = creating->key;
	key->created_at = service->now;
	enum result result =
		api_key_create(service->db, key, creating->text, service->arena, service->error);
	if (result == OK)
		add_event(service, key, EVENT_KEY_CREATED);
	return result;
}

enum result service_create_key(struct service *service, int64_t account_id,
			       const struct key_input *input, struct api_key *key,
			       const char **text)
{
	struct creating creating = { key, text };
	struct key_input checked = *input;
	key_check(&checked, service->arena, service->violations);
	if (service->violations->count > 0)
		return E_INVALID;
	*key = (struct api_key){ .account_id = account_id };
	key_merge(key, &checked, UINT64_MAX);
	return service_transact(service, create_work, &creating, key);
}

static enum result revoke_work(struct service *service, void *context)
{
	struct api_key *key = context;
	int64_t id = key->id;
	enum result result = api_key_lock(service->db, service->principal.account_id, id,
					  service->arena, key, service->error);
	if (result != OK || key->revoked_at.s > 0)
		return result;
	result = api_key_revoke(service->db, id, service->now, service->error);
	if (result == OK)
		add_event(service, key, EVENT_KEY_REVOKED);
	return result;
}

enum result service_revoke_key(struct service *service, int64_t id)
{
	struct api_key key = { .id = id };
	return service_transact(service, revoke_work, &key, &key);
}
