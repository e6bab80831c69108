#include "publish/folder/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/secret.h"
#include "publish/folder/file_sync.h"

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

/* Sets the bits that the folder's mode lacks. The umask removes bits of a new folder. An existing
 * folder may lack bits, too: its creator may have died before this call. */
static bool complete_mode(int fd, mode_t mode)
{
	struct stat status;
	return fstat(fd, &status) == 0 && ((status.st_mode & mode) == mode ||
					   fchmod(fd, (status.st_mode & 07777) | mode) == 0);
}

int folder_make(int parent_fd, const char *name, bool is_public, bool *is_new)
{
	mode_t mode = is_public ? 0755 : 0700;
	int fd = folder_open(parent_fd, name);
	*is_new = fd < 0 && errno == ENOENT;
	if (*is_new && mkdirat(parent_fd, name, mode) != 0 && errno != EEXIST)
		return -1;
	if (*is_new)
		fd = folder_open(parent_fd, name);
	if (fd >= 0 && !complete_mode(fd, mode)) {
		close(fd);
		return -1;
	}
	return fd;
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char process_id[SECRET_ID_SIZE];

static void make_process_id(void)
{
	secret_id(process_id);
}

/* Makes a unique name. It contains the pid, because a forked process has the same process_id. */
static void make_name(char temporary[FOLDER_TEMPORARY_SIZE])
{
	static atomic_uint count;
	pthread_once(&once, make_process_id);
	snprintf(temporary, FOLDER_TEMPORARY_SIZE, "new-%s-%x-%x", process_id, (unsigned)getpid(),
		 atomic_fetch_add(&count, 1));
}

bool folder_write_all(int fd, struct str data)
{
	while (data.len > 0) {
		ssize_t done = write(fd, data.data, data.len);
		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return false;
		data = str_skip(data, (size_t)done);
	}
	return true;
}

static void make_stamp(const struct stat *status, char stamp[FOLDER_STAMP_SIZE])
{
	snprintf(stamp, FOLDER_STAMP_SIZE, "%llx-%llx-%llx.%lx-%o",
		 (unsigned long long)status->st_ino, (unsigned long long)status->st_size,
		 (unsigned long long)status->st_mtim.tv_sec, (unsigned long)status->st_mtim.tv_nsec,
		 (unsigned)status->st_mode & 07777);
}

/* Sets the mode of the file regardless of the umask, and makes its stamp. */
static bool set_attributes(struct folder_file *file, mode_t mode)
{
	struct stat status;
	if (fstat(file->fd, &status) != 0 ||
	    ((status.st_mode & 07777) != mode && fchmod(file->fd, mode) != 0))
		return false;
	status.st_mode = mode;
	make_stamp(&status, file->stamp);
	return true;
}

enum result folder_write(int folder_fd, bool is_public, struct str data, struct folder_file *file,
			 struct error *error)
{
	mode_t mode = is_public ? 0644 : 0600;
	make_name(file->name);
	file->fd = openat(folder_fd, file->name,
			  O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
	if (file->fd < 0) {
		enum result result = folder_failed(error, "cannot create", file->name);
		file->name[0] = '\0';
		return result;
	}
	if (folder_write_all(file->fd, data) && set_attributes(file, mode))
		return OK;
	enum result result = folder_failed(error, "cannot write", file->name);
	folder_drop_file(folder_fd, file);
	return result;
}

enum result folder_read(int fd, const char *name, size_t max_bytes, struct arena *arena,
			struct str *data, struct error *error)
{
	*data = (struct str){ 0 };
	int file_fd CLEANUP(close_fd) =
		openat(fd, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	if (file_fd < 0 && errno == ENOENT)
		return OK;
	if (file_fd < 0)
		return folder_failed(error, "cannot open", name);
	return fd_read_file(file_fd, max_bytes, arena, data)
		       ? OK
		       : folder_failed(error, "cannot read", name);
}

ssize_t folder_read_some(int fd, const char *name, char *to, size_t max)
{
	int file_fd CLEANUP(close_fd) =
		openat(fd, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	return file_fd >= 0 ? fd_read_some(file_fd, to, max) : -1;
}

enum result folder_read_line(int fd, const char *name, char *line, size_t size, bool *is_there,
			     struct error *error)
{
	ssize_t len = folder_read_some(fd, name, line, size - 1);
	*is_there = len >= 0 || errno != ENOENT;
	line[len > 0 ? len : 0] = '\0';
	if (len < 0 && *is_there)
		return folder_failed(error, "cannot read", name);
	line[strcspn(line, "\n")] = '\0';
	return OK;
}

void folder_close_file(struct folder_file *file)
{
	close_fd(&file->fd);
	file->fd = -1;
}

void folder_drop_file(int folder_fd, struct folder_file *file)
{
	folder_close_file(file);
	if (file->name[0] != '\0')
		unlinkat(folder_fd, file->name, 0);
	file->name[0] = '\0';
}

enum result folder_sync_file(struct folder_file *file, struct error *error)
{
	return file->fd < 0 ? OK : folder_sync_files(&file, 1, error);
}

enum result folder_sync_files(struct folder_file *const *files, size_t count, struct error *error)
{
	int fds[FILE_SYNC_MAX] = { 0 }, outcomes[FILE_SYNC_MAX];
	enum result result = OK;
	for (size_t i = 0; i < count; i++)
		fds[i] = files[i]->fd;
	file_sync_all(fds, outcomes, count);
	for (size_t i = 0; i < count; i++) {
		errno = outcomes[i];
		if (outcomes[i] != 0)
			result = folder_failed(error, "cannot sync", files[i]->name);
		folder_close_file(files[i]);
	}
	return result;
}

enum result folder_name_file(int folder_fd, struct folder_file *file, int to_fd, const char *name,
			     struct error *error)
{
	if (renameat(folder_fd, file->name, to_fd, name) != 0)
		return folder_failed(error, "cannot rename to", name);
	file->name[0] = '\0';
	return OK;
}

enum result folder_put(int new_fd, int to_fd, const char *name, struct str data, bool is_synced,
		       struct error *error)
{
	/* No lock is held, so a sweep may remove the new file before the rename. Then write it
	 * again. */
	enum { ATTEMPTS = 3 };
	enum result result = OK;
	bool is_named = false, is_swept = true;
	for (int i = 0; i < ATTEMPTS && result == OK && is_swept; i++) {
		struct folder_file file = { .fd = -1 };
		result = folder_write(new_fd, false, data, &file, error);
		if (result == OK && is_synced)
			result = folder_sync_file(&file, error);
		is_named = result == OK && renameat(new_fd, file.name, to_fd, name) == 0;
		is_swept = result == OK && !is_named && errno == ENOENT;
		if (result == OK && !is_named && (!is_swept || i == ATTEMPTS - 1))
			result = folder_failed(error, "cannot rename to", name);
		if (is_named)
			file.name[0] = '\0';
		folder_drop_file(new_fd, &file);
	}
	return result;
}

enum result folder_put_synced(int fd, const char *name, struct str data, struct error *error)
{
	enum result result = folder_put(fd, fd, name, data, true, error);
	return result != OK || fsync(fd) == 0 ? result : folder_failed(error, "cannot sync", name);
}

/* Returns the earliest time that the kernel may give to a file that is written now. The file may
 * get a time that is some milliseconds later. */
static struct timespec earliest_time(void)
{
	struct timespec now = { 0 };
	clock_gettime(CLOCK_REALTIME_COARSE, &now);
	return now;
}

/* Whether the file's time is in the same second as earliest_time(), or in the second after it. A
 * file with a later time was written before the clock was set back: returns false. */
static bool is_of_this_second(int fd, const char *name, size_t *size)
{
	struct stat status;
	if (fstatat(fd, name, &status, AT_SYMLINK_NOFOLLOW) != 0)
		return false;
	*size = (size_t)status.st_size;
	time_t ahead_s = status.st_mtim.tv_sec - earliest_time().tv_sec;
	return ahead_s == 0 || ahead_s == 1;
}

/* Modulo FOLDER_VERSIONS, each version is one byte larger than the version before it. So all
 * versions of a second have different sizes. */
size_t folder_padding(int fd, const char *name, size_t len)
{
	size_t size;
	return is_of_this_second(fd, name, &size) ? (size + 1 - len) % FOLDER_VERSIONS : 0;
}

void folder_await_second(int fd, const char *name, size_t len)
{
	size_t size;
	while (is_of_this_second(fd, name, &size) && size >= len) {
		struct timespec rest = { .tv_nsec = 1000000000 - earliest_time().tv_nsec };
		nanosleep(&rest, NULL);
	}
}

bool folder_has(int fd, const char *name, const char *stamp)
{
	char its_stamp[FOLDER_STAMP_SIZE];
	struct stat status;
	if (fstatat(fd, name, &status, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(status.st_mode))
		return false;
	make_stamp(&status, its_stamp);
	return strcmp(its_stamp, stamp) == 0;
}

int64_t folder_stamp_size(const char *stamp)
{
	const char *size = strchr(stamp, '-');
	return size ? strtoll(size + 1, NULL, 16) : 0;
}

/* Copies a file with its time, for file systems without hard links. */
static enum result copy_file(int from_fd, int new_fd, const char *name, struct folder_file *copy,
			     struct error *error)
{
	struct stat status;
	int fd CLEANUP(close_fd) = openat(from_fd, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &status) != 0)
		return folder_failed(error, "cannot open", name);
	char *data = malloc((size_t)status.st_size + 1);
	if (!data)
		return folder_failed(error, "no memory for", name);
	struct str content = { data, (size_t)status.st_size };
	bool is_public = (status.st_mode & S_IROTH) != 0;
	enum result result = fd_read_some(fd, data, content.len) == (ssize_t)content.len
				     ? folder_write(new_fd, is_public, content, copy, error)
				     : folder_failed(error, "cannot read", name);
	free(data);
	const struct timespec times[2] = { status.st_atim, status.st_mtim };
	if (result == OK && futimens(copy->fd, times) != 0)
		result = folder_failed(error, "cannot set the time of", name);
	return result == OK ? folder_sync_file(copy, error) : result;
}

enum result folder_link(int from_fd, int new_fd, int to_fd, const char *name, struct error *error)
{
	struct folder_file file = { .fd = -1 };
	make_name(file.name);
	enum result result = OK;
	if (linkat(from_fd, name, new_fd, file.name, 0) != 0)
		result = copy_file(from_fd, new_fd, name, &file, error);
	if (result == OK)
		result = folder_name_file(new_fd, &file, to_fd, name, error);
	folder_drop_file(new_fd, &file);
	return result;
}

enum result folder_each(int folder_fd, folder_visit *visit, void *context, struct error *error)
{
	/* fdopendir() needs a separate descriptor: closedir() closes it, and its position must be
	 * the start. */
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
	struct pages_names kept; /* sorted */
	bool is_changed;
	enum result result;
	struct error *error;
};

static void sweep_name(void *context, const char *name)
{
	struct sweep *sweep = context;
	if (sweep->result != OK || pages_names_find(&sweep->kept, name))
		return;
	if (unlinkat(sweep->fd, name, 0) == 0)
		sweep->is_changed = true;
	else if (errno != ENOENT)
		sweep->result = folder_failed(sweep->error, "cannot remove", name);
}

enum result folder_sweep(int fd, const struct pages_names *kept, const struct pages_names *former,
			 bool *is_changed, struct error *error)
{
	struct sweep sweep = { .fd = fd, .error = error };
	enum result result = OK;
	if (kept && kept->count > 0) {
		sweep.kept.names = malloc(kept->count * sizeof(*kept->names));
		if (!sweep.kept.names)
			return folder_failed(error, "no memory for", "a folder's names");
		sweep.kept.count = kept->count;
		memcpy(sweep.kept.names, kept->names, kept->count * sizeof(*kept->names));
		pages_names_sort(&sweep.kept);
	}
	if (!former)
		result = folder_each(fd, sweep_name, &sweep, error);
	for (size_t i = 0; former && i < former->count; i++)
		sweep_name(&sweep, former->names[i]);
	free(sweep.kept.names);
	*is_changed |= sweep.is_changed;
	return result == OK ? sweep.result : result;
}

struct removal {
	int fd;
	enum result result;
	struct error *error;
};

static void remove_one(void *context, const char *name)
{
	struct removal *removal = context;
	if (removal->result == OK)
		removal->result = folder_remove_all(removal->fd, name, removal->error);
}

enum result folder_remove_all(int parent_fd, const char *name, struct error *error)
{
	if (unlinkat(parent_fd, name, 0) == 0 || errno == ENOENT)
		return OK;
	if (errno != EISDIR)
		return folder_failed(error, "cannot remove", name);
	struct removal removal = { .fd = folder_open(parent_fd, name), .error = error };
	int fd CLEANUP(close_fd) = removal.fd;
	if (fd < 0)
		return folder_failed(error, "cannot remove", name);
	enum result result = folder_each(fd, remove_one, &removal, error);
	if (result == OK)
		result = removal.result;
	if (result == OK && unlinkat(parent_fd, name, AT_REMOVEDIR) != 0)
		result = folder_failed(error, "cannot remove", name);
	return result;
}
