/* The service's processes with folders and files that are links, or not beside each other. */
#include "unit/lib/unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/confine.h"
#include "confinement.h"

static const char *path_of(const char *name)
{
	static char paths[8][128];
	static size_t next;
	char *path = paths[next++ % ARRAY_LEN(paths)];
	snprintf(path, sizeof(paths[0]), "%s/%s", test_folder, name);
	return path;
}

static bool can_open(const char *name, int flags)
{
	int fd = openat(test_folder_fd, name, flags | O_CLOEXEC, 0600);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static void make_file(const char *name)
{
	assert_true(can_open(name, O_WRONLY | O_CREAT));
}

/* The folder `disk` has the pages, `logs` the log, and `service` links to both. */
static void make_folders(void)
{
	static const char *const folders[] = { "disk",	       "disk/pages",  "logs",
					       "service",      "service/log", "ca",
					       "certificates", "other" };
	for (size_t i = 0; i < ARRAY_LEN(folders); i++)
		assert_int_equal(0, mkdirat(test_folder_fd, folders[i], 0700));
	assert_int_equal(0, symlinkat("../disk/pages", test_folder_fd, "service/pages"));
	assert_int_equal(0, symlinkat("../../logs/log", test_folder_fd, "service/log/log"));
	assert_int_equal(0, symlinkat("../certificates/ca.pem", test_folder_fd, "ca/ca.pem"));
	make_file("logs/log");
	make_file("certificates/ca.pem");
	make_file("other/file");
}

/* The number of the first expectation that is wrong; 0: none. */
static int first_wrong(void)
{
	struct mirror mirror = { .name = "a", .ca_file = path_of("ca/ca.pem") };
	const struct mirrors mirrors = { &mirror, 1 };
	const struct config config = { .is_confined = true,
				       .pages_dir = path_of("service/pages"),
				       .log_file = path_of("service/log/log") };
	confine_start(&config);
	confine_to(&config, &mirrors);
	const bool expectations[] = {
		can_open("service/pages/new", O_WRONLY | O_CREAT),
		can_open("service/log/log", O_WRONLY | O_APPEND),
		/* After a rotation, which has renamed the file. */
		renameat(test_folder_fd, "logs/log", test_folder_fd, "logs/log.1") == 0,
		can_open("service/log/log", O_WRONLY | O_APPEND | O_CREAT),
		can_open("ca/ca.pem", O_RDONLY),
		!can_open("certificates/ca.pem", O_WRONLY),
		!can_open("other/file", O_RDONLY),
		!can_open("disk/new", O_WRONLY | O_CREAT),
	};
	for (size_t i = 0; i < ARRAY_LEN(expectations); i++)
		if (!expectations[i])
			return (int)i + 1;
	return 0;
}

static void links_and_certificates_elsewhere_can_be_used(void **state)
{
	int status;
	(void)state;
	if (!confine_is_supported())
		skip();
	make_folders();
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0)
		_exit(first_wrong());
	assert_int_equal(pid, waitpid(pid, &status, 0));
	assert_true(WIFEXITED(status));
	assert_int_equal(0, WEXITSTATUS(status));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(links_and_certificates_elsewhere_can_be_used),
	};
	return cmocka_run_group_tests(tests, folder_start, folder_end);
}
