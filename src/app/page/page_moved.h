/*
 * Redirects requests for the former slug or domain of a page to where the page is now. Reads the
 * disk only. A private page has no former addresses: see publish/folder/former_address.h.
 */
#ifndef APP_PAGE_PAGE_MOVED_H
#define APP_PAGE_PAGE_MOVED_H

#include "app/exchange.h"

/* To be called when no page has the slug. *is_moved: the redirect is the response. */
enum result page_moved_from_slug(struct exchange *exchange, const char *slug, bool *is_moved)
	MUST_USE;
/* The same for a domain that no page has. */
enum result page_moved_from_domain(struct exchange *exchange, const char *domain, bool *is_moved)
	MUST_USE;
/* Whether requests for the domain are redirected, so that a proxy needs a certificate for it. */
enum result page_moved_has_domain(struct exchange *exchange, const char *domain, bool *has_domain)
	MUST_USE;
/* The address of a page for a Location: the root of the page's own domain if the request is there.
 */
const char *page_moved_address(struct exchange *exchange, const char *slug);
/* Redirects a request with a slash behind the name of a file: the file's links would lead nowhere.
 * False: there is no slash. */
bool page_moved_from_slash(struct exchange *exchange);

#endif
