#include "app/incidents.h"

#include "app/publishing.h"
#include "store/incident.h"
#include "view/incident_json.h"
#include "wire/json.h"

/* GET / */

struct list_input {
	const char *search;
	int search_by;
	int64_t monitor_id;
	int status;
	int sort_by;
	int sort;
	int per_page;
	int64_t page;
};

/* In the order of enum incident_search, behind "all", which is the default. */
static const char *const search_by_choices[] = { "monitor", "cause", "url", NULL };
static const char *const status_choices[] = { "unresolved", "acknowledged", "resolved", NULL };
static const char *const sort_by_choices[] = { "started_at", "ended_at", NULL };

#define QUERY(member, ...) FIELD(struct list_input, member, __VA_ARGS__)
static const struct field query_rows[] = {
	QUERY(search, .max_chars = 255,
	      .text = "Letter case is ignored; % and _ are ordinary characters."),
	QUERY(search_by, .choices = search_by_choices,
	      .text = "In the monitor's name, the cause, or the monitor's URL; in all three when "
		      "it "
		      "is left out."),
	QUERY(monitor_id, .min = 1, .max = INT64_MAX, .text = "Only incidents of this monitor."),
	QUERY(status, .choices = status_choices, .text = "Only incidents in this state."),
	QUERY(sort_by, .choices = sort_by_choices, .default_value = "ended_at",
	      .text = "What has not ended counts as ending last."),
	QUERY(sort, .choices = exchange_sort_choices, .default_value = "desc",
	      .text = "The direction of the order."),
	QUERY(per_page, .choices = exchange_per_page_choices, .default_value = "10",
	      .text = "Items on a page of the list."),
	QUERY(page, .min = 1, .max = EXCHANGE_PAGE_MAX, .default_value = "1",
	      .text = "The number of the page of the list."),
};
const struct fields incidents_query_fields = { query_rows, ARRAY_LEN(query_rows) };

enum { NOT_GIVEN = -1 };

struct listing {
	struct incident_query query;
	struct incident_list list;
};

static enum result list_transaction(struct exchange *exchange, void *context)
{
	struct listing *listing = context;
	return incident_list(exchange->db, &listing->query, &exchange->arena, &listing->list,
			     &exchange->error);
}

enum result incidents_list(struct exchange *exchange)
{
	struct list_input input = {
		.search_by = NOT_GIVEN,
		.status = INCIDENT_ANY_STATUS,
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
	struct listing listing = {
		.query = {
			.account_id = exchange->key.account_id,
			.search = input.search,
			.search_by = input.search_by == NOT_GIVEN ? INCIDENT_SEARCH_ALL
								  : input.search_by + 1,
			.monitor_id = input.monitor_id,
			.status = input.status,
			.sort_by = input.sort_by,
			.is_ascending = input.sort == 1,
			.limit = page.size,
			.offset = page.offset,
		},
	};
	result = exchange_transact(exchange, DB_READ, list_transaction, &listing);
	if (result != OK)
		return result;
	struct json_object *array = json_array_tree();
	for (size_t i = 0; i < listing.list.count; i++)
		json_append(array, incident_json(&listing.list.rows[i], exchange->now));
	page.total = listing.list.total;
	page.shown = listing.list.count;
	exchange_respond_list(exchange, array, &page);
	return OK;
}

/* GET /{id} */

/* The duration of one that lasts grows with the clock: a 304 would freeze it. */
static bool is_settled(const struct incident *incident)
{
	return incident_status(incident) == INCIDENT_RESOLVED;
}

enum result incidents_show(struct exchange *exchange)
{
	struct incident incident;
	enum result result = incident_find(exchange->db, exchange->key.account_id,
					   exchange->match.id, false, &exchange->arena, &incident,
					   &exchange->error);
	if (result != OK)
		return result;
	exchange_set_etag(exchange, incident.id, incident.revision);
	if (!is_settled(&incident) ||
	    !exchange_is_unchanged(exchange, incident.id, incident.revision))
		exchange_respond(exchange, 200, incident_json(&incident, exchange->now));
	return OK;
}

/* PUT /{id} */

struct change {
	struct incident_input input;
	uint64_t sent;
	struct incident incident; /* the outcome */
};

/* The acknowledgement that was asked for. What it did, or a fault. */
static enum incident_move move_acknowledgement(struct exchange *exchange, struct change *change)
{
	if (!(change->sent & INCIDENT_SENT_ACKNOWLEDGED))
		return INCIDENT_WAS_SO;
	bool is_wanted = change->input.acknowledged_at;
	enum incident_move move = is_wanted ? incident_acknowledge(&change->incident, exchange->now)
					    : incident_unacknowledge(&change->incident);
	if (move == INCIDENT_REFUSED && !violations_has(&exchange->violations, "acknowledged_at"))
		violations_add(&exchange->violations, "acknowledged_at",
			       is_wanted ? "A resolved incident can no longer be acknowledged."
					 : "The acknowledgement of a resolved incident stays.");
	return move;
}

static bool is_new_comment(const struct change *change)
{
	return change->sent & INCIDENT_SENT_COMMENT &&
	       !str_eq(str_from(change->incident.comment), str_from(change->input.comment));
}

static enum result update_transaction(struct exchange *exchange, void *context)
{
	struct change *change = context;
	struct incident before;
	struct incident_actor actor = { exchange_actor(exchange), exchange->now };
	enum result result = incident_find(exchange->db, exchange->key.account_id,
					   exchange->match.id, true, &exchange->arena, &before,
					   &exchange->error);
	if (result == OK)
		result = exchange_check_etag(exchange, before.id, before.revision);
	if (result != OK)
		return result;
	exchange_check_read_only(exchange, incident_json(&before, exchange->now),
				 is_settled(&before) ? NULL : "duration");
	change->incident = before;
	enum incident_move move = move_acknowledgement(exchange, change);
	if (exchange->violations.count > 0)
		return E_INVALID;
	bool has_comment = is_new_comment(change);
	if (has_comment)
		change->incident.comment = change->input.comment;
	const char *action = move != INCIDENT_MOVED	     ? "commented"
			     : change->input.acknowledged_at ? "acknowledged"
							     : "unacknowledged";
	/* What changes nothing leaves no trace. */
	if (move == INCIDENT_MOVED || has_comment)
		result = incident_save(exchange->db, &before, &change->incident, &actor, action,
				       has_comment ? change->input.comment : NULL,
				       &exchange->error);
	if (result != OK)
		return result;
	exchange_set_etag(exchange, change->incident.id, change->incident.revision);
	exchange_respond(exchange, 200, incident_json(&change->incident, exchange->now));
	return OK;
}

enum result incidents_update(struct exchange *exchange)
{
	struct change change = { 0 };
	enum result result = exchange_body(exchange, &change.input, &change.sent);
	if (result == OK)
		result = exchange_transact(exchange, DB_WRITE, update_transaction, &change);
	if (result != OK)
		return result;
	exchange_publish_monitor(exchange, change.incident.monitor_id);
	return OK;
}

/* DELETE /{id} */

static enum result delete_transaction(struct exchange *exchange, void *context)
{
	struct incident *incident = context;
	struct incident_actor actor = { exchange_actor(exchange), exchange->now };
	enum result result = incident_find(exchange->db, exchange->key.account_id,
					   exchange->match.id, true, &exchange->arena, incident,
					   &exchange->error);
	if (result == OK)
		result = exchange_check_etag(exchange, incident->id, incident->revision);
	if (result == OK)
		result = incident_delete(exchange->db, incident, &actor, &exchange->error);
	if (result == OK)
		exchange_respond_deleted(exchange, "incident", incident->id);
	return result;
}

enum result incidents_delete(struct exchange *exchange)
{
	struct incident incident;
	enum result result = exchange_transact(exchange, DB_WRITE, delete_transaction, &incident);
	if (result != OK)
		return result;
	exchange_publish_monitor(exchange, incident.monitor_id);
	return OK;
}
