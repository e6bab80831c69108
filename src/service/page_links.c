#include "service/page_links.h"

#include "access/visitor_token.h"
#include "publish/pages_dir.h"

static const struct field rows[] = {
	FIELD(struct page_link, url, .flags = FIELD_NOT_EMPTY, .format = "uri",
	      .text = "Opens the page until the link expires."),
	FIELD(struct page_link, expires_at, .flags = FIELD_NOT_EMPTY),
};
const struct fields page_link_fields = { rows, ARRAY_LEN(rows) };

/* `page` is at its domain if it has one. */
static enum result sign_link(struct service *service, const struct status_page *page,
			     int64_t seconds, struct page_link *link)
{
	struct signing_key key;
	struct pages_dir dir CLEANUP(pages_dir_close) = PAGES_DIR_CLOSED;
	const struct visitor_grant grant = { VISITOR_BY_LINK, { service->now.s + seconds } };
	const struct page_access access = { .page_id = page->id };
	enum result result = pages_dir_open(&dir, service->config->pages_dir, service->error);
	if (result == OK)
		result = signing_key_make(dir.root_fd, &key, service->error);
	if (result != OK)
		return result;
	link->expires_at = grant.end;
	link->url = arena_printf(
		service->arena, "%s?link=%s",
		status_page_url(page, service->base_url, service->arena),
		visitor_token_sign(&key, VISITOR_LINK, &access, &grant, service->arena));
	return OK;
}

enum result service_link_slug(struct service *service, const char *slug, int64_t seconds,
			      struct page_link *link)
{
	struct publication found;
	enum result result =
		publication_find(service->db, slug, service->arena, &found, service->error);
	if (result != OK)
		return result;
	struct status_page page = { .id = found.id, .slug = found.slug };
	if (site_shows(service->site, found.domain))
		page.domain = found.domain;
	return sign_link(service, &page, seconds, link);
}

enum result service_link_page(struct service *service, int64_t id, int64_t seconds,
			      struct page_link *link)
{
	struct status_page page;
	enum result result = status_page_find(service->db, service->principal.account_id, id, false,
					      service->arena, &page, service->error);
	if (result != OK)
		return result;
	if (!status_page_is_at_domain(&page, service->site))
		page.domain = NULL;
	return sign_link(service, &page, seconds, link);
}
