/* The lists and objects of maintenance windows. */
#include "service/maintenance/maintenances.h"
#include "service/resource/resource.h"

static const char *const search_words[] = { "title", NULL };
/* In the order of enum maintenance_sort. */
static const char *const sort_words[] = { "id", "starts_at", NULL };

#define QUERY(member, ...) FIELD(struct maintenance_query, member, __VA_ARGS__)
static const struct field query_rows[] = {
	RESOURCE_SEARCH_ROWS(struct maintenance_query, list., search_words, "The field to search."),
	QUERY(status, .choices = maintenance_status_words,
	      .text = "Only windows with this status."),
	QUERY(monitor_id, .min = 1, .max = INT64_MAX, .text = "Only windows of this monitor."),
	FIELD_NAMED(struct maintenance_query, is_upcoming, "upcoming",
		    .text = "true: only windows that are not over."),
	RESOURCE_ORDER_ROWS(struct maintenance_query, list., "windows", sort_words, "id",
			    "The order of the list: starts_at is the first start of a window."),
};
const struct fields maintenances_query_fields = { query_rows, ARRAY_LEN(query_rows) };
static const struct maintenance_query query_defaults = { .status = MAINTENANCE_ANY_STATUS };

static enum result list_windows(struct service *service, const void *query,
				struct resource_rows *rows)
{
	struct maintenance_page found;
	enum result result =
		maintenance_list(service->db, query, service->arena, &found, service->error);
	*rows = (struct resource_rows){ found.rows, sizeof(*found.rows), found.count, found.total };
	return result;
}

static enum result list_after(struct service *service, int64_t account_id, int64_t after_id,
			      struct resource_rows *rows)
{
	struct maintenance_page found;
	enum result result = maintenance_list_all(service->db, account_id, after_id, service->now,
						  service->arena, &found, service->error);
	*rows = (struct resource_rows){ found.rows, sizeof(*found.rows), found.count };
	return result;
}

static enum result find_window(struct service *service, const struct resource_place *place,
			       void *row)
{
	return service_show_maintenance(service, place->id, row);
}

/*
 * Combines a hash of the fields with the stored revision. A change of the status by the clock
 * changes only the hash. A posted update changes only the stored revision. `row` is a struct
 * maintenance_shown, or its first member, a struct maintenance.
 */
static int64_t window_revision(const void *row)
{
	const struct maintenance *maintenance = row;
	uint64_t hash = (uint64_t)resource_hash(maintenance_resource_fields, maintenance);
	return (int64_t)((hash + (uint64_t)maintenance->revision) & INT64_MAX);
}

const struct resource resource_maintenances = {
	.object = "maintenance",
	.shown = &maintenance_shown_fields,
	.listed = &maintenance_resource_fields,
	.row_bytes = sizeof(struct maintenance_shown),
	.find = find_window,
	.revision = window_revision,
	.query_defaults = &query_defaults,
	.query_bytes = sizeof(query_defaults),
	.list = list_windows,
	.list_after = list_after,
};
