#include "confinement.h"

#include <errno.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/confine.h"
#include "base/log.h"

_Static_assert(2 * ((int)MIRRORS_MAX + 3) <= (int)CONFINE_PATHS_MAX,
	       "paths of all mirrors, the checker and the mail");

void confine_start(const struct config *config)
{
	if (config->is_confined)
		confine_privileges();
}

/* Returns the folder of the file. For a file directly below "/", returns the file's own path,
 * because access to "/" would be access to all files. */
static const char *folder_of(const char *path, struct arena *arena)
{
	const char *folder = dirname(arena_strdup(arena, path));
	return strcmp(folder, "/") == 0 ? path : folder;
}

/* Adds the folder of the file, because the operator may replace the file by a new one. If the file
 * is a symbolic link, also adds the folder of its target. */
static void add_file(const char **paths, size_t *count, const char *file, struct arena *arena)
{
	char *target = file ? realpath(file, NULL) : NULL;
	if (file)
		paths[(*count)++] = folder_of(file, arena);
	if (target)
		paths[(*count)++] = folder_of(arena_strdup(arena, target), arena);
	free(target);
}

void confine_to(const struct config *config, const struct mirrors *mirrors)
{
	enum { ARENA_MAX_BYTES = 1 << 20 };
	struct arena arena CLEANUP(arena_done);
	size_t writable = 0, readable = 0;
	struct confine_folders folders = { 0 };
	arena_init(&arena, ARENA_MAX_BYTES);
	if (!config->is_confined)
		return;
	/*
	 * The folder above the pages folder is writable, because the program may create the pages
	 * folder, and the operator may replace it. The pages folder is also in the list, because it
	 * may be a link to a folder elsewhere.
	 */
	folders.writable[writable++] = folder_of(config->pages_dir, &arena);
	folders.writable[writable++] = config->pages_dir;
	add_file(folders.writable, &writable, config->log_file, &arena);
	/* The setup deletes this file, which requires write access to its folder. The folder is in
	 * the list only if the file exists when the process starts. */
	if (config->has_console && access(config->setup_token, F_OK) == 0)
		add_file(folders.writable, &writable, config->setup_token, &arena);
	add_file(folders.readable, &readable, config->check_ca_file, &arena);
	add_file(folders.readable, &readable, config->mail_ca_file, &arena);
	add_file(folders.readable, &readable, config->mail_password_file, &arena);
	for (size_t i = 0; mirrors && i < mirrors->count; i++)
		add_file(folders.readable, &readable, mirrors->rows[i].ca_file, &arena);
	if (confine_folders(&folders) == CONFINE_FAILED)
		log_warn("confine", "the process keeps its rights on files: %s", strerror(errno));
}
