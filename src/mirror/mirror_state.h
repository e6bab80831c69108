/*
 * The state of a mirror. The pusher of the mirror stores it for other processes in the folder
 * DIR/mirror/<name>/ (0700):
 *
 *   lock    locked by the process that pushes
 *   status  struct mirror_status
 *   pages   the pages of the mirror: see mirror/mirror_table.h
 *
 * No file contains a key.
 */
#ifndef MIRROR_MIRROR_STATE_H
#define MIRROR_MIRROR_STATE_H

#include "base/clock.h"
#include "mirror/mirror.h"
#include "mirror/page_copy.h"
#include "publish/folder/boot.h"
#include "publish/journal.h"

enum { MIRROR_ERROR_MAX = 400 };

/* Why a mirror that responds does not get all changes. MIRROR_NEED_FILL ends when the background
 * loop has filled the folder. All other needs require a person. */
enum mirror_need {
	MIRROR_NEED_NONE,
	MIRROR_NEED_FILL,      /* the pages folder of this machine does not have all pages of the
				  database yet */
	MIRROR_NEED_TAKE_OVER, /* the mirror follows another origin */
	MIRROR_NEED_CONFIRM,   /* a comparison would remove many pages that are not known to be
				  deleted */
	MIRROR_NEED_KEY,       /* the mirror's signing key differs from the key of this origin */
	MIRROR_NEEDS,
};
/* Returns the text for operators; NULL: the mirror needs nothing. */
const char *mirror_need_text(enum mirror_need need);

struct mirror_status {
	struct boot_moment complete; /* when the mirror last confirmed that it has all pages */
	bool is_complete;      /* the last attempt has confirmed that the mirror has all pages */
	int64_t waiting;       /* pages to send; -1: not known before the next comparison */
	struct instant oldest; /* when the oldest waiting change was made; 0: no change waits */
	/* The place in the journal up to which the mirror has confirmed all changes. A place
	 * without a generation: the mirror has confirmed none. */
	struct journal_place confirmed;
	enum mirror_need need;
	struct instant failed_at; /* 0: the last attempt succeeded */
	char error[MIRROR_ERROR_MAX];
};

/* Opens the mirror's folder, and creates it if it does not exist. */
enum result mirror_folder_make(const struct pages_dir *dir, const char *name, int *folder_fd,
			       struct error *error) MUST_USE;
/* Opens the mirror's folder. Returns -1 if the folder does not exist. */
int mirror_folder_open(const struct pages_dir *dir, const char *name);
/* Locks the mirror. Sets *lock_fd to -1 if another process has the lock. */
enum result mirror_lock(int folder_fd, int *lock_fd, struct error *error) MUST_USE;

enum result mirror_status_write(int folder_fd, const struct mirror_status *status,
				struct error *error) MUST_USE;
/* Reads the status. If there is no file, all members are empty, except that `waiting` is -1. */
void mirror_status_read(int folder_fd, struct mirror_status *status);

/* The state of a mirror as operators see it. */
struct mirror_report {
	const struct mirror *mirror;
	struct mirror_status status; /* its `waiting` includes changes that the pusher has not
					read yet */
	/* The mirror has confirmed all pages of this disk, and no attempt has failed since. */
	bool is_complete;
	/* Why the mirror does not get all changes, without details; NULL: it gets all. */
	const char *trouble;
	int64_t age_s; /* seconds since the mirror last had all pages; 0: it has them now; -1:
			  never, or unknown */
};
void mirror_report(const struct pages_dir *dir, const struct mirror *mirror,
		   struct mirror_report *report);

/*
 * Whether the mirror may have a version of the page that differs from this disk, or may still have
 * a page that was deleted here. The versions of a command mirror are unknown: *lags is true once
 * its command has run or failed.
 */
enum result mirror_lags(const struct pages_dir *dir, const struct mirror *mirror, int64_t page_id,
			struct arena *arena, bool *lags, struct error *error) MUST_USE;
/*
 * Whether visitors can still see on the mirror what visitors here cannot see any more. This is a
 * deleted page, a page at a former address, or a private page without a password or with a former
 * password. For a command mirror: whether the page is private and the command must still run.
 */
enum result mirror_shows_more(const struct pages_dir *dir, const struct mirror *mirror,
			      int64_t page_id, struct arena *arena, bool *shows_more,
			      struct error *error) MUST_USE;
/* Whether the mirror has confirmed all changes of pages before this end of the journal. */
bool mirror_has_confirmed(const struct pages_dir *dir, const struct mirror *mirror,
			  const struct journal_place *end);
/* Whether the mirror has confirmed all changes before this end of the journal, and its last status
 * is complete, as is_complete in mirror_report(). */
bool mirror_is_complete(const struct pages_dir *dir, const struct mirror *mirror,
			const struct journal_place *end);

/*
 * Removes the folders of mirrors that are not configured any more. If no mirror is configured,
 * removes the journal. If all mirrors have confirmed all deletions, removes the list of deleted
 * pages.
 */
enum result mirrors_forget(const struct pages_dir *dir, const struct mirrors *mirrors,
			   struct arena *arena, struct error *error) MUST_USE;

#endif
