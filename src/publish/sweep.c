/* Folders that no page has: what a crash, or a restore of older data, has left behind. */
#include <stdlib.h>
#include <string.h>

#include "domain/uptime.h"
#include "publish/disk_check.h"
#include "publish/page_state.h"
#include "publish/publish.h"
#include "store/publication.h"

struct sweep {
	const struct publisher *publisher;
	struct publish_run *run;
	struct pages_dir dir;
	enum pages_place place;
};

static void sweep_close(struct sweep *sweep)
{
	pages_dir_close(&sweep->dir);
}

/* What a page's folder in that place is called; NULL: it has none there. */
static const char *folder_of(const struct sweep *sweep, const struct publication *page,
			     struct arena *arena)
{
	if (sweep->place == PAGES_STATE)
		return arena_printf(arena, "%lld", (long long)page->id);
	if (!pages_place_is_by_domain(sweep->place))
		return page->slug;
	return site_shows(sweep->publisher->site, page->domain) ? page->domain : NULL;
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/*
 * Publishes a page whose files are of another version than its row, by its note: a publisher
 * has died, or the database had newer changes once.
 */
static enum result mend(const struct sweep *sweep, const struct publication *row,
			struct error *error)
{
	struct arena arena CLEANUP(arena_done);
	struct publisher publisher = *sweep->publisher;
	struct page_state state;
	arena_init(&arena, publisher.arena->cap_bytes);
	publisher.arena = &arena;
	enum result result = page_state_read(&sweep->dir, row->id, &arena, &state, error);
	if (result == OK && (!state.is_known ||
			     page_state_is_current(&sweep->dir, &state, row,
						   uptime_midnight(publisher.now))))
		return OK;
	if (result == OK)
		result = publish_page(&publisher, &(struct publish_order){ .page_id = row->id },
				      error);
	sweep->run->published += result == OK;
	sweep->run->failed += result != OK;
	if (sweep->run->progress)
		sweep->run->progress(sweep->run->context, row->slug, result == OK ? NULL : error);
	return result == E_UNAVAILABLE ? result : OK;
}

/* A follower does that itself, and what is due was tried just before. */
static bool is_mending(const struct sweep *sweep, const struct publication *row)
{
	return !sweep->publisher->is_follower && !sweep->run->is_all &&
	       row->unpublished_since.s == 0;
}

/* Takes from the folders those that pages have; what stays is left over. */
static enum result drop_known(const struct sweep *sweep, struct pages_names *folders,
			      struct arena *arena, struct error *error)
{
	struct publication_query query = { .is_all = true, .now = sweep->publisher->now };
	struct publication_list list = { 0 };
	int64_t after_id = 0;
	size_t left = 0;
	if (folders->count == 0)
		return OK;
	qsort(folders->names, folders->count, sizeof(*folders->names), compare);
	bool *is_known = ARENA_ARRAY(arena, folders->count, bool);
	do {
		enum result result = publication_list(sweep->publisher->db, &query, after_id, arena,
						      &list, error);
		if (result != OK)
			return result;
		for (size_t i = 0; i < list.count; i++) {
			const char *folder = folder_of(sweep, &list.rows[i], arena);
			const char **found = folder ? bsearch(&folder, folders->names,
							      folders->count,
							      sizeof(*folders->names), compare)
						    : NULL;
			after_id = list.rows[i].id;
			if (!found)
				continue;
			is_known[found - folders->names] = true;
			if (sweep->place == PAGES_STATE && is_mending(sweep, &list.rows[i]))
				result = mend(sweep, &list.rows[i], error);
			if (result != OK)
				return result;
		}
	} while (list.count > 0);
	for (size_t i = 0; i < folders->count; i++)
		if (!is_known[i])
			folders->names[left++] = folders->names[i];
	folders->count = left;
	return OK;
}

/*
 * What the disk has of a page that is gone, by its state. The state alone must not go:
 * whoever deleted the page may be about to look there for what it has to take away.
 */
static enum result remove_page(const struct sweep *sweep, const char *id, struct error *error)
{
	struct arena arena CLEANUP(arena_done);
	struct publisher publisher = *sweep->publisher;
	struct publish_order order = { .has_moved = true };
	arena_init(&arena, publisher.arena->cap_bytes);
	publisher.arena = &arena;
	struct page_state state = { 0 };
	enum result result = OK;
	if (str_to_int64(str_from(id), &order.page_id))
		result = page_state_read(&sweep->dir, order.page_id, &arena, &state, error);
	/* Without a note that says where the page was, all other places are swept already. */
	if (result == OK)
		result = state.is_known ? publish_page(&publisher, &order, error)
					: pages_dir_remove(&sweep->dir, PAGES_STATE, id, error);
	sweep->run->removed += result == OK;
	return result;
}

/* Removes one, unless a page has taken it meanwhile. */
static enum result remove_one(const struct sweep *sweep, const char *folder, struct arena *arena,
			      struct error *error)
{
	struct pages_lock lock CLEANUP(pages_dir_unlock) = { -1, -1 };
	struct publication_taken taken = { 0 };
	enum result result = pages_dir_lock_all(&sweep->dir, &lock, error);
	if (result == OK)
		result = publication_taken(sweep->publisher->db, folder, folder, arena, &taken,
					   error);
	taken.is_domain_taken &= site_shows(sweep->publisher->site, folder);
	if (result != OK || (pages_place_is_by_domain(sweep->place) ? taken.is_domain_taken
								    : taken.is_slug_taken))
		return result;
	result = pages_dir_remove(&sweep->dir, sweep->place, folder, error);
	sweep->run->removed += result == OK;
	return result;
}

static enum result sweep_new(const struct sweep *sweep, struct error *error)
{
	struct pages_lock lock CLEANUP(pages_dir_unlock) = { -1, -1 };
	enum result result = pages_dir_lock_all(&sweep->dir, &lock, error);
	return result == OK ? pages_dir_forget_new(&sweep->dir, error) : result;
}

static enum result sweep_place(const struct sweep *sweep, struct error *error)
{
	struct arena arena CLEANUP(arena_done);
	struct pages_names folders;
	arena_init(&arena, sweep->publisher->arena->cap_bytes);
	enum result result = pages_dir_folders(&sweep->dir, sweep->place, &arena, &folders, error);
	if (result == OK)
		result = drop_known(sweep, &folders, &arena, error);
	for (size_t i = 0; result == OK && i < folders.count; i++) {
		result = sweep->place == PAGES_STATE
				 ? remove_page(sweep, folders.names[i], error)
				 : remove_one(sweep, folders.names[i], &arena, error);
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
	for (size_t i = 0; result == OK && i < PAGES_PLACES; i++) {
		sweep.place = (enum pages_place)i;
		result = sweep_place(&sweep, error);
	}
	/* What it was compared with is not true any more. */
	disk_report_forget(&sweep.dir);
	return result == OK ? sweep_new(&sweep, error) : result;
}
