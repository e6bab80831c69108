/*
 * Folders and files below the pages folder, by descriptors: nothing here
 * follows a symbolic link, whatever stands in a folder. Only for pages_dir.
 */
#ifndef PUBLISH_FOLDER_H
#define PUBLISH_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* A file's name while it is being written. */
enum { FOLDER_TEMPORARY_SIZE = 32 };

/* E_FAILED with errno's words. */
enum result folder_failed(struct error *error, const char *what, const char *name);

/* Not empty, no slash, no dot at its beginning. */
bool folder_is_name(const char *name);
/* A descriptor, or -1. */
int folder_open(int parent_fd, const char *name);
/* Makes it when it is not there: 0755 when it is public, else 0700, whatever the umask. */
int folder_make(int parent_fd, const char *name, bool is_public);

/* Writes a new file to disk (0644, or 0600) under a name of its own, which it tells. */
enum result folder_write(int fd, bool is_public, const void *data, size_t len,
			 char temporary[FOLDER_TEMPORARY_SIZE], struct error *error) MUST_USE;
/*
 * Moves a new file to its name. Its time is later than that of the one it
 * replaces by a second at least: web servers tell versions apart by whole seconds.
 */
enum result folder_rename(int new_fd, const char *temporary, int fd, const char *name,
			  struct error *error) MUST_USE;
/* Makes `name` of one folder be in another, too: by a link, or where that cannot be, a copy. */
enum result folder_link(int from_fd, int new_fd, int to_fd, const char *name, bool is_public,
			struct error *error) MUST_USE;
/* Removes the folder's files but those named. */
enum result folder_sweep(int fd, const char *const *names, size_t count, struct error *error)
	MUST_USE;

typedef void folder_visit(void *context, const char *name);
/* Tells every name but "." and "..". */
enum result folder_each(int fd, folder_visit *visit, void *context, struct error *error) MUST_USE;

#endif
