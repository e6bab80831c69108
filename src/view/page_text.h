/* Changes that the service makes in a page's HTML as it serves it. */
#ifndef VIEW_PAGE_TEXT_H
#define VIEW_PAGE_TEXT_H

#include "base/arena.h"
#include "base/buf.h"

/* Whether a file's name carries the hash of its content: such a file never changes. */
bool page_text_is_hashed(const char *name);

/* The language of a page, from the beginning of its HTML; NULL: the text names none. */
const char *page_text_language(const char *html, struct arena *arena);

/* Returns the text, and leaves the buffer empty for what is made of the text. */
struct buf page_text_take(struct buf *html);

/* Removes the tenant's own style sheet and script. */
void page_text_make_plain(struct buf *html);

/*
 * Adds the asset token to the addresses of the files that the page is made of: a sandboxed
 * document sends no cookie with its requests for them.
 */
void page_text_add_token(struct buf *html, const char *token);

#endif
