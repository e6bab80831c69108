#include "listening.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

bool socket_is_listening(int fd)
{
	int value = 0;
	socklen_t len = sizeof(value);
	return getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &value, &len) == 0 && value != 0;
}

int socket_open(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	if (strlen(path) >= sizeof(address.sun_path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	memcpy(address.sun_path, path, strlen(path) + 1);
	int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (probe < 0)
		return -1;
	bool is_answered = connect(probe, (struct sockaddr *)&address, sizeof(address)) == 0;
	close(probe);
	if (is_answered) {
		errno = EADDRINUSE;
		return -1;
	}
	unlink(path);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -1;
	mode_t before = umask(0117);
	int outcome = bind(fd, (struct sockaddr *)&address, sizeof(address));
	umask(before);
	if (outcome != 0 || listen(fd, SOMAXCONN) != 0) {
		close(fd);
		return -1;
	}
	return fd;
}
