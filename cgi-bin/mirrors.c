#include "mirrors.h"

#include <sysexits.h>
#include <unistd.h>

#include "base/log.h"
#include "mirror/push/pushers.h"
#include "role_loop.h"

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
	enum { LEAVE_MS = 2000 };
	const struct pusher_observer observer = { .turned = log_turn };
	struct role_loop role;
	struct pushers *pushers = NULL;
	if (role_loop_open(&role))
		pushers = pushers_start(&role.loop, config, mirrors, &observer);
	if (!pushers) {
		log_warn("mirror", "the pushers cannot be started");
		_exit(EX_OSERR);
	}
	loop_run(&role.loop);
	pushers_stop(pushers, LEAVE_MS);
}
