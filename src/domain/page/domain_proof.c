#include "domain/page/domain_proof.h"

#include <string.h>

#define PREFIX "_daymark."

enum { NAME_MAX_BYTES = 253 };

const char *domain_proof_name(const char *domain, struct arena *arena)
{
	if (strlen(PREFIX) + strlen(domain) > NAME_MAX_BYTES)
		return NULL;
	return arena_printf(arena, PREFIX "%s", domain);
}

const char *domain_proof_value(const uint8_t key[SECRET_HASH_BYTES], int64_t account_id,
			       const char *domain, struct arena *arena)
{
	char signature[SECRET_SIGNATURE_SIZE];
	const char *text = arena_printf(arena, "domain %lld %s", (long long)account_id, domain);
	secret_sign(key, str_from(text), signature);
	return arena_printf(arena, "daymark-proof=%s", signature);
}

bool domain_proof_note(struct domain_proof *proof, enum domain_proof_outcome outcome,
		       struct instant now)
{
	bool was_lost = proof->lost_at.s > 0;
	proof->checked_at = now;
	if (outcome == DOMAIN_PROOF_FOUND) {
		*proof = (struct domain_proof){ .proven_at = now, .checked_at = now };
		return was_lost;
	}
	if (outcome == DOMAIN_PROOF_UNKNOWN || was_lost)
		return false;
	if (proof->missing_since.s == 0)
		proof->missing_since = now;
	if (now.s - proof->missing_since.s < DOMAIN_PROOF_GRACE_S)
		return false;
	proof->lost_at = now;
	return true;
}
