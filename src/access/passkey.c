#include "access/passkey.h"

#include <openssl/evp.h>
#include <openssl/x509.h>
#include <pthread.h>
#include <string.h>

#include "base/library.h"
#include "base/secret.h"
#include "wire/json.h"
#include "wire/json_read.h"

/* Offsets, sizes and flags in the authenticator data (section 6.1). */
enum {
	FLAGS_AT = 32,
	COUNTER_AT = 33,
	DATA_MIN = 37,
	ID_LENGTH_AT = 53,
	ID_AT = 55,
	ID_MAX = 255,
	FLAGS_PRESENT_AND_VERIFIED = 0x05,
	FLAG_HAS_CREDENTIAL = 0x40,
};

/* Functions of libcrypto, which load() finds. */
static struct {
	__typeof__(d2i_PUBKEY) *read_key;
	__typeof__(EVP_PKEY_free) *free_key;
	__typeof__(EVP_MD_CTX_new) *begin;
	__typeof__(EVP_MD_CTX_free) *end;
	__typeof__(EVP_sha256) *sha256;
	__typeof__(EVP_DigestVerifyInit) *start;
	__typeof__(EVP_DigestVerify) *verify;
} crypto;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char failure[LIBRARY_FAILURE_SIZE]; /* empty: the library is ready */

static void load_library(void)
{
	static const struct library_symbol symbols[] = {
		{ "d2i_PUBKEY", &crypto.read_key },	{ "EVP_PKEY_free", &crypto.free_key },
		{ "EVP_MD_CTX_new", &crypto.begin },	{ "EVP_MD_CTX_free", &crypto.end },
		{ "EVP_sha256", &crypto.sha256 },	{ "EVP_DigestVerifyInit", &crypto.start },
		{ "EVP_DigestVerify", &crypto.verify },
	};
	library_load(CRYPTO_LIBRARY, symbols, ARRAY_LEN(symbols), failure);
}

static enum result refuse(const struct passkey_claim *claim, const char *reason)
{
	return error_log(claim->error, E_UNAUTHENTICATED, "passkey: %s", reason);
}

const char *passkey_challenge(const struct passkey_claim *claim, int64_t us)
{
	uint8_t derived[SECRET_HASH_BYTES];
	char signature[SECRET_SIGNATURE_SIZE];
	const char *text = arena_printf(claim->arena, "%lld %s", (long long)us, claim->browser);
	secret_derive(claim->key.bytes, "console passkey", derived);
	secret_sign(derived, str_from(text), signature);
	return arena_printf(claim->arena, "%lld.%s", (long long)us, signature);
}

const char *passkey_rp_id(const char *origin, struct arena *arena)
{
	const char *host = strstr(origin, "://");
	return host ? arena_strndup(arena, host + 3, strcspn(host + 3, ":/")) : "";
}

static bool is_own_challenge(struct passkey_claim *claim, const char *encoded)
{
	struct str text, rest, number;
	if (!encoded || !secret_from_base64url(claim->arena, str_from(encoded), &text))
		return false;
	rest = text;
	return str_split(&rest, '.', &number) && str_to_int64(number, &claim->made_us) &&
	       secret_is_equal(text, str_from(passkey_challenge(claim, claim->made_us))) &&
	       claim->made_us / 1000000 + PASSKEY_CHALLENGE_S > claim->now.s;
}

/* Checks the client data. It is parsed as JSON, because browsers may add members (section 5.8.1).
 */
static enum result check_client(struct passkey_claim *claim, struct str data, const char *type)
{
	struct json_object *root;
	struct error unread = { 0 };
	const char *texts[3];
	static const char *const names[] = { "type", "origin", "challenge" };
	enum result result = json_read(data, &root, &unread);
	if (result != OK)
		return result == E_BUSY ? result : refuse(claim, "the client data is no JSON");
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		texts[i] = json_text(json_member(root, names[i]), claim->arena);
	json_free(root);
	if (!texts[0] || strcmp(texts[0], type) != 0)
		return refuse(claim, "another type");
	if (!texts[1] || !texts[1][0] || strcmp(texts[1], claim->origin) != 0)
		return refuse(claim, "another origin");
	return is_own_challenge(claim, texts[2]) ? OK
						 : refuse(claim, "another challenge, or too old");
}

struct parts {
	struct str client, data, key_or_signature, id;
	const char *texts[4]; /* the parts in base64url */
};

static enum result check(struct passkey_claim *claim, const char *type,
			 struct user_passkey *passkey, struct parts *parts)
{
	uint8_t hash[SECRET_HASH_BYTES];
	struct str *decoded[] = { &parts->client, &parts->data, &parts->key_or_signature,
				  &parts->id };
	struct str rest = str_from(claim->text), item;
	for (size_t i = 0; i < ARRAY_LEN(decoded); i++) {
		if (!str_split(&rest, '.', &item) ||
		    !secret_from_base64url(claim->arena, item, decoded[i]))
			return refuse(claim, "not four parts in base64url");
		parts->texts[i] = arena_strndup(claim->arena, item.data, item.len);
	}
	enum result result = check_client(claim, parts->client, type);
	if (result != OK)
		return result;
	const uint8_t *data = (const uint8_t *)parts->data.data;
	if (parts->data.len < DATA_MIN)
		return refuse(claim, "the authenticator data is too short");
	secret_hash(str_from(passkey->rp_id), hash);
	if (memcmp(data, hash, sizeof(hash)) != 0)
		return refuse(claim, "another host");
	if ((data[FLAGS_AT] & FLAGS_PRESENT_AND_VERIFIED) != FLAGS_PRESENT_AND_VERIFIED)
		return refuse(claim, "the person was not verified");
	passkey->counter = 0;
	for (size_t i = COUNTER_AT; i < DATA_MIN; i++)
		passkey->counter = passkey->counter << 8 | data[i];
	pthread_once(&once, load_library);
	return failure[0] ? error_log(claim->error, E_FAILED, "libcrypto: %s", failure) : OK;
}

/* Reads a public key. Returns NULL if it is not the SubjectPublicKeyInfo of an uncompressed point
 * on P-256. */
static EVP_PKEY *read_key(struct str data)
{
	static const uint8_t start[] = { 0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48,
					 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48,
					 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04 };
	enum { KEY_BYTES = 91 };
	const uint8_t *at = (const uint8_t *)data.data;
	bool is_p256 = data.len == KEY_BYTES && memcmp(at, start, sizeof(start)) == 0;
	return is_p256 ? crypto.read_key(NULL, &at, KEY_BYTES) : NULL;
}

enum result passkey_read_new(struct passkey_claim *claim, struct user_passkey *passkey)
{
	struct parts parts;
	passkey->rp_id = passkey_rp_id(claim->origin, claim->arena);
	enum result result = check(claim, "webauthn.create", passkey, &parts);
	if (result != OK)
		return result;
	const uint8_t *data = (const uint8_t *)parts.data.data;
	const struct str id = parts.id;
	if (!(data[FLAGS_AT] & FLAG_HAS_CREDENTIAL) || id.len == 0 || id.len > ID_MAX ||
	    parts.data.len < ID_AT + id.len || data[ID_LENGTH_AT] != 0 ||
	    data[ID_LENGTH_AT + 1] != id.len || memcmp(data + ID_AT, id.data, id.len) != 0)
		return refuse(claim, "another credential id");
	EVP_PKEY *key = read_key(parts.key_or_signature);
	if (!key)
		return refuse(claim, "the public key is not of P-256");
	crypto.free_key(key);
	passkey->public_key = parts.texts[2];
	passkey->credential_id = parts.texts[3];
	return OK;
}

static bool is_signed(EVP_PKEY *key, const uint8_t *text, size_t len, struct str signature)
{
	EVP_MD_CTX *context = crypto.begin();
	bool is_right = context && crypto.start(context, NULL, crypto.sha256(), NULL, key) == 1 &&
			crypto.verify(context, (const uint8_t *)signature.data, signature.len, text,
				      len) == 1;
	crypto.end(context);
	return is_right;
}

enum result passkey_verify(struct passkey_claim *claim, struct user_passkey *passkey)
{
	struct parts parts;
	struct str stored;
	if (strcmp(passkey->rp_id, passkey_rp_id(claim->origin, claim->arena)) != 0)
		return refuse(claim, "made at another host");
	enum result result = check(claim, "webauthn.get", passkey, &parts);
	if (result != OK)
		return result;
	uint8_t *text = arena_alloc(claim->arena, parts.data.len + SECRET_HASH_BYTES);
	memcpy(text, parts.data.data, parts.data.len);
	secret_hash(parts.client, text + parts.data.len);
	EVP_PKEY *key = NULL;
	if (secret_from_base64url(claim->arena, str_from(passkey->public_key), &stored))
		key = read_key(stored);
	bool is_right = key && is_signed(key, text, parts.data.len + SECRET_HASH_BYTES,
					 parts.key_or_signature);
	crypto.free_key(key);
	return is_right ? OK : refuse(claim, "wrong signature");
}
