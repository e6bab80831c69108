/*
 * Random tokens, hashes and passwords, by libsodium.
 *
 * Call secret_init() at the start of the program, before the other functions.
 */
#ifndef BASE_SECRET_H
#define BASE_SECRET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"

enum {
	SECRET_HASH_BYTES = 32, /* SHA-256 */
	SECRET_DIGEST_STATE_BYTES = 104,
	SECRET_TOKEN_SIZE = 44, /* 256 bits in base64url, and a NUL */
	SECRET_ID_SIZE = 17,	/* 64 bits in hexadecimal, and a NUL */
};

/* Initialises libsodium, and excludes the process's memory from core files. Ends the process if
 * the system has no randomness. */
void secret_init(void);

/* Writes 256 random bits as 43 URL-safe characters. */
void secret_token(char token[SECRET_TOKEN_SIZE]);
/* Writes 64 random bits as 16 hexadecimal digits: a unique name, but not a secret. */
void secret_id(char id[SECRET_ID_SIZE]);

void secret_hash(struct str data, uint8_t hash[SECRET_HASH_BYTES]);
/* The state of a SHA-256 hash to which data is added in pieces. */
struct secret_digest {
	_Alignas(8) uint8_t state[SECRET_DIGEST_STATE_BYTES];
};
void secret_digest_init(struct secret_digest *digest);
void secret_digest_add(struct secret_digest *digest, const void *data, size_t len);
void secret_digest_end(struct secret_digest *digest, uint8_t hash[SECRET_HASH_BYTES]);
/* Hashes the whole file, and sets *size to its length in bytes. Returns false if the file cannot be
 * read, or is a pipe. */
bool secret_hash_fd(int fd, uint8_t hash[SECRET_HASH_BYTES], size_t *size);
/* Returns the data in lower-case hexadecimal, owned by the arena. */
char *secret_to_hex(struct arena *arena, const void *data, size_t len);
/* Returns the data in base64, owned by the arena. */
char *secret_to_base64(struct arena *arena, struct str data);
/* Decodes hexadecimal. Returns false if the text is not exactly `len` bytes in hexadecimal. */
bool secret_from_hex(struct str hex, void *data, size_t len);
/* Returns the first `chars` (at most 64) hexadecimal digits of the SHA-256, owned by the arena. */
char *secret_hash_hex(struct arena *arena, const void *data, size_t len, size_t chars);

/* Returns a 128-bit digest of the pieces in their order, in hexadecimal, owned by the arena. The
 * digest is by BLAKE2b, which is faster than SHA-256. */
char *secret_digest_fast(struct arena *arena, const struct str *pieces, size_t count);

enum { SECRET_SIGNATURE_SIZE = 44 }; /* in base64url, with a NUL */
/* Decodes base64url without padding into the arena. Returns false if the text is not base64url. */
bool secret_from_base64url(struct arena *arena, struct str text, struct str *data);
/* Computes the HMAC-SHA-256 of the text with a key of SECRET_HASH_BYTES, in base64url. */
void secret_sign(const uint8_t *key, struct str text, char signature[SECRET_SIGNATURE_SIZE]);
/* Whether the signature is right; compares in constant time. */
bool secret_is_signed(const uint8_t *key, struct str text, struct str signature);
enum { SECRET_MAC_SIZE = 45 }; /* in base64, with a NUL */
/* Computes the HMAC-SHA-256 of the pieces in their order, in base64. The key is in base64, too.
 * Returns false if the key is not base64, or has more than 64 bytes. */
bool secret_mac(struct str key, const struct str *pieces, size_t count, char mac[SECRET_MAC_SIZE])
	MUST_USE;

/* Derives a separate key for `purpose` from `key` by HMAC-SHA-256. Both keys are SECRET_HASH_BYTES
 * long. */
void secret_derive(const uint8_t *key, const char *purpose, uint8_t derived[SECRET_HASH_BYTES]);
/* Signatures by Ed25519 (RFC 8032). A seed is SECRET_HASH_BYTES long. Public keys and signatures
 * are in base64, with a NUL. */
enum { SECRET_PUBLIC_KEY_SIZE = 45, SECRET_PUBLIC_SIGNATURE_SIZE = 89 };
void secret_public_key(const uint8_t *seed, char key[SECRET_PUBLIC_KEY_SIZE]);
void secret_sign_public(const uint8_t *seed, struct str text,
			char signature[SECRET_PUBLIC_SIGNATURE_SIZE]);

/* Whether two texts are equal. The duration depends only on their lengths. */
bool secret_is_equal(struct str a, struct str b);
void secret_random(void *out, size_t len);
/* Returns a random number above 0, for example to identify a claim or a lease. */
int64_t secret_number(void);

/*
 * Encrypts the text by XChaCha20-Poly1305, with a key derived from `key`. secret_open() decrypts it
 * only with the same `owner`. Returns the result in base64url, owned by the arena.
 */
char *secret_seal(const uint8_t *key, struct str owner, struct str text, struct arena *arena);
/* Decrypts a sealed text, and returns it, owned by the arena. Returns NULL if it was sealed with
 * another key, or for another owner. */
char *secret_open(const uint8_t *key, struct str owner, struct str sealed, struct arena *arena);

/* Hashes a password by Argon2id (RFC 9106) with 19 MiB and two passes, in about 30 ms. Returns NULL
 * if memory is short. */
char *secret_password_hash(struct arena *arena, struct str password);
/* Compares the password with the hash. E_BUSY: the password was not checked, because memory is
 * short. */
enum result secret_password_matches(const char *hash, struct str password, bool *is_right) MUST_USE;

#endif
