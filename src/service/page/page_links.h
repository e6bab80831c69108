/* The operations on signed links. A write runs in one transaction and appends an event. */
#ifndef SERVICE_PAGE_PAGE_LINKS_H
#define SERVICE_PAGE_PAGE_LINKS_H

#include "service/service.h"
#include "store/page/page_link.h"

/*
 * Signs a link to the page that `owner` names. The link expires after input->expires_in seconds,
 * and link->url is its address. The page must be in the principal's account. E_NOT_FOUND.
 * E_INVALID, with violations, also if the quota is used up.
 */
enum result service_create_link(struct service *service, const struct page_link_owner *owner,
				const struct page_link_input *input, struct page_link *link)
	MUST_USE;

/* Lists all valid links of the page, newest first, without their urls. E_NOT_FOUND: there is no
 * such page. */
enum result service_list_links(struct service *service, const struct page_link_owner *owner,
			       struct page_link_list *list) MUST_USE;

/*
 * Withdraws the link link->id. All cookies and asset tokens that visitors got by this link become
 * invalid. Publishes the page. E_NOT_FOUND: there is no such page or link, or the link has ended.
 */
enum result service_withdraw_link(struct service *service, const struct page_link_owner *owner,
				  struct page_link *link) MUST_USE;

#endif
