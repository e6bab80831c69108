/* A cache of the HTML of a snapshot's texts, because several files of a page have the same texts.
 * Only for this folder, except page_markdown_begin(). */
#ifndef VIEW_PAGE_PAGE_MARKDOWN_H
#define VIEW_PAGE_PAGE_MARKDOWN_H

#include "base/buf.h"
#include "domain/page/page_snapshot.h"

/* Begins to keep the HTML of the snapshot's texts in the arena. The arena must live as long as the
 * snapshot. */
void page_markdown_begin(struct page_snapshot *snapshot, struct arena *arena);
/* Does the same as markdown_html(), but uses the cache. */
void page_markdown(struct buf *out, const struct page_snapshot *snapshot, const char *text,
		   int heading_level);

#endif
