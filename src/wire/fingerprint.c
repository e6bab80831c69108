#include "wire/fingerprint.h"

/*
 * Hash for each pair the length of its name, its kind, the name, and the hash of its value. All
 * parts but the name have a fixed length, so different sequences of pairs never give the same
 * input.
 */
static enum result take_open(struct pair_sink *sink, const struct pair *pair, struct error *error)
{
	struct fingerprint *fingerprint = CONTAINER_OF(sink, struct fingerprint, sink);
	const uint64_t head[] = { pair->name.len, (uint64_t)pair->shape };
	secret_digest_add(&fingerprint->pairs, head, sizeof(head));
	secret_digest_add(&fingerprint->pairs, pair->name.data, pair->name.len);
	secret_digest_init(&fingerprint->value);
	return fingerprint->next->open(fingerprint->next, pair, error);
}

static enum result take_data(struct pair_sink *sink, struct str bytes, struct error *error)
{
	struct fingerprint *fingerprint = CONTAINER_OF(sink, struct fingerprint, sink);
	secret_digest_add(&fingerprint->value, bytes.data, bytes.len);
	return fingerprint->next->data(fingerprint->next, bytes, error);
}

static enum result take_close(struct pair_sink *sink, struct error *error)
{
	struct fingerprint *fingerprint = CONTAINER_OF(sink, struct fingerprint, sink);
	uint8_t hash[SECRET_HASH_BYTES];
	secret_digest_end(&fingerprint->value, hash);
	secret_digest_add(&fingerprint->pairs, hash, sizeof(hash));
	return fingerprint->next->close(fingerprint->next, error);
}

static bool has_members(struct pair_sink *sink, struct str name)
{
	struct pair_sink *next = CONTAINER_OF(sink, struct fingerprint, sink)->next;
	return next->has_members && next->has_members(next, name);
}

void fingerprint_init(struct fingerprint *fingerprint, struct pair_sink *next)
{
	*fingerprint = (struct fingerprint){
		.sink = { take_open, take_data, take_close, has_members },
		.next = next,
	};
	secret_digest_init(&fingerprint->pairs);
}

void fingerprint_end(struct fingerprint *fingerprint, uint8_t hash[SECRET_HASH_BYTES])
{
	secret_digest_end(&fingerprint->pairs, hash);
}
