/* The pushers of all mirrors in this process, each in a thread of its own. */
#ifndef MIRROR_PUSH_PUSHERS_H
#define MIRROR_PUSH_PUSHERS_H

#include "mirror/push/pusher.h"

struct pushers;

/* The configuration, the mirrors and the observer's context must outlive the pushers. NULL: there
 * is no mirror, or no memory. */
struct pushers *pushers_start(const struct config *config, const struct mirrors *mirrors,
			      const struct pusher_observer *observer);
/*
 * Lets the pushers send what waits, for `ms` at most, and ends them. False: a pusher still waits
 * for its mirror, and the process is to _exit(). Accepts NULL.
 */
bool pushers_stop(struct pushers *pushers, int64_t ms);

#endif
