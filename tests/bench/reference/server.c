/*
 * A bare server for tests/bench: FastCGI over kept connections, through one epoll.
 * Usage: reference LISTEN-SOCKET MYSQL-SOCKET THREADS
 */
#include <errno.h>
#include <pthread.h>
#include <sodium.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "reference.h"

enum {
	INPUT_SIZE = 32768,
	HEAD = 8, /* bytes of a FastCGI record's header */
};

/* FastCGI record types. */
enum { END = 3, PARAMS = 4, STDIN = 5, STDOUT = 6 };

struct worker {
	int epoll;
	struct api *api;
	struct output out;
};

struct connection {
	int fd;
	size_t len;
	unsigned char input[INPUT_SIZE];
};

void die(const char *what, const char *why)
{
	fprintf(stderr, "reference: %s: %s\n", what, why);
	exit(1);
}

static void copy_value(char *to, size_t size, const unsigned char *value, size_t len)
{
	len = len < size ? len : size - 1;
	memcpy(to, value, len);
	to[len] = '\0';
}

static size_t read_length(const unsigned char **at)
{
	size_t len = *(*at)++;
	if (len < 128)
		return len;
	len = (len & 127) << 24 | (size_t)(*at)[0] << 16 | (size_t)(*at)[1] << 8 | (*at)[2];
	*at += 3;
	return len;
}

static void read_params(struct request *request, const unsigned char *at, size_t len)
{
	const unsigned char *end = at + len;
	while (at < end) {
		size_t name_len = read_length(&at), value_len = read_length(&at);
		const char *name = (const char *)at;
		const unsigned char *value = at + name_len;
		if (name_len == 14 && memcmp(name, "REQUEST_METHOD", 14) == 0)
			copy_value(request->method, sizeof(request->method), value, value_len);
		else if (name_len == 11 && memcmp(name, "REQUEST_URI", 11) == 0)
			copy_value(request->uri, sizeof(request->uri), value, value_len);
		else if (name_len == 9 && memcmp(name, "HTTP_HOST", 9) == 0)
			copy_value(request->host, sizeof(request->host), value, value_len);
		else if (name_len == 18 && memcmp(name, "HTTP_AUTHORIZATION", 18) == 0 &&
			 value_len > 7)
			copy_value(request->key, sizeof(request->key), value + 7, value_len - 7);
		at = value + value_len;
	}
}

/* Reads the records of a request; false: not all have come. The body must be in one record. */
static bool read_request(const struct connection *connection, struct request *request, int *id)
{
	size_t at = 0;
	request->body = "";
	while (at + HEAD <= connection->len) {
		const unsigned char *record = connection->input + at;
		size_t len = (size_t)record[4] << 8 | record[5];
		if (at + HEAD + len + record[6] > connection->len)
			return false;
		*id = record[2] << 8 | record[3];
		if (record[1] == PARAMS)
			read_params(request, record + HEAD, len);
		if (record[1] == STDIN && len == 0)
			return true;
		if (record[1] == STDIN) {
			request->body = (const char *)record + HEAD;
			request->body_len = len;
		}
		at += HEAD + len + record[6];
	}
	return false;
}

static void put_record(char *at, int type, int id, size_t len)
{
	const unsigned char head[HEAD] = { 1,
					   (unsigned char)type,
					   (unsigned char)(id >> 8),
					   (unsigned char)id,
					   (unsigned char)(len >> 8),
					   (unsigned char)len };
	memcpy(at, head, HEAD);
}

static void start_output(struct output *out, const char *status)
{
	out->len = HEAD + (size_t)snprintf(out->bytes + HEAD, OUTPUT_SIZE,
					   "Status: %s\r\nContent-Type: application/json\r\n\r\n",
					   status);
}

static bool respond(struct worker *worker, struct connection *connection)
{
	struct request request = { 0 };
	struct output *out = &worker->out;
	int id = 0;
	if (!read_request(connection, &request, &id))
		return true;
	connection->len = 0;
	start_output(out, "200 OK");
	if (!api_handle(worker->api, &request, out))
		start_output(out, "404 Not Found");
	put_record(out->bytes, STDOUT, id, out->len - HEAD);
	memset(out->bytes + out->len, 0, 3 * HEAD);
	put_record(out->bytes + out->len, STDOUT, id, 0);
	put_record(out->bytes + out->len + HEAD, END, id, HEAD);
	out->len += 3 * HEAD;
	for (size_t sent = 0; sent < out->len;) {
		ssize_t n = send(connection->fd, out->bytes + sent, out->len - sent, MSG_NOSIGNAL);
		if (n <= 0)
			return false;
		sent += (size_t)n;
	}
	return true;
}

static bool serve(struct worker *worker, struct connection *connection)
{
	ssize_t n = recv(connection->fd, connection->input + connection->len,
			 INPUT_SIZE - connection->len, 0);
	if (n <= 0)
		return false;
	connection->len += (size_t)n;
	return respond(worker, connection);
}

static void *work(void *context)
{
	struct worker *worker = context;
	struct epoll_event event;
	for (;;) {
		if (epoll_wait(worker->epoll, &event, 1, -1) != 1)
			continue;
		struct connection *connection = event.data.ptr;
		if (!serve(worker, connection)) {
			close(connection->fd);
			free(connection);
			continue;
		}
		event.events = EPOLLIN | EPOLLONESHOT;
		epoll_ctl(worker->epoll, EPOLL_CTL_MOD, connection->fd, &event);
	}
	return NULL;
}

static int listen_at(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	unlink(path);
	if (bind(fd, (struct sockaddr *)&address, sizeof(address)) || listen(fd, 511))
		die(path, strerror(errno));
	return fd;
}

static void accept_all(int listener, int epoll)
{
	for (;;) {
		struct connection *connection = calloc(1, sizeof(*connection));
		if (!connection)
			die("accept", "out of memory");
		connection->fd = accept(listener, NULL, NULL);
		if (connection->fd < 0) {
			free(connection);
			continue;
		}
		struct epoll_event event = { .events = EPOLLIN | EPOLLONESHOT,
					     .data.ptr = connection };
		epoll_ctl(epoll, EPOLL_CTL_ADD, connection->fd, &event);
	}
}

int main(int argc, char **argv)
{
	if (argc != 4)
		die("usage", "reference LISTEN-SOCKET MYSQL-SOCKET THREADS");
	int epoll = epoll_create1(EPOLL_CLOEXEC);
	if (sodium_init() < 0)
		die("start", "a library fails");
	for (long left = strtol(argv[3], NULL, 10); left > 0; left--) {
		struct worker *worker = calloc(1, sizeof(*worker));
		pthread_t thread;
		if (!worker || !(worker->out.bytes = malloc(OUTPUT_SIZE + 3 * HEAD)))
			die("start", "out of memory");
		worker->epoll = epoll;
		worker->api = api_open(argv[2]);
		if (pthread_create(&thread, NULL, work, worker))
			die("start", "no thread");
	}
	accept_all(listen_at(argv[1]), epoll);
}
