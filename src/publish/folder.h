/*
 * Operations on folders and files below the pages folder, by descriptor. They follow no symbolic
 * links, whatever a folder contains. Only for publish/pages_dir.c.
 */
#ifndef PUBLISH_FOLDER_H
#define PUBLISH_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* The size of a temporary file name, with NUL. */
enum { FOLDER_TEMPORARY_SIZE = 32 };

/* Sets the log's text with the reason in errno, and returns E_FAILED. */
enum result folder_failed(struct error *error, const char *what, const char *name);

/* Whether the name is not empty, has no slash, and does not begin with a dot. */
bool folder_is_name(const char *name);
/* Returns a descriptor; -1: see errno. */
int folder_open(int parent_fd, const char *name);
/* Opens the folder, and creates it if it does not exist. The mode is 0755 if it is public, else
 * 0700, regardless of the umask. */
int folder_make(int parent_fd, const char *name, bool is_public);

/* Writes and syncs a new file (mode 0644 if public, else 0600), and gives its temporary name. */
enum result folder_write(int fd, bool is_public, const void *data, size_t len,
			 char temporary[FOLDER_TEMPORARY_SIZE], struct error *error) MUST_USE;
/*
 * Renames a new file. Makes its time at least a second later than that of the file it replaces,
 * because web servers distinguish versions by whole seconds.
 */
enum result folder_rename(int new_fd, const char *temporary, int fd, const char *name,
			  struct error *error) MUST_USE;
/* Gives another folder a file of this one: by a hard link, or by a copy where links are not
 * supported. */
enum result folder_link(int from_fd, int new_fd, int to_fd, const char *name, bool is_public,
			struct error *error) MUST_USE;
/* Removes all files of the folder except those named. */
enum result folder_sweep(int fd, const char *const *names, size_t count, struct error *error)
	MUST_USE;

typedef void folder_visit(void *context, const char *name);
/* Calls visit for each name except "." and "..". */
enum result folder_each(int fd, folder_visit *visit, void *context, struct error *error) MUST_USE;

#endif
