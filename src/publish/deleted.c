#include "publish/deleted.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/fd.h"
#include "publish/folder/gone.h"
#include "publish/page/page_state.h"
#include "publish/page/page_writer.h"
#include "store/page/publication.h"

enum { LOST_ARENA_BYTES = 256 << 20 };

/* Whether files of the page may remain on this disk: the folder of the note, which is removed last,
 * exists. */
static bool is_left(const struct pages_dir *dir, int64_t page_id, struct arena *arena)
{
	return pages_dir_has_folder(dir, PAGES_STATE, page_state_folder(page_id, arena));
}

/* Publishes the deleted page, which removes its files. Sets has_moved, so that publish_page() locks
 * all pages before it removes addresses. */
static enum result remove_page(const struct publisher *publisher, int64_t page_id,
			       struct error *error)
{
	struct arena arena CLEANUP(arena_done);
	struct publisher own = *publisher;
	arena_init(&arena, publisher->arena->cap_bytes);
	own.arena = &arena;
	return publish_page(&own, &(struct publish_order){ .page_id = page_id, .has_moved = true },
			    error);
}

enum result publish_deleted(const struct publisher *publisher, struct error *last_failure)
{
	struct pages_dir dir CLEANUP(pages_dir_close) = PAGES_DIR_CLOSED;
	struct deleted_page_list list = { 0 };
	enum result result =
		publication_deleted(publisher->db, publisher->arena, &list, last_failure);
	if (result != OK || list.count == 0)
		return result;
	result = pages_dir_open(&dir, publisher->path, last_failure);
	for (size_t i = 0; result != E_UNAVAILABLE && dir.shared && i < list.count; i++) {
		struct error error = { 0 };
		if (!is_left(&dir, list.rows[i].id, publisher->arena))
			continue;
		enum result removed = remove_page(publisher, list.rows[i].id, &error);
		if (removed == E_TOO_SLOW)
			break;
		if (removed == OK)
			continue;
		/* Continue after a failure: the files of other deleted pages must not stay
		 * public. */
		result = removed;
		*last_failure = error;
	}
	return result;
}

enum result publish_note_gone(const struct publisher *publisher, const struct pages_dir *dir,
			      int64_t page_id, struct error *error)
{
	struct db_list known = { 0 };
	enum result result = page_failure(publication_find_known(publisher->db, &page_id, 1,
								 publisher->arena, &known, error));
	return result == OK && known.count > 0 ? gone_add(dir, page_id, error) : result;
}

/* Whether the folder contains a note. A folder without a note remains if the removal of its page
 * was interrupted. */
static bool is_page(const struct pages_dir *dir, const char *folder, int64_t *page_id)
{
	int fd CLEANUP(close_fd) = folder_open(dir->place_fds[PAGES_STATE], folder);
	return str_to_int64(str_from(folder), page_id) && fd >= 0 &&
	       (faccessat(fd, PAGE_STATE_FILE, F_OK, AT_SYMLINK_NOFOLLOW) == 0 ||
		faccessat(fd, PAGE_STATE_UNFINISHED, F_OK, AT_SYMLINK_NOFOLLOW) == 0);
}

enum result publish_find_lost(const struct publisher *publisher, const struct pages_dir *dir,
			      size_t *lost, struct error *error)
{
	struct arena arena CLEANUP(arena_done);
	struct pages_names folders = { 0 };
	int64_t ids[PUBLICATION_KNOWN_MAX];
	size_t count = 0, pages = 0, unknown = 0;
	arena_init(&arena, LOST_ARENA_BYTES);
	enum result result = pages_dir_folders(dir, PAGES_STATE, &arena, &folders, error);
	for (size_t i = 0; result == OK && i < folders.count; i++) {
		struct db_list known = { 0 };
		count += is_page(dir, folders.names[i], &ids[count]);
		if (count == 0 || (count < ARRAY_LEN(ids) && i + 1 < folders.count))
			continue;
		result = publication_find_known(publisher->db, ids, count, &arena, &known, error);
		unknown += count - known.count;
		pages += count;
		count = 0;
	}
	*lost = unknown == pages || gone_are_many(unknown, pages) ? unknown : 0;
	return result;
}
