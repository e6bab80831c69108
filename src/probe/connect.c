#include "probe/connect.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "probe/address.h"
#include "probe/fault.h"

int connect_error(int fd)
{
	int error = 0;
	socklen_t len = sizeof(error);
	return getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &len) == 0 ? error : errno;
}

static bool lacks_route(int error)
{
	return error == ENETUNREACH || error == EAFNOSUPPORT;
}

int connect_choose_error(int former, int error, int family)
{
	/* If IPv6 is switched off, Linux returns EADDRNOTAVAIL. Treat it like a missing route. */
	if (family == AF_INET6 && error == EADDRNOTAVAIL)
		error = EAFNOSUPPORT;
	/* Prefer any error to a missing route. For example, a missing route for IPv6 does not
	 * explain why IPv4 failed. */
	return former == 0 || lacks_route(former) || !lacks_route(error) ? error : former;
}

void connect_fail(struct probe *probe, int error)
{
	if (fault_is_own(error))
		probe_end_void(probe, strerror(error));
	else
		probe_end(probe, false, "%s", fault_of_socket(error));
}

/* Whether the socket is connected to itself. On loopback, if nobody listens at the target port, the
 * kernel may choose this port as the local port of the connection. */
static bool is_itself(int fd)
{
	struct sockaddr_storage own = { 0 }, other = { 0 };
	socklen_t own_len = sizeof(own), other_len = sizeof(other);
	return getsockname(fd, (struct sockaddr *)&own, &own_len) == 0 &&
	       getpeername(fd, (struct sockaddr *)&other, &other_len) == 0 &&
	       own_len == other_len && memcmp(&own, &other, own_len) == 0;
}

void connect_close(struct loop *loop, struct loop_watch *watch)
{
	if (watch->fd < 0)
		return;
	loop_unwatch(loop, watch);
	close(watch->fd);
	watch->fd = -1;
}

static void try_next(void *context);

static void fail(struct connect_attempt *attempt, int error)
{
	struct connecting *connecting = attempt->connecting;
	connect_close(connecting->probe->prober->loop, &attempt->watch);
	connecting->error =
		connect_choose_error(connecting->error, error, attempt->address.ss_family);
	if (++connecting->failed == connecting->count)
		connecting->call(connecting->probe, connecting->error);
	else if (connecting->failed == connecting->tried)
		try_next(connecting);
}

static void finish(void *context)
{
	struct connect_attempt *attempt = context;
	struct connecting *connecting = attempt->connecting;
	struct probe *probe = connecting->probe;
	int fd = attempt->watch.fd, error = connect_error(fd);
	if (error == 0 && is_itself(fd))
		error = ECONNREFUSED;
	if (error != 0) {
		fail(attempt, error);
		return;
	}
	probe->result.connected_us = probe_elapsed_us(probe);
	address_text((const struct sockaddr *)&attempt->address, probe->result.address);
	loop_unwatch(probe->prober->loop, &attempt->watch);
	attempt->watch.fd = -1;
	connect_stop(connecting);
	connecting->watch.fd = fd;
	connecting->call(probe, 0);
}

static void try_next(void *context)
{
	struct connecting *connecting = context;
	struct loop *loop = connecting->probe->prober->loop;
	struct connect_attempt *attempt = &connecting->attempts[connecting->tried++];
	struct sockaddr_storage *address = &attempt->address;
	if (connecting->tried < connecting->count)
		loop_timer_set(loop, &connecting->timer, clock_ms() + CONNECT_NEXT_MS);
	else
		loop_timer_cancel(loop, &connecting->timer);
	address_set_port(address, connecting->port);
	int fd = socket(address->ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	attempt->watch.fd = fd;
	if (fd < 0 ||
	    (connect(fd, (const struct sockaddr *)address, address_len(address)) != 0 &&
	     errno != EINPROGRESS) ||
	    !loop_watch(loop, &attempt->watch, fd) ||
	    !loop_watch_for(loop, &attempt->watch, EPOLLOUT))
		fail(attempt, errno);
}

void connect_start(struct connecting *connecting, struct probe *probe,
		   const struct sockaddr_storage *addresses, size_t count, int port)
{
	connecting->probe = probe;
	connecting->port = port;
	connecting->count = count;
	connecting->tried = connecting->failed = 0;
	connecting->error = 0;
	connecting->timer = (struct loop_timer){ .call = try_next, .context = connecting };
	connecting->watch.fd = -1;
	for (size_t i = 0; i < count; i++)
		connecting->attempts[i] = (struct connect_attempt){
			.connecting = connecting,
			.address = addresses[i],
			.watch = { .call = finish, .context = &connecting->attempts[i], .fd = -1 },
		};
	try_next(connecting);
}

static void take_addresses(void *context, const struct resolver_answer *answer)
{
	struct connecting *connecting = context;
	struct sockaddr_storage allowed[RESOLVER_ADDRESSES_MAX];
	size_t count = probe_judge(connecting->probe, answer, allowed);
	if (count > 0)
		connect_start(connecting, connecting->probe, allowed, count, connecting->port);
}

void connect_to_host(struct connecting *connecting, struct probe *probe, const char *host, int port)
{
	connecting->probe = probe;
	connecting->port = port;
	connecting->count = 0;
	connecting->watch.fd = -1;
	connecting->resolution =
		(struct resolution){ .call = take_addresses, .context = connecting };
	resolver_start(probe->prober->resolver, &connecting->resolution, host);
}

void connect_stop(struct connecting *connecting)
{
	if (!connecting->probe)
		return;
	struct loop *loop = connecting->probe->prober->loop;
	resolver_cancel(&connecting->resolution);
	loop_timer_cancel(loop, &connecting->timer);
	for (size_t i = 0; i < connecting->count; i++)
		connect_close(loop, &connecting->attempts[i].watch);
	connect_close(loop, &connecting->watch);
}
