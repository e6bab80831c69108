/*
 * DNS queries by c-ares, following aliases (CNAME).
 *
 * A question blocks the thread for at most DNS_PATIENCE_MS. Its message takes at most 64 KiB of the
 * arena, and texts at most DNS_TEXTS_MAX times DNS_TEXT_MAX_BYTES.
 */
#ifndef WIRE_DNS_H
#define WIRE_DNS_H

#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"

enum { DNS_PATIENCE_MS = 3000, DNS_TEXTS_MAX = 256, DNS_TEXT_MAX_BYTES = 512 };

/*
 * Queries servers for records of a type (RFC 1035 section 3.2.2). `servers`: addresses such as
 * "192.0.2.1:53", separated by commas; NULL: the system's servers. The answer is a DNS message,
 * owned by the arena. E_NOT_FOUND: the name does not exist or has no such record. E_UNAVAILABLE:
 * there was no valid answer; the client's text has the reason as c-ares gives it.
 */
enum result dns_ask(const char *servers, const char *name, int type, struct arena *arena,
		    struct str *answer, struct error *error) MUST_USE;

struct dns_texts {
	/* One row for each record, with its strings joined; owned by the arena. Records above
	 * DNS_TEXT_MAX_BYTES are omitted. */
	struct str rows[DNS_TEXTS_MAX];
	size_t count;
};

/* Asks for TXT records. The results are those of dns_ask(). */
enum result dns_read_texts(const char *servers, const char *name, struct arena *arena,
			   struct dns_texts *texts, struct error *error) MUST_USE;

struct ares_channeldata;
struct ares_options;

/* Opens a channel of c-ares for questions beside a loop. Its options are those of the mask, a
 * time-out in milliseconds, tries, EDNS, and the servers. Returns an ARES_ status. */
int dns_open_channel(struct ares_channeldata **channel, struct ares_options *options, int mask,
		     const char *servers);

#endif
