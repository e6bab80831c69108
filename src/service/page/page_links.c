#include "service/page/page_links.h"

#include "access/visitor_token.h"

/* The state of an operation on a link. */
struct link_work {
	struct page_link_owner owner;
	struct status_page page;
	struct page_link *link;
	struct signing_key key;
};

static enum result find_page(struct service *service, struct link_work *work, bool is_locked)
{
	work->owner.account_id = service->principal.account_id;
	work->owner.is_locked = is_locked;
	return page_link_owner_find(service->db, &work->owner, service->arena, &work->page,
				    service->error);
}

static void add_event(struct service *service, const struct link_work *work, enum event_kind kind)
{
	const struct page_link *link = work->link;
	char end[INSTANT_TEXT_SIZE];
	instant_format(link->expires_at, end);
	service_add_event(service,
			  &(struct event_change){
				  .kind = kind,
				  .account_id = work->page.account_id,
				  .object_id = work->page.id,
				  .detail = arena_printf(service->arena, "link %lld, until %s%s%s",
							 (long long)link->id, end,
							 link->label ? ": " : "", link->label),
			  });
}

/* Returns the URL of the link. It has the page's domain if the site can show the page there. */
static const char *url_of(struct service *service, struct link_work *work)
{
	const struct page_link *link = work->link;
	const struct visitor_grant grant = { VISITOR_BY_LINK, link->expires_at, link->id };
	const struct page_access access = { .page_id = work->page.id };
	if (!site_shows(service->site, work->page.domain))
		work->page.domain = NULL;
	return arena_printf(
		service->arena, "%s?link=%s",
		status_page_url(&work->page, service->base_url, service->arena),
		visitor_token_sign(&work->key, VISITOR_LINK, &access, &grant, service->arena));
}

static enum result create_work(struct service *service, void *context)
{
	struct link_work *work = context;
	struct page_link *link = work->link;
	enum result result = find_page(service, work, true);
	if (result == OK)
		result = service_admit(service, &work->page);
	if (result != OK)
		return result;
	link->page_id = work->page.id;
	result = page_link_insert(service->db, link, service->error);
	if (result == E_QUOTA_EXCEEDED) {
		violations_add(service->violations, "links", "%s", service->error->client);
		*service->error = (struct error){ 0 };
		return E_INVALID;
	}
	if (result != OK)
		return result;
	link->url = url_of(service, work);
	add_event(service, work, EVENT_LINK_CREATED);
	return OK;
}

enum result service_create_link(struct service *service, const struct page_link_owner *owner,
				const struct page_link_input *input, struct page_link *link)
{
	const struct principal *principal = &service->principal;
	struct link_work work = { .owner = *owner, .link = link };
	struct page_link_input checked = *input;
	fields_check_texts(page_link_create_fields, &checked, FIELD_SET_NONE, service->arena,
			   service->violations);
	if (service->violations->count > 0)
		return E_INVALID;
	*link = (struct page_link){
		.label = checked.label,
		.actor_type = principal_type_word(principal->type),
		.actor_id = principal->id,
		.actor_label = principal->label && principal->label[0] ? principal->label : NULL,
		.created_at = service->now,
		.expires_at = { service->now.s + checked.expires_in },
	};
	enum result result = service_read_key(service, &work.key);
	return result == OK ? service_transact(service, PERMISSION_MANAGE, create_work, &work, link)
			    : result;
}

enum result service_list_links(struct service *service, const struct page_link_owner *owner,
			       struct page_link_list *list)
{
	struct link_work work = { .owner = *owner };
	if (!principal_may(&service->principal, PERMISSION_READ))
		return E_FORBIDDEN;
	enum result result = find_page(service, &work, false);
	const struct list_query query = {
		.account_id = service->principal.account_id,
		.owner_id = work.page.id,
		.limit = PAGE_LINKS_MAX,
		.now = service->now,
	};
	return result == OK
		       ? page_link_list(service->db, &query, service->arena, list, service->error)
		       : result;
}

static enum result mark_dirty(struct service *service, void *context)
{
	const struct link_work *work = context;
	return publication_mark_access_dirty(service->db, work->page.account_id, work->page.id,
					     service->now, service->error);
}

static enum result withdraw_work(struct service *service, void *context)
{
	struct link_work *work = context;
	struct page_link *link = work->link;
	enum result result = find_page(service, work, true);
	link->page_id = work->page.id;
	if (result == OK)
		result = page_link_lock(service->db, link, service->now, service->arena,
					service->error);
	if (result == OK)
		result = service_admit(service, link);
	if (result == OK)
		result = page_link_withdraw(service->db, link->id, service->now, service->error);
	if (result != OK)
		return result;
	add_event(service, work, EVENT_LINK_WITHDRAWN);
	service_mark_page(service,
			  &(struct publish_order){ .page_id = link->page_id, .joins = true });
	service->publishing.tightened_page = link->page_id;
	return service_write_last(service, mark_dirty, work);
}

enum result service_withdraw_link(struct service *service, const struct page_link_owner *owner,
				  struct page_link *link)
{
	struct link_work work = { .owner = *owner, .link = link };
	return service_transact(service, PERMISSION_MANAGE, withdraw_work, &work, link);
}
