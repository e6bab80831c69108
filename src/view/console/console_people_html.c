#include "view/console/console_people_html.h"

#include "view/html.h"

void console_kept_html(struct buf *out, const struct console_view *view,
		       const struct console_kept *kept)
{
	const char *version = arena_printf(view->arena, "%lld", (long long)kept->version);
	bool is_here = kept->account_id == 0;
	console_begin(out, view, console_text(view, CONSOLE_KEPT));
	console_element(out, view, "p class=\"problem\" role=\"alert\"",
			is_here ? CONSOLE_KEPT_TEXT : CONSOLE_KEPT_ELSEWHERE);
	if (!is_here)
		console_put_form(out, view,
				 &(struct console_form){
					 .path = arena_printf(view->arena, "accounts/%lld",
							      (long long)kept->account_id),
					 .hidden_name = "kept",
					 .hidden_value = kept->text,
					 .button = CONSOLE_CHANGE_ACCOUNT,
				 });
	else
		console_put_form(out, view,
				 &(struct console_form){
					 .path = kept->path,
					 .inputs = &kept->inputs,
					 .form_key = kept->form_key,
					 .hidden_name = kept->version > 0 ? "version" : NULL,
					 .hidden_value = version,
					 .button = CONSOLE_SEND,
				 });
	console_end(out);
}

void console_confirm_html(struct buf *out, const struct console_view *view, const char *path,
			  const struct word_value *sent, const char *problem)
{
	static const struct {
		const char *confirm;
	} type;
	const struct field row = FIELD(
		__typeof__(type), confirm, .flags = FIELD_SECRET, .max_bytes = USER_PASSWORD_MAX,
		.label = "Your password, or a code of your app", .autofill = "current-password");
	const struct console_inputs inputs = { .fields = { &row, 1 },
					       .problem = problem,
					       .focus = "confirm" };
	console_begin(out, view, console_text(view, CONSOLE_CONFIRM));
	console_element(out, view, "p", CONSOLE_CONFIRM_TEXT);
	console_form(out, view, path);
	for (; sent->name; sent++)
		console_hidden(out, sent->name, sent->text);
	console_inputs(out, view, &inputs);
	console_element(out, view, "button", CONSOLE_CONTINUE);
	buf_puts(out, "</form>\n");
	console_end(out);
}

static const char *time_html(const struct console_view *view, struct instant at)
{
	return html_time(&view->locale, at, view->arena);
}

static void put_session(struct buf *out, const struct console_view *view,
			const struct console_sessions *sessions, const struct user_session *row)
{
	struct buf where CLEANUP(buf_done) = BUF_INIT(4096);
	html_text(&where, row->address ? row->address : "-");
	buf_puts(out, "<article class=\"row calm\">\n<p>");
	html_text(out, row->agent ? row->agent : console_text(view, CONSOLE_UNKNOWN_BROWSER));
	buf_puts(out, "</p>\n<p>");
	console_say_html(out, view->words, CONSOLE_SESSION_OF,
			 WORD_VALUES({ "address", where.data },
				     { "time", time_html(view, row->created_at) },
				     { "used", time_html(view, row->used_at) }));
	buf_puts(out, "</p>\n");
	if (row->id > 0 && row->id == view->session->id)
		console_element(out, view, "p", CONSOLE_THIS_SESSION);
	else if (row->id > 0)
		console_put_form(out, view,
				 &(struct console_form){
					 .path = arena_printf(view->arena, "%s/%lld/end",
							      sessions->path, (long long)row->id),
					 .button = CONSOLE_END_SESSION,
					 .is_plain = true,
				 });
	buf_puts(out, "</article>\n");
}

void console_put_sessions(struct buf *out, const struct console_view *view,
			  const struct console_sessions *sessions)
{
	console_element(out, view, "h2", CONSOLE_SESSIONS);
	if (sessions->count == 0)
		console_element(out, view, "p", CONSOLE_NO_SESSIONS);
	for (size_t i = 0; i < sessions->count; i++)
		put_session(out, view, sessions, &sessions->rows[i]);
	if (sessions->count > 0)
		console_put_form(out, view,
				 &(struct console_form){ .path = arena_printf(view->arena, "%s/end",
									      sessions->path),
							 .button = CONSOLE_END_SESSIONS,
							 .is_plain = true });
}

static void put_factor(struct buf *out, const struct console_view *view,
		       const struct console_me *me)
{
	console_element(out, view, "h2", CONSOLE_FACTOR);
	if (me->user->totp_at.s == 0) {
		console_element(out, view, "p", CONSOLE_NO_FACTOR);
		buf_puts(out, "<p><a href=\"");
		html_attr(out, view->root);
		buf_puts(out, "me/app\">");
		console_say(out, view->words, CONSOLE_SET_UP_APP, NULL);
		buf_puts(out, "</a></p>\n");
		return;
	}
	buf_puts(out, "<p>");
	console_say_html(
		out, view->words, CONSOLE_FACTOR_SINCE,
		WORD_VALUES({ "time", time_html(view, me->user->totp_at) },
			    { "count", arena_printf(view->arena, "%zu", me->recovery_count) }));
	buf_puts(out, "</p>\n");
	console_put_form(out, view,
			 &(struct console_form){ .path = "me/codes",
						 .button = CONSOLE_NEW_CODES,
						 .is_plain = true });
	console_put_form(out, view,
			 &(struct console_form){ .path = "me/app/remove",
						 .button = CONSOLE_REMOVE_APP,
						 .is_plain = true });
}

void console_me_html(struct buf *out, const struct console_view *view, const struct console_me *me)
{
	console_begin(out, view, me->user->name);
	if (me->notice)
		console_element(out, view, "p class=\"done\" role=\"status\"", *me->notice);
	put_factor(out, view, me);
	console_element(out, view, "h2", CONSOLE_PASSWORD);
	console_put_form(out, view,
			 &(struct console_form){ .path = "me",
						 .inputs = &me->password,
						 .button = CONSOLE_CHANGE_PASSWORD });
	console_put_sessions(out, view, &me->sessions);
	console_end(out);
}

void console_app_html(struct buf *out, const struct console_view *view,
		      const struct console_app *app)
{
	console_begin(out, view, console_text(view, CONSOLE_SET_UP_APP));
	console_element(out, view, "p", CONSOLE_SCAN);
	buf_puts(out, app->qr_code);
	console_element(out, view, "p", CONSOLE_OR_TYPE);
	buf_puts(out, "<p><code>");
	for (const char *at = app->secret; *at; at += 4)
		buf_printf(out, "%.4s ", at);
	buf_puts(out, "</code></p>\n");
	console_put_form(out, view,
			 &(struct console_form){ .path = "me/app",
						 .inputs = &app->inputs,
						 .hidden_name = "secret",
						 .hidden_value = app->secret,
						 .button = CONSOLE_SET_UP_APP });
	console_end(out);
}

void console_once_html(struct buf *out, const struct console_view *view,
		       enum console_sentence title, enum console_sentence text,
		       const char *const *lines, size_t count)
{
	console_begin(out, view, console_text(view, title));
	console_element(out, view, "p class=\"done\" role=\"status\"", text);
	buf_puts(out, "<ul>\n");
	for (size_t i = 0; i < count; i++) {
		buf_puts(out, "<li><code>");
		html_text(out, lines[i]);
		buf_puts(out, "</code></li>\n");
	}
	buf_puts(out, "</ul>\n<p><a href=\"");
	html_attr(out, view->root);
	buf_puts(out, "me\">");
	console_say(out, view->words, CONSOLE_DONE, NULL);
	buf_puts(out, "</a></p>\n");
	console_end(out);
}
