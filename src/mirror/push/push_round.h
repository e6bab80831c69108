/* The steps of a pusher; only for mirror/push/pusher.c and push_*.c. */
#ifndef MIRROR_PUSH_PUSH_ROUND_H
#define MIRROR_PUSH_PUSH_ROUND_H

#include "mirror/push/pusher.h"

enum mirror_need push_need(const struct pusher *pusher);
/* E_REFUSED, with what is to be done, if the status has a need. */
enum result push_explain_need(const struct pusher *pusher, struct error *error) MUST_USE;

/* Asks the mirror what it has, and adds the pages that differ to those that wait. */
enum result push_compare(struct pusher *pusher, struct error *error) MUST_USE;
/* Adds the pages that the journal names, and opens the journal again where its reader has lost its
 * place; then a comparison is due. */
enum result push_read_journal(struct pusher *pusher, struct error *error) MUST_USE;
/*
 * Sends the urgent pages that wait, or the others, as many as fit into a batch. A page that cannot
 * be read, or that the mirror refuses alone, is tried again later, with the error in the status.
 * After a failure the pages wait again.
 */
enum result push_batch(struct pusher *pusher, bool is_urgent, struct error *error) MUST_USE;

#endif
