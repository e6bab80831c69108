/*
 * The data of an installation that a mirror needs besides pages: the key that signs cookies and
 * links, and the former addresses of pages, in lists (publish/folder/former_list.h). See PUT
 * /mirror/v1/site in mirror/protocol.h.
 */
#ifndef MIRROR_SITE_COPY_H
#define MIRROR_SITE_COPY_H

#include "base/secret.h"
#include "publish/folder/former_list.h"

/* A list, identified by its content, which is sent as a file. */
struct site_copy_list {
	unsigned number;
	uint8_t sha256[SECRET_HASH_BYTES];
	size_t size;
};

struct site_copy {
	const char *secret; /* in hexadecimal, as signing_key_export() gives it */
	struct site_copy_list lists[FORMER_LISTS];
	size_t count;
};

void site_copy_print(struct buf *out, const struct site_copy *site, struct arena *arena);
/* E_INVALID: the client's text names the line, and has no secret. */
enum result site_copy_parse(struct str body, struct arena *arena, struct site_copy *site,
			    struct error *error) MUST_USE;
/* Whether the content is a list of that number. The arena is reset for each line. */
bool site_copy_is_list(struct str content, unsigned number, struct arena *arena);

/* The lines "<number> <sha256>" of the mirror's lists. */
void site_lists_print(struct buf *out, const struct site_copy_list *list, struct arena *arena);
/* Takes a line from the front of *rest. False: *rest is empty, or its line is invalid. */
bool site_lists_next(struct str *rest, struct site_copy_list *list);

#endif
