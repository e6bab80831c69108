/* The list of events. */
#include "service/resource/resource.h"
#include "store/event.h"

struct events_query {
	struct list_query list;
	int kind;
	int object;
	int64_t object_id;
	struct instant since;
	int64_t after;
};

enum { NOT_GIVEN = -1 };
static const struct events_query query_defaults = {
	.list = { .is_ascending = NOT_GIVEN },
	.kind = NOT_GIVEN,
	.object = NOT_GIVEN,
	.after = NOT_GIVEN,
};

/* In the order of enum event_search. */
static const char *const search_words[] = { "detail", "actor", NULL };
static const char *const sort_words[] = { "at", NULL };

#define QUERY(member, ...) FIELD(struct events_query, member, __VA_ARGS__)
static const struct field query_rows[] = {
	RESOURCE_SEARCH_ROWS(struct events_query, list., search_words,
			     "Search in the detail, or in the label of the actor; detail if "
			     "omitted. Of the events that the other parameters choose, the newest "
			     "10,000 are searched."),
	QUERY(kind, .choices = event_kind_words, .text = "Only events of this kind."),
	QUERY(object, .choices = event_object_words,
	      .text = "Only events of objects of this type."),
	QUERY(object_id, .min = 1, .max = INT64_MAX,
	      .text = "Only events of the object with this id."),
	QUERY(since, .text = "Only events at this time or later."),
	QUERY(after, .min = 0, .max = INT64_MAX,
	      .text = "Only events above this id, oldest first: for programs that ask again and "
		      "again, with the id of the last event that they have; 0 to begin. Without "
		      "search, sort and page."),
	RESOURCE_ORDER_ROWS(struct events_query, list., "events", sort_words, "at",
			    "The order of the list."),
};
const struct fields events_query_fields = { query_rows, ARRAY_LEN(query_rows) };

struct listing {
	struct event_query query;
	struct event_list found;
	int64_t total;
	bool is_after;
	bool is_ascending;
};

static void reverse(struct event_list *list)
{
	for (size_t i = 0; i < list->count / 2; i++) {
		struct event *one = &list->rows[i], *other = &list->rows[list->count - 1 - i];
		struct event moved = *one;
		*one = *other;
		*other = moved;
	}
}

/* Changes the query of an ascending page. The new query reads the same rows in descending order,
 * with an offset from the other end of the list. */
static void read_from_other_end(struct event_query *query, int64_t total)
{
	int64_t behind = total - query->offset - query->limit;
	if (behind < 0)
		query->limit += behind;
	query->offset = behind > 0 ? behind : 0;
}

/*
 * Reads the total number of events. If the page may be far from the beginning of the list, reads
 * the number of events of each day instead, which helps to find the page. An ascending page always
 * counts as far, because it may be read from the other end.
 */
static enum result read_total(struct service *service, struct event_query *query, bool is_ascending,
			      struct event_spans *days, int64_t *total)
{
	struct event_query deepest = *query;
	if (is_ascending)
		deepest.offset = INT64_MAX;
	if (!event_is_deep(&deepest))
		return event_count(service->db, query, service->arena, total, service->error);
	enum result result = event_days(service->db, query, service->arena, days, service->error);
	query->days = days;
	*total = days->total;
	return result;
}

static enum result list_work(struct service *service, void *context)
{
	struct listing *listing = context;
	struct event_query query = listing->query;
	struct event_spans days;
	if (listing->is_after)
		return event_list_after(service->db, &query, service->now, service->arena,
					&listing->found, service->error);
	enum result result =
		read_total(service, &query, listing->is_ascending, &days, &listing->total);
	if (result != OK || query.offset >= listing->total)
		return result;
	bool is_turned = listing->is_ascending && (query.object_id == 0 || query.search);
	query.is_oldest_first = listing->is_ascending && !is_turned;
	if (is_turned)
		read_from_other_end(&query, listing->total);
	result = event_list(service->db, &query, service->arena, &listing->found, service->error);
	if (is_turned)
		reverse(&listing->found);
	return result;
}

static struct event_query query_of(const struct events_query *asked)
{
	return (struct event_query){
		.account_id = asked->list.account_id,
		.kind = asked->kind == NOT_GIVEN ? NULL : event_kind_words[asked->kind],
		.object = asked->object == NOT_GIVEN ? NULL : event_object_words[asked->object],
		.object_id = asked->object_id,
		.since = asked->since,
		.search = asked->list.search,
		.search_by = asked->list.search_by,
		.after_id = asked->after,
		.limit = asked->list.limit,
		.offset = asked->list.offset,
	};
}

/* Adds violations if `after` is combined with a search, an order or a page number. */
static void check_after(const void *query, struct violations *violations)
{
	const struct events_query *asked = query;
	const struct {
		const char *name;
		bool is_sent;
	} others[] = {
		{ "page", asked->list.page > 1 },
		{ "search", asked->list.search != NULL },
		{ "sort", asked->list.is_ascending != NOT_GIVEN },
	};
	for (size_t i = 0; i < ARRAY_LEN(others); i++)
		if (asked->after != NOT_GIVEN && others[i].is_sent)
			violations_add(violations, others[i].name,
				       "The %s field must be empty with after.", others[i].name);
}

static enum result list_events(struct service *service, const void *query,
			       struct resource_rows *rows)
{
	const struct events_query *asked = query;
	struct listing listing = {
		.query = query_of(asked),
		.is_after = asked->after != NOT_GIVEN,
		.is_ascending = asked->list.is_ascending == 1,
	};
	enum result result = service_read(service, list_work, &listing);
	const struct event_list *found = &listing.found;
	*rows = (struct resource_rows){
		.rows = found->rows,
		.row_bytes = sizeof(*found->rows),
		.count = found->count,
		.total = listing.is_after ? (int64_t)found->count : listing.total,
		.has_next_after = listing.is_after,
		.next_after = found->read_up_to,
	};
	return result;
}

enum result resource_read_events(struct service *service, const struct event_query *query,
				 struct event_list *list)
{
	struct event_query own = *query;
	if (service->principal.account_id > 0)
		own.account_id = service->principal.account_id;
	return principal_may(&service->principal, PERMISSION_READ)
		       ? event_list(service->db, &own, service->arena, list, service->error)
		       : E_FORBIDDEN;
}

const struct resource resource_events = {
	.object = "event",
	.shown = &event_fields,
	.listed = &event_fields,
	.row_bytes = sizeof(struct event),
	.query_defaults = &query_defaults,
	.query_bytes = sizeof(query_defaults),
	.check = check_after,
	.list = list_events,
};
