/* HTML and XML text, escaped by where it stands. */
#ifndef VIEW_HTML_H
#define VIEW_HTML_H

#include "base/buf.h"
#include "base/clock.h"

/* Between tags. */
void html_text(struct buf *out, const char *text);
/* Inside a double-quoted attribute. */
void html_attr(struct buf *out, const char *text);
/* The same for an address to link to: one that is not http, https or mailto becomes "#". */
void html_url(struct buf *out, const char *url);

/* <time datetime="…">20 Nov 2026, 19:58 UTC</time>; a script may show the visitor's zone. */
void html_time(struct buf *out, struct instant at);
/* "1 h 5 min", "45 s", "3 days 2 h" */
void html_duration(struct buf *out, int64_t seconds);
/* "20 Nov 2026" */
void html_date(struct buf *out, struct instant at);

#endif
