/* /console/setup: an operator without a shell becomes an owner by the content of setup.token. */
#include "access/setup_token.h"
#include "app/console/console.h"
#include "app/input.h"
#include "app/operation.h"
#include "domain/account/account.h"
#include "service/setup.h"
#include "view/console/console_form_html.h"

static const struct field rows[] = {
	FIELD(struct setup_input, token, .flags = FIELD_SECRET, .max_bytes = SETUP_TOKEN_MAX,
	      .label = "Content of the file setup.token", .autofill = "off"),
	FIELD(struct setup_input, name, .max_chars = USER_NAME_MAX_CHARS, .label = "Name",
	      .flags = FIELD_REQUIRED, .autofill = "username"),
	FIELD(struct setup_input, password, CONSOLE_NEW_PASSWORD_ROW),
	FIELD(struct setup_input, again, CONSOLE_AGAIN_ROW),
	FIELD(struct setup_input, account, .max_chars = ACCOUNT_NAME_MAX_CHARS,
	      .flags = FIELD_REQUIRED,
	      .label = "Account: a new name, or the name of one that exists"),
};
const struct fields console_setup_fields = { rows, ARRAY_LEN(rows) };

/* Responds with the form. If there is no file with a token, the screen explains how to make one. */
static void show(struct exchange *exchange, int status, const char *problem)
{
	const struct console_view view = console_view(exchange);
	const struct console_inputs inputs = {
		.fields = console_setup_fields,
		.typed = exchange->form ? console_typed(exchange, false) : NULL,
		.violations = &exchange->violations,
		.problem = problem,
	};
	struct str token;
	enum result result =
		setup_token_read(exchange->config->setup_token, &exchange->arena, &token);
	buf_clear(&exchange->response.body);
	console_setup_html(&exchange->response.body, &view, result == OK ? &inputs : NULL,
			   result == E_INVALID);
	console_respond(exchange, status);
}

enum result console_setup_show(struct exchange *exchange)
{
	show(exchange, 200, NULL);
	return OK;
}

struct trying {
	const struct setup_input *input;
	struct begun_session begun;
};

static enum result set_up(struct exchange *exchange, void *context)
{
	struct trying *trying = context;
	return service_set_up(exchange_service(exchange, NULL, NULL), trying->input,
			      &trying->begun);
}

enum result console_setup(struct exchange *exchange)
{
	const struct console_view view = console_view(exchange);
	struct setup_input input = { 0 };
	struct trying trying = { .input = &input };
	struct console_try try = { .wrong = CONSOLE_SETUP_WRONG, .name = "setup.token" };
	struct field_set sent;
	enum result result = exchange_body(exchange, &input, &sent);
	console_prepare(exchange, &trying.begun);
	if (result == OK)
		result = console_try_secret(exchange, &try, set_up, &trying);
	if (result == OK)
		return console_enter(exchange, trying.begun.token, NULL);
	if (try.form.problem)
		show(exchange, console_try_status(result), try.form.problem);
	else if (result == E_INVALID && exchange->violations.count > 0)
		show(exchange, 422, NULL);
	else if (result == E_CONFLICT)
		show(exchange, 409, console_text(&view, CONSOLE_SETUP_STUCK));
	else if (result == E_NOT_FOUND)
		show(exchange, 403, NULL);
	else
		return result;
	return OK;
}
