/* Searches DNS for the records that prove the domains of pages: see domain/page/domain_proof.h. */
#ifndef PUBLISH_DOMAIN_CHECK_H
#define PUBLISH_DOMAIN_CHECK_H

#include "base/config/config.h"
#include "db/db.h"
#include "domain/page/domain_proof.h"
#include "store/page/domain_claim.h"

/* The TXT record that proves a domain. */
struct domain_record {
	const char *name;
	const char *value;
};

/* Searches DNS for the record, at most DNS_PATIENCE_MS. DOMAIN_PROOF_UNKNOWN: *why has the
 * reason. */
enum domain_proof_outcome domain_record_find(const struct config *config,
					     const struct domain_record *record,
					     struct arena *arena, const char **why);

/* Called after each domain, with `why` of domain_record_find(). claim->proof was just stored. */
typedef void domain_recheck_progress(void *context, const struct domain_claim *claim,
				     enum domain_proof_outcome outcome, const char *why);

struct domain_recheck {
	struct db *db; /* a connection without an open transaction */
	const struct config *config;
	struct instant now;
	bool is_all;	    /* true: all domains; false: domains that were not checked for
			       DOMAIN_PROOF_AGAIN_S */
	const char *domain; /* if is_all is true: check only this domain; NULL: check all */
	int64_t budget_ms;  /* after this time the run begins no look-up; 0: no limit */
	domain_recheck_progress *progress; /* may be NULL */
	void *context;

	/* The outcome. */
	size_t found;
	size_t missing;
	size_t unknown;
	size_t turned; /* pages that gained or lost their domain: they are marked as unpublished,
			  and the caller must publish them */
};

/*
 * Checks the proofs of domains again. Call it every minute. Several processes of the installation
 * may call it: each domain is checked by only one of them. It waits for DNS, so threads that serve
 * requests must not call it. A domain whose look-up fails does not delay other domains. If the
 * installation requires no proofs any more, gives lost domains back to their pages.
 */
enum result domain_recheck_run(struct domain_recheck *run, struct error *error) MUST_USE;

/* Returns a sentence for the log about an outcome. `outcome` must not be DOMAIN_PROOF_FOUND. */
const char *domain_recheck_text(const struct domain_claim *claim, enum domain_proof_outcome outcome,
				const char *why, struct arena *arena);

#endif
