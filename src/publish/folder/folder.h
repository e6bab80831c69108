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

/* Sets the text for the log: `what`, `name` and the reason in errno. Returns E_FAILED. */
enum result folder_failed(struct error *error, const char *what, const char *name);

/* Whether the name is not empty, has no slash, and does not begin with a dot. */
bool folder_is_name(const char *name);
/* Opens a folder. Returns its descriptor; -1: see errno. */
int folder_open(int parent_fd, const char *name);
/* Opens the folder, and creates it if it does not exist. The mode is at least 0755 for a public
 * folder and 0700 for others, regardless of the umask. Does not sync the parent folder. */
int folder_make(int parent_fd, const char *name, bool is_public, bool *is_new);

/* A new file under a temporary name. The stamp identifies this version of the file: inode number,
 * size, time of the last change, and mode. */
struct folder_file {
	char name[FOLDER_TEMPORARY_SIZE]; /* "": there is no file */
	char stamp[FOLDER_STAMP_SIZE];
	int fd; /* open until the file is synced; -1: it is closed */
};

/* Writes a new file (mode 0644 if public, else 0600), but does not sync it. */
enum result folder_write(int fd, bool is_public, struct str data, struct folder_file *file,
			 struct error *error) MUST_USE;
/* Writes all of `data`. Returns false, with errno, after an error. */
bool folder_write_all(int fd, struct str data);
void folder_close_file(struct folder_file *file);
/* Reads a private file into the arena. If the file does not exist, returns OK without data.
 * E_FAILED: the file is larger than max_bytes, or cannot be read. */
enum result folder_read(int fd, const char *name, size_t max_bytes, struct arena *arena,
			struct str *data, struct error *error) MUST_USE;
/*
 * Reads the beginning of a file, at most `max` bytes. Returns the number of bytes; -1: see errno.
 */
ssize_t folder_read_some(int fd, const char *name, char *to, size_t max);
/* Reads the first line of a file, cut to `size`. If the file does not exist, *is_there is false and
 * `line` is empty. E_FAILED: the file cannot be read; `line` is empty. */
enum result folder_read_line(int fd, const char *name, char *line, size_t size, bool *is_there,
			     struct error *error) MUST_USE;
/* Closes the file, and removes it unless it was renamed. */
void folder_drop_file(int fd, struct folder_file *file);
/* Renames the temporary file to `name` in the folder to_fd. */
enum result folder_name_file(int fd, struct folder_file *file, int to_fd, const char *name,
			     struct error *error) MUST_USE;
/*
 * Writes a private file in new_fd, and renames it to `name` in to_fd, so that readers see the file
 * completely or not at all. is_synced: waits until the content is on the disk before the rename.
 * Does not sync the rename. If a sweep of new_fd removes the file before the rename, writes the
 * file again.
 */
enum result folder_put(int new_fd, int to_fd, const char *name, struct str data, bool is_synced,
		       struct error *error) MUST_USE;
/* Like folder_put() within one folder, but waits until the content and the name are on the disk. */
enum result folder_put_synced(int fd, const char *name, struct str data, struct error *error)
	MUST_USE;
/* Waits until the file's content is on the disk, and closes it. */
enum result folder_sync_file(struct folder_file *file, struct error *error) MUST_USE;
/* Like folder_sync_file(), but for up to FILE_SYNC_MAX files at once. */
enum result folder_sync_files(struct folder_file *const *files, size_t count, struct error *error)
	MUST_USE;
/*
 * Web servers distinguish two versions of a file by the size and by the second of the time. This
 * function returns how many bytes to append to a new version of `len` bytes (less than
 * FOLDER_VERSIONS), so that no two versions of a second have the same size. This works for
 * FOLDER_VERSIONS versions per second, if every version is padded.
 */
enum { FOLDER_VERSIONS = 512 };
size_t folder_padding(int fd, const char *name, size_t len);
/* For files that cannot be padded: if the present file is of this second and not shorter than
 * `len`, waits for the next second. */
void folder_await_second(int fd, const char *name, size_t len);
/* Whether the file exists and has the stamp. */
bool folder_has(int fd, const char *name, const char *stamp);

/* Returns the size that the stamp contains; 0: the text is not a stamp. */
int64_t folder_stamp_size(const char *stamp);

/* Adds a file of the folder from_fd to the folder to_fd under the same name: by a hard link, or by
 * a copy if the file system has no links. */
enum result folder_link(int from_fd, int new_fd, int to_fd, const char *name, struct error *error)
	MUST_USE;

/* Removes files from the folder: those that `former` lists, or all if `former` is NULL. Keeps the
 * files that `kept` lists (NULL: none). Sets *is_changed if a file was removed. */
enum result folder_sweep(int fd, const struct pages_names *kept, const struct pages_names *former,
			 bool *is_changed, struct error *error) MUST_USE;
/* Removes a file, or a folder with its content. OK if it does not exist. */
enum result folder_remove_all(int parent_fd, const char *name, struct error *error) MUST_USE;

typedef void folder_visit(void *context, const char *name);
/* Calls visit for each name except "." and "..". */
enum result folder_each(int fd, folder_visit *visit, void *context, struct error *error) MUST_USE;

#endif
