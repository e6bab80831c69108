/*
 * Checks by ping. A prober has one socket for each family: a datagram socket, if the system allows
 * it (net.ipv4.ping_group_range), else a raw socket (CAP_NET_RAW). Without both the check connects
 * by TCP, and says so in its note: a connection that the system refuses proves that it is there.
 *
 * A check sends up to PING_ROUNDS packets, at most a second apart, so that one lost packet is no
 * failure. The first goes to the first address, the others to the first address of each family. The
 * response time is that of the packet that was answered.
 */
#include <errno.h>
#include <time.h> /* errqueue.h needs it */

#include <linux/errqueue.h>
#include <linux/icmp.h>
#include <netinet/icmp6.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "probe/address.h"
#include "probe/connect.h"
#include "probe/icmp.h"

enum { PING_ROUNDS = 3, PING_SPACING_MS = 1000, FAMILIES = 2, PACKETS_IN_TURN = 64 };
/* For replies of one turn, also to other programs' pings. */
enum { RECEIVE_BUFFER_BYTES = 1 << 20 };

static const int tcp_ports[] = { 443, 80 };

struct ping_socket {
	struct probe_ping_shared *shared;
	int family;
	bool is_raw;
	bool is_tried;
	int error; /* why there is none */
	uint16_t id;
	uint16_t sequence; /* of the last packet */
	struct loop_watch watch;
};

struct ping_target {
	struct sockaddr_storage address;
	int error; /* of the last packet */
	size_t sent;
	uint16_t sequences[PING_ROUNDS];
	int64_t sent_us[PING_ROUNDS];
};

struct ping {
	LIST_ENTRY(ping) others;
	struct probe *probe;
	struct resolution resolution;
	struct loop_timer timer;
	uint8_t token[ICMP_TOKEN_BYTES];
	size_t rounds;
	size_t count;
	struct ping_target targets[FAMILIES];
	/* Without sockets for pings. */
	struct connecting connect;
	size_t port;
	size_t address_count;
	struct sockaddr_storage addresses[RESOLVER_ADDRESSES_MAX];
};

enum { BUCKETS = 256 };

struct probe_ping_shared {
	struct prober *prober;
	struct ping_socket sockets[FAMILIES];
	LIST_HEAD(, ping) running[BUCKETS]; /* by the first byte of the token */
};

/* Sockets */

static void receive(void *context);

static bool set_options(const struct ping_socket *socket, int fd)
{
	const int on = 1, buffer = RECEIVE_BUFFER_BYTES;
	const struct icmp_filter only_replies = { ~(1u << ICMP_ECHOREPLY) };
	struct icmp6_filter only_replies6;
	ICMP6_FILTER_SETBLOCKALL(&only_replies6);
	ICMP6_FILTER_SETPASS(ICMP6_ECHO_REPLY, &only_replies6);
	setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &buffer, sizeof(buffer));
	if (socket->family == AF_INET)
		return setsockopt(fd, SOL_IP, IP_RECVERR, &on, sizeof(on)) == 0 &&
		       (!socket->is_raw || setsockopt(fd, SOL_RAW, ICMP_FILTER, &only_replies,
						      sizeof(only_replies)) == 0);
	return setsockopt(fd, SOL_IPV6, IPV6_RECVERR, &on, sizeof(on)) == 0 &&
	       (!socket->is_raw || setsockopt(fd, IPPROTO_ICMPV6, ICMP6_FILTER, &only_replies6,
					      sizeof(only_replies6)) == 0);
}

static void fill_random(void *bytes, size_t len)
{
	if (getrandom(bytes, len, 0) != (ssize_t)len)
		die("ping: there is no randomness");
}

/* Opens the socket at the first use; again, if there were no descriptors. */
static bool has_socket(struct ping_socket *ping_socket)
{
	static const int types[] = { SOCK_DGRAM, SOCK_RAW };
	int protocol = ping_socket->family == AF_INET ? IPPROTO_ICMP : IPPROTO_ICMPV6, fd = -1;
	if (ping_socket->watch.is_watched)
		return true;
	if (ping_socket->is_tried)
		return false;
	for (size_t i = 0; i < ARRAY_LEN(types) && fd < 0; i++) {
		fd = socket(ping_socket->family, types[i] | SOCK_NONBLOCK | SOCK_CLOEXEC, protocol);
		ping_socket->is_raw = types[i] == SOCK_RAW;
	}
	ping_socket->error = errno;
	ping_socket->is_tried = fd < 0 && (errno == EPERM || errno == EACCES ||
					   errno == EAFNOSUPPORT || errno == EPROTONOSUPPORT);
	if (fd < 0)
		return false;
	if (ping_socket->is_raw)
		fill_random(&ping_socket->id, sizeof(ping_socket->id));
	if (set_options(ping_socket, fd) &&
	    loop_watch(ping_socket->shared->prober->loop, &ping_socket->watch, fd))
		return true;
	ping_socket->error = errno;
	close(fd);
	return false;
}

static struct probe_ping_shared *shared_of(struct prober *prober)
{
	static const int families[FAMILIES] = { AF_INET6, AF_INET };
	if (prober->ping)
		return prober->ping;
	prober->ping = calloc(1, sizeof(*prober->ping));
	if (!prober->ping)
		die("ping: out of memory");
	prober->ping->prober = prober;
	for (size_t i = 0; i < FAMILIES; i++) {
		struct ping_socket *socket = &prober->ping->sockets[i];
		socket->shared = prober->ping;
		socket->family = families[i];
		socket->watch = (struct loop_watch){ .call = receive, .context = socket };
	}
	return prober->ping;
}

void probe_ping_close(struct prober *prober)
{
	struct probe_ping_shared *shared = prober->ping;
	prober->ping = NULL;
	for (size_t i = 0; shared && i < FAMILIES; i++) {
		struct loop_watch *watch = &shared->sockets[i].watch;
		if (watch->is_watched) {
			loop_unwatch(prober->loop, watch);
			close(watch->fd);
		}
	}
	free(shared);
}

static struct ping_socket *socket_of(const struct ping *ping, const struct ping_target *target)
{
	struct ping_socket *sockets = ping->probe->prober->ping->sockets;
	return &sockets[target->address.ss_family == sockets[1].family];
}

/* Replies */

/* The packet's number; -1: the ping has sent no such packet to this address. */
static int number_of(const struct ping_target *target, const struct icmp_echo *echo,
		     const struct sockaddr_storage *address)
{
	char of_target[ADDRESS_TEXT_SIZE], other[ADDRESS_TEXT_SIZE];
	for (size_t i = 0; i < target->sent; i++)
		if (target->sequences[i] == echo->sequence &&
		    strcmp(address_text((const struct sockaddr *)&target->address, of_target),
			   address_text((const struct sockaddr *)address, other)) == 0)
			return (int)i;
	return -1;
}

static bool is_ours(const struct ping_socket *socket, const struct icmp_echo *echo)
{
	return !socket->is_raw || echo->id == socket->id;
}

static void take_reply(struct ping *ping, const struct ping_target *target, int number)
{
	struct probe_result *result = &ping->probe->result;
	result->first_byte_us = probe_elapsed_us(ping->probe);
	address_text((const struct sockaddr *)&target->address, result->address);
	probe_end(ping->probe, true, NULL);
	result->response_ms = (clock_us() - target->sent_us[number] + 500) / 1000;
	ping->count = 0;
}

static bool receive_reply(struct ping_socket *socket)
{
	uint8_t packet[ICMP_PACKET_MAX_BYTES];
	struct sockaddr_storage from;
	socklen_t from_len = sizeof(from);
	struct icmp_echo echo;
	struct ping *ping;
	ssize_t len = recvfrom(socket->watch.fd, packet, sizeof(packet), MSG_TRUNC,
			       (struct sockaddr *)&from, &from_len);
	if (len < 0)
		return errno != EAGAIN;
	if ((size_t)len > sizeof(packet) ||
	    !icmp_read_reply(socket->family, socket->is_raw && socket->family == AF_INET, packet,
			     (size_t)len, &echo) ||
	    !is_ours(socket, &echo))
		return true;
	LIST_FOREACH(ping, &socket->shared->running[echo.token[0]], others)
		if (memcmp(ping->token, echo.token, ICMP_TOKEN_BYTES) == 0)
			break;
	for (size_t i = 0; ping && i < ping->count; i++) {
		int number = number_of(&ping->targets[i], &echo, &from);
		if (number >= 0)
			take_reply(ping, &ping->targets[i], number);
	}
	return true;
}

/* Errors */

static void send_round(void *context);

/* The packet cannot reach the target. False: neither can others, and the check has failed. */
static bool has_other_target(struct ping *ping, struct ping_target *target, int error)
{
	target->error = error;
	for (size_t i = 0; i < ping->count; i++)
		if (ping->targets[i].error == 0)
			return true;
	ping->count = 0;
	connect_fail(ping->probe, error);
	return false;
}

static void judge_error(struct ping_socket *socket, const struct icmp_echo *echo,
			const struct sockaddr_storage *to, int error)
{
	for (size_t bucket = 0; bucket < BUCKETS; bucket++) {
		struct ping *ping;
		LIST_FOREACH(ping, &socket->shared->running[bucket], others)
			for (size_t i = 0; i < ping->count; i++)
				if (number_of(&ping->targets[i], echo, to) >= 0 &&
				    (!echo->has_token ||
				     memcmp(ping->token, echo->token, ICMP_TOKEN_BYTES) == 0)) {
					bool has_other =
						has_other_target(ping, &ping->targets[i], error);
					if (has_other && ping->rounds == 1)
						send_round(ping);
					return;
				}
	}
}

static bool receive_error(struct ping_socket *socket)
{
	uint8_t packet[ICMP_PACKET_MAX_BYTES];
	_Alignas(struct cmsghdr) char control[512];
	struct sockaddr_storage to = { 0 };
	struct iovec part = { packet, sizeof(packet) };
	struct msghdr message = { .msg_name = &to,
				  .msg_namelen = sizeof(to),
				  .msg_iov = &part,
				  .msg_iovlen = 1,
				  .msg_control = control,
				  .msg_controllen = sizeof(control) };
	struct icmp_echo echo;
	ssize_t len = recvmsg(socket->watch.fd, &message, MSG_ERRQUEUE);
	if (len < 0)
		return false;
	for (struct cmsghdr *part_of = CMSG_FIRSTHDR(&message); part_of;
	     part_of = CMSG_NXTHDR(&message, part_of)) {
		const struct sock_extended_err *error = (const void *)CMSG_DATA(part_of);
		bool is_error =
			(part_of->cmsg_level == SOL_IP && part_of->cmsg_type == IP_RECVERR) ||
			(part_of->cmsg_level == SOL_IPV6 && part_of->cmsg_type == IPV6_RECVERR);
		if (is_error && icmp_read_quoted(socket->family, packet, (size_t)len, &echo) &&
		    is_ours(socket, &echo))
			judge_error(socket, &echo, &to, (int)error->ee_errno);
	}
	return true;
}

static void receive(void *context)
{
	struct ping_socket *socket = context;
	int left = PACKETS_IN_TURN;
	if (socket->watch.ready & EPOLLERR)
		while (left-- > 0 && receive_error(socket))
			continue;
	for (left = PACKETS_IN_TURN; left > 0 && receive_reply(socket); left--)
		continue;
}

/* Requests */

static int send_request(struct ping *ping, struct ping_target *target)
{
	struct ping_socket *socket = socket_of(ping, target);
	struct icmp_echo echo = { .id = socket->id, .sequence = ++socket->sequence };
	uint8_t packet[ICMP_ECHO_BYTES];
	memcpy(echo.token, ping->token, sizeof(echo.token));
	icmp_write_request(socket->family, &echo, packet);
	target->sent_us[target->sent] = clock_us();
	target->sequences[target->sent++] = echo.sequence;
	/* The first result may be an error of another packet, which the kernel tells once. */
	for (int i = 0; i < 2; i++)
		if (sendto(socket->watch.fd, packet, sizeof(packet), MSG_NOSIGNAL,
			   (const struct sockaddr *)&target->address,
			   address_len(&target->address)) >= 0)
			return 0;
	return errno;
}

static void send_round(void *context)
{
	struct ping *ping = context;
	struct loop *loop = ping->probe->prober->loop;
	int64_t spacing_ms = ping->probe->settings->timeout * 1000 / PING_ROUNDS;
	size_t round = ping->rounds++;
	if (ping->rounds < PING_ROUNDS)
		loop_timer_set(
			loop, &ping->timer,
			clock_ms() + (spacing_ms < PING_SPACING_MS ? spacing_ms : PING_SPACING_MS));
	for (size_t i = 0; i < ping->count; i++) {
		struct ping_target *target = &ping->targets[i];
		int error = target->error ? target->error : send_request(ping, target);
		if (error != 0 && target->error == 0)
			has_other_target(ping, target, error);
		else if (error == 0 && round == 0)
			return;
	}
}

/* By TCP */

static void connect_next(struct ping *ping);

static void take_connection(struct probe *probe, int fd, int error)
{
	struct ping *ping = probe->own;
	if (fd >= 0)
		close(fd);
	if (fd >= 0 || error == ECONNREFUSED)
		probe_end(probe, true, NULL);
	else if (ping->port < ARRAY_LEN(tcp_ports))
		connect_next(ping);
	else
		connect_fail(probe, error);
}

static void connect_next(struct ping *ping)
{
	struct probe *probe = ping->probe;
	int port = tcp_ports[ping->port++];
	snprintf(probe->result.note, sizeof(probe->result.note),
		 "no right to send ICMP: TCP connection to port %d", port);
	connect_stop(&ping->connect);
	connect_start(&ping->connect, probe, ping->addresses, ping->address_count, port);
}

/* The check */

/* Keeps the first address of each family that pings can be sent to. */
static void choose_targets(struct ping *ping)
{
	for (size_t i = 0; i < ping->address_count && ping->count < FAMILIES; i++) {
		struct ping_target *target = &ping->targets[ping->count];
		target->address = ping->addresses[i];
		if ((ping->count == 0 ||
		     target->address.ss_family != ping->targets[0].address.ss_family) &&
		    has_socket(socket_of(ping, target)))
			ping->count++;
	}
}

static void take_addresses(void *context, const struct sockaddr_storage *found, size_t count,
			   const char *why)
{
	struct ping *ping = context;
	struct probe *probe = ping->probe;
	struct probe_ping_shared *shared = probe->prober->ping;
	ping->address_count = probe_judge(probe, found, count, why, ping->addresses);
	if (ping->address_count == 0)
		return;
	choose_targets(ping);
	int error = shared->sockets[ping->addresses[0].ss_family == AF_INET].error;
	if (ping->count > 0)
		send_round(ping);
	else if (error == EPERM || error == EACCES)
		connect_next(ping);
	else
		connect_fail(probe, error);
}

static void ping_start(struct probe *probe)
{
	struct probe_ping_shared *shared = shared_of(probe->prober);
	struct check_target target;
	struct ping *ping = probe->own = calloc(1, sizeof(*ping));
	if (!ping)
		die("ping: out of memory");
	fill_random(ping->token, sizeof(ping->token));
	ping->probe = probe;
	ping->connect.call = take_connection;
	ping->timer = (struct loop_timer){ .call = send_round, .context = ping };
	ping->resolution = (struct resolution){ .call = take_addresses, .context = ping };
	LIST_INSERT_HEAD(&shared->running[ping->token[0]], ping, others);
	if (check_target_read(probe->settings->url, &target))
		resolver_start(probe->prober->resolver, &ping->resolution, target.host);
	else
		probe_end(probe, false, "the address of the system is not valid");
}

static void ping_stop(struct probe *probe)
{
	struct ping *ping = probe->own;
	LIST_REMOVE(ping, others);
	resolver_cancel(&ping->resolution);
	loop_timer_cancel(probe->prober->loop, &ping->timer);
	connect_stop(&ping->connect);
	free(ping);
}

const struct probe_type probe_ping = { ping_start, ping_stop, false };
