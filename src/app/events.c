#include "app/events.h"

#include "app/operation.h"
#include "app/respond.h"
#include "store/event.h"

struct list_input {
	int kind;
	int object;
	int64_t object_id;
	struct instant since;
	int64_t after;
	int per_page;
	int64_t page;
};

#define QUERY(member, ...) FIELD(struct list_input, member, __VA_ARGS__)
static const struct field query_rows[] = {
	QUERY(kind, .choices = event_kind_words, .text = "Only events of this kind."),
	QUERY(object, .choices = event_object_words,
	      .text = "Only events of objects of this type."),
	QUERY(object_id, .min = 1, .max = INT64_MAX,
	      .text = "Only events of the object with this id."),
	QUERY(since, .text = "Only events at this time or later."),
	QUERY(after, .min = 0, .max = INT64_MAX,
	      .text = "Only events above this id, oldest first: for programs that ask again and "
		      "again, with the id of the last event that they have; 0 to begin."),
	EXCHANGE_PAGE_ROWS(struct list_input, "events"),
};
const struct fields events_query_fields = { query_rows, ARRAY_LEN(query_rows) };

enum { NOT_GIVEN = -1 };

/*
 * With `after` the list has no parts: `next` is the address to ask next, now or later, and `total`
 * is the number of events in the response.
 */
static void respond_after(struct exchange *exchange, const struct event_list *list,
			  struct list_page *page)
{
	const struct list_rows rows = { list->rows, sizeof(*list->rows), list->count,
					(int64_t)list->count };
	page->cursor = arena_printf(&exchange->arena, "after=%lld", (long long)list->read_up_to);
	exchange_respond_rows(exchange, event_fields, &rows, page);
}

struct listing {
	struct event_query query;
	struct event_list list;
	int64_t total;
	bool is_after;
};

static enum result list_transaction(struct exchange *exchange, void *context)
{
	struct listing *listing = context;
	if (listing->is_after)
		return event_list_after(exchange->db, &listing->query, exchange->now,
					&exchange->arena, &listing->list, &exchange->error);
	enum result result = event_count(exchange->db, &listing->query, &exchange->arena,
					 &listing->total, &exchange->error);
	if (result != OK || listing->query.offset >= listing->total)
		return result;
	return event_list(exchange->db, &listing->query, &exchange->arena, &listing->list,
			  &exchange->error);
}

static struct event_query query_of(const struct exchange *exchange, const struct list_input *input,
				   const struct list_page *page)
{
	return (struct event_query){
		.account_id = exchange->principal.account_id,
		.kind = input->kind == NOT_GIVEN ? NULL : event_kind_words[input->kind],
		.object = input->object == NOT_GIVEN ? NULL : event_object_words[input->object],
		.object_id = input->object_id,
		.since = input->since,
		.after_id = input->after,
		.limit = page->size,
		.offset = page->offset,
	};
}

enum result events_list(struct exchange *exchange)
{
	struct list_input input = {
		.kind = NOT_GIVEN,
		.object = NOT_GIVEN,
		.after = NOT_GIVEN,
		.per_page = exchange_per_page_default(exchange),
		.page = 1,
	};
	struct list_page page;
	enum result result = exchange_query(exchange, &input);
	bool is_after = input.after != NOT_GIVEN;
	if (is_after && input.page > 1)
		violations_add(&exchange->violations, "page",
			       "The page field must be empty with after.");
	if (exchange->violations.count > 0)
		result = E_INVALID;
	if (result == OK)
		result = exchange_begin_list(exchange, input.per_page, input.page, &page);
	if (result != OK)
		return result;
	struct listing listing = { .query = query_of(exchange, &input, &page),
				   .is_after = is_after };
	result = exchange_read(exchange, list_transaction, &listing);
	if (result != OK)
		return result;
	if (is_after) {
		respond_after(exchange, &listing.list, &page);
		return OK;
	}
	const struct list_rows list = { listing.list.rows, sizeof(*listing.list.rows),
					listing.list.count, listing.total };
	exchange_respond_rows(exchange, event_fields, &list, &page);
	return OK;
}
