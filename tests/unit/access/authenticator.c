#include "unit/access/authenticator.h"

#include <openssl/ec.h>
#include <openssl/x509.h>
#include <stdlib.h>
#include <string.h>

#include "base/secret.h"

enum { PUBLIC_KEY_ROOM = 1024, DATA_ROOM = 2048, FLAGS_CREATED = 0x45, FLAGS_SIGNED = 0x05 };

static void must(int is_true)
{
	if (!is_true)
		abort();
}

EVP_PKEY *authenticator_key(const char *curve)
{
	EVP_PKEY *key = EVP_EC_gen(curve);
	must(key != NULL);
	return key;
}

const char *authenticator_base64url(const void *data, size_t len, struct arena *arena)
{
	char *text = arena_alloc(arena, len / 3 * 4 + 5);
	EVP_EncodeBlock((unsigned char *)text, data, (int)len);
	text[strcspn(text, "=")] = '\0';
	for (char *c = text; *c; c++)
		*c = *c == '+' ? '-' : *c == '/' ? '_' : *c;
	return text;
}

static const char *client_data(const struct passkey_claim *claim, const struct ceremony *ceremony,
			       const char *type)
{
	const char *challenge = ceremony->challenge;
	if (!challenge)
		challenge = passkey_challenge(claim, claim->now.s * 1000000 + 7);
	if (ceremony->client)
		return ceremony->client;
	return arena_printf(
		claim->arena,
		"{\"type\":\"%s\",\"challenge\":\"%s\",\"origin\":\"%s\","
		"\"crossOrigin\":false,\"other_keys_can_be_added_here\":\"do not compare "
		"clientDataJSON against a template\"}",
		ceremony->type ? ceremony->type : type,
		authenticator_base64url(challenge, strlen(challenge), claim->arena),
		ceremony->origin ? ceremony->origin : claim->origin);
}

static size_t id_len_of(const struct ceremony *ceremony)
{
	return ceremony->id_len ? (size_t)ceremony->id_len : 16;
}

/* Writes the authenticator data, without the key behind the id, and returns its length. */
static size_t put_data(const struct passkey_claim *claim, const struct ceremony *ceremony,
		       int flags, uint8_t data[DATA_ROOM])
{
	size_t len = 37, id_len = id_len_of(ceremony);
	const char *rp_id = ceremony->rp_id;
	if (!rp_id)
		rp_id = passkey_rp_id(claim->origin, claim->arena);
	memset(data, 0, DATA_ROOM);
	secret_hash(str_from(rp_id), data);
	data[32] = (uint8_t)(ceremony->flags ? ceremony->flags : flags);
	for (int i = 0; i < 4; i++)
		data[33 + i] = (uint8_t)(ceremony->counter >> (24 - 8 * i));
	if (data[32] & 0x40) {
		data[53] = (uint8_t)(id_len >> 8);
		data[54] = (uint8_t)id_len;
		memset(data + 55, 'i', id_len);
		len = 55 + id_len;
	}
	return ceremony->data_len ? ceremony->data_len : len;
}

static const char *join(const struct passkey_claim *claim, const struct ceremony *ceremony,
			const char *client, struct str data, struct str third)
{
	struct arena *arena = claim->arena;
	char *id = arena_alloc(arena, id_len_of(ceremony));
	memset(id, ceremony->other_id ? 'j' : 'i', id_len_of(ceremony));
	return arena_printf(arena, "%s.%s.%s.%s",
			    authenticator_base64url(client, strlen(client), arena),
			    authenticator_base64url(data.data, data.len, arena),
			    authenticator_base64url(third.data, third.len, arena),
			    authenticator_base64url(id, id_len_of(ceremony), arena));
}

const char *authenticator_create(const struct passkey_claim *claim, const struct ceremony *ceremony)
{
	uint8_t data[DATA_ROOM], public_key[PUBLIC_KEY_ROOM], *end = public_key;
	size_t len = put_data(claim, ceremony, FLAGS_CREATED, data);
	int key_len = i2d_PUBKEY(ceremony->key, &end);
	must(key_len > 0);
	return join(claim, ceremony, client_data(claim, ceremony, "webauthn.create"),
		    (struct str){ (const char *)data, len },
		    (struct str){ (const char *)public_key, (size_t)key_len });
}

const char *authenticator_sign(const struct passkey_claim *claim, const struct ceremony *ceremony)
{
	uint8_t data[DATA_ROOM + SECRET_HASH_BYTES], signature[PUBLIC_KEY_ROOM];
	size_t len = put_data(claim, ceremony, FLAGS_SIGNED, data),
	       signature_len = sizeof(signature);
	const char *client = client_data(claim, ceremony, "webauthn.get");
	EVP_MD_CTX *context = EVP_MD_CTX_new();
	secret_hash(str_from(client), data + len);
	must(EVP_DigestSignInit(context, NULL, EVP_sha256(), NULL, ceremony->key) == 1);
	must(EVP_DigestSign(context, signature, &signature_len, data,
			    len + SECRET_HASH_BYTES - (ceremony->is_unsigned ? 1 : 0)) == 1);
	EVP_MD_CTX_free(context);
	return join(claim, ceremony, client, (struct str){ (const char *)data, len },
		    (struct str){ (const char *)signature, signature_len });
}
