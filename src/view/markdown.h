/*
 * Renders the texts that people write: CommonMark, without anything active. Only markdown.c
 * includes <cmark.h>.
 *
 * Raw HTML is shown as text. A link whose scheme is not http, https or mailto becomes its words. An
 * image becomes a link, because pages load no pictures from other sites.
 */
#ifndef VIEW_MARKDOWN_H
#define VIEW_MARKDOWN_H

#include "base/arena.h"
#include "base/buf.h"

/* Appends the text as HTML (and XML) blocks. Its highest headings get the level heading_level. */
void markdown_html(struct buf *out, const char *text, int heading_level);
/* Returns the words of the text in one line, cut by "…" after max_chars characters. The arena owns
 * the line. */
const char *markdown_plain(const char *text, size_t max_chars, struct arena *arena);

#endif
