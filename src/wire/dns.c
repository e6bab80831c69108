#include "wire/dns.h"

#include <ares.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "base/clock.h"

/* Class and type of the queried records (RFC 1035 section 3.2). */
enum { CLASS_IN = 1, TYPE_TXT = 16 };

/* The time-out of the first query to a server; the time-out of the second is twice as long. */
enum { TRY_MS = 900, TRIES = 2 };

/* The maximum size of an answer by UDP, in bytes. A datagram of this size is not fragmented.
 * Servers send larger answers by TCP. */
enum { EDNS_BYTES = 1232 };

/* The last socket of ares_getsock() is not used, because one of its flags is the sign bit. */
enum { SOCKETS_MAX = ARES_GETSOCK_MAXNUM - 1 };

struct question {
	struct arena *arena;
	struct str *answer;
	int status; /* an ARES_ status */
	bool is_answered;
};

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void start_library(void)
{
	ares_library_init(ARES_LIB_INIT_ALL);
}

/* Sets *len to the length of the record, and returns the next record. A record consists of one or
 * more strings. record_start is true only for the first string of a record. */
static const struct ares_txt_ext *record_end(const struct ares_txt_ext *record, size_t *len)
{
	*len = 0;
	do {
		*len += record->length;
		record = record->next;
	} while (record && !record->record_start);
	return record;
}

static struct str join_strings(const struct ares_txt_ext *record, const struct ares_txt_ext *end,
			       size_t len, struct arena *arena)
{
	char *joined = arena_alloc(arena, len + 1);
	size_t at = 0;
	for (; record != end; record = record->next) {
		memcpy(joined + at, record->txt, record->length);
		at += record->length;
	}
	joined[len] = '\0';
	return (struct str){ joined, len };
}

/* Copies the texts of at most DNS_TEXTS_MAX records. The limit is needed because a stranger, the
 * owner of the name, chooses the answer. */
static void take_texts(struct dns_texts *texts, const struct ares_txt_ext *list,
		       struct arena *arena)
{
	while (list && texts->count < DNS_TEXTS_MAX) {
		size_t len;
		const struct ares_txt_ext *end = record_end(list, &len);
		if (len <= DNS_TEXT_MAX_BYTES)
			texts->rows[texts->count++] = join_strings(list, end, len, arena);
		list = end;
	}
}

static void take_answer(void *argument, int status, int timeouts, unsigned char *bytes, int len)
{
	(void)timeouts;
	struct question *question = argument;
	if (status == ARES_SUCCESS)
		*question->answer = (struct str){ arena_strndup(question->arena,
								(const char *)bytes, (size_t)len),
						  (size_t)len };
	question->status = status;
	question->is_answered = true;
}

/* Waits for an answer, or until c-ares must resend a query. Returns false after end_ms. */
static bool wait_for_answer(ares_channel channel, int64_t end_ms)
{
	ares_socket_t sockets[SOCKETS_MAX];
	struct pollfd polls[SOCKETS_MAX];
	int mask = ares_getsock(channel, sockets, SOCKETS_MAX);
	nfds_t count = 0;
	for (int i = 0; i < SOCKETS_MAX; i++) {
		short events = (short)((ARES_GETSOCK_READABLE(mask, i) ? POLLIN : 0) |
				       (ARES_GETSOCK_WRITABLE(mask, i) ? POLLOUT : 0));
		if (events)
			polls[count++] = (struct pollfd){ .fd = sockets[i], .events = events };
	}
	int64_t left_ms = end_ms - clock_ms();
	if (left_ms <= 0)
		return false;
	struct timeval most = { left_ms / 1000, left_ms % 1000 * 1000 }, next;
	const struct timeval *wait = ares_timeout(channel, &most, &next);
	poll(polls, count, (int)(wait->tv_sec * 1000 + wait->tv_usec / 1000 + 1));
	for (nfds_t i = 0; i < count; i++)
		ares_process_fd(channel,
				polls[i].revents & (POLLIN | POLLERR | POLLHUP) ? polls[i].fd
										: ARES_SOCKET_BAD,
				polls[i].revents & POLLOUT ? polls[i].fd : ARES_SOCKET_BAD);
	/* Let c-ares resend queries that have timed out, even if no socket is ready. */
	ares_process_fd(channel, ARES_SOCKET_BAD, ARES_SOCKET_BAD);
	return true;
}

int dns_open_channel(ares_channel *channel, struct ares_options *options, int mask,
		     const char *servers)
{
	pthread_once(&once, start_library);
	options->flags |= ARES_FLAG_EDNS;
	options->ednspsz = EDNS_BYTES;
	int status = ares_init_options(channel, options,
				       mask | ARES_OPT_FLAGS | ARES_OPT_EDNSPSZ |
					       ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES);
	if (status != ARES_SUCCESS || !servers)
		return status;
	char *dense = strdup(servers), *to = dense;
	for (const char *from = servers; dense && *from; from++)
		if (*from != ' ' && *from != '\t')
			*to++ = *from;
	if (dense)
		*to = '\0';
	status = dense ? ares_set_servers_ports_csv(*channel, dense) : ARES_ENOMEM;
	free(dense);
	if (status != ARES_SUCCESS)
		ares_destroy(*channel);
	return status;
}

static enum result result_of(int status, struct error *error)
{
	switch (status) {
	case ARES_SUCCESS:
		return OK;
	case ARES_ENODATA:
	case ARES_ENOTFOUND:
		return E_NOT_FOUND;
	case ARES_ECANCELLED:
		return error_client(error, E_UNAVAILABLE, "no DNS server answered in time");
	default:
		return error_client(error, E_UNAVAILABLE, "%s", ares_strerror(status));
	}
}

enum result dns_ask(const char *servers, const char *name, int type, struct arena *arena,
		    struct str *answer, struct error *error)
{
	struct question question = { .arena = arena, .answer = answer };
	ares_channel channel;
	int64_t end_ms = clock_ms() + DNS_PATIENCE_MS;
	question.status = dns_open_channel(
		&channel, &(struct ares_options){ .timeout = TRY_MS, .tries = TRIES }, 0, servers);
	if (question.status == ARES_SUCCESS) {
		ares_query(channel, name, CLASS_IN, type, take_answer, &question);
		while (!question.is_answered && wait_for_answer(channel, end_ms))
			continue;
		/* Ends a query that is still open, with ARES_ECANCELLED. */
		ares_cancel(channel);
		ares_destroy(channel);
	}
	return result_of(question.status, error);
}

enum result dns_read_texts(const char *servers, const char *name, struct arena *arena,
			   struct dns_texts *texts, struct error *error)
{
	struct str answer;
	struct ares_txt_ext *list = NULL;
	texts->count = 0;
	enum result result = dns_ask(servers, name, TYPE_TXT, arena, &answer, error);
	if (result != OK)
		return result;
	result = result_of(ares_parse_txt_reply_ext((const unsigned char *)answer.data,
						    (int)answer.len, &list),
			   error);
	if (list) {
		take_texts(texts, list, arena);
		ares_free_data(list);
	}
	return result == OK && texts->count == 0 ? E_NOT_FOUND : result;
}
