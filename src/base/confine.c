#include "base/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/attr.h"
#include "base/fd.h"

/* This right is new in ABI 3 of Landlock. Older headers do not define it. */
#ifndef LANDLOCK_ACCESS_FS_TRUNCATE
#define LANDLOCK_ACCESS_FS_TRUNCATE (1ULL << 14)
#endif

#define READING (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
/* CHANGING: the rights in writable folders. NEVER: the rights that a process has in no folder. */
#define CHANGING \
	(LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR | \
	 LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_DIR | \
	 LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REFER)
#define NEVER \
	(LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_MAKE_CHAR | \
	 LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO | \
	 LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM)

/* Versions of Landlock. REFER is new in ABI 2: it allows renaming from one folder to another. */
enum { ABI_NEEDED = 2, ABI_WITH_TRUNCATE = 3 };

/* The folders with libraries, plugins, certificates, time zones and fonts, with the files for name
 * resolution, with /proc/self, and with /dev/urandom. */
static const char *const system_folders[] = {
	"/usr",
	"/lib",
	"/lib32",
	"/lib64",
	"/opt",
	"/etc",
	"/run",
	"/proc",
	"/sys",
	"/dev",
	"/var/cache/fontconfig",
};

void confine_privileges(void)
{
	const struct rlimit none = { 0, 0 };
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	setrlimit(RLIMIT_CORE, &none);
	umask(S_IWGRP | S_IWOTH);
}

/* Adds a rule for the path. Does nothing for a path that does not exist, or that the process may
 * not reach. Returns false on failure; errno has the reason. */
static bool allow(int ruleset_fd, const char *path, uint64_t rights)
{
	int fd CLEANUP(close_fd) = open(path, O_PATH | O_CLOEXEC);
	if (fd < 0)
		return errno == ENOENT || errno == EACCES;
	struct landlock_path_beneath_attr beneath = { .allowed_access = rights, .parent_fd = fd };
	struct stat about;
	if (fstat(fd, &about) == 0 && !S_ISDIR(about.st_mode))
		beneath.allowed_access &= ~(uint64_t)(LANDLOCK_ACCESS_FS_READ_DIR | CHANGING) |
					  LANDLOCK_ACCESS_FS_WRITE_FILE;
	return syscall(SYS_landlock_add_rule, ruleset_fd, LANDLOCK_RULE_PATH_BENEATH, &beneath,
		       0) == 0;
}

static bool allow_all(int ruleset_fd, const char *const *paths, size_t count, uint64_t rights)
{
	bool is_ok = true;
	for (size_t i = 0; is_ok && i < count && paths[i]; i++)
		is_ok = allow(ruleset_fd, paths[i], rights);
	return is_ok;
}

/* Allows reading the program's own folder, which may also have libraries. */
static bool allow_program(int ruleset_fd)
{
	char path[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path) - 1);
	if (len <= 0)
		return true;
	path[len] = '\0';
	*strrchr(path, '/') = '\0';
	return allow(ruleset_fd, path, READING);
}

static enum confine_state failed(void)
{
	return errno == ENOSYS || errno == EOPNOTSUPP ? CONFINE_UNSUPPORTED : CONFINE_FAILED;
}

static long landlock_version(void)
{
	return syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

bool confine_is_supported(void)
{
	return landlock_version() >= ABI_NEEDED;
}

enum confine_state confine_folders(const struct confine_folders *folders)
{
	struct landlock_ruleset_attr handled = { .handled_access_fs = READING | CHANGING | NEVER };
	uint64_t changing = CHANGING;
	long abi = landlock_version();
	if (abi < 0)
		return failed();
	if (abi < ABI_NEEDED)
		return CONFINE_UNSUPPORTED;
	if (abi >= ABI_WITH_TRUNCATE)
		changing |= LANDLOCK_ACCESS_FS_TRUNCATE;
	handled.handled_access_fs |= changing;
	int fd CLEANUP(close_fd) =
		(int)syscall(SYS_landlock_create_ruleset, &handled, sizeof(handled), 0);
	if (fd < 0)
		return failed();
	bool is_ok = allow_all(fd, system_folders, ARRAY_LEN(system_folders), READING) &&
		     allow(fd, "/dev/null", READING | LANDLOCK_ACCESS_FS_WRITE_FILE) &&
		     allow_program(fd) &&
		     allow_all(fd, folders->readable, CONFINE_PATHS_MAX, READING) &&
		     allow_all(fd, folders->writable, CONFINE_PATHS_MAX, READING | changing);
	if (!is_ok || syscall(SYS_landlock_restrict_self, fd, 0) != 0)
		return failed();
	return CONFINE_DONE;
}
