/*
 * The HTML of the texts of a page's snapshot, each made once: several files of a page have the same
 * texts. Only for this folder, but for page_markdown_begin().
 */
#ifndef VIEW_PAGE_MARKDOWN_H
#define VIEW_PAGE_MARKDOWN_H

#include "base/buf.h"
#include "domain/page_snapshot.h"

/* From now on texts of the snapshot are kept in the arena, which must live as long as it does. */
void page_markdown_begin(struct page_snapshot *snapshot, struct arena *arena);
/* As markdown_html(). */
void page_markdown(struct buf *out, const struct page_snapshot *snapshot, const char *text,
		   int heading_level);

#endif
