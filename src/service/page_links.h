/*
 * Signed links, which open a private or password page to all who have the link. A link is
 * computed from the signing key and stored nowhere: so there is no event, and no transaction.
 */
#ifndef SERVICE_PAGE_LINKS_H
#define SERVICE_PAGE_LINKS_H

#include "service/service.h"
#include "store/publication.h"

#define PAGE_LINK_MIN_S	    INT64_C(60)
#define PAGE_LINK_MAX_S	    (INT64_C(100) * 366 * 86400)
#define PAGE_LINK_DEFAULT_S (INT64_C(7) * 86400)

struct page_link {
	const char *url;
	struct instant expires_at;
};
extern const struct fields page_link_fields;

/*
 * Signs a link to the page of that slug, of any account, which expires after so many seconds.
 * E_NOT_FOUND; E_UNAVAILABLE: the signing key cannot be read.
 */
enum result service_link_slug(struct service *service, const char *slug, int64_t seconds,
			      struct page_link *link) MUST_USE;
/* The same for the page of that id and of the principal's account. */
enum result service_link_page(struct service *service, int64_t id, int64_t seconds,
			      struct page_link *link) MUST_USE;

#endif
