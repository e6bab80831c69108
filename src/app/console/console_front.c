/* Single sign-on: the web server (the "front") authenticates the person, and names the person in
 * each request. The sign-out also leads to the web server's log-out. */
#include <string.h>

#include "app/console/console.h"
#include "app/input.h"
#include "app/operation.h"
#include "base/log.h"

static const char *param(struct exchange *exchange, const char *name)
{
	const char *value = exchange->gateway->param(exchange->gateway, name);
	return value && value[0] ? value : NULL;
}

/* Reads the person from variables of the web server. Clients cannot set these variables: a client's
 * headers become HTTP_…. REMOTE_USER is not used, because nginx sets it from an Authorization
 * header without checking the password. */
void console_find_front(struct exchange *exchange)
{
	const char *subject = param(exchange, "DAYMARK_USER");
	const char *email = param(exchange, "DAYMARK_EMAIL");
	if (!exchange->config->has_sso || !subject)
		return;
	if (!front_subject_is_valid(subject)) {
		log_warn("console", "request %s: DAYMARK_USER is no valid identity",
			 exchange->request.id);
		return;
	}
	exchange->console->front = (struct front_person){
		.subject = subject,
		.email = email && str_is_text(str_from(email)) ? email : NULL,
		.groups = param(exchange, "DAYMARK_GROUPS"),
	};
}

/* A session by single sign-on is valid only while the web server names its person. */
bool console_is_of_front(const struct console *console)
{
	const char *subject = console->session.sso_subject, *present = console->front.subject;
	return !subject || (present && strcmp(subject, present) == 0);
}

const char *console_front_name(const struct exchange *exchange)
{
	const struct front_person *front = &exchange->console->front;
	return front->email ? front->email : front->subject;
}

struct sso_input {
	const char *kept;
};
static const struct field sso_rows[] = {
	FIELD(struct sso_input, kept, .flags = FIELD_EXACT, .max_bytes = CONSOLE_KEPT_MAX_BYTES),
};
const struct fields console_sso_fields = { sso_rows, ARRAY_LEN(sso_rows) };

/*
 * POST /console/login/sso: the button "Continue as NAME". Only a POST begins a session, although
 * the web server names the person in each request. If a GET began it, another site could sign the
 * person in by a link, and each visit of the screen would begin a new session.
 */
enum result console_sso(struct exchange *exchange)
{
	const struct console_view view = console_view(exchange);
	struct sso_input input = { 0 };
	struct console_sign_in form = { 0 };
	struct begun_session begun = { 0 };
	struct field_set sent;
	const struct front_person *front = &exchange->console->front;
	enum result result = exchange_body(exchange, &input, &sent);
	if (result != OK)
		return result;
	console_prepare(exchange, &begun);
	form.kept = input.kept;
	result = front->subject ? service_sign_in_by_front(exchange_service(exchange, NULL, NULL),
							   front, &begun)
				: error_log(&exchange->error, E_UNAUTHENTICATED,
					    "the web server names nobody");
	if (result == E_UNAUTHENTICATED) {
		log_warn("console", "request %s: sign-in refused: %s", exchange->request.id,
			 exchange->error.log);
		form.problem = front->subject
				       ? arena_printf(&exchange->arena, "%s %s",
						      console_text(&view, CONSOLE_UNKNOWN_PERSON),
						      front->subject)
				       : console_text(&view, CONSOLE_NOBODY);
		console_ask(exchange, 403, &form);
		return OK;
	}
	return result == OK ? console_enter(exchange, begun.token, input.kept) : result;
}

enum result console_logout(struct exchange *exchange)
{
	struct field_set sent;
	int nothing = 0;
	enum result result = exchange_body(exchange, &nothing, &sent);
	if (result == OK)
		result = service_sign_out(exchange_service(exchange, NULL, NULL),
					  exchange->console->token);
	if (result != OK)
		return result;
	console_set_session(exchange, "");
	bool leads_on = exchange->console->session.sso_subject && exchange->config->sso_logout_url;
	console_redirect(exchange, leads_on ? "logout" : "login");
	return OK;
}

/* GET /console/logout: links to the log-out of the web server's authentication. The log-out form
 * cannot redirect there, because the console's Content-Security-Policy limits form targets. */
enum result console_logged_out(struct exchange *exchange)
{
	const struct console_view view = console_view(exchange);
	const char *url = exchange->config->sso_logout_url;
	if (!url)
		return E_NOT_FOUND;
	console_logged_out_html(&exchange->response.body, &view, url);
	console_respond(exchange, 200);
	response_header(&exchange->response, "Refresh", "0; url=%s", url);
	return OK;
}
