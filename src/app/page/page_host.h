/*
 * Decides by the Host of a request whether the request is for the installation itself, or for the
 * page that has this domain. At its domain, the page is at the root.
 *
 * Reads the pages folder, not the database.
 */
#ifndef APP_PAGE_PAGE_HOST_H
#define APP_PAGE_PAGE_HOST_H

#include "app/exchange.h"

/*
 * Rewrites a request for a page's domain to a request for that page below /s/, and sets
 * exchange->is_page_domain. Without base_url, pages have no domains. Returns E_NOT_FOUND in these
 * cases:
 *   - A page had the domain before. The response redirects to the page, and exchange->is_moved is
 *     set.
 *   - The request is for a page, but the Host is neither the installation's nor a page's domain.
 *   - The Host is the console's own, but the request is not for the console.
 */
enum result page_host_resolve(struct exchange *exchange) MUST_USE;

/* Whether the request's Host belongs neither to the installation nor to a page. */
bool page_host_is_foreign(struct exchange *exchange);

/*
 * Whether the client's address and all addresses in X-Forwarded-For are in the list. If false, the
 * request may come from a visitor through a proxy.
 */
bool page_host_is_among(struct exchange *exchange, const char *list);

/* Returns the path of base_url without a slash at its end: "" or "/status". */
const char *page_host_base_path(const struct exchange *exchange);
/* Returns the path of the page on the request's host, with a slash at its end: "/s/acme/" or "/".
 */
const char *page_host_path(struct exchange *exchange, const char *slug);
/* Returns the Content-Security-Policy of the page on the request's host. */
const char *page_host_policy(const struct exchange *exchange);
/* Like page_host_policy(), for a file of the page. */
const char *page_host_file_policy(const struct exchange *exchange, const char *name);

/*
 * GET /internal/domain-check?domain=: 200 if a page has the domain, or if requests for the domain
 * are redirected to the page that had it; otherwise E_NOT_FOUND. Clients that are not in the
 * setting internal_clients always get E_NOT_FOUND.
 */
enum result page_host_check(struct exchange *exchange);
extern const struct fields page_host_check_fields;

#endif
