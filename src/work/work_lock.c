#include "work/work_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "publish/folder/pages_dir.h"
#include "work/work.h"

#define LOCK_FILE "publisher"

enum { NOTE_SIZE = 32 };

/* Opens the lock file. If the file does not exist, and `flags` lacks O_CREAT, returns OK and sets
 * *fd to -1. */
static enum result open_lock_file(const char *pages_dir, int flags, int *fd, struct error *error)
{
	struct pages_dir dir CLEANUP(pages_dir_close) = PAGES_DIR_CLOSED;
	enum result result = pages_dir_open(&dir, pages_dir, error);
	*fd = -1;
	if (result != OK)
		return result;
	*fd = openat(dir.lock_fd, LOCK_FILE, flags | O_CLOEXEC | O_NOFOLLOW, 0600);
	return *fd >= 0 || (errno == ENOENT && !(flags & O_CREAT))
		       ? OK
		       : error_log(error, E_FAILED,
				   "the lock of the pages folder cannot be opened");
}

void work_lock_note(const char *pages_dir)
{
	struct error ignored = { 0 };
	char text[NOTE_SIZE];
	int fd CLEANUP(close_fd) = -1;
	if (open_lock_file(pages_dir, O_WRONLY | O_CREAT, &fd, &ignored) != OK)
		return;
	/* The text always has the same length, so that one write replaces it. */
	int len = snprintf(text, sizeof(text), "%-20lld\n", (long long)clock_now().s);
	if (pwrite(fd, text, (size_t)len, 0) != len)
		return;
}

enum result work_last_run(const char *pages_dir, struct instant *at, struct error *error)
{
	char text[NOTE_SIZE] = "";
	int fd CLEANUP(close_fd) = -1;
	*at = (struct instant){ 0 };
	enum result result = open_lock_file(pages_dir, O_RDONLY, &fd, error);
	if (result == OK && (fd < 0 || read(fd, text, sizeof(text) - 1) <= 0 ||
			     !str_to_int64(str_trim(str_from(text)), &at->s)))
		at->s = 0;
	return result;
}

static enum result open_lock(const char *pages_dir, int operation, int *fd, struct error *error)
{
	enum result result = open_lock_file(pages_dir, O_RDWR | O_CREAT, fd, error);
	if (result != OK || flock(*fd, operation | LOCK_NB) == 0)
		return result;
	close(*fd);
	*fd = -1;
	return OK;
}

enum result work_lock_take(const char *pages_dir, int *fd, struct error *error)
{
	return open_lock(pages_dir, LOCK_EX, fd, error);
}

enum result work_is_running(const char *pages_dir, bool *is_running, struct error *error)
{
	int fd CLEANUP(close_fd) = -1;
	enum result result = open_lock(pages_dir, LOCK_SH, &fd, error);
	*is_running = result == OK && fd < 0;
	return result;
}

void work_lock_drop_lost(const char *pages_dir, int *fd)
{
	struct stat held, found;
	struct error ignored = { 0 };
	int now_fd CLEANUP(close_fd) = -1;
	if (*fd < 0 || (open_lock_file(pages_dir, O_RDONLY, &now_fd, &ignored) == OK &&
			now_fd >= 0 && fstat(now_fd, &found) == 0 && fstat(*fd, &held) == 0 &&
			held.st_ino == found.st_ino && held.st_dev == found.st_dev))
		return;
	close(*fd);
	*fd = -1;
}
