#include "probe/resolver.h"

#include <ares.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/log.h"
#include "probe/address.h"
#include "wire/dns.h"

/* A server has TRY_MS for the first try, twice as long for the second, and so on. */
enum { TRY_MS = 800, TRIES = 3 };
enum { CLASS_IN = 1 };

const char resolver_lacks_means[] = "this machine has no free descriptor for DNS";

/* Files that decide on answers. */
static const char *const file_paths[] = { "/etc/resolv.conf", "/etc/hosts" };

struct file_state {
	struct timespec modified;
	off_t size;
	ino_t inode;
};

/* What c-ares is asked: the addresses of a name, or the records of a type. */
struct resolver_ask {
	struct resolver *resolver;
	TAILQ_ENTRY(resolver_ask) others; /* that wait for their turn */
	bool is_waiting;		  /* for its turn */
	char *host;
	struct resolver_name *name; /* NULL: for records */

	/* For records. */
	int type;
	struct dns_question *question; /* NULL: was cancelled */
	unsigned char *message;
	size_t len;
	const char *why;
};

struct resolver_answer {
	unsigned users;
	int64_t until_ms; /* in the cache */
	const char *why;
	size_t count;
	struct sockaddr_storage addresses[];
};

/* A name that is asked for, or in the cache. */
struct resolver_name {
	struct resolver_ask ask;
	LIST_HEAD(, resolution) waiting;
	struct resolver_answer *answer;	   /* NULL: is asked for */
	TAILQ_ENTRY(resolver_name) others; /* in the cache */
};

struct resolver_socket {
	struct resolver *resolver;
	struct loop_watch watch;
	LIST_ENTRY(resolver_socket) others;
};

struct resolver {
	struct loop *loop;
	char *servers;
	ares_channel channel;
	bool is_closing;
	bool is_blind; /* a socket cannot be watched */
	LIST_HEAD(, resolver_socket) sockets;
	struct loop_timer turn;
	size_t turn_count;		 /* names that were asked in this turn */
	TAILQ_HEAD(, resolver_ask) asks; /* that wait for their turn */
	size_t asked_count;		 /* that c-ares has */
	void *names;			 /* a tree of tsearch() */
	TAILQ_HEAD(, resolver_name) cache;
	size_t cached_count;
	struct file_state files[ARRAY_LEN(file_paths)];
	int64_t looked_ms; /* at the files */
};

static void *needed(void *memory)
{
	if (!memory)
		die("resolver: out of memory");
	return memory;
}

/* Names */

static int compare_names(const void *a, const void *b)
{
	const struct resolver_name *left = a, *right = b;
	return strcasecmp(left->ask.host, right->ask.host);
}

static void drop_answer(struct resolver_answer *answer)
{
	if (answer && --answer->users == 0)
		free(answer);
}

static void free_name(struct resolver_name *name)
{
	struct resolver *resolver = name->ask.resolver;
	if (name->answer) {
		TAILQ_REMOVE(&resolver->cache, name, others);
		resolver->cached_count--;
		drop_answer(name->answer);
	}
	tdelete(name, &resolver->names, compare_names);
	free(name->ask.host);
	free(name);
}

static struct resolver_name *find_name(struct resolver *resolver, const char *host)
{
	const struct resolver_name key = { .ask.host = (char *)(uintptr_t)host };
	struct resolver_name **found = tfind(&key, &resolver->names, compare_names);
	if (!found)
		return NULL;
	if ((*found)->answer && (*found)->answer->until_ms <= clock_ms()) {
		free_name(*found);
		return NULL;
	}
	return *found;
}

static struct resolver_name *add_name(struct resolver *resolver, const char *host)
{
	struct resolver_name *name = needed(calloc(1, sizeof(*name)));
	name->ask = (struct resolver_ask){ .resolver = resolver, .name = name };
	name->ask.host = needed(strdup(host));
	LIST_INIT(&name->waiting);
	needed(tsearch(name, &resolver->names, compare_names));
	return name;
}

static void empty_cache(struct resolver *resolver)
{
	while (!TAILQ_EMPTY(&resolver->cache))
		free_name(TAILQ_FIRST(&resolver->cache));
}

static void keep_answer(struct resolver_name *name, struct resolver_answer *answer)
{
	struct resolver *resolver = name->ask.resolver;
	if (resolver->cached_count >= RESOLVER_NAMES_MAX)
		free_name(TAILQ_FIRST(&resolver->cache));
	name->answer = answer;
	answer->users++;
	TAILQ_INSERT_TAIL(&resolver->cache, name, others);
	resolver->cached_count++;
}

/* Answers */

static bool lacks_means(void)
{
	int fd CLEANUP(close_fd) = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	return fd < 0;
}

static const char *reason(const struct resolver *resolver, int status, bool is_for_addresses)
{
	switch (status) {
	case ARES_SUCCESS:
	case ARES_ENODATA:
		return is_for_addresses ? "the name has no address"
					: "the name has no record of this type";
	case ARES_ENOTFOUND:
		return "the name does not exist";
	case ARES_EBADNAME:
		return "the name is not valid";
	case ARES_ETIMEOUT:
		return resolver->is_blind ? resolver_lacks_means : "no DNS server responds";
	case ARES_ECONNREFUSED: /* also when all servers have failed, or refuse to answer */
		return lacks_means() ? resolver_lacks_means : "no DNS server could answer";
	case ARES_EFILE:
	case ARES_ENOMEM:
		return resolver_lacks_means;
	default:
		return "the DNS server's answer is not valid";
	}
}

/* The next address of the family, from *node on. */
static const struct ares_addrinfo_node *next_of(const struct ares_addrinfo_node **node, int family)
{
	const struct ares_addrinfo_node *found = *node;
	while (found && found->ai_family != family)
		found = found->ai_next;
	*node = found ? found->ai_next : NULL;
	return found;
}

static void add_address(struct resolver_answer *answer, const struct ares_addrinfo_node *node)
{
	if (!node || answer->count == RESOLVER_ADDRESSES_MAX)
		return;
	memcpy(&answer->addresses[answer->count++], node->ai_addr, node->ai_addrlen);
	int64_t until_ms = clock_ms() + (int64_t)node->ai_ttl * 1000;
	if (until_ms < answer->until_ms)
		answer->until_ms = until_ms;
}

static struct resolver_answer *answer_of(const struct resolver *resolver, int status,
					 const struct ares_addrinfo *found)
{
	struct resolver_answer *answer = needed(
		calloc(1, sizeof(*answer) + RESOLVER_ADDRESSES_MAX * sizeof(answer->addresses[0])));
	answer->until_ms = clock_ms() + RESOLVER_KEEP_S * 1000;
	if (found) {
		const struct ares_addrinfo_node *six = found->nodes, *four = found->nodes;
		while (six || four) {
			add_address(answer, next_of(&six, AF_INET6));
			add_address(answer, next_of(&four, AF_INET));
		}
		for (const struct ares_addrinfo_cname *alias = found->cnames; alias;
		     alias = alias->next)
			if (clock_ms() + (int64_t)alias->ttl * 1000 < answer->until_ms)
				answer->until_ms = clock_ms() + (int64_t)alias->ttl * 1000;
	}
	if (answer->count == 0)
		answer->why = reason(resolver, status, true);
	return needed(
		realloc(answer, sizeof(*answer) + answer->count * sizeof(answer->addresses[0])));
}

static void give(struct resolution *resolution, struct resolver_answer *answer)
{
	resolution->answer = answer;
	answer->users++;
	loop_timer_set(resolution->resolver->loop, &resolution->timer, 0);
}

/* Whether c-ares has answered. Otherwise the channel was closed, since resolv.conf has changed: the
 * question waits for the new channel. */
static bool is_answer(struct resolver_ask *ask, int status)
{
	struct resolver *resolver = ask->resolver;
	resolver->asked_count--;
	if (status != ARES_EDESTRUCTION || resolver->is_closing)
		return true;
	TAILQ_INSERT_TAIL(&resolver->asks, ask, others);
	ask->is_waiting = true;
	return false;
}

static void take_addresses(void *context, int status, int timeouts, struct ares_addrinfo *found)
{
	struct resolver_ask *ask = context;
	struct resolver_name *name = ask->name;
	(void)timeouts;
	if (is_answer(ask, status)) {
		struct resolution *resolution;
		struct resolver_answer *answer = answer_of(ask->resolver, status, found);
		answer->users++;
		while ((resolution = LIST_FIRST(&name->waiting))) {
			LIST_REMOVE(resolution, others);
			resolution->name = NULL;
			give(resolution, answer);
		}
		if (answer->count > 0 && answer->until_ms > clock_ms() &&
		    !ask->resolver->is_closing)
			keep_answer(name, answer);
		else
			free_name(name);
		drop_answer(answer);
	}
	if (found)
		ares_freeaddrinfo(found);
}

static void free_ask(struct resolver_ask *ask)
{
	free(ask->message);
	free(ask->host);
	free(ask);
}

static void take_message(void *context, int status, int timeouts, unsigned char *message, int len)
{
	struct resolver_ask *ask = context;
	(void)timeouts;
	if (!is_answer(ask, status))
		return;
	if (!ask->question) {
		free_ask(ask);
		return;
	}
	if (status == ARES_SUCCESS) {
		ask->len = (size_t)len;
		ask->message = needed(malloc(ask->len));
		memcpy(ask->message, message, ask->len);
	} else {
		ask->why = reason(ask->resolver, status, false);
	}
	loop_timer_set(ask->resolver->loop, &ask->question->timer, 0);
}

/* The channel */

static void ask_waiting(struct resolver *resolver)
{
	static const struct ares_addrinfo_hints hints = { .ai_flags = ARES_AI_NOSORT,
							  .ai_family = AF_UNSPEC,
							  .ai_socktype = SOCK_STREAM };
	struct resolver_ask *ask;
	while (resolver->asked_count < RESOLVER_ASKED_MAX &&
	       resolver->turn_count < RESOLVER_TURN_MAX && (ask = TAILQ_FIRST(&resolver->asks))) {
		TAILQ_REMOVE(&resolver->asks, ask, others);
		ask->is_waiting = false;
		resolver->asked_count++;
		resolver->turn_count++;
		if (ask->name)
			ares_getaddrinfo(resolver->channel, ask->host, NULL, &hints, take_addresses,
					 ask);
		else
			ares_query(resolver->channel, ask->host, CLASS_IN, ask->type, take_message,
				   ask);
	}
	if (resolver->turn.place == 0 && (resolver->asked_count > 0 || resolver->turn_count > 0))
		loop_timer_set(resolver->loop, &resolver->turn, clock_ms() + RESOLVER_TURN_MS);
}

static void begin_turn(void *context)
{
	struct resolver *resolver = context;
	resolver->turn_count = 0;
	/* Repeats queries that have timed out. */
	ares_process_fd(resolver->channel, ARES_SOCKET_BAD, ARES_SOCKET_BAD);
	ask_waiting(resolver);
}

static void use_socket(void *context)
{
	const struct resolver_socket *used = context;
	struct resolver *resolver = used->resolver;
	int fd = used->watch.fd;
	uint32_t ready = used->watch.ready;
	/* May close the socket, and free the watch. */
	ares_process_fd(resolver->channel, ready & ~(uint32_t)EPOLLOUT ? fd : ARES_SOCKET_BAD,
			ready & EPOLLOUT ? fd : ARES_SOCKET_BAD);
	ask_waiting(resolver);
}

static void watch_socket(void *context, ares_socket_t fd, int is_read, int is_written)
{
	struct resolver *resolver = context;
	struct resolver_socket *socket;
	uint32_t events = (is_read ? EPOLLIN : 0) | (is_written ? EPOLLOUT : 0);
	LIST_FOREACH(socket, &resolver->sockets, others)
		if (socket->watch.fd == fd)
			break;
	if (events == 0 && socket) {
		loop_unwatch(resolver->loop, &socket->watch);
		LIST_REMOVE(socket, others);
		free(socket);
		return;
	}
	if (events == 0)
		return;
	if (!socket) {
		socket = needed(calloc(1, sizeof(*socket)));
		socket->resolver = resolver;
		socket->watch = (struct loop_watch){ .call = use_socket, .context = socket };
		socket->watch.fd = fd;
		LIST_INSERT_HEAD(&resolver->sockets, socket, others);
	}
	resolver->is_blind =
		!(socket->watch.is_watched || loop_watch(resolver->loop, &socket->watch, fd)) ||
		!loop_watch_for(resolver->loop, &socket->watch, events);
}

static int open_channel(struct resolver *resolver, ares_channel *channel)
{
	struct ares_options options = { .timeout = TRY_MS,
					.tries = TRIES,
					.sock_state_cb = watch_socket,
					.sock_state_cb_data = resolver };
	return dns_open_channel(channel, &options, ARES_OPT_SOCK_STATE_CB, resolver->servers);
}

/* A file that is missing or empty is being written: its former state stays. */
static bool look_at_files(struct resolver *resolver)
{
	bool is_changed = false;
	resolver->looked_ms = clock_ms();
	for (size_t i = 0; i < ARRAY_LEN(file_paths); i++) {
		struct stat found;
		if (stat(file_paths[i], &found) != 0 || found.st_size == 0)
			continue;
		const struct file_state state = { found.st_mtim, found.st_size, found.st_ino };
		is_changed |= memcmp(&state, &resolver->files[i], sizeof(state)) != 0;
		resolver->files[i] = state;
	}
	return is_changed;
}

static void follow_files(struct resolver *resolver)
{
	ares_channel channel, former = resolver->channel;
	if (clock_ms() - resolver->looked_ms < RESOLVER_LOOK_MS || !look_at_files(resolver))
		return;
	empty_cache(resolver);
	if (open_channel(resolver, &channel) == ARES_SUCCESS) {
		resolver->channel = channel;
		ares_destroy(former);
		ask_waiting(resolver);
	} else {
		/* The next look tries again. */
		memset(resolver->files, 0, sizeof(resolver->files));
	}
}

static void put_in_queue(struct resolver_ask *ask)
{
	TAILQ_INSERT_TAIL(&ask->resolver->asks, ask, others);
	ask->is_waiting = true;
	ask_waiting(ask->resolver);
}

static void answer_resolution(void *context)
{
	struct resolution *resolution = context;
	struct resolver_answer *answer = resolution->answer;
	resolution->answer = NULL;
	resolution->call(resolution->context, answer->addresses, answer->count, answer->why);
	drop_answer(answer);
}

void resolver_start(struct resolver *resolver, struct resolution *resolution, const char *host)
{
	struct sockaddr_storage address;
	resolution->resolver = resolver;
	resolution->timer = (struct loop_timer){ .call = answer_resolution, .context = resolution };
	resolution->name = NULL;
	if (address_parse(host, &address)) {
		resolution->answer =
			needed(calloc(1, sizeof(struct resolver_answer) + sizeof(address)));
		resolution->answer->addresses[resolution->answer->count++] = address;
		give(resolution, resolution->answer);
		return;
	}
	follow_files(resolver);
	struct resolver_name *name = find_name(resolver, host);
	if (name && name->answer) {
		give(resolution, name->answer);
		return;
	}
	bool is_new = !name;
	if (is_new)
		name = add_name(resolver, host);
	resolution->name = name;
	LIST_INSERT_HEAD(&name->waiting, resolution, others);
	if (is_new)
		put_in_queue(&name->ask);
}

void resolver_cancel(struct resolution *resolution)
{
	if (resolution->name)
		LIST_REMOVE(resolution, others);
	resolution->name = NULL;
	if (resolution->answer) {
		loop_timer_cancel(resolution->resolver->loop, &resolution->timer);
		drop_answer(resolution->answer);
	}
	resolution->answer = NULL;
}

static void answer_question(void *context)
{
	struct dns_question *question = context;
	struct resolver_ask *ask = question->ask;
	question->ask = NULL;
	question->call(question->context, ask->message, ask->len, ask->why);
	free_ask(ask);
}

void resolver_ask(struct resolver *resolver, struct dns_question *question, const char *name,
		  int type)
{
	follow_files(resolver);
	question->resolver = resolver;
	question->timer = (struct loop_timer){ .call = answer_question, .context = question };
	question->ask = needed(calloc(1, sizeof(*question->ask)));
	*question->ask = (struct resolver_ask){ .resolver = resolver,
						.host = needed(strdup(name)),
						.type = type,
						.question = question };
	put_in_queue(question->ask);
}

void resolver_ask_cancel(struct dns_question *question)
{
	struct resolver_ask *ask = question->ask;
	if (!ask)
		return;
	question->ask = NULL;
	loop_timer_cancel(question->resolver->loop, &question->timer);
	if (ask->is_waiting)
		TAILQ_REMOVE(&question->resolver->asks, ask, others);
	if (ask->is_waiting || ask->message || ask->why)
		free_ask(ask);
	else
		ask->question = NULL;
}

enum result resolver_open(struct resolver **opened, struct loop *loop, const char *servers,
			  struct error *error)
{
	struct resolver *resolver = needed(calloc(1, sizeof(*resolver)));
	*opened = NULL;
	resolver->loop = loop;
	resolver->servers = servers ? needed(strdup(servers)) : NULL;
	resolver->turn = (struct loop_timer){ .call = begin_turn, .context = resolver };
	LIST_INIT(&resolver->sockets);
	TAILQ_INIT(&resolver->asks);
	TAILQ_INIT(&resolver->cache);
	look_at_files(resolver);
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
	struct resolver_ask *ask;
	if (!resolver)
		return;
	resolver->is_closing = true;
	loop_timer_cancel(resolver->loop, &resolver->turn);
	ares_destroy(resolver->channel);
	while ((ask = TAILQ_FIRST(&resolver->asks))) {
		TAILQ_REMOVE(&resolver->asks, ask, others);
		free_name(ask->name);
	}
	empty_cache(resolver);
	free(resolver->servers);
	free(resolver);
}
