#include "probe/dns_channel.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/log.h"
#include "probe/resolver.h"
#include "wire/dns.h"

/* A server has TRY_MS for the first try, twice as long for the second, and so on. */
enum { TRY_MS = 800, TRIES = 3 };
enum { CLASS_IN = 1 };

const char resolver_lacks_means[] = "this machine has no free descriptor for DNS";

static const char *const file_paths[DNS_FILES] = { "/etc/resolv.conf", "/etc/hosts" };

struct dns_socket {
	struct dns_channel *channel;
	struct loop_watch watch;
	LIST_ENTRY(dns_socket) others;
};

static bool lacks_means(void)
{
	int fd CLEANUP(close_fd) = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	return fd < 0;
}

static const char *reason(const struct dns_ask *ask, int status)
{
	switch (status) {
	case ARES_ENODATA:
		return ask->type == 0 ? "the name has no address"
				      : "the name has no record of this type";
	case ARES_ENOTFOUND:
		return "the name does not exist";
	case ARES_EBADNAME:
		return "the name is not valid";
	case ARES_ETIMEOUT:
		return ask->channel->is_blind ? resolver_lacks_means : "no DNS server responds";
	case ARES_ECONNREFUSED: /* also when all servers have failed, or refuse to answer */
		return lacks_means() ? resolver_lacks_means : "no DNS server could answer";
	case ARES_EFILE:
	case ARES_ENOMEM:
		return resolver_lacks_means;
	default:
		return "the DNS server's answer is not valid";
	}
}

static void wait_for_turn(struct dns_ask *ask)
{
	TAILQ_INSERT_TAIL(&ask->channel->asks, ask, others);
	ask->is_waiting = true;
}

static void tell(struct dns_ask *ask, int status, struct dns_answer *answer)
{
	struct dns_channel *channel = ask->channel;
	channel->asked_count--;
	/* The files have changed: the new channel is asked. */
	if (status == ARES_EDESTRUCTION && !channel->is_closing) {
		wait_for_turn(ask);
		return;
	}
	if (status != ARES_SUCCESS)
		answer->why = reason(ask, status);
	ask->call(ask, answer);
}

static void take_addresses(void *context, int status, int timeouts, struct ares_addrinfo *found)
{
	(void)timeouts;
	if (status == ARES_SUCCESS && !found->nodes)
		status = ARES_ENODATA;
	tell(context, status, &(struct dns_answer){ .found = found });
	if (found)
		ares_freeaddrinfo(found);
}

static void take_message(void *context, int status, int timeouts, unsigned char *message, int len)
{
	(void)timeouts;
	tell(context, status, &(struct dns_answer){ .message = message, .len = (size_t)len });
}

static void ask_waiting(struct dns_channel *channel)
{
	static const struct ares_addrinfo_hints hints = { .ai_flags = ARES_AI_NOSORT,
							  .ai_family = AF_UNSPEC,
							  .ai_socktype = SOCK_STREAM };
	struct dns_ask *ask;
	while (channel->asked_count < RESOLVER_ASKED_MAX &&
	       channel->turn_count < RESOLVER_TURN_MAX && (ask = TAILQ_FIRST(&channel->asks))) {
		TAILQ_REMOVE(&channel->asks, ask, others);
		ask->is_waiting = false;
		channel->asked_count++;
		channel->turn_count++;
		if (ask->type == 0)
			ares_getaddrinfo(channel->ares, ask->host, NULL, &hints, take_addresses,
					 ask);
		else
			ares_query(channel->ares, ask->host, CLASS_IN, ask->type, take_message,
				   ask);
	}
	if (channel->turn.place == 0 && (channel->asked_count > 0 || channel->turn_count > 0))
		loop_timer_set(channel->loop, &channel->turn, clock_ms() + RESOLVER_TURN_MS);
}

static void begin_turn(void *context)
{
	struct dns_channel *channel = context;
	channel->turn_count = 0;
	/* Repeats queries that have timed out. */
	ares_process_fd(channel->ares, ARES_SOCKET_BAD, ARES_SOCKET_BAD);
	ask_waiting(channel);
}

static void use_socket(void *context)
{
	const struct dns_socket *used = context;
	struct dns_channel *channel = used->channel;
	int fd = used->watch.fd;
	uint32_t ready = used->watch.ready;
	/* May close the socket, and free the watch. */
	ares_process_fd(channel->ares, ready & ~(uint32_t)EPOLLOUT ? fd : ARES_SOCKET_BAD,
			ready & EPOLLOUT ? fd : ARES_SOCKET_BAD);
	ask_waiting(channel);
}

static void watch_socket(void *context, ares_socket_t fd, int is_read, int is_written)
{
	struct dns_channel *channel = context;
	struct dns_socket *socket;
	uint32_t events = (is_read ? EPOLLIN : 0) | (is_written ? EPOLLOUT : 0);
	LIST_FOREACH(socket, &channel->sockets, others)
		if (socket->watch.fd == fd)
			break;
	if (events == 0 && socket) {
		loop_unwatch(channel->loop, &socket->watch);
		LIST_REMOVE(socket, others);
		free(socket);
		return;
	}
	if (events == 0)
		return;
	if (!socket) {
		socket = calloc(1, sizeof(*socket));
		if (!socket)
			die("resolver: out of memory");
		socket->channel = channel;
		socket->watch = (struct loop_watch){ .call = use_socket, .context = socket };
		socket->watch.fd = fd;
		LIST_INSERT_HEAD(&channel->sockets, socket, others);
	}
	channel->is_blind =
		!(socket->watch.is_watched || loop_watch(channel->loop, &socket->watch, fd)) ||
		!loop_watch_for(channel->loop, &socket->watch, events);
}

static int open_channel(struct dns_channel *channel, ares_channel *ares)
{
	struct ares_options options = { .timeout = TRY_MS,
					.tries = TRIES,
					.sock_state_cb = watch_socket,
					.sock_state_cb_data = channel };
	return dns_open_channel(ares, &options, ARES_OPT_SOCK_STATE_CB, channel->servers);
}

/* A file that is missing or empty is being written: its former state stays. */
static bool look_at_files(struct dns_channel *channel)
{
	bool is_changed = false;
	channel->looked_ms = clock_ms();
	for (size_t i = 0; i < DNS_FILES; i++) {
		struct stat found;
		if (stat(file_paths[i], &found) != 0 || found.st_size == 0)
			continue;
		const struct dns_file state = { found.st_mtim, found.st_size, found.st_ino };
		is_changed |= memcmp(&state, &channel->files[i], sizeof(state)) != 0;
		channel->files[i] = state;
	}
	return is_changed;
}

bool dns_channel_follow_files(struct dns_channel *channel)
{
	ares_channel ares, former = channel->ares;
	if (clock_ms() - channel->looked_ms < RESOLVER_LOOK_MS || !look_at_files(channel))
		return false;
	if (open_channel(channel, &ares) == ARES_SUCCESS) {
		channel->ares = ares;
		ares_destroy(former);
		ask_waiting(channel);
	} else {
		/* The next look tries again. */
		memset(channel->files, 0, sizeof(channel->files));
	}
	return true;
}

void dns_channel_ask(struct dns_channel *channel, struct dns_ask *ask)
{
	ask->channel = channel;
	wait_for_turn(ask);
	ask_waiting(channel);
}

bool dns_channel_withdraw(struct dns_ask *ask)
{
	if (!ask->is_waiting)
		return false;
	TAILQ_REMOVE(&ask->channel->asks, ask, others);
	ask->is_waiting = false;
	return true;
}

int dns_channel_open(struct dns_channel *channel, struct loop *loop, const char *servers)
{
	*channel =
		(struct dns_channel){ .loop = loop, .servers = servers ? strdup(servers) : NULL };
	channel->turn = (struct loop_timer){ .call = begin_turn, .context = channel };
	LIST_INIT(&channel->sockets);
	TAILQ_INIT(&channel->asks);
	look_at_files(channel);
	int status = servers && !channel->servers ? ARES_ENOMEM
						  : open_channel(channel, &channel->ares);
	if (status != ARES_SUCCESS)
		free(channel->servers);
	return status;
}

void dns_channel_close(struct dns_channel *channel)
{
	struct dns_ask *ask;
	channel->is_closing = true;
	loop_timer_cancel(channel->loop, &channel->turn);
	ares_destroy(channel->ares);
	while ((ask = TAILQ_FIRST(&channel->asks))) {
		dns_channel_withdraw(ask);
		ask->call(ask, &(struct dns_answer){ .why = "" });
	}
	free(channel->servers);
}
