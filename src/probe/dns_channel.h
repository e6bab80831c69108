/*
 * A channel of c-ares beside a loop, for resolver.c: its sockets, its repetitions, and the files
 * that decide on its servers. The calls may come within c-ares: they must not ask, and not close.
 */
#ifndef PROBE_DNS_CHANNEL_H
#define PROBE_DNS_CHANNEL_H

#include <ares.h>
#include <sys/queue.h>
#include <sys/stat.h>

#include "base/loop.h"

enum { DNS_FILES = 2 };

struct dns_file {
	struct timespec modified;
	off_t size;
	ino_t inode;
};

struct dns_channel {
	struct loop *loop;
	char *servers;
	ares_channel ares;
	bool is_closing;
	bool is_blind; /* a socket cannot be watched */
	LIST_HEAD(, dns_socket) sockets;
	struct loop_timer turn;
	size_t turn_count;	    /* of questions that were asked in this turn */
	size_t asked_count;	    /* of questions that c-ares has */
	TAILQ_HEAD(, dns_ask) asks; /* that wait for their turn */
	struct dns_file files[DNS_FILES];
	int64_t looked_ms; /* at the files */
};

/* What was answered; only for the time of the call. */
struct dns_answer {
	const char *why; /* NULL: there is an answer */
	const struct ares_addrinfo *found;
	const unsigned char *message;
	size_t len;
};

struct dns_ask {
	/* Once. The ask is the caller's again. */
	void (*call)(struct dns_ask *ask, const struct dns_answer *answer);
	const char *host; /* stays until the call */
	int type;	  /* of records; 0: the addresses */

	/* Private. */
	struct dns_channel *channel;
	TAILQ_ENTRY(dns_ask) others;
	bool is_waiting; /* for its turn */
};

/* Returns an ARES_ status. */
int dns_channel_open(struct dns_channel *channel, struct loop *loop, const char *servers);
/* Calls for all that was asked, with a reason. */
void dns_channel_close(struct dns_channel *channel);
void dns_channel_ask(struct dns_channel *channel, struct dns_ask *ask);
/* False: c-ares has the question, and the call will come. */
bool dns_channel_withdraw(struct dns_ask *ask);
/* Looks at the files at most each RESOLVER_LOOK_MS. True: they have changed. What was asked is
 * asked again. */
bool dns_channel_follow_files(struct dns_channel *channel);

#endif
