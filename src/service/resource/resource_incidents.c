/* The lists and objects of incidents. */
#include "service/resource/resource.h"
#include "store/incident/incident.h"
#include "store/incident/incident_update.h"
#include "view/json/incident_json.h"

/* search_words: in the order of enum incident_search, without its first value. sort_words: in the
 * order of enum incident_sort. */
static const char *const search_words[] = { "monitor", "cause", "url", NULL };
static const char *const sort_words[] = { "started_at", "ended_at", NULL };
/* In the order of enum incident_status; then INCIDENT_OPEN, which is "unresolved" or
 * "acknowledged". */
static const char *const status_words[] = { "unresolved", "acknowledged", "resolved", "open",
					    NULL };

#define QUERY(member, ...) FIELD(struct incident_query, member, __VA_ARGS__)
#define FILTER(member, its_name, ...) \
	FIELD_NAMED(struct incident_query, filter.member, its_name, __VA_ARGS__)
static const struct field query_rows[] = {
	RESOURCE_SEARCH_ROWS(struct incident_query, list., search_words,
			     "Search in the monitor's name, the cause, or the monitor's URL; in "
			     "all three if omitted."),
	QUERY(monitor_id, .min = 1, .max = INT64_MAX, .text = "Only incidents of this monitor."),
	QUERY(status, .choices = status_words,
	      .text = "Only incidents with this status; open: unresolved and acknowledged "
		      "ones."),
	FILTER(kind_1, "kind", .choices = incident_kind_words,
	       .text = "Only incidents that monitoring, or people, opened."),
	FILTER(phase_1, "phase", .choices = incident_phase_words,
	       .text = "Only incidents in this phase."),
	FILTER(impact_1, "impact", .choices = incident_impact_words,
	       .text = "Only incidents with this stated impact; the impact that monitoring "
		       "finds meanwhile is not compared."),
	FILTER(status_page_id, "status_page_id", .min = 1, .max = INT64_MAX,
	       .text = "Only incidents that this page shows: of its monitors, or reported for it."),
	FILTER(started_from, "started_after",
	       .text = "Only incidents that began at this time or later."),
	FILTER(started_before, "started_before",
	       .text = "Only incidents that began before this time."),
	RESOURCE_ORDER_ROWS(struct incident_query, list., "incidents", sort_words, "ended_at",
			    "The order of the list. An incident that has not ended counts as "
			    "ending last."),
};
const struct fields incidents_query_fields = { query_rows, ARRAY_LEN(query_rows) };

enum { NOT_GIVEN = -1 };
static const struct incident_query query_defaults = {
	.list = { .search_by = NOT_GIVEN, .sort_by = INCIDENT_BY_ENDED_AT },
	.status = INCIDENT_ANY_STATUS,
	.filter = { .kind_1 = NOT_GIVEN, .phase_1 = NOT_GIVEN, .impact_1 = NOT_GIVEN },
};

static enum result list_incidents(struct service *service, const void *asked,
				  struct resource_rows *rows)
{
	struct incident_query query = *(const struct incident_query *)asked;
	struct incident_list found;
	/* In the statement, 1 is the first word, and 0 means that no word was sent. */
	query.list.search_by++;
	query.filter.kind_1++;
	query.filter.phase_1++;
	query.filter.impact_1++;
	enum result result =
		incident_list(service->db, &query, service->arena, &found, service->error);
	if (result != OK)
		return result;
	struct incident_resource *resources =
		ARENA_ARRAY(service->arena, found.count, struct incident_resource);
	for (size_t i = 0; i < found.count; i++)
		resources[i] = (struct incident_resource){ .row = found.rows[i] };
	*rows = (struct resource_rows){ resources, sizeof(*resources), found.count, found.total };
	return OK;
}

static enum result find_incident(struct service *service, const struct resource_place *place,
				 void *row)
{
	struct incident_resource *resource = row;
	*resource = (struct incident_resource){ 0 };
	return incident_find(service->db, service->principal.account_id, place->id, false,
			     service->arena, &resource->row, service->error);
}

static enum result complete_incident(struct service *service, void *row)
{
	struct incident_resource *resource = row;
	return incident_updates_read(service->db, &resource->row, service->arena,
				     &resource->updates, service->error);
}

/* Returns the incident with its address, its status and its duration. */
static const void *present_incident(struct service *service, const void *row)
{
	struct incident_resource *resource = ARENA_NEW(service->arena, struct incident_resource);
	*resource = *(const struct incident_resource *)row;
	incident_present(resource, incident_url(&resource->row, service->base_url, service->arena),
			 service->now);
	return resource;
}

static int64_t incident_revision(const void *row)
{
	const struct incident *incident = row;
	return incident->revision;
}

/* The duration of an open incident grows with the clock. */
static bool is_settled(const void *row)
{
	return incident_status(row) == INCIDENT_RESOLVED;
}

const struct resource resource_incidents = {
	.object = "incident",
	.shown = &incident_shown_fields,
	.listed = &incident_resource_fields,
	.row_bytes = sizeof(struct incident_resource),
	.find = find_incident,
	.complete = complete_incident,
	.present = present_incident,
	.revision = incident_revision,
	.is_settled = is_settled,
	.query_defaults = &query_defaults,
	.query_bytes = sizeof(query_defaults),
	.list = list_incidents,
};
