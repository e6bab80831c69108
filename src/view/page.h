/*
 * A page's files, as bytes from a page_view: what visitors, feed readers and
 * programs get. No I/O.
 */
#ifndef VIEW_PAGE_H
#define VIEW_PAGE_H

#include "base/buf.h"
#include "domain/page_view.h"

enum { PAGE_FILE_MAX_BYTES = 16 << 20 };

/* The names of the shared style sheet and script: they carry a hash of the content. */
const char *page_style_name(struct arena *arena);
const char *page_script_name(struct arena *arena);
void page_style(struct buf *out);
void page_script(struct buf *out);

/* index.html: complete without the script. */
void page_html(struct buf *out, const struct page_view *view, struct arena *arena);
/* feed.atom (RFC 4287) */
void page_feed(struct buf *out, const struct page_view *view, struct arena *arena);
/* badge.svg */
void page_badge(struct buf *out, const struct page_view *view, struct arena *arena);

/* In the shape of the widely consumed /api/v2/…; "summary", "status", "components", "incidents". */
void page_json(struct buf *out, const struct page_view *view, const char *which,
	       struct arena *arena);

#endif
