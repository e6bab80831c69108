/* Removes folders that belong to no page. A crash or a restore of older data may leave such
 * folders. */
#include "base/clock.h"
#include "base/file_lock.h"
#include "publish/deleted.h"
#include "publish/folder/disk_check.h"
#include "publish/folder/former_address.h"
#include "publish/folder/former_list.h"
#include "publish/page/page_state.h"
#include "publish/publish.h"
#include "store/page/former_address.h"
#include "store/page/publication.h"

struct sweep {
	const struct publisher *publisher;
	struct publish_run *run;
	struct pages_dir dir;
	enum pages_place place;
	bool has_judged; /* judge() has set run->lost */
};

/* The memory for the names of the folders of a place. A name takes about 100 bytes. */
#define FOLDERS_MAX_BYTES ((size_t)1 << 30)

enum {
	FORMER_ARENA_BYTES = 4 << 20,
	FORMER_REMOVALS_MAX = 1000, /* how many former addresses of a place one run removes */
};

static void sweep_close(struct sweep *sweep)
{
	pages_dir_close(&sweep->dir);
}

/* Returns whether the sweep may go on. If not, the run must end, and must not remove folders that
 * were not compared with all pages. */
static bool goes_on(const struct sweep *sweep)
{
	struct publish_run *run = sweep->run;
	run->is_cut = run->is_cut || (run->goes_on && !run->goes_on(run->context));
	return !run->is_cut;
}

/* Returns the time until which the sweep may wait for the next lock. */
static int64_t wait_until(const struct publish_run *run, int64_t now_ms)
{
	int64_t left_ms = run->patience_ms - run->waited_ms;
	return run->patience_ms == 0 ? FILE_LOCK_FOREVER : now_ms + (left_ms > 0 ? left_ms : 0);
}

static enum result lock_all(const struct sweep *sweep, struct pages_lock *lock, struct error *error)
{
	int64_t began_ms = clock_ms();
	enum result result = pages_dir_lock_all_until(&sweep->dir, wait_until(sweep->run, began_ms),
						      lock, error);
	sweep->run->waited_ms += clock_ms() - began_ms;
	return result;
}

/* Returns the name of the page's folder in sweep->place; NULL: the page has no folder in it. */
static const char *folder_of(const struct sweep *sweep, const struct publication *page,
			     struct arena *arena)
{
	if (sweep->place == PAGES_STATE)
		return page_state_folder(page->id, arena);
	if (!pages_place_is_by_domain(sweep->place))
		return page->slug;
	return site_shows(sweep->publisher->site, page->domain) ? page->domain : NULL;
}

/* Publishes the page if it has a note, but page_state_is_current() is false: a publisher has died,
 * or the database has lost newer changes. */
static enum result mend_page(const struct sweep *sweep, const struct publication *row,
			     struct error *error)
{
	struct arena arena CLEANUP(arena_done);
	struct publisher publisher = *sweep->publisher;
	struct page_state state;
	arena_init(&arena, publisher.arena->cap_bytes);
	publisher.arena = &arena;
	enum result result = page_state_read(&sweep->dir, row->id, &arena, &state, error);
	if (result == OK && (!state.is_known || page_state_is_current(&sweep->dir, &state, row,
								      publisher.now, &arena)))
		return OK;
	if (result == OK)
		result = publish_page(&publisher, &(struct publish_order){ .page_id = row->id },
				      error);
	sweep->run->published += result == OK;
	sweep->run->failed += result != OK;
	if (sweep->run->progress)
		sweep->run->progress(sweep->run->context, row->slug, result == OK ? NULL : error);
	return publish_ends(sweep->run, result) ? result : OK;
}

/* Whether the sweep publishes a page whose note differs from the row. A follower compares revisions
 * itself. If is_all, the run has already published all pages. Pages with unpublished changes are
 * published without the sweep. */
static bool is_mending(const struct sweep *sweep, const struct publication *row)
{
	return !sweep->publisher->is_follower && !sweep->run->is_all &&
	       row->unpublished_since.s == 0;
}

struct known {
	struct pages_names *folders; /* sorted */
	bool *is_known;
};

/* Marks the folders of the pages in the list as known. Publishes pages whose note on the disk
 * differs from the row in the database. */
static enum result mark_known(const struct sweep *sweep, const struct publication_list *list,
			      const struct known *known, struct arena *arena, struct error *error)
{
	const struct pages_names *folders = known->folders;
	enum result result = OK;
	for (size_t i = 0; result == OK && i < list->count && goes_on(sweep); i++) {
		const struct publication *row = &list->rows[i];
		const char *folder = folder_of(sweep, row, arena);
		const char **found = folder ? pages_names_find(folders, folder) : NULL;
		if (!found)
			continue;
		known->is_known[found - folders->names] = true;
		if (sweep->place == PAGES_STATE && is_mending(sweep, row))
			result = mend_page(sweep, row, error);
	}
	return result;
}

/* Removes from the list the folders that belong to pages. */
static enum result drop_known(const struct sweep *sweep, struct pages_names *folders,
			      struct arena *arena, struct error *error)
{
	struct arena list_arena CLEANUP(arena_done);
	struct publication_query query = { .is_all = true, .now = sweep->publisher->now };
	struct publication_list list = { 0 };
	struct known known = { folders, ARENA_ARRAY(arena, folders->count, bool) };
	int64_t after_id = 0;
	size_t left = 0;
	arena_init(&list_arena, PUBLICATION_LIST_MAX_BYTES);
	if (folders->count == 0)
		return OK;
	pages_names_sort(folders);
	do {
		arena_reset(&list_arena);
		enum result result = publication_list(sweep->publisher->db, &query, after_id,
						      &list_arena, &list, error);
		if (result == OK)
			result = mark_known(sweep, &list, &known, &list_arena, error);
		if (result != OK)
			return result;
		if (list.count > 0)
			after_id = list.rows[list.count - 1].id;
	} while (list.count > 0 && !sweep->run->is_cut);
	for (size_t i = 0; !sweep->run->is_cut && i < folders->count; i++)
		if (!known.is_known[i])
			folders->names[left++] = folders->names[i];
	folders->count = left;
	return OK;
}

/* Removes the files of a deleted page, by its note. Removes the note last: the request that deleted
 * the page may still need the note to find out which files to remove. */
static enum result remove_page(const struct sweep *sweep, const char *id, struct error *error)
{
	struct arena arena CLEANUP(arena_done);
	struct publisher publisher = *sweep->publisher;
	struct publish_order order = { .has_moved = true };
	arena_init(&arena, publisher.arena->cap_bytes);
	publisher.arena = &arena;
	struct page_state state = { 0 };
	enum result result = OK;
	int64_t began_ms = clock_ms();
	if (sweep->run->patience_ms > 0)
		publisher.until_ms = wait_until(sweep->run, began_ms);
	if (str_to_int64(str_from(id), &order.page_id))
		result = page_state_read(&sweep->dir, order.page_id, &arena, &state, error);
	/* Without a readable note, remove only the folder of the note: all other places were swept
	 * before. */
	if (result == OK && state.is_known) {
		result = publish_page(&publisher, &order, error);
	} else if (result == OK) {
		if (order.page_id > 0)
			result = publish_note_gone(&publisher, &sweep->dir, order.page_id, error);
		if (result == OK)
			result = pages_dir_remove(&sweep->dir, PAGES_STATE, id, error);
	}
	sweep->run->waited_ms += clock_ms() - began_ms;
	sweep->run->removed += result == OK;
	return result;
}

/* Removes the folder. Does nothing if its name has become the slug or domain of a page since the
 * comparison. */
static enum result remove_one(const struct sweep *sweep, const char *folder, struct arena *arena,
			      struct error *error)
{
	struct pages_lock lock CLEANUP(pages_dir_unlock) = { -1, -1 };
	struct publication_taken taken = { 0 };
	enum result result = lock_all(sweep, &lock, error);
	if (result == OK)
		result = publication_taken(sweep->publisher->db, folder, folder, arena, &taken,
					   error);
	taken.is_domain_taken &= site_shows(sweep->publisher->site, folder);
	if (result != OK ||
	    (pages_place_is_by_domain(sweep->place) ? taken.is_domain_taken : taken.is_slug_taken))
		return result;
	result = pages_dir_remove(&sweep->dir, sweep->place, folder, error);
	sweep->run->removed += result == OK;
	return result;
}

static bool is_of_former(enum pages_place place)
{
	return place == PAGES_FORMER || place == PAGES_FORMER_HOST;
}

/* Sets is_known[i] if names[i] is a former address in the database. */
static enum result find_former(const struct sweep *sweep, const char **names, size_t count,
			       bool *is_known, struct error *error)
{
	const struct pages_names part = { .names = names, .count = count };
	struct arena arena CLEANUP(arena_done);
	struct db_list list;
	arena_init(&arena, FORMER_ARENA_BYTES);
	enum result result = former_addresses_find(sweep->publisher->db,
						   sweep->place == PAGES_FORMER ? "slug" : "domain",
						   names, count, &arena, &list, error);
	for (size_t i = 0; i < count; i++)
		is_known[i] = false;
	for (size_t i = 0; result == OK && i < list.count; i++) {
		const char *name = ((const struct former_address_row *)list.rows)[i].name;
		const char **found = pages_names_find(&part, name);
		if (found)
			is_known[found - names] = true;
	}
	return result;
}

/* Removes from the list the names that are former addresses in the database. */
static enum result drop_former(const struct sweep *sweep, struct pages_names *folders,
			       struct error *error)
{
	bool is_known[FORMER_ADDRESS_NAMES_MAX];
	size_t left = 0, count;
	enum result result = OK;
	pages_names_sort(folders);
	for (size_t at = 0; result == OK && at < folders->count && goes_on(sweep); at += count) {
		count = folders->count - at;
		if (count > FORMER_ADDRESS_NAMES_MAX)
			count = FORMER_ADDRESS_NAMES_MAX;
		result = find_former(sweep, folders->names + at, count, is_known, error);
		for (size_t i = 0; result == OK && i < count; i++)
			if (!is_known[i])
				folders->names[left++] = folders->names[at + i];
	}
	/* The rest of a long list waits for the next run. */
	folders->count = left < FORMER_REMOVALS_MAX ? left : FORMER_REMOVALS_MAX;
	return result;
}

/*
 * Removes the file of a former address, unless the database has the address by now. Locks all pages
 * before it asks the database, so that no publisher writes the file between the question and the
 * removal. A publisher writes such a file only after the database has the address.
 */
static enum result remove_former(const struct sweep *sweep, const char *name, struct error *error)
{
	struct pages_lock lock CLEANUP(pages_dir_unlock) = { -1, -1 };
	bool is_known = true;
	enum result result = lock_all(sweep, &lock, error);
	if (result == OK)
		result = find_former(sweep, &name, 1, &is_known, error);
	if (result != OK || is_known)
		return result;
	result = pages_dir_remove(&sweep->dir, sweep->place, name, error);
	sweep->run->removed += result == OK;
	return result;
}

static enum result remove_left_over(const struct sweep *sweep, const char *name,
				    struct arena *arena, struct error *error)
{
	if (is_of_former(sweep->place))
		return remove_former(sweep, name, error);
	return sweep->place == PAGES_STATE ? remove_page(sweep, name, error)
					   : remove_one(sweep, name, arena, error);
}

static enum result sweep_new(const struct sweep *sweep, struct error *error)
{
	struct pages_lock lock CLEANUP(pages_dir_unlock) = { -1, -1 };
	enum result result = lock_all(sweep, &lock, error);
	return result == OK ? pages_dir_forget_new(&sweep->dir, error) : result;
}

/* Decides before the first removal whether pages may be removed. If the database is empty or an
 * older copy, no page of this disk may be removed until a person publishes all pages. */
static enum result judge(struct sweep *sweep, struct pages_names *folders, struct error *error)
{
	enum result result = OK;
	if (folders->count == 0 || sweep->run->is_all)
		return OK;
	if (!sweep->has_judged)
		result = publish_find_lost(sweep->publisher, &sweep->dir, &sweep->run->lost, error);
	sweep->has_judged = result == OK;
	if (sweep->run->lost > 0)
		folders->count = 0;
	return result;
}

static enum result sweep_place(struct sweep *sweep, struct error *error)
{
	struct arena arena CLEANUP(arena_done);
	struct pages_names folders;
	arena_init(&arena, FOLDERS_MAX_BYTES);
	enum result result = pages_dir_folders(&sweep->dir, sweep->place, &arena, &folders, error);
	if (result == OK)
		result = is_of_former(sweep->place) ? drop_former(sweep, &folders, error)
						    : drop_known(sweep, &folders, &arena, error);
	if (result == OK)
		result = judge(sweep, &folders, error);
	for (size_t i = 0; result == OK && i < folders.count && goes_on(sweep); i++) {
		result = remove_left_over(sweep, folders.names[i], &arena, error);
		sweep->run->failed += result == E_FAILED;
		if (result == E_FAILED)
			result = OK;
	}
	return result;
}

enum result publish_sweep(const struct publisher *publisher, struct publish_run *run,
			  struct error *error)
{
	struct sweep sweep CLEANUP(sweep_close) = { .publisher = publisher, .run = run };
	enum result result = pages_dir_open(&sweep.dir, publisher->path, error);
	if (result == OK)
		result = former_lists_forget(&sweep.dir, error);
	for (size_t i = 0; result == OK && i < PAGES_PLACES && goes_on(&sweep); i++) {
		sweep.place = (enum pages_place)i;
		result = sweep_place(&sweep, error);
	}
	/* Make the next disk_check() compare again: the last report is older than the removals. */
	disk_report_expire(&sweep.dir);
	if (result == OK && goes_on(&sweep))
		result = sweep_new(&sweep, error);
	if (result == OK && run->lost > 0)
		return error_log(
			error, E_FAILED,
			"pages: the database does not know %zu pages of this disk: is this "
			"the right database? The pages stay; `daymarkctl publish --all` "
			"removes them",
			run->lost);
	if (result != E_TOO_SLOW)
		return result;
	run->is_cut = run->is_crowded = true;
	return OK;
}
