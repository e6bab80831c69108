#include "publish/follow.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "publish/folder/disk_check.h"
#include "publish/follow_pages.h"
#include "publish/page/page_state.h"

enum { LAG_REPORTED_AFTER_S = 60 };

struct round {
	struct follower *follower;
	struct publisher publisher; /* its arena has the memory for a list of pages */
	struct pages_dir dir;
	bool is_behind;
	bool is_cut;
};

void follower_init(struct follower *follower, const struct publisher *publisher,
		   publish_progress *progress, void *context)
{
	*follower = (struct follower){ .publisher = *publisher,
				       .progress = progress,
				       .context = context };
	follower->publisher.is_follower = true;
	follower->pages = calloc(1, sizeof(*follower->pages));
	if (!follower->pages)
		die("publish: out of memory");
}

void follower_done(struct follower *follower)
{
	if (follower->pages)
		followed_pages_done(follower->pages);
	free(follower->pages);
	follower->pages = NULL;
}

static void report_page(const struct round *round, struct followed *page, const char *slug,
			const struct error *failure)
{
	const struct follower *follower = round->follower;
	if (follower->progress && !(failure && page->has_failed))
		follower->progress(follower->context, slug, failure);
	page->has_failed = failure != NULL;
}

/* Reads the page's note on the disk. A note that cannot be read counts as missing. */
static void read_disk(const struct round *round, struct followed *page)
{
	struct arena arena CLEANUP(arena_done);
	struct page_state state;
	struct error ignored = { 0 };
	arena_init(&arena, round->publisher.arena->cap_bytes);
	if (page_state_read(&round->dir, page->id, &arena, &state, &ignored) != OK)
		state = (struct page_state){ 0 };
	page->disk_epoch = state.epoch;
	page->disk_revision = state.revision;
	page->due = state.due;
	page->is_whole = state.is_whole && page_state_is_there(&round->dir, &state);
	page->is_disk_read = true;
}

static enum result publish_followed(struct round *round, struct followed *page, struct error *error)
{
	struct arena arena CLEANUP(arena_done);
	struct publisher publisher = round->publisher;
	struct publish_order order = { .page_id = page->id };
	struct error failure = { 0 };
	if (!page->is_deleted) {
		order.epoch = page->epoch;
		order.revision = page->revision;
	}
	arena_init(&arena, publisher.arena->cap_bytes);
	publisher.arena = &arena;
	enum result result = publish_page(&publisher, &order, &failure);
	if (result == E_UNAVAILABLE) {
		*error = failure;
		return result;
	}
	/* If the folder was emptied or replaced during the round, the page has not failed: the next
	 * round opens the new folder. */
	if (result != OK && !pages_dir_is_current(&round->dir, publisher.path)) {
		round->follower->looked_at = (struct instant){ 0 };
		round->is_cut = true;
		return OK;
	}
	report_page(round, page, page->is_deleted ? "(removed)" : page->slug,
		    result == OK ? NULL : &failure);
	round->is_behind |= result != OK;
	if (result == OK)
		read_disk(round, page);
	return OK;
}

/* Returns < 0 if the disk is older than the database, 0 if both are equal, > 0 if the disk is
 * newer. */
static int compare_revisions(const struct followed *page)
{
	const struct page_state state = { .epoch = page->disk_epoch,
					  .revision = page->disk_revision };
	return page_state_compare(&state, page->epoch, page->revision);
}

/* Handles a page whose database row is older than the disk. Waits a minute for a replica to catch
 * up, then reports the page: the database may have lost commits for good. */
static void wait_for_database(struct round *round, struct followed *page)
{
	struct error lag = { 0 };
	struct instant now = round->publisher.now;
	if (page->lagging_since.s == 0)
		page->lagging_since = now;
	if (now.s < page->lagging_since.s + LAG_REPORTED_AFTER_S)
		return;
	round->is_behind = true;
	if (page->has_failed)
		return;
	error_client(&lag, E_FAILED,
		     "this disk has revision %lld and the database an older one, %lld: the "
		     "database lags, or has lost changes; see `publish --new-epoch` in "
		     "daymarkctl(1)",
		     (long long)page->disk_revision, (long long)page->revision);
	report_page(round, page, page->slug, &lag);
}

static bool is_due(const struct round *round, const struct followed *page)
{
	const struct page_state state = { .due = page->due };
	return page_state_is_due(&state, round->publisher.now);
}

static enum result bring_page(struct round *round, struct followed *page, struct error *error)
{
	enum result result = OK;
	if (page->is_deleted)
		return publish_followed(round, page, error);
	int order = compare_revisions(page);
	if (order < 0 || !page->is_whole || (order == 0 && is_due(round, page)))
		result = publish_followed(round, page, error);
	if (result == OK && compare_revisions(page) > 0) {
		wait_for_database(round, page);
	} else if (page->lagging_since.s > 0) {
		page->lagging_since = (struct instant){ 0 };
		page->has_failed = false;
	}
	return result;
}

static enum result bring_pages(struct round *round, struct error *error)
{
	const struct follower *follower = round->follower;
	struct followed_pages *pages = follower->pages;
	enum result result = OK;
	size_t kept = 0, i = 0;
	for (; result == OK && i < pages->count; i++) {
		struct followed *page = &pages->rows[i];
		round->is_cut |= follower->goes_on && !follower->goes_on(follower->context);
		if (round->is_cut)
			break;
		if (!page->is_disk_read)
			read_disk(round, page);
		result = bring_page(round, page, error);
		if (result != OK || !page->is_deleted || page->has_failed)
			pages->rows[kept++] = *page;
	}
	memmove(&pages->rows[kept], &pages->rows[i], (pages->count - i) * sizeof(*pages->rows));
	pages->count -= i - kept;
	return result;
}

/* Makes the follower read the notes again every check_disk_s seconds: the disk may have lost
 * files. */
static void distrust_disk(const struct round *round)
{
	struct follower *follower = round->follower;
	struct instant now = round->publisher.now;
	if (now.s >= follower->looked_at.s &&
	    now.s < follower->looked_at.s + follower->check_disk_s)
		return;
	for (size_t i = 0; i < follower->pages->count; i++)
		follower->pages->rows[i].is_disk_read = false;
	follower->looked_at = now;
}

static void round_close(struct round *round)
{
	pages_dir_close(&round->dir);
}

/* Writes the report for /readyz: whether this disk has all pages. */
static void write_report(const struct round *round)
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
	};
	struct publish_run sweep = { .goes_on = follower->goes_on, .context = follower->context };
	struct arena arena CLEANUP(arena_done);
	arena_init(&arena, follower->publisher.arena->cap_bytes);
	round.publisher.arena = &arena;
	round.publisher.now = now;
	enum result result = pages_dir_open(&round.dir, round.publisher.path, error);
	if (result == OK)
		result = followed_pages_read(follower->pages, round.publisher.db, &arena, error);
	if (result != OK)
		return result;
	distrust_disk(&round);
	result = bring_pages(&round, error);
	if (result == OK && !round.is_cut && !follower->is_begun)
		result = publish_sweep(&round.publisher, &sweep, error);
	/* If the database has lost pages, do not sweep in each round: a person must decide about
	 * them. */
	follower->is_begun |= result == E_FAILED && sweep.lost > 0;
	if (result != OK || round.is_cut || sweep.is_cut)
		return result;
	follower->is_begun = true;
	write_report(&round);
	return OK;
}
