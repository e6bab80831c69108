/*
 * The common parts of all screens of the console (contract section 15): the session, the tokens of
 * forms, the headers of responses, and problems as HTML. Like the API, a screen reads by
 * service/resource/ and writes by the operations of service/, and adds no rule.
 */
#ifndef APP_CONSOLE_CONSOLE_H
#define APP_CONSOLE_CONSOLE_H

#include "access/passkey.h"
#include "app/exchange.h"
#include "domain/account/user.h"
#include "service/single_sign_on.h"
#include "view/console/console_html.h"

/* The number of fields that every form has after the fields of its route. */
enum { CONSOLE_FORM_TOKENS = 6 };

/* The maximum size of a kept form (console_kept.c). */
enum { CONSOLE_KEPT_MAX_BYTES = 1 << 20 };

struct console {
	bool is_signed_in;
	struct user_session session;
	/* The person that the web server names in this request. `subject` is NULL if it names none.
	 */
	struct front_person front;
	const char *token; /* the session's cookie, even if the session is not valid; NULL: none */
	const char *csrf;  /* the token that the forms of this browser must send */
	/* The members from `has_token` to `version` describe the posted form. */
	bool has_token;	      /* the form has the right token */
	const char *form_key; /* the form's Idempotency-Key; NULL: none */
	/* "USER.ACCOUNT": the person and the account for which the form was made; NULL: none. */
	const char *made_for;
	/* The proof of identity: a typed password or code, or a passkey's response; NULL: none. */
	const char *confirm;
	const char *other; /* a maintenance window's typed recurrence rule; NULL: none */
	/* The values as typed, if they were converted for the API; NULL: not converted. */
	const struct word_value *typed;
	int64_t version;   /* the object's version when the form was made; 0: none */
	bool is_touch_due; /* the time of the session's last use must be stored */
	bool has_preview;  /* the screen has a frame for previews */
	/* The preview that this request responds with; NULL: the response is no preview. */
	struct service_preview *preview;
	const char *nonce; /* allows the preview's style and script in its policy */
};

/*
 * Admits the request to a route of the console. Call it before the body is read. Sets *is_done if
 * the response is complete, for example if it redirects to the sign-in form.
 *
 *   E_NOT_FOUND      the console is off, or the Host is not that of the console
 *   E_FORBIDDEN      another site has made this POST
 *   E_RATE_LIMITED   the user has sent too many requests
 */
enum result console_admit(struct exchange *exchange, bool *is_done) MUST_USE;
/* Returns E_NOT_FOUND for an address below /console that has no screen. Finds the session first, so
 * that a signed-in person sees the error as a screen. */
enum result console_miss(struct exchange *exchange) MUST_USE;
/* Stores the time when the session was used. Call it after the response. */
void console_after_response(struct exchange *exchange);

/* For exchange_body(): returns the fields of the route, and then the fields that every form of the
 * console has. */
struct fields console_form_fields(struct exchange *exchange, const struct fields *fields);
/* For exchange_read_form(): reads the fields that every form of the console has. */
enum result console_take_tokens(struct exchange *exchange, struct form *form) MUST_USE;
/*
 * Checks the form of a POST before its handler runs. The form must have this browser's token
 * (otherwise E_FORBIDDEN), and a proof of the person's identity if the route needs one. Sets
 * *is_done if the response is complete, for example if it shows the form again because the person
 * has signed in anew since the form was made.
 */
enum result console_take_form(struct exchange *exchange, bool *is_done) MUST_USE;
/* Returns E_FORBIDDEN. The error's text says that the form is not valid. */
enum result console_refuse_form(struct exchange *exchange) MUST_USE;
/* Whether the browser says that a page of the console has made the request. */
bool console_is_own_page(struct exchange *exchange);

/* Returns the typed values of the form as one text, which the sign-in form then keeps. Returns NULL
 * if nothing was typed, or if another site may have made the form. */
const char *console_keep(struct exchange *exchange);
/* Shows a kept form again. The person must send it again. */
enum result console_show_kept(struct exchange *exchange, const char *kept);
/* Checks the proof of identity in the form. If it is missing or wrong, asks the person for it, and
 * sets *is_done. */
enum result console_confirm(struct exchange *exchange, bool *is_done);
/* Returns the path of the request below the console, encoded as in a URL. */
const char *console_own_path(struct exchange *exchange);
/* Returns the claim of a passkey in this request, for operations. `text`: what the browser sent. */
struct passkey_claim console_claim(struct exchange *exchange, const char *text);
/* Returns the browser's User-Agent, shortened; NULL: not known. */
const char *console_agent(struct exchange *exchange);
/* Responds with the screen to sign in. */
struct console_sign_in;
void console_ask(struct exchange *exchange, int status, const struct console_sign_in *form);

/* Returns the input names and the typed values of the route's fields, to show a rejected form
 * again. The array ends with a row without a name. */
const struct word_value *console_typed(struct exchange *exchange, bool with_secrets);
/* Returns the path to which a sensitive form redirects if it is sent a second time. The first
 * response is not repeated, because it may have a secret. */
const char *console_repeated_path(struct exchange *exchange);
/* Returns a new Idempotency-Key for a form. */
const char *console_form_key(struct exchange *exchange);

struct console_view console_view(struct exchange *exchange);
/* Returns the address of a path below the console, such as console_path(exchange, "login"). */
const char *console_path(struct exchange *exchange, const char *path);
/* Sets the status and the headers of a screen. Call it after the body was rendered. */
void console_respond(struct exchange *exchange, int status);
/* Responds 303, to a path below the console. */
void console_redirect(struct exchange *exchange, const char *path);
/* Responds with an error as a screen. */
void console_respond_problem(struct exchange *exchange, enum result result);

/* Sets exchange->console->front to the person that the web server names in the request. */
void console_find_front(struct exchange *exchange);
/* Whether the session is valid in this request. A session that began by single sign-on is valid
 * only if the web server names its person in the request. */
bool console_is_of_front(const struct console *console);
/* Returns the name that the web server sends for the signed-in person; NULL: the web server sends
 * no name. */
const char *console_front_name(const struct exchange *exchange);
struct begun_session;
/* Sets the members of a new session that depend on the request. */
void console_prepare(struct exchange *exchange, struct begun_session *begun);
/* Responds after the sign-in with the kept form. If `kept` is NULL, shows the first screen. */
enum result console_enter(struct exchange *exchange, const char *token, const char *kept);
/* Sets the cookie of a new session; "" ends the session. */
void console_set_session(struct exchange *exchange, const char *token);

/* An attempt with a password or a code. */
struct console_try {
	struct console_sign_in form; /* the form that is shown again if the attempt is rejected */
	enum console_sentence wrong; /* the sentence for a wrong password or code */
	/* The name under which attempts are counted per address: the user's name, or a name for the
	 * user's codes, for passkeys or for the setup. */
	const char *name;
	/* The name under which attempts with codes are counted for all addresses together. NULL:
	 * not counted. */
	const char *code_of;
};
typedef enum result console_check(struct exchange *exchange, void *input);
/*
 * Runs `check` on the typed text. Limits attempts per address and name, and per address. Attempts
 * from one address cannot lock out a person at another address.
 *
 * Sets try->form.problem if the text was wrong, if there were too many attempts, or if memory is
 * short. If the problem is not set, OK means that the text was right.
 */
enum result console_try_secret(struct exchange *exchange, struct console_try *try,
			       console_check *check, void *input) MUST_USE;
/* Returns the status of a rejected attempt. */
int console_try_status(enum result result);

/* The flags and texts of the fields for a new password, and for its repetition. */
#define CONSOLE_NEW_PASSWORD_ROW \
	.flags = FIELD_EXACT | FIELD_SECRET, .max_bytes = USER_PASSWORD_MAX, \
	.label = "New password, at least 10 characters", .autofill = "new-password"
#define CONSOLE_AGAIN_ROW \
	.flags = FIELD_EXACT | FIELD_SECRET, .max_bytes = USER_PASSWORD_MAX, \
	.label = "The same password again", .autofill = "new-password"

extern const struct fields console_now_fields, console_code_fields, console_people_fields,
	console_role_fields, console_reset_fields, console_account_fields, console_me_fields,
	console_password_fields, console_app_fields, console_login_fields, console_sso_fields,
	console_link_fields, console_setup_fields, console_report_fields, console_incident_fields,
	console_passkey_fields;
struct console_pending;
/* Reads the texts that a second person must approve. incident_id: only the texts of this incident;
 * 0: all texts of the account. */
enum result console_read_pending(struct exchange *exchange, int64_t incident_id,
				 struct console_pending *pending) MUST_USE;
enum result console_pending_publish(struct exchange *exchange);
enum result console_pending_decline(struct exchange *exchange);
enum result console_report_show(struct exchange *exchange);
enum result console_report(struct exchange *exchange);
enum result console_incident_show(struct exchange *exchange);
enum result console_incident_reply(struct exchange *exchange);
enum result console_incident_edit(struct exchange *exchange);
enum result console_now(struct exchange *exchange);
enum result console_health(struct exchange *exchange);
enum result console_now_take(struct exchange *exchange);
enum result console_login_show(struct exchange *exchange);
enum result console_login(struct exchange *exchange);
enum result console_code(struct exchange *exchange);
enum result console_sso(struct exchange *exchange);
enum result console_setup_show(struct exchange *exchange);
enum result console_setup(struct exchange *exchange);
enum result console_me(struct exchange *exchange);
enum result console_me_password(struct exchange *exchange);
enum result console_me_preferences(struct exchange *exchange);
enum result console_me_end_session(struct exchange *exchange);
enum result console_me_end_sessions(struct exchange *exchange);
enum result console_app_show(struct exchange *exchange);
enum result console_app_set(struct exchange *exchange);
enum result console_app_remove(struct exchange *exchange);
enum result console_codes(struct exchange *exchange);
enum result console_challenge(struct exchange *exchange);
enum result console_passkeys(struct exchange *exchange);
enum result console_passkey_add(struct exchange *exchange);
enum result console_passkey_remove(struct exchange *exchange);
enum result console_people(struct exchange *exchange);
enum result console_people_invite(struct exchange *exchange);
enum result console_people_factor(struct exchange *exchange);
enum result console_person(struct exchange *exchange);
enum result console_person_role(struct exchange *exchange);
enum result console_person_disable(struct exchange *exchange);
enum result console_person_enable(struct exchange *exchange);
enum result console_person_delete(struct exchange *exchange);
enum result console_person_reset(struct exchange *exchange);
enum result console_person_end_session(struct exchange *exchange);
enum result console_person_end_sessions(struct exchange *exchange);
enum result console_accounts(struct exchange *exchange);
enum result console_account_choose(struct exchange *exchange);
/* If the route is the route of a preview, all operations of the request only make a preview. */
void console_begin_preview(struct exchange *exchange);
/* Responds with the preview of the page. Called after the handler of the form. */
enum result console_show_preview(struct exchange *exchange) MUST_USE;
enum result console_logout(struct exchange *exchange);
enum result console_logged_out(struct exchange *exchange);
enum result console_link_show(struct exchange *exchange);
enum result console_link_use(struct exchange *exchange);
enum result console_static(struct exchange *exchange);

#endif
