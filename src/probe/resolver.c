#include "probe/resolver.h"

#include <ares.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/queue.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/memory.h"
#include "probe/address.h"
#include "probe/name_cache.h"
#include "wire/dns.h"

/* A server has TRY_MS for the first try, twice as long for the second, and so on. */
enum { TRY_MS = 800, TRIES = 3 };
enum { CLASS_IN = 1, TYPE_ADDRESSES = 0 };

const char resolver_lacks_means[] = "this machine has no free descriptor for DNS";

static const char servers_file[] = "/etc/resolv.conf";

/* A question that waits for its turn, or that c-ares is asking. */
struct resolver_query {
	struct resolver *resolver;
	/* The resolutions that get the answer. Empty: all were cancelled, but c-ares is still
	 * asking the question. */
	LIST_HEAD(, resolution) resolutions;
	char *host;
	int type;
	bool is_waiting;
	TAILQ_ENTRY(resolver_query) others; /* the other waiting questions */
};

struct watched_socket {
	struct resolver *resolver;
	struct loop_watch watch;
	LIST_ENTRY(watched_socket) others;
};

struct servers_state {
	struct timespec modified;
	off_t size;
	ino_t inode;
};

struct resolver {
	struct loop *loop;
	char *servers;
	ares_channel channel;
	LIST_HEAD(, watched_socket) sockets;
	bool is_blind; /* a socket cannot be watched */
	TAILQ_HEAD(, resolver_query) waiting;
	void *names; /* the unanswered questions for addresses, in a tree of tsearch() */
	struct loop_timer turn;
	size_t turn_count; /* how many questions were asked in this turn */
	struct servers_state servers_state;
	int64_t looked_ms; /* when servers_file was last examined */
	struct name_cache cache;
};

static void wait_for_turn(struct resolver_query *query)
{
	query->is_waiting = true;
	TAILQ_INSERT_TAIL(&query->resolver->waiting, query, others);
}

/* The comparison function of tsearch(): compares the hosts of two questions. */
static int compare_hosts(const void *one, const void *other)
{
	const struct resolver_query *first = one, *second = other;
	return strcasecmp(first->host, second->host);
}

static void free_query(struct resolver_query *query)
{
	free(query->host);
	free(query);
}

/* Removes a question from `names`, so that the next resolution of its name asks c-ares. */
static void close_question(struct resolver_query *query)
{
	if (query->type == TYPE_ADDRESSES)
		tdelete(query, &query->resolver->names, compare_hosts);
}

static void give(struct resolver_query *query, const struct resolver_answer *answer)
{
	struct resolution *resolution;
	close_question(query);
	while ((resolution = LIST_FIRST(&query->resolutions))) {
		LIST_REMOVE(resolution, others);
		resolution->query = NULL;
		resolution->call(resolution->context, answer);
	}
	free_query(query);
}

static bool lacks_means(const struct resolver *resolver)
{
	int fd CLEANUP(close_fd) = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	return fd < 0 || resolver->is_blind;
}

static const char *reason(const struct resolver_query *query, int status)
{
	switch (status) {
	case ARES_ENODATA:
		return query->type == TYPE_ADDRESSES ? "the name has no address"
						     : "the name has no record of this type";
	case ARES_ENOTFOUND:
		return "the name does not exist";
	case ARES_EBADNAME:
		return "the name is not valid";
	case ARES_ETIMEOUT:
		return lacks_means(query->resolver) ? resolver_lacks_means
						    : "no DNS server responds";
	case ARES_ECONNREFUSED: /* c-ares also returns this if all servers have failed or refuse
				   to answer */
		return lacks_means(query->resolver) ? resolver_lacks_means
						    : "no DNS server could answer";
	case ARES_EFILE:
	case ARES_ENOMEM:
		return resolver_lacks_means;
	default:
		return "the DNS server's answer is not valid";
	}
}

/* Handles the failure of a question. If its channel was replaced, the question is asked again. */
static void fail(struct resolver_query *query, int status)
{
	if (status == ARES_EDESTRUCTION && !LIST_EMPTY(&query->resolutions))
		wait_for_turn(query); /* ask again through the new channel */
	else
		give(query, &(struct resolver_answer){ .why = reason(query, status) });
}

/* Returns the first address of the family at *node or behind it, and moves *node behind this
 * address. */
static const struct ares_addrinfo_node *next_of(const struct ares_addrinfo_node **node, int family)
{
	const struct ares_addrinfo_node *found = *node;
	while (found && found->ai_family != family)
		found = found->ai_next;
	*node = found ? found->ai_next : NULL;
	return found;
}

static void shorten(int64_t *until_ms, int seconds)
{
	int64_t end_ms = clock_ms() + (int64_t)seconds * 1000;
	if (end_ms < *until_ms)
		*until_ms = end_ms;
}

static void add_address(struct resolver_answer *answer, const struct ares_addrinfo_node *node,
			int64_t *until_ms)
{
	if (!node || answer->count == RESOLVER_ADDRESSES_MAX)
		return;
	memcpy(&answer->addresses[answer->count++], node->ai_addr, node->ai_addrlen);
	shorten(until_ms, node->ai_ttl);
}

static void take_addresses(void *context, int status, int timeouts, struct ares_addrinfo *found)
{
	struct resolver_query *query = context;
	struct resolver_answer answer = { 0 };
	int64_t until_ms = clock_ms() + RESOLVER_KEEP_S * 1000;
	const struct ares_addrinfo_node *six = found ? found->nodes : NULL, *four = six;
	const struct ares_addrinfo_cname *alias = found ? found->cnames : NULL;
	(void)timeouts;
	while (six || four) {
		add_address(&answer, next_of(&six, AF_INET6), &until_ms);
		add_address(&answer, next_of(&four, AF_INET), &until_ms);
	}
	for (; alias; alias = alias->next)
		shorten(&until_ms, alias->ttl);
	if (found)
		ares_freeaddrinfo(found);
	if (answer.count > 0)
		name_cache_keep(&query->resolver->cache, query->host, &answer, until_ms);
	if (answer.count > 0)
		give(query, &answer);
	else
		fail(query, status == ARES_SUCCESS ? ARES_ENODATA : status);
}

static void take_message(void *context, int status, int timeouts, unsigned char *message, int len)
{
	struct resolver_query *query = context;
	(void)timeouts;
	if (status == ARES_SUCCESS)
		give(query, &(struct resolver_answer){ .message = message, .len = (size_t)len });
	else
		fail(query, status);
}

static void ask_waiting(struct resolver *resolver)
{
	static const struct ares_addrinfo_hints hints = { .ai_flags = ARES_AI_NOSORT,
							  .ai_family = AF_UNSPEC,
							  .ai_socktype = SOCK_STREAM };
	struct resolver_query *query;
	struct resolver_answer answer = { 0 };
	struct timeval time;
	while (resolver->turn_count < RESOLVER_TURN_MAX &&
	       (query = TAILQ_FIRST(&resolver->waiting))) {
		TAILQ_REMOVE(&resolver->waiting, query, others);
		query->is_waiting = false;
		if (query->type == TYPE_ADDRESSES &&
		    name_cache_find(&resolver->cache, query->host, &answer)) {
			give(query, &answer);
			continue;
		}
		resolver->turn_count++;
		if (query->type == TYPE_ADDRESSES)
			ares_getaddrinfo(resolver->channel, query->host, NULL, &hints,
					 take_addresses, query);
		else
			ares_query(resolver->channel, query->host, CLASS_IN, query->type,
				   take_message, query);
	}
	bool is_busy = resolver->turn_count > 0 || ares_timeout(resolver->channel, NULL, &time);
	if (resolver->turn.place == 0 && is_busy)
		loop_timer_set(resolver->loop, &resolver->turn, clock_ms() + RESOLVER_TURN_MS);
}

static void begin_turn(void *context)
{
	struct resolver *resolver = context;
	resolver->turn_count = 0;
	/* Let c-ares repeat queries that have timed out. */
	ares_process_fd(resolver->channel, ARES_SOCKET_BAD, ARES_SOCKET_BAD);
	ask_waiting(resolver);
}

static void use_socket(void *context)
{
	const struct watched_socket *used = context;
	struct resolver *resolver = used->resolver;
	int fd = used->watch.fd;
	uint32_t ready = used->watch.ready;
	/* ares_process_fd() may free `used`, so do not use it any more. */
	ares_process_fd(resolver->channel, ready & ~(uint32_t)EPOLLOUT ? fd : ARES_SOCKET_BAD,
			ready & EPOLLOUT ? fd : ARES_SOCKET_BAD);
	ask_waiting(resolver);
}

static struct watched_socket *add_socket(struct resolver *resolver, int fd)
{
	struct watched_socket *socket = memory_needed(calloc(1, sizeof(*socket)));
	socket->resolver = resolver;
	socket->watch = (struct loop_watch){ .call = use_socket, .context = socket, .fd = fd };
	LIST_INSERT_HEAD(&resolver->sockets, socket, others);
	return socket;
}

/* Watches a socket as c-ares asks, or stops watching it (ares_sock_state_cb). */
static void watch_socket(void *context, ares_socket_t fd, int is_read, int is_written)
{
	struct resolver *resolver = context;
	struct watched_socket *socket;
	uint32_t events = (is_read ? EPOLLIN : 0) | (is_written ? EPOLLOUT : 0);
	LIST_FOREACH(socket, &resolver->sockets, others)
		if (socket->watch.fd == fd)
			break;
	if (events == 0 && socket) {
		loop_unwatch(resolver->loop, &socket->watch);
		LIST_REMOVE(socket, others);
		free(socket);
	}
	if (events == 0)
		return;
	if (!socket)
		socket = add_socket(resolver, fd);
	resolver->is_blind =
		!(socket->watch.is_watched || loop_watch(resolver->loop, &socket->watch, fd)) ||
		!loop_watch_for(resolver->loop, &socket->watch, events);
}

static int open_channel(struct resolver *resolver, ares_channel *channel)
{
	/* Replace the search domains of resolv.conf by the root, because ares_getaddrinfo() ignores
	 * ARES_FLAG_NOSEARCH. So c-ares asks twice for a name that does not exist. */
	char root[] = "", *domains[] = { root };
	struct ares_options options = { .timeout = TRY_MS,
					.tries = TRIES,
					.domains = domains,
					.ndomains = 1,
					.sock_state_cb = watch_socket,
					.sock_state_cb_data = resolver };
	return dns_open_channel(channel, &options, ARES_OPT_SOCK_STATE_CB | ARES_OPT_DOMAINS,
				resolver->servers);
}

/* Whether resolv.conf has changed since the last look. A missing or empty file counts as unchanged,
 * because it is probably being written. */
static bool look_at_servers(struct resolver *resolver)
{
	struct stat found;
	resolver->looked_ms = clock_ms();
	if (stat(servers_file, &found) != 0 || found.st_size == 0)
		return false;
	const struct servers_state state = { found.st_mtim, found.st_size, found.st_ino },
				   former = resolver->servers_state;
	resolver->servers_state = state;
	return memcmp(&state, &former, sizeof(state)) != 0;
}

/* Opens a new channel if resolv.conf has changed, because c-ares reads the file only when it opens
 * a channel. */
static void follow_servers(struct resolver *resolver)
{
	ares_channel channel, former = resolver->channel;
	if (clock_ms() - resolver->looked_ms < RESOLVER_LOOK_MS || !look_at_servers(resolver))
		return;
	name_cache_empty(&resolver->cache);
	if (open_channel(resolver, &channel) != ARES_SUCCESS) {
		/* Makes the next call try again. */
		resolver->servers_state = (struct servers_state){ 0 };
		return;
	}
	resolver->channel = channel;
	ares_destroy(former);
}

static struct resolver_query *add_query(struct resolver *resolver, const char *host, int type)
{
	struct resolver_query *query = memory_needed(calloc(1, sizeof(*query)));
	query->resolver = resolver;
	query->host = memory_needed(strdup(host));
	query->type = type;
	if (type == TYPE_ADDRESSES) {
		struct resolver_query **open =
			memory_needed(tsearch(query, &resolver->names, compare_hosts));
		if (*open != query) {
			free_query(query);
			return *open;
		}
	}
	wait_for_turn(query);
	return query;
}

void resolver_ask(struct resolver *resolver, struct resolution *resolution, const char *name,
		  int type)
{
	follow_servers(resolver);
	resolution->query = add_query(resolver, name, type);
	LIST_INSERT_HEAD(&resolution->query->resolutions, resolution, others);
	ask_waiting(resolver);
}

void resolver_start(struct resolver *resolver, struct resolution *resolution, const char *host)
{
	struct resolver_answer answer = { 0 };
	resolution->query = NULL;
	answer.count = address_parse(host, &answer.addresses[0]);
	if (answer.count == 0) {
		follow_servers(resolver);
		name_cache_find(&resolver->cache, host, &answer);
	}
	if (answer.count > 0)
		resolution->call(resolution->context, &answer);
	else
		resolver_ask(resolver, resolution, host, TYPE_ADDRESSES);
}

void resolver_cancel(struct resolution *resolution)
{
	struct resolver_query *query = resolution->query;
	resolution->query = NULL;
	if (!query)
		return;
	LIST_REMOVE(resolution, others);
	/* While c-ares is asking, only its answer may free the question. */
	if (!query->is_waiting || !LIST_EMPTY(&query->resolutions))
		return;
	close_question(query);
	TAILQ_REMOVE(&query->resolver->waiting, query, others);
	free_query(query);
}

enum result resolver_open(struct resolver **opened, struct loop *loop, const char *servers,
			  struct error *error)
{
	struct resolver *resolver = memory_needed(calloc(1, sizeof(*resolver)));
	*opened = NULL;
	resolver->loop = loop;
	resolver->servers = servers ? memory_needed(strdup(servers)) : NULL;
	resolver->turn = (struct loop_timer){ .call = begin_turn, .context = resolver };
	TAILQ_INIT(&resolver->waiting);
	look_at_servers(resolver);
	int status = open_channel(resolver, &resolver->channel);
	if (status != ARES_SUCCESS) {
		free(resolver->servers);
		free(resolver);
		return error_client(error, status == ARES_EBADSTR ? E_INVALID : E_FAILED,
				    "the DNS server cannot be used: %s", ares_strerror(status));
	}
	*opened = resolver;
	return OK;
}

void resolver_close(struct resolver *resolver)
{
	if (!resolver)
		return;
	ares_destroy(resolver->channel);
	loop_timer_cancel(resolver->loop, &resolver->turn);
	name_cache_empty(&resolver->cache);
	free(resolver->servers);
	free(resolver);
}
