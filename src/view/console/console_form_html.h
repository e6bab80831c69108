/*
 * Forms from the tables of fields: an input for each row that has a label. Its kind follows from
 * the row: a text area for FIELD_PROSE, a list for choices and for times to come, boxes to check
 * for ids, a line for text. A field that gets a label appears in its forms without further code.
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
	const char *suffix;  /* of the ids, where a screen has several such forms; NULL: none */
	const char *problem; /* of the whole form; NULL: none */
	const char *focus;   /* the field where typing begins; NULL: none */
};
void console_inputs(struct buf *out, const struct console_view *view,
		    const struct console_inputs *inputs);
void console_hidden(struct buf *out, const char *name, const char *value);
/* The button of a form by which the person whom the web server names goes on. */
void console_continue_as(struct buf *out, const struct console_view *view, const char *name);
/* A form with its inputs and one button. */
struct console_form {
	const char *path; /* below the root */
	const struct console_inputs *inputs;
	enum console_sentence button;
	bool is_plain;				/* the button is not the screen's main one */
	const char *form_key;			/* NULL: none, for what may be sent twice */
	const char *hidden_name, *hidden_value; /* NULL: none */
};
void console_put_form(struct buf *out, const struct console_view *view,
		      const struct console_form *form);

#endif
