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
	/* Once, unless the check has ended before: a socket that does not block, now the caller's.
	 * Otherwise -1 and an errno. May be called in connect_start(). */
	void (*call)(struct probe *probe, int fd, int error);

	/* Private. */
	struct probe *probe;
	struct resolution resolution;
	int port;
	struct sockaddr_storage addresses[RESOLVER_ADDRESSES_MAX];
	size_t count;
	size_t tried;
	size_t failed;
	int error;
	struct loop_timer timer; /* of the next address */
	struct connect_attempt {
		struct connecting *connecting;
		struct loop_watch watch;
	} attempts[RESOLVER_ADDRESSES_MAX];
};

/* Resolves the host, too. Without an address the check ends. */
void connect_to_host(struct connecting *connecting, struct probe *probe, const char *host,
		     int port);
/* Connects to addresses that the check may use. */
void connect_start(struct connecting *connecting, struct probe *probe,
		   const struct sockaddr_storage *addresses, size_t count, int port);
/* Also after the call. Closes what is not the caller's. */
void connect_stop(struct connecting *connecting);

/* Which of two errors of a host's addresses explains that it is not reached. `former` is 0 or of
 * another address than `error`, which is of an address of the family. */
int connect_choose_error(int former, int error, int family);
/* Ends the check with what the error of a socket means. */
void connect_fail(struct probe *probe, int error);
/* Reads the error of a socket that a watch calls for; 0: there is none. */
int connect_error(int fd);

#endif
