#include "mirror/origin_link.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/fd.h"
#include "publish/folder/folder.h"

#define ORIGIN_FOLDER	  "origin"
#define WORD_REFUSED	  "refused"
#define WORD_REPLACES_KEY "replaces-key"

enum { LINK_MAX_BYTES = 256 };

/* Opens the folder. Locks it, because a pusher and daymarkctl may write at the same time. Returns
 * -1, with errno, after a failure. */
static int open_folder(const struct pages_dir *dir)
{
	bool is_new;
	int fd = folder_make(dir->root_fd, ORIGIN_FOLDER, false, &is_new);
	if (fd >= 0 && (!is_new || fsync(dir->root_fd) == 0) && flock(fd, LOCK_EX) == 0)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

static void new_mark(struct origin_mark *mark)
{
	*mark = (struct origin_mark){ 0 };
	secret_id(mark->id);
	secret_id(mark->token);
}

static enum result read_link(int folder_fd, const char *mirror, struct origin_link *link,
			     struct error *error)
{
	char text[LINK_MAX_BYTES];
	struct str rest, word;
	*link = (struct origin_link){ 0 };
	bool is_there;
	enum result result =
		folder_read_line(folder_fd, mirror, text, sizeof(text), &is_there, error);
	if (result != OK)
		return result;
	rest = str_from(text);
	if (!origin_mark_take(&rest, &link->mark))
		new_mark(&link->mark);
	while (rest.len > 0 && str_split(&rest, ' ', &word)) {
		link->is_refused |= str_eq(word, STR(WORD_REFUSED));
		link->replaces_key |= str_eq(word, STR(WORD_REPLACES_KEY));
	}
	return OK;
}

static enum result write_link(int folder_fd, const char *mirror, const struct origin_link *link,
			      struct error *error)
{
	char mark[ORIGIN_MARK_SIZE], text[LINK_MAX_BYTES];
	origin_mark_print(&link->mark, mark);
	snprintf(text, sizeof(text), "%s%s%s\n", mark, link->is_refused ? " " WORD_REFUSED : "",
		 link->replaces_key ? " " WORD_REPLACES_KEY : "");
	/*
	 * Sync the name, too, so that no step is made twice after a loss of power. Do not use
	 * DIR/new for the temporary file: no page is locked here, so a sweep may empty DIR/new at
	 * any time.
	 */
	return folder_put_synced(folder_fd, mirror, str_from(text), error);
}

enum result origin_link_read(const struct pages_dir *dir, const char *mirror,
			     struct origin_link *link, struct error *error)
{
	int fd CLEANUP(close_fd) = open_folder(dir);
	return fd >= 0 ? read_link(fd, mirror, link, error)
		       : folder_failed(error, "cannot open the folder", ORIGIN_FOLDER);
}

enum result origin_link_step(const struct pages_dir *dir, const char *mirror,
			     struct origin_link *link, struct error *error)
{
	int fd CLEANUP(close_fd) = open_folder(dir);
	enum result result =
		fd >= 0 ? read_link(fd, mirror, link, error)
			: folder_failed(error, "cannot open the folder", ORIGIN_FOLDER);
	if (result != OK)
		return result;
	struct origin_link next = *link;
	next.mark.step++;
	secret_id(next.mark.token);
	result = write_link(fd, mirror, &next, error);
	if (result == OK)
		*link = next;
	return result;
}

void origin_link_renew(struct origin_link *link)
{
	*link = (struct origin_link){ 0 };
	new_mark(&link->mark);
	link->mark.step = 1;
}

enum result origin_link_replace(const struct pages_dir *dir, const char *mirror,
				const struct origin_link *link, struct error *error)
{
	int fd CLEANUP(close_fd) = open_folder(dir);
	return fd >= 0 ? write_link(fd, mirror, link, error)
		       : folder_failed(error, "cannot open the folder", ORIGIN_FOLDER);
}

enum result origin_link_write(const struct pages_dir *dir, const char *mirror,
			      const struct origin_link *link, struct error *error)
{
	struct origin_link now;
	int fd CLEANUP(close_fd) = open_folder(dir);
	enum result result =
		fd >= 0 ? read_link(fd, mirror, &now, error)
			: folder_failed(error, "cannot open the folder", ORIGIN_FOLDER);
	bool is_same = result == OK &&
		       (link->mark.step == 0 ? now.mark.step == 0
					     : origin_mark_is_same(&now.mark, &link->mark));
	return is_same ? write_link(fd, mirror, link, error) : result;
}
