/*
 * Finds the target of a request by its host: the installation itself, or the page with this
 * domain. On its domain, a page is at the root, and nothing else is served.
 *
 * Reads the pages folder, not the database.
 */
#ifndef APP_PAGE_PAGE_HOST_H
#define APP_PAGE_PAGE_HOST_H

#include "app/exchange.h"

/*
 * Sets exchange->site. Rewrites a request for a page's domain to a request for that page below /s/,
 * and sets exchange->is_page_domain; without base_url there are no domains. E_NOT_FOUND: the
 * request is for a page, but its Host is neither base_url's nor a page's domain; or it is for the
 * console's own host, and not for the console. With exchange->is_moved the response redirects to
 * the page that had the domain.
 */
enum result page_host_resolve(struct exchange *exchange) MUST_USE;

/* Whether the request's Host belongs neither to the installation nor to a page. */
bool page_host_is_foreign(struct exchange *exchange);

/*
 * Whether the client's address and all addresses in X-Forwarded-For are in the list: then the
 * request does not come from a visitor behind a proxy.
 */
bool page_host_is_among(struct exchange *exchange, const char *list);

/* The path of base_url: "", or without a slash at its end "/status". */
const char *page_host_base_path(const struct exchange *exchange);
/* The path of the page on the request's host, with a slash at its end: "/s/acme/", "/". */
const char *page_host_path(struct exchange *exchange, const char *slug);
/* Content-Security-Policy of the page on the request's host. */
const char *page_host_policy(const struct exchange *exchange);
/* The same for a file of the page. */
const char *page_host_file_policy(const struct exchange *exchange, const char *name);

/*
 * GET /internal/domain-check?domain=: 200 if the domain belongs to a page, or is redirected to the
 * page that had it; otherwise E_NOT_FOUND. Clients that are not internal (see the configuration)
 * always get E_NOT_FOUND.
 */
enum result page_host_check(struct exchange *exchange);
extern const struct fields page_host_check_fields;

#endif
