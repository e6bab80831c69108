/*
 * The identity that this pages folder uses towards a mirror:
 *
 *   DIR/origin/<name>   the mark of the last step at that mirror, and whether it was refused
 *
 * The id in the mark is created before the first step. A copy of the pages folder has the same id.
 * A copy or a backup of the database does not have it. A step is written to the disk before it is
 * sent. `daymarkctl mirror take-over` may change the file while a pusher works, so the pusher reads
 * the file for each request.
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

/* Reads the link. Without a file, the link gets a new id, which no mirror knows yet, and step 0. */
enum result origin_link_read(const struct pages_dir *dir, const char *mirror,
			     struct origin_link *link, struct error *error) MUST_USE;
/* Makes the next step, with a new token, and writes it to the disk. */
enum result origin_link_step(const struct pages_dir *dir, const char *mirror,
			     struct origin_link *link, struct error *error) MUST_USE;
/*
 * Sets a new id and step 1 in the link, in order to take over a mirror. With a new id, even a copy
 * of an origin's disk can take over. Call origin_link_replace() only after the mirror has accepted
 * the link. Otherwise, if the mirror does not respond, this origin loses the id that the mirror
 * knows.
 */
void origin_link_renew(struct origin_link *link);
enum result origin_link_replace(const struct pages_dir *dir, const char *mirror,
				const struct origin_link *link, struct error *error) MUST_USE;
/*
 * Writes the link with the mirror's response to its step. Does nothing if another process has made
 * another step in the meantime.
 */
enum result origin_link_write(const struct pages_dir *dir, const char *mirror,
			      const struct origin_link *link, struct error *error) MUST_USE;

#endif
