/*
 * Forms from tables of fields (struct fields): a form has an input for each field. The kind of
 * field decides the kind of input: a text area for FIELD_PROSE, a list for choices, check boxes for
 * booleans and ids, a file input for files, a single line for other texts. A field that is added to
 * a table appears in the forms of this table without further code.
 */
#ifndef VIEW_CONSOLE_CONSOLE_FORM_HTML_H
#define VIEW_CONSOLE_CONSOLE_FORM_HTML_H

#include "base/violation.h"
#include "view/console/console_html.h"

/* An id that a person can choose in a list of ids, with its name. */
struct console_option {
	int64_t id;
	const char *name;
};

struct console_inputs {
	struct fields fields;
	/* Names of inputs with the values that a person has typed; an element without a name ends
	 * the array. NULL: nothing was typed, and the inputs show the values of `object`. */
	const struct word_value *typed;
	const void *object;	    /* the stored object; NULL: the form is for a new object */
	const struct fields *shown; /* the fields that describe `object`; NULL: `fields` */
	/* The form has all fields that can be sent. False: only the fields with a label. */
	bool is_whole;
	/*
	 * For a whole form: the fields that are always visible, in the order of the table; NULL
	 * ends the list. All other fields are folded. If `first` is NULL, all fields are visible.
	 */
	const char *const *first;
	bool has_only_first; /* the form has only the fields of `first` */
	bool has_no_owner;   /* the form has no fields that only owners may set */
	bool is_new;	     /* the form is for a new object */
	/* Which members of nested objects the form has: bit i for the member with index i. 0: all
	 * members. */
	unsigned members;
	struct id_list chosen; /* the chosen ids of the list of ids; sorted */
	const struct console_option *options;
	size_t option_count;
	/* Names of inputs with texts that the inputs show in place of stored or initial values, if
	 * `typed` is NULL. An element without a name ends the array. NULL: none. */
	const struct word_value *presets;
	/* Fields that the form omits, because other inputs set them. NULL: none. */
	const char *const *without;
	const struct violations *violations; /* NULL: none */
	/* another request has changed the object since the form was made: show both versions */
	bool is_stale;
	/* Is appended to the ids of elements, because ids must be unique in a screen with several
	 * forms. NULL: none. */
	const char *suffix;
	const char *problem; /* a problem of the whole form; NULL: none */
	const char *focus;   /* the field where typing begins; NULL: none */
};
void console_inputs(struct buf *out, const struct console_view *view,
		    const struct console_inputs *inputs);
void console_hidden(struct buf *out, const char *name, const char *value);
/* Appends the button for single sign-on. `name` is the person's name from the web server. */
void console_continue_as(struct buf *out, const struct console_view *view, const char *name);
/* A form with its inputs and one button. */
struct console_form {
	const char *path; /* the path below the root */
	const struct console_inputs *inputs;
	enum console_sentence button;
	bool is_plain; /* the button looks less important than the screen's main button */
	/* The Idempotency-Key: a form that is sent twice with it has an effect only once. NULL:
	 * no key, except with is_once. */
	const char *form_key;
	bool is_once; /* if form_key is NULL: make an Idempotency-Key from the form's path */
	const char *hidden_name, *hidden_value; /* a hidden input; NULL: none */
	int64_t version;    /* the version of the object that the form changes; 0: none */
	bool has_preview;   /* see console_end_form() */
	const char *suffix; /* is appended to the name of the preview's frame; NULL: none */
	/* the method and URL of the API request that does the same as the form; NULL: none */
	const char *method, *api;
};
/* Lets a preview run scripts, and open links in a new window. Used in the sandbox attribute of the
 * preview's frame, and in the preview's Content-Security-Policy. */
#define CONSOLE_PREVIEW_SANDBOX "allow-scripts allow-popups allow-popups-to-escape-sandbox"
/*
 * Appends the button that posts the form to PATH/preview, ends the form, and appends the frame that
 * shows the answer. The frame loads nothing before the button is pressed. `suffix` is appended to
 * the frame's name, because names must differ if a screen has several frames.
 */
void console_end_form(struct buf *out, const struct console_view *view, const char *path,
		      const char *suffix);
void console_put_form(struct buf *out, const struct console_view *view,
		      const struct console_form *form);
/* An API request that does the same as a form (console_curl_html.c). */
struct console_call {
	const char *method, *url;
	const struct console_inputs *inputs; /* the inputs of the form; NULL: none */
	const char *json;		     /* the body, if the form has no inputs; NULL: none */
};
/* Appends a command line for curl, with the values that the form shows. */
void console_put_curl(struct buf *out, const struct console_view *view,
		      const struct console_call *call);
/* Appends a command line for each call. For several forms that stand side by side. */
void console_put_calls(struct buf *out, const struct console_view *view,
		       const struct console_call *calls, size_t count);

/* The functions below are only for console_form_html.c, console_input_html.c and
 * console_curl_html.c. */
/* Returns whether the form sends the field. */
bool console_sends(const struct console_inputs *inputs, const struct field *field);
/* Returns whether the form has an input for the field. */
bool console_has_input(const struct console_inputs *inputs, const struct field *field);
/* Returns the field with the same name in the fields that describe `object`; NULL: there is no
 * object, or it does not show the field. */
const struct field *console_shown_field(const struct console_inputs *inputs,
					const struct field *field);
/* Returns the typed, preset or initial text of an input. Ignores the stored object. */
const char *console_standing_text(const struct console_view *view,
				  const struct console_inputs *inputs, const char *name,
				  const struct field *field);
const char *console_initial_text(const struct field *field);
/* Returns the number of rows that were typed in the list: one more than the highest index. */
size_t console_typed_rows(const struct console_inputs *inputs, const struct field *field);
/* An input of a field, or of a member of a nested field. */
struct console_input {
	const struct console_inputs *inputs;
	const struct field *field;
	const char *name;  /* the name under which the value is sent: "value[url]" */
	const char *id;	   /* the id of the element */
	const char *value; /* the value in the input */
	/* The input may be empty although the field is required: it is in a row of a list, and
	 * empty rows are dropped. */
	bool may_be_empty;
};
/* Appends the label, the problem, the input and the help. */
void console_put_input(struct buf *out, const struct console_view *view,
		       const struct console_input *input);
/* Appends the boxes of a list of ids. */
void console_put_boxes(struct buf *out, const struct console_view *view,
		       const struct console_inputs *inputs, const struct field *field);
/* Begins a group of inputs, with the problem of the whole group. */
void console_begin_group(struct buf *out, const struct console_view *view,
			 const struct console_inputs *inputs, const struct field *field);
/* Returns the typed value of an input; NULL: no value was sent. */
const char *console_typed_value(const struct console_inputs *inputs, const char *name);

#endif
