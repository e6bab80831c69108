#include "roles.h"

#include <malloc.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "base/log.h"
#include "mirror/push/pushers.h"
#include "notify/sender.h"
#include "work/work.h"

/* The event loop of a process that sends to other servers: to mirrors or to alert channels. */
struct role_loop {
	struct loop loop;
	struct loop_signals signals;
};

static void leave(void *context, const struct signalfd_siginfo *signal)
{
	(void)signal;
	loop_stop(context);
}

/* Opens a loop that SIGTERM stops. Also makes free() return large blocks to the system, and makes
 * the process ignore SIGPIPE. Returns false if descriptors are used up. */
static bool open_role_loop(struct role_loop *role)
{
	enum { LARGE_BYTES = 128 * 1024, ARENAS = 2 };
	signal(SIGPIPE, SIG_IGN);
	mallopt(M_MMAP_THRESHOLD, LARGE_BYTES);
	mallopt(M_ARENA_MAX, ARENAS);
	role->signals = (struct loop_signals){ .call = leave, .context = &role->loop };
	return loop_open(&role->loop) &&
	       loop_signals_watch(&role->loop, &role->signals, (const int[]){ SIGTERM, 0 });
}

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
	if (open_role_loop(&role))
		pushers = pushers_start(&role.loop, config, mirrors, &observer);
	if (!pushers) {
		log_warn("mirror", "the pushers cannot be started");
		_exit(EX_OSERR);
	}
	loop_run(&role.loop);
	pushers_stop(pushers, LEAVE_MS);
}

void sending_run(const struct config *config)
{
	enum { LEAVE_MS = 3000 };
	struct error error = { 0 };
	struct role_loop role;
	struct sender *sender = NULL;
	if (!open_role_loop(&role) || sender_open(&sender, &role.loop, config, &error) != OK) {
		log_warn("notify", "the sender cannot be started: %s", error_text(&error));
		_exit(EX_OSERR);
	}
	loop_run(&role.loop);
	if (!sender_close(sender, LEAVE_MS))
		_exit(EX_OK);
}

static void log_page(void *context, const char *slug, const struct error *failure)
{
	(void)context;
	if (failure)
		log_warn("publish", "page %s is not published yet: %s", slug, error_text(failure));
	else
		log_info("publish", "page %s is published", slug);
}

static void log_job(void *context, const char *name, const struct error *failure)
{
	bool is_pages = strcmp(name, "pages") == 0;
	(void)context;
	if (failure && is_pages)
		log_warn("publish", "publishing is interrupted, and tried again every second: %s",
			 error_text(failure));
	else if (failure)
		log_warn("work", "%s failed, and is tried again: %s", name, error_text(failure));
	else if (is_pages)
		log_info("publish", "publishing works again");
	else
		log_info("work", "%s works again", name);
}

static void log_domain(void *context, const char *sentence)
{
	(void)context;
	log_warn("domain", "%s", sentence);
}

void publisher_run(const struct config *config, const struct site *site, int wake_fd)
{
	struct db_login login = db_login_of(config, false);
	struct loop loop;
	if (!loop_open(&loop))
		die("publisher: out of descriptors");
	struct work work = {
		.loop = &loop,
		.config = config,
		.site = site,
		.db = db_new(&login),
		.roles = WORK_WRITES,
		.wake_fd = wake_fd,
		.observer = { .page = log_page, .job = log_job, .domain = log_domain },
	};
	work_run(&work);
	/* Exit without freeing `work`, because a DNS look-up in another thread may still use it. */
	_exit(EX_OK);
}
