/*
 * Resolves names beside a loop, by c-ares: one channel for a thread. Addresses are cached for the
 * time that their records allow, at most RESOLVER_KEEP_S, failures not at all. A resolv.conf that
 * has changed is read again.
 */
#ifndef PROBE_RESOLVER_H
#define PROBE_RESOLVER_H

#include <ares.h>
#include <sys/socket.h>

#include "base/error.h"
#include "base/loop.h"

enum { RESOLVER_ADDRESSES_MAX = 16, RESOLVER_KEEP_S = 60 };

struct resolver;

enum result resolver_open(struct resolver **resolver, struct loop *loop, const char *servers,
			  struct error *error) MUST_USE;
void resolver_close(struct resolver *resolver);

struct resolution {
	/* Once, never within resolver_start(): count 0 with `why` ("the name does not exist"). */
	void (*call)(void *context, const struct sockaddr_storage *addresses, size_t count,
		     const char *why);
	void *context;
	/* private */
	struct resolver *resolver;
	struct loop_timer timer;
	void *own;
};
/* `host` is a name or an address, and stays until the call. Ports of the addresses are 0. */
void resolver_start(struct resolver *resolver, struct resolution *resolution, const char *host);
void resolver_cancel(struct resolution *resolution);

/* For checks of type dns: asks for the records of a type (RFC 1035 section 3.2.2). The callback is
 * as c-ares defines it. `servers` as above. */
struct dns_question {
	void (*call)(void *context, int status, const unsigned char *answer, int len);
	void *context;
	struct resolver *resolver; /* its own, if servers were named */
};

#endif
