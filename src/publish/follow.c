#include "publish/follow.h"

#include <stdlib.h>

#include "base/log.h"
#include "publish/disk_check.h"
#include "publish/page_state.h"
#include "store/publication.h"

enum { LOOK_EACH_S = 30, LAG_TOLD_AFTER_S = 60 };

struct followed {
	int64_t id;
	int64_t epoch; /* of the page on the disk */
	int64_t revision;
	struct instant due;	      /* when the clock makes its files wrong */
	bool is_whole;		      /* and its files are there, all of that revision */
	bool has_failed;	      /* and that was told */
	struct instant lagging_since; /* the database has an older revision; 0: it has not */
};

struct round {
	struct follower *follower;
	struct publisher publisher; /* its arena is for one list at a time */
	bool is_looking;	    /* at the disk, instead of trusting to what it had before */
	bool is_behind;
	struct pages_dir dir;
	struct followed *pages;
	size_t count;
	size_t room;
	size_t old; /* the first page of the round before that is not looked at yet */
};

void follower_init(struct follower *follower, const struct publisher *publisher,
		   publish_progress *progress, void *context)
{
	*follower = (struct follower){ .publisher = *publisher,
				       .progress = progress,
				       .context = context };
	follower->publisher.is_follower = true;
}

void follower_done(struct follower *follower)
{
	free(follower->pages);
	follower->pages = NULL;
	follower->count = 0;
}

static void tell(const struct round *round, struct followed *page, const char *slug,
		 const struct error *failure)
{
	const struct follower *follower = round->follower;
	if (follower->progress && !(failure && page->has_failed))
		follower->progress(follower->context, slug, failure);
	page->has_failed = failure != NULL;
}

/* What the disk has of the page; nothing, if that cannot be read. */
static void look(const struct round *round, struct followed *page)
{
	struct arena arena CLEANUP(arena_done);
	struct page_state state;
	struct error ignored = { 0 };
	arena_init(&arena, round->publisher.arena->cap_bytes);
	if (page_state_read(&round->dir, page->id, &arena, &state, &ignored) != OK)
		state = (struct page_state){ 0 };
	page->epoch = state.epoch;
	page->revision = state.revision;
	page->due = state.due;
	page->is_whole = state.is_whole && page_state_is_there(&round->dir, &state);
}

/* Brings the page to what the row says; without a row to whatever it is now, gone perhaps. */
static enum result bring(struct round *round, struct followed *page, const struct publication *row)
{
	struct arena arena CLEANUP(arena_done);
	struct publisher publisher = round->publisher;
	struct publish_order order = { .page_id = page->id,
				       .epoch = row ? row->epoch : 0,
				       .revision = row ? row->revision : 0 };
	struct error failure = { 0 };
	arena_init(&arena, publisher.arena->cap_bytes);
	publisher.arena = &arena;
	enum result result = publish_page(&publisher, &order, &failure);
	if (result == E_UNAVAILABLE)
		return result;
	tell(round, page, row ? row->slug : "(removed)", result == OK ? NULL : &failure);
	round->is_behind |= result != OK;
	if (result == OK)
		look(round, page);
	return OK;
}

static void keep(struct round *round, const struct followed *page)
{
	/* As many as there are pages: an arena's cap would end the process. */
	if (round->count == round->room) {
		round->room = round->room > 0 ? 2 * round->room : PUBLICATION_LIST_MAX;
		round->pages = reallocarray(round->pages, round->room, sizeof(*round->pages));
		if (!round->pages)
			die("publish: out of memory");
	}
	round->pages[round->count++] = *page;
}

/* What the disk had of the page in the round before; what it has, when that is to be seen. */
static struct followed recall(struct round *round, int64_t id)
{
	struct follower *follower = round->follower;
	struct followed page = { .id = id };
	bool is_known = round->old < follower->count && follower->pages[round->old].id == id;
	if (is_known)
		page = follower->pages[round->old++];
	if (!is_known || round->is_looking)
		look(round, &page);
	return page;
}

/* The pages of the round before that come in front of this one, and are gone. */
static enum result forget_before(struct round *round, int64_t id)
{
	struct follower *follower = round->follower;
	for (; round->old < follower->count && follower->pages[round->old].id < id; round->old++) {
		struct followed page = follower->pages[round->old];
		enum result result = bring(round, &page, NULL);
		if (result != OK)
			return result;
		if (page.has_failed)
			keep(round, &page);
	}
	return OK;
}

/* Below 0: the disk is older than the row; 0: the same; above: newer. */
static int compare(const struct followed *page, const struct publication *row)
{
	const struct page_state state = { .epoch = page->epoch, .revision = page->revision };
	return page_state_compare(&state, row->epoch, row->revision);
}

/* A replica that lags catches up soon; commits that are lost never come. */
static void wait_for_database(struct round *round, struct followed *page,
			      const struct publication *row)
{
	struct error lag = { 0 };
	struct instant now = round->publisher.now;
	if (page->lagging_since.s == 0)
		page->lagging_since = now;
	if (now.s < page->lagging_since.s + LAG_TOLD_AFTER_S)
		return;
	round->is_behind = true;
	if (page->has_failed)
		return;
	error_client(&lag, E_FAILED,
		     "this disk has revision %lld and the database an older one, %lld: it lags, or "
		     "it has lost changes; see `publish --new-epoch` in daymarkctl(1)",
		     (long long)page->revision, (long long)row->revision);
	tell(round, page, row->slug, &lag);
}

static bool is_due(const struct round *round, const struct followed *page)
{
	const struct page_state state = { .due = page->due };
	return page_state_is_due(&state, round->publisher.now);
}

static enum result look_at(struct round *round, const struct publication *row)
{
	enum result result = forget_before(round, row->id);
	if (result != OK)
		return result;
	struct followed page = recall(round, row->id);
	int order = compare(&page, row);
	if (order < 0 || !page.is_whole || (order == 0 && is_due(round, &page)))
		result = bring(round, &page, row);
	if (result == OK && compare(&page, row) > 0) {
		wait_for_database(round, &page, row);
	} else if (page.lagging_since.s > 0) {
		page.lagging_since = (struct instant){ 0 };
		page.has_failed = false;
	}
	if (result == OK)
		keep(round, &page);
	return result;
}

static enum result look_at_all(struct round *round, struct error *error)
{
	struct publication_query query = { .is_all = true, .now = round->publisher.now };
	struct publication_list list = { 0 };
	int64_t after_id = 0;
	enum result result;
	do {
		arena_reset(round->publisher.arena);
		result = publication_list(round->publisher.db, &query, after_id,
					  round->publisher.arena, &list, error);
		for (size_t i = 0; result == OK && i < list.count; i++) {
			after_id = list.rows[i].id;
			result = look_at(round, &list.rows[i]);
		}
	} while (result == OK && list.count > 0);
	return result == OK ? forget_before(round, INT64_MAX) : result;
}

static void round_close(struct round *round)
{
	pages_dir_close(&round->dir);
	free(round->pages);
}

/* For whoever asks whether this disk has everything. */
static void report(const struct round *round)
{
	struct follower *follower = round->follower;
	struct instant now = round->publisher.now;
	if (!round->is_behind)
		follower->behind_since = (struct instant){ 0 };
	else if (follower->behind_since.s == 0)
		follower->behind_since = now;
	disk_report_write(&round->dir, &(struct disk_report){ now, follower->behind_since });
}

enum result follower_round(struct follower *follower, struct instant now, struct error *error)
{
	struct round round CLEANUP(round_close) = {
		.follower = follower,
		.publisher = follower->publisher,
		.is_looking = now.s >= follower->looked_at.s + LOOK_EACH_S ||
			      now.s < follower->looked_at.s,
	};
	struct publish_run run = { 0 };
	struct arena arena CLEANUP(arena_done);
	arena_init(&arena, follower->publisher.arena->cap_bytes);
	round.publisher.arena = &arena;
	round.publisher.now = now;
	enum result result = pages_dir_open(&round.dir, round.publisher.path, error);
	if (result == OK)
		result = look_at_all(&round, error);
	if (result == OK && !follower->is_begun)
		result = publish_sweep(&round.publisher, &run, error);
	if (result != OK)
		return result;
	follower->is_begun = true;
	free(follower->pages);
	follower->pages = round.pages;
	follower->count = round.count;
	round.pages = NULL;
	if (round.is_looking)
		follower->looked_at = now;
	report(&round);
	return OK;
}
