/*
 * farm PORT [LOG]: systems that are checked. PORT speaks HTTP, PORT + 1 sends a banner; both on all
 * addresses, so it runs in a network of its own. A target is the last two bytes of its address:
 * 127.1.2.3 is target 515. Its mode decides when a connection is accepted:
 *
 *   u  responds
 *   d  closes without a response
 *   h  never responds
 *   x  responds, but for each 100th connection; targets begin to count at different numbers
 *   o  closes once without a response, and then is u
 *
 * Standard input has lines "MODE FIRST COUNT", which set the mode of COUNT targets, and "f 0 0".
 * Each is acknowledged by "ok" and the number of connections, when everything before it is in the
 * log. The farm ends with its input. LOG has a line for each connection: its time in milliseconds,
 * the target, the port's place (0 or 1), and u or d: whether it was, or is to be, given a response.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { TARGETS = 65536, FDS = 262144, EVENTS = 512, PORTS = 2, DROPPED = 100 };
enum kind { SILENT, HTTP };

static char modes[TARGETS];
static uint32_t counts[PORTS][TARGETS];
static uint8_t kinds[FDS];
static uint8_t matched[FDS]; /* characters of the end of the request's header */
static long long connections;
static FILE *journal;

static const char reply[] = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 3\r\n"
			    "Connection: close\r\n\r\nok\n";
static const char banner[] = "220 farm ESMTP\r\n";

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static int listen_at(int port)
{
	const struct sockaddr_in address = { .sin_family = AF_INET,
					     .sin_port = htons((uint16_t)port) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), yes = 1;
	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes)) != 0 ||
	    bind(fd, (const struct sockaddr *)&address, sizeof(address)) != 0 ||
	    listen(fd, 65535) != 0)
		fail("farm: listen");
	return fd;
}

static void watch(int poll, int fd)
{
	struct epoll_event event = { .events = EPOLLIN, .data.fd = fd };
	if (epoll_ctl(poll, EPOLL_CTL_ADD, fd, &event) != 0)
		fail("farm: epoll");
}

static void note(int target, int place, char result)
{
	struct timespec now;
	connections++;
	if (!journal)
		return;
	clock_gettime(CLOCK_REALTIME, &now);
	fprintf(journal, "%lld %d %d %c\n", (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000,
		target, place, result);
}

static void take(int poll, int fd, int place)
{
	struct sockaddr_in address;
	socklen_t size = sizeof(address);
	if (fd >= FDS || getsockname(fd, (struct sockaddr *)&address, &size) != 0) {
		close(fd);
		return;
	}
	int target = ntohl(address.sin_addr.s_addr) & (TARGETS - 1);
	bool is_dropped = modes[target] == 'd' || modes[target] == 'o' ||
			  (modes[target] == 'x' &&
			   (++counts[place][target] + (uint32_t)target) % DROPPED == 0);
	bool responds = !is_dropped && modes[target] != 'h';
	note(target, place, responds ? 'u' : 'd');
	if (modes[target] == 'o')
		modes[target] = 'u';
	if (is_dropped) {
		close(fd);
		return;
	}
	if (responds && place == 1 && write(fd, banner, sizeof(banner) - 1) < 0)
		perror("farm: banner");
	kinds[fd] = responds && place == 0 ? HTTP : SILENT;
	matched[fd] = 0;
	watch(poll, fd);
}

static void accept_all(int poll, int listener, int place)
{
	int fd;
	while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0)
		take(poll, fd, place);
}

static void serve(int fd)
{
	char data[4096];
	ssize_t got = read(fd, data, sizeof(data));
	for (ssize_t i = 0; i < got && kinds[fd] == HTTP && matched[fd] < 4; i++)
		matched[fd] = data[i] == "\r\n\r\n"[matched[fd]] ? matched[fd] + 1
								 : data[i] == '\r';
	if (got > 0 && (kinds[fd] != HTTP || matched[fd] < 4))
		return;
	/* The client may be gone. */
	if (got > 0 && send(fd, reply, sizeof(reply) - 1, MSG_NOSIGNAL) < 0)
		got = 0;
	close(fd);
}

static bool obey(void)
{
	char text[65536], *line, *rest = text;
	ssize_t got = read(STDIN_FILENO, text, sizeof(text) - 1);
	if (got <= 0)
		return false;
	text[got] = '\0';
	while ((line = strsep(&rest, "\n")) && *line) {
		char mode;
		int first, count;
		if (sscanf(line, "%c %d %d", &mode, &first, &count) != 3 || first < 0 ||
		    count < 0 || first + count > TARGETS)
			return false;
		memset(modes + first, mode, (size_t)count);
		if (journal)
			fflush(journal);
		printf("ok %lld\n", connections);
	}
	return fflush(stdout) == 0;
}

int main(int argc, char **argv)
{
	struct epoll_event events[EVENTS];
	struct rlimit limit;
	int poll = epoll_create1(EPOLL_CLOEXEC), listeners[PORTS];
	bool goes_on = argc > 1 && poll >= 0;
	if (argc > 2 && !(journal = fopen(argv[2], "a")))
		fail(argv[2]);
	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
	memset(modes, 'u', sizeof(modes));
	for (int i = 0; goes_on && i < PORTS; i++)
		watch(poll, listeners[i] = listen_at((int)strtol(argv[1], NULL, 10) + i));
	watch(poll, STDIN_FILENO);
	while (goes_on) {
		int count = epoll_wait(poll, events, EVENTS, -1);
		for (int i = 0; i < count && goes_on; i++) {
			int fd = events[i].data.fd;
			if (fd == STDIN_FILENO)
				goes_on = obey();
			else if (fd == listeners[0] || fd == listeners[1])
				accept_all(poll, fd, fd == listeners[1]);
			else
				serve(fd);
		}
	}
	return 0;
}
