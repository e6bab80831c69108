/*
 * FastCGI: incomplete requests. A slow client takes no thread, only a connection and the memory of
 * its request so far. This file limits their number, their memory and their time.
 */
#include <sys/socket.h>

#include "base/attr.h"
#include "base/clock.h"
#include "http/fcgi_pool.h"

/* The limit for incomplete requests of a process. */
enum { UNFINISHED_MAX = 256 };

/* A body at normal speed is complete in this time; only older requests make room for others. */
enum { SLOW_MS = 2000 };

/*
 * Ends the wait: no more is read from the connection, and a thread responds or closes it. Call with
 * the lock held.
 */
static void end_wait(struct connection *connection, enum result result)
{
	connection->is_overdue = true;
	connection->overdue_result = result;
	shutdown(connection->fd, SHUT_RD);
}

static bool is_counted(const struct connection *connection)
{
	return connection->is_unfinished && !connection->is_overdue;
}

static bool is_waited_for(const struct connection *connection)
{
	return connection->is_idle && is_counted(connection);
}

/* Call with the lock held. */
static struct connection *oldest_of(const struct pool *pool)
{
	struct connection *oldest = NULL;
	for (struct connection *one = pool->connections; one; one = one->next)
		if (is_waited_for(one) && (!oldest || one->begun_ms < oldest->begun_ms))
			oldest = one;
	return oldest;
}

/*
 * Above the limit, ends the oldest incomplete request, which is likely one of a slow client. Call
 * with the lock held.
 */
static void limit_waits(struct pool *pool)
{
	size_t count = 0, bytes = 0;
	for (struct connection *one = pool->connections; one; one = one->next)
		if (is_counted(one)) {
			count++;
			bytes += one->held_bytes;
		}
	struct connection *oldest = oldest_of(pool);
	if (oldest && (count > UNFINISHED_MAX || bytes > pool->limits->unfinished_max_bytes))
		end_wait(oldest, E_CROWDED);
}

/* A request counts as at most three quarters of the limit, so that small ones fit beside it. */
static size_t counted_bytes(const struct pool *pool, size_t held_bytes)
{
	size_t most = pool->limits->unfinished_max_bytes / 4 * 3;
	return held_bytes < most ? held_bytes : most;
}

/* Call with the lock held. */
static void note_unfinished(struct connection *connection, size_t bytes)
{
	if (!connection->is_unfinished)
		connection->begun_ms = clock_ms();
	connection->is_unfinished = true;
	connection->held_bytes = bytes;
}

/*
 * Ends slow requests, the oldest first, until the others hold at most max_bytes. Ends none if that
 * does not suffice. Call with the lock held.
 */
static bool make_room(struct pool *pool, const struct connection *asking, size_t max_bytes)
{
	int64_t slow_ms = clock_ms() - SLOW_MS;
	size_t bytes = 0, slow_bytes = 0;
	for (struct connection *one = pool->connections; one; one = one->next) {
		if (one == asking || !is_counted(one))
			continue;
		bytes += one->held_bytes;
		if (is_waited_for(one) && one->begun_ms <= slow_ms)
			slow_bytes += one->held_bytes;
	}
	if (bytes - slow_bytes > max_bytes)
		return false;
	while (bytes > max_bytes) {
		struct connection *oldest = oldest_of(pool);
		bytes -= oldest->held_bytes;
		end_wait(oldest, E_CROWDED);
	}
	return true;
}

bool connection_has_room(struct fcgi_input *input, size_t held_bytes)
{
	struct connection *connection = CONTAINER_OF(input, struct connection, input);
	struct pool *pool = connection->pool;
	size_t bytes = counted_bytes(pool, held_bytes);
	pthread_mutex_lock(&pool->lock);
	bool is_there = make_room(pool, connection, pool->limits->unfinished_max_bytes - bytes);
	if (is_there)
		note_unfinished(connection, bytes);
	pthread_mutex_unlock(&pool->lock);
	return is_there;
}

void connection_set_idle(struct pool *pool, struct connection *connection)
{
	size_t bytes = counted_bytes(pool, fcgi_held_bytes(&connection->input));
	pthread_mutex_lock(&pool->lock);
	connection->is_idle = true;
	connection->heard_ms = clock_ms();
	if (!fcgi_is_unfinished(&connection->input)) {
		connection->is_unfinished = false;
	} else {
		note_unfinished(connection, bytes);
		limit_waits(pool);
	}
	pthread_mutex_unlock(&pool->lock);
}

void connections_look_after(struct pool *pool)
{
	int64_t late_ms = clock_ms() - pool->limits->read_timeout_s * 1000;
	pthread_mutex_lock(&pool->lock);
	for (struct connection *one = pool->connections; one; one = one->next)
		if (is_waited_for(one) && one->heard_ms <= late_ms)
			end_wait(one, E_TOO_SLOW);
	pthread_mutex_unlock(&pool->lock);
}

void connections_hang_up(struct pool *pool, bool with_requests)
{
	pthread_mutex_lock(&pool->lock);
	for (struct connection *one = pool->connections; one; one = one->next) {
		if (!one->is_idle || one->is_overdue || (one->is_unfinished && !with_requests))
			continue;
		end_wait(one, E_TOO_SLOW);
	}
	pthread_mutex_unlock(&pool->lock);
}
