#include "notify/webhook_signature.h"

#include "base/secret.h"

/* Derives the seed of the key pair. Do not change the text. Another text would make another key
 * pair, which no receiver knows. */
static void derive_seed(const struct signing_key *key, uint8_t seed[SECRET_HASH_BYTES])
{
	secret_derive(key->bytes, "daymark webhook ed25519", seed);
}

/* Returns "v1,HMAC "; "" if there is no valid secret. */
static const char *hmac_of(const char *secret, struct str text, struct arena *arena)
{
	const struct str whole = str_from(secret), prefix = STR("whsec_");
	char mac[SECRET_MAC_SIZE];
	if (!str_starts(whole, prefix) || !secret_mac(str_skip(whole, prefix.len), &text, 1, mac))
		return "";
	return arena_printf(arena, "v1,%s ", mac);
}

const char *webhook_signature(const struct webhook_message *message,
			      const char *const secrets[WEBHOOK_SECRETS_MAX],
			      const struct signing_key *key, struct arena *arena)
{
	uint8_t seed[SECRET_HASH_BYTES];
	char signature[SECRET_PUBLIC_SIGNATURE_SIZE];
	const char *signed_text = arena_printf(arena, "%s.%lld.%.*s", message->id,
					       (long long)message->at.s, (int)message->body.len,
					       message->body.data);
	const struct str text = str_from(signed_text);
	derive_seed(key, seed);
	secret_sign_public(seed, text, signature);
	return arena_printf(arena, "%s%sv1a,%s", hmac_of(secrets[0], text, arena),
			    hmac_of(secrets[1], text, arena), signature);
}

const char *webhook_public_key(const struct signing_key *key, struct arena *arena)
{
	uint8_t seed[SECRET_HASH_BYTES];
	char text[SECRET_PUBLIC_KEY_SIZE];
	derive_seed(key, seed);
	secret_public_key(seed, text);
	return arena_printf(arena, "whpk_%s", text);
}
