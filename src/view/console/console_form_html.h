/*
 * Forms from the tables of fields: an input for each row that has a label. Its kind follows from
 * the row: a text area for FIELD_PROSE, a list for choices, boxes to check for ids, a line for
 * text. A field that gets a label appears in its forms without further code.
 */
#ifndef VIEW_CONSOLE_CONSOLE_FORM_HTML_H
#define VIEW_CONSOLE_CONSOLE_FORM_HTML_H

#include "base/violation.h"
#include "view/console/console_html.h"

/* What a list of ids can be chosen from. */
struct console_option {
	int64_t id;
	const char *name;
};

struct console_inputs {
	struct fields fields;
	/* The values as they were typed, one for each row, NULL: not sent; or NULL for those of
	 * `object`. */
	const char *const *typed;
	const void *object;    /* the struct that the fields describe; NULL: a new object */
	struct id_list chosen; /* of the list of ids; sorted */
	const struct console_option *options;
	size_t option_count;
	const struct violations *violations; /* NULL: none */
};
void console_inputs(struct buf *out, const struct console_view *view,
		    const struct console_inputs *inputs);

#endif
