#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/fd.h"
#include "mirror/mirror_state.h"
#include "mirror/target/command.h"
#include "mirror/target/command_pages.h"
#include "mirror/target/target.h"

enum { MOST_MS = 600000, END_MS = 5000 };

struct own {
	struct pages_dir dir;
	char *path; /* the absolute path of the pages folder, because the command may change its
		       working folder */
};

static void close_target(struct target *target)
{
	struct own *own = target->own;
	if (!own)
		return;
	pages_dir_close(&own->dir);
	free(own->path);
	free(own);
	target->own = NULL;
}

static enum result open_target(struct target *target, const struct mirror *mirror,
			       const struct config *config, struct error *error)
{
	struct own *own = calloc(1, sizeof(*own));
	target->own = own;
	if (!own)
		return error_log(error, E_FAILED, "no memory for mirror %s", mirror->name);
	own->dir = PAGES_DIR_CLOSED;
	enum result result = pages_dir_open(&own->dir, config->pages_dir, error);
	if (result == OK && !(own->path = realpath(config->pages_dir, NULL)))
		result = error_log(error, E_FAILED, "the pages folder %.300s cannot be found",
				   config->pages_dir);
	if (result != OK)
		close_target(target);
	return result;
}

static enum result run(const struct target *target, struct error *error)
{
	const struct own *own = target->own;
	char pages[PATH_MAX];
	snprintf(pages, sizeof(pages), "%s/" JOURNAL_FOLDER "/%s/" COMMAND_PAGES_FOLDER, own->path,
		 target->mirror->name);
	const struct command command = { .line = target->mirror->command,
					 .pages = pages,
					 .name = target->mirror->name,
					 .most_ms = MOST_MS,
					 .end_ms = END_MS };
	return command_run(&command, error);
}

/* Runs the command even if some pages cannot be linked (on a full disk, say): the command must
 * still remove pages that became private. */
static enum result send_all(struct target *target, struct page_copy *const *pages, size_t count,
			    struct error *error)
{
	(void)pages;
	(void)count;
	const struct own *own = target->own;
	struct error failure = { 0 };
	bool is_usable = false;
	int folder_fd CLEANUP(close_fd) = -1;
	enum result made =
		mirror_folder_make(&own->dir, target->mirror->name, &folder_fd, &failure);
	if (made == OK)
		made = command_pages_make(&own->dir, folder_fd, &is_usable, &failure);
	enum result result = is_usable ? run(target, error) : OK;
	if (result == OK && made != OK) {
		*error = failure;
		return made;
	}
	return result;
}

const struct target_kind target_command = {
	.is_whole = true,
	.open = open_target,
	.close = close_target,
	.send = send_all,
};
