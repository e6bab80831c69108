/* The screens for people who are not signed in. */
#include "view/console/console_form_html.h"
#include "view/console/console_html.h"
#include "view/console/console_people_html.h"
#include "view/html.h"

void console_continue_as(struct buf *out, const struct console_view *view, const char *name)
{
	buf_puts(out, "<button>");
	console_say(out, view->words, CONSOLE_CONTINUE_AS, WORD_VALUES({ "user", name }));
	buf_puts(out, "</button>\n");
}

/* Appends the button of single sign-on, above the form for name and password. */
static void put_front(struct buf *out, const struct console_view *view,
		      const struct console_sign_in *form)
{
	if (!form->has_passwords)
		console_inputs(out, view, &(struct console_inputs){ .problem = form->problem });
	if (!form->has_passwords && !form->front)
		console_element(out, view, "p", CONSOLE_NOBODY);
	if (!form->front)
		return;
	console_form(out, view, "login/sso");
	if (form->kept)
		console_hidden(out, "kept", form->kept);
	console_continue_as(out, view, form->front);
	buf_puts(out, "</form>\n");
}

void console_sign_in_html(struct buf *out, const struct console_view *view,
			  const struct console_sign_in *form, const struct console_inputs *inputs)
{
	console_begin(out, view, console_text(view, CONSOLE_SIGN_IN));
	if (!form->step)
		put_front(out, view, form);
	if (!form->step && !form->has_passwords) {
		console_end(out);
		return;
	}
	console_form(out, view, form->step ? "login/code" : "login");
	if (form->step)
		console_hidden(out, "step", form->step);
	if (form->kept)
		console_hidden(out, "kept", form->kept);
	console_inputs(out, view, inputs);
	console_element(out, view, "button", CONSOLE_SIGN_IN);
	if (!form->step) {
		console_hidden(out, "passkey", "");
		console_passkey_button(out, view, "passkey", NULL);
	}
	buf_puts(out, "</form>\n");
	console_element(out, view, "p class=\"note\"",
			form->step ? CONSOLE_LOST_APP : CONSOLE_FORGOT);
	console_end(out);
}

void console_link_html(struct buf *out, const struct console_view *view,
		       const struct console_link *link)
{
	bool is_entrance = link->kind == USER_LINK_ENTER;
	struct buf title CLEANUP(buf_done) = BUF_INIT(1024);
	console_say_html(&title, view->words, CONSOLE_WELCOME, WORD_VALUES({ "user", link->name }));
	console_begin(out, view, title.data ? title.data : "");
	if (!is_entrance)
		console_paragraph(out, view, CONSOLE_CHOOSE_PASSWORD,
				  WORD_VALUES({ "user", link->name }));
	console_put_form(out, view,
			 &(struct console_form){
				 .path = link->path,
				 .inputs = is_entrance ? NULL : link->inputs,
				 .button = is_entrance ? CONSOLE_ENTER : CONSOLE_SET_PASSWORD,
			 });
	if (!is_entrance)
		console_element(out, view, "p class=\"note\"", CONSOLE_PASSWORD_HINT);
	console_end(out);
}

void console_setup_html(struct buf *out, const struct console_view *view,
			const struct console_inputs *inputs, bool has_bad_file)
{
	console_begin(out, view, console_text(view, CONSOLE_SETUP));
	console_element(out, view, "p", inputs ? CONSOLE_SETUP_TEXT : CONSOLE_SETUP_FILE);
	if (inputs)
		console_put_form(out, view,
				 &(struct console_form){ .path = "setup",
							 .inputs = inputs,
							 .button = CONSOLE_SET_PASSWORD });
	else if (has_bad_file)
		console_element(out, view, "p class=\"problem\"", CONSOLE_SETUP_BAD);
	buf_puts(out, "<p>");
	console_link(out, view, "login", CONSOLE_SIGN_IN);
	buf_puts(out, "</p>\n");
	console_end(out);
}

void console_logged_out_html(struct buf *out, const struct console_view *view, const char *url)
{
	console_begin(out, view, console_text(view, CONSOLE_SIGNED_OUT));
	console_element(out, view, "p", CONSOLE_SIGNED_OUT_TEXT);
	buf_puts(out, "<p><a href=\"");
	html_url(out, url);
	buf_puts(out, "\">");
	html_text(out, console_text(view, CONSOLE_CONTINUE));
	buf_puts(out, "</a></p>\n");
	console_end(out);
}

void console_dead_link_html(struct buf *out, const struct console_view *view)
{
	console_begin(out, view, console_text(view, CONSOLE_DEAD_LINK));
	console_element(out, view, "p", CONSOLE_DEAD_LINK_TEXT);
	console_end(out);
}

void console_confirm_html(struct buf *out, const struct console_view *view,
			  const struct console_confirming *confirming)
{
	static const struct {
		const char *confirm;
	} type;
	const struct field row = FIELD(
		__typeof__(type), confirm, .flags = FIELD_SECRET, .max_bytes = USER_PASSWORD_MAX,
		.label = "A code of your authenticator app, or your password if you have no app",
		.autofill = "current-password");
	const struct console_inputs inputs = { .fields = { &row, 1 },
					       .problem = confirming->problem,
					       .focus = "confirm" };
	console_begin(out, view, console_text(view, CONSOLE_CONFIRM));
	console_element(out, view, "p", CONSOLE_CONFIRM_TEXT);
	console_form(out, view, confirming->path);
	if (confirming->version > 0)
		console_hidden(out, "version",
			       arena_printf(view->arena, "%lld", (long long)confirming->version));
	if (confirming->form_key)
		console_hidden(out, "idempotency_key", confirming->form_key);
	for (const struct word_value *sent = confirming->sent; sent->name; sent++)
		console_hidden(out, sent->name, sent->text);
	if (confirming->front) {
		console_hidden(out, "confirm", "front");
		console_continue_as(out, view, confirming->front);
	} else {
		console_inputs(out, view, &inputs);
		console_element(out, view, "button", CONSOLE_CONTINUE);
	}
	if (view->session->passkey_count > 0)
		console_passkey_button(out, view, "confirm", NULL);
	buf_puts(out, "</form>\n");
	console_end(out);
}
