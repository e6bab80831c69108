#include "service/keys.h"

#include "store/usage.h"

static void add_event(struct service *service, const struct api_key *key, enum event_kind kind)
{
	service_add_event(service, &(struct event_change){
					   .kind = kind,
					   .account_id = key->account_id,
					   .object_id = key->id,
					   .detail = key->label,
				   });
}

static enum result create_work(struct service *service, void *context)
{
	struct created_key *created = context;
	struct api_key *key = &created->key;
	bool is_limited = service->principal.account_id > 0;
	enum result result = service->violations->count > 0 ? E_INVALID : OK;
	if (result == OK)
		result = usage_check_keys(service->db, key->account_id,
					  is_limited ? KEYS_VALID_MAX : 0, service->now,
					  service->error);
	if (result == E_QUOTA_EXCEEDED)
		violations_add(service->violations, "keys", "%s", service->error->client);
	if (result == OK)
		result = api_key_create(service->db, key, &created->text, service->arena,
					service->error);
	if (result == OK)
		add_event(service, key, EVENT_KEY_CREATED);
	return result;
}

enum result service_create_key(struct service *service, int64_t account_id,
			       const struct key_input *input, uint64_t sent,
			       struct created_key *outcome)
{
	struct key_input checked = *input;
	key_check(&checked, sent, service->now, service->arena, service->violations);
	enum result result = service_admit(service, NULL);
	if (result != OK)
		return result;
	*outcome = (struct created_key){
		.key = { .account_id = account_id, .created_at = service->now },
	};
	key_merge(&outcome->key, &checked, UINT64_MAX);
	return service_transact(service, create_work, outcome, outcome);
}

static enum result revoke_work(struct service *service, void *context)
{
	struct api_key *key = context;
	int64_t id = key->id;
	enum result result = api_key_lock(service->db, service->principal.account_id, id,
					  service->arena, key, service->error);
	if (result == OK)
		result = service_admit(service, key);
	if (result != OK || key->revoked_at.s > 0)
		return result;
	result = api_key_revoke(service->db, id, service->now, service->error);
	if (result == OK)
		add_event(service, key, EVENT_KEY_REVOKED);
	return result;
}

enum result service_revoke_key(struct service *service, int64_t id, struct api_key *key)
{
	*key = (struct api_key){ .id = id };
	return service_transact(service, revoke_work, key, key);
}
