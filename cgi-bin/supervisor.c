#include "supervisor.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

#include "base/backoff.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/loop.h"
#include "base/metrics.h"

/*
 * A child that ends within this time after its start is not replaced at once, because its successor
 * would probably end, too.
 */
enum { STEADY_MS = 1000 };

/* The time from the failed start of a child to the next start. A start has failed if fork() fails,
 * or if the child ends within STEADY_MS. */
static const struct backoff_rule start_rule = { .first_ms = STEADY_MS,
						.most_ms = STEADY_MS,
						.spread = BACKOFF_SPREAD };

/* A replaced child that still works on requests is killed after this time. */
enum { REPLACED_LEAVE_MS = 30000 };

/* The signal by which a child asks to be replaced. It is a real-time signal, because the system
 * queues these. If several children sent an ordinary signal, the system would keep only one. */
#define REPLACE_ME SIGRTMIN

enum { CHILDREN_MAX = 128 };

struct child {
	struct family *family;
	struct loop_child process; /* pid 0: free */
	struct loop_timer overdue; /* kills a replaced child at its deadline */
	const struct process_role *role;
	long seat; /* number of the process in its role */
	bool is_replaced;
	int64_t started_ms;
};

struct family {
	const struct supervisor *supervisor;
	struct loop loop;
	struct loop_signals signals;
	struct loop_timer timer; /* starts the children of empty seats */
	bool is_leaving;
	sigset_t before; /* the signal mask at the start; children restore it */
	struct child children[CHILDREN_MAX];
	struct backoff seats[PROCESS_ROLES_MAX][CHILDREN_MAX];
};

static struct backoff *seat_of(struct family *family, const struct process_role *role, long seat)
{
	return &family->seats[role - family->supervisor->roles][seat];
}

static void fill_seats(struct family *family);

static void end_child(void *context, pid_t pid, int status)
{
	struct child *child = context;
	struct family *family = child->family;
	struct backoff *seat = seat_of(family, child->role, child->seat);
	if (WIFSIGNALED(status) || WEXITSTATUS(status) != 0)
		log_warn("supervisor", "%s %d ended: %s %d", child->role->name, (int)pid,
			 WIFSIGNALED(status) ? "signal" : "status",
			 WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
	loop_timer_cancel(&family->loop, &child->overdue);
	if (!child->is_replaced && clock_ms() - child->started_ms < STEADY_MS)
		backoff_fail(seat, &start_rule, child->started_ms);
	else if (!child->is_replaced)
		*seat = (struct backoff){ 0 };
	if (family->is_leaving)
		loop_stop(&family->loop);
	else
		fill_seats(family);
}

/* In a new child: closes the descriptors that it shares with the parent, and restores the signal
 * mask. The child's memory is a copy, and needs no change. */
static void forget_family(struct family *family)
{
	for (size_t i = 0; i < CHILDREN_MAX; i++)
		if (family->children[i].process.watch.is_watched)
			close(family->children[i].process.watch.fd);
	close(family->signals.watch.fd);
	loop_forget(&family->loop);
	sigprocmask(SIG_SETMASK, &family->before, NULL);
}

static void run_child(struct family *family, const struct process_role *role, pid_t parent)
{
	const struct supervisor *supervisor = family->supervisor;
	/* End the child if the parent is killed: the child must not go on using the parent's
	 * socket. */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() == parent) {
		forget_family(family);
		supervisor->begin(supervisor->context, role);
		role->run(supervisor->context);
	}
	_exit(EX_OK);
}

static void start_child(struct family *family, const struct process_role *role, long seat)
{
	struct child *child = family->children;
	while (child < family->children + CHILDREN_MAX && child->process.pid != 0)
		child++;
	if (child == family->children + CHILDREN_MAX)
		return;
	pid_t parent = getpid(), pid = fork();
	if (pid == 0)
		run_child(family, role, parent);
	if (pid < 0) {
		log_warn("supervisor", "cannot fork: errno %d", errno);
		backoff_fail(seat_of(family, role, seat), &start_rule, clock_ms());
		return;
	}
	*child = (struct child){ .family = family,
				 .process = { .call = end_child, .context = child },
				 .role = role,
				 .seat = seat,
				 .started_ms = clock_ms() };
	loop_child_watch(&family->loop, &child->process, pid);
}

static bool is_taken(const struct family *family, const struct process_role *role, long seat)
{
	for (size_t i = 0; i < CHILDREN_MAX; i++) {
		const struct child *child = &family->children[i];
		if (child->process.pid != 0 && !child->is_replaced && child->role == role &&
		    child->seat == seat)
			return true;
	}
	return false;
}

static void count_children(const struct family *family)
{
	int64_t counts[PROCESS_ROLES_MAX] = { 0 };
	metrics_tend_now();
	for (size_t i = 0; i < CHILDREN_MAX; i++)
		if (family->children[i].process.pid != 0)
			counts[family->children[i].role - family->supervisor->roles]++;
	for (size_t i = 0; i < family->supervisor->role_count; i++)
		metrics_set(METRIC_PROCESSES, METRIC_LABELS((uint16_t)i), counts[i]);
}

static void fill_seats(struct family *family)
{
	const struct supervisor *supervisor = family->supervisor;
	int64_t now_ms = clock_ms(), next_ms = 0;
	for (size_t i = 0; i < supervisor->role_count; i++) {
		const struct process_role *role = &supervisor->roles[i];
		long count = role->count(supervisor->context);
		for (long seat = 0; seat < count && seat < CHILDREN_MAX; seat++) {
			const struct backoff *backoff = seat_of(family, role, seat);
			if (is_taken(family, role, seat))
				continue;
			if (now_ms >= backoff->until_ms)
				start_child(family, role, seat);
			if (now_ms < backoff->until_ms &&
			    (next_ms == 0 || backoff->until_ms < next_ms))
				next_ms = backoff->until_ms;
		}
	}
	if (next_ms > 0)
		loop_timer_set(&family->loop, &family->timer, next_ms);
	count_children(family);
}

static void look_at_seats(void *context)
{
	fill_seats(context);
}

static void kill_overdue(void *context)
{
	const struct child *child = context;
	log_warn("supervisor", "%s %d, replaced %d s ago, is still busy and is killed",
		 child->role->name, (int)child->process.pid, REPLACED_LEAVE_MS / 1000);
	kill(child->process.pid, SIGKILL);
}

/*
 * Marks the child as replaced, and sets the time at which it is killed if it has not ended. Without
 * the kill, a stuck child would keep its memory and its database connections. A second reload does
 * not extend the time.
 */
static void set_replaced(struct child *child)
{
	if (child->is_replaced || child->process.pid == 0)
		return;
	child->is_replaced = true;
	child->overdue = (struct loop_timer){ .call = kill_overdue, .context = child };
	loop_timer_set(&child->family->loop, &child->overdue, clock_ms() + REPLACED_LEAVE_MS);
}

/* Starts new children, then ends the old ones. */
static void replace_children(struct family *family)
{
	for (size_t i = 0; i < CHILDREN_MAX; i++)
		set_replaced(&family->children[i]);
	fill_seats(family);
	for (size_t i = 0; i < CHILDREN_MAX; i++)
		if (family->children[i].process.pid != 0 && family->children[i].is_replaced)
			kill(family->children[i].process.pid, SIGTERM);
}

/* Starts the successor of a child that has served its requests, then ends the child. */
static void replace_child(struct family *family, pid_t pid)
{
	for (size_t i = 0; i < CHILDREN_MAX; i++) {
		struct child *child = &family->children[i];
		if (child->process.pid != pid || child->is_replaced || !child->role->wears_out)
			continue;
		set_replaced(child);
		fill_seats(family);
		kill(pid, SIGTERM);
	}
}

void supervisor_replace_me(void)
{
	kill(getppid(), REPLACE_ME);
}

static void take_signal(void *context, const struct signalfd_siginfo *signal)
{
	struct family *family = context;
	const struct supervisor *supervisor = family->supervisor;
	int number = (int)signal->ssi_signo;
	if (family->is_leaving)
		return;
	if (number == REPLACE_ME)
		replace_child(family, (pid_t)signal->ssi_pid);
	if (number == SIGHUP) {
		log_reopen();
		if (supervisor->reload(supervisor->context)) {
			log_info("reload", "workers are replaced");
			replace_children(family);
		}
	}
	if (number == SIGTERM || number == SIGINT)
		loop_stop(&family->loop);
}

/*
 * Sends the signal (0: none) to replaced children and to the children of the roles up to `last`.
 * Returns how many still run.
 */
static size_t signal_children(const struct family *family, const struct process_role *last,
			      int number)
{
	size_t left = 0;
	for (size_t i = 0; i < CHILDREN_MAX; i++) {
		const struct child *child = &family->children[i];
		if (child->process.pid == 0 || (!child->is_replaced && child->role > last))
			continue;
		left++;
		kill(child->process.pid, number);
	}
	return left;
}

/* Ends the children of the roles up to `last`. At the deadline kills the remaining children. */
static void send_home(struct family *family, const struct process_role *last, int64_t deadline_ms)
{
	size_t left = signal_children(family, last, SIGTERM);
	while (left > 0) {
		loop_run_until(&family->loop, deadline_ms);
		left = signal_children(family, last, 0);
		if (left == 0 || clock_ms() < deadline_ms)
			continue;
		log_warn("supervisor", "%zu processes that do not end are killed", left);
		signal_children(family, last, SIGKILL);
		deadline_ms = clock_ms() + REPLACED_LEAVE_MS;
	}
}

static void watch_signals(struct family *family)
{
	const int signals[] = { SIGTERM, SIGINT, SIGHUP, REPLACE_ME, 0 };
	sigprocmask(SIG_BLOCK, NULL, &family->before);
	family->signals = (struct loop_signals){ .call = take_signal, .context = family };
	if (!loop_open(&family->loop) ||
	    !loop_signals_watch(&family->loop, &family->signals, signals))
		die("supervisor: out of descriptors");
}

int supervisor_run(const struct supervisor *supervisor)
{
	struct family family = { .supervisor = supervisor };
	watch_signals(&family);
	family.timer = (struct loop_timer){ .call = look_at_seats, .context = &family };
	fill_seats(&family);
	loop_run(&family.loop);
	loop_timer_cancel(&family.loop, &family.timer);
	family.is_leaving = true;
	int64_t deadline_ms = clock_ms();
	for (size_t i = 0; i < supervisor->role_count; i++) {
		deadline_ms += supervisor->roles[i].leave_ms;
		send_home(&family, &supervisor->roles[i], deadline_ms);
	}
	loop_signals_unwatch(&family.loop, &family.signals);
	loop_close(&family.loop);
	log_info("stop", "all workers have left");
	return EX_OK;
}
