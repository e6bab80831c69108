#include "base/fd.h"

#include <errno.h>
#include <sys/stat.h>

ssize_t fd_read_some(int fd, char *to, size_t max)
{
	size_t len = 0;
	ssize_t got = 1;
	while (got > 0 && len < max) {
		got = read(fd, to + len, max - len);
		len += got > 0 ? (size_t)got : 0;
	}
	return got < 0 ? -1 : (ssize_t)len;
}

bool fd_read_file(int fd, size_t max_bytes, struct arena *arena, struct str *content)
{
	struct stat status;
	if (fstat(fd, &status) != 0)
		return false;
	errno = EFBIG;
	if (!S_ISREG(status.st_mode) || status.st_size > (off_t)max_bytes)
		return false;
	size_t size = (size_t)status.st_size;
	char *text = arena_alloc(arena, size + 1);
	ssize_t len = fd_read_some(fd, text, size);
	*content = (struct str){ text, size };
	if (len >= 0 && len < (ssize_t)size)
		errno = EIO;
	return len == (ssize_t)size;
}
