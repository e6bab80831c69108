/* Looks up in DNS whether pages' domains are proved: see domain/page/domain_proof.h. */
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

/*
 * Looks up the record in at most DNS_PATIENCE_MS. With DOMAIN_PROOF_UNKNOWN, *why has the reason.
 */
enum domain_proof_outcome domain_record_find(const struct config *config,
					     const struct domain_record *record,
					     struct arena *arena, const char **why);

/* Called after each domain, with `why` of domain_record_find(). claim->proof was just stored. */
typedef void domain_recheck_progress(void *context, const struct domain_claim *claim,
				     enum domain_proof_outcome outcome, const char *why);

struct domain_recheck {
	struct db *db; /* no transaction is open on this connection */
	const struct config *config;
	struct instant now;
	bool is_all;	    /* false: only domains that were not checked for DOMAIN_PROOF_AGAIN_S */
	const char *domain; /* with is_all: only this domain; NULL: all */
	int64_t budget_ms;  /* no look-up begins when the run has lasted so long; 0: no limit */
	domain_recheck_progress *progress; /* may be NULL */
	void *context;

	/* The outcome. */
	size_t found;
	size_t missing;
	size_t unknown;
	size_t turned; /* how many pages gained or lost their domain. They are marked as
			  unpublished, and the caller must publish them */
};

/*
 * Checks the proofs again. Call it every minute, in one or several processes of the installation:
 * each domain is checked by only one of them. Waits for the look-ups, so threads that serve
 * requests must not call it. A domain that cannot be looked up does not delay other domains. If the
 * installation no longer requires proofs, gives back the domains that were lost for lack of a
 * proof.
 */
enum result domain_recheck_run(struct domain_recheck *run, struct error *error) MUST_USE;

/* A sentence for the log about any outcome except DOMAIN_PROOF_FOUND. */
const char *domain_recheck_text(const struct domain_claim *claim, enum domain_proof_outcome outcome,
				const char *why, struct arena *arena);

#endif
