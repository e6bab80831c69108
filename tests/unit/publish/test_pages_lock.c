/* Who waits for whom at the locks of the pages folder, counted in holds. */
#include "unit/lib/unit.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file_lock.h"
#include "publish/folder/pages_dir.h"

/* PARTIES publishers, each with a page of its own, keep the folder shared all the time. */
enum { PARTIES = 8, HOLD_US = 4000, TRIALS = 10, NOT_SOON_S = 10 };

/* In memory that forked processes share. */
struct counts {
	atomic_long shared; /* holds that have begun */
	atomic_long alone;
	atomic_bool is_over;
	atomic_int ready;
};

static struct pages_dir dir;
static struct counts *counts;

static int start(void **state)
{
	struct error error = { 0 };
	counts = mmap(NULL, sizeof(*counts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	return counts != MAP_FAILED && folder_start(state) == 0 &&
			       pages_dir_open(&dir, test_folder, &error) == OK
		       ? 0
		       : -1;
}

static int end(void **state)
{
	pages_dir_close(&dir);
	munmap(counts, sizeof(*counts));
	return folder_end(state);
}

static void hold(atomic_long *count)
{
	atomic_fetch_add(count, 1);
	usleep(HOLD_US);
}

/* Publishes a page again and again. */
static void *publish(void *argument)
{
	int64_t page_id = (intptr_t)argument;
	struct error error = { 0 };
	struct pages_lock lock;
	atomic_fetch_add(&counts->ready, 1);
	while (!counts->is_over && pages_dir_lock_page(&dir, page_id, &lock, &error) == OK) {
		hold(&counts->shared);
		pages_dir_unlock(&lock);
	}
	return NULL;
}

/* Locks everything again and again. */
static void *remove_folders(void *argument)
{
	struct error error = { 0 };
	struct pages_lock lock;
	(void)argument;
	atomic_fetch_add(&counts->ready, 1);
	while (!counts->is_over && pages_dir_lock_all(&dir, &lock, &error) == OK) {
		hold(&counts->alone);
		pages_dir_unlock(&lock);
	}
	return NULL;
}

typedef void *party(void *argument);

struct crowd {
	bool is_forked; /* processes, else threads */
	pthread_t threads[PARTIES];
	pid_t pids[PARTIES];
};

static void gather(struct crowd *crowd, party *run)
{
	counts->is_over = false;
	counts->ready = 0;
	for (intptr_t i = 0; i < PARTIES; i++) {
		if (!crowd->is_forked) {
			assert_int_equal(0,
					 pthread_create(&crowd->threads[i], NULL, run, (void *)i));
			continue;
		}
		crowd->pids[i] = fork();
		assert_true(crowd->pids[i] >= 0);
		if (crowd->pids[i] == 0) {
			run((void *)i);
			_exit(0);
		}
	}
	while (counts->ready < PARTIES)
		usleep(HOLD_US);
}

static void disperse(struct crowd *crowd)
{
	counts->is_over = true;
	for (int i = 0; i < PARTIES; i++)
		if (crowd->is_forked)
			waitpid(crowd->pids[i], NULL, 0);
		else
			pthread_join(crowd->threads[i], NULL);
}

/* The end of a wait that has failed. */
static int64_t much_later(void)
{
	return clock_ms() + NOT_SOON_S * 1000;
}

/* The page of nobody else. */
static enum result lock_own_page(struct pages_lock *lock)
{
	struct error error = { 0 };
	return pages_dir_lock_page_until(&dir, PARTIES, much_later(), lock, &error);
}

static enum result lock_everything(struct pages_lock *lock)
{
	struct error error = { 0 };
	return pages_dir_lock_all_until(&dir, much_later(), lock, &error);
}

/* The most holds that began between a request for the lock and its grant. */
static long holds_meanwhile(enum result (*take)(struct pages_lock *lock), atomic_long *count)
{
	long most = 0;
	for (int i = 0; i < TRIALS; i++) {
		struct pages_lock lock;
		usleep(3 * HOLD_US);
		long before = *count;
		assert_int_equal(OK, take(&lock));
		long meanwhile = *count - before;
		pages_dir_unlock(&lock);
		most = meanwhile > most ? meanwhile : most;
	}
	return most;
}

/* Each party may begin one hold before the gate closes, and is not admitted again. */
static void check_who_locks_everything(bool is_forked)
{
	struct crowd crowd = { .is_forked = is_forked };
	gather(&crowd, publish);
	long meanwhile = holds_meanwhile(lock_everything, &counts->shared);
	disperse(&crowd);
	assert_in_range(meanwhile, 0, 2 * PARTIES);
}

static void who_locks_everything_passes_publishers(void **state)
{
	(void)state;
	check_who_locks_everything(false);
	check_who_locks_everything(true);
}

/* The one that has the lock, and the one that waits at the gate. */
static void check_publisher(bool is_forked)
{
	struct crowd crowd = { .is_forked = is_forked };
	gather(&crowd, remove_folders);
	long meanwhile = holds_meanwhile(lock_own_page, &counts->alone);
	disperse(&crowd);
	assert_in_range(meanwhile, 0, 3);
}

static void a_publisher_passes_many_who_lock_everything(void **state)
{
	(void)state;
	check_publisher(false);
	check_publisher(true);
}

/* How many pages with even numbers can be locked at once. */
static int count_free(void)
{
	struct error error = { 0 };
	struct pages_lock lock;
	int count = 0;
	for (int64_t page_id = 0; page_id < PARTIES; page_id += 2) {
		bool is_free;
		assert_int_equal(OK, pages_dir_try_page(&dir, page_id, &lock, &is_free, &error));
		count += is_free;
		pages_dir_unlock(&lock);
	}
	return count;
}

static void await_count(int wanted)
{
	int64_t until_ms = much_later();
	while (count_free() != wanted && clock_ms() < until_ms)
		usleep(HOLD_US);
	assert_int_equal(wanted, count_free());
}

/* Else who has one page would wait for somebody who waits for that page. */
static void a_second_page_is_only_tried_while_somebody_waits(void **state)
{
	struct pages_lock own;
	pthread_t thread;
	(void)state;
	counts->is_over = false;
	assert_int_equal(OK, lock_own_page(&own));
	await_count(PARTIES / 2);
	assert_int_equal(0, pthread_create(&thread, NULL, remove_folders, NULL));
	await_count(0);
	counts->is_over = true;
	pages_dir_unlock(&own);
	pthread_join(thread, NULL);
	await_count(PARTIES / 2);
}

/* Kills a process while it waits, with the gate closed. */
static void a_process_that_is_killed_waiting_stops_nobody(void **state)
{
	struct pages_lock own, lock;
	(void)state;
	counts->is_over = false;
	assert_int_equal(OK, lock_own_page(&own));
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		/* Its copy of the lock must not outlive the parent's. */
		remove_folders(NULL);
		_exit(0);
	}
	await_count(0);
	assert_int_equal(0, kill(pid, SIGKILL));
	assert_int_equal(pid, waitpid(pid, NULL, 0));
	await_count(PARTIES / 2);
	pages_dir_unlock(&own);
	assert_int_equal(OK, lock_everything(&lock));
	pages_dir_unlock(&lock);
}

/* A program that is being started has copies of all descriptors. */
static void a_forked_process_keeps_no_lock(void **state)
{
	struct pages_lock lock;
	int pipe_fds[2];
	char end;
	(void)state;
	assert_int_equal(OK, lock_own_page(&lock));
	assert_int_equal(0, pipe(pipe_fds));
	pid_t pid = fork();
	if (pid == 0) {
		close(pipe_fds[1]);
		_exit(read(pipe_fds[0], &end, 1) == 0 ? 0 : 1);
	}
	pages_dir_unlock(&lock);
	assert_int_equal(OK, lock_own_page(&lock));
	pages_dir_unlock(&lock);
	assert_int_equal(OK, lock_everything(&lock));
	pages_dir_unlock(&lock);
	close(pipe_fds[0]);
	close(pipe_fds[1]);
	waitpid(pid, NULL, 0);
}

/* In each of the three files that a wait can be for. */
static void a_wait_ends_in_time(void **state)
{
	struct pages_lock own, lock;
	struct error error = { 0 };
	(void)state;
	int64_t until_ms = clock_ms() + HOLD_US / 1000;
	assert_int_equal(OK, lock_own_page(&own));
	assert_int_equal(E_TOO_SLOW,
			 pages_dir_lock_page_until(&dir, PARTIES, until_ms, &lock, &error));
	assert_int_equal(E_TOO_SLOW, pages_dir_await_page(&dir, PARTIES, until_ms, &error));
	until_ms = clock_ms() + HOLD_US / 1000;
	assert_int_equal(E_TOO_SLOW, pages_dir_lock_all_until(&dir, until_ms, &lock, &error));
	assert_true(clock_ms() >= until_ms);
	/* Who has given up has opened the gate. */
	await_count(PARTIES / 2);
	pages_dir_unlock(&own);
	assert_int_equal(OK, lock_everything(&own));
	until_ms = clock_ms() + HOLD_US / 1000;
	assert_int_equal(E_TOO_SLOW,
			 pages_dir_lock_page_until(&dir, PARTIES, until_ms, &lock, &error));
	assert_true(clock_ms() >= until_ms);
	assert_int_equal(E_TOO_SLOW, pages_dir_lock_all_until(&dir, until_ms, &lock, &error));
	pages_dir_unlock(&own);
	assert_int_equal(OK, pages_dir_lock_all_until(&dir, FILE_LOCK_AT_ONCE, &lock, &error));
	pages_dir_unlock(&lock);
}

/* A former version made only some of the files, and the disk may be full since. */
static void lost_lock_files_are_made_when_the_folder_is_opened(void **state)
{
	static const char *const names[] = { "lock/gate", "lock/turn", "lock/all" };
	struct error error = { 0 };
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		assert_int_equal(0, unlinkat(test_folder_fd, names[i], 0));
	pages_dir_close(&dir);
	/* Another path: the process would not open the same one again. */
	char path[256];
	snprintf(path, sizeof(path), "%s/.", test_folder);
	assert_int_equal(OK, pages_dir_open(&dir, path, &error));
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		assert_int_equal(0, faccessat(test_folder_fd, names[i], F_OK, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_locks_everything_passes_publishers),
		cmocka_unit_test(a_publisher_passes_many_who_lock_everything),
		cmocka_unit_test(a_second_page_is_only_tried_while_somebody_waits),
		cmocka_unit_test(a_process_that_is_killed_waiting_stops_nobody),
		cmocka_unit_test(a_forked_process_keeps_no_lock),
		cmocka_unit_test(a_wait_ends_in_time),
		cmocka_unit_test(lost_lock_files_are_made_when_the_folder_is_opened),
	};
	return cmocka_run_group_tests(tests, start, end);
}
