#include "mirrors.h"

#include <malloc.h>
#include <signal.h>
#include <sys/prctl.h>
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

void mirrors_run(const struct config *config, const struct mirrors *mirrors)
{
	enum { LEAVE_MS = 2000, ARENAS = 2 };
	const struct pusher_observer observer = { .turned = log_turn };
	sigset_t signals;
	int number;
	/* The name in `ps` and `top`. */
	prctl(PR_SET_NAME, "daymark-mirrors");
	/* The supervisor alone handles the others. Blocked before the threads start. */
	sigemptyset(&signals);
	sigaddset(&signals, SIGHUP);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	signal(SIGPIPE, SIG_IGN);
	/* Large blocks go back to the system as soon as they are free. */
	mallopt(M_MMAP_THRESHOLD, 128 * 1024);
	mallopt(M_ARENA_MAX, ARENAS);
	struct pushers *pushers = pushers_start(config, mirrors, &observer);
	if (!pushers) {
		log_warn("mirror", "the pushers cannot be started");
		_exit(EX_OSERR);
	}
	sigemptyset(&signals);
	sigaddset(&signals, SIGTERM);
	sigwait(&signals, &number);
	if (!pushers_stop(pushers, LEAVE_MS))
		_exit(EX_OK);
}
