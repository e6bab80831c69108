#include "publish/pages_dir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/secret.h"

enum { LOCK_FILES = 64 };

/* Files being written have a dot in front: no web server of ours serves such names. */
#define TEMPORARY_PREFIX ".new-"

static void close_stream(DIR **stream)
{
	if (*stream)
		closedir(*stream);
}

static enum result failed(struct error *error, const char *what, const char *name)
{
	return error_log(error, E_FAILED, "pages: %s %s: %s", what, name, strerror(errno));
}

static int open_folder(int parent_fd, const char *name)
{
	return openat(parent_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static int make_folder(int parent_fd, const char *name, mode_t mode)
{
	int fd = open_folder(parent_fd, name);
	if (fd >= 0 || errno != ENOENT)
		return fd;
	if (mkdirat(parent_fd, name, mode) != 0 && errno != EEXIST)
		return -1;
	fd = open_folder(parent_fd, name);
	/* Whatever the umask: the web server must read the one, nobody else the other. */
	if (fd >= 0 && fchmod(fd, mode) != 0) {
		close(fd);
		return -1;
	}
	return fd;
}

enum result pages_dir_open(struct pages_dir *dir, const char *path, struct error *error)
{
	*dir = (struct pages_dir){ -1, -1, -1, -1 };
	int root_fd CLEANUP(close_fd) = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (root_fd < 0 && errno == ENOENT && mkdir(path, 0755) == 0)
		root_fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (root_fd < 0)
		return failed(error, "cannot open", path);
	int public_fd CLEANUP(close_fd) = make_folder(root_fd, "public", 0755);
	if (public_fd < 0)
		return failed(error, "cannot make public in", path);
	dir->root_fd = dup(root_fd);
	dir->public_fd = make_folder(public_fd, "s", 0755);
	dir->private_fd = make_folder(root_fd, "private", 0700);
	dir->lock_fd = make_folder(root_fd, "lock", 0700);
	if (dir->root_fd < 0 || dir->public_fd < 0 || dir->private_fd < 0 || dir->lock_fd < 0) {
		enum result result = failed(error, "cannot make the folders of", path);
		pages_dir_close(dir);
		return result;
	}
	return OK;
}

void pages_dir_close(struct pages_dir *dir)
{
	close_fd(&dir->root_fd);
	close_fd(&dir->public_fd);
	close_fd(&dir->private_fd);
	close_fd(&dir->lock_fd);
	*dir = (struct pages_dir){ -1, -1, -1, -1 };
}

static int lock_file(const struct pages_dir *dir, const char *name, int operation)
{
	int fd = openat(dir->lock_fd, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return -1;
	int outcome;
	do
		outcome = flock(fd, operation);
	while (outcome != 0 && errno == EINTR);
	if (outcome != 0) {
		close(fd);
		return -1;
	}
	return fd;
}

enum result pages_dir_lock_page(const struct pages_dir *dir, int64_t page_id,
				struct pages_lock *lock, struct error *error)
{
	char name[16];
	snprintf(name, sizeof(name), "page-%02d", (int)(page_id % LOCK_FILES));
	*lock = (struct pages_lock){ -1, -1 };
	lock->page_fd = lock_file(dir, name, LOCK_EX);
	if (lock->page_fd >= 0)
		lock->all_fd = lock_file(dir, "all", LOCK_SH);
	if (lock->all_fd >= 0)
		return OK;
	enum result result = failed(error, "cannot lock", name);
	pages_dir_unlock(lock);
	return result;
}

enum result pages_dir_lock_all(const struct pages_dir *dir, struct pages_lock *lock,
			       struct error *error)
{
	*lock = (struct pages_lock){ lock_file(dir, "all", LOCK_EX), -1 };
	return lock->all_fd >= 0 ? OK : failed(error, "cannot lock", "all");
}

void pages_dir_unlock(struct pages_lock *lock)
{
	close_fd(&lock->all_fd);
	close_fd(&lock->page_fd);
	*lock = (struct pages_lock){ -1, -1 };
}

static int root_of(const struct pages_dir *dir, bool is_public)
{
	return is_public ? dir->public_fd : dir->private_fd;
}

int pages_dir_open_file(const struct pages_dir *dir, bool is_public, const char *slug,
			const char *name)
{
	int folder_fd CLEANUP(close_fd) = open_folder(root_of(dir, is_public), slug);
	if (folder_fd < 0 || name[0] == '.' || strchr(name, '/'))
		return -1;
	return openat(folder_fd, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
}

bool pages_dir_has(const struct pages_dir *dir, bool is_public, const char *slug, const char *name)
{
	int fd CLEANUP(close_fd) = pages_dir_open_file(dir, is_public, slug, name);
	return fd >= 0;
}

static bool write_all(int fd, const char *data, size_t len)
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

enum result pages_dir_put(const struct pages_dir *dir, bool is_public, const char *slug,
			  const char *name, const void *data, size_t len, struct error *error)
{
	char id[SECRET_ID_SIZE], temporary[64];
	mode_t folder_mode = is_public ? 0755 : 0700, file_mode = is_public ? 0644 : 0600;
	int folder_fd CLEANUP(close_fd) = make_folder(root_of(dir, is_public), slug, folder_mode);
	if (folder_fd < 0)
		return failed(error, "cannot make the folder", slug);
	secret_id(id);
	snprintf(temporary, sizeof(temporary), TEMPORARY_PREFIX "%s", id);
	int fd CLEANUP(close_fd) = openat(folder_fd, temporary,
					  O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
					  file_mode);
	if (fd < 0)
		return failed(error, "cannot create a file in", slug);
	if (fchmod(fd, file_mode) == 0 && write_all(fd, data, len) && fsync(fd) == 0 &&
	    renameat(folder_fd, temporary, folder_fd, name) == 0)
		return OK;
	enum result result = failed(error, "cannot write", name);
	unlinkat(folder_fd, temporary, 0);
	return result;
}

static bool is_named(const char *name, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

static bool is_dots(const char *name)
{
	return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

enum result pages_dir_keep(const struct pages_dir *dir, bool is_public, const char *slug,
			   const char *const *names, size_t count, struct error *error)
{
	int root_fd = root_of(dir, is_public);
	int folder_fd = open_folder(root_fd, slug);
	if (folder_fd < 0)
		return errno == ENOENT ? OK : failed(error, "cannot open the folder", slug);
	DIR *stream CLEANUP(close_stream) = fdopendir(folder_fd);
	if (!stream) {
		close(folder_fd);
		return failed(error, "cannot list the folder", slug);
	}
	for (struct dirent *entry; (entry = readdir(stream));) {
		if (is_dots(entry->d_name) || is_named(entry->d_name, names, count))
			continue;
		if (unlinkat(folder_fd, entry->d_name, 0) != 0 && errno != ENOENT)
			return failed(error, "cannot remove", entry->d_name);
	}
	if (count == 0 && unlinkat(root_fd, slug, AT_REMOVEDIR) != 0 && errno != ENOENT)
		return failed(error, "cannot remove the folder", slug);
	return fsync(count == 0 ? root_fd : folder_fd) == 0 ? OK
							    : failed(error, "cannot sync", slug);
}

enum result pages_dir_slugs(const struct pages_dir *dir, bool is_public, struct arena *arena,
			    struct slug_list *list, struct error *error)
{
	int fd = open_folder(root_of(dir, is_public), ".");
	DIR *stream CLEANUP(close_stream) = fd >= 0 ? fdopendir(fd) : NULL;
	if (!stream)
		return failed(error, "cannot list", is_public ? "public" : "private");
	size_t room = 0;
	*list = (struct slug_list){ 0 };
	for (struct dirent *entry; (entry = readdir(stream));) {
		if (is_dots(entry->d_name))
			continue;
		if (list->count == room) {
			room = room > 0 ? 2 * room : 64;
			const char **grown = ARENA_ARRAY(arena, room, const char *);
			if (list->count > 0)
				memcpy(grown, list->slugs, list->count * sizeof(*grown));
			list->slugs = grown;
		}
		list->slugs[list->count++] = arena_strdup(arena, entry->d_name);
	}
	return OK;
}
