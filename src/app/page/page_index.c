#include "app/handlers.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "app/page/page_admission.h"
#include "app/page/page_host.h"
#include "app/page/page_problem.h"
#include "publish/folder/pages_dir.h"
#include "view/service_html.h"
#include "wire/json.h"
#include "wire/json_read.h"

enum { PAGE_INDEX_MAX = 500 };

/* The smallest file that has the page's name and address. */
#define ABOUT_FILE "status.json"
enum { ABOUT_MAX_BYTES = 16 * 1024 };

static int compare_names(const void *one, const void *other)
{
	const struct service_list_entry *a = one, *b = other;
	int order = strcasecmp(a->name, b->name);
	return order != 0 ? order : strcmp(a->url, b->url);
}

/* Reads a page's name and address. Returns false if the page was removed after its folder was
 * listed. */
static bool read_entry(struct exchange *exchange, const struct pages_dir *dir, const char *slug,
		       struct service_list_entry *entry)
{
	struct arena *arena = &exchange->arena;
	struct json_object *root;
	struct error ignored = { 0 };
	const char *text;
	if (pages_dir_load(dir, PAGES_PUBLIC, slug, ABOUT_FILE, ABOUT_MAX_BYTES, arena, &text,
			   &ignored) != OK ||
	    !text || json_read(str_from(text), &root, &ignored) != OK)
		return false;
	struct json_object *page = json_member(root, "page");
	entry->name = json_text(json_member(page, "name"), arena);
	entry->url = json_text(json_member(page, "url"), arena);
	json_free(root);
	/* Without base_url, the file has only the path of the page. */
	if (entry->url && !strstr(entry->url, "://"))
		entry->url = arena_printf(arena, "%s/s/%s/", exchange->request.base_url, slug);
	return entry->name && entry->url;
}

static enum result list_pages(struct exchange *exchange)
{
	struct pages_dir dir CLEANUP(pages_dir_close);
	struct pages_names slugs;
	enum result result = pages_dir_open(&dir, exchange->config->pages_dir, &exchange->error);
	if (result == OK)
		result = pages_dir_folders(&dir, PAGES_PUBLIC, &exchange->arena, &slugs,
					   &exchange->error);
	if (result != OK)
		return result;
	pages_names_sort(&slugs);
	struct service_list_entry *entries =
		arena_array(&exchange->arena, PAGE_INDEX_MAX, sizeof(*entries));
	size_t count = 0;
	for (size_t i = 0; i < slugs.count && count < PAGE_INDEX_MAX; i++)
		count += read_entry(exchange, &dir, slugs.names[i], &entries[count]);
	qsort(entries, count, sizeof(*entries), compare_names);
	service_list_html(&exchange->response.body, entries, count);
	response_header(&exchange->response, "Cache-Control", "public, max-age=60");
	page_problem_is_html(exchange, 200);
	return OK;
}

enum result page_index_show(struct exchange *exchange)
{
	if (strcmp(exchange->config->pages_index, CONFIG_INDEX_LIST) == 0)
		return list_pages(exchange);
	service_root_html(&exchange->response.body);
	response_header(&exchange->response, "X-Robots-Tag", "noindex");
	page_problem_is_html(exchange, 404);
	return OK;
}

/* At the domain of a private page, admits only visitors who may see the page. Responds 404 to all
 * others, as at a domain without a page. Sets *is_done if the response is complete. */
static enum result admit_at_domain(struct exchange *exchange, bool *is_done)
{
	struct pages_reader reader CLEANUP(pages_reader_close) = PAGES_READER_CLOSED;
	struct page_visit visit = { .reader = &reader, .slug = exchange->match.params[0] };
	*is_done = false;
	if (!exchange->is_page_domain)
		return OK;
	enum result result = page_admission_is_private(exchange, visit.slug, is_done);
	if (result != OK || !*is_done)
		return result;
	result = pages_reader_open(&reader, exchange->config->pages_dir, &exchange->error);
	if (result == OK)
		result = page_admission_check(exchange, &visit);
	*is_done = visit.admission != ADMISSION_OPEN;
	if (result == OK && *is_done && visit.admission != ADMISSION_REDIRECT)
		page_problem_not_found(exchange);
	return result;
}

enum result page_index_sign(struct exchange *exchange)
{
	bool is_done;
	enum result result = admit_at_domain(exchange, &is_done);
	if (result != OK || is_done)
		return result;
	buf_puts(&exchange->response.body,
		 "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1\" height=\"1\"/>");
	exchange->response.content_type = "image/svg+xml; charset=utf-8";
	page_problem_set_private(exchange);
	return OK;
}

enum result page_index_robots(struct exchange *exchange)
{
	struct buf *body = &exchange->response.body;
	buf_puts(body, "User-agent: *\n");
	static const char *const closed[] = { "api", "hooks", "internal" };
	for (size_t i = 0; i < ARRAY_LEN(closed); i++)
		buf_printf(body, "Disallow: %s/%s/\n", page_host_base_path(exchange), closed[i]);
	buf_puts(body, "Allow: /\n");
	response_header(&exchange->response, "Cache-Control", "public, max-age=3600");
	exchange->response.content_type = "text/plain; charset=utf-8";
	return OK;
}
