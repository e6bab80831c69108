/* /console/me: the password, the second factor, the passkeys and the sessions of the signed-in
 * person */
#include <string.h>

#include "access/totp.h"
#include "app/console/console.h"
#include "app/input.h"
#include "app/operation.h"
#include "app/routes.h"
#include "service/second_factor.h"
#include "service/sessions.h"
#include "view/console/console_people_html.h"
#include "view/console/qr_code.h"

/* The values of the parameter `notice`. The redirect after a form has the parameter, and the next
 * screen shows its sentence. */
static const char *const notice_words[] = { "password", "removed", "ended",
					    "repeated", "saved",   NULL };
static const enum console_sentence notices[] = { CONSOLE_PASSWORD_CHANGED, CONSOLE_FACTOR_REMOVED,
						 CONSOLE_SESSION_GONE, CONSOLE_REPEATED,
						 CONSOLE_SAVED };
struct notice_query {
	int notice;
};
static const struct field notice_rows[] = {
	FIELD(struct notice_query, notice, .choices = notice_words),
};
const struct fields console_me_fields = { notice_rows, ARRAY_LEN(notice_rows) };

struct password_input {
	const char *current;
	const char *password;
	const char *again;
};
static const struct field password_rows[] = {
	FIELD(struct password_input, current, .flags = FIELD_EXACT | FIELD_SECRET,
	      .max_bytes = USER_PASSWORD_MAX, .label = "Present password",
	      .autofill = "current-password"),
	FIELD(struct password_input, password, CONSOLE_NEW_PASSWORD_ROW),
	FIELD(struct password_input, again, CONSOLE_AGAIN_ROW),
};
const struct fields console_password_fields = { password_rows, ARRAY_LEN(password_rows) };

static const struct field app_rows[] = {
	FIELD(struct factor_input, code, .flags = FIELD_SECRET, .max_chars = 16,
	      .label = "The code that the app shows now", .autofill = "one-time-code"),
	FIELD(struct factor_input, secret, .max_chars = TOTP_SECRET_CHARS),
};
const struct fields console_app_fields = { app_rows, ARRAY_LEN(app_rows) };

static enum result show(struct exchange *exchange, int status, const enum console_sentence *notice,
			const char *problem)
{
	const struct console_view view = console_view(exchange);
	struct user_session_list sessions;
	struct user user;
	int64_t id = exchange->console->session.user_id;
	enum result result =
		user_show(exchange->db, id, 0, false, &exchange->arena, &user, &exchange->error);
	if (result == OK)
		result = service_list_sessions(&exchange->service, id, &sessions);
	if (result != OK)
		return result;
	const struct console_me me = {
		.user = &user,
		.recovery_count = recovery_count(user.recovery_hashes),
		.has_passwords = exchange->config->has_passwords,
		.password = { .fields = console_password_fields,
			      .violations = &exchange->violations,
			      .problem = problem },
		.preferences = { .fields = user_preference_fields,
				 .object = &exchange->console->session.preferences,
				 .typed = exchange->route->fields == &user_preference_fields
						  ? console_typed(exchange, false)
						  : NULL,
				 .violations = &exchange->violations },
		.sessions = { sessions.rows, sessions.count, "me/sessions" },
		.notice = notice,
	};
	buf_clear(&exchange->response.body);
	console_me_html(&exchange->response.body, &view, &me);
	console_respond(exchange, status);
	return OK;
}

enum result console_me(struct exchange *exchange)
{
	struct notice_query query = { -1 };
	enum result result = exchange_query(exchange, &query);
	return result == OK ? show(exchange, 200, query.notice >= 0 ? &notices[query.notice] : NULL,
				   NULL)
			    : result;
}

/* Changes the password. The person must type the present password. Attempts are limited as at the
 * sign-in. */
static enum result change_password(struct exchange *exchange, void *context)
{
	return service_change_password(exchange_service(exchange, NULL, NULL), context);
}

/* Replaces the session's token, because a stranger may have the former token. */
static enum result renew_session(struct exchange *exchange)
{
	struct user_session session = exchange->console->session;
	struct begun_session begun = { .former = exchange->console->token, .continues = &session };
	if (session.totp_at.s == 0)
		session.confirmed_at = exchange->now;
	enum result result = service_change_account(exchange_service(exchange, NULL, NULL),
						    session.account_id, &begun);
	if (result == OK)
		console_set_session(exchange, begun.token);
	return result;
}

enum result console_me_password(struct exchange *exchange)
{
	struct password_input input = { 0 };
	struct password_change change = { .token = exchange->console->token };
	struct console_try try = { .wrong = CONSOLE_WRONG_CONFIRM,
				   .name = exchange->console->session.user_name };
	struct field_set sent;
	if (!exchange->config->has_passwords)
		return E_NOT_FOUND;
	enum result result = exchange_body(exchange, &input, &sent);
	if (result != OK)
		return result;
	change.current = input.current;
	change.chosen.password = input.password;
	change.chosen.again = input.again;
	change.is_fresh = user_session_is_fresh(&exchange->console->session, exchange->now);
	result = console_try_secret(exchange, &try, change_password, &change);
	if (try.form.problem || result == E_INVALID)
		return show(exchange, result == E_INVALID ? 422 : console_try_status(result), NULL,
			    try.form.problem);
	if (result == OK)
		result = renew_session(exchange);
	if (result == E_UNAUTHENTICATED) {
		console_redirect(exchange, "login"); /* the session ended during this request */
		return OK;
	}
	if (result == OK)
		console_redirect(exchange, "me?notice=password");
	return result;
}

enum result console_me_preferences(struct exchange *exchange)
{
	struct user_preferences preferences = exchange->console->session.preferences;
	struct field_set sent;
	enum result result = exchange_body(exchange, &preferences, &sent);
	if (result == OK)
		result = service_set_preferences(exchange_service(exchange, NULL, NULL),
						 &preferences);
	if (result == OK)
		console_redirect(exchange, "me?notice=saved");
	return result == E_INVALID ? show(exchange, 422, NULL, NULL) : result;
}

static enum result end_sessions(struct exchange *exchange, int64_t id)
{
	const struct session_end end = { exchange->console->session.user_id, id,
					 exchange->console->token };
	enum result result = service_end_sessions(exchange_service(exchange, NULL, NULL), &end);
	if (result == OK)
		console_redirect(exchange, "me?notice=ended");
	return result;
}

enum result console_me_end_session(struct exchange *exchange)
{
	return end_sessions(exchange, exchange->match.id);
}

enum result console_me_end_sessions(struct exchange *exchange)
{
	return end_sessions(exchange, 0);
}

static enum result show_app(struct exchange *exchange, int status, const char *secret)
{
	const struct console_view view = console_view(exchange);
	struct buf image CLEANUP(buf_done) = BUF_INIT(64 << 10);
	const char *address = totp_address(
		secret, arena_printf(&exchange->arena, "Daymark %s", exchange->request.host),
		exchange->console->session.user_name, &exchange->arena);
	enum result result = qr_code_svg(&image, address, address, &exchange->error);
	if (result != OK)
		return result;
	const struct console_app app = {
		.secret = secret,
		.qr_code = image.data,
		.inputs = { .fields = console_app_fields, .violations = &exchange->violations },
	};
	buf_clear(&exchange->response.body);
	console_app_html(&exchange->response.body, &view, &app);
	console_respond(exchange, status);
	return OK;
}

enum result console_app_show(struct exchange *exchange)
{
	const char *secret;
	enum result result = totp_make_secret(&exchange->arena, &secret, &exchange->error);
	return result == OK ? show_app(exchange, 200, secret) : result;
}

/* Responds with the screen of the codes. A redirect is not possible: the codes are known only
 * during this request. */
static void show_codes(struct exchange *exchange, const struct recovery_codes *codes)
{
	const struct console_view view = console_view(exchange);
	console_once_html(&exchange->response.body, &view, CONSOLE_CODES, CONSOLE_CODES_TEXT, "me",
			  codes->codes, RECOVERY_CODES);
	console_respond(exchange, 200);
}

enum result console_app_set(struct exchange *exchange)
{
	struct factor_input input = { 0 };
	struct recovery_codes codes;
	struct field_set sent;
	enum result result = exchange_body(exchange, &input, &sent);
	if (result == OK)
		result = service_set_factor(exchange_service(exchange, NULL, NULL), &input,
					    exchange->console->token, &codes);
	if (result == E_INVALID && totp_is_secret(input.secret))
		return show_app(exchange, 422, input.secret);
	if (result == OK)
		show_codes(exchange, &codes);
	return result;
}

enum result console_codes(struct exchange *exchange)
{
	struct recovery_codes codes;
	enum result result = service_renew_recovery(exchange_service(exchange, NULL, NULL), &codes);
	if (result == OK)
		show_codes(exchange, &codes);
	return result;
}

enum result console_app_remove(struct exchange *exchange)
{
	enum result result = service_remove_factor(exchange_service(exchange, NULL, NULL));
	if (result == OK)
		console_redirect(exchange, "me?notice=removed");
	return result;
}

struct passkey_input {
	const char *name;
	const char *passkey;
};
static const struct field passkey_rows[] = {
	FIELD(struct passkey_input, name, .max_chars = USER_NAME_MAX_CHARS,
	      .label = "Name of the new passkey, such as the device"),
	FIELD(struct passkey_input, passkey, .max_bytes = PASSKEY_TEXT_MAX),
};
const struct fields console_passkey_fields = { passkey_rows, ARRAY_LEN(passkey_rows) };

/* GET /console/login/challenge and /console/me/challenge */
enum result console_challenge(struct exchange *exchange)
{
	struct passkey_claim claim = console_claim(exchange, NULL);
	enum result result = service_read_key(&exchange->service, &claim.key);
	if (result != OK)
		return result;
	buf_puts(&exchange->response.body, passkey_challenge(&claim, clock_now_us()));
	console_respond(exchange, 200);
	exchange->response.content_type = "text/plain; charset=utf-8";
	return OK;
}

static enum result show_passkeys(struct exchange *exchange, int status)
{
	const struct console_view view = console_view(exchange);
	const struct violation *first = exchange->violations.first;
	const struct console_inputs inputs = {
		.fields = console_passkey_fields,
		.typed = exchange->form ? console_typed(exchange, false) : NULL,
		.violations = &exchange->violations,
		.problem = first && strcmp(first->field, "passkey") == 0 ? first->message : NULL,
	};
	struct db_list list;
	enum result result = user_passkey_list(exchange->db, exchange->console->session.user_id,
					       &exchange->arena, &list, &exchange->error);
	if (result != OK)
		return result;
	buf_clear(&exchange->response.body);
	console_passkeys_html(&exchange->response.body, &view, list.rows, list.count, &inputs);
	console_respond(exchange, status);
	return OK;
}

enum result console_passkeys(struct exchange *exchange)
{
	return show_passkeys(exchange, 200);
}

enum result console_passkey_add(struct exchange *exchange)
{
	struct passkey_input input = { 0 };
	struct field_set sent;
	enum result result = exchange_body(exchange, &input, &sent);
	if (result != OK)
		return result;
	struct passkey_claim claim = console_claim(exchange, input.passkey ? input.passkey : "");
	result = service_add_passkey(exchange_service(exchange, NULL, NULL), input.name, &claim);
	if (result == OK)
		console_redirect(exchange, "me/passkeys");
	return result == E_INVALID ? show_passkeys(exchange, 422) : result;
}

enum result console_passkey_remove(struct exchange *exchange)
{
	enum result result =
		service_remove_passkey(exchange_service(exchange, NULL, NULL), exchange->match.id);
	if (result == OK)
		console_redirect(exchange, "me/passkeys");
	return result;
}
