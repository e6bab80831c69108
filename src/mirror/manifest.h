/*
 * The manifests of pages in mirror/protocol.h: an origin prints them, and a mirror parses them
 * without trust.
 */
#ifndef MIRROR_MANIFEST_H
#define MIRROR_MANIFEST_H

#include "base/buf.h"
#include "mirror/page_copy.h"

enum {
	MANIFEST_PAGES_MAX = 256, /* of a body; a page has at most PAGE_FILES_MAX files */
	MANIFEST_NAME_MAX = 128,
};

struct manifest {
	struct page_copy *pages; /* without descriptors; owned by the arena */
	size_t count;
	uint8_t sha256[SECRET_HASH_BYTES]; /* of the body */
};

/* Appends a page, or a line that the page is gone. */
void manifest_print(struct buf *out, const struct page_copy *page);
/*
 * Parses a body. In the result every page has a slug and files of known kinds with PAGE_FIRST_FILE
 * last. Only a private page has its access record, and each private page has it. No two pages have
 * one id, slug or domain. E_INVALID: the client's text names the line.
 */
enum result manifest_parse(struct str body, struct arena *arena, struct manifest *manifest,
			   struct error *error) MUST_USE;

/* The words for places: public, noindex and private. */
const char *manifest_place_name(enum pages_place place);

#endif
