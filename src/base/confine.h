/*
 * Gives up the rights that a process does not need, so that a defect in the process can do less
 * harm. The systemd units (conf/systemd) do the same and more; this also protects where systemd
 * does not start the program.
 */
#ifndef BASE_CONFINE_H
#define BASE_CONFINE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Takes rights from this process and all that it starts: rights by set-user-ID programs, core
 * files, which would contain keys and passwords, and the right of other users to change new files.
 */
void confine_privileges(void);

enum { CONFINE_PATHS_MAX = 40 };

/*
 * The folders that a confined process may use. A folder that does not exist is ignored. A path
 * that is NULL ends the list.
 */
struct confine_folders {
	const char *writable[CONFINE_PATHS_MAX]; /* may be read and changed, with all below */
	const char *
		readable[CONFINE_PATHS_MAX]; /* besides the folders of the system and the program */
};

/* The outcome of confine_folders(). */
enum confine_state {
	CONFINE_DONE,
	CONFINE_UNSUPPORTED, /* the kernel has no Landlock, or one that is too old or disabled */
	CONFINE_FAILED,	     /* see errno; nothing has changed */
};

/*
 * Restricts the calling process for good (Linux Landlock, ABI 2 or newer): it may change files only
 * below the writable folders, read files only below the writable and readable folders and the
 * folders of the system (/usr, /etc and the like), and run no programs. Call it before other
 * threads start. Descriptors that are open stay usable. Needs confine_privileges().
 */
enum confine_state confine_folders(const struct confine_folders *folders);

/* Whether the kernel has what confine_folders() needs. */
bool confine_is_supported(void);

#endif
