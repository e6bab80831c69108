/* The pushers of all mirrors in this process: jobs beside a loop, each in a separate thread. */
#ifndef MIRROR_PUSH_PUSHERS_H
#define MIRROR_PUSH_PUSHERS_H

#include "base/loop.h"
#include "mirror/push/pusher.h"

struct pushers;

/* The loop, the configuration, the mirrors and the observer's context must outlive the pushers.
 * NULL: there is no mirror, or no memory. */
struct pushers *pushers_start(struct loop *loop, const struct config *config,
			      const struct mirrors *mirrors,
			      const struct pusher_observer *observer);
/*
 * Runs the stopped loop until the pushers have sent the waiting pages, but at most for `ms`, and
 * ends them. A pusher that waits for its mirror goes on, and loop_close() is then false. Accepts
 * NULL.
 */
void pushers_stop(struct pushers *pushers, int64_t ms);

#endif
