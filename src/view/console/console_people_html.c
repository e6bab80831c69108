#include "view/console/console_people_html.h"

#include "domain/account/account.h"
#include "view/html.h"

void console_kept_html(struct buf *out, const struct console_view *view,
		       const struct console_kept *kept)
{
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
					 .version = kept->version,
					 .button = CONSOLE_SEND,
				 });
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
	if (row->began > 0)
		console_element(out, view, "p",
				CONSOLE_BY_PASSWORD_ALONE - USER_BY_PASSWORD +
					(enum console_sentence)row->began);
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
		buf_puts(out, "<p>");
		console_link(out, view, "me/app", CONSOLE_SET_UP_APP);
		buf_puts(out, "</p>\n");
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
						 .is_once = true,
						 .is_plain = true });
	console_put_form(out, view,
			 &(struct console_form){ .path = "me/app/remove",
						 .button = CONSOLE_REMOVE_APP,
						 .is_once = true,
						 .is_plain = true });
}

void console_passkeys_html(struct buf *out, const struct console_view *view,
			   const struct user_passkey *rows, size_t count,
			   const struct console_inputs *inputs)
{
	const char *known = "";
	console_begin(out, view, console_text(view, CONSOLE_PASSKEYS));
	console_element(out, view, "p", CONSOLE_PASSKEYS_TEXT);
	for (size_t i = 0; i < count; i++) {
		const struct user_passkey *row = &rows[i];
		known = arena_printf(view->arena, "%s %s", known, row->credential_id);
		buf_puts(out, "<article class=\"row calm\">\n<h2>");
		html_text(out, row->name);
		buf_puts(out, "</h2>\n<p>");
		console_say_html(out, view->words,
				 row->used_at.s > 0 ? CONSOLE_PASSKEY_OF : CONSOLE_PASSKEY_UNUSED,
				 WORD_VALUES({ "time", time_html(view, row->created_at) },
					     { "used", time_html(view, row->used_at) }));
		buf_puts(out, "</p>\n");
		console_put_form(
			out, view,
			&(struct console_form){
				.path = arena_printf(view->arena, "me/passkeys/%lld/remove",
						     (long long)row->id),
				.button = CONSOLE_REMOVE_PASSKEY,
				.is_once = true,
				.is_plain = true,
			});
		buf_puts(out, "</article>\n");
	}
	console_form(out, view, "me/passkeys");
	console_put_form_key(out, console_key_of(view, "me/passkeys"));
	console_hidden(out, "passkey", "");
	console_inputs(out, view, inputs);
	console_passkey_button(out, view, "passkey", known);
	buf_puts(out, "</form>\n");
	console_end(out);
}

enum console_sentence console_factor_text(const struct user_session *session)
{
	return session->passkey_count > 0 ? CONSOLE_NEEDS_PASSKEY : CONSOLE_NEEDS_FACTOR;
}

void console_me_html(struct buf *out, const struct console_view *view, const struct console_me *me)
{
	console_begin(out, view, me->user->name);
	if (me->notice)
		console_element(out, view, "p class=\"done\" role=\"status\"", *me->notice);
	if (user_session_lacks_factor(view->session))
		console_element(out, view, "p class=\"problem\" role=\"alert\"",
				console_factor_text(view->session));
	put_factor(out, view, me);
	console_element(out, view, "h2", CONSOLE_PASSKEYS);
	buf_puts(out, "<p>");
	console_link(out, view, "me/passkeys", CONSOLE_MANAGE_PASSKEYS);
	buf_puts(out, "</p>\n");
	if (me->has_passwords) {
		console_element(out, view, "h2", CONSOLE_PASSWORD);
		console_put_form(out, view,
				 &(struct console_form){ .path = "me",
							 .inputs = &me->password,
							 .button = CONSOLE_CHANGE_PASSWORD });
	}
	console_element(out, view, "h2", CONSOLE_PREFERENCES);
	console_put_form(out, view,
			 &(struct console_form){ .path = "me/preferences",
						 .inputs = &me->preferences,
						 .button = CONSOLE_SAVE_PREFERENCES });
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
						 .button = CONSOLE_SET_UP_APP,
						 .is_once = true });
	console_end(out);
}

void console_once_html(struct buf *out, const struct console_view *view,
		       enum console_sentence title, enum console_sentence text, const char *next,
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
	buf_puts(out, "</ul>\n<p>");
	console_link(out, view, next, CONSOLE_DONE);
	buf_puts(out, "</p>\n");
	console_end(out);
}

static enum console_sentence state_of(const struct user *user)
{
	if (user->disabled_at.s > 0)
		return CONSOLE_DISABLED;
	if (user->sso_subject)
		return CONSOLE_HAS_SSO;
	if (!user->password_hash)
		return CONSOLE_NO_PASSWORD;
	if (user->totp_at.s > 0)
		return user->passkey_count > 0 ? CONSOLE_HAS_ALL : CONSOLE_HAS_APP;
	return user->passkey_count > 0 ? CONSOLE_HAS_PASSKEY : CONSOLE_HAS_PASSWORD;
}

static void put_facts(struct buf *out, const struct console_view *view, const struct user *user)
{
	buf_puts(out, "<p>");
	html_text(out, console_text(view, CONSOLE_READER + (enum console_sentence)user->role));
	buf_puts(out, ". ");
	console_say(out, view->words, state_of(user), NULL);
	if (!user_has_factor(user) && !user->sso_subject) {
		buf_puts(out, " <strong>");
		console_say(out, view->words, CONSOLE_LACKS_FACTOR, NULL);
		buf_puts(out, "</strong>");
	}
	if (user->email) {
		buf_puts(out, " ");
		html_text(out, user->email);
	}
	buf_puts(out, "</p>\n<p>");
	console_say_html(out, view->words,
			 user->signed_in_at.s > 0 ? CONSOLE_LAST_SIGN_IN : CONSOLE_NO_SIGN_IN,
			 WORD_VALUES({ "time", time_html(view, user->signed_in_at) }));
	buf_puts(out, "</p>\n");
}

static const char *api_url(const struct console_view *view, const char *path)
{
	return arena_printf(view->arena, "%s/api/v1/users%s", view->base_url, path);
}

static void put_demand(struct buf *out, const struct console_view *view,
		       const struct console_people *people)
{
	struct console_inputs inputs = people->factor;
	const struct account_input now = { .needs_second_factor =
						   view->session->needs_second_factor };
	inputs.object = &now;
	console_element(out, view, "h2", CONSOLE_SECOND_FACTOR);
	console_put_form(out, view,
			 &(struct console_form){ .path = "people/factor",
						 .inputs = &inputs,
						 .is_once = true,
						 .is_plain = true,
						 .button = CONSOLE_SAVE_FACTOR });
}

void console_people_html(struct buf *out, const struct console_view *view,
			 const struct console_people *people)
{
	console_begin(out, view, console_text(view, CONSOLE_PEOPLE));
	if (people->notice)
		console_element(out, view, "p class=\"done\" role=\"status\"", *people->notice);
	for (size_t i = 0; i < people->count; i++) {
		const struct user *user = &people->rows[i];
		buf_puts(out, "<article class=\"row calm\">\n<h2>");
		console_text_link(out, view,
				  arena_printf(view->arena, "people/%lld", (long long)user->id),
				  user->name);
		buf_puts(out, "</h2>\n");
		put_facts(out, view, user);
		buf_puts(out, "</article>\n");
	}
	if (people->has_more) {
		buf_puts(out, "<p>");
		console_link(
			out, view,
			arena_printf(view->arena, "people?page=%lld", (long long)people->page + 1),
			CONSOLE_MORE_PEOPLE);
		buf_puts(out, "</p>\n");
	}
	console_element(out, view, "h2", CONSOLE_INVITE);
	console_put_form(out, view,
			 &(struct console_form){ .path = "people",
						 .inputs = &people->invite,
						 .is_once = true,
						 .button = CONSOLE_INVITE });
	/* The first request invites the person, the second makes the link. */
	const struct console_call calls[] = {
		{ .method = "POST", .url = api_url(view, ""), .inputs = &people->invite },
		{ .method = "POST", .url = api_url(view, "/ID/reset") },
	};
	console_put_calls(out, view, calls, ARRAY_LEN(calls));
	put_demand(out, view, people);
	console_end(out);
}

static void put_action(struct buf *out, const struct console_view *view, const struct user *user,
		       const char *action, enum console_sentence button,
		       const struct console_inputs *inputs)
{
	console_put_form(out, view,
			 &(struct console_form){ .path = arena_printf(view->arena, "people/%lld/%s",
								      (long long)user->id, action),
						 .inputs = inputs,
						 .button = button,
						 .is_once = true,
						 .is_plain = true });
}

void console_person_html(struct buf *out, const struct console_view *view,
			 const struct console_person *person)
{
	const struct user *user = person->user;
	bool is_disabled = user->disabled_at.s > 0;
	const char *url = api_url(view, arena_printf(view->arena, "/%lld", (long long)user->id));
	const struct console_call calls[] = {
		{ .method = "POST", .url = arena_printf(view->arena, "%s/reset", url) },
		{ .method = "PUT",
		  .url = url,
		  .json = is_disabled ? "{\"disabled_at\":false}" : "{\"disabled_at\":true}" },
		{ .method = "DELETE", .url = url },
		{ .method = "DELETE", .url = arena_printf(view->arena, "%s/sessions/ID", url) },
	};
	console_begin(out, view, user->name);
	if (person->notice)
		console_element(out, view, "p class=\"done\" role=\"status\"", *person->notice);
	if (person->problem)
		console_put_english(out, view, "p class=\"problem\" role=\"alert\"",
				    person->problem);
	put_facts(out, view, user);
	console_put_form(out, view,
			 &(struct console_form){ .path = arena_printf(view->arena, "people/%lld",
								      (long long)user->id),
						 .inputs = &person->role,
						 .method = "PUT",
						 .api = url,
						 .is_once = true,
						 .button = CONSOLE_SAVE_ROLE });
	console_element(out, view, "h2", CONSOLE_ACCESS);
	console_element(out, view, "p class=\"note\"", CONSOLE_ACCESS_TEXT);
	put_action(out, view, user, "reset", CONSOLE_RESET,
		   user_has_factor(user) ? &person->reset : NULL);
	put_action(out, view, user, is_disabled ? "enable" : "disable",
		   is_disabled ? CONSOLE_ENABLE : CONSOLE_DISABLE, NULL);
	put_action(out, view, user, "delete", CONSOLE_DELETE_PERSON, NULL);
	console_put_sessions(out, view, &person->sessions);
	console_put_calls(out, view, calls, ARRAY_LEN(calls));
	console_end(out);
}

void console_accounts_html(struct buf *out, const struct console_view *view,
			   const struct user_session *rows, size_t count)
{
	console_begin(out, view, console_text(view, CONSOLE_CHANGE_ACCOUNT));
	for (size_t i = 0; i < count; i++) {
		const struct user_session *row = &rows[i];
		bool is_present = row->account_id == view->session->account_id;
		buf_puts(out, "<article class=\"row calm\">\n<h2>");
		html_text(out, row->account_name);
		buf_puts(out, "</h2>\n<p>");
		html_text(out,
			  console_text(view, CONSOLE_READER + (enum console_sentence)row->role));
		buf_puts(out, "</p>\n");
		if (is_present)
			console_element(out, view, "p", CONSOLE_PRESENT_ACCOUNT);
		else
			console_put_form(out, view,
					 &(struct console_form){
						 .path = arena_printf(view->arena, "accounts/%lld",
								      (long long)row->account_id),
						 .button = CONSOLE_WORK_HERE });
		buf_puts(out, "</article>\n");
	}
	console_end(out);
}
