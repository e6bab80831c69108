/* Pages' domains in MySQL, and the proof that an account may use each. */
#ifndef STORE_PAGE_DOMAIN_CLAIM_H
#define STORE_PAGE_DOMAIN_CLAIM_H

#include "db/db.h"
#include "domain/domain_proof.h"

/*
 * The key that signs proofs. In the database, so that all web machines agree and a
 * backup has it: with another key every tenant's record would be wrong. Made by whoever
 * needs it first.
 */
enum result domain_key_read(struct db *db, struct instant now, struct arena *arena,
			    uint8_t key[SECRET_HASH_BYTES], struct error *error) MUST_USE;

/* What a write that names a domain has to know before. */
struct domain_standing {
	int64_t account_count; /* 2 for two or more */
	const char *key;       /* in hexadecimal; NULL: none was made yet */
	const char *domain;    /* that the page has; NULL: none */
	struct instant missing_since;
};
/* One statement. Of a page that is not the account's (0, say) the last two are empty. */
enum result domain_standing_read(struct db *db, int64_t account_id, int64_t page_id,
				 struct arena *arena, struct domain_standing *standing,
				 struct error *error) MUST_USE;
/* Whether there is more than one account. */
enum result domain_has_accounts(struct db *db, struct arena *arena, bool *is_several,
				struct error *error) MUST_USE;

/* A page's domain. */
struct domain_claim {
	int64_t page_id;
	int64_t account_id;
	const char *account;
	const char *slug;
	const char *domain;
	struct domain_proof proof;
};
struct domain_claim_list {
	struct domain_claim *rows;
	size_t count;
};
enum domain_claim_choice {
	DOMAIN_CLAIMS_ALL,     /* by id */
	DOMAIN_CLAIMS_DUE,     /* not checked since `before`, or never; the longest first */
	DOMAIN_CLAIMS_MISSING, /* whose proof is missing, or which are lost; by id */
};
struct domain_claim_query {
	enum domain_claim_choice choice;
	const char *domain; /* only this one; NULL: any */
	struct instant before;
	int64_t after_id; /* not where they are DOMAIN_CLAIMS_DUE */
};
enum { DOMAIN_CLAIMS_MAX = 100 };
/* Up to DOMAIN_CLAIMS_MAX of them. */
enum result domain_claim_read(struct db *db, const struct domain_claim_query *query,
			      struct arena *arena, struct domain_claim_list *list,
			      struct error *error) MUST_USE;

/*
 * Stores the proof of a claim as it is now, unless the page has another domain by now, or
 * was checked meanwhile (`before`, which then stays). With `has_turned` the page is
 * another one for clients and visitors, and is to be published.
 */
struct domain_claim_change {
	const struct domain_claim *claim;
	struct instant before; /* its checked_at when it was read */
	bool has_turned;
	struct instant now;
};
enum result domain_claim_note(struct db *db, const struct domain_claim_change *change,
			      bool *is_noted, struct error *error) MUST_USE;
/*
 * Takes a lost domain away from the page that has it, unless that is `page_id`, for
 * another that has proven it. To be run in the transaction that gives it away.
 */
enum result domain_claim_take(struct db *db, const char *domain, int64_t page_id,
			      struct instant now, struct error *error) MUST_USE;

#endif
