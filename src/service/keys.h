/* The operations on API keys. Each runs in one transaction and appends an event. */
#ifndef SERVICE_KEYS_H
#define SERVICE_KEYS_H

#include "service/service.h"
#include "store/account/api_key.h"

struct created_key {
	struct api_key key;
	const char *text;
};
/*
 * Creates a key of an account. *outcome is the new key with its text, of which only a hash is
 * stored. `sent` has the sent rows of key_create_fields. E_INVALID.
 *
 * If the principal is a key, key_bound() limits the new key. E_QUOTA_EXCEEDED, with a violation at
 * "keys". E_UNAUTHENTICATED: the principal's key was revoked after the request began.
 */
enum result service_create_key(struct service *service, int64_t account_id,
			       const struct key_input *input, struct field_set sent,
			       struct created_key *outcome) MUST_USE;
/*
 * Changes the fields that were sent: `sent` has the sent rows of key_update_fields. *key is the
 * changed key. A key cannot give another key more rights than it has: see key_check_change(). The
 * changed key expires no later than the key that made it, and no later than the key of the request.
 * Shortens the keys that the changed key has made, so that they expire no later than the changed
 * key. E_INVALID. E_NOT_FOUND: also if the key is revoked.
 */
enum result service_update_key(struct service *service, int64_t id, const struct key_input *input,
			       struct field_set sent, struct api_key *key) MUST_USE;
struct key_revocation {
	int64_t id;
	bool with_made;
	struct api_key key;
	int64_t made_count; /* how many other keys this call has revoked */
};
/*
 * Revokes a key. A second call changes nothing. With `with_made`, also revokes the keys that the
 * key has made, directly or through other keys. Revokes these keys even if the key itself was
 * already revoked. E_NOT_FOUND.
 */
enum result service_revoke_key(struct service *service, int64_t id, bool with_made,
			       struct key_revocation *revocation) MUST_USE;

#endif
