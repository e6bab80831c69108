/*
 * A question to the Domain Name System, by c-ares: the texts (TXT records) of a
 * name, wherever its aliases (CNAME) lead.
 *
 * Blocks its thread for DNS_PATIENCE_MS at most, and takes at most DNS_TEXTS_MAX times
 * DNS_TEXT_MAX_BYTES of the arena.
 */
#ifndef WIRE_DNS_H
#define WIRE_DNS_H

#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"

enum { DNS_PATIENCE_MS = 3000, DNS_TEXTS_MAX = 256, DNS_TEXT_MAX_BYTES = 512 };

struct dns_texts {
	/* A record each, its strings joined; the arena's. Longer records are left out. */
	struct str rows[DNS_TEXTS_MAX];
	size_t count;
};

/*
 * Asks `servers` ("192.0.2.1:53", several with commas), or with NULL those of the
 * system. E_NOT_FOUND: there is no such name, or it has no text. E_UNAVAILABLE: nobody
 * gave an answer that says so; the client's text has what c-ares calls it.
 */
enum result dns_read_texts(const char *servers, const char *name, struct arena *arena,
			   struct dns_texts *texts, struct error *error) MUST_USE;

#endif
