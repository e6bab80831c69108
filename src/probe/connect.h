/*
 * Connects to a host by TCP. Tries the host's addresses one after the other. The next attempt
 * begins when the last attempt has failed, or after CONNECT_NEXT_MS without a response. The first
 * connection that succeeds is used. This is RFC 8305 without a memory of earlier checks.
 */
#ifndef PROBE_CONNECT_H
#define PROBE_CONNECT_H

#include "probe/probe_type.h"

enum { CONNECT_NEXT_MS = 250 };

struct connecting {
	/*
	 * Called once, perhaps by connect_start() itself, but not if the check ends first. `error`
	 * is 0 after a success, otherwise an errno. After a success, watch.fd is connected and
	 * non-blocking, and the loop does not watch it.
	 */
	void (*call)(struct probe *probe, int error);
	/* The watch of the connection. The caller sets watch.call and watch.context. To keep the
	 * descriptor, the caller sets watch.fd to -1. */
	struct loop_watch watch;

	/* Private. */
	struct probe *probe;
	struct resolution resolution;
	int port;
	size_t count;
	size_t tried;
	size_t failed;
	int error;
	struct loop_timer timer; /* starts the attempt with the next address */
	struct connect_attempt {
		struct connecting *connecting;
		struct sockaddr_storage address;
		struct loop_watch watch;
	} attempts[RESOLVER_ADDRESSES_MAX];
};

/* Resolves the host, and connects to its addresses. Ends the check if there is no address. */
void connect_to_host(struct connecting *connecting, struct probe *probe, const char *host,
		     int port);
/* Connects to one of these addresses. The caller has checked that they are allowed. */
void connect_start(struct connecting *connecting, struct probe *probe,
		   const struct sockaddr_storage *addresses, size_t count, int port);
/* Ends all attempts, and closes the connection. May be called even after `call` was called. */
void connect_stop(struct connecting *connecting);

/* Returns the error that explains better why a host was not reached: `error` for an address of
 * `family`, or `former` for the addresses that were tried before (0: none). */
int connect_choose_error(int former, int error, int family);
/* Stops watching the descriptor, and closes it. Does nothing if watch->fd is -1. */
void connect_close(struct loop *loop, struct loop_watch *watch);
/* Ends the check as failed, with a text for `error`, the errno of a socket. If `error` is a lack of
 * descriptors, memory or ports on this machine, ends the check as void. */
void connect_fail(struct probe *probe, int error);
/* Returns the pending error of a socket as an errno; 0: none. */
int connect_error(int fd);

#endif
