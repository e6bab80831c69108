/* The steps of a pusher; only for mirror/push/pusher.c and push_*.c. */
#ifndef MIRROR_PUSH_PUSH_ROUND_H
#define MIRROR_PUSH_PUSH_ROUND_H

#include "mirror/push/pusher.h"

enum mirror_need push_need(const struct pusher *pusher);
/* If the status has a need, returns E_REFUSED with the operator's next step. */
enum result push_explain_need(const struct pusher *pusher, struct error *error) MUST_USE;

/* Reads the mirror's list of pages, and adds the pages that differ to the waiting pages. */
enum result push_compare(struct pusher *pusher, struct error *error) MUST_USE;
/*
 * Adds the pages that the journal names. If the reader has lost its place, opens the journal
 * again; then a comparison is due.
 */
enum result push_read_journal(struct pusher *pusher, struct error *error) MUST_USE;
/*
 * Sends a batch of the waiting urgent pages, or of the other pages. A page that cannot be read, or
 * that the mirror refuses alone, is tried again later, with the error in the status. After a
 * failure of the batch its pages wait again.
 */
enum result push_batch(struct pusher *pusher, bool is_urgent, struct error *error) MUST_USE;

#endif
