#include "view/console/console_html.h"

#include <string.h>

#include "base/secret.h"
#include "view/html.h"

const char *console_style_text(void)
{
	return console_assets[0].text;
}

const char *console_style_name(struct arena *arena)
{
	const char *text = console_style_text();
	return arena_printf(arena, "console-%s.css",
			    secret_hash_hex(arena, text, strlen(text), 16));
}

const char *console_text(const struct console_view *view, enum console_sentence sentence)
{
	return console_translate(view->words, console_sentences[sentence]);
}

static void put_head(struct buf *out, const struct console_view *view, const char *title)
{
	buf_printf(out,
		   "<!DOCTYPE html>\n<html lang=\"%s\" dir=\"%s\">\n<head>\n"
		   "<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
		   "content=\"width=device-width, initial-scale=1\">\n<title>",
		   view->words->language, view->locale.words->direction);
	html_text(out, title);
	buf_puts(out, " · ");
	console_say(out, view->words, CONSOLE_NAME, NULL);
	buf_puts(out, "</title>\n<link rel=\"icon\" href=\"data:,\">\n<link rel=\"stylesheet\" "
		      "href=\"");
	html_attr(out, view->root);
	buf_printf(out, "static/%s\">\n</head>\n<body>\n<a class=\"skip\" href=\"#main\">",
		   console_style_name(view->arena));
	console_say(out, view->words, CONSOLE_SKIP, NULL);
	buf_puts(out, "</a>\n");
}

static void put_user(struct buf *out, const struct console_view *view)
{
	const struct user_session *session = view->session;
	buf_puts(out, "<p>");
	console_say(out, view->words, CONSOLE_USER_OF,
		    WORD_VALUES({ "user", session->user_name },
				{ "account", session->account_name },
				{ "role", console_text(view, CONSOLE_READER + session->role) }));
	buf_puts(out, "</p>\n");
	console_form(out, view, "logout");
	console_element(out, view, "button class=\"plain\"", CONSOLE_SIGN_OUT);
	buf_puts(out, "</form>\n");
}

static void put_links(struct buf *out, const struct console_view *view)
{
	const struct user_session *session = view->session;
	console_link(out, view, "", CONSOLE_NAME);
	if (session && session->role >= ROLE_RESPONDER)
		console_link(out, view, "incidents/new", CONSOLE_REPORT);
	if (session) {
		console_link(out, view, "incidents", CONSOLE_INCIDENTS);
		console_link(out, view, "maintenances", CONSOLE_MAINTENANCE);
		console_link(out, view, "monitors", CONSOLE_MONITORS);
		console_link(out, view, "pages", CONSOLE_PAGES);
		console_link(out, view, "more", CONSOLE_MORE_SCREENS);
	}
}

void console_begin(struct buf *out, const struct console_view *view, const char *title)
{
	put_head(out, view, title);
	buf_puts(out, "<header>\n<nav>");
	put_links(out, view);
	buf_puts(out, "</nav>\n");
	if (view->session)
		put_user(out, view);
	buf_puts(out, "</header>\n<main id=\"main\">\n<h1>");
	html_text(out, title);
	buf_puts(out, "</h1>\n");
}

void console_end(struct buf *out)
{
	buf_puts(out, "</main>\n</body>\n</html>\n");
}

void console_element(struct buf *out, const struct console_view *view, const char *element,
		     enum console_sentence sentence)
{
	buf_printf(out, "<%s>", element);
	console_say(out, view->words, sentence, NULL);
	buf_printf(out, "</%.*s>\n", (int)strcspn(element, " "), element);
}

void console_put_english(struct buf *out, const struct console_view *view, const char *element,
			 const char *english)
{
	const char *translation = console_translation(view->words, english);
	bool is_foreign = !translation && view->words->count > 0;
	buf_printf(out, "<%s%s>", element, is_foreign ? " lang=\"en\"" : "");
	html_text(out, translation ? translation : english);
	buf_printf(out, "</%.*s>\n", (int)strcspn(element, " "), element);
}

void console_link(struct buf *out, const struct console_view *view, const char *path,
		  enum console_sentence sentence)
{
	buf_puts(out, "<a href=\"");
	html_attr(out, view->root);
	html_attr(out, path);
	buf_puts(out, "\">");
	console_say(out, view->words, sentence, NULL);
	buf_puts(out, "</a>\n");
}

void console_paragraph(struct buf *out, const struct console_view *view,
		       enum console_sentence sentence, const struct word_value *values)
{
	buf_puts(out, "<p>");
	console_say(out, view->words, sentence, values);
	buf_puts(out, "</p>\n");
}

void console_put_form_key(struct buf *out, const char *form_key)
{
	buf_printf(out, "<input type=\"hidden\" name=\"idempotency_key\" value=\"%s\">\n",
		   form_key);
}

void console_form(struct buf *out, const struct console_view *view, const char *path)
{
	console_begin_form(out, view, path, false);
}

void console_begin_form(struct buf *out, const struct console_view *view, const char *path,
			bool has_files)
{
	buf_puts(out, "<form method=\"post\" action=\"");
	html_attr(out, view->root);
	html_attr(out, path);
	buf_printf(out, "\"%s>\n", has_files ? " enctype=\"multipart/form-data\"" : "");
	buf_printf(out, "<input type=\"hidden\" name=\"csrf\" value=\"%s\">\n", view->csrf);
	if (view->session)
		buf_printf(out, "<input type=\"hidden\" name=\"made_for\" value=\"%lld.%lld\">\n",
			   (long long)view->session->user_id, (long long)view->session->account_id);
}

static const struct {
	int status;
	enum console_sentence sentence;
} problems[] = {
	{ 403, CONSOLE_403 }, { 404, CONSOLE_404 }, { 409, CONSOLE_409 },
	{ 429, CONSOLE_429 }, { 503, CONSOLE_503 }, { 0, CONSOLE_OTHER },
};

void console_problem_html(struct buf *out, const struct console_view *view, int status,
			  const char *detail, const char *request_id)
{
	size_t at = 0;
	while (problems[at].status != 0 && problems[at].status != status)
		at++;
	console_begin(out, view, console_text(view, CONSOLE_PROBLEM));
	console_put_english(out, view, "p",
			    detail ? detail : console_sentences[problems[at].sentence]);
	if (request_id) {
		buf_puts(out, "<p><code>");
		html_text(out, request_id);
		buf_puts(out, "</code></p>\n");
	}
	buf_puts(out, "<p><a href=\"");
	html_attr(out, view->root);
	buf_puts(out, "\">");
	console_say(out, view->words, CONSOLE_BACK, NULL);
	buf_puts(out, "</a></p>\n");
	console_end(out);
}
