#include "view/console/console_html.h"

#include <string.h>

#include "base/secret.h"
#include "base/violation.h"
#include "view/html.h"

const char *console_asset_name(size_t asset, struct arena *arena)
{
	const char *text = console_assets[asset].text;
	return arena_printf(arena, "console-%s.%s", secret_hash_hex(arena, text, strlen(text), 16),
			    asset == CONSOLE_STYLE ? "css" : "js");
}

const char *console_text(const struct console_view *view, enum console_sentence sentence)
{
	return console_translate(view->words, console_sentences[sentence]);
}

/* Returns the attribute that makes console.css use the colour scheme that the person has chosen. */
static const char *scheme_attribute(const struct console_view *view)
{
	const char *scheme = view->session ? view->session->preferences.color_scheme : NULL;
	return user_is_auto(scheme) ? "" : arena_printf(view->arena, " data-scheme=\"%s\"", scheme);
}

static void put_head(struct buf *out, const struct console_view *view, const char *title)
{
	buf_printf(out,
		   "<!DOCTYPE html>\n<html lang=\"%s\" dir=\"%s\"%s>\n<head>\n"
		   "<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
		   "content=\"width=device-width, initial-scale=1\">\n<title>",
		   view->words->language, view->locale.words->direction, scheme_attribute(view));
	html_text(out, title);
	buf_puts(out, " · ");
	console_say(out, view->words, CONSOLE_NAME, NULL);
	buf_puts(out, "</title>\n<link rel=\"icon\" href=\"data:,\">\n<link rel=\"stylesheet\" "
		      "href=\"");
	html_attr(out, view->root);
	buf_printf(out, "static/%s\">\n</head>\n<body>\n<a class=\"skip\" href=\"#main\">",
		   console_asset_name(CONSOLE_STYLE, view->arena));
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
	bool is_in = session && !user_session_lacks_factor(session);
	console_link(out, view, "", CONSOLE_NAME);
	if (is_in && session->role >= ROLE_RESPONDER)
		console_link(out, view, "incidents/new", CONSOLE_REPORT);
	if (is_in) {
		console_link(out, view, "incidents", CONSOLE_INCIDENTS);
		console_link(out, view, "maintenances", CONSOLE_MAINTENANCE);
		console_link(out, view, "monitors", CONSOLE_MONITORS);
		console_link(out, view, "pages", CONSOLE_PAGES);
		console_link(out, view, "more", CONSOLE_MORE_SCREENS);
	}
	if (session && session->account_count > 1)
		console_link(out, view, "accounts", CONSOLE_CHANGE_ACCOUNT);
}

void console_begin(struct buf *out, const struct console_view *view, const char *title)
{
	put_head(out, view, title);
	buf_puts(out, "<header>\n<nav>");
	put_links(out, view);
	buf_puts(out, "</nav>\n");
	if (view->session)
		put_user(out, view);
	buf_puts(out, "</header>\n<main id=\"main\">\n<h1 id=\"screen\">");
	html_text(out, title);
	buf_puts(out, "</h1>\n");
}

static void put_script(struct buf *out, const struct console_view *view, size_t asset)
{
	buf_puts(out, "<script src=\"");
	html_attr(out, view->root);
	buf_printf(out, "static/%s\" defer></script>\n", console_asset_name(asset, view->arena));
}

void console_end_scripted(struct buf *out, const struct console_view *view)
{
	put_script(out, view, CONSOLE_SCRIPT);
	console_end(out);
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

void console_text_link(struct buf *out, const struct console_view *view, const char *path,
		       const char *text)
{
	buf_puts(out, "<a href=\"");
	html_attr(out, view->root);
	html_attr(out, path);
	buf_puts(out, "\">");
	html_text(out, text);
	buf_puts(out, "</a>");
}

void console_paragraph(struct buf *out, const struct console_view *view,
		       enum console_sentence sentence, const struct word_value *values)
{
	buf_puts(out, "<p>");
	console_say(out, view->words, sentence, values);
	buf_puts(out, "</p>\n");
}

void console_passkey_button(struct buf *out, const struct console_view *view, const char *field,
			    const char *known)
{
	buf_puts(out, "<button type=\"button\" class=\"plain\" hidden data-challenge=\"");
	html_attr(out, view->root);
	buf_printf(out, "%s/challenge\" data-field=\"%s\" data-failed=\"",
		   view->session ? "me" : "login", field);
	html_attr(out, console_text(view, CONSOLE_PASSKEY_FAILED));
	if (known) {
		buf_printf(out, "\" data-known=\"%s\" data-name=\"", known);
		html_attr(out, view->session->user_name);
	}
	buf_puts(out, "\">");
	console_say(out, view->words, known ? CONSOLE_ADD_PASSKEY : CONSOLE_USE_PASSKEY, NULL);
	buf_puts(out, "</button>\n");
	put_script(out, view, CONSOLE_PASSKEY_SCRIPT);
}

void console_put_form_key(struct buf *out, const char *form_key)
{
	buf_printf(out, "<input type=\"hidden\" name=\"idempotency_key\" value=\"%s\">\n",
		   form_key);
}

const char *console_key_of(const struct console_view *view, const char *path)
{
	enum { KEY_CHARS = 43 };
	const char *text = arena_printf(view->arena, "%s %s", view->form_key, path);
	return secret_hash_hex(view->arena, text, strlen(text), KEY_CHARS);
}

void console_form(struct buf *out, const struct console_view *view, const char *path)
{
	console_begin_form(out, view, path, "");
}

void console_begin_form(struct buf *out, const struct console_view *view, const char *path,
			const char *attributes)
{
	buf_puts(out, "<form method=\"post\" action=\"");
	html_attr(out, view->root);
	html_attr(out, path);
	buf_printf(out, "\"%s>\n", attributes);
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

const char *console_problem_text(const struct console_view *view, int status)
{
	size_t at = 0;
	while (problems[at].status != 0 && problems[at].status != status)
		at++;
	return console_text(view, problems[at].sentence);
}

void console_problem_html(struct buf *out, const struct console_view *view, int status,
			  const char *detail, const char *request_id)
{
	console_begin(out, view, console_text(view, CONSOLE_PROBLEM));
	if (detail)
		console_put_english(out, view, "p", detail);
	else
		buf_printf(out, "<p>%s</p>\n", console_problem_text(view, status));
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

/* The HTML has no style: it is shown in a sandboxed frame, which may not read the console's style
 * sheet. */
void console_no_preview_html(struct buf *out, const struct console_view *view, const char *text,
			     const struct violation *violations)
{
	buf_printf(out, "<!DOCTYPE html>\n<html lang=\"%s\">\n<meta charset=\"utf-8\">\n<title>",
		   view->words->language);
	console_say(out, view->words, CONSOLE_NO_PREVIEW, NULL);
	buf_puts(out, "</title>\n");
	console_element(out, view, "h1", CONSOLE_NO_PREVIEW);
	do {
		buf_puts(out, "<p>");
		html_text(out, violations ? violations->message : text);
		buf_puts(out, "</p>\n");
		violations = violations ? violations->next : NULL;
	} while (violations);
}
