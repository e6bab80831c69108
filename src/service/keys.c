#include "service/keys.h"

#include "domain/key.h"

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

enum result service_create_key(struct service *service, struct api_key *key, const char **text)
{
	struct creating creating = { key, text };
	bool has_label = key->label && key->label[0] != '\0';
	key->label = has_label ? key_label(service->arena, key->label) : "";
	if (key->label)
		return service_transact(service, create_work, &creating, key);
	violations_add(service->violations, "label",
		       "The label field must have 1 to %d characters.", KEY_LABEL_MAX_CHARS);
	return E_INVALID;
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
