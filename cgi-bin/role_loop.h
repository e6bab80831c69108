/* The loop of a process that sends to other servers: the pushers, the sender. */
#ifndef ROLE_LOOP_H
#define ROLE_LOOP_H

#include "base/loop.h"

struct role_loop {
	struct loop loop;
	struct loop_signals signals;
};

/* Opens a loop that SIGTERM stops. The process then gives large blocks of memory back to the
 * system, and ignores SIGPIPE. False: there are no descriptors. */
bool role_loop_open(struct role_loop *role) MUST_USE;

#endif
