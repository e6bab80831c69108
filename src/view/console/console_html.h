/*
 * The frame of the console's screens: head, navigation, forms and problems. A screen has one style
 * sheet, and works without script, except for passkeys (passkey.js). console.js only adds
 * conveniences to forms.
 */
#ifndef VIEW_CONSOLE_CONSOLE_HTML_H
#define VIEW_CONSOLE_CONSOLE_HTML_H

#include "base/embedded.h"
#include "domain/account/user.h"
#include "view/console/console_words.h"
#include "view/words/locale.h"

/* The static files. The name of a file changes with its content. */
enum { CONSOLE_STYLE, CONSOLE_PASSKEY_SCRIPT, CONSOLE_SCRIPT, CONSOLE_ASSETS };
extern const struct embedded console_assets[];
const char *console_asset_name(size_t asset, struct arena *arena);

/* The data that every screen needs. */
struct console_view {
	const struct console_words *words;
	struct locale locale;		    /* for times */
	const char *root;		    /* the path of the console: "/console/" */
	const char *base_url;		    /* the installation's address; API URLs begin with it */
	const struct user_session *session; /* NULL: nobody is signed in */
	const char *csrf;		    /* the token that each form sends */
	/* the text from which each form's Idempotency-Key is made: see console_key_of() */
	const char *form_key;
	struct instant now;
	struct arena *arena;
};

void console_begin(struct buf *out, const struct console_view *view, const char *title);
void console_end(struct buf *out);
/* Ends a screen with forms that console.js makes more convenient. */
void console_end_scripted(struct buf *out, const struct console_view *view);
/* Appends a sentence without values in an element. `element` is a name, or a name with attributes:
 * "p", "p class=\"problem\"". */
void console_element(struct buf *out, const struct console_view *view, const char *element,
		     enum console_sentence sentence);
/* Appends the translation of an English text, such as a problem from the API, in an element.
 * Without a translation, appends the English text, and marks the element as English. */
void console_put_english(struct buf *out, const struct console_view *view, const char *element,
			 const char *english);
/* Appends a link to a path below the root. */
void console_link(struct buf *out, const struct console_view *view, const char *path,
		  enum console_sentence sentence);
/* Appends a link whose text is not a sentence of the console, such as a name. */
void console_text_link(struct buf *out, const struct console_view *view, const char *path,
		       const char *text);
/* Appends a sentence in <p>. Escapes `values` for HTML. */
void console_paragraph(struct buf *out, const struct console_view *view,
		       enum console_sentence sentence, const struct word_value *values);
/* Begins a form that is posted to `path` below the root. The caller appends </form>. */
void console_form(struct buf *out, const struct console_view *view, const char *path);
/* Does the same as console_form(), with further attributes: " id=\"bulk\"". */
void console_begin_form(struct buf *out, const struct console_view *view, const char *path,
			const char *attributes);
/*
 * Appends a button for passkey.js. The script asks the browser for a passkey, puts the answer into
 * the field, and sends the form. `known`: the passkeys that the person already has, if a new
 * passkey is to be created; NULL: a passkey is to be used. Browsers without script or passkeys do
 * not show the button.
 */
void console_passkey_button(struct buf *out, const struct console_view *view, const char *field,
			    const char *known);
/* Appends the Idempotency-Key: a form that is sent twice with it has an effect only once. */
void console_put_form_key(struct buf *out, const char *form_key);
/* Returns the Idempotency-Key of the form that is posted to `path`, made from view->form_key. */
const char *console_key_of(const struct console_view *view, const char *path);
/* Returns a sentence without values, as plain text. */
const char *console_text(const struct console_view *view, enum console_sentence sentence);

/* Appends the screen for a failed request. `detail` is a sentence about the failure; NULL: use
 * console_problem_text(). */
void console_problem_html(struct buf *out, const struct console_view *view, int status,
			  const char *detail, const char *request_id);

/* Returns the console's sentence about an HTTP status. */
const char *console_problem_text(const struct console_view *view, int status);
/* Appends the content of a preview that cannot show the page: the violations, or `text` if
 * `violations` is NULL. */
struct violation;
void console_no_preview_html(struct buf *out, const struct console_view *view, const char *text,
			     const struct violation *violations);

/* The form for the first or second step of signing in. */
struct console_inputs;
struct console_sign_in {
	const char *name; /* the name that was typed; NULL: none */
	const char *step; /* the identifier of the sign-in that waits for its second step; NULL: the
			     first step */
	/* A form that was sent without a session, to be shown after the sign-in
	 * (app/console/console_kept.c). NULL: none. */
	const char *kept;
	const char *problem; /* NULL: none */
	/* the person whom the web server names, for single sign-on; NULL: nobody */
	const char *front;
	bool has_passwords; /* whether there is a form for name and password */
};
void console_sign_in_html(struct buf *out, const struct console_view *view,
			  const struct console_sign_in *form, const struct console_inputs *inputs);
/* The screen that a link of enum user_link_kind opens. It has either a form to set a password, or
 * only a button. */
struct console_link {
	enum user_link_kind kind;
	const char *path; /* the path of the link, below the root */
	const char *name; /* the name of the user */
	const struct console_inputs *inputs;
};
void console_link_html(struct buf *out, const struct console_view *view,
		       const struct console_link *link);
/* Appends the form by which an operator becomes an owner. `inputs` NULL: the file setup.token does
 * not exist, or has no token. */
void console_setup_html(struct buf *out, const struct console_view *view,
			const struct console_inputs *inputs, bool has_bad_file);
/* Appends a screen with a link to `url`, which logs out from the web server's authentication. */
void console_logged_out_html(struct buf *out, const struct console_view *view, const char *url);
void console_dead_link_html(struct buf *out, const struct console_view *view);

#endif
