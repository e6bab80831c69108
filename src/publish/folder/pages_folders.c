#include "publish/folder/pages_folders.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/log.h"
#include "publish/folder/boot.h"
#include "publish/folder/filled.h"
#include "publish/folder/folder.h"

static const struct {
	const char *parent; /* "": the place is in DIR itself */
	const char *name;
} places[PAGES_PLACES] = {
	[PAGES_PUBLIC] = { "public", "s" },   [PAGES_DOMAIN] = { "public", "d" },
	[PAGES_NOINDEX] = { "noindex", "s" }, [PAGES_NOINDEX_DOMAIN] = { "noindex", "d" },
	[PAGES_PRIVATE] = { "", "private" },  [PAGES_HOST] = { "", "host" },
	[PAGES_FORMER] = { "", "former" },    [PAGES_FORMER_HOST] = { "", "former-host" },
	[PAGES_STATE] = { "", "state" },
};

/* The folders that contain places; "" is DIR itself. */
static const char *const parents[] = { "", "public", "noindex" };

/* Identifies a parent folder. `changed` differs after a place was added, removed or renamed. */
struct parent_state {
	dev_t device;
	ino_t inode;
	struct timespec changed;
};

struct pages_folders {
	struct pages_dir dir;
	char *path;
	struct parent_state parents[ARRAY_LEN(parents)];
	int users; /* how many struct pages_dir are open, plus one for `newest` */
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct pages_folders
	*newest; /* the folders that this process opened last; NULL: it has opened none */

bool pages_place_is_public(enum pages_place place)
{
	return places[place].parent[0] != '\0';
}

const char *pages_place_parent(enum pages_place place)
{
	return places[place].parent;
}

const char *pages_place_name(enum pages_place place)
{
	return places[place].name;
}

bool pages_place_is_by_domain(enum pages_place place)
{
	return place == PAGES_DOMAIN || place == PAGES_NOINDEX_DOMAIN || place == PAGES_HOST ||
	       place == PAGES_FORMER_HOST;
}

const char *pages_lock_name(int number, char name[16])
{
	snprintf(name, 16, "page-%02d", number);
	return name;
}

int pages_lock_open(int lock_fd, const char *name)
{
	return openat(lock_fd, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
}

/* Creates all lock files in advance: even on a full disk it must be possible to remove a page that
 * was deleted or made private. */
static void make_locks(int lock_fd)
{
	/* The last file is created after all others, so if it exists, all exist, even if an older
	 * version has created some of them. */
	static const char *const others[] = { "all", "gate", "turn" };
	const char *last = others[ARRAY_LEN(others) - 1];
	char name[16];
	bool is_made = faccessat(lock_fd, last, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
	for (int i = 0; !is_made && i < PAGES_LOCK_FILES + (int)ARRAY_LEN(others); i++) {
		int fd CLEANUP(close_fd) = pages_lock_open(
			lock_fd, i < PAGES_LOCK_FILES ? pages_lock_name(i, name)
						      : others[i - PAGES_LOCK_FILES]);
		/* Ignore the failure: the function that takes a lock opens the file again, and
		 * reports the error. */
		if (fd < 0)
			return;
	}
}

/* Makes a folder if it does not exist, and then syncs its parent. */
static int make_folder(int parent_fd, const char *name, bool is_public, bool *is_new)
{
	int fd = folder_make(parent_fd, name, is_public, is_new);
	if (fd >= 0 && *is_new && fsync(parent_fd) != 0) {
		close(fd);
		return -1;
	}
	return fd;
}

static int open_place(const int *parent_fds, enum pages_place place, bool *is_new)
{
	for (size_t i = 0; i < ARRAY_LEN(parents); i++)
		if (strcmp(parents[i], places[place].parent) == 0)
			return make_folder(parent_fds[i], places[place].name, i > 0, is_new);
	return -1;
}

static void close_folders(struct pages_dir *dir)
{
	for (size_t i = 0; i < PAGES_PLACES; i++)
		close_fd(&dir->place_fds[i]);
	close_fd(&dir->lock_fd);
	close_fd(&dir->new_fd);
	close_fd(&dir->root_fd);
	*dir = PAGES_DIR_CLOSED;
}

/* Records the boot if the folder is new (has_no_state): it has no pages to compare. Assumes the
 * settings of most installations. */
static void record_boot(const struct pages_dir *dir, bool has_no_state)
{
	const struct pages_settings usual = { .has_previews = true };
	struct error ignored = { 0 };
	/* If the record fails, the next publisher compares all pages. */
	if (has_no_state && boot_record(dir, usual, &ignored) != OK)
		return;
}

/* Removes the mark that the pages folder is filled if the folder of notes is missing. The pages are
 * then lost, too, and all pages must be published again. */
static void forget_filled(const struct pages_dir *dir)
{
	if (faccessat(dir->root_fd, places[PAGES_STATE].name, F_OK, AT_SYMLINK_NOFOLLOW) != 0)
		filled_forget(dir);
}

static bool open_places(struct pages_dir *dir)
{
	bool is_new;
	forget_filled(dir);
	int public_fd CLEANUP(close_fd) = make_folder(dir->root_fd, parents[1], true, &is_new);
	int noindex_fd CLEANUP(close_fd) = make_folder(dir->root_fd, parents[2], true, &is_new);
	const int parent_fds[] = { dir->root_fd, public_fd, noindex_fd };
	bool is_open = public_fd >= 0 && noindex_fd >= 0, has_no_state = false;
	for (size_t i = 0; is_open && i < PAGES_PLACES; i++) {
		dir->place_fds[i] = open_place(parent_fds, (enum pages_place)i, &is_new);
		is_open = dir->place_fds[i] >= 0;
		has_no_state |= i == PAGES_STATE && is_new;
	}
	if (is_open)
		dir->new_fd = make_folder(dir->root_fd, "new", false, &is_new);
	if (dir->new_fd >= 0)
		dir->lock_fd = make_folder(dir->root_fd, "lock", false, &is_new);
	if (dir->lock_fd < 0)
		return false;
	make_locks(dir->lock_fd);
	record_boot(dir, has_no_state);
	return true;
}

static bool open_root(struct pages_dir *dir, const char *path)
{
	*dir = PAGES_DIR_CLOSED;
	dir->syncs_folders = !boot_id();
	dir->root_fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir->root_fd < 0 && errno == ENOENT && mkdir(path, 0755) == 0)
		dir->root_fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return dir->root_fd >= 0;
}

/* Opens the folders, and makes missing ones. Tries again if a person empties the pages folder at
 * the same time, and so removes new folders. */
static enum result open_folders(struct pages_dir *dir, const char *path, struct error *error)
{
	enum { TRIES_MAX = 8 };
	enum result result = OK;
	bool is_emptied = true;
	for (int i = 0; i < TRIES_MAX && is_emptied; i++) {
		if (!open_root(dir, path))
			return folder_failed(error, "cannot open", path);
		if (open_places(dir))
			return OK;
		is_emptied = errno == ENOENT;
		result = folder_failed(error, "cannot make the folders of", path);
		close_folders(dir);
	}
	return result;
}

static bool read_parents(const struct pages_dir *dir, const char *path,
			 struct parent_state states[ARRAY_LEN(parents)])
{
	struct stat status;
	for (size_t i = 0; i < ARRAY_LEN(parents); i++) {
		int outcome =
			i == 0 ? stat(path, &status)
			       : fstatat(dir->root_fd, parents[i], &status, AT_SYMLINK_NOFOLLOW);
		if (outcome != 0)
			return false;
		states[i] = (struct parent_state){ status.st_dev, status.st_ino, status.st_mtim };
	}
	return true;
}

static bool is_same(const struct parent_state *a, const struct parent_state *b)
{
	return a->device == b->device && a->inode == b->inode &&
	       a->changed.tv_sec == b->changed.tv_sec && a->changed.tv_nsec == b->changed.tv_nsec;
}

/* Whether the path still leads to these folders. */
static bool is_valid(const struct pages_folders *folders, const char *path)
{
	struct parent_state now[ARRAY_LEN(parents)];
	if (strcmp(folders->path, path) != 0 || !read_parents(&folders->dir, path, now))
		return false;
	for (size_t i = 0; i < ARRAY_LEN(parents); i++)
		if (!is_same(&now[i], &folders->parents[i]))
			return false;
	return true;
}

static void release_folders(struct pages_folders *folders)
{
	if (--folders->users > 0)
		return;
	close_folders(&folders->dir);
	free(folders->path);
	free(folders);
}

/* Opens the folders for this process. The caller has locked `mutex`. */
static enum result open_newest(const char *path, struct error *error)
{
	struct pages_folders *folders = calloc(1, sizeof(*folders));
	char *its_path = strdup(path);
	if (!folders || !its_path)
		die("pages: out of memory");
	enum result result = open_folders(&folders->dir, path, error);
	if (result != OK) {
		free(its_path);
		free(folders);
		return result;
	}
	folders->dir.shared = folders;
	folders->path = its_path;
	folders->users = 1;
	/* After a failure is_valid() returns false, so the next pages_dir_open() opens the folders
	 * again. */
	(void)read_parents(&folders->dir, path, folders->parents);
	if (newest)
		release_folders(newest);
	newest = folders;
	return OK;
}

enum result pages_dir_open(struct pages_dir *dir, const char *path, struct error *error)
{
	enum result result = OK;
	*dir = PAGES_DIR_CLOSED;
	pthread_mutex_lock(&mutex);
	if (!newest || !is_valid(newest, path))
		result = open_newest(path, error);
	if (result == OK) {
		newest->users++;
		*dir = newest->dir;
	}
	pthread_mutex_unlock(&mutex);
	return result;
}

static bool is_same_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

bool pages_dir_is_current(const struct pages_dir *dir, const char *path)
{
	struct stat at, open;
	return stat(path, &at) == 0 && fstat(dir->root_fd, &open) == 0 &&
	       is_same_file(&at, &open) &&
	       fstatat(dir->root_fd, places[PAGES_STATE].name, &at, AT_SYMLINK_NOFOLLOW) == 0 &&
	       fstat(dir->place_fds[PAGES_STATE], &open) == 0 && is_same_file(&at, &open);
}

void pages_dir_close(struct pages_dir *dir)
{
	if (!dir->shared)
		return;
	pthread_mutex_lock(&mutex);
	release_folders(dir->shared);
	pthread_mutex_unlock(&mutex);
	*dir = PAGES_DIR_CLOSED;
}
