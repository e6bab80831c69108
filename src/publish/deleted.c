#include "publish/deleted.h"

#include "publish/page_state.h"
#include "store/publication.h"

/* The page's note is removed last: without it nothing is left. */
static bool is_left(const struct pages_dir *dir, int64_t page_id, struct arena *arena)
{
	return pages_dir_has_folder(dir, PAGES_STATE, page_state_folder(page_id, arena));
}

/* The lock of all pages is taken at once: the addresses are removed. */
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
		/* One page must not keep the others public. */
		result = removed;
		*last_failure = error;
	}
	return result;
}
