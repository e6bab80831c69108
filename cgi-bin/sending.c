#include "sending.h"

#include <sysexits.h>
#include <unistd.h>

#include "base/log.h"
#include "notify/sender.h"
#include "role_loop.h"

void sending_run(const struct config *config)
{
	enum { LEAVE_MS = 3000 };
	struct error error = { 0 };
	struct role_loop role;
	struct sender *sender = NULL;
	if (!role_loop_open(&role) || sender_open(&sender, &role.loop, config, &error) != OK) {
		log_warn("notify", "the sender cannot be started: %s", error_text(&error));
		_exit(EX_OSERR);
	}
	loop_run(&role.loop);
	if (!sender_close(sender, LEAVE_MS))
		_exit(EX_OK);
}
