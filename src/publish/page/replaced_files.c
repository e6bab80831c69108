#include "publish/page/replaced_files.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int kept_count;

void replaced_files_keep(struct replaced_files *files, int folder_fd, const char *name)
{
	if (atomic_fetch_add(&kept_count, 1) < REPLACED_FILES_MAX) {
		int fd = openat(folder_fd, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
		if (fd >= 0) {
			files->fds[files->count++] = fd;
			return;
		}
	}
	atomic_fetch_sub(&kept_count, 1);
}

void replaced_files_free(struct replaced_files *files)
{
	while (files->count > 0) {
		close(files->fds[--files->count]);
		atomic_fetch_sub(&kept_count, 1);
	}
}
