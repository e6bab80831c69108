#include "wire/http_progress.h"

#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clock.h"

/* A transfer has no progress if it is slower than this on average during its time-out. */
enum { PROGRESS_BYTES_PER_S = 64 };

void http_sockets_init(struct http_sockets *sockets)
{
	memset(sockets->fds, -1, sizeof(sockets->fds));
	sockets->may_connect = NULL;
	sockets->has_refused = false;
}

static void replace(struct http_sockets *sockets, int old, int new)
{
	for (size_t i = 0; i < ARRAY_LEN(sockets->fds); i++)
		if (sockets->fds[i] == old) {
			sockets->fds[i] = new;
			return;
		}
}

/* libcurl calls this to open a socket (CURLOPT_OPENSOCKETFUNCTION). */
static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address)
{
	struct http_sockets *sockets = context;
	(void)purpose;
	if (sockets->may_connect && !sockets->may_connect(&address->addr)) {
		sockets->has_refused = true;
		errno = EACCES;
		return CURL_SOCKET_BAD;
	}
	int fd = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
	if (fd < 0)
		return CURL_SOCKET_BAD;
	replace(sockets, -1, fd);
	return fd;
}

/* libcurl calls this to close a socket (CURLOPT_CLOSESOCKETFUNCTION). */
static int close_socket(void *context, curl_socket_t fd)
{
	replace(context, fd, -1);
	return close(fd);
}

static int port_of(int fd)
{
	struct sockaddr_storage address = { 0 };
	socklen_t len = sizeof(address);
	if (getsockname(fd, (struct sockaddr *)&address, &len) != 0)
		return -1;
	return address.ss_family == AF_INET6
		       ? ntohs(((const struct sockaddr_in6 *)&address)->sin6_port)
		       : ntohs(((const struct sockaddr_in *)&address)->sin_port);
}

/* libcurl calls this before it sends a request (CURLOPT_PREREQFUNCTION). Finds the socket of the
 * request by its local port: for a kept connection libcurl does not tell the socket. */
static int find_socket(void *context, char *remote_ip, char *local_ip, int remote_port,
		       int local_port)
{
	struct http_progress *progress = context;
	const int *fds = progress->sockets->fds;
	(void)remote_ip, (void)local_ip, (void)remote_port;
	progress->fd = -1;
	for (size_t i = 0; i < ARRAY_LEN(progress->sockets->fds); i++)
		if (fds[i] >= 0 && port_of(fds[i]) == local_port)
			progress->fd = fds[i];
	progress->progress_ms = clock_ms();
	return CURL_PREREQFUNC_OK;
}

/*
 * libcurl calls this at least once a second (CURLOPT_XFERINFOFUNCTION). Returns true to end a
 * transfer without progress. Returns false before the connection is made: CURLOPT_CONNECTTIMEOUT
 * limits this time.
 */
static int check(void *context, curl_off_t to_receive, curl_off_t received, curl_off_t to_send,
		 curl_off_t sent)
{
	struct http_progress *progress = context;
	int on_the_way = 0;
	(void)to_receive, (void)to_send;
	if (progress->progress_ms == 0)
		return 0;
	if (progress->fd >= 0 && ioctl(progress->fd, TIOCOUTQ, &on_the_way) != 0)
		on_the_way = 0;
	int64_t now_ms = clock_ms(), arrived = received + sent - on_the_way;
	if (arrived >= progress->arrived + (int64_t)PROGRESS_BYTES_PER_S * progress->timeout_s) {
		progress->arrived = arrived;
		progress->progress_ms = now_ms;
	}
	progress->is_stalled = now_ms - progress->progress_ms >=
			       progress->timeout_s * INT64_C(1000);
	return progress->is_stalled;
}

void http_progress_watch(CURL *easy, struct http_sockets *sockets, int timeout_s,
			 struct http_progress *progress)
{
	*progress = (struct http_progress){ .sockets = sockets, .timeout_s = timeout_s, .fd = -1 };
	curl.easy_setopt(easy, CURLOPT_CONNECTTIMEOUT, (long)timeout_s);
	curl.easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket);
	curl.easy_setopt(easy, CURLOPT_OPENSOCKETDATA, sockets);
	curl.easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, close_socket);
	curl.easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, sockets);
	curl.easy_setopt(easy, CURLOPT_PREREQFUNCTION, find_socket);
	curl.easy_setopt(easy, CURLOPT_PREREQDATA, progress);
	curl.easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
	curl.easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, check);
	curl.easy_setopt(easy, CURLOPT_XFERINFODATA, progress);
}
