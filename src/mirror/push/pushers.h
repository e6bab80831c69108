/* The pushers of all mirrors. Each pusher is a job of the loop, in a separate thread. */
#ifndef MIRROR_PUSH_PUSHERS_H
#define MIRROR_PUSH_PUSHERS_H

#include "base/loop.h"
#include "mirror/push/pusher.h"

struct pushers;

/* Starts the pushers. The loop, the configuration, the mirrors and the observer's context must
 * outlive the pushers. Returns NULL if there is no mirror, or no memory. */
struct pushers *pushers_start(struct loop *loop, const struct config *config,
			      const struct mirrors *mirrors,
			      const struct pusher_observer *observer);
/*
 * Ends the pushers. The loop must have stopped. Runs the loop again until the pushers have sent the
 * waiting pages, at most for `ms` milliseconds. If a pusher is still waiting for its mirror after
 * this time, loop_close() returns false. Accepts NULL.
 */
void pushers_stop(struct pushers *pushers, int64_t ms);

#endif
