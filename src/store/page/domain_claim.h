/* The domains of status pages in MySQL, and the proofs that accounts may use these domains. */
#ifndef STORE_PAGE_DOMAIN_CLAIM_H
#define STORE_PAGE_DOMAIN_CLAIM_H

#include "db/db.h"
#include "domain/page/domain_proof.h"

/*
 * Reads the key that signs proofs. Creates the key if there is none. The key is in the database, so
 * that all web machines use the same key and a backup contains it. With another key, the DNS
 * records of all tenants would be wrong.
 */
enum result domain_key_read(struct db *db, struct instant now, struct arena *arena,
			    uint8_t key[SECRET_HASH_BYTES], struct error *error) MUST_USE;

/* What a request needs to know before it sets the domain of a page. */
struct domain_standing {
	int64_t account_count; /* the number of accounts; 2 means two or more */
	const char *key;       /* the key of proofs, in hexadecimal; NULL: there is none yet */
	const char *domain;    /* the present domain of the page; NULL: none */
	struct instant missing_since;
};
/* Runs one statement. If the account has no page with the id `page_id`, which may be 0,
 * standing->domain is NULL and standing->missing_since is 0. */
enum result domain_standing_read(struct db *db, int64_t account_id, int64_t page_id,
				 struct arena *arena, struct domain_standing *standing,
				 struct error *error) MUST_USE;
/* Whether there is more than one account. */
enum result domain_has_accounts(struct db *db, bool *is_several, struct error *error) MUST_USE;

/* The domain of a status page, and its proof. */
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
	DOMAIN_CLAIMS_ALL,     /* all claims; by id */
	DOMAIN_CLAIMS_DUE,     /* claims whose last check was before `before`, or that were never
				      checked; longest unchecked first */
	DOMAIN_CLAIMS_MISSING, /* claims whose proof is missing, or whose domain is lost; by id */
};
struct domain_claim_query {
	enum domain_claim_choice choice;
	const char *domain; /* only the claim of this domain; NULL: all */
	struct instant before;
	int64_t after_id; /* claims of pages with ids above this id; not for DOMAIN_CLAIMS_DUE */
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
 * Stores claim->proof in the page's row, and sets *is_noted. Stores nothing if the page has another
 * domain now, or if another process has checked the claim since it was read. With has_turned, also
 * increments the page's version and marks the page as unpublished, so that clients and visitors see
 * the change.
 */
enum result domain_claim_note(struct db *db, const struct domain_claim_change *change,
			      bool *is_noted, struct error *error) MUST_USE;
/* Removes the domain from another page that has lost it, so that the page `page_id`, which has
 * proven the domain, can get it. Call it in the transaction that gives the domain to `page_id`. */
enum result domain_claim_take(struct db *db, const char *domain, int64_t page_id,
			      struct instant now, struct error *error) MUST_USE;

#endif
