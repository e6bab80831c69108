#include "publish/folder/filled.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fd.h"
#include "base/lines.h"
#include "publish/folder/folder.h"

#define FILLED_FILE "filled"

enum { FILE_MAX_BYTES = (FILLED_FAILED_MAX + 1) * 21 };

bool filled_is(const struct pages_dir *dir)
{
	return faccessat(dir->root_fd, FILLED_FILE, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

enum result filled_mark(const struct pages_dir *dir, const int64_t *failed_ids, size_t count,
			struct error *error)
{
	struct buf text CLEANUP(buf_done) = BUF_INIT(FILE_MAX_BYTES);
	for (size_t i = 0; i < count; i++)
		buf_printf(&text, "%lld\n", (long long)failed_ids[i]);
	if (!buf_ok(&text))
		return error_log(error, E_FAILED, "pages: too many pages cannot be published");
	enum result result = folder_put(dir->new_fd, dir->root_fd, FILLED_FILE,
					(struct str){ text.data ? text.data : "", text.len }, true,
					error);
	if (result == OK && fsync(dir->root_fd) != 0)
		result = folder_failed(error, "cannot sync", FILLED_FILE);
	return result;
}

void filled_forget(const struct pages_dir *dir)
{
	unlinkat(dir->root_fd, FILLED_FILE, 0);
}

bool filled_names(const struct pages_dir *dir, int64_t page_id)
{
	char text[FILE_MAX_BYTES];
	ssize_t len = folder_read_some(dir->root_fd, FILLED_FILE, text, sizeof(text));
	struct lines lines = lines_of((struct str){ text, len > 0 ? (size_t)len : 0 });
	struct str line;
	int64_t id;
	while (lines_next(&lines, &line))
		if (line_number(&line, 1, &id) && id == page_id)
			return true;
	return false;
}
