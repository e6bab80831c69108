#include "mirror/push/unconfirmed.h"

#include <errno.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/lines.h"
#include "publish/folder/folder.h"
#include "publish/folder/gone.h"

#define LIST_FILE "unconfirmed"

enum { LIST_MAX_BYTES = 12 << 20 }; /* room for all page ids that a mirror's list can have */

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

enum result unconfirmed_confirm(const struct pages_dir *dir, int folder_fd, struct arena *arena,
				size_t *count, struct error *error)
{
	struct str text, line;
	int64_t *ids = NULL;
	size_t room = 0;
	*count = 0;
	enum result result = folder_read(folder_fd, LIST_FILE, LIST_MAX_BYTES, arena, &text, error);
	struct lines lines = lines_of(text);
	while (lines_next(&lines, &line)) {
		int64_t id;
		if (!line_number(&line, 1, &id))
			continue;
		ids = arena_grow(arena, ids, *count, &room, sizeof(*ids));
		ids[(*count)++] = id;
	}
	if (result == OK)
		result = gone_add_all(dir, ids, *count, error);
	return result == OK ? unconfirmed_write(folder_fd, NULL, 0, error) : result;
}
