#include "publish/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "publish/folder/folder.h"

/* The dot at the beginning distinguishes the journal from the mirrors' folders beside it. */
#define JOURNAL_FILE ".journal"

static void print_line(char line[JOURNAL_LINE_BYTES + 1], int64_t number)
{
	snprintf(line, JOURNAL_LINE_BYTES + 1, "%016llx\n", (unsigned long long)number);
}

/*
 * Appends a line to the journal. The line counts only if the file is still the journal after the
 * write: otherwise a reader may have opened a new journal, and compared the pages before this
 * change. Returns false if the caller must append the line again.
 */
static bool append(int folder_fd, const char *line, bool *is_full)
{
	struct stat status;
	int fd CLEANUP(close_fd) =
		openat(folder_fd, JOURNAL_FILE, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
	*is_full = fd < 0 && errno != ENOENT;
	if (fd < 0)
		return true;
	*is_full = write(fd, line, JOURNAL_LINE_BYTES) != JOURNAL_LINE_BYTES ||
		   fstat(fd, &status) != 0 || status.st_size > JOURNAL_MAX_BYTES;
	return *is_full || status.st_nlink > 0;
}

void journal_add(const struct pages_dir *dir, int64_t page_id)
{
	enum { TRIES_MAX = 8 };
	char line[JOURNAL_LINE_BYTES + 1];
	int folder_fd CLEANUP(close_fd) = folder_open(dir->root_fd, JOURNAL_FOLDER);
	bool is_full = false, is_done = folder_fd < 0;
	print_line(line, page_id);
	for (int i = 0; !is_done && i < TRIES_MAX; i++)
		is_done = append(folder_fd, line, &is_full);
	if (is_full || !is_done)
		unlinkat(folder_fd, JOURNAL_FILE, 0);
}

void journal_add_all(const struct pages_dir *dir)
{
	journal_add(dir, 0);
}

void journal_remove(const struct pages_dir *dir)
{
	int folder_fd CLEANUP(close_fd) = folder_open(dir->root_fd, JOURNAL_FOLDER);
	if (folder_fd >= 0)
		unlinkat(folder_fd, JOURNAL_FILE, 0);
}

static int open_file(int folder_fd)
{
	return openat(folder_fd, JOURNAL_FILE, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
}

/* Parses a line. Returns false if it is not a line of a journal. */
static bool parse_line(const char *line, uint64_t *number)
{
	*number = 0;
	for (int i = 0; i < JOURNAL_LINE_BYTES - 1; i++) {
		int digit = hex_digit(line[i]);
		if (digit < 0)
			return false;
		*number = *number << 4 | (uint64_t)digit;
	}
	return line[JOURNAL_LINE_BYTES - 1] == '\n';
}

/*
 * Reads the generation of the journal, and finds its end. Returns false if the file is invalid, for
 * example because a crash of the machine has left zeros.
 */
static bool find_end(int fd, struct journal_place *place)
{
	struct stat status;
	char line[JOURNAL_LINE_BYTES];
	uint64_t number;
	*place = (struct journal_place){ "", 0 };
	if (fstat(fd, &status) != 0 ||
	    pread(fd, line, JOURNAL_LINE_BYTES, 0) != JOURNAL_LINE_BYTES ||
	    !parse_line(line, &number))
		return false;
	memcpy(place->generation, line, SECRET_ID_SIZE - 1);
	place->offset = status.st_size - status.st_size % JOURNAL_LINE_BYTES;
	return true;
}

struct journal_place journal_end(const struct pages_dir *dir)
{
	struct journal_place place = { "", 0 };
	int folder_fd CLEANUP(close_fd) = folder_open(dir->root_fd, JOURNAL_FOLDER);
	int fd CLEANUP(close_fd) = folder_fd >= 0 ? open_file(folder_fd) : -1;
	if (fd >= 0 && !find_end(fd, &place))
		place = (struct journal_place){ "", 0 };
	return place;
}

/* Makes the journal: writes the first line, then gives the file its name. Reserves blocks if the
 * file system supports it, so that a publisher can append a line even on a full disk. */
static bool make_file(int folder_fd)
{
	char name[SECRET_ID_SIZE + 8], id[SECRET_ID_SIZE];
	secret_id(id);
	snprintf(name, sizeof(name), ".new-%s", id);
	int fd CLEANUP(close_fd) =
		openat(folder_fd, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return false;
	bool is_made = dprintf(fd, "%s\n", id) == JOURNAL_LINE_BYTES;
	if (is_made && fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, JOURNAL_MAX_BYTES) != 0)
		errno = 0;
	is_made = is_made &&
		  (linkat(folder_fd, name, folder_fd, JOURNAL_FILE, 0) == 0 || errno == EEXIST);
	int reason = errno;
	unlinkat(folder_fd, name, 0);
	errno = reason;
	return is_made;
}

enum result journal_open(struct journal *journal, const struct pages_dir *dir, struct error *error)
{
	bool is_new;
	int folder_fd CLEANUP(close_fd) = folder_make(dir->root_fd, JOURNAL_FOLDER, false, &is_new);
	*journal = JOURNAL_CLOSED;
	if (folder_fd < 0)
		return folder_failed(error, "cannot make the folder", JOURNAL_FOLDER);
	journal->fd = open_file(folder_fd);
	if (journal->fd < 0 && errno == ENOENT && make_file(folder_fd))
		journal->fd = open_file(folder_fd);
	if (journal->fd < 0)
		return folder_failed(error, "cannot open", JOURNAL_FILE);
	if (find_end(journal->fd, &journal->place))
		return OK;
	journal_close(journal);
	unlinkat(folder_fd, JOURNAL_FILE, 0);
	return error_log(error, E_FAILED, "pages: the journal is damaged");
}

static bool parse_id(const char *line, int64_t *id)
{
	uint64_t number;
	if (!parse_line(line, &number))
		return false;
	*id = (int64_t)number;
	return *id >= 0;
}

enum result journal_read(struct journal *journal, int64_t *ids, size_t max, size_t *count)
{
	enum { LINES_MAX = 256 };
	char lines[LINES_MAX * JOURNAL_LINE_BYTES];
	size_t wanted = (max < LINES_MAX ? max : LINES_MAX) * JOURNAL_LINE_BYTES;
	struct stat status;
	*count = 0;
	if (journal->fd < 0)
		return E_NOT_FOUND;
	ssize_t len = pread(journal->fd, lines, wanted, journal->place.offset);
	if (len < 0 || fstat(journal->fd, &status) != 0 || status.st_nlink == 0 ||
	    status.st_size < journal->place.offset)
		return E_NOT_FOUND;
	for (ssize_t at = 0; at + JOURNAL_LINE_BYTES <= len; at += JOURNAL_LINE_BYTES)
		if (!parse_id(&lines[at], &ids[(*count)++]))
			return E_NOT_FOUND;
	journal->place.offset += (int64_t)*count * JOURNAL_LINE_BYTES;
	return OK;
}

void journal_close(struct journal *journal)
{
	close_fd(&journal->fd);
	*journal = JOURNAL_CLOSED;
}
