/*
 * Connects to a host by TCP: the addresses are tried one after another, the next when one has
 * failed or has not responded for CONNECT_NEXT_MS. The first connection counts (RFC 8305, without
 * the memory of former attempts).
 */
#ifndef PROBE_CONNECT_H
#define PROBE_CONNECT_H

#include "probe/probe_type.h"

enum { CONNECT_NEXT_MS = 250 };

struct connecting {
	/* Once, unless the check has ended before: 0, and watch.fd is connected, does not block and
	 * is not watched; or an errno. May be called in connect_start(). */
	void (*call)(struct probe *probe, int error);
	/* Of the connection. Its call and context are the caller's. Whoever takes the descriptor
	 * sets it to -1. */
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

/* Resolves the host, too. Without an address the check ends. */
void connect_to_host(struct connecting *connecting, struct probe *probe, const char *host,
		     int port);
/* Connects to addresses that the check may use. */
void connect_start(struct connecting *connecting, struct probe *probe,
		   const struct sockaddr_storage *addresses, size_t count, int port);
/* Also after the call. Closes the connection, too. */
void connect_stop(struct connecting *connecting);

/* Which of two errors of a host's addresses explains that it is not reached. `former` is 0 or of
 * another address than `error`, which is of an address of the family. */
int connect_choose_error(int former, int error, int family);
/* Closes the descriptor, if there is one. */
void connect_close(struct loop *loop, struct loop_watch *watch);
/* Ends the check as failed, with a text for the errno of a socket; or without an outcome if this
 * machine lacks descriptors, memory or ports. */
void connect_fail(struct probe *probe, int error);
/* Reads the error of a socket that a watch calls for; 0: there is none. */
int connect_error(int fd);

#endif
