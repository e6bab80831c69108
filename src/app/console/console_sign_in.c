/* /console/login, /console/logout, and the links of users: /console/{invite,reset,enter}/{token} */
#include <string.h>

#include "access/attempts.h"
#include "app/console/console.h"
#include "app/input.h"
#include "app/operation.h"
#include "app/rate.h"
#include "base/log.h"
#include "service/users.h"

struct login_input {
	const char *name;
	const char *password;
};
static const struct field login_rows[] = {
	FIELD(struct login_input, name, .max_chars = USER_NAME_MAX_CHARS),
	FIELD(struct login_input, password, .flags = FIELD_EXACT, .max_bytes = USER_PASSWORD_MAX),
};
const struct fields console_login_fields = { login_rows, ARRAY_LEN(login_rows) };

struct link_input {
	const char *password;
	const char *again;
};
static const struct field link_rows[] = {
	FIELD(struct link_input, password, .flags = FIELD_EXACT, .max_bytes = USER_PASSWORD_MAX),
	FIELD(struct link_input, again, .flags = FIELD_EXACT, .max_bytes = USER_PASSWORD_MAX),
};
const struct fields console_link_fields = { link_rows, ARRAY_LEN(link_rows) };

static void ask(struct exchange *exchange, int status, const struct console_sign_in *form)
{
	const struct console_view view = console_view(exchange);
	buf_clear(&exchange->response.body);
	console_sign_in_html(&exchange->response.body, &view, form);
	console_respond(exchange, status);
}

enum result console_login_show(struct exchange *exchange)
{
	ask(exchange, 200, &(struct console_sign_in){ 0 });
	return OK;
}

static void refuse_for_now(struct exchange *exchange, const struct login_input *input,
			   int64_t wait_s)
{
	struct buf text CLEANUP(buf_done) = BUF_INIT(1024);
	console_say(&text, &console_words_english, CONSOLE_TOO_MANY_TRIES,
		    WORD_VALUES({ "seconds",
				  arena_printf(&exchange->arena, "%lld", (long long)wait_s) }));
	response_header(&exchange->response, "Retry-After", "%lld", (long long)wait_s);
	ask(exchange, 429, &(struct console_sign_in){ input->name ? input->name : "", text.data });
}

static void begin(struct exchange *exchange, const struct begun_session *begun)
{
	console_set_session(exchange, begun->token);
	console_redirect(exchange, "");
}

static enum result try_sign_in(struct exchange *exchange, const struct login_input *input)
{
	struct begun_session begun = { .former = exchange->console->token };
	const struct console_view view = console_view(exchange);
	enum result result = service_sign_in(exchange_service(exchange, NULL, NULL), input->name,
					     input->password, &begun);
	const struct console_sign_in form = {
		.name = input->name ? input->name : "",
		.problem = console_text(&view, result == E_BUSY ? CONSOLE_TOO_BUSY
								: CONSOLE_WRONG_PASSWORD),
	};
	if (result == OK)
		begin(exchange, &begun);
	else if (result == E_UNAUTHENTICATED || result == E_BUSY)
		ask(exchange, result == E_BUSY ? 503 : 403, &form);
	return result;
}

/* An attempt is counted for the name at this address, and for the address: nobody can lock another
 * person out. */
enum result console_login(struct exchange *exchange)
{
	struct login_input input = { 0 };
	struct field_set sent;
	int64_t wait_s = 1;
	enum result result = exchange_body(exchange, &input, &sent);
	if (result != OK)
		return result;
	struct throttle *throttle = rate_throttle(exchange);
	const struct attempt attempt = attempt_of_user(input.name, exchange->request.client,
						       exchange->config->wrong_passwords_per_minute,
						       exchange->now, &exchange->arena);
	enum result counted = throttle ? attempt_count(&attempt, throttle, &wait_s) : OK;
	if (counted == E_FAILED)
		rate_fail(exchange);
	if (counted == E_RATE_LIMITED) {
		refuse_for_now(exchange, &input, wait_s);
		return OK;
	}
	result = try_sign_in(exchange, &input);
	throttle = rate_throttle(exchange);
	if (result == E_UNAUTHENTICATED)
		log_warn("console", "request %s: sign-in refused: %s", exchange->request.id,
			 exchange->error.log);
	else if (throttle)
		attempt_take_back(&attempt, throttle);
	return exchange->response.status != 0 ? OK : result;
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
	console_redirect(exchange, "login");
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

static enum result show_link(struct exchange *exchange, int status, const char *problem)
{
	struct console_view view = console_view(exchange);
	struct console_link link = { .problem = problem };
	struct user user;
	const char *const *params = exchange->match.params;
	if (!find_kind(params[0], &link.kind))
		return E_NOT_FOUND;
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
	return show_link(exchange, 200, NULL);
}

enum result console_link_use(struct exchange *exchange)
{
	struct link_input input = { 0 };
	struct link_use use = { .token = exchange->match.params[1] };
	struct begun_session begun = { .former = exchange->console->token };
	struct field_set sent;
	if (!find_kind(exchange->match.params[0], &use.kind))
		return E_NOT_FOUND;
	enum result result = exchange_body(exchange, &input, &sent);
	if (result != OK)
		return result;
	use.password = input.password;
	use.again = input.again;
	result = service_use_link(exchange_service(exchange, NULL, NULL), &use, &begun);
	if (result == E_INVALID)
		return show_link(exchange, 422, exchange->violations.first->message);
	if (result == E_NOT_FOUND) {
		show_dead(exchange);
		return OK;
	}
	if (result == OK)
		begin(exchange, &begun);
	return result;
}
