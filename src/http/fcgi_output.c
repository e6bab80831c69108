#include "http/fcgi_output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/budget.h"
#include "base/clock.h"

struct fcgi_piece {
	struct fcgi_piece *next;
	size_t size; /* its bytes in the budget */
	size_t len;
	size_t at; /* bytes already sent */
	char bytes[];
};

void fcgi_output_init(struct fcgi_output *output, int64_t patience_ms)
{
	*output = (struct fcgi_output){ .patience_ms = patience_ms };
}

static void drop_first(struct fcgi_output *output)
{
	struct fcgi_piece *piece = output->first;
	output->first = piece->next;
	if (!output->first)
		output->last = NULL;
	output->held_bytes -= piece->size;
	budget_give(piece->size);
	free(piece);
}

void fcgi_output_done(struct fcgi_output *output)
{
	while (output->first)
		drop_first(output);
}

bool fcgi_output_waits(const struct fcgi_output *output)
{
	return output->first != NULL;
}

/* The number of bytes that could be sent now; -1: the connection is lost. */
static ssize_t send_now(int fd, struct iovec *parts, size_t count)
{
	struct msghdr message = { .msg_iov = parts, .msg_iovlen = count };
	ssize_t len;
	do
		len = sendmsg(fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
	while (len < 0 && errno == EINTR);
	return len < 0 && errno == EAGAIN ? 0 : len;
}

/* Keeps the parts without their first `sent` bytes. */
static bool keep_unsent(struct fcgi_output *output, const struct iovec *parts, size_t count,
			size_t sent)
{
	size_t all = 0;
	for (size_t i = 0; i < count; i++)
		all += parts[i].iov_len;
	if (all == sent)
		return true;
	struct fcgi_piece *piece = malloc(sizeof(*piece) + all - sent);
	if (!piece)
		return false;
	*piece = (struct fcgi_piece){ .size = sizeof(*piece) + all - sent };
	for (size_t i = 0; i < count; i++) {
		size_t skip = sent < parts[i].iov_len ? sent : parts[i].iov_len;
		size_t len = parts[i].iov_len - skip;
		if (len > 0)
			memcpy(piece->bytes + piece->len, (char *)parts[i].iov_base + skip, len);
		piece->len += len;
		sent -= skip;
	}
	if (output->last)
		output->last->next = piece;
	else
		output->first = piece;
	if (!output->last)
		output->deadline_ms = clock_ms() + output->patience_ms;
	output->last = piece;
	output->held_bytes += piece->size;
	budget_take(piece->size);
	return true;
}

bool fcgi_output_put(struct fcgi_output *output, int fd, const struct iovec *parts, size_t count)
{
	struct iovec now[FCGI_OUTPUT_PARTS_MAX];
	if (count > FCGI_OUTPUT_PARTS_MAX || !fcgi_output_send(output, fd))
		return false;
	ssize_t sent = 0;
	if (!fcgi_output_waits(output)) {
		memcpy(now, parts, count * sizeof(*parts));
		sent = send_now(fd, now, count);
	}
	return sent >= 0 && keep_unsent(output, parts, count, (size_t)sent);
}

static void extend_deadline(struct fcgi_output *output, size_t taken)
{
	int64_t latest_ms = clock_ms() + output->patience_ms;
	output->deadline_ms += (int64_t)taken * 1000 / FCGI_SLOWEST_BYTES_PER_S;
	if (output->deadline_ms > latest_ms)
		output->deadline_ms = latest_ms;
}

bool fcgi_output_send(struct fcgi_output *output, int fd)
{
	size_t taken = 0;
	while (output->first) {
		struct fcgi_piece *piece = output->first;
		struct iovec part = { piece->bytes + piece->at, piece->len - piece->at };
		ssize_t len = send_now(fd, &part, 1);
		if (len < 0)
			return false;
		if (len == 0)
			break;
		taken += (size_t)len;
		piece->at += (size_t)len;
		if (piece->at == piece->len)
			drop_first(output);
	}
	extend_deadline(output, taken);
	return true;
}
