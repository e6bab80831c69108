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
 * Sets exchange->site. Makes a request to a page's domain one for that page below
 * /s/, and sets exchange->is_page_domain; while base_url is not set none is. E_MISSING: it asks for a page under a name that is
 * nobody's, neither the installation's (where base_url says which that is) nor
 * a page's.
 */
enum result page_host_resolve(struct exchange *exchange) MUST_USE;

/*
 * GET /internal/domain-check?domain=: whether a page is seen at that domain. For the
 * internal clients of the configuration only; E_MISSING for others.
 */
enum result page_host_check(struct exchange *exchange);
extern const struct fields page_host_check_fields;

#endif
