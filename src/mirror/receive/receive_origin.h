/*
 * The origin that a mirror follows, and the digest of the manifests received from that origin:
 *
 *   DIR/received/origin   the mark of the last request that was accepted (mirror/origin_mark.h)
 *   DIR/received/digest   digest of all bodies of manifests that were put in place, in order
 *
 * A mirror without a mark follows the first origin that sends more than a beat.
 */
#ifndef MIRROR_RECEIVE_RECEIVE_ORIGIN_H
#define MIRROR_RECEIVE_RECEIVE_ORIGIN_H

#include "mirror/receive/receiver.h"

/*
 * Checks whether receiver->origin may make this request. Returns E_FORBIDDEN if the mirror follows
 * another origin. A mirror without an origin follows the sender from now on, but not if the request
 * is a beat (is_beat). Call the function again after all pages are locked.
 */
enum result receive_admit(const struct receiver *receiver, bool is_beat, struct error *error)
	MUST_USE;
/*
 * Makes the mirror follow receiver->origin. Sets *key to the mirror's signing key in hexadecimal,
 * or to NULL if it has no key.
 */
enum result receive_take_over(const struct receiver *receiver, const char **key,
			      struct error *error) MUST_USE;

/* Sets *digest to the digest in hexadecimal, owned by the receiver's arena. */
enum result receive_digest(const struct receiver *receiver, const char **digest,
			   struct error *error) MUST_USE;
/* Adds the hash of a body of manifests to the digest, after their pages were put in place. The
 * caller has locked all pages. */
enum result receive_digest_add(const struct receiver *receiver, const uint8_t *sha256,
			       struct error *error) MUST_USE;

#endif
