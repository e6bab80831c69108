/*
 * FastCGI: limits for connections that wait for the web server. A slow sender occupies a reader
 * thread, and memory for the received part of its request. A slow receiver occupies no thread, but
 * memory for the unsent part of its response. This file limits the number, the memory and the time
 * of slow senders and slow receivers.
 */
#include <signal.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "http/fcgi_pool.h"

enum {
	/* A process has at most this many incomplete requests, and at most this many unsent
	 * responses. */
	CROWD_MAX = 256,
	/* Unsent responses may occupy 1 / UNSENT_SHARE of the process's memory. */
	UNSENT_SHARE = 4,
	/* A connection that begins to wait has the full timeout. It counts as slow when its
	 * remaining time is less by SLOW_MS. */
	SLOW_MS = 2000,
	/* How long a draining process waits until the web server has
	 *   closed idle connections: GIVE_UP_MS
	 *   sent the rest of requests, and read the rest of responses: GIVE_UP_WAITS_MS
	 * The supervisor waits longer. */
	GIVE_UP_MS = 2000,
	GIVE_UP_WAITS_MS = 20000,
};

struct crowd {
	struct connection *slowest;
	size_t count;
	size_t bytes;
	size_t slow_bytes; /* memory of the slow connections (SLOW_MS) */
};

/*
 * Interrupts the thread that reads from the connection, if its wait for the body was ended. Does
 * not use shutdown(): a web server that is sending the body would get EPIPE, and nginx would then
 * not read the response. A thread that is not reading at this moment misses the signal, so
 * connections_look_after() and connections_give_up() repeat it. Call it with the lock held.
 */
static void interrupt_ended(struct connection *connection)
{
	if (connection->state == CONNECTION_READING && connection->is_overdue)
		pthread_kill(connection->reader, FCGI_READER_SIGNAL);
}

/* Ends the wait of a connection: interrupts the thread that reads from it, or shuts down its socket
 * if no thread does. Call it with the lock held. */
static void end_wait(struct connection *connection, enum result result)
{
	connection->is_overdue = true;
	connection->overdue_result = result;
	interrupt_ended(connection);
	if (connection->state == CONNECTION_SENDING)
		shutdown(connection->fd, SHUT_RDWR);
	else if (connection->state != CONNECTION_READING)
		shutdown(connection->fd, SHUT_RD);
}

/* Counts the connections in this state, except `except` (may be NULL). Call it with the lock
 * held. */
static struct crowd crowd_of(struct pool *pool, enum connection_state state,
			     const struct connection *except)
{
	int64_t slow_ms = clock_ms() + pool->limits->read_timeout_s * 1000 - SLOW_MS;
	struct crowd crowd = { 0 };
	struct connection *one;
	LIST_FOREACH(one, &pool->connections, others) {
		if (one == except || one->state != state || one->is_overdue)
			continue;
		crowd.count++;
		crowd.bytes += one->held_bytes;
		crowd.slow_bytes += one->deadline_ms <= slow_ms ? one->held_bytes : 0;
		if (!crowd.slowest || one->deadline_ms < crowd.slowest->deadline_ms)
			crowd.slowest = one;
	}
	return crowd;
}

/* If the incomplete requests exceed a limit, ends the request that has waited longest, because its
 * client is probably slow. Call it with the lock held. */
static void limit_unfinished(struct pool *pool)
{
	struct crowd crowd = crowd_of(pool, CONNECTION_READING, NULL);
	if (crowd.count > CROWD_MAX || crowd.bytes > pool->limits->unfinished_max_bytes)
		end_wait(crowd.slowest, E_CROWDED);
}

/*
 * Cuts off the slowest receivers while there are too many unsent responses, or while they use more
 * than 1 / UNSENT_SHARE of the memory. Stops when no receiver is slow (SLOW_MS), because a fast
 * receiver also needs time for a large response. But if the responses need more than the whole
 * memory, also cuts off fast receivers. Call it with the lock held.
 */
static void limit_unsent(struct pool *pool)
{
	size_t most = pool->limits->memory_bytes > 0 ? pool->limits->memory_bytes : SIZE_MAX;
	for (;;) {
		struct crowd crowd = crowd_of(pool, CONNECTION_SENDING, NULL);
		bool is_over = crowd.count > 1 && crowd.bytes > most;
		bool is_crowded = crowd.count > CROWD_MAX || crowd.bytes > most / UNSENT_SHARE;
		if (!is_over && (!is_crowded || crowd.slow_bytes == 0))
			return;
		end_wait(crowd.slowest, E_TOO_SLOW);
	}
}

/* Returns how much memory counts for a request: at most three quarters of the limit for all
 * requests, so that small requests fit beside a large one. */
static size_t counted_bytes(const struct pool *pool, size_t held_bytes)
{
	size_t most = pool->limits->unfinished_max_bytes / 4 * 3;
	return held_bytes < most ? held_bytes : most;
}

/* Ends slow requests, the oldest first, until the requests other than `asking` use at most
 * max_bytes. If the fast requests alone use more, ends none, and returns false. Call it with the
 * lock held. */
static bool make_room(struct pool *pool, const struct connection *asking, size_t max_bytes)
{
	struct crowd crowd = crowd_of(pool, CONNECTION_READING, asking);
	bool is_there = crowd.bytes - crowd.slow_bytes <= max_bytes;
	while (is_there && crowd.bytes > max_bytes) {
		end_wait(crowd.slowest, E_CROWDED);
		crowd = crowd_of(pool, CONNECTION_READING, asking);
	}
	return is_there;
}

bool connection_has_room(struct connection *connection, size_t held_bytes)
{
	struct pool *pool = connection->pool;
	size_t bytes = counted_bytes(pool, held_bytes);
	pthread_mutex_lock(&pool->lock);
	bool is_there = make_room(pool, connection, pool->limits->unfinished_max_bytes - bytes);
	if (is_there)
		connection->held_bytes = bytes;
	pthread_mutex_unlock(&pool->lock);
	return is_there;
}

bool connection_set_reading(struct connection *connection, size_t held_bytes)
{
	struct pool *pool = connection->pool;
	pthread_mutex_lock(&pool->lock);
	connection->reader = pthread_self();
	connection->state = CONNECTION_READING;
	connection->held_bytes = counted_bytes(pool, held_bytes);
	limit_unfinished(pool);
	bool goes_on = !connection->is_overdue;
	pthread_mutex_unlock(&pool->lock);
	return goes_on;
}

enum result connection_end_reading(struct connection *connection)
{
	struct pool *pool = connection->pool;
	pthread_mutex_lock(&pool->lock);
	enum result result = connection->is_overdue ? connection->overdue_result : OK;
	connection->state = CONNECTION_BUSY;
	connection->is_overdue = false;
	pthread_mutex_unlock(&pool->lock);
	return result;
}

void connection_set_sending(struct connection *connection)
{
	struct pool *pool = connection->pool;
	pthread_mutex_lock(&pool->lock);
	connection->state = CONNECTION_SENDING;
	connection->held_bytes = connection->out.size;
	limit_unsent(pool);
	pthread_mutex_unlock(&pool->lock);
}

void connections_look_after(struct pool *pool)
{
	struct connection *one;
	pthread_mutex_lock(&pool->lock);
	int64_t now_ms = clock_ms();
	LIST_FOREACH(one, &pool->connections, others) {
		if ((one->state == CONNECTION_SENDING || one->state == CONNECTION_ENDING) &&
		    one->deadline_ms <= now_ms && !one->is_overdue)
			end_wait(one, E_TOO_SLOW);
		interrupt_ended(one);
	}
	limit_unsent(pool);
	pthread_mutex_unlock(&pool->lock);
}

/* Takes the step of connections_give_up() that is due for this connection. Call it with the lock
 * held. */
static void give_up(struct connection *connection, int64_t draining_ms)
{
	bool is_idle = connection->state == CONNECTION_IDLE;
	bool waits = connection->state == CONNECTION_READING ||
		     connection->state == CONNECTION_SENDING ||
		     connection->state == CONNECTION_ENDING;
	if (is_idle && !connection->is_given_up) {
		connection->is_given_up = true;
		fcgi_farewell(connection);
		if (!fcgi_response_send(connection))
			end_wait(connection, E_TOO_SLOW);
	}
	interrupt_ended(connection);
	if (connection->is_overdue)
		return;
	if ((is_idle && draining_ms > GIVE_UP_MS) || (waits && draining_ms > GIVE_UP_WAITS_MS))
		end_wait(connection, E_TOO_SLOW);
}

bool connections_give_up(struct pool *pool, int64_t draining_ms)
{
	struct connection *one;
	pthread_mutex_lock(&pool->lock);
	bool is_one_left = !LIST_EMPTY(&pool->connections);
	LIST_FOREACH(one, &pool->connections, others)
		give_up(one, draining_ms);
	pthread_mutex_unlock(&pool->lock);
	return is_one_left;
}
