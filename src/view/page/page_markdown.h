/* A cache for the HTML of texts, because several files of a page show the same texts. Only for
 * src/view, except page_markdown_begin(). */
#ifndef VIEW_PAGE_PAGE_MARKDOWN_H
#define VIEW_PAGE_PAGE_MARKDOWN_H

#include "base/buf.h"
#include "domain/page/page_snapshot.h"

/* Makes an empty cache for the snapshot in the arena. Free the arena only after the last use of the
 * snapshot. */
void page_markdown_begin(struct page_snapshot *snapshot, struct arena *arena);
/* Does the same as markdown_html(), but uses the cache. */
void page_markdown(struct buf *out, const struct page_snapshot *snapshot, const char *text,
		   int heading_level);

#endif
