/*
 * Files that publishing has replaced. A file system needs about as long to free a file as to write
 * one. It frees a file without a name when the last descriptor of the file is closed. The list
 * keeps the descriptors open, so that no client waits until a file is freed.
 */
#ifndef PUBLISH_PAGE_REPLACED_FILES_H
#define PUBLISH_PAGE_REPLACED_FILES_H

#include <stddef.h>

/* The most files of all lists of a process together, because a process has few descriptors. */
enum { REPLACED_FILES_MAX = 64 };

/* A list; initially { 0 }. */
struct replaced_files {
	int fds[REPLACED_FILES_MAX];
	size_t count;
};

/* Opens the file if it exists, and if fewer than REPLACED_FILES_MAX are open. replaced_files_free()
 * closes it. */
void replaced_files_keep(struct replaced_files *files, int folder_fd, const char *name);
void replaced_files_free(struct replaced_files *files);

#endif
