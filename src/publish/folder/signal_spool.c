#include "publish/folder/signal_spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/file_lock.h"
#include "base/lines.h"
#include "publish/folder/folder.h"

#define SPOOL_FILE    "spool"
#define SPOOL_DAMAGED "spool-damaged"
#define SPOOL_MAGIC   "daymark spool "

enum { LINE_BYTES = SIGNAL_SPOOL_LINE_BYTES };

/* How long to wait for the lock, which processes hold only to write a line or to remove the
 * file. */
enum { LOCK_MS = 5000 };

bool signal_spool_exists(const struct pages_dir *dir)
{
	return faccessat(dir->root_fd, SPOOL_FILE, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

bool signal_spool_has_damaged(const struct pages_dir *dir)
{
	return faccessat(dir->root_fd, SPOOL_DAMAGED, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

static int open_spool(const struct pages_dir *dir, int flags)
{
	return openat(dir->root_fd, SPOOL_FILE, flags | O_NOFOLLOW | O_CLOEXEC, 0600);
}

/* Reads the id from the first line. Returns false if the line is not valid: a crash of the machine
 * may have left zeros. */
static bool read_id(int fd, char id[SECRET_ID_SIZE])
{
	char line[LINE_BYTES];
	if (pread(fd, line, sizeof(line), 0) != (ssize_t)sizeof(line) ||
	    memcmp(line, SPOOL_MAGIC, strlen(SPOOL_MAGIC)) != 0)
		return false;
	memcpy(id, line + strlen(SPOOL_MAGIC), SECRET_ID_SIZE - 1);
	id[SECRET_ID_SIZE - 1] = '\0';
	return true;
}

/*
 * Opens and locks the spool, and creates the file if it does not exist. Renames a damaged file. -1:
 * see errno.
 */
static int open_locked(const struct pages_dir *dir, struct stat *status)
{
	const int64_t until_ms = clock_ms() + LOCK_MS;
	for (;;) {
		int fd = open_spool(dir, O_RDWR | O_CREAT);
		if (fd < 0)
			return -1;
		if (!file_lock(fd, LOCK_EX, until_ms) || fstat(fd, status) != 0) {
			int reason = errno;
			close(fd);
			errno = reason;
			return -1;
		}
		char id[SECRET_ID_SIZE];
		bool is_whole = status->st_size < LINE_BYTES || read_id(fd, id);
		/* If the link count is 0, another process removed the file before this process
		 * locked it. */
		if (status->st_nlink > 0 && is_whole)
			return fd;
		if (status->st_nlink > 0)
			renameat(dir->root_fd, SPOOL_FILE, dir->root_fd, SPOOL_DAMAGED);
		close(fd);
	}
}

/* Prints a line, padded to LINE_BYTES. */
static void print_line(char line[LINE_BYTES + 1], const char *format, ...) PRINTF_LIKE(2, 3);
static void print_line(char line[LINE_BYTES + 1], const char *format, ...)
{
	char text[LINE_BYTES];
	va_list list;
	va_start(list, format);
	vsnprintf(text, sizeof(text), format, list);
	va_end(list);
	snprintf(line, LINE_BYTES + 1, "%-*s\n", LINE_BYTES - 1, text);
}

/*
 * Writes the line behind the last whole line. The writer of the first line syncs the folder before
 * it writes, so all later writers need to sync only the content. Returns false, with errno, if the
 * line could not be written.
 */
static bool append(const struct pages_dir *dir, int fd, int64_t size, const char *line)
{
	char lines[2 * LINE_BYTES + 1], id[SECRET_ID_SIZE];
	int64_t end = size - size % LINE_BYTES;
	if (end == 0 && fsync(dir->root_fd) != 0)
		return false;
	if (end == 0) {
		secret_id(id);
		print_line(lines, SPOOL_MAGIC "%s", id);
	}
	memcpy(lines + (end == 0 ? LINE_BYTES : 0), line, LINE_BYTES);
	ssize_t len = end == 0 ? 2 * LINE_BYTES : LINE_BYTES;
	if (end + len > SIGNAL_SPOOL_MAX_BYTES) {
		errno = EFBIG;
		return false;
	}
	ssize_t written = pwrite(fd, lines, (size_t)len, end);
	if (written == len)
		return true;
	int reason = written < 0 ? errno : ENOSPC;
	/* Remove the incomplete line. If this fails, the next writer overwrites it. */
	if (ftruncate(fd, end) != 0)
		errno = 0;
	errno = reason;
	return false;
}

static bool parse_line(struct str line, struct check_signal *signal)
{
	int64_t kind;
	struct str at;
	line = str_trim(line);
	*signal = (struct check_signal){ 0 };
	if (!line_number(&line, 1, &signal->monitor_id) || !line_number(&line, 0, &kind) ||
	    kind > SIGNAL_EXIT || !line_number(&line, 0, &signal->value) ||
	    !line_word(&line, &at) || !line_ends(&line))
		return false;
	signal->kind = (int)kind;
	return instant_parse(at, &signal->at);
}

/*
 * Whether the spool has room for another signal of the monitor. Up to half of its size the spool
 * accepts every signal. In the second half it accepts only MOST signals per monitor in WITHIN_S, so
 * that a monitor that sends too fast leaves room for other monitors.
 */
static bool leaves_room(int fd, int64_t size, const struct check_signal *signal)
{
	enum { LINES = 4096, MOST = 4, WITHIN_S = 60 };
	int64_t end = size - size % LINE_BYTES, from = end - LINES * LINE_BYTES;
	int found = 0;
	if (size <= SIGNAL_SPOOL_MAX_BYTES / 2)
		return true;
	char *lines = malloc(LINES * LINE_BYTES);
	ssize_t len = lines ? pread(fd, lines, LINES * LINE_BYTES, from) : -1;
	for (ssize_t at = 0; at + LINE_BYTES <= len; at += LINE_BYTES) {
		struct check_signal other;
		found += parse_line((struct str){ lines + at, LINE_BYTES - 1 }, &other) &&
			 other.monitor_id == signal->monitor_id &&
			 other.at.s > signal->at.s - WITHIN_S;
	}
	free(lines);
	return found < MOST;
}

enum result signal_spool_add(const struct pages_dir *dir, const struct check_signal *signal,
			     struct error *error)
{
	struct stat status;
	char line[LINE_BYTES + 1], at[INSTANT_TEXT_SIZE];
	print_line(line, "%lld %d %lld %s", (long long)signal->monitor_id, signal->kind,
		   (long long)signal->value, instant_format(signal->at, at));
	int fd = open_locked(dir, &status);
	bool is_refused = fd >= 0 && !leaves_room(fd, status.st_size, signal);
	bool is_written = fd >= 0 && !is_refused && append(dir, fd, status.st_size, line);
	int reason = errno;
	/* Unlock before the sync, so that several writers can wait for the disk at the same
	 * time. */
	if (fd >= 0)
		flock(fd, LOCK_UN);
	if (is_written && fsync(fd) != 0) {
		is_written = false;
		reason = errno;
	}
	close_fd(&fd);
	if (is_refused)
		return E_RATE_LIMITED;
	if (is_written)
		return OK;
	error_client(error, E_UNAVAILABLE,
		     "This cannot be stored at the moment; please try again.");
	return error_log(error, E_UNAVAILABLE, "pages: cannot write %s: %s", SPOOL_FILE,
			 strerror(reason));
}

enum result signal_spool_open(struct signal_spool *spool, const struct pages_dir *dir,
			      struct error *error)
{
	struct stat status;
	*spool = SIGNAL_SPOOL_CLOSED;
	spool->fd = open_spool(dir, O_RDWR);
	if (spool->fd < 0 && errno == ENOENT)
		return E_NOT_FOUND;
	if (spool->fd < 0 || fstat(spool->fd, &status) != 0)
		return folder_failed(error, "cannot open", SPOOL_FILE);
	/* The process that created the file has not written the first line yet, or has died before
	 * that. */
	if (status.st_size < LINE_BYTES)
		return E_NOT_FOUND;
	return read_id(spool->fd, spool->id)
		       ? OK
		       : error_log(error, E_FAILED, "pages: %s is damaged", SPOOL_FILE);
}

void signal_spool_close(struct signal_spool *spool)
{
	close_fd(&spool->fd);
	*spool = SIGNAL_SPOOL_CLOSED;
}

enum result signal_spool_read(const struct signal_spool *spool, int64_t *offset,
			      struct check_signal *rows, size_t most, size_t *count,
			      struct error *error)
{
	enum { LINES_MAX = 256 };
	char lines[LINES_MAX * LINE_BYTES];
	*count = 0;
	/* Sync before the lines are moved to the database. Otherwise a loss of power could remove a
	 * moved line from the spool, and a new line at the same offset would count as moved. */
	if (fsync(spool->fd) != 0)
		return folder_failed(error, "cannot sync", SPOOL_FILE);
	while (*count < most) {
		size_t wanted = most - *count < LINES_MAX ? most - *count : LINES_MAX;
		ssize_t len = pread(spool->fd, lines, wanted * LINE_BYTES, *offset + LINE_BYTES);
		if (len < 0)
			return folder_failed(error, "cannot read", SPOOL_FILE);
		if (len < LINE_BYTES)
			return OK;
		for (ssize_t at = 0; at + LINE_BYTES <= len; at += LINE_BYTES) {
			*count += parse_line((struct str){ lines + at, LINE_BYTES - 1 },
					     &rows[*count]);
			*offset += LINE_BYTES;
		}
	}
	return OK;
}

enum result signal_spool_remove(const struct signal_spool *spool, const struct pages_dir *dir,
				int64_t offset, bool *is_removed, struct error *error)
{
	struct stat status;
	*is_removed = false;
	if (!file_lock(spool->fd, LOCK_EX, clock_ms() + LOCK_MS) || fstat(spool->fd, &status) != 0)
		return folder_failed(error, "cannot lock", SPOOL_FILE);
	bool is_empty = status.st_size / LINE_BYTES * LINE_BYTES <= offset + LINE_BYTES;
	/* If the link count is 0, another process has removed this file, and may have created a
	 * new spool. */
	bool is_removable = is_empty && status.st_nlink > 0;
	bool is_done = !is_removable ||
		       (unlinkat(dir->root_fd, SPOOL_FILE, 0) == 0 && fsync(dir->root_fd) == 0);
	enum result result = is_done ? OK : folder_failed(error, "cannot remove", SPOOL_FILE);
	flock(spool->fd, LOCK_UN);
	*is_removed = is_done && is_empty;
	return result;
}
