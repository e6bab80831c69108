/*
 * Checks the proof of the domain that a write gives to a page, if a proof is required.
 *
 * DNS is asked before the transaction, so that no transaction waits for DNS. The transaction
 * judges the result, after the page's row is locked and the Idempotency-Key is claimed.
 */
#ifndef SERVICE_PAGE_PAGE_DOMAIN_H
#define SERVICE_PAGE_PAGE_DOMAIN_H

#include "domain/page/status_page.h"
#include "service/service.h"

struct page_domain {
	bool is_needed; /* a domain must be proven unless the page has it already */
	bool is_proven;
	const char *violation; /* the sentence of the violation, if a needed proof is missing */
};

/*
 * Looks up the proof of a domain in the form of domain_name_ascii(). Costs one statement, unless
 * the configuration requires no proof. Costs a DNS look-up if the proof is needed, and the page has
 * another domain or its proof was missing. E_RATE_LIMITED: the account, or the process, has too
 * many look-ups.
 */
enum result page_domain_look_up(struct service *service, const char *domain, int64_t page_id,
				struct page_domain *found) MUST_USE;

/* Sets page->domain_proof for the page's new domain, or adds the violation. `before`: the former
 * domain (NULL: none). May be called again with another `before`. */
void page_domain_settle(struct service *service, const struct page_domain *found,
			const char *before, struct status_page *page);
/* Takes the domain from a page whose proof has lapsed, if this page has proven the domain. Runs in
 * the transaction, before the page is stored. */
enum result page_domain_take(struct service *service, const struct page_domain *found,
			     const struct status_page *page) MUST_USE;

#endif
