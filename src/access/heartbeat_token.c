#include "access/heartbeat_token.h"

#include <stdio.h>

enum { SIGNATURE_CHARS = 22 };

static void sign(const struct signing_key *key, int64_t monitor_id,
		 char signature[SECRET_SIGNATURE_SIZE])
{
	char text[32];
	snprintf(text, sizeof(text), "hb:%lld", (long long)monitor_id);
	secret_sign(key->bytes, str_from(text), signature);
	signature[SIGNATURE_CHARS] = '\0';
}

const char *heartbeat_token_make(const struct signing_key *key, int64_t monitor_id,
				 struct arena *arena)
{
	char signature[SECRET_SIGNATURE_SIZE];
	sign(key, monitor_id, signature);
	return arena_printf(arena, "%lld-%s", (long long)monitor_id, signature);
}

bool heartbeat_token_read(const struct signing_key *key, struct str token, int64_t *monitor_id)
{
	char signature[SECRET_SIGNATURE_SIZE];
	struct str id;
	/* The signature may have hyphens, too. */
	if (!str_split(&token, '-', &id) || token.len != SIGNATURE_CHARS ||
	    !str_to_int64(id, monitor_id) || *monitor_id <= 0)
		return false;
	sign(key, *monitor_id, signature);
	return secret_is_equal(str_from(signature), token);
}
