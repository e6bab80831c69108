/*
 * The folder of published pages:
 *
 *   DIR/public/s/<slug>/…    files for everybody, which the web server reads
 *   DIR/public/d/<domain>/…  the same files for the page's own domain
 *   DIR/noindex/s/…, d/…     the same for pages that search engines must not index
 *   DIR/private/<slug>/…     files of other pages, served by app/page/page_files (0700)
 *   DIR/host/<domain>/slug   the slug of the domain's page, for app/page/page_host (0700)
 *   DIR/former/<slug>/page   the id of the page that had the slug (0700): see
 *                            publish/folder/former_address.h
 *   DIR/former-host/<domain>/page  the id of the page that had the domain (0700)
 *   DIR/state/<page id>/…    the page's note, with the version on this disk (0700): see
 *                            publish/page/page_state.h
 *   DIR/new/…                files being written (0700)
 *   DIR/lock/…               lock files for publishers and password hashing (0700); created
 *                            with DIR, so that a page can be removed from a full disk
 *   DIR/mirror/…             what mirrors have (0700): see publish/journal.h, mirror/mirror_state.h
 *   DIR/checked              time of the last comparison with the database (0600)
 *   DIR/secret               the signing key of access/signing_key (0600)
 *   DIR/throttle             counts for rate limits (0600)
 *   DIR/metrics              counts for /metrics (0600): see base/metrics.h
 *   DIR/spool                heartbeats that wait for the database (0600): see
 *                            publish/folder/signal_spool.h
 *
 *   DIR/received/…           pages that a mirror has received and not yet put in place (0700): see
 *                            mirror/receive/receiver.h
 *   DIR/gone                 the pages that are known to be deleted (0600): see
 *                            publish/folder/gone.h
 *   DIR/filled               the mark that every page of the database is here (0600): see
 *                            publish/folder/filled.h
 *   DIR/origin/…             the identity of this folder towards mirrors (0700): see
 *                            mirror/origin_link.h
 *   DIR/boot                 which boot of the machine wrote the pages (0600): see
 *                            publish/folder/boot.h
 *
 * No symbolic link below DIR is followed.
 */
#ifndef PUBLISH_FOLDER_PAGES_DIR_H
#define PUBLISH_FOLDER_PAGES_DIR_H

#include <stdbool.h>
#include <stdint.h>

#include "publish/folder/folder.h"

#define PAGES_THROTTLE_FILE "throttle"
#define PAGES_HASHING_FILE  "lock/hashing"
/* The file in each folder of PAGES_HOST that contains the slug of the domain's page. */
#define PAGES_HOST_FILE	    "slug"

enum pages_place {
	PAGES_PUBLIC,
	PAGES_DOMAIN,
	PAGES_NOINDEX,
	PAGES_NOINDEX_DOMAIN,
	PAGES_PRIVATE,
	PAGES_HOST,
	PAGES_FORMER,
	PAGES_FORMER_HOST,
	PAGES_STATE,
	PAGES_PLACES
};
/* Whether web servers read the files of the place. Only the program reads all other places. */
bool pages_place_is_public(enum pages_place place);
const char *pages_place_name(enum pages_place place);
/* Returns the name of the folder that contains the place; "": DIR itself. */
const char *pages_place_parent(enum pages_place place);
/* Whether the folders of a place are named by domain. Other places are named by slug, and
 * PAGES_STATE by page id. */
bool pages_place_is_by_domain(enum pages_place place);

struct pages_folders;

struct pages_dir {
	int root_fd;
	int lock_fd;
	int new_fd;
	int place_fds[PAGES_PLACES];
	/* Sync each rename. This is true if the kernel has no ids of boots, so that the program
	 * cannot notice a restart of the machine: see publish/folder/boot.h. */
	bool syncs_folders;
	struct pages_folders *shared; /* owns the descriptors; NULL: the folder is not open */
};

/*
 * Opens the pages folder, and creates it if it does not exist. E_FAILED: the log has the reason.
 * The process keeps the descriptors after pages_dir_close(), and the next call uses them again. If
 * an operator has moved or replaced the folder, or the folder of a place, the call opens new
 * descriptors.
 */
enum result pages_dir_open(struct pages_dir *dir, const char *path, struct error *error) MUST_USE;
void pages_dir_close(struct pages_dir *dir);
/* Whether the path still leads to this folder, and nobody has emptied the folder. Otherwise the
 * caller must open the folder again. */
bool pages_dir_is_current(const struct pages_dir *dir, const char *path);
/* The initial value of a struct pages_dir; pages_dir_close() accepts it. */
#define PAGES_DIR_CLOSED \
	((struct pages_dir){ -1, -1, -1, { -1, -1, -1, -1, -1, -1, -1, -1, -1 }, false, NULL })

/* A lock, released by pages_dir_unlock(). The order of the locks, and how long a process waits for
 * them, is in pages_lock.c. */
struct pages_lock {
	int all_fd;
	int turn_fd; /* the lock file of one page; or "turn", if all pages are locked */
};

/* Returns the number of the page's lock file. Pages with the same number share a lock. */
int pages_dir_lock_number(int64_t page_id);
/*
 * Locks one page for publishing. Waits for other publishers of the page, and for
 * pages_dir_lock_all(). A caller that has locked another page must call pages_dir_try_page()
 * instead: two such callers could wait for each other forever.
 */
enum result pages_dir_lock_page(const struct pages_dir *dir, int64_t page_id,
				struct pages_lock *lock, struct error *error) MUST_USE;
/* Like pages_dir_lock_page(), but waits only until until_ms (clock_ms(), or FILE_LOCK_FOREVER).
 * E_TOO_SLOW: other publishers still had the lock at this time. */
enum result pages_dir_lock_page_until(const struct pages_dir *dir, int64_t page_id,
				      int64_t until_ms, struct pages_lock *lock,
				      struct error *error) MUST_USE;
/* Like pages_dir_lock_page(), but without waiting. *is_free: the caller now has the lock; otherwise
 * another publisher has it. */
enum result pages_dir_try_page(const struct pages_dir *dir, int64_t page_id,
			       struct pages_lock *lock, bool *is_free, struct error *error)
	MUST_USE;
/* Waits until no publisher has the page locked, and does not lock it. E_TOO_SLOW: a publisher held
 * the lock until until_ms. */
enum result pages_dir_await_page(const struct pages_dir *dir, int64_t page_id, int64_t until_ms,
				 struct error *error) MUST_USE;
/* Locks all pages, so that the caller can remove folders. Waits for the present publishers.
 * Publishers that begin later wait for the caller. */
enum result pages_dir_lock_all(const struct pages_dir *dir, struct pages_lock *lock,
			       struct error *error) MUST_USE;
/* Like pages_dir_lock_all(), but waits only until until_ms. E_TOO_SLOW: other processes still had a
 * lock at this time. */
enum result pages_dir_lock_all_until(const struct pages_dir *dir, int64_t until_ms,
				     struct pages_lock *lock, struct error *error) MUST_USE;
/* Does the same as pages_dir_lock_all() without waiting; *is_free: nobody had a lock, and the
 * caller has locked all pages. */
enum result pages_dir_try_all(const struct pages_dir *dir, struct pages_lock *lock, bool *is_free,
			      struct error *error) MUST_USE;
void pages_dir_unlock(struct pages_lock *lock);

/* Opens a file for reading. Returns -1 if the file cannot be opened, or if a name has a slash or
 * begins with a dot. */
int pages_dir_open_file(const struct pages_dir *dir, enum pages_place place, const char *folder,
			const char *name);
bool pages_dir_has(const struct pages_dir *dir, enum pages_place place, const char *folder,
		   const char *name);
bool pages_dir_has_folder(const struct pages_dir *dir, enum pages_place place, const char *folder);
/* Reads a small file into the arena. *text is NULL if the file does not exist. *text is empty if
 * the file is larger than max_bytes, or is no regular file. E_FAILED: the file cannot be opened or
 * read. */
enum result pages_dir_load(const struct pages_dir *dir, enum pages_place place, const char *folder,
			   const char *name, size_t max_bytes, struct arena *arena,
			   const char **text, struct error *error) MUST_USE;
/* Removes a folder with its files, and waits until the removal is on the disk. OK if the folder
 * does not exist. */
enum result pages_dir_remove(const struct pages_dir *dir, enum pages_place place,
			     const char *folder, struct error *error) MUST_USE;

/* Removes the temporary files of crashed processes. The caller must have called
 * pages_dir_lock_all(). */
enum result pages_dir_forget_new(const struct pages_dir *dir, struct error *error) MUST_USE;

/* Lists the folders of a place. */
enum result pages_dir_folders(const struct pages_dir *dir, enum pages_place place,
			      struct arena *arena, struct pages_names *folders, struct error *error)
	MUST_USE;

#endif
