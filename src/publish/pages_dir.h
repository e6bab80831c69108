/*
 * The folder that pages are published to:
 *
 *   DIR/public/s/<slug>/…   what the web server gives to anyone
 *   DIR/private/<slug>/…    what only goes through the responder's gate (0700)
 *   DIR/lock/…              lock files, which order publishers on one machine
 *   DIR/secret, DIR/throttle  the gate's key, and its count of wrong passwords (0600)
 *
 * A file appears whole or not at all: it is written beside its place, synced
 * and renamed. No symbolic link is followed below DIR. Knows nothing of what
 * the files are, nor of the database.
 */
#ifndef PUBLISH_PAGES_DIR_H
#define PUBLISH_PAGES_DIR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

struct pages_dir {
	int root_fd;
	int public_fd;	/* DIR/public/s */
	int private_fd; /* DIR/private */
	int lock_fd;	/* DIR/lock */
};

/* Opens the folder, and makes it when it is not there. E_FAILED: the log's text says why. */
enum result pages_dir_open(struct pages_dir *dir, const char *path, struct error *error) MUST_USE;
void pages_dir_close(struct pages_dir *dir);

/* A held lock; freed by pages_dir_unlock(). */
struct pages_lock {
	int all_fd;
	int page_fd;
};

/* For publishing one page: waits for its other publishers and for a removal. */
enum result pages_dir_lock_page(const struct pages_dir *dir, int64_t page_id,
				struct pages_lock *lock, struct error *error) MUST_USE;
/* For removing folders: waits for every publisher. */
enum result pages_dir_lock_all(const struct pages_dir *dir, struct pages_lock *lock,
			       struct error *error) MUST_USE;
void pages_dir_unlock(struct pages_lock *lock);

/*
 * A page's folder, public or private. `slug` and file names are checked ones
 * of ours. A file that was put is on disk itself; that its name is, too, is
 * made sure by pages_dir_keep(), once for all of them.
 */
bool pages_dir_has(const struct pages_dir *dir, bool is_public, const char *slug, const char *name);
enum result pages_dir_put(const struct pages_dir *dir, bool is_public, const char *slug,
			  const char *name, const void *data, size_t len, struct error *error)
	MUST_USE;
/* Removes the folder's files but those named; and then the folder, when it is empty. */
enum result pages_dir_keep(const struct pages_dir *dir, bool is_public, const char *slug,
			   const char *const *names, size_t count, struct error *error) MUST_USE;

struct slug_list {
	const char **slugs;
	size_t count;
};
/* The slugs that have a folder. */
enum result pages_dir_slugs(const struct pages_dir *dir, bool is_public, struct arena *arena,
			    struct slug_list *list, struct error *error) MUST_USE;

/* Opens a published file for reading; -1 when there is none. Never follows a link. */
int pages_dir_open_file(const struct pages_dir *dir, bool is_public, const char *slug,
			const char *name);

#endif
