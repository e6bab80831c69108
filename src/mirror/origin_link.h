/*
 * The identity by which this pages folder feeds a mirror:
 *
 *   DIR/origin/<name>   the mark of the last step at that mirror, and whether it was refused
 *
 * The mark has an id, which is made before the first step. A copy of the folder has the same id; a
 * copy of the database, or a backup, does not. A step is on the disk before it is sent. `daymarkctl
 * mirror take-over` may change the file while a pusher works, so the pusher reads the file for each
 * request.
 */
#ifndef MIRROR_ORIGIN_LINK_H
#define MIRROR_ORIGIN_LINK_H

#include "base/error.h"
#include "mirror/origin_mark.h"
#include "publish/folder/pages_dir.h"

struct origin_link {
	struct origin_mark mark; /* step 0: no step was made yet */
	bool is_refused;	 /* the mirror follows another origin, so nothing is sent */
	bool replaces_key;	 /* the mirror must replace its signing key by this origin's */
};

/* Reads the link. Without a file it has a new id at step 0, which no mirror has accepted. */
enum result origin_link_read(const struct pages_dir *dir, const char *mirror,
			     struct origin_link *link, struct error *error) MUST_USE;
/* Makes the next step. */
enum result origin_link_step(const struct pages_dir *dir, const char *mirror,
			     struct origin_link *link, struct error *error) MUST_USE;
/*
 * Gives the link a new id at its first step, to take over a mirror. Even a copy of this disk can
 * take over. The caller writes the link (origin_link_replace()) only when the mirror has accepted
 * it. Otherwise this origin would lose a mirror that does not respond.
 */
void origin_link_renew(struct origin_link *link);
enum result origin_link_replace(const struct pages_dir *dir, const char *mirror,
				const struct origin_link *link, struct error *error) MUST_USE;
/*
 * Writes the mirror's response to this step. Does nothing if another process has made a step
 * since.
 */
enum result origin_link_write(const struct pages_dir *dir, const char *mirror,
			      const struct origin_link *link, struct error *error) MUST_USE;

#endif
