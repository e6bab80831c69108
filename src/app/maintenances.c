#include "app/maintenances.h"

#include "app/operation.h"
#include "app/respond.h"
#include "service/maintenance/maintenances.h"
#include "view/json/maintenance_json.h"
#include "wire/json.h"

/* GET / */

struct list_input {
	int status;
	int64_t monitor_id;
	bool upcoming;
	int sort_by;
	int sort;
	int per_page;
	int64_t page;
};

/* In the order of enum maintenance_sort. */
static const char *const sort_by_choices[] = { "id", "starts_at", NULL };

#define QUERY(member, ...) FIELD(struct list_input, member, __VA_ARGS__)
static const struct field query_rows[] = {
	QUERY(status, .choices = maintenance_status_words,
	      .text = "Only windows with this status."),
	QUERY(monitor_id, .min = 1, .max = INT64_MAX, .text = "Only windows of this monitor."),
	QUERY(upcoming, .text = "true: only windows that are not over."),
	QUERY(sort_by, .choices = sort_by_choices, .default_value = "id",
	      .text = "The order of the list: starts_at is the first start of a window."),
	QUERY(sort, .choices = exchange_sort_choices, .default_value = "desc",
	      .text = "The direction of the order."),
	EXCHANGE_PAGE_ROWS(struct list_input, "windows"),
};
const struct fields maintenances_query_fields = { query_rows, ARRAY_LEN(query_rows) };

enum result maintenances_list(struct exchange *exchange)
{
	struct list_input input = {
		.status = MAINTENANCE_ANY_STATUS,
		.per_page = exchange_per_page_default(exchange),
		.page = 1,
	};
	struct list_page page;
	struct maintenance_page found;
	enum result result = exchange_query(exchange, &input);
	if (result == OK)
		result = exchange_begin_list(exchange, input.per_page, input.page, &page);
	if (result != OK)
		return result;
	const struct maintenance_query query = {
		.account_id = exchange->principal.account_id,
		.status = input.status,
		.monitor_id = input.monitor_id,
		.is_upcoming = input.upcoming,
		.sort_by = input.sort_by,
		.is_ascending = input.sort == 1,
		.now = exchange->now,
		.limit = page.size,
		.offset = page.offset,
	};
	result = maintenance_list(exchange->db, &query, &exchange->arena, &found, &exchange->error);
	if (result != OK)
		return result;
	const struct list_rows list = { found.rows, sizeof(*found.rows), found.count, found.total };
	exchange_respond_rows(exchange, maintenance_resource_fields, &list, &page);
	return OK;
}

/* The clock changes the status without a write, and updates change the revision alone. */
static int64_t revision_of(const struct maintenance *maintenance)
{
	uint64_t hash = (uint64_t)exchange_hash(maintenance_resource_fields, maintenance);
	return (int64_t)((hash + (uint64_t)maintenance->revision) & INT64_MAX);
}

enum result maintenances_check_etag(struct exchange *exchange,
				    const struct maintenance *maintenance)
{
	return exchange_check_etag(exchange, maintenance->id, revision_of(maintenance));
}

static void render_window(struct exchange *exchange, const struct maintenance_shown *shown,
			  int status)
{
	const struct maintenance *maintenance = &shown->maintenance;
	exchange_set_etag(exchange, maintenance->id, revision_of(maintenance));
	exchange_respond(exchange, status, maintenance_json(shown));
}

/* GET /{id} */

enum result maintenances_show(struct exchange *exchange)
{
	struct maintenance_shown shown = { 0 };
	enum result result = service_show_maintenance(exchange_service(exchange, NULL, NULL),
						      exchange->match.id, &shown);
	if (result != OK)
		return result;
	const struct maintenance *maintenance = &shown.maintenance;
	if (exchange_is_unchanged(exchange, maintenance->id, revision_of(maintenance)))
		exchange_set_etag(exchange, maintenance->id, revision_of(maintenance));
	else
		render_window(exchange, &shown, 200);
	return OK;
}

/* POST / */

static void render_creation(struct exchange *exchange, const void *outcome)
{
	const struct maintenance_shown *shown = outcome;
	exchange_set_location(exchange, shown->maintenance.id);
	render_window(exchange, shown, 201);
}

enum result maintenances_create(struct exchange *exchange)
{
	struct maintenance_input input = { .auto_transition = true };
	struct maintenance_shown shown = { 0 };
	struct field_set sent = FIELD_SET_NONE;
	enum result result = exchange_body(exchange, &input, &sent);
	if (result != OK)
		return result;
	result = service_add_maintenance(
		exchange_service(exchange, exchange_admit_creation, render_creation),
		exchange->principal.account_id, &input, sent, &shown);
	return exchange_as_violation(exchange, result);
}

/* PUT /{id} */

static enum result admit_update(struct exchange *exchange, const void *current)
{
	const struct maintenance_shown shown = { .maintenance =
							 *(const struct maintenance *)current };
	enum result result = maintenances_check_etag(exchange, current);
	if (result == OK)
		exchange_check_read_only(exchange, maintenance_json(&shown), NULL);
	return result;
}

static void render_update(struct exchange *exchange, const void *outcome)
{
	render_window(exchange, outcome, 200);
}

enum result maintenances_update(struct exchange *exchange)
{
	struct maintenance_input input = { 0 };
	struct maintenance_shown shown = { 0 };
	struct field_set sent = FIELD_SET_NONE;
	enum result result = exchange_body(exchange, &input, &sent);
	if (result != OK)
		return result;
	return service_update_maintenance(exchange_service(exchange, admit_update, render_update),
					  exchange->match.id, &input, sent, &shown);
}

/* DELETE /{id} */

static enum result admit_deletion(struct exchange *exchange, const void *current)
{
	return maintenances_check_etag(exchange, current);
}

static void render_deletion(struct exchange *exchange, const void *outcome)
{
	const struct maintenance *maintenance = outcome;
	exchange_respond_deleted(exchange, "maintenance", maintenance->id);
}

enum result maintenances_delete(struct exchange *exchange)
{
	struct maintenance maintenance;
	return service_delete_maintenance(
		exchange_service(exchange, admit_deletion, render_deletion), exchange->match.id,
		&maintenance);
}
