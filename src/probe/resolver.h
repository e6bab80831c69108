/*
 * Resolves names beside a loop, by c-ares: one resolver for a thread. Addresses are cached for the
 * time that their records allow, at most RESOLVER_KEEP_S, failures not at all. The same name is
 * asked once at a time. A resolv.conf or /etc/hosts that has changed counts RESOLVER_LOOK_MS later.
 * As in the C library, /etc/hosts has precedence, and names are completed by the domains of
 * resolv.conf.
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
	/* Names that are asked at once, and in RESOLVER_TURN_MS; the others wait for their turn.
	 * Thousands of queries at once would overflow the buffers of sockets. */
	RESOLVER_ASKED_MAX = 4000,
	RESOLVER_TURN_MAX = 40,
	RESOLVER_TURN_MS = 20,
};

struct resolver;

/* The reason that says nothing about the name: this machine lacks descriptors. Compare the pointer.
 */
extern const char resolver_lacks_means[];

/* `servers` is "address[:port]", separated by commas; NULL: those of resolv.conf. E_INVALID: it is
 * another text; E_FAILED: there are no means. */
enum result resolver_open(struct resolver **resolver, struct loop *loop, const char *servers,
			  struct error *error) MUST_USE;
/* No resolution and no question may wait. Accepts NULL. */
void resolver_close(struct resolver *resolver);

struct resolution {
	/*
	 * Once, never within resolver_start(). IPv6 and IPv4 addresses alternate, beginning with
	 * IPv6; the port is 0. Without addresses `why` has the reason ("the name does not exist").
	 */
	void (*call)(void *context, const struct sockaddr_storage *addresses, size_t count,
		     const char *why);
	void *context;

	/* Private. */
	struct resolver *resolver;
	struct loop_timer timer;
	struct resolver_name *name;	/* that is asked for */
	struct resolver_answer *answer; /* of the call */
	LIST_ENTRY(resolution) others;	/* that wait for the name */
};

/* `host` is a name or an address. */
void resolver_start(struct resolver *resolver, struct resolution *resolution, const char *host);
/* Also after the call. */
void resolver_cancel(struct resolution *resolution);

/* A question for the records of a type, for checks of type dns. */
struct dns_question {
	/* Once, never within resolver_ask(): a DNS message (RFC 1035 section 4), or NULL and the
	 * reason. */
	void (*call)(void *context, const unsigned char *message, size_t len, const char *why);
	void *context;

	/* Private. */
	struct resolver *resolver;
	struct loop_timer timer;
	struct resolver_ask *ask;
};

/* The name is asked as it is, and without the cache. `type` as in RFC 1035 section 3.2.2. */
void resolver_ask(struct resolver *resolver, struct dns_question *question, const char *name,
		  int type);
void resolver_ask_cancel(struct dns_question *question);

#endif
