/*
 * What a pusher tells other processes about its mirror, in the folder DIR/mirror/<name>/ (0700):
 *
 *   lock    held by the process that pushes
 *   status  how far it is
 *   pages   what the mirror has: see mirror/mirror_table.h
 *
 * No file has a key.
 */
#ifndef MIRROR_MIRROR_STATE_H
#define MIRROR_MIRROR_STATE_H

#include "base/clock.h"
#include "mirror/mirror.h"
#include "mirror/page_copy.h"
#include "publish/folder/boot.h"
#include "publish/journal.h"

enum { MIRROR_ERROR_MAX = 400 };

/* Why a mirror does not get all changes, though it responds: a person, or the background loop, must
 * act. */
enum mirror_need {
	MIRROR_NEED_NONE,
	MIRROR_NEED_FILL,      /* this pages folder has not got all pages of the database yet */
	MIRROR_NEED_TAKE_OVER, /* the mirror follows another origin */
	MIRROR_NEED_CONFIRM,   /* pages of the mirror would be removed that nobody has deleted */
	MIRROR_NEED_KEY,       /* the mirror has another signing key */
	MIRROR_NEEDS,
};
/* For operators, and for everybody at /readyz; NULL: nothing is needed. */
const char *mirror_need_text(enum mirror_need need);

struct mirror_status {
	struct boot_moment complete; /* when the mirror last confirmed that it has everything */
	bool is_complete;	     /* the last attempt confirmed it */
	int64_t waiting;	     /* pages to send; -1: not known before the next comparison */
	struct instant oldest;	     /* the oldest change that waits; 0: none */
	/* Up to here the mirror has confirmed all changes; no generation: never. */
	struct journal_place confirmed;
	enum mirror_need need;
	struct instant failed_at; /* 0: the last attempt went well */
	char error[MIRROR_ERROR_MAX];
};

/* Opens the mirror's folder, and makes it if it does not exist. */
enum result mirror_folder_make(const struct pages_dir *dir, const char *name, int *folder_fd,
			       struct error *error) MUST_USE;
/* -1: it does not exist. */
int mirror_folder_open(const struct pages_dir *dir, const char *name);
/* *lock_fd is -1 if another process has the lock. */
enum result mirror_lock(int folder_fd, int *lock_fd, struct error *error) MUST_USE;

enum result mirror_status_write(int folder_fd, const struct mirror_status *status,
				struct error *error) MUST_USE;
/* Empty, with waiting -1, if there is none. */
void mirror_status_read(int folder_fd, struct mirror_status *status);

/* How a mirror stands, as operators are told. */
struct mirror_report {
	const struct mirror *mirror;
	struct mirror_status status; /* with changes that no pusher has read counted as waiting */
	/* The mirror has confirmed everything that this disk has, and has not failed since. */
	bool is_complete;
	int64_t age_s; /* since it last confirmed that; 0: it is complete; -1: not known, or never
			*/
};
void mirror_report(const struct pages_dir *dir, const struct mirror *mirror,
		   struct mirror_report *report);

/*
 * Whether the mirror has, or may have, another version of the page than this disk, or a page that
 * is gone here. Of a command nobody knows what it has copied: true once it has run.
 */
enum result mirror_lags(const struct pages_dir *dir, const struct mirror *mirror, int64_t page_id,
			struct arena *arena, bool *lags, struct error *error) MUST_USE;
/*
 * Whether visitors of the mirror still see what a former change has taken from visitors here: the
 * page, its address, or access without a password or with a former one. Of a command: whether it is
 * still to run, if the page is not public.
 */
enum result mirror_shows_more(const struct pages_dir *dir, const struct mirror *mirror,
			      int64_t page_id, struct arena *arena, bool *shows_more,
			      struct error *error) MUST_USE;
/* Whether the mirror has confirmed all changes of pages before that end of the journal. */
bool mirror_has_confirmed(const struct pages_dir *dir, const struct mirror *mirror,
			  const struct journal_place *end);
/* The same, and everything else that the mirror needs: what mirror_report() calls complete, as of
 * that end. */
bool mirror_is_complete(const struct pages_dir *dir, const struct mirror *mirror,
			const struct journal_place *end);

/* Removes what belongs to mirrors that are not configured any more, without any mirror the journal,
 * and the list of deleted pages once all mirrors have confirmed them. */
enum result mirrors_forget(const struct pages_dir *dir, const struct mirrors *mirrors,
			   struct arena *arena, struct error *error) MUST_USE;

#endif
