#include "publish/folder/files_check.h"

#include "base/clock.h"
#include "publish/page/page_state.h"

enum { PAGE_ARENA_MAX_BYTES = 16 << 20 };

/* Sets *is_sound if the files are those that the note lists. A folder without a note is sound, too:
 * its page is being made or removed. */
static enum result check_files(const struct pages_dir *dir, int64_t page_id, struct arena *arena,
			       struct page_state *state, bool *is_sound, struct error *error)
{
	enum result result = page_state_read(dir, page_id, arena, state, error);
	bool has_note = state->is_known || state->is_broken;
	*is_sound = result == OK &&
		    (!has_note || (state->is_whole && page_state_is_intact(dir, state, arena)));
	return result;
}

/* Checks a page. If it is not sound, checks again with the page's lock: a publisher may have
 * replaced files during the first check. */
static enum result check_page(const struct pages_dir *dir, int64_t page_id, struct arena *arena,
			      struct page_state *state, bool *is_sound, struct error *error)
{
	struct pages_lock lock CLEANUP(pages_dir_unlock) = { -1, -1 };
	bool is_free;
	enum result result = check_files(dir, page_id, arena, state, is_sound, error);
	if (result != OK || *is_sound)
		return result;
	result = pages_dir_try_page(dir, page_id, &lock, &is_free, error);
	if (result != OK || !is_free) {
		*is_sound = true;
		return result;
	}
	return check_files(dir, page_id, arena, state, is_sound, error);
}

static enum result check_folder(const struct pages_dir *dir, const char *folder,
				struct files_check *check, struct arena *arena, struct error *error)
{
	struct arena own CLEANUP(arena_done);
	struct page_state state;
	int64_t page_id;
	bool is_sound;
	arena_init(&own, PAGE_ARENA_MAX_BYTES);
	if (!str_to_int64(str_from(folder), &page_id))
		return OK;
	enum result result = check_page(dir, page_id, &own, &state, &is_sound, error);
	if (result != OK)
		return result;
	check->checked++;
	check->damaged += !is_sound;
	if (!is_sound && !check->first)
		check->first = arena_strdup(arena, state.is_known ? state.slug : folder);
	return OK;
}

enum result files_check(const struct pages_dir *dir, struct files_check *check, struct arena *arena,
			struct error *error)
{
	struct pages_names folders = { 0 };
	enum result result = pages_dir_folders(dir, PAGES_STATE, arena, &folders, error);
	*check = (struct files_check){ .pages_max = check->pages_max, .page_count = folders.count };
	bool is_part = folders.count > check->pages_max;
	size_t count = is_part ? check->pages_max : folders.count;
	size_t first = is_part ? (size_t)clock_now().s % folders.count : 0;
	for (size_t i = 0; result == OK && i < count; i++)
		result = check_folder(dir, folders.names[(first + i) % folders.count], check, arena,
				      error);
	return result;
}
