#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "mirror/command.h"
#include "mirror/target.h"

enum { MOST_MS = 600000, END_MS = 5000 };

/* The command may change its folder, so that it gets whole paths. */
static enum result open_target(struct target *target, const struct mirror *mirror,
			       const struct config *config, struct error *error)
{
	(void)mirror;
	target->own = realpath(config->pages_dir, NULL);
	return target->own ? OK
			   : error_log(error, E_FAILED, "the pages folder %.300s cannot be found",
				       config->pages_dir);
}

static void close_target(struct target *target)
{
	free(target->own);
	target->own = NULL;
}

static enum result send_all(struct target *target, struct page_copy *const *pages, size_t count,
			    struct error *error)
{
	(void)pages;
	(void)count;
	char public_part[PATH_MAX];
	snprintf(public_part, sizeof(public_part), "%s/public", (const char *)target->own);
	const struct command command = { .line = target->mirror->command,
					 .pages = public_part,
					 .name = target->mirror->name,
					 .most_ms = MOST_MS,
					 .end_ms = END_MS };
	return command_run(&command, error);
}

const struct target_kind target_command = {
	.is_whole = true,
	.open = open_target,
	.close = close_target,
	.send = send_all,
};
