/*
 * Compares the decoders with the results of independent parsers.
 *
 * The cases are JSON files in tests/unit/wire/corpora, and in the folder that $DAYMARK_CORPORA
 * names. A case of level "must" or "should" passes with any of its accepted outcomes.
 */
#include "unit/lib/unit.h"

#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>

#include <sodium.h>

#include "base/buf.h"
#include "base/secret.h"
#include "unit/lib/recorder.h"
#include "wire/mediatype.h"

static struct recorder whole;

static const char *text_of(struct json_object *object, const char *key)
{
	struct json_object *value;
	return json_object_object_get_ex(object, key, &value) ? json_object_get_string(value)
							      : NULL;
}

static struct json_object *member(struct json_object *object, const char *key)
{
	struct json_object *value;
	return json_object_object_get_ex(object, key, &value) ? value : NULL;
}

static struct str from_base64(const char *text)
{
	size_t room = strlen(text) + 1, len;
	char *bytes = malloc(room);
	assert_int_equal(0, sodium_base642bin((uint8_t *)bytes, room, text, strlen(text), "\n",
					      &len, NULL, sodium_base64_VARIANT_ORIGINAL));
	return (struct str){ bytes, len };
}

static struct str body_of(struct json_object *test)
{
	const char *plain = text_of(test, "body_b64"), *packed = text_of(test, "body_z_b64");
	if (plain)
		return from_base64(plain);
	enum { ROOM = 32 << 20 };
	struct str from = from_base64(packed);
	uLongf len = ROOM;
	char *bytes = malloc(ROOM);
	assert_int_equal(Z_OK,
			 uncompress((Bytef *)bytes, &len, (const Bytef *)from.data, from.len));
	free((char *)(uintptr_t)from.data);
	return (struct str){ bytes, len };
}

static bool same_bytes(const char *base64, struct str value)
{
	struct str wanted = from_base64(base64);
	bool is_same = str_eq(wanted, value);
	free((char *)(uintptr_t)wanted.data);
	return is_same;
}

static bool same_hash(const char *hex, struct str value)
{
	uint8_t hash[SECRET_HASH_BYTES];
	char text[2 * SECRET_HASH_BYTES + 1];
	secret_hash(value, hash);
	sodium_bin2hex(text, sizeof(text), hash, sizeof(hash));
	return strcmp(text, hex) == 0;
}

/* JSON cannot contain invalid UTF-8: the corpus has U+FFFD for each such byte. */
static bool same_filename(struct json_object *part, const struct pair *pair)
{
	struct json_object *wanted = member(part, "filename");
	if (!wanted)
		return pair->shape != PAIR_FILE;
	struct buf shown = BUF_INIT(1 << 20);
	for (size_t i = 0; i < pair->filename.len;) {
		size_t len = 1;
		while (len < 4 && !str_is_text((struct str){ pair->filename.data + i, len }) &&
		       i + len < pair->filename.len)
			len++;
		bool is_text = str_is_text((struct str){ pair->filename.data + i, len }) ||
			       pair->filename.data[i] == '\0';
		len = is_text && pair->filename.data[i] != '\0' ? len : 1;
		buf_add(&shown, is_text ? pair->filename.data + i : "\xef\xbf\xbd",
			is_text ? len : 3);
		i += len;
	}
	bool is_same = pair->shape == PAIR_FILE &&
		       str_eq((struct str){ json_object_get_string(wanted),
					    (size_t)json_object_get_string_len(wanted) },
			      (struct str){ shown.data ? shown.data : "", shown.len });
	buf_done(&shown);
	return is_same;
}

static bool same_parts(struct json_object *parts)
{
	if (json_object_array_length(parts) != whole.count)
		return false;
	for (size_t i = 0; i < whole.count; i++) {
		struct json_object *part = json_object_array_get_idx(parts, i);
		struct json_object *name = member(part, "name");
		if (!str_eq((struct str){ json_object_get_string(name),
					  (size_t)json_object_get_string_len(name) },
			    whole.pairs[i].name) ||
		    !same_filename(part, &whole.pairs[i]) ||
		    !same_hash(text_of(part, "sha256"), whole.pairs[i].value))
			return false;
	}
	return true;
}

static bool same_pairs(struct json_object *pairs)
{
	if (json_object_array_length(pairs) != whole.count)
		return false;
	for (size_t i = 0; i < whole.count; i++) {
		struct json_object *pair = json_object_array_get_idx(pairs, i);
		if (!same_bytes(json_object_get_string(json_object_array_get_idx(pair, 0)),
				whole.pairs[i].name) ||
		    !same_bytes(json_object_get_string(json_object_array_get_idx(pair, 1)),
				whole.pairs[i].value))
			return false;
	}
	return true;
}

/* The corpus has a digest of "len:name len:value" for long lists. */
static bool same_digest(struct json_object *outcome)
{
	crypto_hash_sha256_state state;
	uint8_t hash[SECRET_HASH_BYTES];
	char head[24], text[2 * SECRET_HASH_BYTES + 1];
	crypto_hash_sha256_init(&state);
	for (size_t i = 0; i < whole.count; i++) {
		struct str both[2] = { whole.pairs[i].name, whole.pairs[i].value };
		for (size_t j = 0; j < 2; j++) {
			int len = snprintf(head, sizeof(head), "%zu:", both[j].len);
			crypto_hash_sha256_update(&state, (const uint8_t *)head, (size_t)len);
			crypto_hash_sha256_update(&state, (const uint8_t *)both[j].data,
						  both[j].len);
		}
	}
	crypto_hash_sha256_final(&state, hash);
	sodium_bin2hex(text, sizeof(text), hash, sizeof(hash));
	return strcmp(text, text_of(outcome, "pairs_digest")) == 0;
}

static bool is_outcome(struct json_object *outcome, enum result result)
{
	struct json_object *parts = member(outcome, "parts"), *pairs = member(outcome, "pairs");
	if (member(outcome, "error"))
		return result != OK;
	if (result != OK)
		return false;
	if (parts)
		return same_parts(parts);
	if (pairs)
		return same_pairs(pairs);
	if (member(outcome, "pairs_digest"))
		return same_digest(outcome);
	/* The corpus has only the number and a digest of the parts: compare the number. */
	struct json_object *count = member(outcome, "parts_count");
	return count && (size_t)json_object_get_int64(count) == whole.count;
}

static bool is_accepted_multipart(struct json_object *test, enum result result)
{
	struct json_object *outcomes = member(test, "outcomes"), *accept = member(test, "accept");
	bool may_refuse = member(test, "limit") || member(test, "accept_error") ||
			  (text_of(test, "want") && strcmp(text_of(test, "want"), "error") == 0);
	if (may_refuse && result != OK)
		return true;
	for (size_t i = 0; i < json_object_array_length(accept); i++) {
		int at = json_object_get_int(json_object_array_get_idx(accept, i));
		if (is_outcome(json_object_array_get_idx(outcomes, (size_t)at), result))
			return true;
	}
	return false;
}

static bool is_accepted_urlencoded(struct json_object *test, enum result result)
{
	struct json_object *accept = member(test, "accept");
	if (is_outcome(member(test, "expect"), result))
		return true;
	for (size_t i = 0; accept && i < json_object_array_length(accept); i++)
		if (is_outcome(json_object_array_get_idx(accept, i), result))
			return true;
	return false;
}

static enum result decode(struct json_object *test, struct str body, struct recorder *recorder)
{
	const char *content_type = text_of(test, "content_type");
	struct error error = { 0 };
	struct mediatype mediatype;
	recorder_init(recorder);
	if (!content_type)
		return record_urlencoded(recorder, body, &error);
	mediatype_parse(str_from(content_type), &mediatype);
	if (mediatype.type != BODY_MULTIPART)
		return E_MALFORMED;
	return record_multipart(recorder, mediatype.boundary, body, &error);
}

static bool run_case(struct json_object *test)
{
	const char *level = text_of(test, "level"), *id = text_of(test, "id");
	struct str body = body_of(test);
	enum result result = decode(test, body, &whole);
	bool is_good = true;
	bool is_accepted = text_of(test, "content_type") ? is_accepted_multipart(test, result)
							 : is_accepted_urlencoded(test, result);
	if (!is_accepted && strcmp(level, "open") != 0) {
		print_error("%s (%s): result %d, %s\n", id, level, (int)result,
			    whole.count < 20 ? recorder_text(&whole) : "many pairs");
		is_good = false;
	}
	recorder_done(&whole);
	free((char *)(uintptr_t)body.data);
	return is_good;
}

static void run_file(const char *folder, const char *name)
{
	char path[4096];
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	struct json_object *root = json_object_from_file(path);
	assert_non_null(root);
	struct json_object *cases = member(root, "cases");
	size_t failed = 0, count = json_object_array_length(cases);
	for (size_t i = 0; i < count; i++)
		failed += !run_case(json_object_array_get_idx(cases, i));
	json_object_put(root);
	assert_true(count > 0);
	if (failed > 0)
		fail_msg("%zu of %zu cases of %s", failed, count, name);
}

static const char *given_folder(void)
{
	const char *folder = getenv("DAYMARK_CORPORA");
	if (!folder || access(folder, R_OK) != 0)
		skip();
	return folder;
}

static void own_multipart_cases(void **state)
{
	(void)state;
	run_file(TESTS_DIR "/unit/wire/corpora", "multipart.json");
}

static void own_urlencoded_cases(void **state)
{
	(void)state;
	run_file(TESTS_DIR "/unit/wire/corpora", "urlencoded.json");
}

static void given_multipart_cases(void **state)
{
	(void)state;
	run_file(given_folder(), "multipart.json");
}

static void given_urlencoded_cases(void **state)
{
	(void)state;
	run_file(given_folder(), "urlencoded.json");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(own_multipart_cases),
		cmocka_unit_test(own_urlencoded_cases),
		cmocka_unit_test(given_multipart_cases),
		cmocka_unit_test(given_urlencoded_cases),
	};
	secret_init();
	return RUN(tests);
}
