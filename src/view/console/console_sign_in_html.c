/* The screens for people who are not signed in. */
#include "view/console/console_html.h"
#include "view/html.h"

static void put_problem(struct buf *out, const char *problem)
{
	if (!problem)
		return;
	buf_puts(out, "<p class=\"problem\" id=\"problem\" role=\"alert\">");
	html_text(out, problem);
	buf_puts(out, "</p>\n");
}

/* An input with its label; `more` has further attributes. */
static void put_input(struct buf *out, const struct console_view *view, const char *name,
		      enum console_sentence label, const char *more)
{
	buf_printf(out, "<label for=\"%s\">", name);
	console_say(out, view->words, label, NULL);
	buf_printf(out, "</label>\n<input id=\"%s\" name=\"%s\" required %s", name, name, more);
}

void console_sign_in_html(struct buf *out, const struct console_view *view,
			  const struct console_sign_in *form)
{
	const char *described = form->problem ? " aria-describedby=\"problem\"" : "";
	console_begin(out, view, console_text(view, CONSOLE_SIGN_IN));
	console_form(out, view, "login");
	put_problem(out, form->problem);
	put_input(out, view, "name", CONSOLE_USER_NAME,
		  "maxlength=\"64\" autocomplete=\"username\" autocapitalize=\"none\" value=\"");
	html_attr(out, form->name ? form->name : "");
	buf_printf(out, "\"%s%s>\n", described, form->name ? "" : " autofocus");
	put_input(out, view, "password", CONSOLE_PASSWORD,
		  "type=\"password\" maxlength=\"128\" autocomplete=\"current-password\"");
	buf_printf(out, "%s%s>\n", described, form->name ? " autofocus" : "");
	console_element(out, view, "button", CONSOLE_SIGN_IN);
	buf_puts(out, "</form>\n");
	console_element(out, view, "p class=\"note\"", CONSOLE_FORGOT);
	console_end(out);
}

static void put_passwords(struct buf *out, const struct console_view *view)
{
	static const char attributes[] = "type=\"password\" minlength=\"10\" maxlength=\"128\" "
					 "autocomplete=\"new-password\" aria-describedby=\"hint\">"
					 "\n";
	put_input(out, view, "password", CONSOLE_NEW_PASSWORD, attributes);
	put_input(out, view, "again", CONSOLE_AGAIN, attributes);
	console_element(out, view, "p class=\"note\" id=\"hint\"", CONSOLE_PASSWORD_HINT);
}

void console_link_html(struct buf *out, const struct console_view *view,
		       const struct console_link *link)
{
	struct buf title CLEANUP(buf_done) = BUF_INIT(1024);
	console_say_html(&title, view->words, CONSOLE_WELCOME, WORD_VALUES({ "user", link->name }));
	console_begin(out, view, title.data ? title.data : "");
	if (link->kind != USER_LINK_ENTER)
		console_paragraph(out, view, CONSOLE_CHOOSE_PASSWORD,
				  WORD_VALUES({ "user", link->name }));
	console_form(out, view, link->path);
	put_problem(out, link->problem);
	if (link->kind != USER_LINK_ENTER)
		put_passwords(out, view);
	console_element(out, view, "button",
			link->kind == USER_LINK_ENTER ? CONSOLE_ENTER : CONSOLE_SET_PASSWORD);
	buf_puts(out, "</form>\n");
	console_end(out);
}

void console_dead_link_html(struct buf *out, const struct console_view *view)
{
	console_begin(out, view, console_text(view, CONSOLE_DEAD_LINK));
	console_element(out, view, "p", CONSOLE_DEAD_LINK_TEXT);
	console_end(out);
}
