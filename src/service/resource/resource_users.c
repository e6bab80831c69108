/* The lists and objects of the people of an account, and of their sessions. */
#include "service/resource/resource.h"
#include "service/sessions.h"
#include "store/account/user.h"

static const char *const search_words[] = { "name", NULL };
/* In the order of enum user_sort. */
static const char *const sort_words[] = { "id", "name", NULL };

static const struct field query_rows[] = {
	RESOURCE_SEARCH_ROWS(struct list_query, , search_words, "The field to search."),
	RESOURCE_ORDER_ROWS(struct list_query, , "users", sort_words, "id",
			    "The order of the list."),
};
const struct fields users_query_fields = { query_rows, ARRAY_LEN(query_rows) };
static const struct list_query query_defaults = { 0 };

static enum result list_users(struct service *service, const void *query,
			      struct resource_rows *rows)
{
	struct user_list found;
	enum result result =
		user_list_page(service->db, query, service->arena, &found, service->error);
	*rows = (struct resource_rows){ found.rows, sizeof(*found.rows), found.count, found.total };
	return result;
}

static enum result users_after(struct service *service, int64_t account_id, int64_t after_id,
			       struct resource_rows *rows)
{
	struct user_list found;
	enum result result = user_list(service->db, account_id, after_id, service->arena, &found,
				       service->error);
	*rows = (struct resource_rows){ found.rows, sizeof(*found.rows), found.count };
	return result;
}

static enum result find_user(struct service *service, const struct resource_place *place, void *row)
{
	const struct user *user = row;
	int64_t account_id = service->principal.account_id;
	enum result result = user_show(service->db, place->id, account_id, false, service->arena,
				       row, service->error);
	return result == OK && account_id > 0 && user->account_id == 0 ? E_NOT_FOUND : result;
}

const struct resource resource_users = {
	.object = "user",
	.permission = PERMISSION_MANAGE,
	.shown = &user_fields,
	.listed = &user_fields,
	.row_bytes = sizeof(struct user),
	.find = find_user,
	.query_defaults = &query_defaults,
	.query_bytes = sizeof(query_defaults),
	.list = list_users,
	.list_after = users_after,
};

static const char *const no_words[] = { "used_at", NULL };
static const struct field session_query_rows[] = {
	RESOURCE_ORDER_ROWS(struct list_query, , "sessions", no_words, "used_at",
			    "The order of the list."),
};
const struct fields user_sessions_query_fields = { session_query_rows,
						   ARRAY_LEN(session_query_rows) };

/* Lists all sessions on one page, because a user has few sessions. The session with the latest use
 * comes first. */
static enum result list_sessions(struct service *service, const void *query,
				 struct resource_rows *rows)
{
	const struct list_query *list = query;
	struct user_session_list found = { 0 };
	enum result result = service_list_sessions(service, list->owner_id, &found);
	size_t shown = list->offset > 0 ? 0 : found.count;
	if ((int64_t)shown > list->limit)
		shown = (size_t)list->limit;
	*rows = (struct resource_rows){ found.rows, sizeof(*found.rows), shown,
					(int64_t)found.count };
	return result;
}

const struct resource resource_user_sessions = {
	.object = "session",
	.permission = PERMISSION_MANAGE,
	.shown = &user_session_fields,
	.listed = &user_session_fields,
	.row_bytes = sizeof(struct user_session),
	.query_defaults = &query_defaults,
	.query_bytes = sizeof(query_defaults),
	.list = list_sessions,
};
