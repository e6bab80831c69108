/*
 * Operations on folders and files below the pages folder, by descriptor. They never follow symbolic
 * links. Only for publish/, mirror/ and check/.
 */
#ifndef PUBLISH_FOLDER_FOLDER_H
#define PUBLISH_FOLDER_FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/str.h"
#include "publish/folder/pages_names.h"

/* Sizes of a temporary file name and of a stamp, with NUL. */
enum { FOLDER_TEMPORARY_SIZE = 48, FOLDER_STAMP_SIZE = 72 };

/* Sets the log's text with the reason in errno, and returns E_FAILED. */
enum result folder_failed(struct error *error, const char *what, const char *name);

/* Whether the name is not empty, has no slash, and does not begin with a dot. */
bool folder_is_name(const char *name);
/* Opens a folder. Returns its descriptor; -1: see errno. */
int folder_open(int parent_fd, const char *name);
/* Opens the folder, and creates it if it does not exist. The mode is at least 0755 for a public
 * folder and 0700 for others, regardless of the umask. Does not sync the parent folder. */
int folder_make(int parent_fd, const char *name, bool is_public, bool *is_new);

/*
 * A new file that has only a temporary name. Its stamp identifies this version of the file: the
 * inode's number, the size, the time of the last change and the mode.
 */
struct folder_file {
	char name[FOLDER_TEMPORARY_SIZE]; /* "": there is no file */
	char stamp[FOLDER_STAMP_SIZE];
	int fd; /* open until the file is synced; -1: it is closed */
};

/* Writes a new file (mode 0644 if public, else 0600), but does not sync it. */
enum result folder_write(int fd, bool is_public, struct str data, struct folder_file *file,
			 struct error *error) MUST_USE;
/* Writes all of the data. Returns false after an error: see errno. */
bool folder_write_all(int fd, struct str data);
void folder_close_file(struct folder_file *file);
/* Reads a private file into the arena. OK without data: the file does not exist. E_FAILED: the
 * file is larger than max_bytes, or cannot be read. */
enum result folder_read(int fd, const char *name, size_t max_bytes, struct arena *arena,
			struct str *data, struct error *error) MUST_USE;
/*
 * Reads the beginning of a file, at most `max` bytes. Returns the number of bytes; -1: see errno.
 */
ssize_t folder_read_some(int fd, const char *name, char *to, size_t max);
/* Reads the first line of a file, as far as it fits. *is_there is false, and the text empty, if
 * the file does not exist. E_FAILED: the file cannot be read; the text is empty. */
enum result folder_read_line(int fd, const char *name, char *line, size_t size, bool *is_there,
			     struct error *error) MUST_USE;
/* Closes the file, and removes it unless it was renamed. */
void folder_drop_file(int fd, struct folder_file *file);
/* Renames the temporary file to `name` in the folder to_fd. */
enum result folder_name_file(int fd, struct folder_file *file, int to_fd, const char *name,
			     struct error *error) MUST_USE;
/*
 * Writes a private file in new_fd, and renames it to `name` in to_fd: readers see a file completely
 * or not at all. is_synced: waits until the content is on the disk before it renames the file. Does
 * not sync the rename. If a sweep of new_fd removes the file before the rename, writes the file
 * again.
 */
enum result folder_put(int new_fd, int to_fd, const char *name, struct str data, bool is_synced,
		       struct error *error) MUST_USE;
/* Does the same as folder_put(), but within one folder, and waits until the content and the name
 * are on the disk. */
enum result folder_put_synced(int fd, const char *name, struct str data, struct error *error)
	MUST_USE;
/* Waits until the file's content is on the disk, and closes it. */
enum result folder_sync_file(struct folder_file *file, struct error *error) MUST_USE;
/* Does the same as folder_sync_file() for several files at once, at most FILE_SYNC_MAX. */
enum result folder_sync_files(struct folder_file *const *files, size_t count, struct error *error)
	MUST_USE;
/*
 * Web servers distinguish versions of a file by its size and by the second of its time. Returns how
 * many bytes to add to a new version of `len` bytes (less than FOLDER_VERSIONS), so that its size
 * differs from the sizes of all versions of this second. If every version is padded, this works for
 * FOLDER_VERSIONS versions in a second.
 */
enum { FOLDER_VERSIONS = 512 };
size_t folder_padding(int fd, const char *name, size_t len);
/* For files that cannot be padded: waits for the next second, unless the new version of `len` bytes
 * is longer than the present file. */
void folder_await_second(int fd, const char *name, size_t len);
/* Whether the file exists and has the stamp. */
bool folder_has(int fd, const char *name, const char *stamp);

/* Returns the size that the stamp contains; 0: the text is not a stamp. */
int64_t folder_stamp_size(const char *stamp);

/* Adds a file of the folder from_fd to the folder to_fd under the same name: by a hard link, or by
 * a copy if the file system has no links. */
enum result folder_link(int from_fd, int new_fd, int to_fd, const char *name, struct error *error)
	MUST_USE;

/* Removes the files that `former` lists (NULL: all files of the folder), except the files that
 * `kept` lists (NULL: none). Sets *is_changed if it has removed a file. */
enum result folder_sweep(int fd, const struct pages_names *kept, const struct pages_names *former,
			 bool *is_changed, struct error *error) MUST_USE;
/* Removes a file, or a folder with its content. OK if it does not exist. */
enum result folder_remove_all(int parent_fd, const char *name, struct error *error) MUST_USE;

typedef void folder_visit(void *context, const char *name);
/* Calls visit for each name except "." and "..". */
enum result folder_each(int fd, folder_visit *visit, void *context, struct error *error) MUST_USE;

#endif
