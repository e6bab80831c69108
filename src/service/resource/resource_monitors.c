/* The lists and objects of monitors. */
#include "service/monitor_checks.h"
#include "service/resource/resource.h"

/* search_words: in the order of enum monitor_search. sort_words: in the order of enum
 * monitor_sort. */
static const char *const search_words[] = { "name", "url", NULL };
static const char *const sort_words[] = { "id", "name", "url", NULL };

#define QUERY(member, ...) FIELD(struct monitor_query, member, __VA_ARGS__)
static const struct field query_rows[] = {
	RESOURCE_SEARCH_ROWS(struct monitor_query, list., search_words,
			     "The field to search; name if omitted."),
	QUERY(status_page_id, .min = 1, .max = INT64_MAX,
	      .text = "Only monitors that this page shows."),
	QUERY(state, .choices = monitor_state_words,
	      .text = "Only monitors in this state. Without it the list omits retired monitors."),
	QUERY(group, .max_chars = MONITOR_GROUP_MAX_CHARS,
	      .text = "Only monitors of this group. Letter case is ignored."),
	RESOURCE_ORDER_ROWS(struct monitor_query, list., "monitors", sort_words, "id",
			    "The order of the list."),
};
const struct fields monitors_query_fields = { query_rows, ARRAY_LEN(query_rows) };
static const struct monitor_query query_defaults = { .state = MONITOR_ANY_STATE };

static enum result list_monitors(struct service *service, const void *query,
				 struct resource_rows *rows)
{
	struct monitor_page found;
	enum result result =
		monitor_list_page(service->db, query, service->arena, &found, service->error);
	if (result == OK)
		result = monitors_present(service, found.rows, found.count);
	*rows = (struct resource_rows){ found.rows, sizeof(*found.rows), found.count, found.total };
	return result;
}

static enum result list_after(struct service *service, int64_t account_id, int64_t after_id,
			      struct resource_rows *rows)
{
	struct monitor_list found;
	enum result result = monitor_list(service->db, account_id, after_id, service->now,
					  service->arena, &found, service->error);
	if (result == OK)
		result = monitors_present(service, found.rows, found.count);
	*rows = (struct resource_rows){ found.rows, sizeof(*found.rows), found.count };
	return result;
}

static enum result find_monitor(struct service *service, const struct resource_place *place,
				void *row)
{
	return monitor_find(service->db, service->principal.account_id, place->id, service->now,
			    service->arena, row, service->error);
}

static enum result complete_monitor(struct service *service, void *row)
{
	return monitors_present(service, row, 1);
}

/*
 * Returns a hash of the fields that clients read, including the state. It omits fields that change
 * with each check or with the clock: otherwise If-Match would fail all the time. It also omits
 * heartbeat_url, which never changes.
 */
static int64_t monitor_revision(const void *row)
{
	const struct monitor *monitor = row;
	struct monitor settled = *monitor;
	monitor_forget_moving(&settled);
	settled.state = monitor->state;
	settled.state_since = monitor->state_since;
	settled.last_cause = monitor->last_cause;
	settled.heartbeat_url = NULL;
	return resource_hash(monitor_resource_fields, &settled);
}

const struct resource resource_monitors = {
	.object = "monitor",
	.shown = &monitor_resource_fields,
	.listed = &monitor_resource_fields,
	.row_bytes = sizeof(struct monitor),
	.find = find_monitor,
	.complete = complete_monitor,
	.revision = monitor_revision,
	.query_defaults = &query_defaults,
	.query_bytes = sizeof(query_defaults),
	.list = list_monitors,
	.list_after = list_after,
};
