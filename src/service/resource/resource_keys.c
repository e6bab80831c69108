/* The lists and objects of API keys. */
#include "service/resource/resource.h"
#include "store/account/api_key.h"

static const char *const search_words[] = { "label", NULL };
/* In the order of enum api_key_sort. */
static const char *const sort_words[] = { "id", "label", NULL };

static const struct field query_rows[] = {
	RESOURCE_SEARCH_ROWS(struct list_query, , search_words, "The field to search."),
	RESOURCE_ORDER_ROWS(struct list_query, , "keys", sort_words, "id",
			    "The order of the list."),
};
const struct fields keys_query_fields = { query_rows, ARRAY_LEN(query_rows) };
static const struct list_query query_defaults = { 0 };

static enum result list_keys(struct service *service, const void *query, struct resource_rows *rows)
{
	struct api_key_page found;
	enum result result =
		api_key_list_page(service->db, query, service->arena, &found, service->error);
	*rows = (struct resource_rows){ found.rows, sizeof(*found.rows), found.count, found.total };
	return result;
}

static enum result list_after(struct service *service, int64_t account_id, int64_t after_id,
			      struct resource_rows *rows)
{
	struct api_key_list found;
	enum result result = api_key_list(service->db, account_id, after_id, service->arena, &found,
					  service->error);
	*rows = (struct resource_rows){ found.rows, sizeof(*found.rows), found.count };
	return result;
}

static enum result find_key(struct service *service, const struct resource_place *place, void *row)
{
	return api_key_show(service->db, service->principal.account_id, place->id, service->arena,
			    row, service->error);
}

/* The member `revision` is NULL, so the revision is a hash. It also changes when the key is used,
 * because clients can read the time of the last use. */
const struct resource resource_keys = {
	.object = "key",
	.shown = &key_resource_fields,
	.listed = &key_resource_fields,
	.row_bytes = sizeof(struct api_key),
	.find = find_key,
	.query_defaults = &query_defaults,
	.query_bytes = sizeof(query_defaults),
	.list = list_keys,
	.list_after = list_after,
};
