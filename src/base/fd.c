#include "base/fd.h"

#include <errno.h>
#include <sys/stat.h>

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
	ssize_t len = read(fd, text, size);
	*content = (struct str){ text, size };
	if (len >= 0 && len < (ssize_t)size)
		errno = EIO;
	return len == (ssize_t)size;
}
