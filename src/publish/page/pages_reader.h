/*
 * Reads the pages folder for visitors' requests, with as few system calls as possible: one opens
 * the folder, and one opens each wanted file. publish/folder/pages_dir.h describes the folder.
 * Follows no symbolic link below the folder. Creates nothing.
 */
#ifndef PUBLISH_PAGE_PAGES_READER_H
#define PUBLISH_PAGE_PAGES_READER_H

#include "publish/folder/pages_dir.h"

struct pages_reader {
	int root_fd; /* -1: the folder does not exist, so every file counts as missing */
};
#define PAGES_READER_CLOSED ((struct pages_reader){ -1 })

/* Opens the folder. Call pages_reader_close() afterwards, even after a failure. E_UNAVAILABLE: the
 * folder cannot be opened at the moment; the log has the reason. */
enum result pages_reader_open(struct pages_reader *reader, const char *path, struct error *error)
	MUST_USE;
void pages_reader_close(struct pages_reader *reader);

/*
 * Opens a file for reading. *fd is -1 if the file does not exist, or if the name of the file or
 * folder has a slash, or begins with a dot. E_UNAVAILABLE: the file may exist but cannot be opened,
 * for example because another user owns it.
 */
enum result pages_reader_find(const struct pages_reader *reader, enum pages_place place,
			      const char *folder, const char *name, int *fd, struct error *error)
	MUST_USE;
/* Reads a small file into the arena. *text is NULL if the file does not exist or is larger than
 * max_bytes. E_UNAVAILABLE: as for pages_reader_find(). */
enum result pages_reader_text(const struct pages_reader *reader, enum pages_place place,
			      const char *folder, const char *name, size_t max_bytes,
			      struct arena *arena, const char **text, struct error *error) MUST_USE;

#endif
