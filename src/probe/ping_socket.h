/*
 * A socket for pings of a family: a datagram socket, if the system allows it
 * (net.ipv4.ping_group_range), else a raw socket (CAP_NET_RAW). A raw socket receives the replies
 * to other programs, too.
 */
#ifndef PROBE_PING_SOCKET_H
#define PROBE_PING_SOCKET_H

#include <sys/socket.h>

#include "base/loop.h"
#include "probe/icmp.h"

struct ping_socket {
	/* A reply, whose token says to which ping. */
	void (*reply)(void *context, const struct icmp_echo *echo,
		      const struct sockaddr_storage *from);
	/* A request did not reach `to`; the echo may have no token. */
	void (*fail)(void *context, const struct icmp_echo *echo, const struct sockaddr_storage *to,
		     int error);
	void *context;
	struct loop *loop;
	int family;

	/* Private. */
	bool is_raw;
	bool is_refused;
	int error; /* why there is no socket */
	uint16_t id;
	uint16_t sequence; /* of the last request */
	struct loop_watch watch;
};

/* Opens the socket at the first use. False, with socket->error: EPERM and EACCES stay. */
bool ping_socket_open(struct ping_socket *socket);
/* Accepts a socket that is not open. */
void ping_socket_close(struct ping_socket *socket);
/* Returns 0 or an errno. */
int ping_socket_send(struct ping_socket *socket, const struct sockaddr_storage *to,
		     const uint8_t token[ICMP_TOKEN_BYTES], uint16_t *sequence);
/* For ids and tokens. */
void ping_random(void *bytes, size_t len);

#endif
