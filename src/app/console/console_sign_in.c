/* /console/login with its second step, the proof of identity before sensitive changes, and the
 * links of users: /console/{invite,reset,enter,recover}/{token} */
#include <string.h>

#include "access/attempts.h"
#include "app/console/console.h"
#include "app/input.h"
#include "app/operation.h"
#include "app/rate.h"
#include "base/log.h"
#include "access/totp.h"
#include "service/sessions.h"
#include "view/console/console_people_html.h"

/* The maximum size of the hidden field in the form for the code. The field proves that the password
 * was right. */
enum { STEP_MAX_BYTES = 128 };

struct login_input {
	const char *name;
	const char *password;
	const char *kept;
	const char *passkey;
};
static const struct field login_rows[] = {
	FIELD(struct login_input, name, .max_chars = USER_NAME_MAX_CHARS, .label = "Name",
	      .autofill = "username", .flags = FIELD_NOT_EMPTY),
	FIELD(struct login_input, password, .flags = FIELD_EXACT | FIELD_SECRET,
	      .max_bytes = USER_PASSWORD_MAX, .label = "Password", .autofill = "current-password"),
	FIELD(struct login_input, kept, .flags = FIELD_EXACT, .max_bytes = CONSOLE_KEPT_MAX_BYTES),
	FIELD(struct login_input, passkey, .max_bytes = PASSKEY_TEXT_MAX),
};
const struct fields console_login_fields = { login_rows, ARRAY_LEN(login_rows) };

struct code_input {
	const char *code;
	const char *step;
	const char *kept;
};
static const struct field code_rows[] = {
	FIELD(struct code_input, code, .flags = FIELD_SECRET, .max_chars = 64,
	      .label = "Code of your app, or a recovery code", .autofill = "one-time-code"),
	FIELD(struct code_input, step, .max_bytes = STEP_MAX_BYTES),
	FIELD(struct code_input, kept, .flags = FIELD_EXACT, .max_bytes = CONSOLE_KEPT_MAX_BYTES),
};
const struct fields console_code_fields = { code_rows, ARRAY_LEN(code_rows) };

struct link_input {
	const char *password;
	const char *again;
};
static const struct field link_rows[] = {
	FIELD(struct link_input, password, CONSOLE_NEW_PASSWORD_ROW),
	FIELD(struct link_input, again, CONSOLE_AGAIN_ROW),
};
const struct fields console_link_fields = { link_rows, ARRAY_LEN(link_rows) };

void console_ask(struct exchange *exchange, int status, const struct console_sign_in *asked)
{
	const struct console_view view = console_view(exchange);
	struct console_sign_in filled = *asked, *form = &filled;
	form->front = form->step ? NULL : console_front_name(exchange);
	form->has_passwords = exchange->config->has_passwords;
	const struct console_inputs inputs = {
		.fields = form->step ? console_code_fields : console_login_fields,
		.typed = form->name ? WORD_VALUES({ "name", form->name }) : NULL,
		.problem = form->problem,
		.focus = form->name ? "password" : (form->step ? "code" : "name"),
	};
	buf_clear(&exchange->response.body);
	console_sign_in_html(&exchange->response.body, &view, form, &inputs);
	console_respond(exchange, status);
}

enum result console_login_show(struct exchange *exchange)
{
	console_ask(exchange, 200, &(struct console_sign_in){ 0 });
	return OK;
}

/* The limit of attempts with a user's codes, for all addresses together: 30 per hour. It stops an
 * attacker with many addresses. Only a person who knows the password can use it up. Recovery codes
 * do not count. */
static const struct throttle_rule codes_of_user = { 30, 3600 };

static void refuse_for_now(struct exchange *exchange, struct console_try *try, int64_t wait_s)
{
	struct buf text CLEANUP(buf_done) = BUF_INIT(1024);
	console_say(&text, console_view(exchange).words,
		    try->code_of ? CONSOLE_TOO_MANY_CODES : CONSOLE_TOO_MANY_TRIES,
		    WORD_VALUES({ "seconds",
				  arena_printf(&exchange->arena, "%lld", (long long)wait_s) }));
	response_header(&exchange->response, "Retry-After", "%lld", (long long)wait_s);
	try->form.problem = arena_strdup(&exchange->arena, text.data);
}

static enum result count_try(struct exchange *exchange, const struct console_try *try,
			     const struct attempt *attempt, int64_t *wait_s)
{
	struct throttle *throttle = rate_throttle(exchange);
	struct throttle_count count = { 0 };
	enum result counted = throttle ? attempt_count(attempt, throttle, wait_s) : OK;
	if (counted == OK && throttle && try->code_of &&
	    !throttle_take(throttle, try->code_of, &codes_of_user, exchange->now.s, &count))
		counted = E_FAILED;
	if (counted == E_FAILED)
		rate_fail(exchange);
	if (counted != E_RATE_LIMITED && count.is_over) {
		*wait_s = count.wait_s;
		return E_RATE_LIMITED;
	}
	return counted;
}

enum result console_try_secret(struct exchange *exchange, struct console_try *try,
			       console_check *check, void *input)
{
	const struct console_view view = console_view(exchange);
	const struct attempt attempt = attempt_of_user(try->name, exchange->request.client,
						       exchange->config->wrong_passwords_per_minute,
						       exchange->now, &exchange->arena);
	int64_t wait_s = 1;
	if (count_try(exchange, try, &attempt, &wait_s) == E_RATE_LIMITED) {
		refuse_for_now(exchange, try, wait_s);
		return E_RATE_LIMITED;
	}
	enum result result = check(exchange, input);
	struct throttle *throttle = rate_throttle(exchange);
	if (result == E_UNAUTHENTICATED) {
		log_warn("console", "request %s: sign-in refused: %s", exchange->request.id,
			 exchange->error.log);
	} else if (throttle) {
		attempt_take_back(&attempt, throttle);
		if (try->code_of)
			throttle_give_back(throttle, try->code_of, exchange->now.s);
	}
	if (result == E_UNAUTHENTICATED || result == E_BUSY)
		try->form.problem =
			console_text(&view, result == E_BUSY ? CONSOLE_TOO_BUSY : try->wrong);
	return result;
}

int console_try_status(enum result result)
{
	return result == E_BUSY ? 503 : result == E_RATE_LIMITED ? 429 : 403;
}

/* The data of a sign-in: first the password is checked, and then the code. */
struct signing_in {
	struct begun_session begun;
	const struct login_input *login;
	const char *code;
};

void console_prepare(struct exchange *exchange, struct begun_session *begun)
{
	begun->former = exchange->console->token;
	begun->browser = exchange->console->csrf;
	begun->agent = console_agent(exchange);
}

static enum result check_password(struct exchange *exchange, void *input)
{
	struct signing_in *signing = input;
	return service_sign_in(exchange_service(exchange, NULL, NULL), signing->login->name,
			       signing->login->password, &signing->begun);
}

static enum result check_passkey(struct exchange *exchange, void *input)
{
	struct signing_in *signing = input;
	struct passkey_claim claim = console_claim(exchange, signing->login->passkey);
	return service_sign_in_by_passkey(exchange_service(exchange, NULL, NULL), &claim,
					  &signing->begun);
}

/* Responds with the form for the code. If no code is needed, responds with the first screen. */
static enum result enter(struct exchange *exchange, const struct begun_session *begun,
			 const char *kept)
{
	if (!begun->step)
		return console_enter(exchange, begun->token, kept);
	console_ask(exchange, 200, &(struct console_sign_in){ .step = begun->step, .kept = kept });
	return OK;
}

enum result console_login(struct exchange *exchange)
{
	struct login_input input = { 0 };
	struct signing_in signing = { .login = &input };
	struct console_try try = { .wrong = CONSOLE_WRONG_PASSWORD };
	struct field_set sent;
	if (!exchange->config->has_passwords)
		return E_NOT_FOUND;
	enum result result = exchange_body(exchange, &input, &sent);
	if (result != OK)
		return result;
	console_prepare(exchange, &signing.begun);
	try.name = input.name;
	try.form.name = input.name ? input.name : "";
	try.form.kept = input.kept;
	if (input.passkey) {
		try.name = "a passkey";
		try.wrong = CONSOLE_WRONG_PASSKEY;
	}
	result = console_try_secret(exchange, &try, input.passkey ? check_passkey : check_password,
				    &signing);
	if (try.form.problem) {
		console_ask(exchange, console_try_status(result), &try.form);
		return OK;
	}
	return result == OK ? enter(exchange, &signing.begun, input.kept) : result;
}

static enum result check_code(struct exchange *exchange, void *input)
{
	struct signing_in *signing = input;
	return service_sign_in_by_code(exchange_service(exchange, NULL, NULL), signing->code,
				       &signing->begun);
}

static const char *codes_of(struct exchange *exchange, int64_t user_id, const char *code)
{
	return totp_is_code(totp_tidy(code, &exchange->arena))
		       ? arena_printf(&exchange->arena, "codes of user %lld", (long long)user_id)
		       : NULL;
}

/* POST /console/login/code */
enum result console_code(struct exchange *exchange)
{
	struct code_input input = { 0 };
	struct signing_in signing = { 0 };
	struct console_try try = { .wrong = CONSOLE_WRONG_CODE };
	struct field_set sent;
	enum result result = exchange_body(exchange, &input, &sent);
	if (result != OK)
		return result;
	console_prepare(exchange, &signing.begun);
	try.form.kept = input.kept;
	result = service_find_step(exchange_service(exchange, NULL, NULL), input.step,
				   &signing.begun);
	if (result == E_NOT_FOUND) {
		const struct console_view view = console_view(exchange);
		try.form.problem = console_text(&view, CONSOLE_STEP_TOO_OLD);
		console_ask(exchange, 403, &try.form);
		return OK;
	}
	if (result != OK)
		return result;
	try.form.step = input.step;
	try.name = arena_printf(&exchange->arena, "code of %s", signing.begun.user.name);
	try.code_of = codes_of(exchange, signing.begun.user.id, input.code);
	signing.code = input.code;
	result = console_try_secret(exchange, &try, check_code, &signing);
	if (try.form.problem) {
		console_ask(exchange, console_try_status(result), &try.form);
		return OK;
	}
	return result == OK ? console_enter(exchange, signing.begun.token, input.kept) : result;
}

static enum result check_again(struct exchange *exchange, void *input)
{
	const struct console *console = input;
	struct passkey_claim claim = console_claim(exchange, console->confirm);
	/* Hide the Idempotency-Key from this operation: it is for the change that the person
	 * confirms. */
	struct service *service = exchange_service(exchange, NULL, NULL);
	const struct idempotency_key key = service->idempotency;
	service->idempotency = (struct idempotency_key){ 0 };
	enum result result = service_confirm(service, &console->session, console->token, &claim);
	service->idempotency = key;
	return result;
}

enum result console_confirm(struct exchange *exchange, bool *is_done)
{
	struct console *console = exchange->console;
	const struct console_view view = console_view(exchange);
	struct console_try try = { .wrong = CONSOLE_WRONG_CONFIRM,
				   .name = console->session.user_name };
	struct user user;
	enum result result = user_show(exchange->db, console->session.user_id, 0, false,
				       &exchange->arena, &user, &exchange->error);
	if (result != OK)
		return result;
	if (console->confirm) {
		try.code_of = codes_of(exchange, console->session.user_id, console->confirm);
		result = console_try_secret(exchange, &try, check_again, console);
		if (!try.form.problem)
			return result;
	}
	*is_done = true;
	bool is_by_front =
		user_is_proven_by_front(&user, &console->session, exchange->config->has_passwords);
	console_confirm_html(&exchange->response.body, &view,
			     &(struct console_confirming){
				     .path = console_own_path(exchange),
				     .sent = console_typed(exchange, true),
				     .form_key = console->form_key,
				     .version = console->version,
				     .problem = try.form.problem,
				     .front = is_by_front ? console_front_name(exchange) : NULL,
			     });
	console_respond(exchange, console_try_status(result == OK ? E_FORBIDDEN : result));
	return OK;
}

static bool find_kind(const char *word, enum user_link_kind *kind)
{
	for (int i = 0; user_link_words[i]; i++) {
		*kind = (enum user_link_kind)i;
		if (strcmp(user_link_words[i], word) == 0)
			return true;
	}
	return false;
}

static void show_dead(struct exchange *exchange)
{
	const struct console_view view = console_view(exchange);
	console_dead_link_html(&exchange->response.body, &view);
	console_respond(exchange, 404);
}

static enum result show_link(struct exchange *exchange, int status)
{
	struct console_view view = console_view(exchange);
	const struct console_inputs inputs = { .fields = console_link_fields,
					       .violations = &exchange->violations };
	struct console_link link = { .inputs = &inputs };
	struct user user;
	const char *const *params = exchange->match.params;
	if (!find_kind(params[0], &link.kind))
		return console_miss(exchange);
	enum result result = service_find_link(&exchange->service, link.kind, params[1], &user);
	if (result == E_NOT_FOUND) {
		show_dead(exchange);
		return OK;
	}
	link.path = arena_printf(&exchange->arena, "%s/%s", params[0], params[1]);
	link.name = user.name;
	if (result == OK) {
		console_link_html(&exchange->response.body, &view, &link);
		console_respond(exchange, status);
	}
	return result;
}

enum result console_link_show(struct exchange *exchange)
{
	return show_link(exchange, 200);
}

enum result console_link_use(struct exchange *exchange)
{
	struct link_input input = { 0 };
	struct link_use use = { .token = exchange->match.params[1] };
	struct begun_session begun = { 0 };
	struct field_set sent;
	console_prepare(exchange, &begun);
	if (!find_kind(exchange->match.params[0], &use.kind))
		return E_NOT_FOUND;
	enum result result = exchange_body(exchange, &input, &sent);
	if (result != OK)
		return result;
	use.password = input.password;
	use.again = input.again;
	result = service_use_link(exchange_service(exchange, NULL, NULL), &use, &begun);
	if (result == E_INVALID)
		return show_link(exchange, 422);
	if (result == E_NOT_FOUND) {
		show_dead(exchange);
		return OK;
	}
	return result == OK ? enter(exchange, &begun, NULL) : result;
}
