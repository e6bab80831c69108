#include "publisher.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "publish/domain_check.h"
#include "publish/due.h"
#include "publish/pages_dir.h"
#include "store/idempotency.h"

enum {
	LOOK_MS = 1000,	 /* between rounds, when nothing wakes it */
	ROUND_MS = 1000, /* of a round; changes that came meanwhile are then seen */
	LEAVE_MS = 2000, /* for the last round */
	SETTLED_S = 1,	 /* a younger change is likely to be its own request's */
	TIDY_MS = 60000, /* between two searches for what is left over, */
	TIDY_SHARE = 20, /* which take a small share of the time */
	FORGET_MS = 3600000,
	RECHECK_MS = 60000,	   /* between two looks at the proofs of domains, */
	RECHECK_BUDGET_MS = 10000, /* each of which begins no look-up after this */
};

struct process {
	const struct config *config;
	struct arena arena;
	struct due due;
	int wake_fd;
	int signal_fd;
	int lock_fd;	/* -1: another process is the machine's publisher */
	bool is_called; /* changes are due that no request is going to publish */
	bool is_leaving;
	int64_t round_until_ms;
	int64_t tidy_ms; /* when to look for what is left over */
	int64_t forget_ms;
	int64_t recheck_ms;
	atomic_bool is_rechecking;
	struct arena site_arena;
	struct site site;
	enum result last; /* what was logged */
};

static void tell(void *context, const char *slug, const struct error *failure)
{
	(void)context;
	if (failure)
		log_warn("publish", "page %s is not published yet: %s", slug, error_text(failure));
	else
		log_info("publish", "page %s is published", slug);
}

/* A state is logged once, not every second. */
static void note(struct process *process, enum result result, const struct error *error)
{
	if (result != OK && result != process->last)
		log_warn("publish", "publishing is interrupted, and tried again every second: %s",
			 error_text(error));
	if (result == OK && process->last != OK)
		log_info("publish", "publishing works again");
	process->last = result;
}

/* Waits for a call, for a signal, or until the time is over. */
static void await(struct process *process, int timeout_ms)
{
	struct pollfd fds[] = { { .fd = process->signal_fd, .events = POLLIN },
				{ .fd = process->wake_fd, .events = POLLIN } };
	uint64_t calls = 0;
	if (poll(fds, ARRAY_LEN(fds), timeout_ms) <= 0)
		return;
	process->is_leaving |= fds[0].revents != 0;
	if (fds[1].revents != 0 && read(process->wake_fd, &calls, sizeof(calls)) > 0)
		process->is_called = true;
}

static bool stays(void *context)
{
	struct process *process = context;
	struct pollfd signals = { .fd = process->signal_fd, .events = POLLIN };
	process->is_leaving = process->is_leaving || poll(&signals, 1, 0) > 0;
	return !process->is_leaving;
}

/* The round in which the signal came ends; the last one has its time. */
static bool goes_on(void *context)
{
	struct process *process = context;
	bool was_leaving = process->is_leaving;
	return (was_leaving || stays(process)) && clock_ms() < process->round_until_ms;
}

/* Becomes the machine's publisher, unless another process is. */
static enum result take_lock(struct process *process, struct error *error)
{
	struct pages_dir dir CLEANUP(pages_dir_close) = PAGES_DIR_CLOSED;
	enum result result = pages_dir_open(&dir, process->config->pages_dir, error);
	if (result != OK)
		return result;
	int fd = openat(dir.lock_fd, "publisher", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return error_log(error, E_FAILED, "its lock cannot be opened");
	if (flock(fd, LOCK_EX | LOCK_NB) == 0)
		process->lock_fd = fd;
	else
		close(fd);
	return OK;
}

/* What a crash has left of pages that are gone, and answers that are no longer kept. */
static enum result tidy(struct process *process, struct error *error)
{
	int64_t begun_ms = clock_ms();
	struct publish_run run = { .goes_on = stays, .context = process };
	struct publisher publisher = process->due.publisher;
	struct instant now = clock_now();
	publisher.now = now;
	enum result result = publish_sweep(&publisher, &run, error);
	if (result == OK && !run.is_cut && begun_ms >= process->forget_ms) {
		struct instant oldest = { now.s - IDEMPOTENCY_KEPT_S };
		result = idempotency_forget(publisher.db, oldest, error);
		process->forget_ms = begun_ms + FORGET_MS;
	}
	int64_t took_ms = clock_ms() - begun_ms;
	process->tidy_ms =
		clock_ms() + (took_ms * TIDY_SHARE > TIDY_MS ? took_ms * TIDY_SHARE : TIDY_MS);
	arena_reset(&process->arena);
	return result;
}

static void tell_domain(void *context, const struct domain_claim *claim,
			enum domain_proof_outcome outcome, const char *why)
{
	struct arena *arena = context;
	if (outcome != DOMAIN_PROOF_FOUND)
		log_warn("domain", "%s", domain_recheck_text(claim, outcome, why, arena));
	arena_reset(arena);
}

/* Only updates rows: the next round publishes pages that gained or lost their domain. */
static void *recheck_domains(void *argument)
{
	struct process *process = argument;
	struct arena arena CLEANUP(arena_done);
	struct error error = { 0 };
	struct db_login login = db_login_of(process->config, false);
	struct domain_recheck run = {
		.db = db_new(&login),
		.config = process->config,
		.now = clock_now(),
		.budget_ms = RECHECK_BUDGET_MS,
		.progress = tell_domain,
		.context = &arena,
	};
	arena_init(&arena, 1 << 20);
	if (domain_recheck_run(&run, &error) != OK)
		log_warn("domain", "domains are not checked: %s", error_text(&error));
	db_free(run.db);
	process->is_rechecking = false;
	return NULL;
}

/* In a thread of its own: pages must not wait for a DNS server. */
static void start_recheck(struct process *process)
{
	pthread_t thread;
	process->recheck_ms = clock_ms() + RECHECK_MS;
	if (atomic_exchange(&process->is_rechecking, true))
		return;
	if (pthread_create(&thread, NULL, recheck_domains, process) == 0)
		pthread_detach(thread);
	else
		process->is_rechecking = false;
}

/* One round; true when another is to follow at once. */
static bool turn(struct process *process)
{
	struct error error = { 0 };
	struct instant now = clock_now();
	struct instant settled = { process->is_called ? 0 : now.s - SETTLED_S };
	bool is_more = false;
	enum result result = process->lock_fd >= 0 ? OK : take_lock(process, &error);
	if (result == OK && process->lock_fd < 0)
		return false;
	process->round_until_ms = clock_ms() + (process->is_leaving ? LEAVE_MS : ROUND_MS);
	if (result == OK)
		result = due_round(&process->due, now, settled, &is_more, &error);
	if (result == OK && !is_more)
		process->is_called = false;
	if (result == OK && !is_more && !process->is_leaving && clock_ms() >= process->tidy_ms)
		result = tidy(process, &error);
	if (result == OK && !process->is_leaving && clock_ms() >= process->recheck_ms)
		start_recheck(process);
	note(process, result, &error);
	return result == OK && is_more;
}

static void work(struct process *process)
{
	/* The changes of a process that was killed before. */
	process->is_called = true;
	while (!process->is_leaving)
		await(process, turn(process) ? 0 : LOOK_MS);
	process->is_called = true;
	turn(process);
}

static int open_signals(void)
{
	sigset_t signals;
	sigemptyset(&signals);
	sigaddset(&signals, SIGHUP);
	sigaddset(&signals, SIGINT);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	sigemptyset(&signals);
	sigaddset(&signals, SIGTERM);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	return signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
}

void publisher_run(const struct config *config, int wake_fd)
{
	enum { ARENA_MAX_BYTES = 256 << 20 };
	/* Outlives this function, as a look-up may. */
	static struct process process;
	process = (struct process){
		.config = config, .wake_fd = wake_fd, .lock_fd = -1, .signal_fd = open_signals()
	};
	struct db_login login = db_login_of(config, false);
	struct db *db = db_new(&login);
	/* How `ps` and `top` tell it from the workers. */
	prctl(PR_SET_NAME, "daymark-publish");
	if (process.signal_fd < 0)
		die("publisher: cannot wait for signals");
	arena_init(&process.arena, ARENA_MAX_BYTES);
	arena_init(&process.site_arena, 1 << 20);
	site_init(&process.site, config, &process.site_arena);
	process.due = (struct due){
		.publisher = { .db = db,
			       .path = config->pages_dir,
			       .base_url = config->base_url,
			       .site = &process.site,
			       .arena = &process.arena },
		.goes_on = goes_on,
		.tell = tell,
		.context = &process,
	};
	work(&process);
	due_done(&process.due);
	arena_done(&process.arena);
	db_free(db);
	if (!process.is_rechecking)
		arena_done(&process.site_arena);
}
