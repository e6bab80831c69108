/*
 * Random tokens, hashes and passwords, by libsodium.
 *
 * secret_init() once at program start, before anything else here.
 */
#ifndef BASE_SECRET_H
#define BASE_SECRET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/str.h"

enum {
	SECRET_HASH_BYTES = 32, /* SHA-256 */
	SECRET_DIGEST_STATE_BYTES = 104,
	SECRET_TOKEN_SIZE = 44, /* 256 bits as base64url, and the NUL */
	SECRET_ID_SIZE = 17,	/* 64 bits as hexadecimal, and the NUL */
};

/* Ends the process when the system gives no randomness; keeps its memory out of core files. */
void secret_init(void);

/* 256 random bits as 43 URL-safe characters. */
void secret_token(char token[SECRET_TOKEN_SIZE]);
/* 64 random bits as 16 hexadecimal digits: a name that does not collide, no secret. */
void secret_id(char id[SECRET_ID_SIZE]);

void secret_hash(struct str data, uint8_t hash[SECRET_HASH_BYTES]);
/* The same of data that comes in pieces. */
struct secret_digest {
	_Alignas(8) uint8_t state[SECRET_DIGEST_STATE_BYTES];
};
void secret_digest_init(struct secret_digest *digest);
void secret_digest_add(struct secret_digest *digest, const void *data, size_t len);
void secret_digest_end(struct secret_digest *digest, uint8_t hash[SECRET_HASH_BYTES]);
/* Of the rest of a file. False when it cannot be read. */
bool secret_hash_file(FILE *file, uint8_t hash[SECRET_HASH_BYTES]);
/* In lower case, owned by the arena. */
char *secret_to_hex(struct arena *arena, const void *data, size_t len);
/* False unless it is exactly `len` bytes in hexadecimal. */
bool secret_from_hex(struct str hex, void *data, size_t len);
/* The first `chars` (at most 64) hexadecimal digits of the SHA-256, owned by the arena. */
char *secret_hash_hex(struct arena *arena, const void *data, size_t len, size_t chars);

enum { SECRET_SIGNATURE_SIZE = 44 }; /* as base64url, and the NUL */
/* HMAC of the text under a key of SECRET_HASH_BYTES, URL-safe. */
void secret_sign(const uint8_t *key, struct str text, char signature[SECRET_SIGNATURE_SIZE]);
/* In a time that does not depend on how much of it is right. */
bool secret_is_signed(const uint8_t *key, struct str text, struct str signature);
void secret_random(void *out, size_t len);

/* Argon2id (RFC 9106) with 19 MiB and two passes: some 30 ms. NULL when memory is short. */
char *secret_password_hash(struct arena *arena, struct str password);
bool secret_password_matches(const char *hash, struct str password);

#endif
