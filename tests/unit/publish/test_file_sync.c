/* Several files are synced at once, and each has its own outcome. */
#include "unit/lib/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "publish/folder/file_sync.h"

enum { UNTOLD = -1 };

static int fds[FILE_SYNC_MAX];
static int outcomes[FILE_SYNC_MAX];

static int start(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(fds); i++) {
		FILE *file = tmpfile();
		fds[i] = file ? dup(fileno(file)) : -1;
		if (fds[i] < 0 || write(fds[i], "text", 4) != 4)
			return -1;
		fclose(file);
	}
	return 0;
}

static int end(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(fds); i++)
		close(fds[i]);
	return 0;
}

#define SYNC_TEST(function) cmocka_unit_test_setup_teardown(function, start, end)

static bool all_are_synced(size_t count)
{
	for (size_t i = 0; i < ARRAY_LEN(fds); i++)
		outcomes[i] = UNTOLD;
	file_sync_all(fds, outcomes, count);
	for (size_t i = 0; i < ARRAY_LEN(fds); i++)
		if (outcomes[i] != (i < count ? 0 : UNTOLD))
			return false;
	return true;
}

static void any_number_of_files_is_synced(void **state)
{
	(void)state;
	static const size_t counts[] = { 0, 1, 2, 9, FILE_SYNC_MAX };
	for (size_t i = 0; i < ARRAY_LEN(counts); i++)
		assert_true(all_are_synced(counts[i]));
}

/* A pipe cannot be synced. */
static void a_failure_is_that_of_its_file(void **state)
{
	(void)state;
	int ends[2];
	assert_int_equal(pipe(ends), 0);
	for (size_t at = 0; at < 4; at++) {
		int file = fds[at];
		fds[at] = ends[1];
		file_sync_all(fds, outcomes, 4);
		for (size_t i = 0; i < 4; i++)
			assert_int_equal(outcomes[i], i == at ? EINVAL : 0);
		fds[at] = file;
	}
	int file = fds[0];
	fds[0] = -1;
	file_sync_all(fds, outcomes, 2);
	assert_int_equal(outcomes[0], EBADF);
	assert_int_equal(outcomes[1], 0);
	fds[0] = file;
	close(ends[0]);
	close(ends[1]);
}

/* As in containers that do not admit the calls. */
static void forbid(int call)
{
	struct sock_filter rules[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)call, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { ARRAY_LEN(rules), rules };
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
		_exit(2);
}

/* A child has the parent's list of queues, but not the queues. */
static int outcome_of_child(int forbidden)
{
	int status = -1;
	pid_t child = fork();
	if (child == 0) {
		if (forbidden > 0)
			forbid(forbidden);
		_exit(all_are_synced(9) && all_are_synced(9) ? 0 : 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void files_are_synced_with_queues_and_without(void **state)
{
	file_sync_at_once();
	assert_int_equal(outcome_of_child(SYS_io_setup), 0);
	any_number_of_files_is_synced(state);
	a_failure_is_that_of_its_file(state);
	assert_int_equal(outcome_of_child(0), 0);
	assert_int_equal(outcome_of_child(SYS_io_submit), 0);
}

/* The process then syncs in turn. */
static void files_whose_outcome_is_not_told_count_as_failed_once(void **state)
{
	enum { HANGS_AFTER_S = 20 };
	(void)state;
	int status = -1;
	pid_t child = fork();
	if (child == 0) {
		alarm(HANGS_AFTER_S);
		forbid(SYS_io_getevents);
		bool is_failed = !all_are_synced(9);
		for (size_t i = 0; i < 9; i++)
			is_failed &= outcomes[i] == EIO;
		_exit(is_failed && all_are_synced(9) && all_are_synced(9) ? 0 : 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		SYNC_TEST(any_number_of_files_is_synced),
		SYNC_TEST(a_failure_is_that_of_its_file),
		SYNC_TEST(files_are_synced_with_queues_and_without),
		SYNC_TEST(files_whose_outcome_is_not_told_count_as_failed_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
