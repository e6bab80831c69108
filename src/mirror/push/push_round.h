/* The steps of a pusher. Only mirror/push/pusher.c and push_*.c include this file. */
#ifndef MIRROR_PUSH_PUSH_ROUND_H
#define MIRROR_PUSH_PUSH_ROUND_H

#include "mirror/push/pusher.h"

enum mirror_need push_need(const struct pusher *pusher);
/* Returns E_REFUSED. The error explains status.need, and tells the operator what to do. */
enum result push_explain_need(const struct pusher *pusher, struct error *error) MUST_USE;

/* Reads the mirror's list of pages, and adds the pages that differ to the waiting pages. */
enum result push_compare(struct pusher *pusher, struct error *error) MUST_USE;
/* Adds the pages that the journal names to the waiting pages. If the journal cannot be read on from
 * the last place, opens it again, and makes a comparison due. */
enum result push_read_journal(struct pusher *pusher, struct error *error) MUST_USE;
/*
 * Sends a batch of the waiting urgent pages, or of the other pages. If a page cannot be read, or if
 * the mirror refuses the page alone, puts the error into the status, and tries the page again
 * later. If the whole batch fails, its pages wait again.
 */
enum result push_batch(struct pusher *pusher, bool is_urgent, struct error *error) MUST_USE;

#endif
