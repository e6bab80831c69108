#include "probe/ping_socket.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>
#include <time.h> /* errqueue.h needs it */
#include <unistd.h>

#include <linux/errqueue.h>
#include <linux/icmp.h>
#include <netinet/icmp6.h>
#include <netinet/in.h>

#include "base/log.h"
#include "probe/address.h"

enum { PACKETS_IN_TURN = 64 };
/* For the replies of one turn, also those to other programs. */
enum { RECEIVE_BUFFER_BYTES = 1 << 20 };

void ping_random(void *bytes, size_t len)
{
	if (getrandom(bytes, len, 0) != (ssize_t)len)
		die("ping: there is no randomness");
}

static bool is_ours(const struct ping_socket *socket, const struct icmp_echo *echo)
{
	return !socket->is_raw || echo->id == socket->id;
}

static bool receive_reply(struct ping_socket *socket)
{
	uint8_t packet[ICMP_PACKET_MAX_BYTES];
	struct sockaddr_storage from;
	socklen_t from_len = sizeof(from);
	struct icmp_echo echo;
	ssize_t len = recvfrom(socket->watch.fd, packet, sizeof(packet), MSG_TRUNC,
			       (struct sockaddr *)&from, &from_len);
	if (len < 0)
		return errno != EAGAIN;
	if ((size_t)len > sizeof(packet) ||
	    !icmp_read_reply(socket->family, socket->is_raw && socket->family == AF_INET, packet,
			     (size_t)len, &echo) ||
	    !is_ours(socket, &echo))
		return true;
	socket->reply(socket->context, &echo, &from);
	return true;
}

static bool receive_error(struct ping_socket *socket)
{
	uint8_t packet[ICMP_PACKET_MAX_BYTES];
	_Alignas(struct cmsghdr) char control[512];
	struct sockaddr_storage to = { 0 };
	struct iovec part = { packet, sizeof(packet) };
	struct msghdr message = { .msg_name = &to,
				  .msg_namelen = sizeof(to),
				  .msg_iov = &part,
				  .msg_iovlen = 1,
				  .msg_control = control,
				  .msg_controllen = sizeof(control) };
	struct icmp_echo echo;
	ssize_t len = recvmsg(socket->watch.fd, &message, MSG_ERRQUEUE);
	if (len < 0)
		return false;
	for (struct cmsghdr *part_of = CMSG_FIRSTHDR(&message); part_of;
	     part_of = CMSG_NXTHDR(&message, part_of)) {
		const struct sock_extended_err *error = (const void *)CMSG_DATA(part_of);
		bool is_error =
			(part_of->cmsg_level == SOL_IP && part_of->cmsg_type == IP_RECVERR) ||
			(part_of->cmsg_level == SOL_IPV6 && part_of->cmsg_type == IPV6_RECVERR);
		if (is_error && icmp_read_quoted(socket->family, packet, (size_t)len, &echo) &&
		    is_ours(socket, &echo))
			socket->fail(socket->context, &echo, &to, (int)error->ee_errno);
	}
	return true;
}

static void receive(void *context)
{
	struct ping_socket *socket = context;
	int left = PACKETS_IN_TURN;
	if (socket->watch.ready & EPOLLERR)
		while (left-- > 0 && receive_error(socket))
			continue;
	for (left = PACKETS_IN_TURN; left > 0 && receive_reply(socket); left--)
		continue;
}

static bool set_options(const struct ping_socket *socket, int fd)
{
	const int on = 1, buffer = RECEIVE_BUFFER_BYTES;
	const struct icmp_filter only_replies = { ~(1u << ICMP_ECHOREPLY) };
	struct icmp6_filter only_replies6;
	ICMP6_FILTER_SETBLOCKALL(&only_replies6);
	ICMP6_FILTER_SETPASS(ICMP6_ECHO_REPLY, &only_replies6);
	setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &buffer, sizeof(buffer));
	if (socket->family == AF_INET)
		return setsockopt(fd, SOL_IP, IP_RECVERR, &on, sizeof(on)) == 0 &&
		       (!socket->is_raw || setsockopt(fd, SOL_RAW, ICMP_FILTER, &only_replies,
						      sizeof(only_replies)) == 0);
	return setsockopt(fd, SOL_IPV6, IPV6_RECVERR, &on, sizeof(on)) == 0 &&
	       (!socket->is_raw || setsockopt(fd, IPPROTO_ICMPV6, ICMP6_FILTER, &only_replies6,
					      sizeof(only_replies6)) == 0);
}

bool ping_socket_open(struct ping_socket *ping_socket)
{
	static const int types[] = { SOCK_DGRAM, SOCK_RAW };
	int protocol = ping_socket->family == AF_INET ? IPPROTO_ICMP : IPPROTO_ICMPV6, fd = -1;
	if (ping_socket->watch.is_watched)
		return true;
	if (ping_socket->is_refused)
		return false;
	for (size_t i = 0; i < ARRAY_LEN(types) && fd < 0; i++) {
		fd = socket(ping_socket->family, types[i] | SOCK_NONBLOCK | SOCK_CLOEXEC, protocol);
		ping_socket->is_raw = types[i] == SOCK_RAW;
	}
	ping_socket->error = errno;
	ping_socket->is_refused = fd < 0 && (errno == EPERM || errno == EACCES ||
					     errno == EAFNOSUPPORT || errno == EPROTONOSUPPORT);
	if (fd < 0)
		return false;
	if (ping_socket->is_raw)
		ping_random(&ping_socket->id, sizeof(ping_socket->id));
	ping_socket->watch = (struct loop_watch){ .call = receive, .context = ping_socket };
	if (set_options(ping_socket, fd) && loop_watch(ping_socket->loop, &ping_socket->watch, fd))
		return true;
	ping_socket->error = errno;
	close(fd);
	return false;
}

void ping_socket_close(struct ping_socket *socket)
{
	if (!socket->watch.is_watched)
		return;
	loop_unwatch(socket->loop, &socket->watch);
	close(socket->watch.fd);
}

int ping_socket_send(struct ping_socket *socket, const struct sockaddr_storage *to,
		     const uint8_t token[ICMP_TOKEN_BYTES], uint16_t *sequence)
{
	struct icmp_echo echo = { .id = socket->id, .sequence = ++socket->sequence };
	uint8_t packet[ICMP_ECHO_BYTES];
	*sequence = echo.sequence;
	memcpy(echo.token, token, sizeof(echo.token));
	icmp_write_request(socket->family, &echo, packet);
	/* The first result may be an error of another request, which the kernel tells once. */
	for (int i = 0; i < 2; i++)
		if (sendto(socket->watch.fd, packet, sizeof(packet), MSG_NOSIGNAL,
			   (const struct sockaddr *)to, address_len(to)) >= 0)
			return 0;
	return errno;
}
