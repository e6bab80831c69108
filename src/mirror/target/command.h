/* Runs an operator's command; only for mirror/target/target_command.c and tests. */
#ifndef MIRROR_TARGET_COMMAND_H
#define MIRROR_TARGET_COMMAND_H

#include <stdint.h>

#include "base/error.h"

struct command {
	const char *line;  /* for /bin/sh -c */
	const char *pages; /* DAYMARK_PAGES */
	const char *name;  /* DAYMARK_MIRROR */
	int64_t most_ms;   /* how long it may run */
	int64_t end_ms;	   /* the time from SIGTERM to SIGKILL */
};

/*
 * Runs the command, and waits for its end. The command has a separate process group, and no
 * descriptors except its input (/dev/null) and its output. If this process dies, the command gets
 * SIGTERM.
 *
 * E_UNAVAILABLE: the command has failed, or was ended because it took too long. E_REFUSED: the
 * command does not exist. The error's log text has the end of the output.
 */
enum result command_run(const struct command *command, struct error *error) MUST_USE;

#endif
