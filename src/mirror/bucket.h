/* The parts of target_bucket; only for mirror/target_bucket.c, bucket_compare.c and tests. */
#ifndef MIRROR_BUCKET_H
#define MIRROR_BUCKET_H

#include "mirror/bucket_folders.h"
#include "mirror/s3.h"
#include "mirror/target.h"

struct bucket {
	struct s3 s3;
	struct arena arena; /* of s3 */
	struct pages_dir dir;
	int folder_fd;
	struct bucket_folders folders;
	const char *site; /* the content of the marker */
};

/* Whether the bucket may have the page at all: whatever is sent is asked of this function. */
bool bucket_may_have(const struct page_copy *page);
/* The same of a file of such a page. Compressed twins are for our own web servers, and what has no
 * type is for the program. */
bool bucket_may_have_file(const char *name);

/*
 * Compares the records with the bucket's own list. The marker, an object beside our folders, says
 * that the bucket is this installation's: without it, objects in our folders are somebody else's,
 * and E_REFUSED is returned. A folder without a record gets one, of page 0.
 */
enum result bucket_compare(struct bucket *bucket, struct error *error) MUST_USE;

#define BUCKET_MARKER "daymark-mirror"

#endif
