#include "publish/folder/gone.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "publish/folder/folder.h"
#include "publish/journal.h"

#define GONE_FILE "gone"

enum { LINE_BYTES = 17 };

bool gone_are_many(size_t missing, size_t pages)
{
	enum { MISSING_MIN = 3 };
	return missing > MISSING_MIN && missing * 10 > pages;
}

static void print_line(char line[LINE_BYTES + 1], int64_t page_id)
{
	snprintf(line, LINE_BYTES + 1, "%016llx\n", (unsigned long long)page_id);
}

/* Reserves blocks if the file system supports it, so that a deletion can be noted even on a full
 * disk. */
static void reserve(int fd)
{
	if (fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, GONE_MAX_BYTES) != 0)
		errno = 0;
}

/* Opens and locks the file, and makes it if it does not exist. -1: see errno. */
static int open_locked(const struct pages_dir *dir)
{
	int flags = O_RDWR | O_APPEND | O_NOFOLLOW | O_CLOEXEC;
	bool is_new = false;
	int fd = openat(dir->root_fd, GONE_FILE, flags);
	if (fd < 0 && errno == ENOENT) {
		fd = openat(dir->root_fd, GONE_FILE, flags | O_CREAT, 0600);
		is_new = fd >= 0;
	}
	if (fd < 0)
		return -1;
	if (flock(fd, LOCK_EX) == 0 && (!is_new || fsync(dir->root_fd) == 0)) {
		if (is_new)
			reserve(fd);
		return fd;
	}
	close(fd);
	return -1;
}

/* Removes the older half of the file. First overwrites it with the newer half, then shortens the
 * file. So a crash loses no newer line, but may leave lines twice, or damaged lines. */
static bool make_room(int fd, int64_t size)
{
	int64_t begin = size / LINE_BYTES / 2 * LINE_BYTES, rest = size - begin;
	char *lines = malloc((size_t)rest);
	/* With O_APPEND, pwrite() would write at the end of the file. */
	bool is_kept = lines && pread(fd, lines, (size_t)rest, begin) == rest &&
		       fcntl(fd, F_SETFL, 0) == 0 && pwrite(fd, lines, (size_t)rest, 0) == rest &&
		       fcntl(fd, F_SETFL, O_APPEND) == 0 && ftruncate(fd, rest) == 0;
	free(lines);
	return is_kept;
}

static bool append(int fd, const int64_t *page_ids, size_t count)
{
	char line[LINE_BYTES + 1];
	struct stat status;
	bool is_written = true;
	for (size_t i = 0; is_written && i < count; i++) {
		is_written = fstat(fd, &status) == 0;
		int64_t torn = status.st_size % LINE_BYTES;
		if (is_written && torn != 0)
			is_written = ftruncate(fd, status.st_size - torn) == 0;
		if (is_written && status.st_size >= GONE_MAX_BYTES)
			is_written = make_room(fd, status.st_size - torn);
		print_line(line, page_ids[i]);
		is_written = is_written && write(fd, line, LINE_BYTES) == LINE_BYTES;
	}
	return is_written && fdatasync(fd) == 0;
}

static bool has_mirrors(const struct pages_dir *dir)
{
	return faccessat(dir->root_fd, JOURNAL_FOLDER, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

enum result gone_add_all(const struct pages_dir *dir, const int64_t *page_ids, size_t count,
			 struct error *error)
{
	if (!has_mirrors(dir) || count == 0)
		return OK;
	int fd CLEANUP(close_fd) = open_locked(dir);
	return fd >= 0 && append(fd, page_ids, count)
		       ? OK
		       : folder_failed(error, "cannot write", GONE_FILE);
}

enum result gone_add(const struct pages_dir *dir, int64_t page_id, struct error *error)
{
	return gone_add_all(dir, &page_id, 1, error);
}

enum { NOT_NAMED = -1, UNREADABLE = -2 };

/* Returns the offset of the page's line; NOT_NAMED: there is none; UNREADABLE: see errno. */
static off_t find_page(int fd, int64_t page_id)
{
	enum { LINES = 1024 };
	char line[LINE_BYTES + 1], lines[LINES * LINE_BYTES];
	off_t begin = 0;
	ssize_t len;
	print_line(line, page_id);
	while ((len = pread(fd, lines, sizeof(lines), begin)) >= LINE_BYTES) {
		for (ssize_t at = 0; at + LINE_BYTES <= len; at += LINE_BYTES)
			if (memcmp(lines + at, line, LINE_BYTES) == 0)
				return begin + at;
		begin += len - len % LINE_BYTES;
	}
	return len < 0 ? UNREADABLE : NOT_NAMED;
}

enum result gone_has(const struct pages_dir *dir, int64_t page_id, bool *is_gone,
		     struct error *error)
{
	*is_gone = false;
	int fd CLEANUP(close_fd) =
		openat(dir->root_fd, GONE_FILE, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return errno == ENOENT ? OK : folder_failed(error, "cannot open", GONE_FILE);
	*is_gone = find_page(fd, page_id) >= 0;
	return OK;
}

enum result gone_take_back(const struct pages_dir *dir, int64_t page_id, struct error *error)
{
	char none[LINE_BYTES + 1];
	off_t at = NOT_NAMED;
	if (gone_size(dir) == 0)
		return OK;
	print_line(none, 0);
	int fd CLEANUP(close_fd) = open_locked(dir);
	bool is_done = fd >= 0 && fcntl(fd, F_SETFL, 0) == 0; /* with O_APPEND, pwrite() would write
								 at the end */
	while (is_done && (at = find_page(fd, page_id)) >= 0)
		is_done = pwrite(fd, none, LINE_BYTES, at) == LINE_BYTES && fdatasync(fd) == 0;
	return is_done && at == NOT_NAMED ? OK : folder_failed(error, "cannot change", GONE_FILE);
}

int64_t gone_size(const struct pages_dir *dir)
{
	struct stat status;
	return fstatat(dir->root_fd, GONE_FILE, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status.st_size
										   : 0;
}

void gone_forget(const struct pages_dir *dir, int64_t size, int64_t seconds)
{
	struct stat status;
	int fd CLEANUP(close_fd) = size > 0 ? open_locked(dir) : -1;
	/* Empty the file instead of removing it: another process may be waiting for its lock. */
	if (fd >= 0 && fstat(fd, &status) == 0 && status.st_size == size &&
	    status.st_mtim.tv_sec + seconds <= clock_now().s && ftruncate(fd, 0) == 0)
		reserve(fd);
}
