#include "publish/folder/pages_dir.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "publish/folder/pages_folders.h"

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

bool pages_dir_has(const struct pages_dir *dir, enum pages_place place, const char *folder,
		   const char *name)
{
	struct stat status;
	if (!folder_is_name(folder) || !folder_is_name(name))
		return false;
	int folder_fd CLEANUP(close_fd) = folder_open(dir->place_fds[place], folder);
	return folder_fd >= 0 && fstatat(folder_fd, name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
	       S_ISREG(status.st_mode);
}

bool pages_dir_has_folder(const struct pages_dir *dir, enum pages_place place, const char *folder)
{
	return folder_is_name(folder) &&
	       faccessat(dir->place_fds[place], folder, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
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
	struct str content = STR("");
	if (!fd_read_file(fd, max_bytes, arena, &content) && errno != EFBIG)
		return folder_failed(error, "cannot read", name);
	*text = content.data;
	return OK;
}

enum result pages_dir_remove(const struct pages_dir *dir, enum pages_place place,
			     const char *folder, struct error *error)
{
	int place_fd = dir->place_fds[place];
	int folder_fd CLEANUP(close_fd) = folder_open(place_fd, folder);
	if (folder_fd < 0)
		return errno == ENOENT ? OK
				       : folder_failed(error, "cannot open the folder", folder);
	bool is_changed = false;
	enum result result = folder_sweep(folder_fd, NULL, NULL, &is_changed, error);
	if (result != OK)
		return result;
	if (unlinkat(place_fd, folder, AT_REMOVEDIR) != 0 && errno != ENOENT)
		return folder_failed(error, "cannot remove the folder", folder);
	return fsync(place_fd) == 0 ? OK
				    : folder_failed(error, "cannot sync", pages_place_name(place));
}

enum result pages_dir_forget_new(const struct pages_dir *dir, struct error *error)
{
	bool is_changed = false;
	return folder_sweep(dir->new_fd, NULL, NULL, &is_changed, error);
}

struct listing {
	struct pages_names *names;
	struct arena *arena;
};

static void list_name(void *context, const char *name)
{
	struct listing *listing = context;
	if (arena_has_room(listing->arena))
		pages_names_add(listing->names, arena_strdup(listing->arena, name), listing->arena);
}

enum result pages_dir_folders(const struct pages_dir *dir, enum pages_place place,
			      struct arena *arena, struct pages_names *folders, struct error *error)
{
	struct listing listing = { folders, arena };
	*folders = (struct pages_names){ 0 };
	enum result result = folder_each(dir->place_fds[place], list_name, &listing, error);
	if (result == OK && !arena_has_room(arena))
		return error_log(error, E_FAILED, "%s has too many folders",
				 pages_place_name(place));
	return result;
}
