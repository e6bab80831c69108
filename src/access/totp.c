#include "access/totp.h"

#include <ctype.h>
#include <liboath/oath.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/library.h"
#include "base/secret.h"
#include "wire/urlencoded.h"

/* Functions of liboath, which load() finds. */
static struct {
	__typeof__(oath_init) *init;
	__typeof__(oath_base32_encode) *encode;
	__typeof__(oath_base32_decode) *decode;
	__typeof__(oath_totp_generate) *generate;
} oath;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char failure[LIBRARY_FAILURE_SIZE]; /* empty: the library is ready */

static void load_library(void)
{
	static const struct library_symbol symbols[] = {
		{ "oath_init", &oath.init },
		{ "oath_base32_encode", &oath.encode },
		{ "oath_base32_decode", &oath.decode },
		{ "oath_totp_generate", &oath.generate },
	};
	if (library_load(OATH_LIBRARY, symbols, ARRAY_LEN(symbols), failure))
		oath.init();
}

static enum result load(struct error *error)
{
	pthread_once(&once, load_library);
	return failure[0] ? error_log(error, E_FAILED, "liboath: %s", failure) : OK;
}

/* Returns `len` random bytes in base32. If `len` is a multiple of 5, the text has no padding. */
static const char *random_base32(struct arena *arena, size_t len)
{
	char bytes[TOTP_SECRET_CHARS], *text = NULL;
	size_t text_len;
	secret_random(bytes, len);
	if (oath.encode(bytes, len, &text, &text_len) != OATH_OK)
		return NULL;
	const char *kept = arena_strndup(arena, text, text_len);
	free(text);
	return kept;
}

enum result totp_make_secret(struct arena *arena, const char **secret, struct error *error)
{
	enum result result = load(error);
	*secret = result == OK ? random_base32(arena, 20) : NULL;
	return result == OK && !*secret ? E_BUSY : result;
}

bool totp_is_secret(const char *text)
{
	return text && strlen(text) == TOTP_SECRET_CHARS &&
	       strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") == TOTP_SECRET_CHARS;
}

const char *totp_address(const char *secret, const char *issuer, const char *user,
			 struct arena *arena)
{
	struct buf text CLEANUP(buf_done) = BUF_INIT(4096);
	buf_puts(&text, "otpauth://totp/");
	percent_encode(&text, issuer);
	buf_puts(&text, ":");
	percent_encode(&text, user);
	buf_printf(&text, "?secret=%s&issuer=", secret);
	percent_encode(&text, issuer);
	return arena_strndup(arena, text.data, text.len);
}

const char *totp_tidy(const char *typed, struct arena *arena)
{
	char *tidy = arena_strdup(arena, typed ? typed : ""), *end = tidy;
	for (const char *at = tidy; *at; at++)
		if (!strchr(" -\t", *at))
			*end++ = (char)tolower((unsigned char)*at);
	*end = '\0';
	return tidy;
}

bool totp_is_code(const char *text)
{
	return strlen(text) == TOTP_DIGITS && strspn(text, "0123456789") == TOTP_DIGITS;
}

/* Returns the step whose code is `code`, or -1. Tries all three steps in any case, so that the
 * duration does not reveal which of them matched. */
static int64_t find_step(const char *key, size_t key_len, const char *code, int64_t present)
{
	int64_t found = -1;
	char expected[TOTP_DIGITS + 1];
	for (int64_t step = present - 1; step <= present + 1; step++)
		if (oath.generate(key, key_len, (time_t)(step * TOTP_STEP_S), TOTP_STEP_S, 0,
				  TOTP_DIGITS, expected) == OATH_OK &&
		    secret_is_equal(str_from(expected), str_from(code)))
			found = step;
	return found;
}

enum result totp_check(const char *secret, const char *code, struct instant now, int64_t last_step,
		       int64_t *step, struct error *error)
{
	char *key = NULL;
	size_t key_len;
	enum result result = load(error);
	if (result != OK)
		return result;
	if (oath.decode(secret, strlen(secret), &key, &key_len) != OATH_OK)
		return error_log(error, E_FAILED, "the secret of a second factor is not base32");
	*step = find_step(key, key_len, code, now.s / TOTP_STEP_S);
	free(key);
	return *step > last_step ? OK : E_UNAUTHENTICATED;
}

enum result recovery_make(struct arena *arena, const char *codes[RECOVERY_CODES],
			  const char **hashes, struct error *error)
{
	enum result result = load(error);
	*hashes = "";
	for (size_t i = 0; result == OK && i < RECOVERY_CODES; i++) {
		const char *text = random_base32(arena, 15);
		if (!text)
			return E_BUSY;
		text = totp_tidy(text, arena);
		*hashes = arena_printf(
			arena, "%s%s", *hashes,
			secret_hash_hex(arena, text, strlen(text), RECOVERY_HASH_CHARS));
		codes[i] = arena_printf(arena, "%.4s-%.4s-%.4s-%.4s-%.4s-%.4s", text, text + 4,
					text + 8, text + 12, text + 16, text + 20);
	}
	return result;
}

/* The loop may end at the first match. Its duration reveals nothing, because codes have 120 random
 * bits. */
const char *recovery_take(const char *hashes, const char *code, struct arena *arena)
{
	const char *hash = secret_hash_hex(arena, code, strlen(code), RECOVERY_HASH_CHARS);
	for (size_t i = 0; i < recovery_count(hashes); i++) {
		const char *at = hashes + i * RECOVERY_HASH_CHARS;
		if (strncmp(at, hash, RECOVERY_HASH_CHARS) == 0)
			return arena_printf(arena, "%.*s%s", (int)(at - hashes), hashes,
					    at + RECOVERY_HASH_CHARS);
	}
	return NULL;
}

size_t recovery_count(const char *hashes)
{
	return hashes ? strlen(hashes) / RECOVERY_HASH_CHARS : 0;
}
