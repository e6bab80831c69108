/* Closes a descriptor at the end of its scope: `int fd CLEANUP(close_fd) = open(…);` */
#ifndef BASE_FD_H
#define BASE_FD_H

#include <unistd.h>

static inline void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

#endif
