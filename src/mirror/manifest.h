/*
 * The manifests of pages (see mirror/protocol.h). An origin prints them. A mirror parses them, and
 * does not trust their content.
 */
#ifndef MIRROR_MANIFEST_H
#define MIRROR_MANIFEST_H

#include "base/buf.h"
#include "mirror/page_copy.h"

enum {
	MANIFEST_PAGES_MAX = 256, /* pages in one body; each has at most PAGE_FILES_MAX files */
	MANIFEST_NAME_MAX = 128,
};

struct manifest {
	struct page_copy *pages; /* without open descriptors; owned by the arena */
	size_t count;
	uint8_t sha256[SECRET_HASH_BYTES]; /* of the body */
};

/* Appends the lines of a page, or the line of a page that is gone. */
void manifest_print(struct buf *out, const struct page_copy *page);
/*
 * Parses the body of a request. A valid body fulfils these rules: Every page has a slug and files
 * of known kinds, with PAGE_FIRST_FILE last. Private pages have an access record, other pages have
 * none. No two pages have the same id, slug or domain. If E_INVALID, the text for the client names
 * the line.
 */
enum result manifest_parse(struct str body, struct arena *arena, struct manifest *manifest,
			   struct error *error) MUST_USE;

/* Returns the word for the place in a manifest: public, noindex or private. */
const char *manifest_place_name(enum pages_place place);

#endif
