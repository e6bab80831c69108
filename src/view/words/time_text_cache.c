#include "view/words/time_text_cache.h"

#include <pthread.h>
#include <string.h>

/* TEXT_MAX_BYTES is enough for two times with dates and time zones. A page with 20 systems has
 * about 400 texts; the cache has 2^SLOT_BITS slots. */
enum { SLOT_BITS = 10, TEXT_MAX_BYTES = 208 };

struct slot {
	struct time_text said;
	size_t len;
	char text[TEXT_MAX_BYTES];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct slot slots[1 << SLOT_BITS];

/* Hashes by multiplication. The highest bits are the slot, because they depend on all bits. */
static struct slot *slot_of(const struct time_text *said)
{
	const uint64_t golden = 0x9e3779b97f4a7c15;
	uint64_t hash = (uint64_t)said->from * golden;
	hash = (hash ^ (hash >> 32) ^ (uint64_t)said->to) * golden;
	hash = (hash ^ (hash >> 32) ^ (uint64_t)said->form) * golden;
	hash = (hash ^ (hash >> 32) ^ (uintptr_t)said->locale.words) * golden;
	hash = (hash ^ (hash >> 32) ^ (uintptr_t)said->locale.zone) * golden;
	return &slots[hash >> (64 - SLOT_BITS)];
}

static bool is_same(const struct time_text *a, const struct time_text *b)
{
	return a->form == b->form && a->from == b->from && a->to == b->to &&
	       a->locale.words == b->locale.words && a->locale.zone == b->locale.zone;
}

const char *time_text_find(const struct time_text *said, struct arena *arena)
{
	const struct slot *slot = slot_of(said);
	const char *text = NULL;
	pthread_mutex_lock(&lock);
	if (is_same(&slot->said, said))
		text = arena_strndup(arena, slot->text, slot->len);
	pthread_mutex_unlock(&lock);
	return text;
}

const char *time_text_keep(const struct time_text *said, const char *text)
{
	struct slot *slot = slot_of(said);
	size_t len = strlen(text);
	if (len > sizeof(slot->text))
		return text;
	pthread_mutex_lock(&lock);
	slot->said = *said;
	slot->len = len;
	memcpy(slot->text, text, len);
	pthread_mutex_unlock(&lock);
	return text;
}

void time_text_forget(void)
{
	pthread_mutex_lock(&lock);
	memset(slots, 0, sizeof(slots));
	pthread_mutex_unlock(&lock);
}
