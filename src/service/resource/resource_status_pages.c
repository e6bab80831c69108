/* The lists and objects of status pages, and of their links. */
#include "service/page/page_links.h"
#include "service/resource/resource.h"
#include "store/page/status_page.h"

static const char *const name_words[] = { "name", NULL };
static const char *const page_sort_words[] = { "id", "name", NULL };

static const struct field page_query_rows[] = {
	RESOURCE_SEARCH_ROWS(struct status_page_query, list., name_words, "The field to search."),
	FIELD(struct status_page_query, monitor_id, .min = 1, .max = INT64_MAX,
	      .text = "Only pages that show this monitor."),
	RESOURCE_ORDER_ROWS(struct status_page_query, list., "status pages", page_sort_words, "id",
			    "The order of the list."),
};
const struct fields status_pages_query_fields = { page_query_rows, ARRAY_LEN(page_query_rows) };
static const struct status_page_query page_query_defaults = { 0 };

static const char *file_url(const char *shared, const char *file, struct arena *arena)
{
	return file ? arena_printf(arena, "%s%s", shared, file) : NULL;
}

/* Returns the page with its addresses. The addresses of its files begin with base_url and not with
 * the page's domain, because the DNS of the domain may not lead to this installation yet. */
static const void *present_page(struct service *service, const void *row)
{
	struct arena *arena = service->arena;
	struct status_page *page = ARENA_NEW(arena, struct status_page);
	*page = *(const struct status_page *)row;
	const char *shared = status_page_shared_url(page, service->base_url, arena);
	page->url = status_page_is_at_domain(page, service->site)
			    ? status_page_url(page, service->base_url, arena)
			    : shared;
	page->logo_url = file_url(shared, page->logo_file, arena);
	page->logo_dark_url = file_url(shared, page->logo_dark_file, arena);
	page->header_image_url = file_url(shared, page->header_image_file, arena);
	page->favicon_url = file_url(shared, page->favicon_file, arena);
	return page;
}

static enum result list_pages(struct service *service, const void *query,
			      struct resource_rows *rows)
{
	struct status_page_list found;
	enum result result =
		status_page_list(service->db, query, service->arena, &found, service->error);
	*rows = (struct resource_rows){ found.rows, sizeof(*found.rows), found.count, found.total };
	return result;
}

static enum result find_page(struct service *service, const struct resource_place *place, void *row)
{
	return status_page_find(service->db, service->principal.account_id, place->id, false,
				service->arena, row, service->error);
}

static int64_t page_revision(const void *row)
{
	const struct status_page *page = row;
	return page->version;
}

const struct resource resource_status_pages = {
	.object = "status_page",
	.shown = &status_page_resource_fields,
	.listed = &status_page_listed_fields,
	.row_bytes = sizeof(struct status_page),
	.find = find_page,
	.present = present_page,
	.revision = page_revision,
	.query_defaults = &page_query_defaults,
	.query_bytes = sizeof(page_query_defaults),
	.list = list_pages,
};

/* The links of a page. */

static const char *const label_words[] = { "label", NULL };
static const char *const link_sort_words[] = { "id", "expires_at", NULL };

static const struct field link_query_rows[] = {
	RESOURCE_SEARCH_ROWS(struct list_query, , label_words, "The field to search."),
	RESOURCE_ORDER_ROWS(struct list_query, , "links", link_sort_words, "id",
			    "The order of the list."),
};
const struct fields page_links_query_fields = { link_query_rows, ARRAY_LEN(link_query_rows) };
static const struct list_query link_query_defaults = { 0 };

static enum result list_links(struct service *service, const void *query,
			      struct resource_rows *rows)
{
	struct page_link_list found;
	enum result result =
		page_link_list(service->db, query, service->arena, &found, service->error);
	*rows = (struct resource_rows){ found.rows, sizeof(*found.rows), found.count, found.total };
	return result;
}

const struct resource resource_page_links = {
	.object = "link",
	.shown = &page_link_created_fields,
	.listed = &page_link_fields,
	.row_bytes = sizeof(struct page_link),
	.query_defaults = &link_query_defaults,
	.query_bytes = sizeof(link_query_defaults),
	.list = list_links,
};
