/*
 * Connects to a host by TCP: the addresses are tried one after another, each when the address
 * before has failed or has not responded for CONNECT_NEXT_MS. The first connection counts (RFC
 * 8305, without the memory of former attempts).
 */
#ifndef PROBE_CONNECT_H
#define PROBE_CONNECT_H

#include "probe/probe_type.h"

enum { CONNECT_NEXT_MS = 250 };

struct connecting {
	/*
	 * Called once, unless the check has ended before. `error` is 0, and watch.fd is connected,
	 * does not block and is not watched; or `error` is an errno. May be called within
	 * connect_start().
	 */
	void (*call)(struct probe *probe, int error);
	/* The watch of the connection; the caller sets its call and context. A caller that takes
	 * over the descriptor sets it to -1. */
	struct loop_watch watch;

	/* Private. */
	struct probe *probe;
	struct resolution resolution;
	int port;
	size_t count;
	size_t tried;
	size_t failed;
	int error;
	struct loop_timer timer; /* of the next address */
	struct connect_attempt {
		struct connecting *connecting;
		struct sockaddr_storage address;
		struct loop_watch watch;
	} attempts[RESOLVER_ADDRESSES_MAX];
};

/* Resolves the host, and connects to its addresses. Without an address the check ends. */
void connect_to_host(struct connecting *connecting, struct probe *probe, const char *host,
		     int port);
/* Connects to addresses that the check may use. */
void connect_start(struct connecting *connecting, struct probe *probe,
		   const struct sockaddr_storage *addresses, size_t count, int port);
/* Closes the connection. May be called even after the call. */
void connect_stop(struct connecting *connecting);

/* Returns the error that better explains why a host is not reached. `error` is of an address of the
 * family; `former` is 0, or the error of an address tried before. */
int connect_choose_error(int former, int error, int family);
/* Closes the descriptor, if there is one. */
void connect_close(struct loop *loop, struct loop_watch *watch);
/* Ends the check as failed, with a text for the errno of a socket; or without an outcome if this
 * machine lacks descriptors, memory or ports. */
void connect_fail(struct probe *probe, int error);
/* Reads the error of a socket that a watch calls for; 0: there is none. */
int connect_error(int fd);

#endif
