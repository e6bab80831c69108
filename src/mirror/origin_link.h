/*
 * As whom this pages folder feeds a mirror:
 *
 *   DIR/origin/<name>   the mark of the last step at that mirror, and whether it was refused
 *
 * The id is made before the first step. A copy of the folder has the same id, and another database
 * or backup does not.
 * A step is on the disk before it is sent. `daymarkctl mirror take-over` may change the file while
 * a pusher works, so it is read for each request.
 */
#ifndef MIRROR_ORIGIN_LINK_H
#define MIRROR_ORIGIN_LINK_H

#include "base/error.h"
#include "mirror/origin_mark.h"
#include "publish/folder/pages_dir.h"

struct origin_link {
	struct origin_mark mark; /* step 0: none was made yet */
	bool is_refused;	 /* the mirror follows another origin, and nothing is sent to it */
	bool replaces_key;	 /* the mirror is to take this origin's signing key for its own */
};

/* Without a file: a new id, at step 0, which no mirror has accepted. */
enum result origin_link_read(const struct pages_dir *dir, const char *mirror,
			     struct origin_link *link, struct error *error) MUST_USE;
/* Makes the next step. */
enum result origin_link_step(const struct pages_dir *dir, const char *mirror,
			     struct origin_link *link, struct error *error) MUST_USE;
/* A new id at its first step, for taking over a mirror, also from a copy of this disk. It is
 * written when the mirror has accepted it: else a mirror that does not respond would be lost to
 * this origin. */
void origin_link_renew(struct origin_link *link);
enum result origin_link_replace(const struct pages_dir *dir, const char *mirror,
				const struct origin_link *link, struct error *error) MUST_USE;
/* Writes what the mirror's response to this step says; does nothing if another process has made a
 * step since. */
enum result origin_link_write(const struct pages_dir *dir, const char *mirror,
			      const struct origin_link *link, struct error *error) MUST_USE;

#endif
