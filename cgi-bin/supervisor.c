#include "supervisor.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

#include "base/attr.h"
#include "base/clock.h"
#include "base/log.h"

/* A child that ended sooner than this is not replaced at once: its successor would end, too. */
#define CRASH_LOOP_MS	   1000
/* How long children may take for the requests in hand before they are killed, and how much
 * longer the publisher, and after it the pushers, may take. Together less than TimeoutStopSec in
 * daymark.service. */
#define LEAVE_MS	   30000
#define PUBLISHER_LEAVE_MS 5000
#define MIRRORS_LEAVE_MS   5000

/* Asks for the sender's replacement. A real-time signal: of other signals the system keeps one,
 * and forgets who sent the next. */
#define REPLACE_ME SIGRTMIN

enum { CHILDREN_MAX = 128 };

/* Slots that are not a worker process's. */
enum { LEAVING = -1, PUBLISHER = -2, MIRRORS = -3 };

struct child {
	pid_t pid; /* 0: free */
	long slot; /* which of the processes it is */
	int64_t started_ms;
	int64_t leave_by_ms; /* while leaving; 0 once it was killed */
};

struct family {
	const struct supervisor *supervisor;
	struct child children[CHILDREN_MAX];
	sigset_t signals;
	sigset_t before; /* the mask at the start, for children */
};

static void run_child(const struct supervisor *supervisor, long slot)
{
	(slot == PUBLISHER ? supervisor->publisher
	 : slot == MIRRORS ? supervisor->mirrors
			   : supervisor->child)(supervisor->context);
}

static void start_child(struct family *family, long slot)
{
	struct child *child = family->children;
	while (child < family->children + CHILDREN_MAX && child->pid != 0)
		child++;
	if (child == family->children + CHILDREN_MAX)
		return;
	pid_t parent = getpid();
	pid_t pid = fork();
	if (pid < 0) {
		log_warn("supervisor", "cannot fork: errno %d", errno);
		return;
	}
	if (pid == 0) {
		/* A parent that was killed must not leave children on its socket. */
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		if (getppid() != parent)
			_exit(EX_OK);
		sigprocmask(SIG_SETMASK, &family->before, NULL);
		run_child(family->supervisor, slot);
		_exit(EX_OK);
	}
	*child = (struct child){ pid, slot, clock_ms(), 0 };
}

static void signal_slot(const struct family *family, long slot, int number)
{
	for (size_t i = 0; i < CHILDREN_MAX; i++)
		if (family->children[i].pid != 0 && family->children[i].slot == slot)
			kill(family->children[i].pid, number);
}

/* Collects the children that have ended. */
static void reap(struct family *family)
{
	int status;
	pid_t pid;
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		for (size_t i = 0; i < CHILDREN_MAX; i++) {
			struct child *child = &family->children[i];
			if (child->pid != pid)
				continue;
			if (WIFSIGNALED(status) || WEXITSTATUS(status) != 0)
				log_warn("supervisor", "worker %d ended: %s %d", (int)pid,
					 WIFSIGNALED(status) ? "signal" : "status",
					 WIFSIGNALED(status) ? WTERMSIG(status)
							     : WEXITSTATUS(status));
			child->pid = 0;
		}
}

static bool has_child(const struct family *family, long slot)
{
	for (size_t i = 0; i < CHILDREN_MAX; i++)
		if (family->children[i].pid != 0 && family->children[i].slot == slot)
			return true;
	return false;
}

/* Whether the slot's last child ended too soon to try again now. */
static bool is_crash_looping(const struct family *family, long slot)
{
	for (size_t i = 0; i < CHILDREN_MAX; i++) {
		const struct child *child = &family->children[i];
		if (child->pid == 0 && child->slot == slot && child->started_ms > 0 &&
		    clock_ms() - child->started_ms < CRASH_LOOP_MS)
			return true;
	}
	return false;
}

static void fill_slot(struct family *family, long slot)
{
	if (!has_child(family, slot) && !is_crash_looping(family, slot))
		start_child(family, slot);
}

static void fill_slots(struct family *family)
{
	const struct supervisor *supervisor = family->supervisor;
	for (long slot = 0; slot < supervisor->processes; slot++)
		fill_slot(family, slot);
	if (supervisor->wants_publisher(supervisor->context))
		fill_slot(family, PUBLISHER);
	if (supervisor->wants_mirrors(supervisor->context))
		fill_slot(family, MIRRORS);
}

/* A second reload gives a child that is leaving no more time. */
static void set_leaving(struct child *child)
{
	if (child->slot != LEAVING)
		child->leave_by_ms = clock_ms() + LEAVE_MS;
	child->slot = LEAVING;
}

/* Starts new children, then ends the old ones. */
static void replace_children(struct family *family)
{
	for (size_t i = 0; i < CHILDREN_MAX; i++)
		set_leaving(&family->children[i]);
	fill_slots(family);
	signal_slot(family, LEAVING, SIGTERM);
}

/* Starts the successor of a child that has served its requests, then ends the child. */
static void replace_child(struct family *family, pid_t pid)
{
	for (size_t i = 0; i < CHILDREN_MAX; i++) {
		struct child *child = &family->children[i];
		if (child->pid != pid || child->slot < 0)
			continue;
		set_leaving(child);
		fill_slots(family);
		kill(pid, SIGTERM);
	}
}

/* A replaced worker that does not end would keep its memory and its database connections. */
static void kill_overdue(struct family *family)
{
	for (size_t i = 0; i < CHILDREN_MAX; i++) {
		struct child *child = &family->children[i];
		if (child->pid == 0 || child->slot != LEAVING || child->leave_by_ms == 0 ||
		    clock_ms() <= child->leave_by_ms)
			continue;
		log_warn("supervisor", "worker %d, replaced %d s ago, is still busy and is killed",
			 (int)child->pid, LEAVE_MS / 1000);
		kill(child->pid, SIGKILL);
		child->leave_by_ms = 0;
	}
}

void supervisor_replace_me(void)
{
	kill(getppid(), REPLACE_ME);
}

/*
 * The next signal, or 0 after a quarter of a second, so that empty slots are filled again.
 * *child: the sender; with REPLACE_ME it asks to be replaced.
 */
static int next_signal(const struct family *family, pid_t *child)
{
	struct timespec wait = { .tv_nsec = 250 * 1000 * 1000 };
	siginfo_t info = { 0 };
	int number = sigtimedwait(&family->signals, &info, &wait);
	*child = info.si_pid;
	return number > 0 ? number : 0;
}

/* Sends SIGTERM to the children of all slots from `first` on, waits for them, and kills those that
 * run at the deadline. */
static void send_home(struct family *family, long first, int64_t deadline_ms)
{
	int number = SIGTERM;
	for (;;) {
		size_t left = 0;
		for (size_t i = 0; i < CHILDREN_MAX; i++) {
			const struct child *child = &family->children[i];
			if (child->pid == 0 || child->slot < first)
				continue;
			left++;
			if (number != 0)
				kill(child->pid, number);
		}
		if (left == 0)
			return;
		number = 0;
		next_signal(family, &(pid_t){ 0 });
		reap(family);
		if (clock_ms() > deadline_ms) {
			log_warn("supervisor", "%zu processes that do not end are killed", left);
			number = SIGKILL;
			deadline_ms = clock_ms() + LEAVE_MS;
		}
	}
}

int supervisor_run(const struct supervisor *supervisor)
{
	struct family family = { .supervisor = supervisor };
	sigemptyset(&family.signals);
	sigaddset(&family.signals, SIGTERM);
	sigaddset(&family.signals, SIGINT);
	sigaddset(&family.signals, SIGHUP);
	sigaddset(&family.signals, REPLACE_ME);
	sigaddset(&family.signals, SIGCHLD);
	sigprocmask(SIG_BLOCK, &family.signals, &family.before);
	for (;;) {
		fill_slots(&family);
		pid_t child;
		int number = next_signal(&family, &child);
		reap(&family);
		kill_overdue(&family);
		if (number == REPLACE_ME)
			replace_child(&family, child);
		if (number == SIGHUP) {
			log_reopen();
			if (supervisor->reload(supervisor->context)) {
				log_info("reload", "workers are replaced");
				replace_children(&family);
			}
		}
		if (number == SIGTERM || number == SIGINT)
			break;
	}
	/* The publisher publishes what the workers have left, and the pushers send that. */
	int64_t deadline_ms = clock_ms() + LEAVE_MS;
	send_home(&family, LEAVING, deadline_ms);
	send_home(&family, PUBLISHER, deadline_ms + PUBLISHER_LEAVE_MS);
	send_home(&family, MIRRORS, deadline_ms + PUBLISHER_LEAVE_MS + MIRRORS_LEAVE_MS);
	log_info("stop", "all workers have left");
	return EX_OK;
}
