#include "unit/lib/unit.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/budget.h"
#include "base/clock.h"
#include "http/fcgi_pool.h"

enum { PATIENCE_MS = 30000, RESPONSE_BYTES = 1 << 20, PIECE_BYTES = 40000 };

static char answer[RESPONSE_BYTES];

static struct fcgi_limits limits = { .read_timeout_s = PATIENCE_MS / 1000 };
static struct pool pool = { .limits = &limits, .lock = PTHREAD_MUTEX_INITIALIZER };

struct reader {
	struct connection connection;
	struct fcgi_request request;
	int fd;
};

static void reader_open(struct reader *reader)
{
	int fds[2];
	assert_int_equal(0, socketpair(AF_UNIX, SOCK_STREAM, 0, fds));
	fcntl(fds[1], F_SETFL, O_NONBLOCK);
	*reader = (struct reader){ .fd = fds[1] };
	reader->connection.fd = fds[0];
	reader->connection.pool = &pool;
	reader->connection.out = BUF_INIT(2 * RESPONSE_BYTES);
	reader->request.connection = &reader->connection;
	reader->request.fcgx.requestId = 258;
}

static void reader_done(struct reader *reader)
{
	buf_done(&reader->connection.out);
	close(reader->connection.fd);
	close(reader->fd);
	assert_int_equal(0, budget_used());
}

static bool put(struct reader *reader, size_t len)
{
	return fcgi_response_write(&reader->request.gateway, answer, len);
}

static size_t held(const struct reader *reader)
{
	return reader->connection.out.len - reader->connection.out_at;
}

/* Reads at most `max` bytes. */
static size_t take(struct reader *reader, char *taken, size_t max)
{
	size_t count = 0;
	ssize_t len;
	while (count < max && (len = read(reader->fd, taken + count, max - count)) > 0)
		count += (size_t)len;
	return count;
}

static char taken[2 * RESPONSE_BYTES];

/* Checks that the records contain the response and its end, and nothing else. */
static void check_records(const char *records, size_t len)
{
	static const char ends[] = "\1\6\1\2\0\0\0\0\1\3\1\2\0\10\0\0\0\0\0\0\0\0\0\0";
	size_t at = 0, got = 0;
	while (got < RESPONSE_BYTES) {
		const unsigned char *header = (const unsigned char *)records + at;
		size_t content_len = (size_t)header[4] << 8 | header[5];
		assert_memory_equal("\1\6\1\2", header, 4);
		assert_memory_equal(answer + got, header + 8, content_len);
		got += content_len;
		at += 8 + content_len;
	}
	assert_int_equal(sizeof(ends) - 1, len - at);
	assert_memory_equal(ends, records + at, len - at);
}

static void what_is_not_taken_is_kept_and_counted(void **state)
{
	(void)state;
	struct reader reader;
	reader_open(&reader);
	assert_true(put(&reader, RESPONSE_BYTES));
	fcgi_response_end(&reader.connection, 258);
	assert_true(fcgi_response_send(&reader.connection));
	assert_true(held(&reader) > RESPONSE_BYTES / 2);
	assert_int_equal(reader.connection.out.size, budget_used());
	size_t at = 0, before = held(&reader);
	while (before > 0) {
		size_t len = take(&reader, taken + at, 150000);
		assert_true(len > 0);
		at += len;
		assert_true(fcgi_response_send(&reader.connection));
		assert_true(held(&reader) <= before);
		before = held(&reader);
	}
	at += take(&reader, taken + at, sizeof(taken) - at);
	check_records(taken, at);
	reader_done(&reader);
}

static void a_reader_that_leaves_is_gone(void **state)
{
	(void)state;
	struct reader reader;
	reader_open(&reader);
	assert_true(put(&reader, RESPONSE_BYTES));
	shutdown(reader.fd, SHUT_RDWR);
	assert_false(fcgi_response_send(&reader.connection));
	assert_false(put(&reader, PIECE_BYTES));
	reader_done(&reader);
}

static void only_bytes_taken_earn_time(void **state)
{
	(void)state;
	struct reader reader;
	reader_open(&reader);
	struct connection *connection = &reader.connection;
	assert_true(put(&reader, RESPONSE_BYTES));
	int64_t now_ms = clock_ms();
	assert_true(connection->deadline_ms > now_ms);
	assert_true(connection->deadline_ms <= now_ms + PATIENCE_MS);
	/* Without progress the deadline stays. */
	connection->deadline_ms = now_ms + 10;
	assert_true(fcgi_response_send(connection));
	assert_int_equal(now_ms + 10, connection->deadline_ms);
	/* Progress adds the time that the slowest reader would have needed. */
	size_t before = held(&reader);
	take(&reader, taken, 80000);
	assert_true(fcgi_response_send(connection));
	int64_t earned_ms = connection->deadline_ms - now_ms - 10;
	assert_true(held(&reader) < before);
	assert_true(earned_ms > 0 && earned_ms <= 80000 * 1000 / 8192);
	/* The deadline is never later than the patience from now, whatever was read before. */
	connection->deadline_ms = now_ms + PATIENCE_MS - 1;
	take(&reader, taken, RESPONSE_BYTES);
	assert_true(fcgi_response_send(connection));
	assert_true(connection->deadline_ms >= now_ms + PATIENCE_MS ||
		    connection->deadline_ms == 0);
	assert_true(connection->deadline_ms <= clock_ms() + PATIENCE_MS);
	reader_done(&reader);
}

/* Connections that wait in a crowd, the first ones longest. */
enum { CONNECTIONS = 6, STEP_MS = 3000, MEGABYTE = 1 << 20 };

static struct reader crowd[CONNECTIONS];

static void crowd_open(enum connection_state state, size_t held_bytes)
{
	for (size_t i = 0; i < CONNECTIONS; i++) {
		struct connection *one = &crowd[i].connection;
		reader_open(&crowd[i]);
		one->state = state;
		one->reader = pthread_self();
		one->held_bytes = held_bytes;
		one->deadline_ms = clock_ms() + PATIENCE_MS - STEP_MS * (int64_t)(CONNECTIONS - i);
		LIST_INSERT_HEAD(&pool.connections, one, others);
	}
}

/* Ends the crowd. Returns how many of the first waits were ended, and checks that no other was. */
static size_t crowd_done(void)
{
	size_t count = 0;
	while (count < CONNECTIONS && crowd[count].connection.is_overdue)
		count++;
	for (size_t i = 0; i < CONNECTIONS; i++) {
		assert_int_equal(i < count, crowd[i].connection.is_overdue);
		LIST_REMOVE(&crowd[i].connection, others);
		reader_done(&crowd[i]);
	}
	return count;
}

static void the_slowest_readers_make_room(void **state)
{
	(void)state;
	static const struct {
		size_t memory_bytes, ended;
	} rows[] = {
		{ 0, 0 },
		{ 24 * MEGABYTE, 0 },
		/* A fourth of it, for those that are behind. */
		{ 24 * MEGABYTE - 4, 1 },
		{ 12 * MEGABYTE, 3 },
		/* One response may continue, whatever its size, unless it is behind. */
		{ MEGABYTE / 2, 6 },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		limits.memory_bytes = rows[i].memory_bytes;
		crowd_open(CONNECTION_SENDING, MEGABYTE);
		connections_look_after(&pool);
		assert_int_equal(rows[i].ended, crowd_done());
	}
}

static void readers_that_are_not_behind_have_the_whole_memory(void **state)
{
	(void)state;
	for (size_t memory = CONNECTIONS; memory > 0; memory--) {
		limits.memory_bytes = memory * MEGABYTE;
		crowd_open(CONNECTION_SENDING, MEGABYTE);
		for (size_t i = 0; i < CONNECTIONS; i++)
			crowd[i].connection.deadline_ms = clock_ms() + PATIENCE_MS + (int64_t)i;
		connections_look_after(&pool);
		assert_int_equal(CONNECTIONS - memory, crowd_done());
	}
	limits.memory_bytes = 0;
}

static void late_readers_are_cut(void **state)
{
	(void)state;
	crowd_open(CONNECTION_SENDING, MEGABYTE);
	crowd[0].connection.deadline_ms = crowd[1].connection.deadline_ms = clock_ms();
	/* A thread handles this connection. */
	crowd[5].connection.deadline_ms = clock_ms();
	crowd[5].connection.state = CONNECTION_BUSY;
	connections_look_after(&pool);
	assert_int_equal(2, crowd_done());
}

/* The last connection asks for memory beside the five others of a megabyte each. */
static void the_oldest_bodies_make_room(void **state)
{
	(void)state;
	static const struct {
		size_t asked_bytes, slow, ended;
		bool is_there;
	} rows[] = {
		{ 3 * MEGABYTE, 5, 0, true },
		{ 3 * MEGABYTE + 1, 5, 1, true },
		{ 4 * MEGABYTE + 1, 2, 2, true },
		/* Too few are slow. */
		{ 4 * MEGABYTE + 1, 1, 0, false },
		/* It counts as at most three quarters of the limit. */
		{ 100 * MEGABYTE, 3, 3, true },
	};
	limits.unfinished_max_bytes = 8 * MEGABYTE;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		crowd_open(CONNECTION_READING, MEGABYTE);
		for (size_t j = rows[i].slow; j < CONNECTIONS; j++)
			crowd[j].connection.deadline_ms = clock_ms() + PATIENCE_MS + (int64_t)j;
		assert_int_equal(rows[i].is_there,
				 connection_has_room(&crowd[CONNECTIONS - 1].connection,
						     rows[i].asked_bytes));
		assert_int_equal(rows[i].ended, crowd_done());
	}
}

/* A served request, and with what refusal. */
static size_t served;
static enum result refusal;
static size_t body_len;

/* gateway_fcgi.c is not linked: no thread can be started. */
bool pool_start_reader(struct pool *unused, struct connection *connection)
{
	(void)unused;
	(void)connection;
	return false;
}
void pool_pause(struct pool *unused, struct seat *seat)
{
	(void)unused;
	(void)seat;
}

static void note_request(void *state, struct gateway *gateway)
{
	char bytes[64];
	(void)state;
	served++;
	refusal = gateway->refusal;
	body_len = (size_t)gateway->read(gateway, bytes, sizeof(bytes));
}

static const struct responder responder = { .serve = note_request };

/* FCGI_BEGIN_REQUEST of a responder that keeps the connection, one variable, ten bytes of a body.
 */
static const char request_start[] = "\1\1\0\1\0\10\0\0\0\1\1\0\0\0\0\0"
				    "\1\4\0\1\0\4\0\0\1\1AB"
				    "\1\4\0\1\0\0\0\0"
				    "\1\5\0\1\0\12\0\0"
				    "0123456789";
static const char request_end[] = "\1\5\0\1\0\0\0\0";

/* Serves what the web server has sent, beside a younger request that takes all memory if it
 * is_crowded. Returns whether the connection is kept. */
static bool serve_sent(bool is_whole, bool is_crowded, bool is_awaited)
{
	int fds[2];
	char got[256];
	struct seat seat = { 0 };
	struct connection *younger = &crowd[0].connection;
	*younger = (struct connection){ .state = CONNECTION_READING,
					.reader = pthread_self(),
					.held_bytes = MEGABYTE + 1,
					.deadline_ms = INT64_MAX };
	struct connection *connection = calloc(1, sizeof(*connection));
	assert_non_null(connection);
	assert_int_equal(0, socketpair(AF_UNIX, SOCK_STREAM, 0, fds));
	*connection = (struct connection){ .fd = fds[0],
					   .pool = &pool,
					   .out = BUF_INIT(MEGABYTE),
					   .is_awaited = is_awaited,
					   .state = CONNECTION_IDLE };
	if (is_crowded)
		LIST_INSERT_HEAD(&pool.connections, younger, others);
	LIST_INSERT_HEAD(&pool.connections, connection, others);
	struct epoll_event event = { .data.ptr = connection };
	pool.epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	assert_int_equal(0, epoll_ctl(pool.epoll_fd, EPOLL_CTL_ADD, fds[0], &event));
	limits.unfinished_max_bytes = MEGABYTE;
	limits.max_body_bytes = MEGABYTE;
	served = 0;
	assert_true(write(fds[1], request_start, sizeof(request_start) - 1) > 0);
	if (is_whole)
		assert_true(write(fds[1], request_end, sizeof(request_end) - 1) > 0);
	else
		shutdown(fds[1], SHUT_WR);
	if (is_awaited) {
		connection_read(connection);
		assert_int_equal(CONNECTION_READ, connection->state);
	}
	connection_serve(&pool, connection, &seat);
	bool is_kept = LIST_FIRST(&pool.connections) != (is_crowded ? younger : NULL);
	if (is_kept) {
		shutdown(fds[1], SHUT_RDWR);
		connection_serve(&pool, connection, &seat);
	}
	if (is_crowded)
		LIST_REMOVE(younger, others);
	assert_true(LIST_EMPTY(&pool.connections));
	while (read(fds[1], got, sizeof(got)) > 0)
		continue;
	close(fds[1]);
	close(pool.epoll_fd);
	assert_int_equal(0, budget_used());
	return is_kept;
}

static void a_request_without_a_reader_counts_as_unfinished(void **state)
{
	(void)state;
	/* The rest of the body is read and dropped. */
	assert_true(serve_sent(false, true, false));
	assert_int_equal(1, served);
	assert_int_equal(E_CROWDED, refusal);
	/* There is room: the web server has left. */
	assert_false(serve_sent(false, false, false));
	assert_int_equal(0, served);
}

static void a_body_that_arrives_as_its_wait_ends_is_served(void **state)
{
	(void)state;
	assert_true(serve_sent(true, false, true));
	assert_int_equal(1, served);
	assert_int_equal(OK, refusal);
	assert_int_equal(10, body_len);
	/* The body has arrived as its wait was ended: the request is served. */
	assert_false(serve_sent(true, true, true));
	assert_int_equal(1, served);
	assert_int_equal(OK, refusal);
	assert_int_equal(10, body_len);
}

int main(void)
{
	FCGX_Init();
	/* gateway_fcgi.c, which is not linked, handles the signal. */
	signal(FCGI_READER_SIGNAL, SIG_IGN);
	pool.responder = &responder;
	for (size_t i = 0; i < sizeof(answer); i++)
		answer[i] = (char)(i * 7 + i / 251);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_not_taken_is_kept_and_counted),
		cmocka_unit_test(a_reader_that_leaves_is_gone),
		cmocka_unit_test(only_bytes_taken_earn_time),
		cmocka_unit_test(the_slowest_readers_make_room),
		cmocka_unit_test(readers_that_are_not_behind_have_the_whole_memory),
		cmocka_unit_test(late_readers_are_cut),
		cmocka_unit_test(the_oldest_bodies_make_room),
		cmocka_unit_test(a_request_without_a_reader_counts_as_unfinished),
		cmocka_unit_test(a_body_that_arrives_as_its_wait_ends_is_served),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
