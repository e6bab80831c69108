/*
 * The texts that people write: CommonMark, without anything that could act. The only file that
 * includes <cmark.h>.
 *
 * Raw HTML is shown as the text that it is. A link whose scheme is not http, https or mailto is its
 * words alone; an image is a link, since pages load no pictures from elsewhere.
 */
#ifndef VIEW_MARKDOWN_H
#define VIEW_MARKDOWN_H

#include "base/arena.h"
#include "base/buf.h"

/* As HTML (and XML): blocks. The highest heading of the text gets that level. */
void markdown_html(struct buf *out, const char *text, int heading_level);
/* Its words on one line, at most so many characters and "…"; owned by the arena. */
const char *markdown_plain(const char *text, size_t max_chars, struct arena *arena);

#endif
