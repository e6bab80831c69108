/* The domains of pages in MySQL, and the proofs that accounts may use them. */
#ifndef STORE_PAGE_DOMAIN_CLAIM_H
#define STORE_PAGE_DOMAIN_CLAIM_H

#include "db/db.h"
#include "domain/page/domain_proof.h"

/*
 * Reads the key that signs proofs; the first caller makes the key. The key is in the database, so
 * that all web machines agree on it and a backup contains it. With another key, the DNS record of
 * every tenant would be wrong.
 */
enum result domain_key_read(struct db *db, struct instant now, struct arena *arena,
			    uint8_t key[SECRET_HASH_BYTES], struct error *error) MUST_USE;

/* The facts for a write that gives a domain to a page. */
struct domain_standing {
	int64_t account_count; /* 2 for two or more */
	const char *key;       /* in hexadecimal; NULL: no key was made yet */
	const char *domain;    /* the domain of the page; NULL: none */
	struct instant missing_since;
};
/* Takes one statement. If the account does not have the page (its id may be 0), the last two
 * members are empty. */
enum result domain_standing_read(struct db *db, int64_t account_id, int64_t page_id,
				 struct arena *arena, struct domain_standing *standing,
				 struct error *error) MUST_USE;
/* Whether there is more than one account. */
enum result domain_has_accounts(struct db *db, bool *is_several, struct error *error) MUST_USE;

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
	DOMAIN_CLAIMS_DUE,     /* claims whose last check was before `before`, or that were never
				      checked; longest unchecked first */
	DOMAIN_CLAIMS_MISSING, /* claims whose proof is missing, or whose domain is lost; by id */
};
struct domain_claim_query {
	enum domain_claim_choice choice;
	const char *domain; /* only the claim of this domain; NULL: all */
	struct instant before;
	int64_t after_id; /* claims with ids above this one; not for DOMAIN_CLAIMS_DUE */
};
enum { DOMAIN_CLAIMS_MAX = 100 };
/* Reads up to DOMAIN_CLAIMS_MAX claims. */
enum result domain_claim_read(struct db *db, const struct domain_claim_query *query,
			      struct arena *arena, struct domain_claim_list *list,
			      struct error *error) MUST_USE;

struct domain_claim_change {
	const struct domain_claim *claim;
	struct instant before; /* the claim's checked_at when it was read */
	bool has_turned;
	struct instant now;
};
/*
 * Stores the present proof of a claim, unless the page's domain has changed, or the claim was
 * checked after `before`. If has_turned, clients and visitors see a changed page, which must be
 * published.
 */
enum result domain_claim_note(struct db *db, const struct domain_claim_change *change,
			      bool *is_noted, struct error *error) MUST_USE;
/*
 * Takes a lost domain from the page that has it, unless that is the page `page_id`. Another page
 * that has proven the domain can then get it. Run it in the transaction that gives the domain to
 * the other page.
 */
enum result domain_claim_take(struct db *db, const char *domain, int64_t page_id,
			      struct instant now, struct error *error) MUST_USE;

#endif
