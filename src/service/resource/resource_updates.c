/* The lists and objects of the updates that people post about incidents and maintenance windows. */
#include "service/incident/incident_reports.h"
#include "service/maintenance/maintenances.h"
#include "service/resource/resource.h"
#include "store/posted_update.h"

static const char *const search_words[] = { "body", NULL };
static const char *const sort_words[] = { "at", NULL };

static const struct field query_rows[] = {
	RESOURCE_SEARCH_ROWS(struct list_query, , search_words, "The field to search."),
	RESOURCE_ORDER_ROWS(struct list_query, , "updates", sort_words, "at",
			    "The order of the list."),
};
const struct fields updates_query_fields = { query_rows, ARRAY_LEN(query_rows) };
static const struct list_query query_defaults = { 0 };

static enum result list_updates(struct service *service, enum posted_update_owner owner,
				const void *query, struct resource_rows *rows)
{
	struct posted_update_list found;
	enum result result = posted_update_list(service->db, owner, query, service->arena, &found,
						service->error);
	*rows = (struct resource_rows){ found.rows, sizeof(*found.rows), found.count, found.total };
	return result;
}

static enum result list_of_incident(struct service *service, const void *query,
				    struct resource_rows *rows)
{
	return list_updates(service, POSTED_OF_INCIDENT, query, rows);
}

static enum result list_of_window(struct service *service, const void *query,
				  struct resource_rows *rows)
{
	return list_updates(service, POSTED_OF_MAINTENANCE, query, rows);
}

static enum result find_of_incident(struct service *service, const struct resource_place *place,
				    void *row)
{
	struct incident_posting posting = { 0 };
	enum result result = service_find_update(service, place->id, place->part_id, &posting);
	*(struct posted_update *)row = posting.update;
	return result;
}

static enum result find_of_window(struct service *service, const struct resource_place *place,
				  void *row)
{
	const struct maintenance_update_place update = { place->id, place->part_id };
	struct maintenance_posting posting = { 0 };
	enum result result = service_show_maintenance_update(service, &update, &posting);
	*(struct posted_update *)row = posting.row.update;
	return result;
}

const struct resource resource_incident_updates = {
	.object = "incident_update",
	.shown = &posted_update_fields,
	.listed = &posted_update_fields,
	.row_bytes = sizeof(struct posted_update),
	.find = find_of_incident,
	.query_defaults = &query_defaults,
	.query_bytes = sizeof(query_defaults),
	.list = list_of_incident,
};

const struct resource resource_maintenance_updates = {
	.object = "maintenance_update",
	.shown = &maintenance_posted_fields,
	.listed = &maintenance_posted_fields,
	.row_bytes = sizeof(struct posted_update),
	.find = find_of_window,
	.query_defaults = &query_defaults,
	.query_bytes = sizeof(query_defaults),
	.list = list_of_window,
};
