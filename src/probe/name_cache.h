/* The addresses of names, for the time that their records allow. Starts as { 0 }. */
#ifndef PROBE_NAME_CACHE_H
#define PROBE_NAME_CACHE_H

#include "probe/resolver.h"

struct name_cache {
	struct cached_name *places; /* RESOLVER_NAMES_MAX; NULL: empty */
};

/* Keeps an answer until `until_ms`, a time of clock_ms(). May take the place of another name. */
void name_cache_keep(struct name_cache *cache, const char *host,
		     const struct resolver_answer *answer, int64_t until_ms);
/* Copies the addresses to the answer. False: they are not known. */
bool name_cache_find(const struct name_cache *cache, const char *host,
		     struct resolver_answer *answer);
void name_cache_empty(struct name_cache *cache);

#endif
