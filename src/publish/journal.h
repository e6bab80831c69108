/*
 * The journal of a pages folder lists the pages that were changed on this disk. The pushers
 * (mirror/push/pusher.h) read it, and send these pages to mirrors.
 *
 * The file is DIR/mirror/.journal. A pusher makes it; publishers write only to an existing journal.
 * The first line is the generation, a unique id of this journal. Each further line is the id of a
 * changed page. If a journal is too long, or cannot be written, a publisher removes it. The pushers
 * then make a new journal, and compare all pages.
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
 * Adds a page. Call it when the page was changed on the disk, or before the page is removed, but
 * always before the page is marked as published. Then, if the publisher dies, the next publisher
 * adds the page.
 */
void journal_add(const struct pages_dir *dir, int64_t page_id);
/* Adds the id 0, which makes all pushers compare every page. */
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
/* Reads the ids of up to `max` changed pages. The id 0 means all pages. E_NOT_FOUND: the journal
 * was removed, or cannot be read; the reader must open the journal again and compare all pages. */
enum result journal_read(struct journal *journal, int64_t *ids, size_t max, size_t *count) MUST_USE;
void journal_close(struct journal *journal);

#endif
