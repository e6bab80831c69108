/* What a browser sends of a passkey. The first byte chooses a whole text, or the client data or the
 * authenticator data in a text that is otherwise right. */
#include "fuzz/fuzz.h"
#include "unit/access/authenticator.h"

#include "base/secret.h"

static struct str text_of(const struct passkey_claim *claim, const char *client, struct str data)
{
	struct arena *arena = claim->arena;
	return str_from(arena_printf(arena, "%s.%s.AAAA.aWlp",
				     authenticator_base64url(client, strlen(client), arena),
				     authenticator_base64url(data.data, data.len, arena)));
}

static const char *right_client(const struct passkey_claim *claim, const char *type)
{
	const char *challenge = passkey_challenge(claim, 1800000000000001);
	return arena_printf(
		claim->arena, "{\"type\":\"%s\",\"challenge\":\"%s\",\"origin\":\"%s\"}", type,
		authenticator_base64url(challenge, strlen(challenge), claim->arena), claim->origin);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char right_data[37] = { [32] = 5 };
	static const char *const types[] = { "webauthn.create", "webauthn.get" };
	struct arena arena CLEANUP(arena_done);
	struct error error = { 0 };
	if (size < 1 || size > PASSKEY_TEXT_MAX)
		return 0;
	arena_init(&arena, 64 << 20);
	struct passkey_claim claim = { .browser = "b",
				       .origin = "https://a.example",
				       .now = { 1800000000 },
				       .arena = &arena,
				       .error = &error };
	struct user_passkey passkey = { .rp_id = "a.example", .public_key = "AAAA" };
	const char *sent = arena_strndup(&arena, (const char *)data + 1, size - 1);
	struct str bytes = fuzz_str(data + 1, size - 1);
	char *own = arena_alloc(&arena, bytes.len + 1);
	memcpy(own, bytes.data, bytes.len);
	if (bytes.len >= SECRET_HASH_BYTES)
		secret_hash(str_from(passkey.rp_id), (uint8_t *)own);
	for (size_t i = 0; i < ARRAY_LEN(types); i++) {
		const struct str texts[] = {
			str_from(sent),
			text_of(&claim, sent, (struct str){ right_data, sizeof(right_data) }),
			text_of(&claim, right_client(&claim, types[i]),
				(struct str){ own, bytes.len }),
		};
		claim.text = texts[data[0] % ARRAY_LEN(texts)].data;
		/* No text has the key of a point, or its signature. */
		MUST_HOLD(passkey_read_new(&claim, &passkey) != OK);
		MUST_HOLD(passkey_verify(&claim, &passkey) != OK);
	}
	return 0;
}
