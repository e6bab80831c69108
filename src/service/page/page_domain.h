/*
 * Checks whether the new domain of a page is proven, if the installation requires a proof.
 *
 * The operation looks up DNS before its transaction, so that no transaction waits for DNS. The
 * transaction uses the result after it has locked the page's row and claimed the Idempotency-Key.
 */
#ifndef SERVICE_PAGE_PAGE_DOMAIN_H
#define SERVICE_PAGE_PAGE_DOMAIN_H

#include "domain/page/status_page.h"
#include "service/service.h"

struct page_domain {
	bool is_needed; /* the domain must be proven, unless the page already has it */
	bool is_proven;
	const char *violation; /* the text of the violation, if a required proof is missing */
};

/*
 * Looks up the proof of a domain in the form of domain_name_ascii(). Does nothing if the
 * configuration requires no proof. Otherwise executes one statement, or more if the installation
 * has no key for proofs yet. If a proof is required, looks up DNS for a domain that the page does
 * not have yet, or whose proof was missing. E_RATE_LIMITED: the account has made too many look-ups,
 * or too many threads of the process wait for DNS.
 */
enum result page_domain_look_up(struct service *service, const char *domain, int64_t page_id,
				struct page_domain *found) MUST_USE;

/* Sets page->domain_proof for the page's new domain. Adds the violation if a required proof is
 * missing. `before` is the former domain; NULL: none. A later call may have another `before`. */
void page_domain_settle(struct service *service, const struct page_domain *found,
			const char *before, struct status_page *page);
/* If this page has proven the domain, removes the domain from another page whose proof has lapsed.
 * Call it in the transaction, before the page is stored. */
enum result page_domain_take(struct service *service, const struct page_domain *found,
			     const struct status_page *page) MUST_USE;

#endif
