/*
 * Whose host a request came to: the installation's own, or a page's domain,
 * which shows that page at its root and nothing else.
 *
 * Asks the published state, not the database: the pages folder knows the
 * domains.
 */
#ifndef APP_PAGE_HOST_H
#define APP_PAGE_HOST_H

#include "app/exchange.h"

/*
 * Sets exchange->site. Makes a request to a page's domain a request for that page below /s/,
 * and sets exchange->is_page_domain; without base_url there are no domains. E_NOT_FOUND: the
 * request is for a page, under a host name that is neither the installation's nor a page's.
 */
enum result page_host_resolve(struct exchange *exchange) MUST_USE;

/*
 * GET /internal/domain-check?domain=: whether a page is seen at that domain. For the
 * internal clients of the configuration only; E_NOT_FOUND for others.
 */
enum result page_host_check(struct exchange *exchange);
extern const struct fields page_host_check_fields;

#endif
