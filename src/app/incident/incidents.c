#include "app/incident/incidents.h"

#include "app/operation.h"
#include "app/respond.h"
#include "http/form.h"
#include "service/incident/incidents.h"
#include "store/incident/incident.h"
#include "store/incident/incident_update.h"
#include "view/json/incident_json.h"
#include "wire/json.h"

/* GET / */

struct list_input {
	const char *search;
	int search_by;
	int64_t monitor_id;
	int status;
	int kind;
	int phase;
	int impact;
	int64_t status_page_id;
	struct instant started_after;
	struct instant started_before;
	int sort_by;
	int sort;
	int per_page;
	int64_t page;
};

/* In the order of enum incident_search, without its first value (the default). */
static const char *const search_by_choices[] = { "monitor", "cause", "url", NULL };
/* In the order of enum incident_status; then both that are not resolved. */
static const char *const status_choices[] = { "unresolved", "acknowledged", "resolved", "open",
					      NULL };
static const char *const sort_by_choices[] = { "started_at", "ended_at", NULL };

#define QUERY(member, ...) FIELD(struct list_input, member, __VA_ARGS__)
static const struct field query_rows[] = {
	QUERY(search, .max_chars = 255,
	      .text = "Text to search for. Letter case is ignored; % and _ are ordinary "
		      "characters."),
	QUERY(search_by, .choices = search_by_choices,
	      .text = "Search in the monitor's name, the cause, or the monitor's URL; in all "
		      "three if omitted."),
	QUERY(monitor_id, .min = 1, .max = INT64_MAX, .text = "Only incidents of this monitor."),
	QUERY(status, .choices = status_choices,
	      .text = "Only incidents with this status; open: "
		      "those that are not resolved."),
	QUERY(kind, .choices = incident_kind_words,
	      .text = "Only incidents that monitoring, or people, opened."),
	QUERY(phase, .choices = incident_phase_words, .text = "Only incidents in this phase."),
	QUERY(impact, .choices = incident_impact_words,
	      .text = "Only incidents whose stated impact is this; what monitoring finds meanwhile "
		      "is not compared."),
	QUERY(status_page_id, .min = 1, .max = INT64_MAX,
	      .text = "Only incidents that this page shows: of its monitors, or reported for it."),
	QUERY(started_after, .text = "Only incidents that began at this time or later."),
	QUERY(started_before, .text = "Only incidents that began before this time."),
	QUERY(sort_by, .choices = sort_by_choices, .default_value = "ended_at",
	      .text = "The order of the list. An incident that has not ended counts as ending "
		      "last."),
	QUERY(sort, .choices = exchange_sort_choices, .default_value = "desc",
	      .text = "The direction of the order."),
	EXCHANGE_PAGE_ROWS(struct list_input, "incidents"),
};
const struct fields incidents_query_fields = { query_rows, ARRAY_LEN(query_rows) };

enum { NOT_GIVEN = -1 };

static struct incident_filter filter_of(const struct list_input *input)
{
	return (struct incident_filter){
		.kind_1 = input->kind + 1,
		.phase_1 = input->phase + 1,
		.impact_1 = input->impact + 1,
		.status_page_id = input->status_page_id,
		.started_from = input->started_after,
		.started_before = input->started_before,
	};
}

enum result incidents_list(struct exchange *exchange)
{
	struct list_input input = {
		.search_by = NOT_GIVEN,
		.status = INCIDENT_ANY_STATUS,
		.kind = NOT_GIVEN,
		.phase = NOT_GIVEN,
		.impact = NOT_GIVEN,
		.sort_by = INCIDENT_BY_ENDED_AT,
		.per_page = exchange_per_page_default(exchange),
		.page = 1,
	};
	struct list_page page;
	enum result result = exchange_query(exchange, &input);
	if (result == OK)
		result = exchange_begin_list(exchange, input.per_page, input.page, &page);
	if (result != OK)
		return result;
	struct incident_list list;
	const struct incident_query query = {
		.account_id = exchange->principal.account_id,
		.search = input.search,
		.search_by = input.search_by == NOT_GIVEN ? INCIDENT_SEARCH_ALL
							  : input.search_by + 1,
		.monitor_id = input.monitor_id,
		.status = input.status,
		.filter = filter_of(&input),
		.sort_by = input.sort_by,
		.is_ascending = input.sort == 1,
		.limit = page.size,
		.offset = page.offset,
	};
	result = incident_list(exchange->db, &query, &exchange->arena, &list, &exchange->error);
	if (result != OK)
		return result;
	exchange_begin_rows(exchange);
	for (size_t i = 0; i < list.count; i++) {
		incidents_set_url(exchange, &list.rows[i]);
		const struct incident_resource resource =
			incident_resource(&list.rows[i], exchange->now);
		exchange_add_row(exchange, incident_resource_fields, &resource);
	}
	page.total = list.total;
	page.shown = list.count;
	exchange_end_rows(exchange, &page);
	return OK;
}

/* GET /{id} */

void incidents_set_url(struct exchange *exchange, struct incident *incident)
{
	incident->url = incident_url(incident, exchange->request.base_url, &exchange->arena);
}

/* The duration of an open incident grows with the clock: a 304 would freeze it. */
static bool is_settled(const struct incident *incident)
{
	return incident_status(incident) == INCIDENT_RESOLVED;
}

enum result incidents_show(struct exchange *exchange)
{
	struct incident incident;
	enum result result = incident_find(exchange->db, exchange->principal.account_id,
					   exchange->match.id, false, &exchange->arena, &incident,
					   &exchange->error);
	if (result == OK)
		result = incident_updates_read(exchange->db, &incident, &exchange->arena,
					       &exchange->error);
	if (result != OK)
		return result;
	exchange_set_etag(exchange, incident.id, incident.revision);
	if (is_settled(&incident) &&
	    exchange_is_unchanged(exchange, incident.id, incident.revision))
		return OK;
	incidents_set_url(exchange, &incident);
	const struct incident_resource resource = incident_resource(&incident, exchange->now);
	exchange_respond_row(exchange, incident_shown_fields, &resource);
	return OK;
}

/* PUT /{id} */

/* The incident as a client reads it: with its updates if the client has sent them back. */
static enum result read_back(struct exchange *exchange, const struct incident *current,
			     struct json_object **tree)
{
	struct incident incident = *current;
	bool is_whole = form_has(exchange->form, "updates");
	enum result result = OK;
	incidents_set_url(exchange, &incident);
	if (is_whole)
		result = incident_updates_read(exchange->db, &incident, &exchange->arena,
					       &exchange->error);
	*tree = is_whole ? incident_shown_json(&incident, exchange->now)
			 : incident_json(&incident, exchange->now);
	return result;
}

static enum result admit_update(struct exchange *exchange, const void *current)
{
	const struct incident *incident = current;
	struct json_object *tree = NULL;
	enum result result = exchange_check_etag(exchange, incident->id, incident->revision);
	if (result == OK)
		result = read_back(exchange, incident, &tree);
	if (result == OK)
		exchange_check_read_only(exchange, tree, is_settled(incident) ? NULL : "duration");
	return result;
}

static void render_incident(struct exchange *exchange, const void *outcome)
{
	struct incident incident = *(const struct incident *)outcome;
	incidents_set_url(exchange, &incident);
	exchange_set_etag(exchange, incident.id, incident.revision);
	exchange_respond(exchange, 200, incident_shown_json(&incident, exchange->now));
}

enum result incidents_update(struct exchange *exchange)
{
	struct incident_update update = { 0 };
	struct incident incident;
	enum result result = exchange_body(exchange, &update.input, &update.sent);
	if (result != OK)
		return result;
	return service_update_incident(exchange_service(exchange, admit_update, render_incident),
				       exchange->match.id, &update, &incident);
}

/* DELETE /{id} */

static enum result admit_deletion(struct exchange *exchange, const void *current)
{
	const struct incident *incident = current;
	return exchange_check_etag(exchange, incident->id, incident->revision);
}

static void render_deletion(struct exchange *exchange, const void *outcome)
{
	const struct incident *incident = outcome;
	exchange_respond_deleted(exchange, "incident", incident->id);
}

enum result incidents_delete(struct exchange *exchange)
{
	struct incident incident;
	return service_delete_incident(exchange_service(exchange, admit_deletion, render_deletion),
				       exchange->match.id, &incident);
}
