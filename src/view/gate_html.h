/* The pages that stand before a page: asking for its password, and saying that there is none. */
#ifndef VIEW_GATE_HTML_H
#define VIEW_GATE_HTML_H

#include "base/buf.h"

/* `problem` is a sentence about the last try, or NULL. */
void gate_form_html(struct buf *out, const char *problem);
void gate_missing_html(struct buf *out);

#endif
