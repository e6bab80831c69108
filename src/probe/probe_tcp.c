/* Checks by TCP: the system must accept a connection. If a text is expected, it must be in the
 * first TCP_RESPONSE_MAX_BYTES of the response. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "probe/connect.h"
#include "probe/excerpt.h"

enum { TCP_RESPONSE_MAX_BYTES = 64 * 1024, TEXT_MAX_BYTES = 4 * 1000 };

struct tcp_check {
	struct connecting connect;
	size_t send_len, sent;
	char send[TEXT_MAX_BYTES];
	struct str expected;
	size_t received;
	/* The last `kept` received bytes, in which the expected text may begin. */
	size_t kept;
	char tail[TEXT_MAX_BYTES + 4096];
};

/* Copies the text. Replaces \r, \n, \t and \\ by the characters that they stand for. Returns the
 * length. */
static size_t unescape(const char *text, char *to, size_t size)
{
	static const char letters[] = "rnt\\", meant[] = "\r\n\t\\";
	size_t len = 0;
	for (; *text && len < size; text++) {
		const char *letter = *text == '\\' && text[1] ? strchr(letters, text[1]) : NULL;
		to[len++] = letter ? meant[letter - letters] : *text;
		text += letter != NULL;
	}
	return len;
}

static void miss(struct probe *probe)
{
	const struct tcp_check *check = probe->own;
	struct excerpt text;
	excerpt_make(&text, check->expected);
	probe_end(probe, false, "the text \"%s\" is missing", text.text);
}

static void receive(struct probe *probe)
{
	struct tcp_check *check = probe->own;
	char *at = check->tail + check->kept;
	ssize_t len = recv(check->connect.watch.fd, at, sizeof(check->tail) - check->kept, 0);
	if (len < 0) {
		if (errno != EAGAIN && errno != EINTR)
			connect_fail(probe, errno);
		return;
	}
	if (len == 0 && check->received == 0) {
		probe_end(probe, false, "the connection was closed without a response");
		return;
	}
	if (check->received == 0)
		probe->result.first_byte_us = probe_elapsed_us(probe);
	check->received += (size_t)len;
	check->kept += (size_t)len;
	if (memmem(check->tail, check->kept, check->expected.data, check->expected.len)) {
		probe_end(probe, true, NULL);
	} else if (len == 0 || check->received >= TCP_RESPONSE_MAX_BYTES) {
		miss(probe);
	} else if (check->kept >= check->expected.len) {
		size_t rest = check->expected.len - 1;
		memmove(check->tail, check->tail + check->kept - rest, rest);
		check->kept = rest;
	}
}

static void proceed(void *context)
{
	struct probe *probe = context;
	struct tcp_check *check = probe->own;
	struct loop *loop = probe->prober->loop;
	if (check->sent == check->send_len && check->expected.len > 0) {
		receive(probe);
		return;
	}
	ssize_t len = send(check->connect.watch.fd, check->send + check->sent,
			   check->send_len - check->sent, MSG_NOSIGNAL);
	if (len < 0 && errno != EAGAIN && errno != EINTR)
		connect_fail(probe, errno);
	check->sent += len > 0 ? (size_t)len : 0;
	if (check->sent < check->send_len)
		return;
	if (check->expected.len == 0)
		probe_end(probe, true, NULL);
	else if (!loop_watch_for(loop, &check->connect.watch, EPOLLIN))
		connect_fail(probe, errno);
}

static void begin(struct probe *probe, int error)
{
	struct tcp_check *check = probe->own;
	struct loop *loop = probe->prober->loop;
	if (check->expected.len > 0)
		probe->awaits = "no response with the expected text";
	if (error != 0)
		connect_fail(probe, error);
	else if (check->send_len == 0 && check->expected.len == 0)
		probe_end(probe, true, NULL);
	else if (!loop_watch(loop, &check->connect.watch, check->connect.watch.fd) ||
		 (check->send_len > 0 && !loop_watch_for(loop, &check->connect.watch, EPOLLOUT)))
		connect_fail(probe, errno);
}

static void tcp_start(struct probe *probe)
{
	const struct check_settings *settings = probe->settings;
	struct check_target target;
	struct tcp_check *check = probe->own = memory_needed(calloc(1, sizeof(*check)));
	check->connect.watch = (struct loop_watch){ .call = proceed, .context = probe };
	check->connect.call = begin;
	if (settings->tcp_send)
		check->send_len = unescape(settings->tcp_send, check->send, sizeof(check->send));
	check->expected = str_from(settings->tcp_expect);
	if (check->expected.len > TEXT_MAX_BYTES)
		check->expected.len = TEXT_MAX_BYTES;
	if (check_target_read(settings->url, &target) && target.port > 0)
		connect_to_host(&check->connect, probe, target.host, (int)target.port);
	else
		probe_end(probe, false, "the address of the system has no port");
}

static void tcp_stop(struct probe *probe)
{
	struct tcp_check *check = probe->own;
	connect_stop(&check->connect);
	free(check);
}

const struct probe_type probe_tcp = { tcp_start, tcp_stop, true };
