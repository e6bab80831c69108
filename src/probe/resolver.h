/*
 * Resolves names by c-ares in an event loop; each thread has one resolver. Addresses are cached for
 * the time that their records allow, at most RESOLVER_KEEP_S. Failures are not cached. A change of
 * resolv.conf is noticed after at most RESOLVER_LOOK_MS. As in the C library, /etc/hosts has
 * precedence. The search domains of resolv.conf are not used, because they differ between checkers.
 */
#ifndef PROBE_RESOLVER_H
#define PROBE_RESOLVER_H

#include <sys/queue.h>
#include <sys/socket.h>

#include "base/error.h"
#include "base/loop.h"

enum {
	RESOLVER_ADDRESSES_MAX = 16,
	RESOLVER_KEEP_S = 60,
	RESOLVER_NAMES_MAX = 4096, /* in the cache */
	RESOLVER_LOOK_MS = 5000,
	/* At most RESOLVER_TURN_MAX questions are asked in RESOLVER_TURN_MS; more questions wait.
	 * Thousands of queries at once would overflow the buffers of sockets. */
	RESOLVER_TURN_MAX = 40,
	RESOLVER_TURN_MS = 20,
};

struct resolver;

/* The value of resolver_answer.why if this machine lacks descriptors or memory, so that the failure
 * says nothing about the name. Compare the pointer, not the text. */
extern const char resolver_lacks_means[];

/*
 * Opens a resolver. `servers` is "address[:port]", separated by commas; NULL: the servers of
 * resolv.conf. E_INVALID: the text has another form; E_FAILED: this machine lacks memory or
 * descriptors.
 */
enum result resolver_open(struct resolver **resolver, struct loop *loop, const char *servers,
			  struct error *error) MUST_USE;
/* Closes the resolver. No resolution may be waiting for it. Accepts NULL. */
void resolver_close(struct resolver *resolver);

struct resolver_answer {
	/* why there is no answer, such as "the name does not exist"; NULL: there is an answer */
	const char *why;
	/* IPv6 and IPv4 addresses alternate, beginning with IPv6; the port is 0. */
	size_t count;
	struct sockaddr_storage addresses[RESOLVER_ADDRESSES_MAX];
	/* The answer to resolver_ask(): a DNS message (RFC 1035 section 4). */
	const unsigned char *message;
	size_t len;
};

struct resolution {
	/* Called once, perhaps by resolver_start() or resolver_ask() itself. Must not close the
	 * resolver. *answer is valid until `call` returns. */
	void (*call)(void *context, const struct resolver_answer *answer);
	void *context;

	/* private */
	struct resolver_query *query;  /* NULL: nothing is asked */
	LIST_ENTRY(resolution) others; /* links the resolutions that get the same answer */
};

/* Asks for the addresses of `host`, a name or an address. Resolutions that wait for the same name
 * share one question and its answer. */
void resolver_start(struct resolver *resolver, struct resolution *resolution, const char *host);
/* Asks for records. `type` is a number of RFC 1035 section 3.2.2. Ignores search domains and the
 * cache. */
void resolver_ask(struct resolver *resolver, struct resolution *resolution, const char *name,
		  int type);
/* Cancels the resolution: `call` is not called after this. Has no effect before the start or after
 * `call`. */
void resolver_cancel(struct resolution *resolution);

#endif
