#include "access/signed_id.h"

#include <string.h>

enum { SIGNATURE_CHARS = 22, HEX_CHARS = 20 };

/* The first word of each purpose's signed texts. */
static const char *const purposes[] = {
	[SIGNED_HEARTBEAT] = "hb",
	[SIGNED_SUBSCRIBER] = "subscriber",
	[SIGNED_CHALLENGE] = "challenge",
	[SIGNED_BOUNCE] = "bounce",
};

static const char *signature_of(const struct signing_key *key, enum signed_id_purpose purpose,
				int64_t id, struct arena *arena)
{
	char signature[SECRET_SIGNATURE_SIZE];
	const char *text = arena_printf(arena, "%s:%lld", purposes[purpose], (long long)id);
	secret_sign(key->bytes, str_from(text), signature);
	if (purpose == SIGNED_BOUNCE)
		return secret_hash_hex(arena, signature, strlen(signature), HEX_CHARS);
	return arena_strndup(arena, signature, SIGNATURE_CHARS);
}

const char *signed_id_make(const struct signing_key *key, enum signed_id_purpose purpose,
			   int64_t id, struct arena *arena)
{
	return arena_printf(arena, "%lld-%s", (long long)id, signature_of(key, purpose, id, arena));
}

bool signed_id_read(const struct signing_key *key, enum signed_id_purpose purpose, struct str token,
		    int64_t *id)
{
	enum { SCRATCH_MAX_BYTES = 4096 };
	struct arena scratch CLEANUP(arena_done);
	struct str digits;
	arena_init(&scratch, SCRATCH_MAX_BYTES);
	/* Split only at the first hyphen, because the signature may have hyphens, too. */
	if (!str_split(&token, '-', &digits) || !str_to_int64(digits, id) || *id <= 0)
		return false;
	return secret_is_equal(str_from(signature_of(key, purpose, *id, &scratch)), token);
}
