/* Reading from descriptors, and closing them. */
#ifndef BASE_FD_H
#define BASE_FD_H

#include <unistd.h>

#include "base/arena.h"
#include "base/str.h"

/* Closes a descriptor at the end of its scope: `int fd CLEANUP(close_fd) = open(…);` */
static inline void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

/* Reads until the end or `max` bytes. Returns the number of bytes; -1: errno has the reason. */
ssize_t fd_read_some(int fd, char *to, size_t max);
/*
 * Reads an open file of at most max_bytes into the arena, NUL-terminated. Returns false on failure,
 * with the reason in errno: EFBIG for a larger file, and for anything that is not a regular file.
 */
bool fd_read_file(int fd, size_t max_bytes, struct arena *arena, struct str *content) MUST_USE;

#endif
