/* Plain CGI (RFC 3875): one request in the environment and standard input. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "http/gateway.h"

static const char *cgi_param(struct gateway *gateway, const char *name)
{
	(void)gateway;
	return getenv(name);
}

static ssize_t cgi_read(struct gateway *gateway, char *out, size_t size)
{
	(void)gateway;
	ssize_t len;
	do
		len = read(STDIN_FILENO, out, size);
	while (len < 0 && errno == EINTR);
	return len;
}

static bool cgi_write(struct gateway *gateway, const void *data, size_t len)
{
	(void)gateway;
	const char *rest = data;
	while (len > 0) {
		ssize_t done = write(STDOUT_FILENO, rest, len);
		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return false;
		rest += done;
		len -= (size_t)done;
	}
	return true;
}

/* Closes the output. The web server then has the complete response, although the process still
 * runs. */
static void cgi_finish(struct gateway *gateway)
{
	(void)gateway;
	int fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (fd >= 0) {
		dup2(fd, STDOUT_FILENO);
		close(fd);
	}
}

void gateway_cgi_run(const struct responder *responder)
{
	struct gateway gateway = { cgi_param, cgi_read, cgi_write, cgi_finish, .is_framed = false };
	/* A visitor who disconnects must not kill the process between a commit and publishing. */
	signal(SIGPIPE, SIG_IGN);
	void *state = responder->open(responder->context);
	responder->serve(state, &gateway);
	responder->close(state);
}
