/*
 * Checks by ping. Each pinged address has a socket: a datagram socket if the kernel allows it
 * (net.ipv4.ping_group_range), otherwise a raw socket (CAP_NET_RAW). If the kernel allows neither,
 * the check connects by TCP, and says so in its note. A system that refuses the TCP connection also
 * counts as up.
 *
 * A check has up to PING_ROUNDS rounds, at most a second apart, so that one lost packet is no
 * failure. The first round sends a packet to the first address, each further round to the first
 * address of each family. The response time counts from the packet that was answered.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include <linux/icmp.h>
#include <netinet/icmp6.h>
#include <netinet/in.h>

#include "base/clock.h"
#include "base/log.h"
#include "probe/address.h"
#include "probe/connect.h"
#include "probe/icmp.h"

enum { PING_ROUNDS = 3, PING_SPACING_MS = 1000, FAMILIES = 2 };

static const int tcp_ports[] = { 443, 80 };

struct ping_target {
	struct ping *ping;
	struct sockaddr_storage address;
	struct loop_watch
		watch; /* watches the socket, which is connected to the address; fd -1: no socket */
	bool is_raw;
	int64_t sent_us[PING_ROUNDS]; /* sent_us[n]: when packet n was sent; 0: not sent yet */
};

struct ping {
	struct probe *probe;
	struct resolution resolution;
	struct loop_timer timer;
	uint8_t token[ICMP_TOKEN_BYTES];
	uint16_t rounds;
	int error; /* the errno that explains best why addresses failed: connect_choose_error() */
	bool lacks_right;
	size_t count;
	struct ping_target targets[FAMILIES];
	/* For a check by TCP, when the kernel allows no ICMP socket. */
	struct connecting connect;
	size_t port;
	size_t address_count;
	struct sockaddr_storage addresses[RESOLVER_ADDRESSES_MAX];
};

static void close_target(struct ping_target *target)
{
	connect_close(target->ping->probe->prober->loop, &target->watch);
}

static void close_targets(struct ping *ping)
{
	for (size_t i = 0; i < ping->count; i++)
		close_target(&ping->targets[i]);
}

static void drop_target(struct ping_target *target, int error)
{
	target->ping->error =
		connect_choose_error(target->ping->error, error, target->address.ss_family);
	close_target(target);
}

/* Whether a target with an open socket is left. If not, ends the check as failed. */
static bool has_target(struct ping *ping)
{
	for (size_t i = 0; i < ping->count; i++)
		if (ping->targets[i].watch.fd >= 0)
			return true;
	connect_fail(ping->probe, ping->error);
	return false;
}

/* Requests */

static int send_request(struct ping_target *target, uint16_t number)
{
	const struct ping *ping = target->ping;
	struct icmp_echo echo = { .sequence = number };
	uint8_t packet[ICMP_ECHO_BYTES];
	memcpy(echo.token, ping->token, sizeof(echo.token));
	icmp_write_request(target->address.ss_family, &echo, packet);
	target->sent_us[number] = clock_us();
	/* Try twice: the first send() may return the error of an earlier request. */
	for (int i = 0; i < 2; i++)
		if (send(target->watch.fd, packet, sizeof(packet), MSG_NOSIGNAL) >= 0)
			return 0;
	return errno;
}

static void send_round(void *context)
{
	struct ping *ping = context;
	int64_t spacing_ms = ping->probe->settings->timeout * 1000 / PING_ROUNDS;
	uint16_t round = ping->rounds++;
	if (ping->rounds < PING_ROUNDS)
		loop_timer_set(
			ping->probe->prober->loop, &ping->timer,
			clock_ms() + (spacing_ms < PING_SPACING_MS ? spacing_ms : PING_SPACING_MS));
	for (size_t i = 0; i < ping->count; i++) {
		struct ping_target *target = &ping->targets[i];
		int error = target->watch.fd >= 0 ? send_request(target, round) : 0;
		if (error != 0)
			drop_target(target, error);
		else if (target->watch.fd >= 0 && round == 0)
			return;
	}
	/* Fails the check if no address is left. */
	(void)has_target(ping);
}

/* Answers */

static bool is_of(const struct ping_target *target, const struct icmp_echo *echo)
{
	return echo->sequence < PING_ROUNDS && target->sent_us[echo->sequence] != 0 &&
	       (!echo->has_token ||
		memcmp(target->ping->token, echo->token, ICMP_TOKEN_BYTES) == 0);
}

static void take_reply(struct ping_target *target)
{
	struct probe *probe = target->ping->probe;
	int family = target->address.ss_family;
	uint8_t packet[ICMP_PACKET_MAX_BYTES];
	struct icmp_echo echo;
	struct sockaddr_storage from = { 0 };
	socklen_t from_len = sizeof(from);
	ssize_t len = recvfrom(target->watch.fd, packet, sizeof(packet), 0,
			       (struct sockaddr *)&from, &from_len);
	/* A datagram socket also receives replies of hosts that were not pinged. */
	if (len < 0 ||
	    !address_is_same((const struct sockaddr *)&from,
			     (const struct sockaddr *)&target->address) ||
	    !icmp_read_reply(family, target->is_raw && family == AF_INET, packet, (size_t)len,
			     &echo) ||
	    !is_of(target, &echo))
		return;
	probe->result.first_byte_us = probe_elapsed_us(probe);
	address_text((const struct sockaddr *)&target->address, probe->result.address);
	probe_end(probe, true, NULL);
	probe->result.response_ms = (clock_us() - target->sent_us[echo.sequence] + 500) / 1000;
	close_targets(target->ping);
}

/* Reads an ICMP error, which quotes a request. If the request is of this check, stops pinging the
 * address. */
static void take_error(struct ping_target *target)
{
	uint8_t packet[ICMP_PACKET_MAX_BYTES];
	struct icmp_echo echo;
	int error = connect_error(target->watch.fd);
	ssize_t len = recv(target->watch.fd, packet, sizeof(packet), MSG_ERRQUEUE);
	if (len < 0 || !icmp_read_quoted(target->address.ss_family, packet, (size_t)len, &echo) ||
	    !is_of(target, &echo))
		return;
	drop_target(target, error ? error : EHOSTUNREACH);
	if (has_target(target->ping) && target->ping->rounds == 1)
		send_round(target->ping);
}

static void receive(void *context)
{
	struct ping_target *target = context;
	if (target->watch.ready & EPOLLERR)
		take_error(target);
	else
		take_reply(target);
}

/* Sockets */

static bool set_options(const struct ping_target *target)
{
	const int on = 1, fd = target->watch.fd;
	const struct icmp_filter only_replies = { ~(1u << ICMP_ECHOREPLY) };
	struct icmp6_filter only_replies6;
	ICMP6_FILTER_SETBLOCKALL(&only_replies6);
	ICMP6_FILTER_SETPASS(ICMP6_ECHO_REPLY, &only_replies6);
	if (target->address.ss_family == AF_INET)
		return setsockopt(fd, SOL_IP, IP_RECVERR, &on, sizeof(on)) == 0 &&
		       (!target->is_raw || setsockopt(fd, SOL_RAW, ICMP_FILTER, &only_replies,
						      sizeof(only_replies)) == 0);
	return setsockopt(fd, SOL_IPV6, IPV6_RECVERR, &on, sizeof(on)) == 0 &&
	       (!target->is_raw || setsockopt(fd, IPPROTO_ICMPV6, ICMP6_FILTER, &only_replies6,
					      sizeof(only_replies6)) == 0);
}

static void open_target(struct ping_target *target)
{
	enum { FLAGS = SOCK_NONBLOCK | SOCK_CLOEXEC };
	int family = target->address.ss_family;
	int protocol = family == AF_INET ? IPPROTO_ICMP : IPPROTO_ICMPV6;
	int fd = socket(family, SOCK_DGRAM | FLAGS, protocol);
	target->is_raw = fd < 0;
	if (target->is_raw)
		fd = socket(family, SOCK_RAW | FLAGS, protocol);
	target->watch = (struct loop_watch){ .call = receive, .context = target, .fd = fd };
	target->ping->lacks_right |= fd < 0 && (errno == EPERM || errno == EACCES);
	if (fd < 0 || !set_options(target) ||
	    connect(fd, (const struct sockaddr *)&target->address, address_len(&target->address)) !=
		    0 ||
	    !loop_watch(target->ping->probe->prober->loop, &target->watch, fd))
		drop_target(target, errno);
}

/* Opens a socket for the first address of each family. */
static void open_targets(struct ping *ping)
{
	for (size_t i = 0; i < ping->address_count && ping->count < FAMILIES; i++) {
		sa_family_t family = ping->addresses[i].ss_family;
		struct ping_target *target = &ping->targets[ping->count];
		if (ping->count > 0 && family == ping->targets[0].address.ss_family)
			continue;
		ping->count++;
		target->ping = ping;
		target->address = ping->addresses[i];
		open_target(target);
	}
}

/* By TCP */

static void connect_next(struct ping *ping);

static void take_connection(struct probe *probe, int error)
{
	struct ping *ping = probe->own;
	if (error == 0 || error == ECONNREFUSED)
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

static void take_addresses(void *context, const struct resolver_answer *answer)
{
	struct ping *ping = context;
	ping->address_count = probe_judge(ping->probe, answer, ping->addresses);
	if (ping->address_count == 0)
		return;
	open_targets(ping);
	if (ping->lacks_right)
		connect_next(ping);
	else
		send_round(ping);
}

static void ping_start(struct probe *probe)
{
	struct check_target target;
	struct ping *ping = probe->own = calloc(1, sizeof(*ping));
	if (!ping || getrandom(ping->token, sizeof(ping->token), 0) != sizeof(ping->token))
		die("ping: there is no memory or no randomness");
	ping->probe = probe;
	ping->connect.call = take_connection;
	ping->timer = (struct loop_timer){ .call = send_round, .context = ping };
	ping->resolution = (struct resolution){ .call = take_addresses, .context = ping };
	if (check_target_read(probe->settings->url, &target))
		resolver_start(probe->prober->resolver, &ping->resolution, target.host);
	else
		probe_end(probe, false, "the address of the system is not valid");
}

static void ping_stop(struct probe *probe)
{
	struct ping *ping = probe->own;
	resolver_cancel(&ping->resolution);
	loop_timer_cancel(probe->prober->loop, &ping->timer);
	connect_stop(&ping->connect);
	close_targets(ping);
	free(ping);
}

const struct probe_type probe_ping = { ping_start, ping_stop, false };
