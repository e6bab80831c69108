/* /console/people: the people of the account, for owners */
#include "app/console/console.h"
#include "app/handlers.h"
#include "app/input.h"
#include "app/operation.h"
#include "service/accounts.h"
#include "service/resource/resource.h"
#include "service/sessions.h"
#include "service/users.h"
#include "view/console/console_people_html.h"

/* A list of ROWS_MAX people has 20 kB with the longest names. */
enum { ROWS_MAX = 20, PAGE_MAX = 1000000 };

/* The values of the parameter `notice`. The redirect after a form has the parameter, and the next
 * screen shows its sentence. */
static const char *const notice_words[] = { "saved", "deleted", "ended", "repeated", NULL };
static const enum console_sentence notices[] = { CONSOLE_SAVED, CONSOLE_PERSON_DELETED,
						 CONSOLE_SESSION_GONE, CONSOLE_REPEATED };
struct people_query {
	int notice;
	int64_t page;
};
static const struct field query_rows[] = {
	FIELD(struct people_query, notice, .choices = notice_words),
	FIELD(struct people_query, page, .min = 1, .max = PAGE_MAX),
};
const struct fields console_people_fields = { query_rows, ARRAY_LEN(query_rows) };

static const struct field role_rows[] = {
	FIELD(struct user_change, role, .choices = user_role_words, .label = "Role",
	      .flags = FIELD_REQUIRED),
};
const struct fields console_role_fields = { role_rows, ARRAY_LEN(role_rows) };

struct reset_input {
	bool remove_2fa;
};
static const struct field reset_rows[] = {
	FIELD(struct reset_input, remove_2fa,
	      .label = "Also remove the authenticator app and the passkeys"),
};
const struct fields console_reset_fields = { reset_rows, ARRAY_LEN(reset_rows) };

static const enum console_sentence *notice_of(const struct people_query *query)
{
	return query->notice >= 0 ? &notices[query->notice] : NULL;
}

static enum result show_list(struct exchange *exchange, int status, struct console_people *people)
{
	const struct console_view view = console_view(exchange);
	struct list_query query = *(const struct list_query *)resource_users.query_defaults;
	struct resource_rows found;
	query.page = people->page;
	query.limit = ROWS_MAX;
	query.sort_by = USER_BY_NAME;
	query.is_ascending = true;
	enum result result = resource_list(&exchange->service, &resource_users, 0, &query, &found);
	if (result != OK)
		return result;
	people->rows = found.rows;
	people->count = found.count;
	people->has_more = people->page * ROWS_MAX < found.total;
	people->invite.fields = user_create_fields;
	people->invite.violations = &exchange->violations;
	people->factor.fields = account_update_fields;
	people->factor.violations = &exchange->violations;
	console_people_html(&exchange->response.body, &view, people);
	console_respond(exchange, status);
	return OK;
}

enum result console_people(struct exchange *exchange)
{
	struct people_query query = { -1, 1 };
	enum result result = exchange_query(exchange, &query);
	struct console_people people = { .page = query.page, .notice = notice_of(&query) };
	return result == OK ? show_list(exchange, 200, &people) : result;
}

/* Responds with the screen of the link. A redirect is not possible: the link is known only during
 * this request. */
static void show_link(struct exchange *exchange, const struct user_link *link)
{
	const struct console_view view = console_view(exchange);
	const char *url = users_link_url(exchange, link);
	console_once_html(&exchange->response.body, &view, CONSOLE_PERSON_LINK,
			  link->kind == USER_LINK_RECOVER ? CONSOLE_PERSON_LINK_APP
							  : CONSOLE_PERSON_LINK_TEXT,
			  "people", &url, 1);
	console_respond(exchange, 200);
}

enum result console_people_invite(struct exchange *exchange)
{
	struct user_input input = { 0 };
	struct user_link link = { .kind = USER_LINK_INVITE };
	struct field_set sent;
	enum result result = exchange_body(exchange, &input, &sent);
	if (result == OK)
		result = service_add_user(exchange_service(exchange, NULL, NULL),
					  exchange->service.principal.account_id, &input, sent,
					  &link);
	if (result == OK)
		show_link(exchange, &link);
	if (result != E_INVALID || exchange->violations.count == 0)
		return result;
	struct console_people people = { .page = 1,
					 .invite.typed = console_typed(exchange, false) };
	return show_list(exchange, 422, &people);
}

enum result console_people_factor(struct exchange *exchange)
{
	struct account_input input = { 0 };
	struct account account;
	struct field_set sent;
	enum result result = exchange_body(exchange, &input, &sent);
	if (result == OK)
		result = service_demand_factor(exchange_service(exchange, NULL, NULL),
					       exchange->service.principal.account_id,
					       input.needs_second_factor, &account);
	if (result == OK)
		console_redirect(exchange, "people?notice=saved");
	struct console_people people = { .page = 1 };
	return result == E_INVALID && exchange->violations.count > 0
		       ? show_list(exchange, 422, &people)
		       : result;
}

static enum result show_person(struct exchange *exchange, int status,
			       const enum console_sentence *notice)
{
	const struct console_view view = console_view(exchange);
	const struct resource_place place = { .id = exchange->match.id };
	struct user_session_list sessions;
	struct user user;
	enum result result = resource_find(&exchange->service, &resource_users, &place, &user);
	if (result == OK)
		result = service_list_sessions(&exchange->service, user.id, &sessions);
	if (result != OK)
		return result;
	const struct user_change change = { .role = user.role };
	const struct console_person person = {
		.user = &user,
		.role = { .fields = console_role_fields, .object = &change },
		.reset = { .fields = console_reset_fields },
		.sessions = { sessions.rows, sessions.count,
			      arena_printf(&exchange->arena, "people/%lld/sessions",
					   (long long)user.id) },
		.notice = notice,
		.problem = status == 409 ? exchange->error.client : NULL,
	};
	console_person_html(&exchange->response.body, &view, &person);
	console_respond(exchange, status);
	return OK;
}

enum result console_person(struct exchange *exchange)
{
	struct people_query query = { -1, 1 };
	enum result result = exchange_query(exchange, &query);
	return result == OK ? show_person(exchange, 200, notice_of(&query)) : result;
}

/* Responds to a change with the screen of the changed person. If the change was rejected, the
 * screen says why. */
static enum result finish(struct exchange *exchange, enum result result, const char *notice)
{
	if (result == E_CONFLICT && exchange->error.client[0])
		return show_person(exchange, 409, NULL);
	if (result == OK)
		console_redirect(exchange, arena_printf(&exchange->arena, "people/%lld?notice=%s",
							(long long)exchange->match.id, notice));
	return result;
}

static enum result change(struct exchange *exchange, const struct user_change *change,
			  enum user_change_field field)
{
	struct user user;
	enum result result = service_update_user(exchange_service(exchange, NULL, NULL),
						 exchange->match.id, change, FIELD_SET(field),
						 &user);
	return finish(exchange, result, "saved");
}

enum result console_person_role(struct exchange *exchange)
{
	struct user_change input = { 0 };
	struct field_set sent;
	enum result result = exchange_body(exchange, &input, &sent);
	return result == OK ? change(exchange, &input, USER_CHANGE_ROLE) : result;
}

enum result console_person_disable(struct exchange *exchange)
{
	return change(exchange, &(struct user_change){ .is_disabled = true }, USER_CHANGE_DISABLED);
}

enum result console_person_enable(struct exchange *exchange)
{
	return change(exchange, &(struct user_change){ 0 }, USER_CHANGE_DISABLED);
}

enum result console_person_delete(struct exchange *exchange)
{
	struct user user;
	enum result result = service_delete_user(exchange_service(exchange, NULL, NULL),
						 exchange->service.principal.account_id,
						 exchange->match.id, &user);
	if (result != OK)
		return finish(exchange, result, "");
	console_redirect(exchange, "people?notice=deleted");
	return OK;
}

enum result console_person_reset(struct exchange *exchange)
{
	struct reset_input input = { 0 };
	struct field_set sent;
	enum result result = exchange_body(exchange, &input, &sent);
	struct user_link link = { .kind = input.remove_2fa ? USER_LINK_RECOVER : USER_LINK_RESET };
	if (result == OK)
		result = service_link_user(exchange_service(exchange, NULL, NULL),
					   exchange->match.id, &link);
	if (result == OK)
		show_link(exchange, &link);
	return result == OK ? OK : finish(exchange, result, "");
}

static enum result end_sessions(struct exchange *exchange, int64_t id)
{
	const struct session_end end = { exchange->match.id, id, exchange->console->token };
	return finish(exchange, service_end_sessions(exchange_service(exchange, NULL, NULL), &end),
		      "ended");
}

enum result console_person_end_sessions(struct exchange *exchange)
{
	return end_sessions(exchange, 0);
}

enum result console_person_end_session(struct exchange *exchange)
{
	return end_sessions(exchange, exchange->match.part_id);
}
