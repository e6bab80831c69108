/* The lists and objects of incident templates. */
#include "service/resource/resource.h"
#include "store/incident/incident_template.h"

static const char *const search_words[] = { "name", NULL };
/* In the order of enum incident_template_sort. */
static const char *const sort_words[] = { "id", "name", NULL };

static const struct field query_rows[] = {
	RESOURCE_SEARCH_ROWS(struct list_query, , search_words, "The field to search."),
	RESOURCE_ORDER_ROWS(struct list_query, , "templates", sort_words, "id",
			    "The order of the list."),
};
const struct fields incident_templates_query_fields = { query_rows, ARRAY_LEN(query_rows) };
static const struct list_query query_defaults = { 0 };

static enum result list_templates(struct service *service, const void *query,
				  struct resource_rows *rows)
{
	struct incident_template_list found;
	enum result result =
		incident_templates_list(service->db, query, service->arena, &found, service->error);
	*rows = (struct resource_rows){ found.rows, sizeof(*found.rows), found.count, found.total };
	return result;
}

static enum result find_template(struct service *service, const struct resource_place *place,
				 void *row)
{
	return incident_template_find(service->db, service->principal.account_id, place->id, false,
				      service->arena, row, service->error);
}

const struct resource resource_incident_templates = {
	.object = "incident_template",
	.shown = &incident_template_resource_fields,
	.listed = &incident_template_resource_fields,
	.row_bytes = sizeof(struct incident_template),
	.find = find_template,
	.query_defaults = &query_defaults,
	.query_bytes = sizeof(query_defaults),
	.list = list_templates,
};
