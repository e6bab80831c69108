/* The lists and objects of texts that wait for a second person. */
#include "service/resource/resource.h"
#include "store/incident/pending_update.h"

static const char *const sort_words[] = { "created_at", NULL };
static const struct field query_rows[] = {
	FIELD(struct pending_query, incident_id, .min = 1, .max = INT64_MAX,
	      .text = "Only texts about this incident."),
	RESOURCE_ORDER_ROWS(struct pending_query, list., "texts", sort_words, "created_at",
			    "The order of the list."),
};
const struct fields pending_updates_query_fields = { query_rows, ARRAY_LEN(query_rows) };
static const struct pending_query query_defaults = { 0 };

/* Reads all waiting texts of the account at once, because an account has few of them. */
static enum result list_pending(struct service *service, const void *asked,
				struct resource_rows *rows)
{
	const struct pending_query *query = asked;
	struct db_list found;
	enum result result = pending_update_list(service->db, query->list.account_id,
						 query->incident_id, service->arena, &found,
						 service->error);
	if (result != OK)
		return result;
	const struct pending_update *all = found.rows;
	int64_t total = (int64_t)found.count, end = query->list.offset + query->list.limit;
	struct pending_update *some =
		ARENA_ARRAY(service->arena, found.count, struct pending_update);
	*rows = (struct resource_rows){ some, sizeof(*some), 0, total };
	for (int64_t i = query->list.offset; i < total && i < end; i++)
		some[rows->count++] = all[query->list.is_ascending ? i : total - 1 - i];
	return OK;
}

static enum result find_pending(struct service *service, const struct resource_place *place,
				void *row)
{
	return pending_update_find(service->db, service->principal.account_id, place->id,
				   service->arena, row, service->error);
}

const struct resource resource_pending_updates = {
	.object = "pending_update",
	.shown = &pending_update_fields,
	.listed = &pending_update_fields,
	.row_bytes = sizeof(struct pending_update),
	.find = find_pending,
	.query_defaults = &query_defaults,
	.query_bytes = sizeof(query_defaults),
	.list = list_pending,
};
