/* The operations on API keys. Each runs in one transaction and appends an event. */
#ifndef SERVICE_KEYS_H
#define SERVICE_KEYS_H

#include "service/service.h"
#include "store/api_key.h"

/*
 * Creates a key of an account. *key is the new key; *text is the key itself, which is stored as a
 * hash only. E_INVALID (violation).
 */
enum result service_create_key(struct service *service, int64_t account_id,
			       const struct key_input *input, struct api_key *key,
			       const char **text) MUST_USE;
/* E_NOT_FOUND. To revoke a key twice changes nothing. */
enum result service_revoke_key(struct service *service, int64_t id) MUST_USE;

#endif
