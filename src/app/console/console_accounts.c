/* /console/accounts: a person with several accounts changes to another account */
#include "app/console/console.h"
#include "app/input.h"
#include "app/operation.h"
#include "service/sign_in.h"
#include "view/console/console_people_html.h"

static const struct field account_rows[] = {
	FIELD_NAMED(struct console_sign_in, kept, "kept", .flags = FIELD_EXACT,
		    .max_bytes = CONSOLE_KEPT_MAX_BYTES),
};
const struct fields console_account_fields = { account_rows, ARRAY_LEN(account_rows) };

enum result console_accounts(struct exchange *exchange)
{
	const struct console_view view = console_view(exchange);
	struct user_session_list accounts;
	enum result result = user_account_list(exchange->db, exchange->console->session.user_id,
					       &exchange->arena, &accounts, &exchange->error);
	if (result != OK)
		return result;
	console_accounts_html(&exchange->response.body, &view, accounts.rows, accounts.count);
	console_respond(exchange, 200);
	return OK;
}

enum result console_account_choose(struct exchange *exchange)
{
	struct console_sign_in input = { 0 };
	struct begun_session begun = { .former = exchange->console->token,
				       .continues = &exchange->console->session };
	struct field_set sent;
	enum result result = exchange_body(exchange, &input, &sent);
	if (result == OK)
		result = service_change_account(exchange_service(exchange, NULL, NULL),
						exchange->match.id, &begun);
	if (result == E_UNAUTHENTICATED) {
		console_redirect(exchange, "login"); /* the session ended during this request */
		return OK;
	}
	return result == OK ? console_enter(exchange, begun.token, input.kept) : result;
}
