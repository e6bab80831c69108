/*
 * The proof that an account may use a domain: a DNS record in the domain's zone,
 *
 *   _daymark.status.example.org  TXT  "daymark-proof=<text>"
 *
 * The text is a signature for the account and the domain, so it is invalid for any other account or
 * domain. Daymark looks the record up when a page gets the domain, and regularly afterwards, since
 * domains change hands. When the record has been missing for DOMAIN_PROOF_GRACE_S, the page loses
 * the domain. It regains the domain when the record is found again.
 *
 * These functions do no I/O: wire/dns makes the look-ups, store/domain_claim stores the results.
 */
#ifndef DOMAIN_PAGE_DOMAIN_PROOF_H
#define DOMAIN_PAGE_DOMAIN_PROOF_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/secret.h"

enum {
	DOMAIN_PROOF_AGAIN_S = 24 * 3600,     /* the time between two look-ups of a record */
	DOMAIN_PROOF_GRACE_S = 7 * 24 * 3600, /* how long the record may be missing */
};

/* The state of the proof of a page's domain. */
struct domain_proof {
	struct instant proven_at;     /* when the record was last found; 0: no proof was needed */
	struct instant checked_at;    /* when the record was last looked up, or was not needed */
	struct instant missing_since; /* when a look-up first missed the record; 0: it is there */
	struct instant lost_at;	      /* when the page lost the domain; 0: it has the domain */
};

enum domain_proof_outcome {
	DOMAIN_PROOF_FOUND,
	DOMAIN_PROOF_MISSING,
	/* The resolver did not respond: it is unknown whether the record is there. */
	DOMAIN_PROOF_UNKNOWN,
};

/* Return the record's name and value. The name is NULL if it would be too long for this domain. */
const char *domain_proof_name(const char *domain, struct arena *arena);
const char *domain_proof_value(const uint8_t key[SECRET_HASH_BYTES], int64_t account_id,
			       const char *domain, struct arena *arena);

/* Updates the proof with the result of a DNS look-up. Returns true if visitors lose or regain the
 * page at the domain by this update. */
bool domain_proof_note(struct domain_proof *proof, enum domain_proof_outcome outcome,
		       struct instant now);

#endif
