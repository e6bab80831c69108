/*
 * What a mirror host has received and not yet put in place, in its pages folder:
 *
 *   DIR/received/files/<sha256>       files that no page has yet
 *   DIR/received/files/<sha256>.part  the beginning of a large file
 *   DIR/received/plan                 pages that are being put in place; see mirror/receive/plan.h
 *   DIR/received/origin, digest       the mirror's origin: see mirror/receive/receive_origin.h
 *   DIR/received/beat                 when the origin last said that the mirror has everything
 */
#ifndef MIRROR_RECEIVE_RECEIVER_H
#define MIRROR_RECEIVE_RECEIVER_H

#include "base/arena.h"
#include "base/clock.h"
#include "domain/page/site.h"
#include "mirror/origin_mark.h"
#include "publish/folder/boot.h"
#include "publish/folder/pages_dir.h"

struct receiver {
	struct pages_dir dir;
	int folder_fd; /* of DIR/received */
	int files_fd;
	const struct site *site;   /* no page gets a host name of the site as its domain */
	struct origin_mark origin; /* the mark in the request; if there is none, its id is "" */
	bool replaces_key;	   /* the mirror must replace its signing key by the origin's */
	struct arena *arena;
};
#define RECEIVER_CLOSED \
	((struct receiver){ .dir = PAGES_DIR_CLOSED, .folder_fd = -1, .files_fd = -1 })

/* Opens the folders, and creates missing ones. Set `site` and `arena` before the call. */
enum result receiver_open(struct receiver *receiver, const char *pages_path, struct error *error)
	MUST_USE;
void receiver_close(struct receiver *receiver);

/*
 * Completes the work of a process that died while it placed pages: puts these pages in place. Does
 * nothing while another process is placing pages. Call it when a process starts. The functions that
 * change pages do the same work themselves.
 */
enum result receiver_recover(const struct config *config, struct error *error) MUST_USE;

/* The newest beat of the origin. */
struct receiver_beat {
	struct boot_moment complete; /* when the origin last said "complete" */
	/*
	 * The last beat was "complete", and is recent. An origin that this mirror refuses sends no
	 * beats.
	 */
	bool is_complete;
	bool is_known; /* the mirror expects beats */
};
/* Records a beat. Returns E_CONFLICT if the folder was created after the origin last compared the
 * pages. */
enum result receiver_write_beat(const struct receiver *receiver, bool is_complete,
				struct error *error) MUST_USE;
enum result receiver_read_beat(const struct receiver *receiver, struct receiver_beat *beat,
			       struct error *error) MUST_USE;
/* Makes the mirror expect beats. Call it when the origin asks for the list of pages, as in each
 * comparison. */
enum result receiver_expect_beats(const struct receiver *receiver, struct error *error) MUST_USE;

/* Removes received files that were not needed for an hour, and temporary files of processes that
 * died. */
enum result receiver_sweep(const struct receiver *receiver, struct instant now, struct error *error)
	MUST_USE;

#endif
