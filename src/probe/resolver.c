#include "probe/resolver.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "base/log.h"
#include "probe/address.h"
#include "probe/dns_channel.h"

/* A question for records. */
struct resolver_ask {
	struct dns_ask ask;
	char *host;
	struct dns_question *question; /* NULL: was cancelled */
	bool is_answered;
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
	struct dns_ask ask;
	struct resolver *resolver;
	char *host;
	LIST_HEAD(, resolution) waiting;
	struct resolver_answer *answer;	   /* NULL: is asked for */
	TAILQ_ENTRY(resolver_name) others; /* in the cache */
};

struct resolver {
	struct loop *loop;
	struct dns_channel channel;
	void *names; /* a tree of tsearch() */
	TAILQ_HEAD(, resolver_name) cache;
	size_t cached_count;
};

static void *needed(void *memory)
{
	if (!memory)
		die("resolver: out of memory");
	return memory;
}

static int compare_names(const void *a, const void *b)
{
	const struct resolver_name *left = a, *right = b;
	return strcasecmp(left->host, right->host);
}

static void drop_answer(struct resolver_answer *answer)
{
	if (answer && --answer->users == 0)
		free(answer);
}

static void free_name(struct resolver_name *name)
{
	struct resolver *resolver = name->resolver;
	if (name->answer) {
		TAILQ_REMOVE(&resolver->cache, name, others);
		resolver->cached_count--;
		drop_answer(name->answer);
	}
	tdelete(name, &resolver->names, compare_names);
	free(name->host);
	free(name);
}

static struct resolver_name *find_name(struct resolver *resolver, const char *host)
{
	const struct resolver_name key = { .host = (char *)(uintptr_t)host };
	struct resolver_name **found = tfind(&key, &resolver->names, compare_names);
	if (!found)
		return NULL;
	if ((*found)->answer && (*found)->answer->until_ms <= clock_ms()) {
		free_name(*found);
		return NULL;
	}
	return *found;
}

static void empty_cache(struct resolver *resolver)
{
	while (!TAILQ_EMPTY(&resolver->cache))
		free_name(TAILQ_FIRST(&resolver->cache));
}

static void keep_answer(struct resolver_name *name, struct resolver_answer *answer)
{
	struct resolver *resolver = name->resolver;
	if (resolver->cached_count >= RESOLVER_NAMES_MAX)
		free_name(TAILQ_FIRST(&resolver->cache));
	name->answer = answer;
	answer->users++;
	TAILQ_INSERT_TAIL(&resolver->cache, name, others);
	resolver->cached_count++;
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

static struct resolver_answer *answer_of(const struct dns_answer *told)
{
	struct resolver_answer *answer = needed(
		calloc(1, sizeof(*answer) + RESOLVER_ADDRESSES_MAX * sizeof(answer->addresses[0])));
	answer->until_ms = clock_ms() + RESOLVER_KEEP_S * 1000;
	const struct ares_addrinfo *found = told->why ? NULL : told->found;
	answer->why = told->why;
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
	return needed(
		realloc(answer, sizeof(*answer) + answer->count * sizeof(answer->addresses[0])));
}

static void give(struct resolution *resolution, struct resolver_answer *answer)
{
	resolution->answer = answer;
	answer->users++;
	loop_timer_set(resolution->resolver->loop, &resolution->timer, 0);
}

static void take_addresses(struct dns_ask *ask, const struct dns_answer *told)
{
	struct resolver_name *name = CONTAINER_OF(ask, struct resolver_name, ask);
	struct resolution *resolution;
	struct resolver_answer *answer = answer_of(told);
	answer->users++;
	while ((resolution = LIST_FIRST(&name->waiting))) {
		LIST_REMOVE(resolution, others);
		resolution->name = NULL;
		give(resolution, answer);
	}
	if (answer->count > 0 && answer->until_ms > clock_ms())
		keep_answer(name, answer);
	else
		free_name(name);
	drop_answer(answer);
}

static struct resolver_name *add_name(struct resolver *resolver, const char *host)
{
	struct resolver_name *name = needed(calloc(1, sizeof(*name)));
	name->resolver = resolver;
	name->host = needed(strdup(host));
	name->ask = (struct dns_ask){ .call = take_addresses, .host = name->host };
	LIST_INIT(&name->waiting);
	needed(tsearch(name, &resolver->names, compare_names));
	return name;
}

static void free_ask(struct resolver_ask *ask)
{
	free(ask->message);
	free(ask->host);
	free(ask);
}

static void take_message(struct dns_ask *asked, const struct dns_answer *told)
{
	struct resolver_ask *ask = CONTAINER_OF(asked, struct resolver_ask, ask);
	if (!ask->question) {
		free_ask(ask);
		return;
	}
	ask->is_answered = true;
	ask->why = told->why;
	if (!told->why) {
		ask->len = told->len;
		ask->message = needed(malloc(ask->len));
		memcpy(ask->message, told->message, ask->len);
	}
	loop_timer_set(ask->question->resolver->loop, &ask->question->timer, 0);
}

static void answer_resolution(void *context)
{
	struct resolution *resolution = context;
	struct resolver_answer *answer = resolution->answer;
	resolution->answer = NULL;
	resolution->call(resolution->context, answer->addresses, answer->count, answer->why);
	drop_answer(answer);
}

static void follow_files(struct resolver *resolver)
{
	if (dns_channel_follow_files(&resolver->channel))
		empty_cache(resolver);
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
		dns_channel_ask(&resolver->channel, &name->ask);
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
	question->ask->question = question;
	question->ask->host = needed(strdup(name));
	question->ask->ask =
		(struct dns_ask){ .call = take_message, .host = question->ask->host, .type = type };
	dns_channel_ask(&resolver->channel, &question->ask->ask);
}

void resolver_ask_cancel(struct dns_question *question)
{
	struct resolver_ask *ask = question->ask;
	if (!ask)
		return;
	question->ask = NULL;
	loop_timer_cancel(question->resolver->loop, &question->timer);
	if (ask->is_answered || dns_channel_withdraw(&ask->ask))
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
	TAILQ_INIT(&resolver->cache);
	int status = dns_channel_open(&resolver->channel, loop, servers);
	if (status != ARES_SUCCESS) {
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
	dns_channel_close(&resolver->channel);
	empty_cache(resolver);
	free(resolver);
}
