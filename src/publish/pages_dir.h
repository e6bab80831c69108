/*
 * The folder that pages are published to:
 *
 *   DIR/public/s/<slug>/…    what the web server gives to anyone
 *   DIR/public/d/<domain>/…  the same files, for the page's own domain
 *   DIR/noindex/s/…, d/…     the same of pages that search engines are to leave alone
 *   DIR/private/<slug>/…     what only goes through the responder's gate (0700)
 *   DIR/host/<domain>/…      whose page a domain is, which only the responder asks (0700)
 *   DIR/state/<page id>/…    what this disk has of a page (0700)
 *   DIR/new/…                files that are being written (0700)
 *   DIR/lock/…               lock files: publishers in order, and few passwords at once; made
 *                            with the folder, so that a full disk does not keep a page from
 *                            going
 *   DIR/checked              when this disk was last compared with the database (0600)
 *   DIR/secret, DIR/throttle the gate's key, and counts of what is limited (0600)
 *
 * A file appears whole or not at all: it is written aside, synced and renamed,
 * and none is renamed before all of a batch are written. No
 * symbolic link is followed below DIR. Knows nothing of what the files are, nor
 * of the database.
 */
#ifndef PUBLISH_PAGES_DIR_H
#define PUBLISH_PAGES_DIR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"

#define PAGES_THROTTLE_FILE "throttle"
#define PAGES_HASHING_FILE  "lock/hashing"
/* In each folder of PAGES_HOST: the slug of the page at that domain. */
#define PAGES_HOST_FILE	    "slug"

enum pages_place {
	PAGES_PUBLIC,
	PAGES_DOMAIN,
	PAGES_NOINDEX,
	PAGES_NOINDEX_DOMAIN,
	PAGES_PRIVATE,
	PAGES_HOST,
	PAGES_STATE,
	PAGES_PLACES
};
/* Whether its folders are named for domains; else for slugs, or in PAGES_STATE for ids. */
bool pages_place_is_by_domain(enum pages_place place);

struct pages_dir {
	int root_fd;
	int lock_fd;
	int new_fd;
	int place_fds[PAGES_PLACES];
};

/* Opens the folder, and makes it when it is not there. E_FAILED: the log's text says why. */
enum result pages_dir_open(struct pages_dir *dir, const char *path, struct error *error) MUST_USE;
void pages_dir_close(struct pages_dir *dir);
/* One that pages_dir_close() may be called on. */
#define PAGES_DIR_CLOSED ((struct pages_dir){ -1, -1, -1, { -1, -1, -1, -1, -1, -1, -1 } })

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
 * Opens a file for reading; -1 when there is none. A name that begins with a
 * dot or has a slash in it, of the folder or of the file, is nobody's.
 */
int pages_dir_open_file(const struct pages_dir *dir, enum pages_place place, const char *folder,
			const char *name);
/*
 * The same for what visitors ask for: *fd is -1 when there is none. E_UNAVAILABLE when it may
 * be there and cannot be opened, as when it belongs to another user.
 */
enum result pages_dir_find_file(const struct pages_dir *dir, enum pages_place place,
				const char *folder, const char *name, int *fd, struct error *error)
	MUST_USE;
bool pages_dir_has(const struct pages_dir *dir, enum pages_place place, const char *folder,
		   const char *name);
/* The text of a small file, owned by the arena; NULL when there is none, or more than max_bytes.
 * E_UNAVAILABLE as pages_dir_find_file() says it. */
enum result pages_dir_read(const struct pages_dir *dir, enum pages_place place, const char *folder,
			   const char *name, size_t max_bytes, struct arena *arena,
			   const char **text, struct error *error) MUST_USE;
/* The same for what a publisher has written: E_FAILED when the file may be there and cannot be
 * read. One that is larger, or no file, reads as empty. */
enum result pages_dir_load(const struct pages_dir *dir, enum pages_place place, const char *folder,
			   const char *name, size_t max_bytes, struct arena *arena,
			   const char **text, struct error *error) MUST_USE;
/* Renames a file within its folder, on disk. One that is not there is no error. */
enum result pages_dir_rename(const struct pages_dir *dir, enum pages_place place,
			     const char *folder, const char *from, const char *to,
			     struct error *error) MUST_USE;

/* Removes a folder with its files. One that is not there is no error. */
enum result pages_dir_remove(const struct pages_dir *dir, enum pages_place place,
			     const char *folder, struct error *error) MUST_USE;

/* Removes what is being written: what a crash has left. Only with all locked. */
enum result pages_dir_forget_new(const struct pages_dir *dir, struct error *error) MUST_USE;

struct pages_names {
	const char **names;
	size_t count;
	size_t room;
};
/* The folders that a place has. */
enum result pages_dir_folders(const struct pages_dir *dir, enum pages_place place,
			      struct arena *arena, struct pages_names *folders, struct error *error)
	MUST_USE;

/*
 * All that a folder is to have, new files and old ones. Names are checked ones
 * of ours, and they and the arena outlive the batch.
 */
struct pages_batch {
	const struct pages_dir *dir;
	enum pages_place place;
	const char *folder;
	int folder_fd;
	struct arena *arena;
	struct pages_names names;
	struct pages_names temporaries; /* by the same index; NULL: the file is there already */
};

/* Makes the folder when it is not there. */
enum result pages_batch_open(struct pages_batch *batch, const struct pages_dir *dir,
			     enum pages_place place, const char *folder, struct arena *arena,
			     struct error *error) MUST_USE;
/* Writes a file aside, to disk. */
enum result pages_batch_add(struct pages_batch *batch, const char *name, const void *data,
			    size_t len, struct error *error) MUST_USE;
/* Keeps a file that is there; false when it is not. */
bool pages_batch_keep(struct pages_batch *batch, const char *name);
/* Puts the new files in their places, in the order they came, and removes what was not named. */
enum result pages_batch_commit(struct pages_batch *batch, struct error *error) MUST_USE;
/* Makes another folder have the same files. After the commit. */
enum result pages_batch_mirror(const struct pages_batch *batch, enum pages_place place,
			       const char *folder, struct error *error) MUST_USE;
/* Takes back what was not committed. */
void pages_batch_close(struct pages_batch *batch);

/* Makes a folder have one file, and nothing else. */
enum result pages_dir_put(const struct pages_dir *dir, enum pages_place place, const char *folder,
			  const char *name, struct str text, struct arena *arena,
			  struct error *error) MUST_USE;

#endif
