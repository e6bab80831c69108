/*
 * What a mirror needs of an installation besides its pages: the key that signs cookies and links,
 * and the former addresses of pages. See PUT /mirror/v1/site in mirror/protocol.h.
 */
#ifndef MIRROR_SITE_COPY_H
#define MIRROR_SITE_COPY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/str.h"

struct site_copy_former {
	bool is_domain;
	const char *name; /* a slug or a domain */
	int64_t page_id;
};

struct site_copy {
	const char *secret; /* in hexadecimal, as signing_key_export() gives it */
	struct site_copy_former *former;
	size_t count;
};

void site_copy_print(struct buf *out, const struct site_copy *site);
/* E_INVALID: the client's text names the line, and has no secret. */
enum result site_copy_parse(struct str body, struct arena *arena, struct site_copy *site,
			    struct error *error) MUST_USE;

#endif
