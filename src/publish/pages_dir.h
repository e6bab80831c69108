/*
 * The folder of published pages:
 *
 *   DIR/public/s/<slug>/…    files for everybody, which the web server reads
 *   DIR/public/d/<domain>/…  the same files for the page's own domain
 *   DIR/noindex/s/…, d/…     the same for pages that search engines must not index
 *   DIR/private/<slug>/…     files of other pages, served by app/page_files (0700)
 *   DIR/host/<domain>/slug   the slug of the domain's page, for app/page_host (0700)
 *   DIR/state/<page id>/…    the version of a page on this disk (0700)
 *   DIR/new/…                files being written (0700)
 *   DIR/lock/…               lock files for publishers and password hashing (0700); created
 *                            with the folder, so that a page can be removed from a full disk
 *   DIR/checked              time of the last comparison with the database (0600)
 *   DIR/secret               the signing key of access/signing_key (0600)
 *   DIR/throttle             counts for rate limits (0600)
 *
 * Readers see a file completely or not at all: it is written under a temporary name, synced
 * and renamed, and files of a batch are renamed only after all are written. No symbolic link
 * below DIR is followed.
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
/* The file in each folder of PAGES_HOST: the slug of the domain's page. */
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
/* Whether the folders of a place are named by domain. Other places are named by slug, and
 * PAGES_STATE by page id. */
bool pages_place_is_by_domain(enum pages_place place);

struct pages_dir {
	int root_fd;
	int lock_fd;
	int new_fd;
	int place_fds[PAGES_PLACES];
};

/* Opens the pages folder, and creates it if it does not exist. E_FAILED: the log has the reason. */
enum result pages_dir_open(struct pages_dir *dir, const char *path, struct error *error) MUST_USE;
void pages_dir_close(struct pages_dir *dir);
/* The initial value, on which pages_dir_close() may be called. */
#define PAGES_DIR_CLOSED ((struct pages_dir){ -1, -1, -1, { -1, -1, -1, -1, -1, -1, -1 } })

/* A lock, released by pages_dir_unlock(). */
struct pages_lock {
	int all_fd;
	int page_fd;
};

/* Pages of the same number have the same lock. */
int pages_dir_lock_number(int64_t page_id);
/* Locks one page for publishing. Waits for other publishers of the page, and for
 * pages_dir_lock_all(). */
enum result pages_dir_lock_page(const struct pages_dir *dir, int64_t page_id,
				struct pages_lock *lock, struct error *error) MUST_USE;
/* The same without waiting for the page; *is_free tells whether it was locked. */
enum result pages_dir_try_page(const struct pages_dir *dir, int64_t page_id,
			       struct pages_lock *lock, bool *is_free, struct error *error)
	MUST_USE;
/* Waits until no publisher has the page locked, and does not lock it. */
enum result pages_dir_await_page(const struct pages_dir *dir, int64_t page_id, struct error *error)
	MUST_USE;
/* Locks everything, for removing folders. Waits for all publishers. */
enum result pages_dir_lock_all(const struct pages_dir *dir, struct pages_lock *lock,
			       struct error *error) MUST_USE;
void pages_dir_unlock(struct pages_lock *lock);

/*
 * Opens a file for reading; -1: it does not exist. A name of a folder or file with a slash, or with
 * a dot at the beginning, does not exist.
 */
int pages_dir_open_file(const struct pages_dir *dir, enum pages_place place, const char *folder,
			const char *name);
/*
 * The same for visitors' requests; *fd is -1 if the file does not exist. E_UNAVAILABLE: the file
 * may exist but cannot be opened, for example because another user owns it.
 */
enum result pages_dir_find_file(const struct pages_dir *dir, enum pages_place place,
				const char *folder, const char *name, int *fd, struct error *error)
	MUST_USE;
bool pages_dir_has(const struct pages_dir *dir, enum pages_place place, const char *folder,
		   const char *name);
/* Reads a small file into the arena. *text is NULL if it does not exist or is larger than
 * max_bytes. E_UNAVAILABLE: as for pages_dir_find_file(). */
enum result pages_dir_read(const struct pages_dir *dir, enum pages_place place, const char *folder,
			   const char *name, size_t max_bytes, struct arena *arena,
			   const char **text, struct error *error) MUST_USE;
/* The same for publishers. *text is NULL if the file does not exist, and empty if it is too
 * large or not a regular file. E_FAILED: the file may exist but cannot be read. */
enum result pages_dir_load(const struct pages_dir *dir, enum pages_place place, const char *folder,
			   const char *name, size_t max_bytes, struct arena *arena,
			   const char **text, struct error *error) MUST_USE;
/* Renames a file within its folder, and syncs the folder. OK if the file does not exist. */
enum result pages_dir_rename(const struct pages_dir *dir, enum pages_place place,
			     const char *folder, const char *from, const char *to,
			     struct error *error) MUST_USE;

/* Removes a folder with its files. OK if it does not exist. */
enum result pages_dir_remove(const struct pages_dir *dir, enum pages_place place,
			     const char *folder, struct error *error) MUST_USE;

/* Removes temporary files that a crash has left. Call with pages_dir_lock_all(). */
enum result pages_dir_forget_new(const struct pages_dir *dir, struct error *error) MUST_USE;

struct pages_names {
	const char **names;
	size_t count;
	size_t room;
};
/* Lists the folders of a place. */
enum result pages_dir_folders(const struct pages_dir *dir, enum pages_place place,
			      struct arena *arena, struct pages_names *folders, struct error *error)
	MUST_USE;

/*
 * The new content of a folder: new files, and existing files that are kept. Names must be valid;
 * names and arena must outlive the batch.
 */
struct pages_batch {
	const struct pages_dir *dir;
	enum pages_place place;
	const char *folder;
	int folder_fd;
	struct arena *arena;
	struct pages_names names;
	struct pages_names temporaries; /* with the index of `names`; NULL: an existing file */
};

/* Creates the folder if it does not exist. */
enum result pages_batch_open(struct pages_batch *batch, const struct pages_dir *dir,
			     enum pages_place place, const char *folder, struct arena *arena,
			     struct error *error) MUST_USE;
/* Writes a file under a temporary name, and syncs it. */
enum result pages_batch_add(struct pages_batch *batch, const char *name, const void *data,
			    size_t len, struct error *error) MUST_USE;
/* Keeps an existing file. False: it does not exist. */
bool pages_batch_keep(struct pages_batch *batch, const char *name);
/* Renames the new files to their names, in the order of addition, and removes all files that are
 * not in the batch. */
enum result pages_batch_commit(struct pages_batch *batch, struct error *error) MUST_USE;
/* Gives another folder the same files. Call it after the commit. */
enum result pages_batch_mirror(const struct pages_batch *batch, enum pages_place place,
			       const char *folder, struct error *error) MUST_USE;
/* Removes the temporary files of a batch that was not committed. */
void pages_batch_close(struct pages_batch *batch);

/* Writes a folder with exactly one file. */
enum result pages_dir_put(const struct pages_dir *dir, enum pages_place place, const char *folder,
			  const char *name, struct str text, struct arena *arena,
			  struct error *error) MUST_USE;

#endif
