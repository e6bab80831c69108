#include "mirror/unconfirmed.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fd.h"
#include "publish/folder.h"
#include "publish/gone.h"

#define LIST_FILE "unconfirmed"

enum { LIST_MAX_BYTES = 12 << 20 }; /* of more pages than a mirror's list may have */

enum result unconfirmed_write(int folder_fd, const int64_t *page_ids, size_t count,
			      struct error *error)
{
	struct buf text CLEANUP(buf_done) = BUF_INIT(LIST_MAX_BYTES);
	if (count == 0)
		return unlinkat(folder_fd, LIST_FILE, 0) == 0 || errno == ENOENT
			       ? OK
			       : folder_failed(error, "cannot remove", LIST_FILE);
	for (size_t i = 0; i < count; i++)
		buf_printf(&text, "%lld\n", (long long)page_ids[i]);
	if (!buf_ok(&text))
		return error_log(error, E_FAILED, "mirror: no memory for the pages to confirm");
	return folder_put(folder_fd, folder_fd, LIST_FILE, (struct str){ text.data, text.len },
			  false, error);
}

static enum result read_list(int folder_fd, struct arena *arena, struct str *list,
			     struct error *error)
{
	struct stat status;
	*list = STR("");
	int fd CLEANUP(close_fd) = openat(folder_fd, LIST_FILE, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT)
		return OK;
	if (fd < 0 || fstat(fd, &status) != 0 || status.st_size > LIST_MAX_BYTES)
		return folder_failed(error, "cannot read", LIST_FILE);
	char *text = arena_alloc(arena, (size_t)status.st_size + 1);
	if (read(fd, text, (size_t)status.st_size) != status.st_size)
		return folder_failed(error, "cannot read", LIST_FILE);
	*list = (struct str){ text, (size_t)status.st_size };
	return OK;
}

enum result unconfirmed_confirm(const struct pages_dir *dir, int folder_fd, struct arena *arena,
				size_t *count, struct error *error)
{
	struct str list, line;
	int64_t *ids = NULL;
	size_t room = 0;
	*count = 0;
	enum result result = read_list(folder_fd, arena, &list, error);
	while (result == OK && list.len > 0 && str_split(&list, '\n', &line)) {
		int64_t id;
		if (!str_to_int64(line, &id))
			continue;
		ids = arena_grow(arena, ids, *count, &room, sizeof(*ids));
		ids[(*count)++] = id;
	}
	if (result == OK)
		result = gone_add_all(dir, ids, *count, error);
	return result == OK ? unconfirmed_write(folder_fd, NULL, 0, error) : result;
}
