/* A cache of the addresses of names. The TTL of the DNS records limits the age of an entry. A new
 * cache is all zeros. */
#ifndef PROBE_NAME_CACHE_H
#define PROBE_NAME_CACHE_H

#include "probe/resolver.h"

struct name_cache {
	struct cached_name *places; /* RESOLVER_NAMES_MAX entries; NULL: the cache is empty */
};

/* Keeps an answer until `until_ms`, a time of clock_ms(). May replace the entry of another name. */
void name_cache_keep(struct name_cache *cache, const char *host,
		     const struct resolver_answer *answer, int64_t until_ms);
/* Copies the addresses of the name to the answer. Returns false if the cache does not have them. */
bool name_cache_find(const struct name_cache *cache, const char *host,
		     struct resolver_answer *answer);
void name_cache_empty(struct name_cache *cache);

#endif
