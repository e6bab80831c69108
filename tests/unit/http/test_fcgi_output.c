#include "unit/lib/unit.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/budget.h"
#include "base/clock.h"
#include "http/fcgi_pool.h"

enum { PATIENCE_MS = 30000, RESPONSE_BYTES = 1 << 20, PIECE_BYTES = 40000 };

static char answer[RESPONSE_BYTES];

struct reader {
	struct fcgi_output output;
	int fds[2]; /* of the sender and of the reader */
};

static void reader_open(struct reader *reader)
{
	assert_int_equal(0, socketpair(AF_UNIX, SOCK_STREAM, 0, reader->fds));
	fcntl(reader->fds[1], F_SETFL, O_NONBLOCK);
	fcgi_output_init(&reader->output, PATIENCE_MS);
}

static void reader_done(struct reader *reader)
{
	fcgi_output_done(&reader->output);
	close(reader->fds[0]);
	close(reader->fds[1]);
	assert_int_equal(0, budget_used());
}

/* Sends a response in pieces of three parts each, like its records. */
static void put_response(struct fcgi_output *output, int fd)
{
	for (size_t at = 0; at < RESPONSE_BYTES; at += PIECE_BYTES) {
		size_t len = RESPONSE_BYTES - at < PIECE_BYTES ? RESPONSE_BYTES - at : PIECE_BYTES;
		struct iovec parts[] = {
			{ answer + at, 8 },
			{ answer + at + 8, 0 },
			{ answer + at + 8, len - 8 },
		};
		assert_true(fcgi_output_put(output, fd, parts, ARRAY_LEN(parts)));
	}
}

/* Reads at most `max` bytes, and checks that they continue the response. */
static size_t take(int fd, size_t at, size_t max)
{
	static char taken[RESPONSE_BYTES];
	size_t count = 0;
	ssize_t len;
	while (count < max && (len = read(fd, taken, max - count)) > 0) {
		assert_memory_equal(answer + at + count, taken, (size_t)len);
		count += (size_t)len;
	}
	return count;
}

static void what_is_not_taken_is_kept_and_counted(void **state)
{
	(void)state;
	struct reader reader;
	reader_open(&reader);
	struct iovec small = { answer, 100 };
	assert_true(fcgi_output_put(&reader.output, reader.fds[0], &small, 1));
	assert_false(fcgi_output_waits(&reader.output));
	assert_int_equal(0, budget_used());
	assert_int_equal(100, take(reader.fds[1], 0, RESPONSE_BYTES));

	put_response(&reader.output, reader.fds[0]);
	assert_true(fcgi_output_waits(&reader.output));
	assert_true(budget_used() > RESPONSE_BYTES / 2);
	assert_int_equal(reader.output.held_bytes, budget_used());
	size_t at = 0, held_bytes = reader.output.held_bytes;
	while (at < RESPONSE_BYTES) {
		size_t len = take(reader.fds[1], at, 150000);
		assert_true(len > 0);
		at += len;
		assert_true(fcgi_output_send(&reader.output, reader.fds[0]));
		assert_true(reader.output.held_bytes <= held_bytes);
		held_bytes = reader.output.held_bytes;
	}
	assert_false(fcgi_output_waits(&reader.output));
	reader_done(&reader);
}

static void a_reader_that_leaves_is_gone(void **state)
{
	(void)state;
	struct reader reader;
	reader_open(&reader);
	put_response(&reader.output, reader.fds[0]);
	shutdown(reader.fds[1], SHUT_RDWR);
	assert_false(fcgi_output_send(&reader.output, reader.fds[0]));
	struct iovec more = { answer, 100 };
	assert_false(fcgi_output_put(&reader.output, reader.fds[0], &more, 1));
	reader_done(&reader);
}

static void only_bytes_taken_earn_time(void **state)
{
	(void)state;
	struct reader reader;
	reader_open(&reader);
	put_response(&reader.output, reader.fds[0]);
	int64_t now_ms = clock_ms();
	assert_true(reader.output.deadline_ms <= now_ms + PATIENCE_MS);
	/* Without progress the deadline stays. */
	reader.output.deadline_ms = now_ms + 10;
	assert_true(fcgi_output_send(&reader.output, reader.fds[0]));
	assert_int_equal(now_ms + 10, reader.output.deadline_ms);
	/* Progress adds the time that the slowest reader would have needed. */
	size_t held_bytes = reader.output.held_bytes;
	take(reader.fds[1], 0, 80000);
	assert_true(fcgi_output_send(&reader.output, reader.fds[0]));
	int64_t earned_ms = reader.output.deadline_ms - now_ms - 10;
	assert_true(held_bytes > reader.output.held_bytes);
	assert_true(earned_ms > 0 && earned_ms <= 80000 * 1000 / FCGI_SLOWEST_BYTES_PER_S);
	/* The deadline is never later than the patience from now, whatever was read before. */
	reader.output.deadline_ms = now_ms + PATIENCE_MS - 1;
	take(reader.fds[1], 80000, RESPONSE_BYTES);
	assert_true(fcgi_output_send(&reader.output, reader.fds[0]));
	assert_true(reader.output.deadline_ms >= now_ms + PATIENCE_MS);
	assert_true(reader.output.deadline_ms <= clock_ms() + PATIENCE_MS);
	reader_done(&reader);
}

enum { CONNECTIONS = 6 };

struct crowd {
	struct fcgi_limits limits;
	struct pool pool;
	struct connection connections[CONNECTIONS];
	int readers[CONNECTIONS];
};

/* The first connections began first, each two seconds before the next, and so are slowest. */
static void crowd_open(struct crowd *crowd, size_t memory_bytes)
{
	*crowd = (struct crowd){ .limits.memory_bytes = memory_bytes,
				 .pool.lock = PTHREAD_MUTEX_INITIALIZER };
	crowd->pool.limits = &crowd->limits;
	for (size_t i = 0; i < CONNECTIONS; i++) {
		struct connection *one = &crowd->connections[i];
		int fds[2];
		assert_int_equal(0, socketpair(AF_UNIX, SOCK_STREAM, 0, fds));
		one->fd = fds[0];
		crowd->readers[i] = fds[1];
		fcgi_output_init(&one->output, PATIENCE_MS);
		put_response(&one->output, one->fd);
		one->output.deadline_ms -= 2000 * (int64_t)(CONNECTIONS - i);
		one->next = crowd->pool.connections;
		crowd->pool.connections = one;
		one->is_sending = true;
	}
}

/* Returns how many of the first connections are cut, and checks that no other one is. */
static size_t crowd_cut(const struct crowd *crowd)
{
	size_t count = 0;
	while (count < CONNECTIONS && crowd->connections[count].is_cut)
		count++;
	for (size_t i = count; i < CONNECTIONS; i++)
		assert_false(crowd->connections[i].is_cut);
	return count;
}

static void crowd_done(struct crowd *crowd)
{
	for (size_t i = 0; i < CONNECTIONS; i++) {
		struct connection *one = &crowd->connections[i];
		struct iovec more = { answer, 1 };
		assert_int_equal(!one->is_cut, fcgi_output_put(&one->output, one->fd, &more, 1));
		fcgi_output_done(&one->output);
		close(one->fd);
		close(crowd->readers[i]);
	}
	assert_int_equal(0, budget_used());
}

static void the_slowest_make_room(void **state)
{
	(void)state;
	struct crowd crowd;
	crowd_open(&crowd, 0);
	connections_limit_unsent(&crowd.pool);
	assert_int_equal(0, crowd_cut(&crowd));
	/* Room for three responses, minus the bytes in the kernel's buffers. */
	crowd.limits.memory_bytes = 4 * 3 * RESPONSE_BYTES;
	connections_limit_unsent(&crowd.pool);
	assert_true(crowd_cut(&crowd) > 0 && crowd_cut(&crowd) < CONNECTIONS);
	size_t left = 0;
	for (size_t i = crowd_cut(&crowd); i < CONNECTIONS; i++)
		left += crowd.connections[i].output.held_bytes;
	assert_true(left <= 3 * RESPONSE_BYTES);
	assert_true(left + crowd.connections[0].output.held_bytes > 3 * RESPONSE_BYTES);
	crowd_done(&crowd);
}

static void readers_that_are_not_behind_have_the_whole_memory(void **state)
{
	(void)state;
	struct crowd crowd;
	crowd_open(&crowd, CONNECTIONS * (RESPONSE_BYTES + 10000));
	for (size_t i = 0; i < CONNECTIONS; i++)
		crowd.connections[i].output.deadline_ms = clock_ms() + PATIENCE_MS + (int64_t)i;
	connections_limit_unsent(&crowd.pool);
	assert_int_equal(0, crowd_cut(&crowd));
	crowd.limits.memory_bytes = RESPONSE_BYTES / 2;
	connections_limit_unsent(&crowd.pool);
	/* One response may continue, whatever its size. */
	assert_int_equal(CONNECTIONS - 1, crowd_cut(&crowd));
	crowd_done(&crowd);
}

static void late_readers_are_cut(void **state)
{
	(void)state;
	struct crowd crowd;
	crowd_open(&crowd, 0);
	crowd.connections[0].output.deadline_ms = clock_ms();
	crowd.connections[1].output.deadline_ms = clock_ms();
	/* A thread handles this connection. */
	crowd.connections[5].output.deadline_ms = clock_ms();
	crowd.connections[5].is_sending = false;
	connections_limit_unsent(&crowd.pool);
	assert_int_equal(2, crowd_cut(&crowd));
	connections_cut_unsent(&crowd.pool);
	assert_int_equal(5, crowd_cut(&crowd));
	crowd_done(&crowd);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(answer); i++)
		answer[i] = (char)(i * 7 + i / 251);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_not_taken_is_kept_and_counted),
		cmocka_unit_test(a_reader_that_leaves_is_gone),
		cmocka_unit_test(only_bytes_taken_earn_time),
		cmocka_unit_test(the_slowest_make_room),
		cmocka_unit_test(readers_that_are_not_behind_have_the_whole_memory),
		cmocka_unit_test(late_readers_are_cut),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
