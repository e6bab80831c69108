/*
 * Redirects requests for the former slug or domain of a page to its present address. Reads only the
 * disk. A private page has no former addresses: see publish/folder/former_address.h.
 */
#ifndef APP_PAGE_PAGE_MOVED_H
#define APP_PAGE_PAGE_MOVED_H

#include "app/exchange.h"

/* Redirects a request for a slug that no page has to the page that had the slug. *is_moved: the
 * response is complete. */
enum result page_moved_from_slug(struct exchange *exchange, const char *slug, bool *is_moved)
	MUST_USE;
/* Like page_moved_from_slug(), for a domain that no page has. */
enum result page_moved_from_domain(struct exchange *exchange, const char *domain, bool *is_moved)
	MUST_USE;
/*
 * Whether requests for the domain are redirected. If so, a proxy needs a certificate for the
 * domain.
 */
enum result page_moved_has_domain(struct exchange *exchange, const char *domain, bool *has_domain)
	MUST_USE;
/* Returns the address of a page for Location: "/" if the request came to the page's domain. */
const char *page_moved_address(struct exchange *exchange, const char *slug);
/* Redirects a request that has a slash after the name of a file, because the file's relative links
 * would not work there. Returns false if the request has no such slash. */
bool page_moved_from_slash(struct exchange *exchange);

#endif
