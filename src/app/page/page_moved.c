#include "app/page/page_moved.h"

#include <string.h>

#include "publish/folder/former_address.h"

/* Clients may cache a redirect for five minutes only: another page may get the former address. */
static const char redirect_cache[] = "public, max-age=300";

static enum result find(struct exchange *exchange, enum pages_place place, const char *name,
			struct former_address *found)
{
	struct pages_reader reader CLEANUP(pages_reader_close) = PAGES_READER_CLOSED;
	*found = (struct former_address){ 0 };
	enum result result =
		pages_reader_open(&reader, exchange->config->pages_dir, &exchange->error);
	return result == OK ? former_address_find(&reader, place, name, &exchange->arena, found,
						  &exchange->error)
			    : result;
}

static bool is_plain(const char *segment)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789._-";
	return segment[0] != '\0' && segment[0] != '.' && segment[strspn(segment, plain)] == '\0';
}

/* Returns the request's path below the page, or "" if the path cannot name a file of a page. */
static const char *path_from(struct exchange *exchange, size_t first)
{
	const struct request *request = &exchange->request;
	const char *path = "";
	for (size_t i = first; i < request->segment_count; i++) {
		if (!is_plain(request->segments[i]))
			return "";
		path = arena_printf(&exchange->arena, "%s%s%s", path, i > first ? "/" : "",
				    request->segments[i]);
	}
	return path;
}

/*
 * Returns the query of the request, such as "?plain=1", or "" if it has characters that are not
 * allowed in a header.
 */
static const char *query_of(struct exchange *exchange)
{
	struct str query = exchange->request.query;
	for (size_t i = 0; i < query.len; i++)
		if (query.data[i] <= ' ' || query.data[i] > '~' || query.data[i] == '"')
			return "";
	return query.len > 0 ? arena_printf(&exchange->arena, "?%.*s", (int)query.len, query.data)
			     : "";
}

const char *page_moved_address(struct exchange *exchange, const char *slug)
{
	return exchange->is_page_domain ? "/"
					: arena_printf(&exchange->arena, "%s/s/%s/",
						       exchange->request.base_url, slug);
}

static void redirect(struct exchange *exchange, const char *page, const char *path)
{
	struct response *response = &exchange->response;
	response->status = 301;
	response_header(response, "Location", "%s%s%s", page, path, query_of(exchange));
	response_header(response, "Cache-Control", "%s", redirect_cache);
}

enum result page_moved_from_slug(struct exchange *exchange, const char *slug, bool *is_moved)
{
	struct former_address found;
	*is_moved = false;
	/* At the domain of a page, do not redirect from its slug, even if its files are missing. */
	if (exchange->is_page_domain)
		return OK;
	enum result result = find(exchange, PAGES_FORMER, slug, &found);
	if (result != OK || !found.slug)
		return result;
	/* The segments are "s", the slug, and the path. */
	redirect(exchange, page_moved_address(exchange, found.slug), path_from(exchange, 2));
	*is_moved = true;
	return OK;
}

enum result page_moved_from_domain(struct exchange *exchange, const char *domain, bool *is_moved)
{
	struct former_address found;
	*is_moved = false;
	enum result result = find(exchange, PAGES_FORMER_HOST, domain, &found);
	if (result != OK || !found.slug)
		return result;
	const struct status_page page = { .slug = found.slug, .domain = found.domain };
	const char *url = status_page_url(&page, exchange->config->base_url, &exchange->arena);
	redirect(exchange, url, path_from(exchange, 0));
	*is_moved = true;
	return OK;
}

enum result page_moved_has_domain(struct exchange *exchange, const char *domain, bool *has_domain)
{
	struct former_address found;
	enum result result = find(exchange, PAGES_FORMER_HOST, domain, &found);
	*has_domain = found.slug != NULL;
	return result;
}

bool page_moved_from_slash(struct exchange *exchange)
{
	const struct request *request = &exchange->request;
	/* The segments are "s", the slug, and the path. */
	const char *path = request->has_final_slash ? path_from(exchange, 2) : "";
	if (path[0] == '\0')
		return false;
	exchange->response.status = 308;
	response_header(&exchange->response, "Location", "%s%s%s",
			page_moved_address(exchange, request->segments[1]), path,
			query_of(exchange));
	return true;
}
