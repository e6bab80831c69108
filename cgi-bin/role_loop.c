#include "role_loop.h"

#include <malloc.h>

static void leave(void *context, const struct signalfd_siginfo *signal)
{
	(void)signal;
	loop_stop(context);
}

bool role_loop_open(struct role_loop *role)
{
	enum { LARGE_BYTES = 128 * 1024, ARENAS = 2 };
	signal(SIGPIPE, SIG_IGN);
	mallopt(M_MMAP_THRESHOLD, LARGE_BYTES);
	mallopt(M_ARENA_MAX, ARENAS);
	role->signals = (struct loop_signals){ .call = leave, .context = &role->loop };
	return loop_open(&role->loop) &&
	       loop_signals_watch(&role->loop, &role->signals, (const int[]){ SIGTERM, 0 });
}
