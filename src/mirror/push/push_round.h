/* The steps of a pusher; only for mirror/push/pusher.c and push_*.c. */
#ifndef MIRROR_PUSH_PUSH_ROUND_H
#define MIRROR_PUSH_PUSH_ROUND_H

#include "mirror/push/pusher.h"

enum mirror_need push_need(const struct pusher *pusher);
/* If the status has a need: E_REFUSED, with the next step of the operator. */
enum result push_explain_need(const struct pusher *pusher, struct error *error) MUST_USE;

/* Asks the mirror for its pages, and adds the differing pages to the waiting pages. */
enum result push_compare(struct pusher *pusher, struct error *error) MUST_USE;
/*
 * Adds the pages that the journal names. If the reader has lost its place, opens the journal
 * again; then a comparison is due.
 */
enum result push_read_journal(struct pusher *pusher, struct error *error) MUST_USE;
/*
 * Sends a batch of the waiting urgent pages, or of the other pages. A page that cannot be read, or
 * that the mirror refuses alone, is tried again later, with the error in the status. After a
 * failure the pages wait again.
 */
enum result push_batch(struct pusher *pusher, bool is_urgent, struct error *error) MUST_USE;

#endif
