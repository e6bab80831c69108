/*
 * Renders texts that people write in CommonMark. Only markdown.c includes <cmark.h>.
 *
 * Raw HTML is shown as text. A link becomes plain words if its scheme is not http, https or mailto.
 * An image becomes a link, because pages load no pictures from other sites.
 */
#ifndef VIEW_MARKDOWN_H
#define VIEW_MARKDOWN_H

#include "base/arena.h"
#include "base/buf.h"

/* Appends the text as HTML blocks, which are also valid XML. `heading_level` is the level of the
 * outermost headings. */
void markdown_html(struct buf *out, const char *text, int heading_level);
/* Returns the words of the text in one line, owned by the arena. If the line is longer than
 * max_chars characters, cuts it and appends "…". */
const char *markdown_plain(const char *text, size_t max_chars, struct arena *arena);

#endif
