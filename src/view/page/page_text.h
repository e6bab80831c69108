/* Changes to a page's HTML when the service serves it. */
#ifndef VIEW_PAGE_PAGE_TEXT_H
#define VIEW_PAGE_PAGE_TEXT_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

/* Returns whether the file's name has a hash of the content: such a file never changes. */
bool page_text_is_hashed(const char *name);

/* Returns the language that the <html> element of a page names; NULL: none. */
const char *page_text_language(const char *html, struct arena *arena);

/* Empties the buffer, and returns its former content. */
struct buf page_text_take(struct buf *html);

/* Removes the links to the page's own CSS and JavaScript. */
void page_text_make_plain(struct buf *html);

/* Adds the asset token to the addresses of the page's hashed files and forms. A sandboxed document
 * sends no cookies, so its requests have the token in place of the cookie. */
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
/* Changes a page's HTML into a preview, which contains the files of `inlines`. Its links open in
 * new windows. */
void page_text_make_whole(struct buf *html, const struct page_inlines *inlines,
			  struct arena *arena);

#endif
