#include "publish/follow.h"

#include "domain/uptime.h"
#include "publish/page_state.h"
#include "store/publication.h"

struct followed {
	int64_t id;
	int64_t revision; /* that the disk has */
	struct instant day;
	bool has_failed; /* and that was told */
};

struct round {
	struct follower *follower;
	struct publisher publisher; /* for lists, and what lives as long as the round */
	struct instant day;
	struct pages_dir dir;
	struct followed *pages;
	size_t count;
	size_t room;
	size_t old; /* the first page of the round before that is not looked at yet */
};

void follower_init(struct follower *follower, const struct publisher *publisher,
		   publish_progress *progress, void *context)
{
	*follower = (struct follower){ .publisher = *publisher, .progress = progress,
				       .context = context };
	for (int i = 0; i < 2; i++)
		arena_init(&follower->arenas[i], publisher->arena->cap_bytes);
}

void follower_done(struct follower *follower)
{
	for (int i = 0; i < 2; i++)
		arena_done(&follower->arenas[i]);
}

static void tell(const struct round *round, struct followed *page, const char *slug,
		 const struct error *failure)
{
	const struct follower *follower = round->follower;
	if (follower->progress && !(failure && page->has_failed))
		follower->progress(follower->context, slug, failure);
	page->has_failed = failure != NULL;
}

/* Brings the page to that revision (0: whatever it is now, gone perhaps). */
static enum result bring(const struct round *round, struct followed *page, int64_t revision,
			 const char *slug)
{
	struct arena arena CLEANUP(arena_done);
	struct publisher publisher = round->publisher;
	struct error failure = { 0 };
	arena_init(&arena, publisher.arena->cap_bytes);
	publisher.arena = &arena;
	enum result result = publish_page(
		&publisher, &(struct publish_order){ .page_id = page->id, .revision = revision },
		&failure);
	if (result == E_UNAVAILABLE)
		return result;
	tell(round, page, slug, result == OK ? NULL : &failure);
	if (result == OK) {
		page->revision = revision;
		page->day = round->day;
	}
	return OK;
}

static void keep(struct round *round, const struct followed *page)
{
	round->pages = arena_grow(round->publisher.arena, round->pages, round->count, &round->room,
				  sizeof(*round->pages));
	round->pages[round->count++] = *page;
}

/* What the disk had of the page in the round before, or before the first. */
static struct followed recall(struct round *round, int64_t id)
{
	struct follower *follower = round->follower;
	struct page_state state;
	if (round->old < follower->count && follower->pages[round->old].id == id)
		return follower->pages[round->old++];
	page_state_read(&round->dir, id, round->publisher.arena, &state);
	return (struct followed){ .id = id, .revision = state.revision, .day = state.day };
}

/* The pages of the round before that come in front of this one, and are gone. */
static enum result forget_before(struct round *round, int64_t id)
{
	struct follower *follower = round->follower;
	for (; round->old < follower->count && follower->pages[round->old].id < id; round->old++) {
		struct followed page = follower->pages[round->old];
		enum result result = bring(round, &page, 0, "(removed)");
		if (result != OK)
			return result;
		if (page.has_failed)
			keep(round, &page);
	}
	return OK;
}

static enum result look_at(struct round *round, const struct publication *row)
{
	enum result result = forget_before(round, row->id);
	if (result != OK)
		return result;
	struct followed page = recall(round, row->id);
	if (page.revision != row->revision || page.day.s != round->day.s)
		result = bring(round, &page, row->revision, row->slug);
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
}

enum result follower_round(struct follower *follower, struct instant now, struct error *error)
{
	struct round round CLEANUP(round_close) = {
		.follower = follower,
		.publisher = follower->publisher,
		.day = uptime_midnight(now),
	};
	struct publish_run run = { 0 };
	struct arena *arena = &follower->arenas[1 - follower->round];
	arena_reset(arena);
	round.publisher.arena = arena;
	round.publisher.now = now;
	enum result result = pages_dir_open(&round.dir, round.publisher.path, error);
	if (result == OK)
		result = look_at_all(&round, error);
	if (result == OK && !follower->is_begun)
		result = publish_sweep(&round.publisher, &run, error);
	if (result != OK)
		return result;
	follower->is_begun = true;
	follower->pages = round.pages;
	follower->count = round.count;
	follower->round = 1 - follower->round;
	return OK;
}
