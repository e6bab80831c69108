/*
 * The record that says who may see a page that is not public. It is published as a file
 * beside the page's files, so that a visit needs no database.
 */
#ifndef ACCESS_PAGE_ACCESS_H
#define ACCESS_PAGE_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "domain/status_page.h"

/* The name of the file. It has no extension, and only files with known extensions are served. */
#define PAGE_ACCESS_FILE "gate"

enum { PAGE_ACCESS_MAX_BYTES = 1024 };

struct page_access {
	int64_t page_id;
	int64_t account_id;
	int privacy;		   /* PRIVACY_PASSWORD or PRIVACY_PRIVATE */
	const char *password_hash; /* "" for none; owned by the arena */
	const char *language;	   /* of the form; owned by the arena */
};

/*
 * Appends the record of a page: "<page id> <account id> <privacy> <password hash or ->\n", with
 * " <language>" before the line feed if it is not the default.
 */
void page_access_write(struct buf *out, const struct status_page *page);
/* False: the text is not a complete record. */
bool page_access_parse(struct str text, struct arena *arena, struct page_access *access) MUST_USE;

#endif
