/*
 * Checks by ping. A prober has one socket for each family. Without the right to it the check
 * connects by TCP, and says so in its note: a system that refuses the connection is there.
 *
 * A check sends up to PING_ROUNDS packets, at most a second apart, so that one lost packet is no
 * failure. The first goes to the first address, the others to the first address of each family. The
 * response time is that of the packet that was answered.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "probe/address.h"
#include "probe/connect.h"
#include "probe/ping_socket.h"

enum { PING_ROUNDS = 3, PING_SPACING_MS = 1000, FAMILIES = 2 };

static const int tcp_ports[] = { 443, 80 };

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
	struct ping_socket sockets[FAMILIES];
	LIST_HEAD(, ping) running[BUCKETS]; /* by the first byte of the token */
};

static void take_reply(void *context, const struct icmp_echo *echo,
		       const struct sockaddr_storage *from);
static void take_error(void *context, const struct icmp_echo *echo,
		       const struct sockaddr_storage *to, int error);

static struct probe_ping_shared *shared_of(struct prober *prober)
{
	static const int families[FAMILIES] = { AF_INET6, AF_INET };
	if (prober->ping)
		return prober->ping;
	prober->ping = calloc(1, sizeof(*prober->ping));
	if (!prober->ping)
		die("ping: out of memory");
	for (size_t i = 0; i < FAMILIES; i++)
		prober->ping->sockets[i] = (struct ping_socket){ .reply = take_reply,
								 .fail = take_error,
								 .context = prober->ping,
								 .loop = prober->loop,
								 .family = families[i] };
	return prober->ping;
}

void probe_ping_close(struct prober *prober)
{
	struct probe_ping_shared *shared = prober->ping;
	prober->ping = NULL;
	for (size_t i = 0; shared && i < FAMILIES; i++)
		ping_socket_close(&shared->sockets[i]);
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

static void finish(struct ping *ping, const struct ping_target *target, int number)
{
	struct probe_result *result = &ping->probe->result;
	result->first_byte_us = probe_elapsed_us(ping->probe);
	address_text((const struct sockaddr *)&target->address, result->address);
	probe_end(ping->probe, true, NULL);
	result->response_ms = (clock_us() - target->sent_us[number] + 500) / 1000;
	ping->count = 0;
}

static void take_reply(void *context, const struct icmp_echo *echo,
		       const struct sockaddr_storage *from)
{
	struct probe_ping_shared *shared = context;
	struct ping *ping;
	LIST_FOREACH(ping, &shared->running[echo->token[0]], others)
		if (memcmp(ping->token, echo->token, ICMP_TOKEN_BYTES) == 0)
			break;
	for (size_t i = 0; ping && i < ping->count; i++) {
		int number = number_of(&ping->targets[i], echo, from);
		if (number >= 0)
			finish(ping, &ping->targets[i], number);
	}
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

static void take_error(void *context, const struct icmp_echo *echo,
		       const struct sockaddr_storage *to, int error)
{
	struct probe_ping_shared *shared = context;
	for (size_t bucket = 0; bucket < BUCKETS; bucket++) {
		struct ping *ping;
		LIST_FOREACH(ping, &shared->running[bucket], others)
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

static int send_request(struct ping *ping, struct ping_target *target)
{
	uint16_t *sequence = &target->sequences[target->sent];
	target->sent_us[target->sent++] = clock_us();
	return ping_socket_send(socket_of(ping, target), &target->address, ping->token, sequence);
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
		    ping_socket_open(socket_of(ping, target)))
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
	ping_random(ping->token, sizeof(ping->token));
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
