/*
 * DNS queries by c-ares, following aliases (CNAME).
 *
 * A query blocks the thread for at most DNS_PATIENCE_MS. The answer uses at most 64 KiB of the
 * arena. In addition, dns_read_texts() uses at most DNS_TEXTS_MAX * DNS_TEXT_MAX_BYTES for texts.
 */
#ifndef WIRE_DNS_H
#define WIRE_DNS_H

#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"

enum { DNS_PATIENCE_MS = 3000, DNS_TEXTS_MAX = 256, DNS_TEXT_MAX_BYTES = 512 };

/*
 * Queries the records of `name` with this type (RFC 1035 section 3.2.2). `servers`: addresses such
 * as "192.0.2.1:53", separated by commas; NULL: the system's servers. *answer is a DNS message,
 * owned by the arena. Returns E_NOT_FOUND if the name does not exist or has no such record. Returns
 * E_UNAVAILABLE if no valid answer came: the error's text for the client is the reason.
 */
enum result dns_ask(const char *servers, const char *name, int type, struct arena *arena,
		    struct str *answer, struct error *error) MUST_USE;

struct dns_texts {
	/* One row for each record, with its strings joined; owned by the arena. Records longer than
	 * DNS_TEXT_MAX_BYTES are omitted. */
	struct str rows[DNS_TEXTS_MAX];
	size_t count;
};

/* Queries TXT records. Returns the same results as dns_ask(). */
enum result dns_read_texts(const char *servers, const char *name, struct arena *arena,
			   struct dns_texts *texts, struct error *error) MUST_USE;

struct ares_channeldata;
struct ares_options;

/* Opens a channel of c-ares, with EDNS. Set options->timeout (in milliseconds) and options->tries;
 * `mask` names other options that are set. `servers`: see dns_ask(). Returns an ARES_ status. */
int dns_open_channel(struct ares_channeldata **channel, struct ares_options *options, int mask,
		     const char *servers);

#endif
