/* Carries out the requests of mirror/protocol.h on a mirror. */
#ifndef MIRROR_RECEIVE_RECEIVE_H
#define MIRROR_RECEIVE_RECEIVE_H

#include "base/buf.h"
#include "mirror/manifest.h"
#include "mirror/receive/plan.h"
#include "mirror/shared_data.h"
#include "mirror/receive/receiver.h"

/* All functions return E_FORBIDDEN, and change nothing, if the mirror follows another origin. */

/*
 * Appends the list of the mirror's pages with their versions. The version "-" means that the page
 * is damaged. If the request names its origin, the digest comes first.
 */
enum result receive_list(const struct receiver *receiver, struct buf *out, struct error *error)
	MUST_USE;

/*
 * Puts pages in place, and removes pages that are gone. E_PRECONDITION_FAILED: files are missing,
 * and their hashes were appended to *missing. E_INVALID: a page has the address of another page.
 * After any failure the pages are unchanged, with two exceptions: pages that became private are not
 * public any more, and pages that the manifest calls gone may already be removed. If a process
 * dies, the pages are unchanged, or the next process puts them in place.
 */
enum result receive_pages(const struct receiver *receiver, const struct manifest *manifest,
			  struct buf *missing, struct error *error) MUST_USE;

/*
 * If a process died and left a plan, puts the pages of this plan in place. The caller has locked
 * all pages. Returns E_FAILED if the plan cannot be read. A page that fails again has the outcome
 * E_FAILED in *left.
 */
enum result receive_finish(const struct receiver *receiver, struct plan *left, struct error *error)
	MUST_USE;

/*
 * Stores the signing key, and puts lists of former addresses in place. E_PRECONDITION_FAILED: files
 * are missing, and their hashes were appended to *missing. All other lists are in place.
 * E_CONFLICT: the mirror has another signing key, and has kept its key. All lists are in place.
 * E_INVALID: a file is not a list.
 */
enum result receive_shared(const struct receiver *receiver, const struct shared_data *data,
			   struct buf *missing, struct error *error) MUST_USE;
/* Appends the numbers and hashes of the lists that the mirror has. */
enum result receive_shared_list(const struct receiver *receiver, struct buf *out,
				struct error *error) MUST_USE;

#endif
