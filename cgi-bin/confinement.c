#include "confinement.h"

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/confine.h"
#include "base/log.h"

void confine_start(const struct config *config)
{
	if (config->is_confined)
		confine_privileges();
}

/* The folder above the pages folder: an operator may replace the pages folder, and the program
 * creates it. `path` is changed. */
static const char *pages_parent(const struct config *config, char *path)
{
	const char *parent = dirname(path);
	return strcmp(parent, "/") == 0 ? config->pages_dir : parent;
}

void confine_to(const struct config *config)
{
	char pages[PATH_MAX];
	char log[PATH_MAX];
	if (!config->is_confined)
		return;
	snprintf(pages, sizeof(pages), "%s", config->pages_dir);
	snprintf(log, sizeof(log), "%s", config->log_file ? config->log_file : "");
	struct confine_folders folders = {
		.writable = { pages_parent(config, pages), config->log_file ? dirname(log) : NULL },
	};
	if (confine_folders(&folders) == CONFINE_FAILED)
		log_warn("confine", "the process keeps its rights on files: %s", strerror(errno));
}
