/*
 * Operations on folders and files below the pages folder, by descriptor. They follow no symbolic
 * links, whatever a folder contains. Only for publish/, mirror/ and check/.
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
/* Returns a descriptor; -1: see errno. */
int folder_open(int parent_fd, const char *name);
/* Opens the folder, and creates it if it does not exist. The mode is at least 0755 for a public
 * folder and 0700 for others, regardless of the umask. The parent is not synced. */
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

/* Writes a new file (mode 0644 if public, else 0600), which is not on the disk yet. */
enum result folder_write(int fd, bool is_public, struct str data, struct folder_file *file,
			 struct error *error) MUST_USE;
/* Writes all of the data. False: see errno. */
bool folder_write_all(int fd, struct str data);
void folder_close_file(struct folder_file *file);
/* Reads a private file into the arena. OK without data: the file does not exist. E_FAILED: the
 * file is larger than max_bytes, or cannot be read. */
enum result folder_read(int fd, const char *name, size_t max_bytes, struct arena *arena,
			struct str *data, struct error *error) MUST_USE;
/* Reads the beginning of a file, `max` bytes at most. Returns how many; -1: see errno. */
ssize_t folder_read_some(int fd, const char *name, char *to, size_t max);
/* Reads the first line of a file, as far as it fits. *is_there is false, and the text empty, if
 * the file does not exist. E_FAILED: the file cannot be read; the text is empty. */
enum result folder_read_line(int fd, const char *name, char *line, size_t size, bool *is_there,
			     struct error *error) MUST_USE;
/* Removes the file, unless it was renamed; closes it. */
void folder_drop_file(int fd, struct folder_file *file);
/* Renames the file. */
enum result folder_name_file(int fd, struct folder_file *file, int to_fd, const char *name,
			     struct error *error) MUST_USE;
/*
 * Writes a private file in new_fd, and renames it to `name` in to_fd: readers see a file completely
 * or not at all. is_synced: waits until the content is on the disk before the file is renamed; the
 * rename itself is not synced. A file that a sweep of new_fd removes before the rename is written
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
 * Returns how many bytes, less than FOLDER_VERSIONS, to add to a new version of `len` bytes. Its
 * size then differs from the sizes of all versions of this second. Web servers distinguish versions
 * of a file by its size and by the second of its time. If each version is padded, a second has room
 * for FOLDER_VERSIONS versions.
 */
enum { FOLDER_VERSIONS = 512 };
size_t folder_padding(int fd, const char *name, size_t len);
/* Waits for the next second, unless the new version is longer than the file: for files that cannot
 * be made longer. */
void folder_await_second(int fd, const char *name, size_t len);
/* Whether the file exists and has the stamp. */
bool folder_has(int fd, const char *name, const char *stamp);

/* The size in a stamp; 0: the text is not a stamp. */
int64_t folder_stamp_size(const char *stamp);

/* Gives a file of this folder to another folder: by a hard link, or by a copy if links are not
 * supported. */
enum result folder_link(int from_fd, int new_fd, int to_fd, const char *name, struct error *error)
	MUST_USE;

/* Removes all files except those to keep; NULL: none. `former` names the other files that the
 * folder may have; NULL: any. Sets *is_changed if a file was removed. */
enum result folder_sweep(int fd, const struct pages_names *kept, const struct pages_names *former,
			 bool *is_changed, struct error *error) MUST_USE;
/* Removes a file, or a folder with its content. OK if it does not exist. */
enum result folder_remove_all(int parent_fd, const char *name, struct error *error) MUST_USE;

typedef void folder_visit(void *context, const char *name);
/* Calls visit for each name except "." and "..". */
enum result folder_each(int fd, folder_visit *visit, void *context, struct error *error) MUST_USE;

#endif
