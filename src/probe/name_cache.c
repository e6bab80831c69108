#include "probe/name_cache.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "base/memory.h"

struct cached_name {
	char *host;
	int64_t until_ms;
	size_t count;
	struct sockaddr_storage *addresses;
};

/* Returns the only place in the cache where the name may be: its hash selects the place. */
static struct cached_name *place_of(const struct name_cache *cache, const char *host)
{
	size_t hash = 0;
	for (; *host; host++)
		hash = hash * 31 + (size_t)tolower((unsigned char)*host);
	return &cache->places[hash % RESOLVER_NAMES_MAX];
}

static void forget(struct cached_name *name)
{
	free(name->host);
	free(name->addresses);
	*name = (struct cached_name){ 0 };
}

void name_cache_keep(struct name_cache *cache, const char *host,
		     const struct resolver_answer *answer, int64_t until_ms)
{
	size_t size = answer->count * sizeof(*answer->addresses);
	if (!cache->places)
		cache->places = memory_needed(calloc(RESOLVER_NAMES_MAX, sizeof(*cache->places)));
	struct cached_name *name = place_of(cache, host);
	forget(name);
	name->host = memory_needed(strdup(host));
	name->addresses = memory_needed(malloc(size));
	memcpy(name->addresses, answer->addresses, size);
	name->count = answer->count;
	name->until_ms = until_ms;
}

bool name_cache_find(const struct name_cache *cache, const char *host,
		     struct resolver_answer *answer)
{
	const struct cached_name *name = cache->places ? place_of(cache, host) : NULL;
	if (!name || !name->host || strcasecmp(name->host, host) != 0 ||
	    name->until_ms <= clock_ms())
		return false;
	answer->count = name->count;
	memcpy(answer->addresses, name->addresses, name->count * sizeof(*name->addresses));
	return true;
}

void name_cache_empty(struct name_cache *cache)
{
	for (size_t i = 0; cache->places && i < RESOLVER_NAMES_MAX; i++)
		forget(&cache->places[i]);
	free(cache->places);
	cache->places = NULL;
}
