#include "wire/fingerprint.h"

/*
 * Hashes the length of the pair's name, the shape, the name, and the hash of the value. All of them
 * except the name have a fixed length, so the bytes of different sequences of pairs always differ.
 */
static enum result add_pair(struct pair_sink *sink, const struct pair *pair, struct error *error)
{
	struct fingerprint *fingerprint = CONTAINER_OF(sink, struct fingerprint, sink);
	const uint64_t head[] = { pair->name.len, (uint64_t)pair->shape };
	uint8_t hash[SECRET_HASH_BYTES];
	secret_hash(pair->value, hash);
	secret_digest_add(&fingerprint->pairs, head, sizeof(head));
	secret_digest_add(&fingerprint->pairs, pair->name.data, pair->name.len);
	secret_digest_add(&fingerprint->pairs, hash, sizeof(hash));
	return fingerprint->next->take(fingerprint->next, pair, error);
}

static bool has_members(struct pair_sink *sink, struct str name)
{
	struct pair_sink *next = CONTAINER_OF(sink, struct fingerprint, sink)->next;
	return next->has_members && next->has_members(next, name);
}

void fingerprint_init(struct fingerprint *fingerprint, struct pair_sink *next)
{
	*fingerprint = (struct fingerprint){
		.sink = { add_pair, has_members },
		.next = next,
	};
	secret_digest_init(&fingerprint->pairs);
}

void fingerprint_end(struct fingerprint *fingerprint, uint8_t hash[SECRET_HASH_BYTES])
{
	secret_digest_end(&fingerprint->pairs, hash);
}
