/*
 * Redirects requests for the former slug or domain of a page to its present address. Reads only the
 * disk. A private page has no former addresses: see publish/folder/former_address.h.
 */
#ifndef APP_PAGE_PAGE_MOVED_H
#define APP_PAGE_PAGE_MOVED_H

#include "app/exchange.h"

/* If the slug is a page's former slug, and no page has it now: redirects to that page, and sets
 * *is_moved. */
enum result page_moved_from_slug(struct exchange *exchange, const char *slug, bool *is_moved)
	MUST_USE;
/* Like page_moved_from_slug(), but for a domain. */
enum result page_moved_from_domain(struct exchange *exchange, const char *domain, bool *is_moved)
	MUST_USE;
/*
 * Whether requests for the domain are redirected. If so, a proxy needs a certificate for the
 * domain.
 */
enum result page_moved_has_domain(struct exchange *exchange, const char *domain, bool *has_domain)
	MUST_USE;
/* Returns the address of a page for the header Location. At the page's domain it is "/". */
const char *page_moved_address(struct exchange *exchange, const char *slug);
/* If the request has a slash after the name of a file, redirects to the address without the slash:
 * the file's relative links would not work otherwise. Returns false if there is no such slash. */
bool page_moved_from_slash(struct exchange *exchange);

#endif
