/* Shows an API response as a screen, for example the text of a new key. Also shows the screen
 * "More". */
#include "app/console/console.h"
#include "app/console/console_screens.h"
#include "app/operation.h"
#include "app/routes.h"
#include "service/alert_channels.h"
#include "wire/json.h"
#include "wire/json_read.h"

struct members {
	struct arena *arena;
	struct word_value *rows;
	size_t count;
};
enum { MEMBERS_MAX = 64 };

static void add_member(void *context, const char *key, struct json_object *value)
{
	struct members *members = context;
	const char *text = json_text(value, members->arena);
	struct buf list CLEANUP(buf_done) = BUF_INIT(64 << 10);
	if (json_length(value) > 0) {
		json_print(&list, value);
		text = arena_strndup(members->arena, list.data, list.len);
	}
	if (text && members->count < MEMBERS_MAX)
		members->rows[members->count++] =
			(struct word_value){ arena_strdup(members->arena, key), text };
}

const struct word_value *console_members(struct exchange *exchange, struct json_object *object)
{
	struct members members = {
		.arena = &exchange->arena,
		.rows = ARENA_ARRAY(&exchange->arena, MEMBERS_MAX + 1, struct word_value),
	};
	json_each(object, add_member, &members);
	return members.rows;
}

static void respond(struct exchange *exchange, const struct console_result *result)
{
	const struct console_view view = console_view(exchange);
	buf_clear(&exchange->response.body);
	console_result_html(&exchange->response.body, &view,
			    console_list_path(exchange, exchange->route->screen), result);
	console_respond(exchange, 200);
}

void console_respond_result(struct exchange *exchange, struct json_object *data)
{
	static const enum console_sentence once = CONSOLE_RESULT_ONCE;
	const bool has_secrets = exchange->route->route.flags & ROUTE_FRESH;
	respond(exchange, &(struct console_result){ .members = console_members(exchange, data),
						    .sentence = has_secrets ? &once : NULL,
						    .has_secrets = has_secrets });
}

enum result console_channel_test(struct exchange *exchange)
{
	static const enum console_sentence sent = CONSOLE_TEST_SENT, failed = CONSOLE_TEST_FAILED;
	struct alert_test test;
	enum result result = service_test_alert_channel(exchange_service(exchange, NULL, NULL),
							exchange->match.id, &test);
	if (result != OK)
		return result;
	const struct word_value members[] = {
		{ "status", test.status > 0
				    ? arena_printf(&exchange->arena, "%lld", (long long)test.status)
				    : "-" },
		{ "response", test.response ? test.response : "-" },
		{ NULL, NULL },
	};
	respond(exchange, &(struct console_result){
				  .members = members,
				  .sentence = test.is_accepted ? &sent : &failed,
				  .is_failure = !test.is_accepted,
			  });
	return OK;
}

enum result console_more(struct exchange *exchange)
{
	const struct console_view view = console_view(exchange);
	if (!principal_may(&exchange->service.principal, PERMISSION_READ))
		return E_FORBIDDEN;
	console_more_html(&exchange->response.body, &view, console_more_screens);
	console_respond(exchange, 200);
	return OK;
}
