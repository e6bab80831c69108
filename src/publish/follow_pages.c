#include "publish/follow_pages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/sorted.h"

enum {
	COMPARE_EACH_MS = 600000,
	/*
	 * A change becomes visible at COMMIT, but has the time of its UPDATE, so it may appear
	 * after a change with a later time. Most transactions end within this time: a statement
	 * waits four seconds for a lock, and a request repeats its transaction for some seconds.
	 * The comparison of all pages finds the changes of longer transactions.
	 */
	OVERLAP_S = 30,
};

void followed_pages_done(struct followed_pages *pages)
{
	free(pages->rows);
	pages->rows = NULL;
	pages->count = pages->room = 0;
}

static void set_row(struct followed *page, int64_t epoch, int64_t revision, const char *slug)
{
	page->is_deleted = false;
	page->epoch = epoch;
	page->revision = revision;
	snprintf(page->slug, sizeof(page->slug), "%s", slug);
}

/* Makes room for one more row. The rows are not in an arena, because an arena that has no room ends
 * the process. */
static void make_room(struct followed_pages *pages)
{
	pages->rows =
		memory_grow(pages->rows, &pages->room, pages->count + 1, sizeof(*pages->rows));
}

static void apply_change(struct followed_pages *pages, const struct publication_changed *row)
{
	size_t at = SORTED_PLACE(struct followed, id, pages->rows, pages->count, row->id);
	bool is_known = at < pages->count && pages->rows[at].id == row->id;
	if (row->is_deleted) {
		if (is_known)
			pages->rows[at].is_deleted = true;
		return;
	}
	if (!is_known) {
		make_room(pages);
		/* Moves few rows, because new pages have the highest ids. */
		memmove(&pages->rows[at + 1], &pages->rows[at],
			(pages->count - at) * sizeof(*pages->rows));
		pages->count++;
		pages->rows[at] = (struct followed){ .id = row->id };
	}
	set_row(&pages->rows[at], row->epoch, row->revision, row->slug);
}

static enum result read_changes(struct followed_pages *pages, struct db *db, struct arena *arena,
				struct error *error)
{
	struct publication_place after = { pages->window.closed, INT64_MAX };
	struct publication_change_list list = { 0 };
	enum result result;
	do {
		arena_reset(arena);
		result = publication_changes(db, &after, arena, &list, error);
		for (size_t i = 0; result == OK && i < list.count; i++) {
			apply_change(pages, &list.rows[i]);
			after = (struct publication_place){ list.rows[i].changed_at,
							    list.rows[i].id };
		}
	} while (result == OK && list.count == PUBLICATION_LIST_MAX);
	return result;
}

/* Merges the former list and the rows of all pages into a new list. */
struct merge {
	const struct followed_pages *former;
	size_t next; /* the first page of the former list that is not merged yet */
	struct followed_pages made;
};

static void merge_close(struct merge *merge)
{
	followed_pages_done(&merge->made);
}

static struct followed *add_page(struct followed_pages *pages, const struct followed *page)
{
	make_room(pages);
	pages->rows[pages->count] = *page;
	return &pages->rows[pages->count++];
}

/* Adds the former pages with ids below `id`, marked as deleted: the database does not have them any
 * more. */
static void merge_deleted(struct merge *merge, int64_t id)
{
	const struct followed_pages *former = merge->former;
	for (; merge->next < former->count && former->rows[merge->next].id < id; merge->next++)
		add_page(&merge->made, &former->rows[merge->next])->is_deleted = true;
}

static void merge_row(struct merge *merge, const struct publication *row)
{
	const struct followed_pages *former = merge->former;
	struct followed page = { .id = row->id };
	merge_deleted(merge, row->id);
	if (merge->next < former->count && former->rows[merge->next].id == row->id)
		page = former->rows[merge->next++];
	set_row(&page, row->epoch, row->revision, row->slug);
	add_page(&merge->made, &page);
}

static enum result read_all(struct followed_pages *pages, struct db *db, struct arena *arena,
			    struct error *error)
{
	struct publication_query query = { .is_all = true };
	struct publication_list list = { 0 };
	struct merge merge CLEANUP(merge_close) = { .former = pages };
	int64_t after_id = 0;
	do {
		arena_reset(arena);
		enum result result = publication_list(db, &query, after_id, arena, &list, error);
		if (result != OK)
			return result;
		for (size_t i = 0; i < list.count; i++) {
			after_id = list.rows[i].id;
			merge_row(&merge, &list.rows[i]);
		}
	} while (list.count == PUBLICATION_LIST_MAX);
	merge_deleted(&merge, INT64_MAX);
	free(pages->rows);
	pages->rows = merge.made.rows;
	pages->count = merge.made.count;
	pages->room = merge.made.room;
	merge.made.rows = NULL;
	return OK;
}

void follow_window_open(struct follow_window *window, struct instant newest, int64_t now_ms)
{
	*window = (struct follow_window){
		.closed.s = newest.s > OVERLAP_S ? newest.s - OVERLAP_S : 1,
		.newest = newest,
		.mark = newest,
		.marked_ms = now_ms,
	};
}

void follow_window_move(struct follow_window *window, struct instant newest, int64_t now_ms)
{
	if (newest.s > window->newest.s)
		window->newest = newest;
	if (window->newest.s - OVERLAP_S > window->closed.s)
		window->closed.s = window->newest.s - OVERLAP_S;
	/* Wait a second more than OVERLAP_S, because the times have no fraction of a second. */
	if (now_ms < window->marked_ms + (OVERLAP_S + 1) * 1000)
		return;
	if (window->mark.s > window->closed.s)
		window->closed = window->mark;
	window->mark = window->newest;
	window->marked_ms = now_ms;
}

/* Returns the time of the newest change, or the present if that time is in the future: a machine's
 * clock may be ahead. A window that begins in the future would miss the next changes. */
static struct instant newest_change(const struct publication_feed *feed)
{
	return feed->latest_change.s < feed->now.s ? feed->latest_change : feed->now;
}

static bool is_comparison_due(const struct followed_pages *pages,
			      const struct publication_feed *feed)
{
	return pages->compared_ms == 0 || feed->epoch != pages->epoch ||
	       newest_change(feed).s < pages->window.newest.s ||
	       clock_ms() >= pages->compared_ms + COMPARE_EACH_MS;
}

enum result followed_pages_read(struct followed_pages *pages, struct db *db, struct arena *arena,
				struct error *error)
{
	struct publication_feed feed;
	/* Read the newest time before the rows, so that the next round reads any change made in
	 * between. */
	enum result result = publication_feed(db, arena, &feed, error);
	if (result != OK)
		return result;
	if (is_comparison_due(pages, &feed)) {
		result = read_all(pages, db, arena, error);
		if (result != OK)
			return result;
		pages->epoch = feed.epoch;
		pages->compared_ms = clock_ms();
		follow_window_open(&pages->window, newest_change(&feed), clock_ms());
		return OK;
	}
	if (feed.latest_change.s > pages->window.closed.s)
		result = read_changes(pages, db, arena, error);
	if (result == OK)
		follow_window_move(&pages->window, newest_change(&feed), clock_ms());
	return result;
}
