#include "base/secret.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <sys/prctl.h>

#include "base/log.h"

/* The smallest parameters that OWASP recommends for Argon2id with one lane. */
#define PASSWORD_PASSES	      2
#define PASSWORD_MEMORY_BYTES (19 * 1024 * 1024)

void secret_init(void)
{
	if (sodium_init() < 0)
		die("secret: libsodium cannot be initialised");
	/* Forbid core files, and debuggers of the same user: memory contains keys and passwords. */
	prctl(PR_SET_DUMPABLE, 0);
}

void secret_token(char token[SECRET_TOKEN_SIZE])
{
	uint8_t random[32];
	randombytes_buf(random, sizeof(random));
	sodium_bin2base64(token, SECRET_TOKEN_SIZE, random, sizeof(random),
			  sodium_base64_VARIANT_URLSAFE_NO_PADDING);
	sodium_memzero(random, sizeof(random));
}

void secret_id(char id[SECRET_ID_SIZE])
{
	uint8_t random[8];
	randombytes_buf(random, sizeof(random));
	sodium_bin2hex(id, SECRET_ID_SIZE, random, sizeof(random));
}

void secret_hash(struct str data, uint8_t hash[SECRET_HASH_BYTES])
{
	crypto_hash_sha256(hash, (const uint8_t *)data.data, data.len);
}

static crypto_hash_sha256_state *state_of(struct secret_digest *digest)
{
	_Static_assert(sizeof(crypto_hash_sha256_state) <= sizeof(digest->state), "its size");
	return (crypto_hash_sha256_state *)(void *)digest->state;
}

void secret_digest_init(struct secret_digest *digest)
{
	crypto_hash_sha256_init(state_of(digest));
}

void secret_digest_add(struct secret_digest *digest, const void *data, size_t len)
{
	crypto_hash_sha256_update(state_of(digest), data, len);
}

void secret_digest_end(struct secret_digest *digest, uint8_t hash[SECRET_HASH_BYTES])
{
	crypto_hash_sha256_final(state_of(digest), hash);
}

bool secret_hash_fd(int fd, uint8_t hash[SECRET_HASH_BYTES], size_t *size)
{
	struct secret_digest digest;
	uint8_t piece[65536];
	ssize_t len;
	*size = 0;
	secret_digest_init(&digest);
	while ((len = pread(fd, piece, sizeof(piece), (off_t)*size)) > 0) {
		secret_digest_add(&digest, piece, (size_t)len);
		*size += (size_t)len;
	}
	secret_digest_end(&digest, hash);
	return len == 0;
}

char *secret_to_hex(struct arena *arena, const void *data, size_t len)
{
	char *hex = arena_alloc(arena, 2 * len + 1);
	return sodium_bin2hex(hex, 2 * len + 1, data, len);
}

char *secret_to_base64(struct arena *arena, struct str data)
{
	size_t room = sodium_base64_encoded_len(data.len, sodium_base64_VARIANT_ORIGINAL);
	return sodium_bin2base64(arena_alloc(arena, room), room, (const uint8_t *)data.data,
				 data.len, sodium_base64_VARIANT_ORIGINAL);
}

bool secret_from_hex(struct str hex, void *data, size_t len)
{
	size_t read = 0;
	return hex.len == 2 * len &&
	       sodium_hex2bin(data, len, hex.data, hex.len, NULL, &read, NULL) == 0 && read == len;
}

char *secret_hash_hex(struct arena *arena, const void *data, size_t len, size_t chars)
{
	uint8_t hash[SECRET_HASH_BYTES];
	char hex[2 * SECRET_HASH_BYTES + 1];
	secret_hash((struct str){ data, len }, hash);
	sodium_bin2hex(hex, sizeof(hex), hash, sizeof(hash));
	return arena_strndup(arena, hex, chars);
}

char *secret_digest_fast(struct arena *arena, const struct str *pieces, size_t count)
{
	enum { DIGEST_BYTES = 16 };
	uint8_t digest[DIGEST_BYTES];
	crypto_generichash_state state;
	crypto_generichash_init(&state, NULL, 0, sizeof(digest));
	for (size_t i = 0; i < count; i++)
		crypto_generichash_update(&state, (const unsigned char *)pieces[i].data,
					  pieces[i].len);
	crypto_generichash_final(&state, digest, sizeof(digest));
	return secret_to_hex(arena, digest, sizeof(digest));
}

bool secret_is_equal(struct str a, struct str b)
{
	uint8_t hash_a[SECRET_HASH_BYTES], hash_b[SECRET_HASH_BYTES];
	secret_hash(a, hash_a);
	secret_hash(b, hash_b);
	return sodium_memcmp(hash_a, hash_b, sizeof(hash_a)) == 0;
}

void secret_random(void *out, size_t len)
{
	randombytes_buf(out, len);
}

int64_t secret_number(void)
{
	int64_t number;
	secret_random(&number, sizeof(number));
	return (number & INT64_MAX) | 1;
}

bool secret_from_base64url(struct arena *arena, struct str text, struct str *data)
{
	uint8_t *bytes = arena_alloc(arena, text.len + 1);
	data->data = (const char *)bytes;
	return sodium_base642bin(bytes, text.len, text.data, text.len, NULL, &data->len, NULL,
				 sodium_base64_VARIANT_URLSAFE_NO_PADDING) == 0;
}

void secret_sign(const uint8_t *key, struct str text, char signature[SECRET_SIGNATURE_SIZE])
{
	uint8_t mac[crypto_auth_hmacsha256_BYTES];
	crypto_auth_hmacsha256_state state;
	crypto_auth_hmacsha256_init(&state, key, SECRET_HASH_BYTES);
	crypto_auth_hmacsha256_update(&state, (const uint8_t *)text.data, text.len);
	crypto_auth_hmacsha256_final(&state, mac);
	sodium_bin2base64(signature, SECRET_SIGNATURE_SIZE, mac, sizeof(mac),
			  sodium_base64_VARIANT_URLSAFE_NO_PADDING);
}

bool secret_is_signed(const uint8_t *key, struct str text, struct str signature)
{
	char wanted[SECRET_SIGNATURE_SIZE];
	secret_sign(key, text, wanted);
	return signature.len == SECRET_SIGNATURE_SIZE - 1 &&
	       sodium_memcmp(wanted, signature.data, signature.len) == 0;
}

bool secret_mac(struct str key, const struct str *pieces, size_t count, char mac[SECRET_MAC_SIZE])
{
	uint8_t opened[64], out[crypto_auth_hmacsha256_BYTES];
	crypto_auth_hmacsha256_state state;
	size_t len = 0;
	if (sodium_base642bin(opened, sizeof(opened), key.data, key.len, NULL, &len, NULL,
			      sodium_base64_VARIANT_ORIGINAL) != 0)
		return false;
	crypto_auth_hmacsha256_init(&state, opened, len);
	for (size_t i = 0; i < count; i++)
		crypto_auth_hmacsha256_update(&state, (const uint8_t *)pieces[i].data,
					      pieces[i].len);
	crypto_auth_hmacsha256_final(&state, out);
	sodium_bin2base64(mac, SECRET_MAC_SIZE, out, sizeof(out), sodium_base64_VARIANT_ORIGINAL);
	sodium_memzero(opened, sizeof(opened));
	return true;
}

void secret_derive(const uint8_t *key, const char *purpose, uint8_t derived[SECRET_HASH_BYTES])
{
	crypto_auth_hmacsha256_state state;
	crypto_auth_hmacsha256_init(&state, key, SECRET_HASH_BYTES);
	crypto_auth_hmacsha256_update(&state, (const uint8_t *)purpose, strlen(purpose));
	crypto_auth_hmacsha256_final(&state, derived);
}

void secret_public_key(const uint8_t *seed, char key[SECRET_PUBLIC_KEY_SIZE])
{
	uint8_t public_key[crypto_sign_PUBLICKEYBYTES], pair[crypto_sign_SECRETKEYBYTES];
	crypto_sign_seed_keypair(public_key, pair, seed);
	sodium_memzero(pair, sizeof(pair));
	sodium_bin2base64(key, SECRET_PUBLIC_KEY_SIZE, public_key, sizeof(public_key),
			  sodium_base64_VARIANT_ORIGINAL);
}

void secret_sign_public(const uint8_t *seed, struct str text,
			char signature[SECRET_PUBLIC_SIGNATURE_SIZE])
{
	uint8_t public_key[crypto_sign_PUBLICKEYBYTES], pair[crypto_sign_SECRETKEYBYTES];
	uint8_t out[crypto_sign_BYTES];
	crypto_sign_seed_keypair(public_key, pair, seed);
	crypto_sign_detached(out, NULL, (const uint8_t *)text.data, text.len, pair);
	sodium_memzero(pair, sizeof(pair));
	sodium_bin2base64(signature, SECRET_PUBLIC_SIGNATURE_SIZE, out, sizeof(out),
			  sodium_base64_VARIANT_ORIGINAL);
}

enum {
	SEAL_NONCE_BYTES = crypto_aead_xchacha20poly1305_ietf_NPUBBYTES,
	SEAL_TAG_BYTES = crypto_aead_xchacha20poly1305_ietf_ABYTES,
	SEAL_KEY_BYTES = crypto_aead_xchacha20poly1305_ietf_KEYBYTES,
};

/* Derives a separate key for encryption, because `key` itself is used for signatures. */
static void derive_seal_key(const uint8_t *key, uint8_t derived[SEAL_KEY_BYTES])
{
	static const uint8_t purpose[] = "daymark sealed texts";
	crypto_generichash(derived, SEAL_KEY_BYTES, purpose, sizeof(purpose) - 1, key,
			   SECRET_HASH_BYTES);
}

char *secret_seal(const uint8_t *key, struct str owner, struct str text, struct arena *arena)
{
	uint8_t derived[SEAL_KEY_BYTES];
	size_t len = SEAL_NONCE_BYTES + text.len + SEAL_TAG_BYTES;
	uint8_t *box = arena_alloc(arena, len);
	derive_seal_key(key, derived);
	randombytes_buf(box, SEAL_NONCE_BYTES);
	crypto_aead_xchacha20poly1305_ietf_encrypt(
		box + SEAL_NONCE_BYTES, NULL, (const uint8_t *)text.data, text.len,
		(const uint8_t *)owner.data, owner.len, NULL, box, derived);
	sodium_memzero(derived, sizeof(derived));
	size_t room = sodium_base64_encoded_len(len, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
	return sodium_bin2base64(arena_alloc(arena, room), room, box, len,
				 sodium_base64_VARIANT_URLSAFE_NO_PADDING);
}

char *secret_open(const uint8_t *key, struct str owner, struct str sealed, struct arena *arena)
{
	uint8_t derived[SEAL_KEY_BYTES], *box = arena_alloc(arena, sealed.len + 1);
	size_t len = 0;
	if (sodium_base642bin(box, sealed.len, sealed.data, sealed.len, NULL, &len, NULL,
			      sodium_base64_VARIANT_URLSAFE_NO_PADDING) != 0 ||
	    len < SEAL_NONCE_BYTES + SEAL_TAG_BYTES)
		return NULL;
	char *text = arena_alloc(arena, len - SEAL_NONCE_BYTES - SEAL_TAG_BYTES + 1);
	derive_seal_key(key, derived);
	int outcome = crypto_aead_xchacha20poly1305_ietf_decrypt(
		(uint8_t *)text, NULL, NULL, box + SEAL_NONCE_BYTES, len - SEAL_NONCE_BYTES,
		(const uint8_t *)owner.data, owner.len, box, derived);
	sodium_memzero(derived, sizeof(derived));
	text[len - SEAL_NONCE_BYTES - SEAL_TAG_BYTES] = '\0';
	return outcome == 0 ? text : NULL;
}

char *secret_password_hash(struct arena *arena, struct str password)
{
	char *hash = arena_alloc(arena, crypto_pwhash_STRBYTES);
	if (crypto_pwhash_str_alg(hash, password.data, password.len, PASSWORD_PASSES,
				  PASSWORD_MEMORY_BYTES, crypto_pwhash_ALG_ARGON2ID13) != 0)
		return NULL;
	return hash;
}

/* Does not use crypto_pwhash_str_verify(), which returns the same for a wrong password and for a
 * lack of memory. */
enum result secret_password_matches(const char *hash, struct str password, bool *is_right)
{
	enum { SALT_BYTES = crypto_pwhash_argon2id_SALTBYTES, HASH_BYTES = 32 };
	char salt_text[23], hash_text[44];
	uint8_t salt[SALT_BYTES], wanted[HASH_BYTES], found[HASH_BYTES];
	unsigned kib, passes;
	size_t salt_len = 0, wanted_len = 0;
	*is_right = false;
	if (sscanf(hash, "$argon2id$v=19$m=%u,t=%u,p=1$%22[^$]$%43s", &kib, &passes, salt_text,
		   hash_text) != 4 ||
	    sodium_base642bin(salt, sizeof(salt), salt_text, strlen(salt_text), NULL, &salt_len,
			      NULL, sodium_base64_VARIANT_ORIGINAL_NO_PADDING) != 0 ||
	    sodium_base642bin(wanted, sizeof(wanted), hash_text, strlen(hash_text), NULL,
			      &wanted_len, NULL, sodium_base64_VARIANT_ORIGINAL_NO_PADDING) != 0 ||
	    salt_len != sizeof(salt) || wanted_len != sizeof(wanted))
		return OK;
	if (crypto_pwhash(found, sizeof(found), password.data, password.len, salt, passes,
			  (size_t)kib << 10, crypto_pwhash_ALG_ARGON2ID13) != 0)
		return E_BUSY;
	*is_right = sodium_memcmp(found, wanted, sizeof(found)) == 0;
	return OK;
}
