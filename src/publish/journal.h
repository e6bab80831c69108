/*
 * The journal of a pages folder lists the pages that were changed on this disk. Its readers are
 * pushers, which send pages to mirrors (mirror/push/pusher.h).
 *
 * DIR/mirror/.journal exists only if a pusher has made it; otherwise publishers write nothing. The
 * first line is the generation, which no other journal has. Each further line is the id of a
 * changed page. A publisher removes a journal that is too long, or that it cannot write. Then every
 * pusher has lost its place: it makes the next journal, and compares all pages.
 */
#ifndef PUBLISH_JOURNAL_H
#define PUBLISH_JOURNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/secret.h"
#include "publish/folder/pages_dir.h"

#define JOURNAL_FOLDER "mirror" /* the folder DIR/mirror (0700) */

enum {
	JOURNAL_LINE_BYTES = 17, /* 16 hexadecimal digits */
	JOURNAL_MAX_BYTES = 1 << 20,
};

/* A place in a journal. */
struct journal_place {
	char generation[SECRET_ID_SIZE]; /* "": none */
	int64_t offset;
};

/*
 * Adds a page. Call this function after the page was changed on the disk or before it is removed,
 * and before it counts as published. If the publisher dies in between, the next publisher adds the
 * page.
 */
void journal_add(const struct pages_dir *dir, int64_t page_id);
/* Tells all pushers to compare every page. */
void journal_add_all(const struct pages_dir *dir);
/* Returns the end of the present journal; the generation is "" if there is no journal. */
struct journal_place journal_end(const struct pages_dir *dir);
/* Removes the journal. For an installation without mirrors. */
void journal_remove(const struct pages_dir *dir);

/* A reader of the journal. */
struct journal {
	int fd;
	struct journal_place place;
};
#define JOURNAL_CLOSED ((struct journal){ .fd = -1 })

/* Opens the journal at its end, and makes it if it does not exist. */
enum result journal_open(struct journal *journal, const struct pages_dir *dir, struct error *error)
	MUST_USE;
/*
 * Reads the ids of up to `max` changed pages; the id 0 means all pages. E_NOT_FOUND: the journal
 * was removed, or cannot be read. The reader has lost its place, and must open the journal again.
 */
enum result journal_read(struct journal *journal, int64_t *ids, size_t max, size_t *count) MUST_USE;
void journal_close(struct journal *journal);

#endif
