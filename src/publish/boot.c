#include "publish/boot.h"

#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "publish/folder.h"

#define SYSTEM_FILE "/proc/sys/kernel/random/boot_id"
#define BOOT_FILE   "boot"

enum { BOOT_ID_SIZE = 64, BOOT_ID_MIN_CHARS = 16 };

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char id[BOOT_ID_SIZE];

/* Reads a line; an empty text: it cannot be read. */
static void read_line(int folder_fd, const char *name, char line[BOOT_ID_SIZE])
{
	int fd CLEANUP(close_fd) = openat(folder_fd, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	ssize_t len = fd >= 0 ? read(fd, line, BOOT_ID_SIZE - 1) : 0;
	line[len > 0 ? len : 0] = '\0';
	line[strcspn(line, "\n")] = '\0';
}

static void read_id(void)
{
	read_line(AT_FDCWD, SYSTEM_FILE, id);
}

const char *boot_id(void)
{
	pthread_once(&once, read_id);
	return strlen(id) >= BOOT_ID_MIN_CHARS ? id : NULL;
}

bool boot_is_new(const struct pages_dir *dir)
{
	char recorded[BOOT_ID_SIZE];
	if (!boot_id())
		return false;
	read_line(dir->root_fd, BOOT_FILE, recorded);
	return strcmp(recorded, boot_id()) != 0;
}

enum result boot_record(const struct pages_dir *dir, struct error *error)
{
	if (!boot_id())
		return OK;
	/* Nothing is synced: after a loss of power the record differs from the id in any case. */
	return folder_put(dir->new_fd, dir->root_fd, BOOT_FILE, str_from(boot_id()), false, error);
}
