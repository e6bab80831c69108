/* What the responder changes in a page's HTML as it serves it. */
#ifndef APP_PAGE_TEXT_H
#define APP_PAGE_TEXT_H

#include "base/arena.h"
#include "base/buf.h"

/* Whether a file's name carries its content's hash, so that it never changes. */
bool page_text_is_hashed(const char *name);

/* Leaves out the page's own style sheet and script. */
void page_text_make_plain(struct buf *html);

/*
 * Adds the pass to the addresses of the files that the page is made of. In a
 * sandboxed document the gate's cookie does not travel with them.
 */
void page_text_add_pass(struct buf *html, const char *pass);

#endif
