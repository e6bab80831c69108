#include "unit/lib/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/confine.h"

enum { IS_UNSUPPORTED = 77 };

static char inside[64];
static char outside[64];

static const char *path_in(const char *folder, const char *name)
{
	static char paths[4][128];
	static size_t next;
	char *path = paths[next++ % 4];
	snprintf(path, sizeof(paths[0]), "%s/%s", folder, name);
	return path;
}

static bool can_open(const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC, 0600);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static bool is_denied(int outcome)
{
	return outcome != 0 && errno == EACCES;
}

/* The number of the first expectation that is wrong; 0: none. */
static int first_wrong(void)
{
	char name[] = "true";
	char *const arguments[] = { name, NULL };
	const bool expectations[] = {
		can_open("/etc/passwd", O_RDONLY),
		can_open("/dev/null", O_RDWR),
		can_open(path_in(inside, "new"), O_RDWR | O_CREAT | O_TRUNC),
		mkdir(path_in(inside, "folder"), 0700) == 0,
		rename(path_in(inside, "new"), path_in(inside, "folder/new")) == 0,
		link(path_in(inside, "folder/new"), path_in(inside, "linked")) == 0,
		!can_open(path_in(outside, "old"), O_RDONLY),
		!can_open(path_in(outside, "new"), O_RDWR | O_CREAT),
		is_denied(unlink(path_in(outside, "old"))),
		is_denied(truncate(path_in(outside, "old"), 0)),
		is_denied(symlink("/etc/passwd", path_in(inside, "pointer"))),
		is_denied(execv("/bin/true", arguments)),
	};
	for (size_t i = 0; i < ARRAY_LEN(expectations); i++)
		if (!expectations[i])
			return (int)i + 1;
	return 0;
}

static int run_confined(void)
{
	struct confine_folders folders = { .writable = { inside, "/nonexistent" } };
	confine_privileges();
	enum confine_state state = confine_folders(&folders);
	if (state == CONFINE_UNSUPPORTED)
		return IS_UNSUPPORTED;
	return state == CONFINE_DONE ? first_wrong() : IS_UNSUPPORTED + 1;
}

static int status_of_child(int (*run)(void))
{
	int status;
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0)
		_exit(run());
	assert_int_equal(pid, waitpid(pid, &status, 0));
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void a_confined_process_changes_only_its_folder(void **state)
{
	(void)state;
	strcpy(inside, "/tmp/confine-inside-XXXXXX");
	strcpy(outside, "/tmp/confine-outside-XXXXXX");
	assert_non_null(mkdtemp(inside));
	assert_non_null(mkdtemp(outside));
	assert_true(can_open(path_in(outside, "old"), O_RDWR | O_CREAT));
	int status = status_of_child(run_confined);
	unlink(path_in(inside, "linked"));
	unlink(path_in(inside, "folder/new"));
	rmdir(path_in(inside, "folder"));
	assert_int_equal(0, unlink(path_in(outside, "old")));
	assert_int_equal(0, rmdir(inside));
	assert_int_equal(0, rmdir(outside));
	if (status == IS_UNSUPPORTED)
		skip();
	assert_int_equal(0, status);
}

static int first_wrong_privilege(void)
{
	struct rlimit core;
	confine_privileges();
	const bool expectations[] = {
		getrlimit(RLIMIT_CORE, &core) == 0 && core.rlim_cur == 0 && core.rlim_max == 0,
		system("grep -q 'NoNewPrivs:[[:space:]]*1' /proc/self/status") == 0,
		umask(0) == (S_IWGRP | S_IWOTH),
	};
	for (size_t i = 0; i < ARRAY_LEN(expectations); i++)
		if (!expectations[i])
			return (int)i + 1;
	return 0;
}

static void privileges_are_given_up_for_programs_that_are_started(void **state)
{
	(void)state;
	assert_int_equal(0, status_of_child(first_wrong_privilege));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_confined_process_changes_only_its_folder),
		cmocka_unit_test(privileges_are_given_up_for_programs_that_are_started),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
