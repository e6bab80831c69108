/* The loop of base/loop.h, and jobs beside it. The test sets the clocks: a minute passes at once.
 */
#include "unit/lib/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/loop_job.h"

/* wrapped: clock_gettime time */
int __real_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now);
time_t __wrap_time(time_t *now);

enum { MINUTE_MS = 60000 };

static int64_t passed_s;   /* by the monotonic clock, since the test began */
static int day_clock_asks; /* how often somebody asked for the time of day */

int __wrap_clock_gettime(clockid_t clock, struct timespec *now)
{
	int outcome = __real_clock_gettime(clock, now);
	now->tv_sec += passed_s;
	if (clock == CLOCK_REALTIME)
		now->tv_sec = 1000000000 - day_clock_asks++ * 3600;
	return outcome;
}

time_t __wrap_time(time_t *now)
{
	struct timespec moment;
	clock_gettime(CLOCK_REALTIME, &moment);
	if (now)
		*now = moment.tv_sec;
	return moment.tv_sec;
}

static struct loop loop;

/* What has happened, as letters. */
static char story[256];

static void tell(const char *word)
{
	strncat(story, word, sizeof(story) - strlen(story) - 1);
}

static int start(void **state)
{
	(void)state;
	story[0] = '\0';
	passed_s = 0;
	day_clock_asks = 0;
	return loop_open(&loop) ? 0 : -1;
}

static int end(void **state)
{
	(void)state;
	return loop_close(&loop) ? 0 : -1;
}

static void tell_and_stop(void *context)
{
	tell(context);
	loop_stop(&loop);
}

static void timers_of_one_instant_are_called_in_the_order_of_their_setting(void **state)
{
	enum { TIMERS = 1000 };
	static struct loop_timer timers[TIMERS];
	static size_t order[TIMERS], called;
	int64_t at_ms = clock_ms() + MINUTE_MS;
	(void)state;
	called = 0;
	for (size_t i = 0; i < TIMERS; i++) {
		timers[i] = (struct loop_timer){ .call = tell_and_stop, .context = (char[]){ "" } };
		loop_timer_set(&loop, &timers[i], at_ms);
	}
	/* One is moved behind the others, and two are cancelled. */
	loop_timer_set(&loop, &timers[0], at_ms);
	loop_timer_cancel(&loop, &timers[500]);
	loop_timer_cancel(&loop, &timers[TIMERS - 1]);
	passed_s = MINUTE_MS / 1000;
	while (loop.timer_count > 0) {
		for (size_t i = 0; i < TIMERS; i++)
			order[called] = timers[i].place == 1 ? i : order[called];
		called++;
		loop_run(&loop);
	}
	assert_int_equal(TIMERS - 2, called);
	for (size_t i = 0; i < called; i++)
		assert_int_equal(i == called - 1 ? 0 : i + 1 + (i + 1 >= 500), order[i]);
}

/* The same as a sorted list, with timers that are set, moved and cancelled at random. */
static void timers_are_called_by_time(void **state)
{
	enum { TIMERS = 64, STEPS = 20000 };
	static struct loop_timer timers[TIMERS];
	unsigned seed = 7;
	(void)state;
	for (size_t i = 0; i < TIMERS; i++)
		timers[i] = (struct loop_timer){ .call = tell_and_stop, .context = (char[]){ "" } };
	for (int step = 0; step < STEPS; step++) {
		seed = seed * 1103515245 + 12345;
		struct loop_timer *timer = &timers[seed / 65536 % TIMERS];
		if (seed / 8 % 4 == 0)
			loop_timer_cancel(&loop, timer);
		else
			loop_timer_set(&loop, timer, clock_ms() + MINUTE_MS + seed / 1024 % 100);
		const struct loop_timer *first = NULL;
		size_t set = 0;
		for (size_t i = 0; i < TIMERS; i++) {
			const struct loop_timer *other = &timers[i];
			set += other->place > 0;
			if (other->place > 0 &&
			    (!first || other->at_ms < first->at_ms ||
			     (other->at_ms == first->at_ms && other->order < first->order)))
				first = other;
		}
		assert_int_equal(set, loop.timer_count);
		assert_true(!first || loop.timers[1] == first);
	}
	for (size_t i = 0; i < TIMERS; i++)
		loop_timer_cancel(&loop, &timers[i]);
}

static struct loop_timer first, second, third;

static void cancel_second(void *context)
{
	(void)context;
	tell("1");
	loop_timer_cancel(&loop, &second);
	loop_timer_cancel(&loop, &first);
}

static void a_timer_that_is_cancelled_in_a_call_is_not_called(void **state)
{
	int64_t now_ms = clock_ms();
	(void)state;
	first = (struct loop_timer){ .call = cancel_second };
	second = (struct loop_timer){ .call = tell_and_stop, .context = (char[]){ "2" } };
	third = (struct loop_timer){ .call = tell_and_stop, .context = (char[]){ "3" } };
	loop_timer_set(&loop, &first, now_ms);
	loop_timer_set(&loop, &second, now_ms);
	loop_timer_set(&loop, &third, now_ms);
	loop_run(&loop);
	assert_string_equal("13", story);
	assert_int_equal(0, loop.timer_count);
}

static int signal_fd;

static void set_again(void *context)
{
	uint64_t one = 1;
	tell(context);
	assert_int_equal(sizeof(one), write(signal_fd, &one, sizeof(one)));
	/* Even for a time that has long passed. */
	loop_timer_set(&loop, &first, 0);
}

static void a_timer_that_sets_itself_leaves_descriptors_their_turn(void **state)
{
	struct loop_watch watch = { .call = tell_and_stop, .context = (char[]){ "w" } };
	(void)state;
	signal_fd = eventfd(0, EFD_CLOEXEC);
	first = (struct loop_timer){ .call = set_again, .context = (char[]){ "t" } };
	loop_timer_set(&loop, &first, 0);
	assert_true(loop_watch(&loop, &watch, signal_fd));
	loop_run(&loop);
	assert_string_equal("tw", story);
	loop_timer_cancel(&loop, &first);
	loop_unwatch(&loop, &watch);
	close(signal_fd);
}

static void a_clock_that_is_set_back_delays_no_timer(void **state)
{
	(void)state;
	first = (struct loop_timer){ .call = tell_and_stop, .context = (char[]){ "1" } };
	for (int i = 0; i < 3; i++) {
		loop_timer_set(&loop, &first, clock_ms() + MINUTE_MS);
		passed_s += MINUTE_MS / 1000;
		loop_run(&loop);
	}
	assert_string_equal("111", story);
	assert_int_equal(0, day_clock_asks);
	/* Whoever asks gets an earlier time each time. */
	assert_true(clock_now().s > clock_now().s);
}

/* Two descriptors that can be read: the first call closes the other one, whose number and whose
 * memory are at once those of a third that has nothing to read. */
static struct loop_watch watches[2];
static int fds[2];

static void replace_other(void *context)
{
	struct loop_watch *other = context;
	int fd = other->fd;
	tell("r");
	loop_unwatch(&loop, other);
	close(fd);
	assert_int_equal(fd, eventfd(0, EFD_CLOEXEC));
	*other = (struct loop_watch){ .call = tell_and_stop, .context = (char[]){ "wrong" } };
	assert_true(loop_watch(&loop, other, fd));
	loop_timer_set(&loop, &first, 0);
	loop_unwatch(&loop, other == &watches[0] ? &watches[1] : &watches[0]);
}

static void the_successor_of_a_closed_descriptor_gets_no_call(void **state)
{
	(void)state;
	first = (struct loop_timer){ .call = tell_and_stop, .context = (char[]){ "." } };
	for (int i = 0; i < 2; i++) {
		fds[i] = eventfd(1, EFD_CLOEXEC);
		watches[i] =
			(struct loop_watch){ .call = replace_other, .context = &watches[1 - i] };
		assert_true(loop_watch(&loop, &watches[i], fds[i]));
	}
	loop_run(&loop);
	assert_string_equal("r.", story);
	for (int i = 0; i < 2; i++) {
		loop_unwatch(&loop, &watches[i]);
		close(fds[i]);
	}
}

static void tell_ready(void *context)
{
	const struct loop_watch *watch = context;
	tell(watch->ready & EPOLLIN ? "i" : "-");
	tell(watch->ready & EPOLLOUT ? "o" : "-");
	tell(watch->ready & EPOLLHUP ? "h " : "- ");
	loop_stop(&loop);
}

static void a_watch_is_called_for_the_events_it_asks_for(void **state)
{
	int pair[2];
	struct loop_watch watch = { .call = tell_ready, .context = &watch };
	(void)state;
	assert_int_equal(0, socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair));
	assert_int_equal(1, write(pair[1], "x", 1));
	assert_true(loop_watch(&loop, &watch, pair[0]));
	loop_run(&loop);
	assert_true(loop_watch_for(&loop, &watch, EPOLLOUT));
	loop_run(&loop);
	assert_true(loop_watch_for(&loop, &watch, EPOLLIN | EPOLLOUT));
	loop_run(&loop);
	assert_string_equal("i-- -o- io- ", story);
	/* For none of them: only the timer calls. */
	assert_true(loop_watch_for(&loop, &watch, 0));
	first = (struct loop_timer){ .call = tell_and_stop, .context = (char[]){ "t" } };
	loop_timer_set(&loop, &first, clock_ms() + 10);
	loop_run(&loop);
	assert_string_equal("i-- -o- io- t", story);
	/* Failures are told in any case. */
	close(pair[1]);
	loop_run(&loop);
	assert_string_equal("i-- -o- io- t--h ", story);
	loop_unwatch(&loop, &watch);
	assert_false(loop_watch_for(&loop, &watch, EPOLLIN));
	assert_int_equal(ENOENT, errno);
	close(pair[0]);
}

static void tell_child(void *context, pid_t pid, int status)
{
	(void)context;
	assert_true(pid > 0);
	assert_int_equal(-1, waitpid(pid, NULL, WNOHANG));
	tell(WIFSIGNALED(status) ? "k" : WEXITSTATUS(status) == 3 ? "3" : "?");
	loop_stop(&loop);
}

static pid_t start_process(bool waits)
{
	pid_t pid = fork();
	if (pid == 0 && waits)
		pause();
	if (pid == 0)
		_exit(3);
	assert_true(pid > 0);
	return pid;
}

static void watch_two_children(void)
{
	siginfo_t ended;
	struct loop_child children[2] = { { .call = tell_child }, { .call = tell_child } };
	pid_t early = start_process(false), late = start_process(true);
	assert_int_equal(0, waitid(P_PID, (id_t)early, &ended, WEXITED | WNOWAIT));
	loop_child_watch(&loop, &children[0], early);
	loop_child_watch(&loop, &children[1], late);
	loop_run(&loop);
	kill(late, SIGKILL);
	loop_run(&loop);
	assert_int_equal(0, children[0].pid + children[1].pid);
}

static void a_child_that_ended_before_it_was_watched_is_told(void **state)
{
	(void)state;
	watch_two_children();
	assert_string_equal("3k", story);
}

static void children_are_found_without_descriptors(void **state)
{
	struct rlimit before, none;
	(void)state;
	assert_int_equal(0, getrlimit(RLIMIT_NOFILE, &before));
	none = before;
	none.rlim_cur = 0;
	assert_int_equal(0, setrlimit(RLIMIT_NOFILE, &none));
	watch_two_children();
	assert_int_equal(0, setrlimit(RLIMIT_NOFILE, &before));
	assert_string_equal("3k", story);
}

static void a_child_process_leaves_the_loop_of_its_parent_alone(void **state)
{
	struct loop_watch watch = { .call = tell_and_stop, .context = (char[]){ "w" } };
	int status;
	(void)state;
	signal_fd = eventfd(1, EFD_CLOEXEC);
	assert_true(loop_watch(&loop, &watch, signal_fd));
	pid_t pid = fork();
	if (pid == 0) {
		loop_forget(&loop);
		_exit(0);
	}
	assert_int_equal(pid, waitpid(pid, &status, 0));
	loop_run(&loop);
	assert_string_equal("w", story);
	loop_unwatch(&loop, &watch);
	close(signal_fd);
}

static void tell_signal(void *context, const struct signalfd_siginfo *signal)
{
	(void)context;
	assert_int_equal(getpid(), (pid_t)signal->ssi_pid);
	tell(signal->ssi_signo == SIGHUP ? "h" : (int)signal->ssi_signo == SIGRTMIN ? "r" : "?");
	if (strlen(story) == 3)
		loop_stop(&loop);
}

static void signals_that_come_together_are_all_told(void **state)
{
	struct loop_signals signals = { .call = tell_signal };
	sigset_t set;
	(void)state;
	sigemptyset(&set);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGRTMIN);
	assert_true(loop_signals_watch(&loop, &signals, (const int[]){ SIGHUP, SIGRTMIN, 0 }));
	/* The system makes one of two equal ones that wait, but not of real-time signals. */
	for (int i = 0; i < 2; i++) {
		kill(getpid(), SIGHUP);
		kill(getpid(), SIGRTMIN);
	}
	loop_run(&loop);
	assert_string_equal("hrr", story);
	loop_signals_unwatch(&loop, &signals);
	loop_signals_unwatch(&loop, &signals);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

enum { JOBS = 8 };
static struct test_job {
	struct loop_job job;
	int gate[2]; /* the job waits for a byte, as for a server that does not answer */
	atomic_int runs, running;
	int ended;
} jobs[JOBS];

static void run_job(void *context)
{
	struct test_job *job = context;
	char byte;
	assert_int_equal(0, job->running++);
	assert_int_equal(1, read(job->gate[0], &byte, 1));
	job->runs++;
	job->running--;
}

static void end_job(void *context)
{
	struct test_job *job = context;
	job->ended++;
	loop_stop(&loop);
}

static void open_jobs(void)
{
	for (size_t i = 0; i < JOBS; i++) {
		jobs[i] = (struct test_job){
			.job = { .run = run_job, .call = end_job, .context = &jobs[i] },
		};
		assert_int_equal(0, pipe(jobs[i].gate));
		assert_true(loop_job_open(&loop, &jobs[i].job));
		loop_job_start(&jobs[i].job);
	}
}

static void open_gate(struct test_job *job)
{
	assert_int_equal(1, write(job->gate[1], "", 1));
}

static int ended_jobs(void)
{
	int ended = 0;
	for (size_t i = 0; i < JOBS; i++)
		ended += jobs[i].ended;
	return ended;
}

static void close_jobs(void)
{
	for (size_t i = 0; i < JOBS; i++) {
		assert_true(loop_job_close(&jobs[i].job));
		assert_true(loop_job_close(&jobs[i].job));
		close(jobs[i].gate[0]);
		close(jobs[i].gate[1]);
	}
}

static void a_job_that_waits_delays_neither_timers_nor_other_jobs(void **state)
{
	(void)state;
	open_jobs();
	first = (struct loop_timer){ .call = tell_and_stop, .context = (char[]){ "t" } };
	loop_timer_set(&loop, &first, 0);
	loop_run(&loop);
	assert_string_equal("t", story);
	open_gate(&jobs[3]);
	loop_run(&loop);
	assert_int_equal(1, jobs[3].ended);
	assert_int_equal(1, ended_jobs());
	/* It rests, and the others run: these cannot be closed, nor can the loop. */
	assert_true(loop_job_close(&jobs[3].job));
	assert_false(loop_job_close(&jobs[4].job));
	assert_false(loop_close(&loop));
	for (size_t i = 0; i < JOBS; i++)
		if (i != 3)
			open_gate(&jobs[i]);
	while (ended_jobs() < JOBS)
		loop_run(&loop);
	close_jobs();
}

static void a_job_runs_once_at_a_time(void **state)
{
	(void)state;
	open_jobs();
	for (int i = 0; i < 5; i++)
		loop_job_start(&jobs[0].job);
	for (size_t i = 0; i < JOBS; i++)
		open_gate(&jobs[i]);
	while (ended_jobs() < JOBS)
		loop_run(&loop);
	assert_int_equal(1, jobs[0].runs);
	/* After its end it can run again. */
	loop_job_start(&jobs[0].job);
	open_gate(&jobs[0]);
	loop_run(&loop);
	assert_int_equal(2, jobs[0].runs);
	assert_int_equal(2, jobs[0].ended);
	close_jobs();
}

static void end_and_start_again(void *context)
{
	struct test_job *job = context;
	job->ended++;
	if (ended_jobs() == 3 * JOBS)
		loop_stop(&loop);
	if (job->ended < 3)
		loop_job_start(&job->job);
}

static void jobs_that_end_together_are_all_told(void **state)
{
	(void)state;
	open_jobs();
	for (size_t i = 0; i < JOBS; i++) {
		jobs[i].job.call = end_and_start_again;
		for (int run = 0; run < 3; run++)
			open_gate(&jobs[i]);
	}
	/* Nobody looks before all have ended their first run. */
	for (size_t i = 0; i < JOBS; i++)
		while (jobs[i].runs == 0)
			sched_yield();
	loop_run(&loop);
	assert_int_equal(3 * JOBS, ended_jobs());
	close_jobs();
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, start, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(timers_of_one_instant_are_called_in_the_order_of_their_setting),
		TEST(timers_are_called_by_time),
		TEST(a_timer_that_is_cancelled_in_a_call_is_not_called),
		TEST(a_timer_that_sets_itself_leaves_descriptors_their_turn),
		TEST(a_clock_that_is_set_back_delays_no_timer),
		TEST(the_successor_of_a_closed_descriptor_gets_no_call),
		TEST(a_watch_is_called_for_the_events_it_asks_for),
		TEST(a_child_that_ended_before_it_was_watched_is_told),
		TEST(children_are_found_without_descriptors),
		TEST(a_child_process_leaves_the_loop_of_its_parent_alone),
		TEST(signals_that_come_together_are_all_told),
		TEST(a_job_that_waits_delays_neither_timers_nor_other_jobs),
		TEST(a_job_runs_once_at_a_time),
		TEST(jobs_that_end_together_are_all_told),
	};
	return RUN(tests);
}
