#include "sending.h"

#include <malloc.h>
#include <signal.h>
#include <sysexits.h>
#include <unistd.h>

#include "base/log.h"
#include "notify/sender.h"

static void leave(void *context, const struct signalfd_siginfo *signal)
{
	(void)signal;
	loop_stop(context);
}

void sending_run(const struct config *config)
{
	enum { LEAVE_MS = 3000, ARENAS = 2 };
	struct error error = { 0 };
	struct loop loop;
	struct loop_signals signals = { .call = leave, .context = &loop };
	struct sender *sender = NULL;
	signal(SIGPIPE, SIG_IGN);
	/* Large blocks go back to the system as soon as they are free. */
	mallopt(M_MMAP_THRESHOLD, 128 * 1024);
	mallopt(M_ARENA_MAX, ARENAS);
	if (!loop_open(&loop) ||
	    !loop_signals_watch(&loop, &signals, (const int[]){ SIGTERM, 0 }) ||
	    sender_open(&sender, &loop, config, &error) != OK) {
		log_warn("notify", "the sender cannot be started: %s", error_text(&error));
		_exit(EX_OSERR);
	}
	loop_run(&loop);
	if (!sender_close(sender, LEAVE_MS))
		_exit(EX_OK);
}
