#include "publish/pages_dir.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "publish/folder.h"

enum { LOCK_FILES = 64 };

static const struct {
	const char *parent; /* NULL: the place is in DIR itself */
	const char *name;
} places[PAGES_PLACES] = {
	[PAGES_PUBLIC] = { "public", "s" },    [PAGES_DOMAIN] = { "public", "d" },
	[PAGES_NOINDEX] = { "noindex", "s" },  [PAGES_NOINDEX_DOMAIN] = { "noindex", "d" },
	[PAGES_PRIVATE] = { NULL, "private" }, [PAGES_HOST] = { NULL, "host" },
	[PAGES_STATE] = { NULL, "state" },
};

/* Places that web servers read have a parent folder; others are for the program only. */
static bool is_public(enum pages_place place)
{
	return places[place].parent != NULL;
}

static int open_place(int root_fd, enum pages_place place)
{
	if (!is_public(place))
		return folder_make(root_fd, places[place].name, false);
	int parent_fd CLEANUP(close_fd) = folder_make(root_fd, places[place].parent, true);
	return parent_fd < 0 ? -1 : folder_make(parent_fd, places[place].name, true);
}

static const char *lock_name(int number, char name[16])
{
	snprintf(name, 16, "page-%02d", number);
	return name;
}

static int open_lock(int lock_fd, const char *name)
{
	return openat(lock_fd, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
}

/*
 * Creates all lock files at once, because a page that is made private or deleted must be removed
 * even when the disk is full.
 */
static void make_locks(int lock_fd)
{
	static const char *const last[] = { "all", "made" };
	char name[16];
	bool is_made = faccessat(lock_fd, "made", F_OK, AT_SYMLINK_NOFOLLOW) == 0;
	for (int i = 0; !is_made && i < LOCK_FILES + (int)ARRAY_LEN(last); i++) {
		int fd CLEANUP(close_fd) = open_lock(
			lock_fd, i < LOCK_FILES ? lock_name(i, name) : last[i - LOCK_FILES]);
		/* Taking a lock tries again, and reports the error. */
		if (fd < 0)
			return;
	}
}

enum result pages_dir_open(struct pages_dir *dir, const char *path, struct error *error)
{
	*dir = PAGES_DIR_CLOSED;
	dir->root_fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir->root_fd < 0 && errno == ENOENT && mkdir(path, 0755) == 0)
		dir->root_fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir->root_fd < 0)
		return folder_failed(error, "cannot open", path);
	bool is_open = true;
	for (size_t i = 0; is_open && i < PAGES_PLACES; i++) {
		dir->place_fds[i] = open_place(dir->root_fd, (enum pages_place)i);
		is_open = dir->place_fds[i] >= 0;
	}
	if (is_open)
		dir->new_fd = folder_make(dir->root_fd, "new", false);
	if (dir->new_fd >= 0)
		dir->lock_fd = folder_make(dir->root_fd, "lock", false);
	if (dir->lock_fd >= 0) {
		make_locks(dir->lock_fd);
		return OK;
	}
	enum result result = folder_failed(error, "cannot make the folders of", path);
	pages_dir_close(dir);
	return result;
}

void pages_dir_close(struct pages_dir *dir)
{
	for (size_t i = 0; i < PAGES_PLACES; i++)
		close_fd(&dir->place_fds[i]);
	close_fd(&dir->lock_fd);
	close_fd(&dir->new_fd);
	close_fd(&dir->root_fd);
	*dir = PAGES_DIR_CLOSED;
}

/* If a lock file is lost and the disk is full, locks the folder other_fd instead. */
static int lock_file(const struct pages_dir *dir, const char *name, int other_fd, int operation)
{
	int fd = open_lock(dir->lock_fd, name);
	if (fd < 0 && (errno == ENOSPC || errno == EDQUOT))
		fd = folder_open(other_fd, ".");
	if (fd < 0)
		return -1;
	int outcome;
	do
		outcome = flock(fd, operation);
	while (outcome != 0 && errno == EINTR);
	if (outcome != 0) {
		int reason = errno;
		close(fd);
		errno = reason;
		return -1;
	}
	return fd;
}

int pages_dir_lock_number(int64_t page_id)
{
	return (int)(page_id % LOCK_FILES);
}

static enum result lock_page(const struct pages_dir *dir, int64_t page_id, int operation,
			     struct pages_lock *lock, struct error *error)
{
	char name[16];
	lock_name(pages_dir_lock_number(page_id), name);
	*lock = (struct pages_lock){ -1, -1 };
	lock->page_fd = lock_file(dir, name, dir->lock_fd, operation);
	if (lock->page_fd < 0 && errno == EWOULDBLOCK && operation & LOCK_NB)
		return OK;
	if (lock->page_fd >= 0)
		lock->all_fd = lock_file(dir, "all", dir->new_fd, LOCK_SH);
	if (lock->all_fd >= 0)
		return OK;
	enum result result = folder_failed(error, "cannot lock", name);
	pages_dir_unlock(lock);
	return result;
}

enum result pages_dir_lock_page(const struct pages_dir *dir, int64_t page_id,
				struct pages_lock *lock, struct error *error)
{
	return lock_page(dir, page_id, LOCK_EX, lock, error);
}

enum result pages_dir_try_page(const struct pages_dir *dir, int64_t page_id,
			       struct pages_lock *lock, bool *is_free, struct error *error)
{
	enum result result = lock_page(dir, page_id, LOCK_EX | LOCK_NB, lock, error);
	*is_free = result == OK && lock->page_fd >= 0;
	return result;
}

enum result pages_dir_await_page(const struct pages_dir *dir, int64_t page_id, struct error *error)
{
	char name[16];
	lock_name(pages_dir_lock_number(page_id), name);
	int fd CLEANUP(close_fd) = lock_file(dir, name, dir->lock_fd, LOCK_SH);
	return fd >= 0 ? OK : folder_failed(error, "cannot lock", name);
}

enum result pages_dir_lock_all(const struct pages_dir *dir, struct pages_lock *lock,
			       struct error *error)
{
	*lock = (struct pages_lock){ lock_file(dir, "all", dir->new_fd, LOCK_EX), -1 };
	return lock->all_fd >= 0 ? OK : folder_failed(error, "cannot lock", "all");
}

void pages_dir_unlock(struct pages_lock *lock)
{
	close_fd(&lock->all_fd);
	close_fd(&lock->page_fd);
	*lock = (struct pages_lock){ -1, -1 };
}

int pages_dir_open_file(const struct pages_dir *dir, enum pages_place place, const char *folder,
			const char *name)
{
	if (!folder_is_name(folder) || !folder_is_name(name))
		return -1;
	int folder_fd CLEANUP(close_fd) = folder_open(dir->place_fds[place], folder);
	return folder_fd < 0
		       ? -1
		       : openat(folder_fd, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
}

/* Whether errno means that the file does not exist, for any name. */
static bool is_absent(void)
{
	return errno == ENOENT || errno == ENOTDIR || errno == ELOOP || errno == ENAMETOOLONG;
}

enum result pages_dir_find_file(const struct pages_dir *dir, enum pages_place place,
				const char *folder, const char *name, int *fd, struct error *error)
{
	errno = ENOENT;
	*fd = pages_dir_open_file(dir, place, folder, name);
	if (*fd >= 0 || is_absent())
		return OK;
	error_client(error, E_UNAVAILABLE, "This page cannot be read at the moment.");
	return error_log(error, E_UNAVAILABLE, "pages: cannot open %s/%s/%s: %s",
			 places[place].name, folder, name, strerror(errno));
}

bool pages_dir_has(const struct pages_dir *dir, enum pages_place place, const char *folder,
		   const char *name)
{
	int fd CLEANUP(close_fd) = pages_dir_open_file(dir, place, folder, name);
	return fd >= 0;
}

enum result pages_dir_read(const struct pages_dir *dir, enum pages_place place, const char *folder,
			   const char *name, size_t max_bytes, struct arena *arena,
			   const char **text, struct error *error)
{
	int fd CLEANUP(close_fd) = -1;
	struct stat status;
	*text = NULL;
	enum result result = pages_dir_find_file(dir, place, folder, name, &fd, error);
	if (fd < 0 || fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) ||
	    status.st_size > (off_t)max_bytes)
		return result;
	char *content = arena_alloc(arena, (size_t)status.st_size + 1);
	if (read(fd, content, (size_t)status.st_size) == status.st_size)
		*text = content;
	return OK;
}

enum result pages_dir_load(const struct pages_dir *dir, enum pages_place place, const char *folder,
			   const char *name, size_t max_bytes, struct arena *arena,
			   const char **text, struct error *error)
{
	*text = NULL;
	errno = 0;
	int fd CLEANUP(close_fd) = pages_dir_open_file(dir, place, folder, name);
	if (fd < 0)
		return errno == ENOENT ? OK : folder_failed(error, "cannot open", name);
	struct stat status;
	if (fstat(fd, &status) != 0)
		return folder_failed(error, "cannot read", name);
	size_t size = S_ISREG(status.st_mode) && status.st_size <= (off_t)max_bytes
			      ? (size_t)status.st_size
			      : 0;
	char *content = arena_alloc(arena, size + 1);
	if (read(fd, content, size) != (ssize_t)size)
		return folder_failed(error, "cannot read", name);
	*text = content;
	return OK;
}

enum result pages_dir_rename(const struct pages_dir *dir, enum pages_place place,
			     const char *folder, const char *from, const char *to,
			     struct error *error)
{
	int folder_fd CLEANUP(close_fd) = folder_open(dir->place_fds[place], folder);
	if (folder_fd < 0 || renameat(folder_fd, from, folder_fd, to) != 0)
		return errno == ENOENT ? OK : folder_failed(error, "cannot rename", from);
	return fsync(folder_fd) == 0 ? OK : folder_failed(error, "cannot sync", folder);
}

enum result pages_dir_remove(const struct pages_dir *dir, enum pages_place place,
			     const char *folder, struct error *error)
{
	int place_fd = dir->place_fds[place];
	int folder_fd CLEANUP(close_fd) = folder_open(place_fd, folder);
	if (folder_fd < 0)
		return errno == ENOENT ? OK
				       : folder_failed(error, "cannot open the folder", folder);
	enum result result = folder_sweep(folder_fd, NULL, 0, error);
	if (result != OK)
		return result;
	if (unlinkat(place_fd, folder, AT_REMOVEDIR) != 0 && errno != ENOENT)
		return folder_failed(error, "cannot remove the folder", folder);
	return fsync(place_fd) == 0 ? OK : folder_failed(error, "cannot sync", places[place].name);
}

enum result pages_dir_forget_new(const struct pages_dir *dir, struct error *error)
{
	return folder_sweep(dir->new_fd, NULL, 0, error);
}

bool pages_place_is_by_domain(enum pages_place place)
{
	return place == PAGES_DOMAIN || place == PAGES_NOINDEX_DOMAIN || place == PAGES_HOST;
}

static void add_name(struct pages_names *names, const char *name, struct arena *arena)
{
	names->names =
		arena_grow(arena, names->names, names->count, &names->room, sizeof(*names->names));
	names->names[names->count++] = name;
}

struct listing {
	struct pages_names *names;
	struct arena *arena;
};

static void list_name(void *context, const char *name)
{
	struct listing *listing = context;
	if (arena_has_room(listing->arena))
		add_name(listing->names, arena_strdup(listing->arena, name), listing->arena);
}

enum result pages_dir_folders(const struct pages_dir *dir, enum pages_place place,
			      struct arena *arena, struct pages_names *folders, struct error *error)
{
	struct listing listing = { folders, arena };
	*folders = (struct pages_names){ 0 };
	enum result result = folder_each(dir->place_fds[place], list_name, &listing, error);
	if (result == OK && !arena_has_room(arena))
		return error_log(error, E_FAILED, "%s has too many folders", places[place].name);
	return result;
}

enum result pages_batch_open(struct pages_batch *batch, const struct pages_dir *dir,
			     enum pages_place place, const char *folder, struct arena *arena,
			     struct error *error)
{
	*batch = (struct pages_batch){
		.dir = dir, .place = place, .folder = folder, .arena = arena
	};
	batch->folder_fd = folder_make(dir->place_fds[place], folder, is_public(place));
	return batch->folder_fd >= 0 ? OK : folder_failed(error, "cannot make the folder", folder);
}

static void add_to_batch(struct pages_batch *batch, const char *name, const char *temporary)
{
	add_name(&batch->names, name, batch->arena);
	add_name(&batch->temporaries, temporary, batch->arena);
}

enum result pages_batch_add(struct pages_batch *batch, const char *name, const void *data,
			    size_t len, struct error *error)
{
	char temporary[FOLDER_TEMPORARY_SIZE];
	enum result result = folder_write(batch->dir->new_fd, is_public(batch->place), data, len,
					  temporary, error);
	if (result == OK)
		add_to_batch(batch, name, arena_strdup(batch->arena, temporary));
	return result;
}

bool pages_batch_keep(struct pages_batch *batch, const char *name)
{
	if (faccessat(batch->folder_fd, name, F_OK, AT_SYMLINK_NOFOLLOW) != 0)
		return false;
	add_to_batch(batch, name, NULL);
	return true;
}

enum result pages_batch_commit(struct pages_batch *batch, struct error *error)
{
	for (size_t i = 0; i < batch->names.count; i++) {
		const char *from = batch->temporaries.names[i];
		enum result result = from ? folder_rename(batch->dir->new_fd, from,
							  batch->folder_fd, batch->names.names[i],
							  error)
					  : OK;
		if (result != OK)
			return result;
		batch->temporaries.names[i] = NULL;
	}
	enum result result =
		folder_sweep(batch->folder_fd, batch->names.names, batch->names.count, error);
	if (result == OK && fsync(batch->folder_fd) != 0)
		result = folder_failed(error, "cannot sync", batch->folder);
	return result;
}

enum result pages_batch_mirror(const struct pages_batch *batch, enum pages_place place,
			       const char *folder, struct error *error)
{
	int to_fd CLEANUP(close_fd) =
		folder_make(batch->dir->place_fds[place], folder, is_public(place));
	if (to_fd < 0)
		return folder_failed(error, "cannot make the folder", folder);
	for (size_t i = 0; i < batch->names.count; i++) {
		enum result result = folder_link(batch->folder_fd, batch->dir->new_fd, to_fd,
						 batch->names.names[i], is_public(place), error);
		if (result != OK)
			return result;
	}
	enum result result = folder_sweep(to_fd, batch->names.names, batch->names.count, error);
	if (result == OK && fsync(to_fd) != 0)
		result = folder_failed(error, "cannot sync", folder);
	return result;
}

enum result pages_dir_put(const struct pages_dir *dir, enum pages_place place, const char *folder,
			  const char *name, struct str text, struct arena *arena,
			  struct error *error)
{
	struct pages_batch batch CLEANUP(pages_batch_close) = { .folder_fd = -1 };
	enum result result = pages_batch_open(&batch, dir, place, folder, arena, error);
	if (result == OK)
		result = pages_batch_add(&batch, name, text.data, text.len, error);
	return result == OK ? pages_batch_commit(&batch, error) : result;
}

void pages_batch_close(struct pages_batch *batch)
{
	for (size_t i = 0; i < batch->temporaries.count; i++)
		if (batch->temporaries.names[i])
			unlinkat(batch->dir->new_fd, batch->temporaries.names[i], 0);
	if (batch->dir)
		close_fd(&batch->folder_fd);
	*batch = (struct pages_batch){ .folder_fd = -1 };
}
