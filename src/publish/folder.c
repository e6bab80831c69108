#include "publish/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/secret.h"

static void close_stream(DIR **stream)
{
	if (*stream)
		closedir(*stream);
}

enum result folder_failed(struct error *error, const char *what, const char *name)
{
	return error_log(error, E_FAILED, "pages: %s %s: %s", what, name, strerror(errno));
}

bool folder_is_name(const char *name)
{
	return name[0] != '\0' && name[0] != '.' && !strchr(name, '/');
}

int folder_open(int parent_fd, const char *name)
{
	return openat(parent_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

int folder_make(int parent_fd, const char *name, bool is_public)
{
	mode_t mode = is_public ? 0755 : 0700;
	int fd = folder_open(parent_fd, name);
	if (fd >= 0 || errno != ENOENT)
		return fd;
	if (mkdirat(parent_fd, name, mode) != 0 && errno != EEXIST)
		return -1;
	fd = folder_open(parent_fd, name);
	/* Set the mode regardless of the umask: web servers must read public folders, and only
	 * the program the others. */
	if (fd >= 0 && (fchmod(fd, mode) != 0 || fsync(parent_fd) != 0)) {
		close(fd);
		return -1;
	}
	return fd;
}

static void make_name(char temporary[FOLDER_TEMPORARY_SIZE])
{
	char id[SECRET_ID_SIZE];
	secret_id(id);
	snprintf(temporary, FOLDER_TEMPORARY_SIZE, "new-%s", id);
}

static bool write_bytes(int fd, const char *data, size_t len)
{
	while (len > 0) {
		ssize_t done = write(fd, data, len);
		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return false;
		data += done;
		len -= (size_t)done;
	}
	return true;
}

enum result folder_write(int folder_fd, bool is_public, const void *data, size_t len,
			 char temporary[FOLDER_TEMPORARY_SIZE], struct error *error)
{
	mode_t mode = is_public ? 0644 : 0600;
	make_name(temporary);
	int fd CLEANUP(close_fd) = openat(
		folder_fd, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
	if (fd < 0)
		return folder_failed(error, "cannot create", temporary);
	if (fchmod(fd, mode) == 0 && write_bytes(fd, data, len) && fsync(fd) == 0)
		return OK;
	enum result result = folder_failed(error, "cannot write", temporary);
	unlinkat(folder_fd, temporary, 0);
	return result;
}

enum result folder_rename(int new_fd, const char *temporary, int fd, const char *name,
			  struct error *error)
{
	struct stat old, new;
	if (fstatat(fd, name, &old, AT_SYMLINK_NOFOLLOW) == 0 &&
	    fstatat(new_fd, temporary, &new, AT_SYMLINK_NOFOLLOW) == 0 &&
	    new.st_mtim.tv_sec <= old.st_mtim.tv_sec) {
		struct timespec times[2] = { new.st_atim, { .tv_sec = old.st_mtim.tv_sec + 1 } };
		if (utimensat(new_fd, temporary, times, AT_SYMLINK_NOFOLLOW) != 0)
			return folder_failed(error, "cannot set the time of", name);
	}
	if (renameat(new_fd, temporary, fd, name) != 0)
		return folder_failed(error, "cannot rename to", name);
	return OK;
}

/* Copies a file, for file systems without hard links. */
static enum result copy_file(int from_fd, int new_fd, const char *name, bool is_public,
			     char temporary[FOLDER_TEMPORARY_SIZE], struct error *error)
{
	struct stat status;
	int fd CLEANUP(close_fd) = openat(from_fd, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &status) != 0)
		return folder_failed(error, "cannot open", name);
	char *data = malloc((size_t)status.st_size + 1);
	if (!data)
		return folder_failed(error, "no memory for", name);
	enum result result = read(fd, data, (size_t)status.st_size) == status.st_size
				     ? folder_write(new_fd, is_public, data, (size_t)status.st_size,
						    temporary, error)
				     : folder_failed(error, "cannot read", name);
	free(data);
	return result;
}

enum result folder_link(int from_fd, int new_fd, int to_fd, const char *name, bool is_public,
			struct error *error)
{
	char temporary[FOLDER_TEMPORARY_SIZE];
	struct stat from, to;
	if (fstatat(from_fd, name, &from, AT_SYMLINK_NOFOLLOW) != 0)
		return folder_failed(error, "cannot find", name);
	if (fstatat(to_fd, name, &to, AT_SYMLINK_NOFOLLOW) == 0 && from.st_dev == to.st_dev &&
	    from.st_ino == to.st_ino)
		return OK;
	make_name(temporary);
	if (linkat(from_fd, name, new_fd, temporary, 0) != 0) {
		enum result result = copy_file(from_fd, new_fd, name, is_public, temporary, error);
		if (result != OK)
			return result;
	}
	if (renameat(new_fd, temporary, to_fd, name) == 0)
		return OK;
	enum result result = folder_failed(error, "cannot rename to", name);
	unlinkat(new_fd, temporary, 0);
	return result;
}

enum result folder_each(int folder_fd, folder_visit *visit, void *context, struct error *error)
{
	/* Open a new descriptor, because closing the stream closes it, and because it must be
	 * read from the start. */
	int fd = folder_open(folder_fd, ".");
	DIR *stream CLEANUP(close_stream) = fd >= 0 ? fdopendir(fd) : NULL;
	if (!stream) {
		close_fd(&fd);
		return folder_failed(error, "cannot list", "a folder");
	}
	struct dirent *entry;
	while ((errno = 0, entry = readdir(stream)))
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			visit(context, entry->d_name);
	return errno == 0 ? OK : folder_failed(error, "cannot list", "a folder");
}

struct sweep {
	int fd;
	const char *const *names; /* sorted */
	size_t count;
	enum result result;
	struct error *error;
};

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void sweep_name(void *context, const char *name)
{
	struct sweep *sweep = context;
	if (sweep->result != OK ||
	    (sweep->count > 0 &&
	     bsearch(&name, sweep->names, sweep->count, sizeof(*sweep->names), compare_names)))
		return;
	if (unlinkat(sweep->fd, name, 0) != 0 && errno != ENOENT)
		sweep->result = folder_failed(sweep->error, "cannot remove", name);
}

enum result folder_sweep(int fd, const char *const *names, size_t count, struct error *error)
{
	struct sweep sweep = { .fd = fd, .count = count, .error = error };
	const char **sorted = malloc((count + 1) * sizeof(*sorted));
	if (!sorted)
		return folder_failed(error, "no memory for", "a folder's names");
	if (count > 0) {
		memcpy(sorted, names, count * sizeof(*sorted));
		qsort(sorted, count, sizeof(*sorted), compare_names);
	}
	sweep.names = sorted;
	enum result result = folder_each(fd, sweep_name, &sweep, error);
	free(sorted);
	return result == OK ? sweep.result : result;
}
