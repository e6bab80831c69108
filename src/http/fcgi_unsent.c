/*
 * FastCGI: responses that the web server has not accepted completely. A slow reader takes no
 * thread, only a connection and the rest of its response. This file limits the time and the memory
 * of such responses.
 */
#include <sys/socket.h>

#include "base/clock.h"
#include "http/fcgi_pool.h"

/* The limit for unsent responses of a process. */
enum { UNSENT_MAX = 256 };

/* The divisor for the share of the process's memory that slow readers may hold. */
enum { UNSENT_SHARE = 4 };

/* A reader at full speed is never this far behind its deadline: only slower ones make room. */
enum { BEHIND_MS = 1000 };

/* Shuts the connection down; the event makes a thread close it. Call with the lock held. */
static void cut_connection(struct connection *connection)
{
	connection->is_cut = true;
	shutdown(connection->fd, SHUT_RDWR);
}

struct unsent {
	struct connection *slowest;
	size_t count;
	size_t bytes;
};

/* Sums up the unsent responses, and cuts those past their deadline. Call with the lock held. */
static struct unsent count_unsent(struct pool *pool, int64_t late_ms)
{
	struct unsent unsent = { 0 };
	for (struct connection *one = pool->connections; one; one = one->next) {
		if (!one->is_sending || one->is_cut)
			continue;
		if (one->output.deadline_ms <= late_ms) {
			cut_connection(one);
			continue;
		}
		unsent.count++;
		unsent.bytes += one->output.held_bytes;
		if (!unsent.slowest || one->output.deadline_ms < unsent.slowest->output.deadline_ms)
			unsent.slowest = one;
	}
	return unsent;
}

/*
 * One response may exceed the share, and even a fast reader needs some time for it. Up to the whole
 * memory, only readers that are behind are cut.
 */
static bool must_make_room(const struct pool *pool, const struct unsent *unsent, int64_t now_ms)
{
	const struct fcgi_output *output = &unsent->slowest->output;
	size_t most = pool->limits->memory_bytes;
	if (most > 0 && unsent->bytes > most && unsent->count > 1)
		return true;
	if (output->deadline_ms - now_ms > output->patience_ms - BEHIND_MS)
		return false;
	return unsent->count > UNSENT_MAX || (most > 0 && unsent->bytes > most / UNSENT_SHARE);
}

/* Call with the lock held. */
static void limit_unsent(struct pool *pool)
{
	int64_t now_ms = clock_ms();
	struct unsent unsent = count_unsent(pool, now_ms);
	while (unsent.slowest && must_make_room(pool, &unsent, now_ms)) {
		cut_connection(unsent.slowest);
		unsent = count_unsent(pool, now_ms);
	}
}

void connection_set_sending(struct pool *pool, struct connection *connection)
{
	pthread_mutex_lock(&pool->lock);
	connection->is_sending = true;
	limit_unsent(pool);
	pthread_mutex_unlock(&pool->lock);
}

void connections_limit_unsent(struct pool *pool)
{
	pthread_mutex_lock(&pool->lock);
	limit_unsent(pool);
	pthread_mutex_unlock(&pool->lock);
}

void connections_cut_unsent(struct pool *pool)
{
	pthread_mutex_lock(&pool->lock);
	count_unsent(pool, INT64_MAX);
	pthread_mutex_unlock(&pool->lock);
}
