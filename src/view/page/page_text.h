/* Changes to a page's HTML when the service serves it. */
#ifndef VIEW_PAGE_PAGE_TEXT_H
#define VIEW_PAGE_PAGE_TEXT_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

/* Returns whether the file's name has a hash of the content: such a file never changes. */
bool page_text_is_hashed(const char *name);

/* Returns the language of a page, from the beginning of its HTML; NULL: it names none. */
const char *page_text_language(const char *html, struct arena *arena);

/* Returns the text and empties the buffer, to which the caller then appends the changed text. */
struct buf page_text_take(struct buf *html);

/* Removes the links to the page's own CSS and JavaScript. */
void page_text_make_plain(struct buf *html);

/* Adds the asset token to the addresses of the page's files, and of its form. A sandboxed document
 * sends no cookie with its requests, so the token replaces the cookie. */
void page_text_add_token(struct buf *html, const char *token);

/* A file of a page whose content is put into the page itself. */
struct page_inline {
	const char *name;
	const char *type; /* Content-Type */
	struct str content;
};
struct page_inlines {
	struct page_inline *rows;
	size_t count;
	const char *url; /* the page's address, put before relative addresses that are in no row */
	/* The nonce by which the Content-Security-Policy allows the rows' style and script. */
	const char *nonce;
};
/* Turns a page's HTML into a preview. The preview needs no files, and its links open in new
 * windows. */
void page_text_make_whole(struct buf *html, const struct page_inlines *inlines,
			  struct arena *arena);

#endif
