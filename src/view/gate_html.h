/*
 * The pages that stand before a page: asking for its password, saying that there is none or
 * that something failed, and listing those that there are.
 */
#ifndef VIEW_GATE_HTML_H
#define VIEW_GATE_HTML_H

#include <stddef.h>

#include "base/buf.h"

/* `problem` is a sentence about the last try, or NULL. */
void gate_form_html(struct buf *out, const char *problem);
void gate_missing_html(struct buf *out);

/*
 * A failure. `detail` is a sentence that says more than the status does, or NULL; request_id
 * is NULL where the log has nothing to add.
 */
void gate_problem_html(struct buf *out, int status, const char *detail, const char *request_id);

/* The installation's own root: nothing, or a list of pages. */
void gate_nothing_html(struct buf *out);
struct gate_entry {
	const char *name;
	const char *url;
};
void gate_list_html(struct buf *out, const struct gate_entry *entries, size_t count);

#endif
