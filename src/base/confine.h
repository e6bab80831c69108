/*
 * Removes rights that a process does not need, so that a defect in it can do less harm. The systemd
 * units (conf/systemd) do the same and more. The functions here also work for a program that
 * systemd did not start.
 */
#ifndef BASE_CONFINE_H
#define BASE_CONFINE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Removes rights of this process and of all processes that it starts. Set-user-ID programs then get
 * no additional rights. No core files are written: they would contain keys and passwords. Other
 * users may not change new files.
 */
void confine_privileges(void);

enum { CONFINE_PATHS_MAX = 40 };

/*
 * The folders that a confined process may use, with all files below them. A folder that does not
 * exist is ignored. NULL ends a list. The folders of the system and of the program may always be
 * read.
 */
struct confine_folders {
	const char *writable[CONFINE_PATHS_MAX]; /* may be read and changed */
	const char *readable[CONFINE_PATHS_MAX]; /* may be read */
};

/* The outcome of confine_folders(). */
enum confine_state {
	CONFINE_DONE,
	CONFINE_UNSUPPORTED, /* Landlock is missing in the kernel, too old, or disabled */
	CONFINE_FAILED,	     /* see errno; nothing has changed */
};

/*
 * Restricts the calling process for good (Linux Landlock, ABI 2 or newer). The process may change
 * files only below the writable folders. It may read files only below the writable and readable
 * folders and the folders of the system (/usr, /etc and the like). It may run no programs.
 * Descriptors that are open stay usable. Call it before other threads start, and after
 * confine_privileges().
 */
enum confine_state confine_folders(const struct confine_folders *folders);

/* Whether the kernel has what confine_folders() needs. */
bool confine_is_supported(void);

#endif
