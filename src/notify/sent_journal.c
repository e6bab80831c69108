#include "notify/sent_journal.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/file_lock.h"
#include "base/lines.h"
#include "base/log.h"

#define PREFIX "sent-"

enum { FILE_MAX_BYTES = 64 << 20, CHUNK = 64 };

void sent_journal_open(struct sent_journal *journal, const char *pages_dir, int64_t lease)
{
	*journal = (struct sent_journal){ .fd = -1 };
	snprintf(journal->name, sizeof(journal->name), PREFIX "%lld", (long long)lease);
	journal->folder_fd = open(pages_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (journal->folder_fd < 0)
		return;
	journal->fd = openat(journal->folder_fd, journal->name,
			     O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	/* Before this process locks its new file, another process may take it for the file of a
	 * killed process, and remove it. */
	struct stat status;
	if (journal->fd >= 0 && (!file_lock(journal->fd, LOCK_EX, FILE_LOCK_AT_ONCE) ||
				 fstat(journal->fd, &status) != 0 || status.st_nlink == 0)) {
		log_warn("notify", "the file %s cannot be locked", journal->name);
		close_fd(&journal->fd);
		journal->fd = -1;
	}
}

void sent_journal_close(struct sent_journal *journal, bool is_stored)
{
	if (journal->fd >= 0 && is_stored)
		unlinkat(journal->folder_fd, journal->name, 0);
	close_fd(&journal->fd);
	close_fd(&journal->folder_fd);
}

void sent_journal_add(const struct sent_journal *journal, const struct notice_outcome *outcome)
{
	char line[96];
	int len = snprintf(line, sizeof(line), "%lld %lld %d %d\n", (long long)outcome->message_id,
			   (long long)outcome->subscriber_id, outcome->status,
			   outcome->is_confirmed);
	/* Append the line by a single write. If the write fails (on a full disk, say), the message
	 * may be sent a second time. */
	if (journal->fd >= 0 && write(journal->fd, line, (size_t)len) != len)
		log_warn("notify", "the file %s cannot be written", journal->name);
}

void sent_journal_clear(const struct sent_journal *journal)
{
	struct stat status;
	if (journal->fd >= 0 && fstat(journal->fd, &status) == 0 && status.st_size > 0 &&
	    ftruncate(journal->fd, 0) != 0)
		log_warn("notify", "the file %s cannot be emptied", journal->name);
}

/* The messages in a file. Lines that cannot be parsed, such as an incomplete last line, are
 * skipped. */
struct left {
	struct notice_outcome *rows;
	size_t count;
};

static struct left parse(struct str text, struct arena *arena)
{
	struct left left = { 0 };
	struct lines lines = lines_of(text);
	struct str line;
	size_t room = 0;
	while (lines_next(&lines, &line)) {
		struct notice_outcome row = { .verdict.state = DELIVERY_SENT };
		int64_t status, is_confirmed;
		if (!line_number(&line, 1, &row.message_id) ||
		    !line_number(&line, 1, &row.subscriber_id) || !line_number(&line, 0, &status) ||
		    !line_number(&line, 0, &is_confirmed))
			continue;
		row.status = (int)status;
		row.is_confirmed = is_confirmed == 1;
		left.rows = arena_grow(arena, left.rows, left.count, &room, sizeof(*left.rows));
		left.rows[left.count++] = row;
	}
	return left;
}

/* Stores the messages of a file in the database, and removes the file. Does nothing while the
 * process that wrote the file is running. */
static enum result recover(int folder_fd, const char *name, struct db *db, struct error *error)
{
	int fd CLEANUP(close_fd) = openat(folder_fd, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	struct arena arena CLEANUP(arena_done);
	struct str text;
	int64_t lease;
	arena_init(&arena, 8 * FILE_MAX_BYTES);
	if (fd < 0 || !str_to_int64(str_from(name + strlen(PREFIX)), &lease) ||
	    !file_lock(fd, LOCK_EX, FILE_LOCK_AT_ONCE) ||
	    !fd_read_file(fd, FILE_MAX_BYTES, &arena, &text))
		return OK;
	const struct left all = parse(text, &arena);
	enum result result = OK;
	for (size_t from = 0; result == OK && from < all.count; from += CHUNK) {
		size_t count = all.count - from < CHUNK ? all.count - from : CHUNK;
		result = notices_commit(db, lease, all.rows + from, count, error);
	}
	if (result == OK)
		unlinkat(folder_fd, name, 0);
	return result;
}

static void close_folder(DIR **folder)
{
	if (*folder)
		closedir(*folder);
}

enum result sent_journal_recover(const struct sent_journal *journal, struct db *db,
				 struct error *error)
{
	int fd = openat(journal->folder_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *folder CLEANUP(close_folder) = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *entry;
	enum result result = OK;
	while (folder && result == OK && (entry = readdir(folder)))
		if (strncmp(entry->d_name, PREFIX, strlen(PREFIX)) == 0 &&
		    strcmp(entry->d_name, journal->name) != 0)
			result = recover(journal->folder_fd, entry->d_name, db, error);
	return result;
}
