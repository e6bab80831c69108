/*
 * The picture that other sites show with a link to a page. It has the name of the page, the
 * sentence of its banner, and its address, in the page's colours.
 *
 * Pango and Cairo draw the picture with the fonts of the machine. A process loads these libraries
 * when it draws its first picture.
 */
#ifndef VIEW_SHARE_PAGE_PREVIEW_H
#define VIEW_SHARE_PAGE_PREVIEW_H

#include "base/arena.h"
#include "base/buf.h"
#include "domain/page/page_snapshot.h"

enum { PAGE_PREVIEW_WIDTH_PX = 1200, PAGE_PREVIEW_HEIGHT_PX = 630 };

/*
 * Returns the name of the picture's file, "preview-1f0c....png", with a hash of all that is drawn.
 */
const char *page_preview_name(const struct page_snapshot *snapshot, struct arena *arena);
/* Appends the picture as PNG. Returns false if the machine lacks the libraries, memory, or fonts
 * with the letters of the texts. */
bool page_preview_draw(struct buf *out, const struct page_snapshot *snapshot, struct arena *arena);
/* Returns whether the machine has the libraries. */
bool page_preview_is_possible(void);

#endif
