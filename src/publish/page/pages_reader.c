#include "publish/page/pages_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/fd.h"
#include "publish/folder/folder.h"

#define OPEN_FLAGS (O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)

/* Returns E_UNAVAILABLE, because the next request may succeed: the cause is the state of this
 * machine, such as too many open files. */
static enum result unreadable(const char *path, struct error *error)
{
	error_client(error, E_UNAVAILABLE, "This page cannot be read at the moment.");
	return error_log(error, E_UNAVAILABLE, "pages: cannot open %s: %s", path, strerror(errno));
}

enum result pages_reader_open(struct pages_reader *reader, const char *path, struct error *error)
{
	reader->root_fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return reader->root_fd >= 0 || errno == ENOENT ? OK : unreadable(path, error);
}

void pages_reader_close(struct pages_reader *reader)
{
	close_fd(&reader->root_fd);
	reader->root_fd = -1;
}

/* Opens a path folder by folder. */
static int open_stepwise(int root_fd, const char *path)
{
	char step[NAME_MAX + 1];
	int folder_fd CLEANUP(close_fd) = -1;
	int at_fd = root_fd;
	for (const char *slash; (slash = strchr(path, '/')); path = slash + 1) {
		int len = (int)(slash - path);
		if (len > NAME_MAX) {
			errno = ENAMETOOLONG;
			return -1;
		}
		snprintf(step, sizeof(step), "%.*s", len, path);
		int next_fd = folder_open(at_fd, step);
		if (next_fd < 0)
			return -1;
		close_fd(&folder_fd);
		folder_fd = at_fd = next_fd;
	}
	return openat(at_fd, path, OPEN_FLAGS);
}

/* Opens a path, if possible by openat2() (Linux 5.6). A filter of system calls that does not know
 * openat2() may refuse it with EPERM. */
static int open_path(int root_fd, const char *path)
{
	struct open_how how = {
		.flags = OPEN_FLAGS,
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
	};
	int fd = (int)syscall(SYS_openat2, root_fd, path, &how, sizeof(how));
	if (fd >= 0 || (errno != ENOSYS && errno != EPERM && errno != EAGAIN))
		return fd;
	return open_stepwise(root_fd, path);
}

/* Whether errno means that the file does not exist. */
static bool is_absent(void)
{
	return errno == ENOENT || errno == ENOTDIR || errno == ELOOP || errno == ENAMETOOLONG;
}

enum result pages_reader_find(const struct pages_reader *reader, enum pages_place place,
			      const char *folder, const char *name, int *fd, struct error *error)
{
	char path[PATH_MAX];
	const char *parent = pages_place_parent(place);
	*fd = -1;
	if (reader->root_fd < 0 || !folder_is_name(folder) || !folder_is_name(name) ||
	    snprintf(path, sizeof(path), "%s%s%s/%s/%s", parent, parent[0] ? "/" : "",
		     pages_place_name(place), folder, name) >= (int)sizeof(path))
		return OK;
	*fd = open_path(reader->root_fd, path);
	if (*fd >= 0 || is_absent())
		return OK;
	return unreadable(path, error);
}

enum result pages_reader_text(const struct pages_reader *reader, enum pages_place place,
			      const char *folder, const char *name, size_t max_bytes,
			      struct arena *arena, const char **text, struct error *error)
{
	int fd CLEANUP(close_fd) = -1;
	struct str content;
	enum result result = pages_reader_find(reader, place, folder, name, &fd, error);
	*text = fd >= 0 && fd_read_file(fd, max_bytes, arena, &content) ? content.data : NULL;
	return result;
}
