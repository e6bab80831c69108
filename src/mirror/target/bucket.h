/* The parts of target_bucket; only for target_bucket.c, bucket_*.c and tests. */
#ifndef MIRROR_TARGET_BUCKET_H
#define MIRROR_TARGET_BUCKET_H

#include "mirror/origin_link.h"
#include "mirror/target/bucket_folders.h"
#include "mirror/target/s3.h"
#include "mirror/target/target.h"

struct bucket {
	struct s3 s3;
	struct arena arena; /* of s3 */
	struct pages_dir dir;
	int folder_fd;
	struct bucket_folders folders;
	const char *site; /* the first line of the marker; the second one has the origin's mark */
	struct origin_link link;
	bool has_marker;
	int64_t step_at_ms;
};

/* Whether the bucket may have the page at all: whatever is sent is asked of this function. */
bool bucket_may_have(const struct page_copy *page);
/* The same of a file of such a page. Compressed twins are for our own web servers, and what has no
 * type is for the program. */
bool bucket_may_have_file(const char *name);

/*
 * The marker, an object beside our folders, says whose mirror the bucket is: of which installation,
 * and which origin feeds it (mirror/origin_mark.h).
 *
 * Reads the marker. E_REFUSED: the bucket is the mirror of another installation, or of another
 * origin, which is remembered: nothing is sent until this origin takes over.
 */
enum result bucket_check_marker(struct target *target, struct error *error) MUST_USE;
/* Makes a step, and writes it to the marker. */
enum result bucket_write_marker(struct target *target, struct error *error) MUST_USE;
enum result bucket_take_over(struct target *target, struct arena *arena, const char **key,
			     struct error *error) MUST_USE;

/*
 * See struct target_kind: by the records, compared with the bucket's own list. Without the marker
 * objects in our folders are somebody else's, and E_REFUSED is returned.
 */
enum result bucket_list(struct target *target, struct arena *arena, struct target_pages *pages,
			struct error *error) MUST_USE;

#define BUCKET_MARKER "daymark-mirror"

#endif
