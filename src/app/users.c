#include "app/handlers.h"

#include "app/input.h"
#include "app/operation.h"
#include "app/resources.h"
#include "app/respond.h"
#include "service/sessions.h"
#include "service/users.h"
#include "wire/json.h"

/* POST /users: creates the user. Another request makes the link with which the user signs in. */
static void render_created(struct exchange *exchange, const void *outcome)
{
	const struct user_link *link = outcome;
	resources_render_created(exchange, &link->user);
}

enum result users_create(struct exchange *exchange)
{
	struct user_input input = { 0 };
	struct user_link link = { .kind = USER_LINK_INVITE, .is_unlinked = true };
	struct field_set sent;
	enum result result = exchange_body(exchange, &input, &sent);
	if (result != OK)
		return result;
	exchange_check_read_only(exchange, NULL, NULL);
	return service_add_user(exchange_service(exchange, NULL, render_created),
				exchange->service.principal.account_id, &input, sent, &link);
}

/* PUT /users/{id} */
enum result users_update(struct exchange *exchange)
{
	struct user_change change = { 0 };
	struct user user;
	struct field_set sent;
	enum result result = exchange_body(exchange, &change, &sent);
	return result == OK ? service_update_user(exchange_service(exchange, resources_admit_update,
								   resources_render),
						  exchange->match.id, &change, sent, &user)
			    : result;
}

/* DELETE /users/{id} */
enum result users_delete(struct exchange *exchange)
{
	struct user user;
	return service_delete_user(
		exchange_service(exchange, resources_admit, resources_render_deleted),
		exchange->service.principal.account_id, exchange->match.id, &user);
}

struct shown_link {
	const char *link;
	struct instant ends_at;
};
static const struct field link_rows[] = {
	FIELD(struct shown_link, link,
	      .text = "Where the person sets a password. It works once, and only this response has "
		      "it; null: the request was repeated."),
	FIELD(struct shown_link, ends_at, .flags = FIELD_NOT_EMPTY,
	      .text = "When the link becomes invalid."),
};
const struct fields user_link_fields = { link_rows, ARRAY_LEN(link_rows) };

const char *users_link_url(struct exchange *exchange, const struct user_link *link)
{
	return arena_printf(&exchange->arena, "%s/console/%s/%s",
			    config_console_base(exchange->config, exchange->request.base_url),
			    user_link_words[link->kind], link->token);
}

static struct json_object *link_tree(const struct user_link *link, const char *url)
{
	const struct shown_link shown = { url, link->ends_at };
	return json_row_tree(user_link_fields, &shown);
}

static void render_link(struct exchange *exchange, const void *outcome)
{
	const struct user_link *link = outcome;
	exchange_respond_secret(exchange, 200, link_tree(link, NULL),
				link_tree(link, users_link_url(exchange, link)));
}

/* POST /users/{id}/reset */
enum result users_reset(struct exchange *exchange)
{
	struct user_link link = { .kind = USER_LINK_RESET };
	return service_link_user(exchange_service(exchange, NULL, render_link), exchange->match.id,
				 &link);
}

static void render_ended(struct exchange *exchange, const void *outcome)
{
	(void)outcome;
	resources_respond_deleted(exchange, exchange->match.part_id, NULL, 0);
}

/* DELETE /users/{id}/sessions/{session_id} */
enum result user_sessions_delete(struct exchange *exchange)
{
	const struct session_end end = { exchange->match.id, exchange->match.part_id, NULL };
	return service_end_sessions(exchange_service(exchange, NULL, render_ended), &end);
}
