/*
 * The access record of a page that is not public: it says who may see the page. The record is
 * published as a file beside the page's files, so that a visit needs no database.
 */
#ifndef ACCESS_PAGE_ACCESS_H
#define ACCESS_PAGE_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "domain/page/page_link.h"
#include "domain/page/status_page.h"
#include "domain/web_url.h"

/* The name of the record's file. Visitors cannot fetch the file: it has no extension, and only
 * files with known extensions are served. */
#define PAGE_ACCESS_FILE "gate"

enum {
	/* The length of a key's mark, which is the start of the key's SHA-256 in hexadecimal. */
	PAGE_ACCESS_MARK_CHARS = 3,
	/* The size of the largest record. It has all marks, all links with 20 bytes each, the
	 * page's name and its contact. */
	PAGE_ACCESS_MAX_BYTES = 36 << 10,
};
_Static_assert((1 << 4 * PAGE_ACCESS_MARK_CHARS) * PAGE_ACCESS_MARK_CHARS + PAGE_LINKS_MAX * 20 +
			       3 * 4 * 255 + 3 * WEB_URL_MAX_BYTES + 1024 <=
		       PAGE_ACCESS_MAX_BYTES,
	       "the record has room for all of its parts");

struct page_access {
	int64_t page_id;
	int64_t account_id;
	int privacy;		     /* PRIVACY_PASSWORD or PRIVACY_PRIVATE */
	const char *password_hash;   /* "": none; the arena owns this and all other texts */
	const char *language;	     /* the language of the page, and of its password form */
	const char *withdrawn_links; /* ids, such as "12,15" */
	/* The marks of the account's valid API keys, such as "0a11ff" for two keys. */
	const char *key_marks;
	const char *name;	 /* shown in the password form; "" on a private page */
	const char *contact_url; /* shown in the password form; "": no contact, or a private page */
};

/*
 * Appends the record of a page: "<page id> <account id> <privacy> <password hash> <language>
 * <withdrawn links> <marks of keys>\n". An empty word is written as "-". If the page has a
 * password, " <name> <contact>" follow before the "\n", percent-encoded.
 */
void page_access_write(struct buf *out, const struct status_page *page);
/* Reads a record. Returns false if the text is not a complete record. */
bool page_access_parse(struct str text, struct arena *arena, struct page_access *access) MUST_USE;

bool page_access_is_withdrawn(const struct page_access *access, int64_t link_id);
/* Whether the record has the mark of the key. If true, the key may be a key of the page's account:
 * about one of 4,096 wrong keys has the same mark as a given right key. If false, the key is not
 * valid, or was made after the record. */
bool page_access_may_be_key(const struct page_access *access, struct str key);
/* Whether the record `there` is at least as strict as `wanted`: it admits no visitor that `wanted`
 * refuses. */
bool page_access_is_as_strict(const struct page_access *there, const struct page_access *wanted);

#endif
