#include "mirrors.h"

#include <malloc.h>
#include <signal.h>
#include <sysexits.h>
#include <unistd.h>

#include "base/log.h"
#include "mirror/push/pushers.h"

static void log_turn(void *context, const struct mirror *mirror, const struct error *failure)
{
	(void)context;
	if (failure)
		log_warn("mirror", "mirror %s does not get all changes: %s", mirror->name,
			 error_text(failure));
	else
		log_info("mirror", "mirror %s gets all changes again", mirror->name);
}

static void leave(void *context, const struct signalfd_siginfo *signal)
{
	(void)signal;
	loop_stop(context);
}

void mirrors_run(const struct config *config, const struct mirrors *mirrors)
{
	enum { LEAVE_MS = 2000, ARENAS = 2 };
	const struct pusher_observer observer = { .turned = log_turn };
	struct loop loop;
	struct loop_signals signals = { .call = leave, .context = &loop };
	struct pushers *pushers = NULL;
	signal(SIGPIPE, SIG_IGN);
	/* Large blocks go back to the system as soon as they are free. */
	mallopt(M_MMAP_THRESHOLD, 128 * 1024);
	mallopt(M_ARENA_MAX, ARENAS);
	if (loop_open(&loop) && loop_signals_watch(&loop, &signals, (const int[]){ SIGTERM, 0 }))
		pushers = pushers_start(&loop, config, mirrors, &observer);
	if (!pushers) {
		log_warn("mirror", "the pushers cannot be started");
		_exit(EX_OSERR);
	}
	loop_run(&loop);
	pushers_stop(pushers, LEAVE_MS);
}
