#include "app/status_pages.h"

#include "app/operation.h"
#include "app/respond.h"
#include "store/page/status_page.h"
#include "wire/json.h"

/* GET / */

struct list_input {
	const char *search;
	int search_by;
	int64_t monitor_id;
	int sort_by;
	int sort;
	int per_page;
	int64_t page;
};

static const char *const search_by_choices[] = { "name", NULL };
static const char *const sort_by_choices[] = { "id", "name", NULL };

#define QUERY(member, ...) FIELD(struct list_input, member, __VA_ARGS__)
static const struct field query_rows[] = {
	QUERY(search, .max_chars = 255,
	      .text = "Text in the name. Letter case is ignored; % and _ are ordinary characters."),
	QUERY(search_by, .choices = search_by_choices, .text = "The field to search."),
	QUERY(monitor_id, .min = 1, .max = INT64_MAX, .text = "Only pages that show this monitor."),
	QUERY(sort_by, .choices = sort_by_choices, .default_value = "id",
	      .text = "The order of the list."),
	QUERY(sort, .choices = exchange_sort_choices, .default_value = "desc",
	      .text = "The direction of the order."),
	EXCHANGE_PAGE_ROWS(struct list_input, "status pages"),
};
const struct fields status_pages_query_fields = { query_rows, ARRAY_LEN(query_rows) };

static const char *file_url(const char *shared, const char *file, struct arena *arena)
{
	return file ? arena_printf(arena, "%s%s", shared, file) : NULL;
}

/*
 * The files have addresses of the installation, which the client has reached; the DNS of the
 * page's domain may not lead here yet.
 */
void status_page_locate(struct exchange *exchange, struct status_page *page)
{
	struct arena *arena = &exchange->arena;
	const char *base_url = exchange->request.base_url;
	const char *shared = status_page_shared_url(page, base_url, arena);
	page->url = status_page_is_at_domain(page, exchange->site)
			    ? status_page_url(page, base_url, arena)
			    : shared;
	page->logo_url = file_url(shared, page->logo_file, arena);
	page->logo_dark_url = file_url(shared, page->logo_dark_file, arena);
	page->favicon_url = file_url(shared, page->favicon_file, arena);
}

struct json_object *status_page_tree(struct exchange *exchange, struct status_page *page,
				     struct fields fields)
{
	struct json_object *tree = json_object_tree();
	status_page_locate(exchange, page);
	json_put_fields(tree, fields, page);
	return tree;
}

enum result status_pages_list(struct exchange *exchange)
{
	struct list_input input = { .page = 1, .per_page = exchange_per_page_default(exchange) };
	struct list_page page;
	enum result result = exchange_query(exchange, &input);
	if (result == OK)
		result = exchange_begin_list(exchange, input.per_page, input.page, &page);
	if (result != OK)
		return result;
	struct status_page_list list;
	const struct status_page_query query = {
		.account_id = exchange->principal.account_id,
		.search = input.search,
		.monitor_id = input.monitor_id,
		.sort_by = input.sort_by,
		.is_ascending = input.sort == 1,
		.limit = page.size,
		.offset = page.offset,
	};
	result = status_page_list(exchange->db, &query, &exchange->arena, &list, &exchange->error);
	if (result != OK)
		return result;
	for (size_t i = 0; i < list.count; i++)
		status_page_locate(exchange, &list.rows[i]);
	const struct list_rows rows = { list.rows, sizeof(*list.rows), list.count, list.total };
	exchange_respond_rows(exchange, status_page_listed_fields, &rows, &page);
	return OK;
}
