/*
 * The shared data: what all pages of a mirror need besides their own files. These are the key that
 * signs cookies and links, and the former addresses of pages, in lists
 * (publish/folder/former_list.h). See PUT /mirror/v1/site in mirror/protocol.h.
 */
#ifndef MIRROR_SHARED_DATA_H
#define MIRROR_SHARED_DATA_H

#include "base/secret.h"
#include "publish/folder/former_list.h"

/* A list of former addresses, identified by its content. The content is sent as a file. */
struct shared_list {
	unsigned number;
	uint8_t sha256[SECRET_HASH_BYTES];
	size_t size;
};

struct shared_data {
	const char *secret; /* the signing key in hexadecimal: see signing_key_export() */
	struct shared_list lists[FORMER_LISTS];
	size_t count;
};

void shared_data_print(struct buf *out, const struct shared_data *data, struct arena *arena);
/* Parses a body of shared data. If E_INVALID, the text for the client names the line, but contains
 * no secret. */
enum result shared_data_parse(struct str body, struct arena *arena, struct shared_data *data,
			      struct error *error) MUST_USE;
/* Whether the content is the list with that number. The arena is reset for each line. */
bool shared_data_is_list(struct str content, unsigned number, struct arena *arena);

/* Appends the line "<number> <sha256>" of a list that the mirror has. */
void shared_lists_print(struct buf *out, const struct shared_list *list, struct arena *arena);
/* Removes a line from the front of *rest. Returns false if *rest is empty, or begins with an
 * invalid line. */
bool shared_lists_next(struct str *rest, struct shared_list *list);

#endif
