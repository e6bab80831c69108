#include "service/keys.h"

#include "store/account/usage.h"
#include "store/page/publication.h"

static void add_event(struct service *service, const struct api_key *key, enum event_kind kind,
		      const char *detail)
{
	service_add_event(service, &(struct event_change){
					   .kind = kind,
					   .account_id = key->account_id,
					   .object_id = key->id,
					   .detail = detail,
				   });
}

/* Adds the event EVENT_KEY_UPDATED of `key`. Its detail has the values of changed fields in
 * `after`. */
static void add_update_event(struct service *service, const struct api_key *key,
			     const struct api_key *after, struct field_set changed)
{
	char end[INSTANT_TEXT_SIZE] = "never";
	const char *detail = key->label;
	if (field_set_has(changed, KEY_FIELD_expires_at)) {
		if (after->expires_at.s > 0)
			instant_format(after->expires_at, end);
		detail = arena_printf(service->arena, "%s; expires at: %s", detail, end);
	}
	if (field_set_has(changed, KEY_FIELD_is_read_only))
		detail = arena_printf(service->arena, "%s; read-only", detail);
	add_event(service, key, EVENT_KEY_UPDATED, detail);
}

/* Reads the key that the client has sent to authenticate the request. The caller has locked the
 * account's keys. E_UNAUTHENTICATED: the key is no longer valid. E_FORBIDDEN: the key has become
 * read-only. */
static enum result read_asking(struct service *service, struct api_key *asking)
{
	const struct principal *principal = &service->principal;
	enum result result = api_key_show(service->db, principal->account_id, principal->id,
					  service->arena, asking, service->error);
	bool is_invalid = result == OK && !api_key_is_valid(asking, service->now);
	if (is_invalid || result == E_NOT_FOUND)
		return E_UNAUTHENTICATED;
	return result == OK && asking->is_read_only ? E_FORBIDDEN : result;
}

static enum result bound_by_maker(struct service *service, struct api_key *key)
{
	struct api_key maker;
	enum result result = read_asking(service, &maker);
	if (result == OK)
		key_bound(key, &maker, service->violations);
	return result;
}

/* Finds the account of a key. Call it before the transaction begins, because the first statement of
 * the transaction must lock rows. */
static enum result find_account(struct service *service, int64_t id, int64_t *account_id)
{
	struct api_key key = { .account_id = service->principal.account_id };
	enum result result = key.account_id > 0 ? OK
						: api_key_show(service->db, 0, id, service->arena,
							       &key, service->error);
	*account_id = key.account_id;
	return result;
}

/*
 * Marks the account's pages as changed, because their access records on the disk name each key: see
 * page_access_may_be_key().
 */
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
	add_event(service, key, EVENT_KEY_CREATED, key->label);
	service_mark_account(service, key->account_id);
	return service_write_last(service, mark_pages, key);
}

enum result service_create_key(struct service *service, int64_t account_id,
			       const struct key_input *input, struct field_set sent,
			       struct created_key *outcome)
{
	struct key_input checked = *input;
	key_check(&checked, key_create_fields, sent, service->now, service->arena,
		  service->violations);
	enum result result = service_admit(service, NULL);
	if (result != OK)
		return result;
	*outcome = (struct created_key){
		.key = { .account_id = account_id, .created_at = service->now },
	};
	key_merge(&outcome->key, &checked, FIELD_SET_ALL);
	return service_transact(service, PERMISSION_MANAGE, create_work, outcome, outcome);
}

/* A change of an existing key. */
struct updating {
	int64_t id;
	int64_t account_id;
	struct key_input input;
	struct field_set sent;
	struct api_key *key;
};

/* Sets *bound to the latest time at which the key may expire. No key expires later than the key
 * that made it, or than the key of the request. */
static enum result find_bound(struct service *service, const struct api_key *key,
			      struct instant *bound)
{
	struct api_key asking = { 0 }, maker = { 0 };
	enum result result =
		service->principal.type == PRINCIPAL_KEY ? read_asking(service, &asking) : OK;
	if (result == OK && key->made_by_id > 0)
		result = api_key_show(service->db, key->account_id, key->made_by_id, service->arena,
				      &maker, service->error);
	*bound = key_earlier_end(asking.expires_at, maker.expires_at);
	return result == E_NOT_FOUND ? OK : result;
}

/* Shortens the keys that the key has made, so that they expire no later than the key itself. */
static enum result shorten_made(struct service *service, const struct api_key *key)
{
	struct api_key_list made = { 0 };
	if (key->expires_at.s == 0)
		return OK;
	enum result result = api_key_find_made(service->db, key, service->now, service->arena,
					       &made, service->error);
	size_t kept = 0;
	for (size_t i = 0; result == OK && i < made.count; i++)
		if (made.rows[i].expires_at.s == 0 || made.rows[i].expires_at.s > key->expires_at.s)
			made.rows[kept++] = made.rows[i];
	made.count = kept;
	for (size_t i = 0; i < made.count; i++)
		add_update_event(service, &made.rows[i], key, FIELD_SET(KEY_FIELD_expires_at));
	return result == OK ? api_key_shorten(service->db, &made, key->expires_at, service->arena,
					      service->error)
			    : result;
}

static enum result update_work(struct service *service, void *context)
{
	struct updating *updating = context;
	struct api_key before, *after = updating->key;
	struct instant bound = { 0 };
	/* Lock the account's keys, so that the key cannot make another key at the same time, which
	 * this change would not shorten. */
	enum result result = usage_lock_keys(service->db, updating->account_id, service->error);
	if (result == OK)
		result = api_key_lock(service->db, updating->account_id, updating->id,
				      service->arena, after, service->error);
	if (result == OK && after->revoked_at.s > 0)
		result = E_NOT_FOUND;
	if (result == OK)
		result = service_admit(service, after);
	if (result == OK)
		result = find_bound(service, after, &bound);
	if (result != OK)
		return result;
	before = *after;
	key_merge(after, &updating->input, updating->sent);
	key_check_change(&before, after, bound, service->now, service->violations);
	if (service->violations->count > 0)
		return E_INVALID;
	const struct field_set changed = fields_differing(key_update_fields, updating->sent,
							  key_resource_fields, &before, after);
	if (field_set_is_empty(changed))
		return OK;
	add_update_event(service, after, after, changed);
	result = api_key_update(service->db, after, service->error);
	return result == OK && field_set_has(changed, KEY_FIELD_expires_at)
		       ? shorten_made(service, after)
		       : result;
}

enum result service_update_key(struct service *service, int64_t id, const struct key_input *input,
			       struct field_set sent, struct api_key *key)
{
	struct updating updating = { id, 0, *input, sent, key };
	key_check(&updating.input, key_update_fields, sent, service->now, service->arena,
		  service->violations);
	enum result result = find_account(service, id, &updating.account_id);
	return result == OK
		       ? service_transact(service, PERMISSION_MANAGE, update_work, &updating, key)
		       : result;
}

/* Adds the ids of the keys that this key has made to `ids`, to be revoked. Adds an event for each
 * of these keys. */
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
		add_event(service, &made.rows[i], EVENT_KEY_REVOKED, made.rows[i].label);
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
	/* Lock the account's keys, so that the key cannot make another key at the same time, which
	 * this call would not revoke. */
	if (revocation->with_made)
		result = usage_lock_keys(service->db, key->account_id, service->error);
	if (result == OK)
		result = api_key_lock(service->db, account_id, revocation->id, service->arena, key,
				      service->error);
	if (result == OK)
		result = service_admit(service, revocation);
	if (result == OK && key->revoked_at.s == 0) {
		ids.count = 1;
		add_event(service, key, EVENT_KEY_REVOKED, key->label);
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
	*revocation = (struct key_revocation){ .id = id, .with_made = with_made };
	enum result result = find_account(service, id, &revocation->key.account_id);
	return result == OK ? service_transact(service, PERMISSION_MANAGE, revoke_work, revocation,
					       revocation)
			    : result;
}
