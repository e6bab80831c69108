/* The parts of target_bucket; only for target_bucket.c, bucket_*.c and tests. */
#ifndef MIRROR_TARGET_BUCKET_H
#define MIRROR_TARGET_BUCKET_H

#include "mirror/origin_link.h"
#include "mirror/target/bucket_folders.h"
#include "mirror/target/s3.h"
#include "mirror/target/target.h"

struct bucket {
	struct s3 s3;
	struct arena arena; /* owns the texts of s3 */
	struct pages_dir dir;
	int folder_fd;
	struct bucket_folders folders;
	const char *title; /* the first line of the marker; the second line has the origin's mark */
	struct origin_link link;
	bool has_marker;
	int64_t step_at_ms;
};

/* Whether the bucket may have the page. Call it for every page before the page is sent. */
bool bucket_may_have(const struct page_copy *page);
/* Whether the bucket may have this file of a page for which bucket_may_have() is true. Other files
 * are compressed twins, which only our own web servers use, and files without a media type, which
 * only the program reads. */
bool bucket_may_have_file(const char *name);

/*
 * The marker is an object beside the folders "s" and "d". It names the installation to which the
 * bucket belongs, and the origin that sends pages to it (mirror/origin_mark.h).
 *
 * Reads the marker. E_REFUSED: the marker names another installation or another origin. The refusal
 * is stored: this origin sends nothing until it takes over the bucket.
 */
enum result bucket_check_marker(struct target *target, struct error *error) MUST_USE;
/* Makes a step (see mirror/origin_mark.h), and writes the new mark to the marker. */
enum result bucket_write_marker(struct target *target, struct error *error) MUST_USE;
enum result bucket_take_over(struct target *target, struct arena *arena, const char **key,
			     struct error *error) MUST_USE;

/*
 * See struct target_kind. First corrects the records (bucket_folders.h) by the bucket's own list of
 * objects. Then lists the pages that the records name. E_REFUSED: the bucket has no marker, so the
 * objects in our folders may belong to other people.
 */
enum result bucket_list(struct target *target, struct arena *arena, struct target_pages *pages,
			struct error *error) MUST_USE;

#define BUCKET_MARKER "daymark-mirror"

#endif
