/*
 * Whether the domain that a write gives to a page is proven, where a proof is required.
 *
 * DNS is asked before the transaction, so that no transaction waits for DNS. The finding is judged
 * in the transaction, when the page's row is locked and the Idempotency-Key is claimed.
 */
#ifndef SERVICE_PAGE_PAGE_DOMAIN_H
#define SERVICE_PAGE_PAGE_DOMAIN_H

#include "domain/status_page.h"
#include "service/service.h"

struct page_domain {
	bool is_needed; /* another domain than the page has must be proven */
	bool is_proven;
	const char *violation; /* a sentence, where it is needed and not proven */
};

/*
 * Looks up the proof of a domain in the form of domain_name_ascii(). Costs one statement, unless
 * the configuration requires no proof, and a DNS look-up if the page has another domain or its
 * proof was missing. E_RATE_LIMITED: the account, or the process, has too many look-ups.
 */
enum result page_domain_look_up(struct service *service, const char *domain, int64_t page_id,
				struct page_domain *found) MUST_USE;

/*
 * Sets page->domain_proof for its domain, where that was `before` until now (NULL: none);
 * or adds the violation. May be called again with another `before`.
 */
void page_domain_settle(struct service *service, const struct page_domain *found,
			const char *before, struct status_page *page);
/*
 * In the transaction, before the page is stored: takes the domain from a page whose proof has
 * lapsed, if this page has proven it.
 */
enum result page_domain_take(struct service *service, const struct page_domain *found,
			     const struct status_page *page) MUST_USE;

#endif
