#include "service/keys.h"

#include "store/account/usage.h"
#include "store/page/publication.h"

static void add_event(struct service *service, const struct api_key *key, enum event_kind kind)
{
	service_add_event(service, &(struct event_change){
					   .kind = kind,
					   .account_id = key->account_id,
					   .object_id = key->id,
					   .detail = key->label,
				   });
}

/* With the lock on the account's keys: a maker that is being revoked with its keys is invalid. */
static enum result bound_by_maker(struct service *service, struct api_key *key)
{
	struct api_key maker;
	const struct principal *principal = &service->principal;
	enum result result = api_key_show(service->db, principal->account_id, principal->id,
					  service->arena, &maker, service->error);
	if (result == E_NOT_FOUND || (result == OK && !api_key_is_valid(&maker, service->now)))
		return E_UNAUTHENTICATED;
	if (result == OK)
		key_bound(key, &maker, service->violations);
	return result;
}

/* The access records of pages name each key: see page_access_may_be_key(). */
static enum result mark_pages(struct service *service, void *context)
{
	const struct api_key *key = context;
	return publication_mark_access_dirty(service->db, key->account_id, 0, service->now,
					     service->error);
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
	if (result == OK && service->principal.type == PRINCIPAL_KEY)
		result = bound_by_maker(service, key);
	if (result == OK && service->violations->count > 0)
		result = E_INVALID;
	if (result == OK)
		result = api_key_create(service->db, key, &created->text, service->arena,
					service->error);
	if (result != OK)
		return result;
	add_event(service, key, EVENT_KEY_CREATED);
	service_mark_account(service, key->account_id);
	return service_write_last(service, mark_pages, key);
}

enum result service_create_key(struct service *service, int64_t account_id,
			       const struct key_input *input, struct field_set sent,
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
	key_merge(&outcome->key, &checked, FIELD_SET_ALL);
	return service_transact(service, PERMISSION_MANAGE, create_work, outcome, outcome);
}

/* Adds the keys to those that are revoked, each with its event. */
static enum result revoke_made(struct service *service, struct key_revocation *revocation,
			       struct id_list *ids)
{
	struct api_key_list made;
	enum result result = api_key_find_made(service->db, &revocation->key, service->now,
					       service->arena, &made, service->error);
	if (result != OK)
		return result;
	int64_t own = ids->count > 0 ? ids->ids[0] : 0;
	ids->ids = ARENA_ARRAY(service->arena, made.count + 1, int64_t);
	ids->ids[0] = own;
	for (size_t i = 0; i < made.count; i++) {
		ids->ids[ids->count++] = made.rows[i].id;
		add_event(service, &made.rows[i], EVENT_KEY_REVOKED);
	}
	revocation->made_count = (int64_t)made.count;
	return OK;
}

static enum result revoke_work(struct service *service, void *context)
{
	struct key_revocation *revocation = context;
	struct api_key *key = &revocation->key;
	struct id_list ids = { &revocation->id, 0 };
	const int64_t account_id = service->principal.account_id;
	enum result result = OK;
	/* No key that would not be found may be made meanwhile. */
	if (revocation->with_made)
		result = usage_lock_keys(service->db, key->account_id, service->error);
	if (result == OK)
		result = api_key_lock(service->db, account_id, revocation->id, service->arena, key,
				      service->error);
	if (result == OK)
		result = service_admit(service, revocation);
	if (result == OK && key->revoked_at.s == 0) {
		ids.count = 1;
		add_event(service, key, EVENT_KEY_REVOKED);
	}
	if (result == OK && revocation->with_made)
		result = revoke_made(service, revocation, &ids);
	if (result != OK || ids.count == 0)
		return result;
	return api_key_revoke(service->db, &ids, service->now, service->arena, service->error);
}

enum result service_revoke_key(struct service *service, int64_t id, bool with_made,
			       struct key_revocation *revocation)
{
	const int64_t account_id = service->principal.account_id;
	*revocation = (struct key_revocation){ .id = id, .with_made = with_made };
	revocation->key.account_id = account_id;
	/* Before the transaction, whose first read must come after its lock. */
	if (with_made && account_id == 0) {
		enum result result = api_key_show(service->db, 0, id, service->arena,
						  &revocation->key, service->error);
		if (result != OK)
			return result;
	}
	return service_transact(service, PERMISSION_MANAGE, revoke_work, revocation, revocation);
}
