/*
 * DNS queries by c-ares, following aliases (CNAME).
 *
 * A query blocks the thread for at most DNS_PATIENCE_MS. The answer uses at most 64 KiB of the
 * arena. The texts of dns_read_texts() use at most DNS_TEXTS_MAX times DNS_TEXT_MAX_BYTES more.
 */
#ifndef WIRE_DNS_H
#define WIRE_DNS_H

#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"

enum { DNS_PATIENCE_MS = 3000, DNS_TEXTS_MAX = 256, DNS_TEXT_MAX_BYTES = 512 };

/*
 * Queries the records of a name that have a type (RFC 1035 section 3.2.2). `servers`: addresses
 * such as "192.0.2.1:53", separated by commas; NULL: the system's servers. The answer is a DNS
 * message, owned by the arena. Returns E_NOT_FOUND if the name does not exist or has no such
 * record. Returns E_UNAVAILABLE if no valid answer came: the error's text for the client is the
 * reason.
 */
enum result dns_ask(const char *servers, const char *name, int type, struct arena *arena,
		    struct str *answer, struct error *error) MUST_USE;

struct dns_texts {
	/* One row for each record, with its strings joined; owned by the arena. Records above
	 * DNS_TEXT_MAX_BYTES are omitted. */
	struct str rows[DNS_TEXTS_MAX];
	size_t count;
};

/* Queries TXT records. Returns the same results as dns_ask(). */
enum result dns_read_texts(const char *servers, const char *name, struct arena *arena,
			   struct dns_texts *texts, struct error *error) MUST_USE;

struct ares_channeldata;
struct ares_options;

/* Opens a channel of c-ares, with EDNS. `mask` names the options that are set in addition to
 * .timeout (in milliseconds) and .tries. `servers`: as for dns_ask(). Returns an ARES_ status. */
int dns_open_channel(struct ares_channeldata **channel, struct ares_options *options, int mask,
		     const char *servers);

#endif
