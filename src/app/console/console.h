/*
 * What all screens of the console share (contract section 15): the session, the tokens of forms,
 * the headers of responses, and problems as HTML. A screen reads by service/resource/ and writes by
 * the operations of service/, as the API does, and adds no rule.
 */
#ifndef APP_CONSOLE_CONSOLE_H
#define APP_CONSOLE_CONSOLE_H

#include "app/exchange.h"
#include "domain/user.h"
#include "view/console/console_html.h"

/* Each form has so many fields after those of its route. */
enum { CONSOLE_FORM_TOKENS = 3 };

struct console {
	bool is_signed_in;
	struct user_session session;
	const char
		*token; /* the session's cookie, whether the session is valid or not; NULL: none */
	const char *csrf;  /* that the forms of this browser must send */
	int64_t version;   /* of the object that the form was made for; 0: none */
	bool is_touch_due; /* the session's time of use must be stored */
};

/*
 * Admits the request to a route of the console, before anything else is read: the console is on,
 * the host is the installation's own, the user has a session if the route needs one, and a POST
 * comes from a page of the console. *is_done: the response is complete, such as a redirect to the
 * sign-in. E_NOT_FOUND; E_FORBIDDEN: from another site; E_RATE_LIMITED.
 */
enum result console_admit(struct exchange *exchange, bool *is_done) MUST_USE;
/* Stores the use of the session, after the response. */
void console_after_response(struct exchange *exchange);

/* For exchange_body(): adds the fields of every form of the console to those of the route. */
struct fields console_form_fields(struct exchange *exchange, const struct fields *fields);
/* For exchange_body(), when the body is read. E_FORBIDDEN: the form lacks the token of this
 * browser.
 */
enum result console_check_form(struct exchange *exchange, struct form *form) MUST_USE;

/* The values of the route's fields as they were typed, for a form that was refused; NULL: not sent.
 */
const char *const *console_typed(struct exchange *exchange);
/* A new Idempotency-Key for a form. */
const char *console_form_key(struct exchange *exchange);

struct console_view console_view(struct exchange *exchange);
/* The path below the console: console_path(exchange, "login"). */
const char *console_path(struct exchange *exchange, const char *path);
/* Sets the status and the headers of a screen; the body is rendered already. */
void console_respond(struct exchange *exchange, int status);
/* 303 to a path below the console. */
void console_redirect(struct exchange *exchange, const char *path);
/* Responds with an error as a screen. */
void console_respond_problem(struct exchange *exchange, enum result result);

/* Sets the cookie of the session that has begun; "" ends it. */
void console_set_session(struct exchange *exchange, const char *token);

extern const struct fields console_now_fields, console_login_fields, console_link_fields,
	console_report_fields, console_incident_fields;
enum result console_report_show(struct exchange *exchange);
enum result console_report(struct exchange *exchange);
enum result console_incident_show(struct exchange *exchange);
enum result console_incident_reply(struct exchange *exchange);
enum result console_incident_edit(struct exchange *exchange);
enum result console_now(struct exchange *exchange);
enum result console_now_reply(struct exchange *exchange);
enum result console_now_take(struct exchange *exchange);
enum result console_login_show(struct exchange *exchange);
enum result console_login(struct exchange *exchange);
enum result console_logout(struct exchange *exchange);
enum result console_link_show(struct exchange *exchange);
enum result console_link_use(struct exchange *exchange);
enum result console_static(struct exchange *exchange);

#endif
