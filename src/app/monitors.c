#include "app/monitors.h"

#include "app/idempotency.h"
#include "app/operation.h"
#include "app/respond.h"
#include "service/monitors.h"
#include "store/monitor/monitor_uptime.h"
#include "wire/json.h"

/* GET / */

struct list_input {
	const char *search;
	int search_by;
	int64_t status_page_id;
	int state;
	const char *group;
	int sort_by;
	int sort;
	int per_page;
	int64_t page;
};

static const char *const search_by_choices[] = { "name", "url", NULL };
/* In the order of enum monitor_sort. */
static const char *const sort_by_choices[] = { "id", "name", "url", NULL };

#define QUERY(member, ...) FIELD(struct list_input, member, __VA_ARGS__)
static const struct field query_rows[] = {
	QUERY(search, .max_chars = 255,
	      .text = "Text to search for. Letter case is ignored; % and _ are ordinary "
		      "characters."),
	QUERY(search_by, .choices = search_by_choices, .default_value = "name",
	      .text = "The field to search."),
	QUERY(status_page_id, .min = 1, .max = INT64_MAX,
	      .text = "Only monitors that this page shows."),
	QUERY(state, .choices = monitor_state_words,
	      .text = "Only monitors in this state. Without it the list omits retired monitors."),
	QUERY(group, .max_chars = MONITOR_GROUP_MAX_CHARS,
	      .text = "Only monitors of this group. Letter case is ignored."),
	QUERY(sort_by, .choices = sort_by_choices, .default_value = "id",
	      .text = "The order of the list."),
	QUERY(sort, .choices = exchange_sort_choices, .default_value = "desc",
	      .text = "The direction of the order."),
	EXCHANGE_PAGE_ROWS(struct list_input, "monitors"),
};
const struct fields monitors_query_fields = { query_rows, ARRAY_LEN(query_rows) };

static struct monitor_query query_of(const struct exchange *exchange,
				     const struct list_input *input, const struct list_page *page)
{
	return (struct monitor_query){
		.account_id = exchange->principal.account_id,
		.now = exchange->now,
		.search = input->search,
		.is_url_search = input->search_by == 1,
		.status_page_id = input->status_page_id,
		.state = input->state,
		.group = input->group,
		.sort_by = input->sort_by,
		.is_ascending = input->sort == 1,
		.limit = page->size,
		.offset = page->offset,
	};
}

enum result monitors_list(struct exchange *exchange)
{
	struct list_input input = {
		.state = MONITOR_ANY_STATE,
		.per_page = exchange_per_page_default(exchange),
		.page = 1,
	};
	struct list_page page;
	struct monitor_page found;
	enum result result = exchange_query(exchange, &input);
	if (result == OK)
		result = exchange_begin_list(exchange, input.per_page, input.page, &page);
	if (result != OK)
		return result;
	const struct monitor_query query = query_of(exchange, &input, &page);
	result =
		monitor_list_page(exchange->db, &query, &exchange->arena, &found, &exchange->error);
	if (result == OK)
		result = monitor_read_uptimes(exchange->db, found.rows, found.count, exchange->now,
					      &exchange->error);
	if (result != OK)
		return result;
	const struct list_rows list = { found.rows, sizeof(*found.rows), found.count, found.total };
	exchange_respond_rows(exchange, monitor_resource_fields, &list, &page);
	return OK;
}

static struct json_object *monitor_tree(const struct monitor *monitor)
{
	struct json_object *tree = json_object_tree();
	json_put_fields(tree, monitor_resource_fields, monitor);
	return tree;
}

/* An ETag does not cover what changes with the clock: If-Match would never hold. */
static int64_t revision_of(const struct monitor *monitor)
{
	struct monitor settled = *monitor;
	monitor_forget_moving(&settled);
	return exchange_hash(monitor_resource_fields, &settled);
}

static void render_monitor(struct exchange *exchange, const struct monitor *monitor, int status)
{
	exchange_set_etag(exchange, monitor->id, revision_of(monitor));
	exchange_respond(exchange, status, monitor_tree(monitor));
}

/* GET /{id} */

enum result monitors_show(struct exchange *exchange)
{
	struct monitor monitor;
	enum result result = monitor_find(exchange->db, exchange->principal.account_id,
					  exchange->match.id, exchange->now, &exchange->arena,
					  &monitor, &exchange->error);
	if (result != OK)
		return result;
	if (exchange_is_unchanged(exchange, monitor.id, revision_of(&monitor))) {
		exchange_set_etag(exchange, monitor.id, revision_of(&monitor));
		return OK;
	}
	result = monitor_read_uptimes(exchange->db, &monitor, 1, exchange->now, &exchange->error);
	if (result == OK)
		render_monitor(exchange, &monitor, 200);
	return result;
}

/* POST / */

static void render_creation(struct exchange *exchange, const void *outcome)
{
	const struct monitor *monitor = outcome;
	exchange_set_location(exchange, monitor->id);
	render_monitor(exchange, monitor, 201);
}

enum result monitors_create(struct exchange *exchange)
{
	struct monitor_input input = { 0 };
	struct monitor monitor;
	struct field_set sent = FIELD_SET_NONE;
	enum result result = exchange_body(exchange, &input, &sent);
	if (result != OK)
		return result;
	result = service_add_monitor(
		exchange_service(exchange, exchange_admit_creation, render_creation),
		exchange->principal.account_id, &input, sent, &monitor);
	return exchange_as_violation(exchange, result);
}

/* PUT /{id} */

static enum result admit_update(struct exchange *exchange, const void *current)
{
	const struct monitor *monitor = current;
	enum result result = exchange_check_etag(exchange, monitor->id, revision_of(monitor));
	if (result == OK)
		exchange_check_read_only(exchange, monitor_tree(monitor), NULL);
	return result;
}

static void render_update(struct exchange *exchange, const void *outcome)
{
	render_monitor(exchange, outcome, 200);
}

enum result monitors_update(struct exchange *exchange)
{
	struct monitor_input input = { 0 };
	struct monitor monitor;
	struct field_set sent = FIELD_SET_NONE;
	enum result result = exchange_body(exchange, &input, &sent);
	if (result != OK)
		return result;
	result = service_update_monitor(exchange_service(exchange, admit_update, render_update),
					exchange->match.id, &input, sent, &monitor);
	return exchange_as_violation(exchange, result);
}

/* DELETE /{id} */

struct delete_input {
	bool keep_history;
};
static const struct field delete_rows[] = {
	FIELD(struct delete_input, keep_history,
	      .text = "Retire the monitor: pages no longer show the system, but the incidents "
		      "are kept and stay in the logs."),
};
const struct fields monitors_delete_fields = { delete_rows, ARRAY_LEN(delete_rows) };

static enum result admit_deletion(struct exchange *exchange, const void *current)
{
	const struct monitor *monitor = current;
	return exchange_check_etag(exchange, monitor->id, revision_of(monitor));
}

static void render_deletion(struct exchange *exchange, const void *outcome)
{
	const struct monitor_deletion *deletion = outcome;
	struct json_object *body = json_object_tree();
	json_put_int(body, "id", deletion->id);
	json_put_text(body, "object", "monitor");
	json_put_bool(body, "deleted", true);
	json_put_int(body, "deleted_incidents", deletion->incidents);
	json_put_int(body, "status", 200);
	response_json(&exchange->response, 200, body);
}

enum result monitors_delete(struct exchange *exchange)
{
	struct delete_input input = { 0 };
	const struct str query = exchange->request.query;
	enum result result = exchange_query(exchange, &input);
	if (result != OK)
		return result;
	/* To keep the incidents is another request than to delete them. */
	if (idempotency_is_asked(exchange))
		idempotency_add_body(exchange, query.data, query.len);
	struct service *service = exchange_service(exchange, admit_deletion, render_deletion);
	return input.keep_history ? service_retire_monitor(service, exchange->match.id)
				  : service_remove_monitor(service, exchange->match.id);
}
