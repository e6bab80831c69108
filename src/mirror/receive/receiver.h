/*
 * What a mirror host has received and not yet put in place, in its pages folder:
 *
 *   DIR/received/files/<sha256>       files that no page has yet, by their content
 *   DIR/received/files/<sha256>.part  the beginning of a large file
 *   DIR/received/plan                 pages that are being put in place; see mirror/receive/plan.h
 *   DIR/received/origin, digest       whom the mirror follows: see mirror/receive/receive_origin.h
 *   DIR/received/beat                 when the origin last said that the mirror has everything
 */
#ifndef MIRROR_RECEIVE_RECEIVER_H
#define MIRROR_RECEIVE_RECEIVER_H

#include "base/arena.h"
#include "base/clock.h"
#include "domain/site.h"
#include "mirror/origin_mark.h"
#include "publish/folder/boot.h"
#include "publish/folder/pages_dir.h"

struct receiver {
	struct pages_dir dir;
	int folder_fd; /* of DIR/received */
	int files_fd;
	const struct site *site;   /* no page is placed at one of its names */
	struct origin_mark origin; /* of the request; no id: it has none */
	bool replaces_key;	   /* the origin's signing key is to replace another one */
	struct arena *arena;
};
#define RECEIVER_CLOSED \
	((struct receiver){ .dir = PAGES_DIR_CLOSED, .folder_fd = -1, .files_fd = -1 })

/* Opens the folders, and creates those that do not exist. Set site and arena first. */
enum result receiver_open(struct receiver *receiver, const char *pages_path, struct error *error)
	MUST_USE;
void receiver_close(struct receiver *receiver);

/*
 * Puts those pages in place that a process was placing when it died, unless another process is
 * placing pages. To be called when a process starts; the functions that change pages do it, too.
 */
enum result receiver_recover(const struct config *config, struct error *error) MUST_USE;

/* What the origin said last. */
struct receiver_beat {
	struct boot_moment complete; /* when it last said "complete" */
	/* It has not said "incomplete" since, and has not been silent: an origin that this mirror
	 * refuses says nothing. */
	bool is_complete;
	bool is_known; /* the folder expects beats */
};
/* E_CONFLICT if the folder was made after the origin last compared the pages. */
enum result receiver_write_beat(const struct receiver *receiver, bool is_complete,
				struct error *error) MUST_USE;
enum result receiver_read_beat(const struct receiver *receiver, struct receiver_beat *beat,
			       struct error *error) MUST_USE;
/* To be called when the origin asks for the list of pages, as it does in each comparison. */
enum result receiver_expect_beats(const struct receiver *receiver, struct error *error) MUST_USE;

/* Forgets files that no page has wanted for an hour, and those of a process that died. */
enum result receiver_sweep(const struct receiver *receiver, struct instant now, struct error *error)
	MUST_USE;

#endif
