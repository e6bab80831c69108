#include "publish/publish.h"

#include <string.h>

#include "base/clock.h"
#include "publish/page_state.h"
#include "publish/page_writer.h"
#include "store/page_content.h"
#include "store/publication.h"

/* A page that needs more fails alone; see arena_has_room(). */
#define PAGE_ARENA_MAX_BYTES ((size_t)256 << 20)

/* One page's publishing, under its lock. */
struct job {
	const struct publisher *publisher;
	const struct publish_order *order;
	struct pages_dir dir;
	struct pages_lock lock;
	struct page_state state;
	struct page_content content;
	struct publication_version wanted; /* revision 0: not known */
	bool is_done;			   /* another publisher has written the page */
};

static void job_close(struct job *job)
{
	pages_dir_unlock(&job->lock);
	pages_dir_close(&job->dir);
}

/* Reads the disk's note and the page again, now that the lock is held. */
static enum result read_both(struct job *job, struct error *error)
{
	const struct publisher *publisher = job->publisher;
	struct page_content_query query = { .page_id = job->order->page_id, .now = publisher->now };
	enum result result =
		page_state_read(&job->dir, query.page_id, publisher->arena, &job->state, error);
	if (result != OK)
		return result;
	query.slug = job->state.slug;
	query.domain = job->state.domain;
	result = page_failure(
		page_content_read(publisher->db, &query, publisher->arena, &job->content, error));
	/* The web server serves every file below a domain's folder, so nothing may be published
	 * there for a name of the installation. */
	if (!site_shows(publisher->site, job->content.view.page.domain))
		job->content.view.page.domain = NULL;
	job->content.is_domain_taken &= site_shows(publisher->site, query.domain);
	return result;
}

static bool is_same(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Whether the disk has the page under a slug that the page has given up. */
static bool has_left_slug(const struct job *job)
{
	return job->state.is_known &&
	       (!job->content.is_found || !is_same(job->state.slug, job->content.view.page.slug));
}

static bool has_left_domain(const struct job *job)
{
	return job->state.domain && (!job->content.is_found ||
				     !is_same(job->state.domain, job->content.view.page.domain));
}

static enum result remove_address(const struct pages_dir *dir, const char *folder, bool is_domain,
				  struct error *error)
{
	enum result result = OK;
	/* Go on after a failure: the page may be public in another place. */
	for (enum pages_place place = 0; place < PAGES_STATE; place++)
		if (pages_place_is_by_domain(place) == is_domain &&
		    pages_dir_remove(dir, place, folder, error) != OK)
			result = E_FAILED;
	return result;
}

/* Removes addresses that were given up, unless another page has taken them. */
static enum result remove_left(const struct job *job, struct error *error)
{
	enum result result = OK;
	if (has_left_slug(job) && !job->content.is_slug_taken)
		result = remove_address(&job->dir, job->state.slug, false, error);
	if (result == OK && has_left_domain(job) && !job->content.is_domain_taken)
		result = remove_address(&job->dir, job->state.domain, true, error);
	if (result == OK && !job->content.is_found && job->state.is_broken)
		return error_log(error, E_FAILED, "publish: the note of page %lld is damaged",
				 (long long)job->order->page_id);
	if (result == OK && !job->content.is_found)
		result = page_state_remove(&job->dir, job->order->page_id, job->publisher->arena,
					   error);
	return result;
}

/* Sets is_done if the disk has what is wanted. A whole note is enough, with or without the lock:
 * publishers rename the note before the first file, and back after the last. */
static enum result compare_disk(struct job *job, struct error *error)
{
	const struct publisher *publisher = job->publisher;
	const struct publication_version *wanted = &job->wanted;
	enum result result = page_state_read(&job->dir, job->order->page_id, publisher->arena,
					     &job->state, error);
	job->is_done = result == OK && wanted->revision > 0 && job->state.is_whole &&
		       page_state_compare(&job->state, wanted->epoch, wanted->revision) >= 0 &&
		       !page_state_is_due(&job->state, publisher->now) &&
		       page_state_is_there(&job->dir, &job->state);
	return result;
}

/* What a publisher must have read that makes this one unnecessary. */
static enum result find_wanted(struct job *job, struct error *error)
{
	if (job->wanted.revision > 0 || !job->order->joins)
		return OK;
	enum result result = publication_version(job->publisher->db, job->order->page_id,
						 job->publisher->arena, &job->wanted, error);
	return result == E_NOT_FOUND ? OK : page_failure(result);
}

/*
 * Locks the page, or waits for the publishers before this one until the disk has what is wanted:
 * of many callers that wait for a publisher the first to lock the page publishes for all.
 */
static enum result lock_or_join(struct job *job, struct error *error)
{
	enum { JOINS_MAX = 8 };
	int64_t page_id = job->order->page_id;
	for (int i = 0; i < JOINS_MAX; i++) {
		bool is_free;
		enum result result =
			pages_dir_try_page(&job->dir, page_id, &job->lock, &is_free, error);
		if (result != OK || is_free)
			return result;
		result = find_wanted(job, error);
		if (result == OK)
			result = pages_dir_await_page(&job->dir, page_id, error);
		if (result == OK)
			result = compare_disk(job, error);
		if (result != OK || job->is_done)
			return result;
	}
	return pages_dir_lock_page(&job->dir, page_id, &job->lock, error);
}

/* Whether a follower would replace the page by an older revision. */
static bool would_go_back(const struct job *job)
{
	return job->publisher->is_follower && job->content.is_found &&
	       page_state_compare(&job->state, job->content.epoch,
				  job->content.view.page.revision) > 0 &&
	       page_state_is_there(&job->dir, &job->state);
}

/*
 * Makes the files on the disk equal to what was read. If the page cannot be read or written, the
 * files that must not be seen any more are removed all the same.
 */
static enum result bring_disk(struct job *job, enum result result, struct error *error)
{
	const struct publisher *publisher = job->publisher;
	struct page_content *content = &job->content;
	struct error failure = { 0 };
	if (!content->is_row_read)
		return result;
	if (would_go_back(job))
		return result;
	enum result removed = OK;
	if (!content->is_found || has_left_slug(job) || has_left_domain(job))
		removed = remove_left(job, &failure);
	if (result == OK && removed != OK) {
		*error = failure;
		result = removed;
	}
	if (!content->is_found)
		return result;
	if (result == OK)
		result = page_write(publisher, &job->dir, content, &job->state, job->order, error);
	if (result == OK && publisher->written)
		++*publisher->written;
	if (result != OK)
		page_hide(&job->dir, &content->view.page, publisher->arena);
	return result;
}

/* Brings the disk up to date; the page, or everything, is locked. */
static enum result publish_locked(struct job *job, struct error *error)
{
	enum result result = read_both(job, error);
	if (job->content.is_row_read && !job->order->has_moved &&
	    (has_left_slug(job) || has_left_domain(job))) {
		pages_dir_unlock(&job->lock);
		result = pages_dir_lock_all(&job->dir, &job->lock, error);
		if (result != OK)
			return result;
		/* The second reading may use the whole arena again. */
		arena_reset(job->publisher->arena);
		result = read_both(job, error);
	}
	return bring_disk(job, result, error);
}

/* Without the lock: transactions that change the page may keep its row locked for long. */
static enum result mark_published(struct job *job, struct error *error)
{
	const struct page_content *content = &job->content;
	pages_dir_unlock(&job->lock);
	if (!content->is_found || job->publisher->is_follower)
		return OK;
	return publication_mark_published(job->publisher->db, &content->view.page,
					  page_snapshot_due(&content->view), error);
}

static enum result publish_with(const struct publisher *publisher,
				const struct publish_order *order, struct error *error)
{
	struct job job CLEANUP(job_close) = {
		.publisher = publisher,
		.order = order,
		.lock = { -1, -1 },
		.wanted = { order->epoch, order->revision },
	};
	enum result result = pages_dir_open(&job.dir, publisher->path, error);
	/* To remove folders, wait for every other publisher. */
	if (result == OK)
		result = order->has_moved ? pages_dir_lock_all(&job.dir, &job.lock, error)
					  : lock_or_join(&job, error);
	if (result == OK && !job.is_done)
		result = compare_disk(&job, error);
	if (result != OK || job.is_done)
		return result;
	result = publish_locked(&job, error);
	return result == OK ? mark_published(&job, error) : result;
}

enum result publish_page(const struct publisher *publisher, const struct publish_order *order,
			 struct error *error)
{
	struct arena arena CLEANUP(arena_done);
	struct publisher own = *publisher;
	arena_init(&arena, PAGE_ARENA_MAX_BYTES);
	own.arena = &arena;
	return publish_with(&own, order, error);
}

/* Whether the run may publish one more page; else sets is_cut. */
static bool may_go_on(struct publish_run *run)
{
	struct publish_allowance *allowance = run->allowance;
	if (!allowance)
		return true;
	if (allowance->pages > 0 && clock_ms() < allowance->until_ms) {
		allowance->pages--;
		return true;
	}
	run->is_cut = true;
	return false;
}

bool publish_ends(struct publish_run *run, enum result result)
{
	/* One row may be locked. If a second page is refused, too, the database takes no writes. */
	enum { REFUSALS_MAX = 2 };
	run->refusals = publish_is_refused(result) ? run->refusals + 1 : 0;
	return result == E_UNAVAILABLE || run->refusals == REFUSALS_MAX;
}

static enum result run_page(const struct publisher *publisher, struct publish_run *run,
			    const struct publication *row, struct error *error)
{
	struct publish_order order = { .page_id = row->id };
	struct error failure = { 0 };
	/* A writer of the page may have published this revision meanwhile. */
	if (!run->is_all && row->unpublished_since.s > 0) {
		order.epoch = row->epoch;
		order.revision = row->revision;
	}
	enum result result = publish_page(publisher, &order, &failure);
	run->published += result == OK;
	run->failed += result != OK;
	if (result != OK)
		*error = failure;
	if (run->progress)
		run->progress(run->context, row->slug, result == OK ? NULL : &failure);
	return publish_ends(run, result) ? result : OK;
}

static enum result run_pages(const struct publisher *publisher, struct publish_run *run,
			     struct error *error)
{
	struct arena arena CLEANUP(arena_done);
	struct publication_query query = { .is_all = run->is_all,
					   .monitor_ids = run->monitor_ids,
					   .monitor_count = run->monitor_count,
					   .account_id = run->account_id,
					   .now = publisher->now };
	struct publication_list list = { 0 };
	int64_t after_id = 0;
	enum result result;
	arena_init(&arena, PUBLICATION_LIST_MAX_BYTES);
	do {
		arena_reset(&arena);
		result = publication_list(publisher->db, &query, after_id, &arena, &list, error);
		for (size_t i = 0; result == OK && i < list.count && may_go_on(run); i++) {
			after_id = list.rows[i].id;
			result = run_page(publisher, run, &list.rows[i], error);
		}
	} while (result == OK && list.count == PUBLICATION_LIST_MAX && !run->is_cut);
	return result;
}

enum result publish_run(const struct publisher *publisher, struct publish_run *run,
			struct error *error)
{
	enum result result = OK;
	/* Before the pages: followers learn of deleted pages by their rows. */
	if (run->is_sweeping)
		result = publication_repair(publisher->db, publisher->now, error);
	if (result == OK)
		result = run_pages(publisher, run, error);
	if (result == OK && run->is_sweeping)
		result = publish_sweep(publisher, run, error);
	return result == OK && run->failed > 0 ? E_FAILED : result;
}
