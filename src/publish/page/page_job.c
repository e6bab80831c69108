#include "publish/page/page_job.h"

#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file_lock.h"
#include "base/metrics.h"
#include "publish/deleted.h"
#include "publish/journal.h"
#include "publish/page/page_address.h"

void page_job_start(struct page_job *job, const struct publisher *publisher,
		    const struct publish_order *order, const struct pages_dir *dir)
{
	*job = (struct page_job){
		.publisher = publisher,
		.order = order,
		.dir = dir,
		.lock = { -1, -1 },
		.wanted = { order->epoch, order->revision },
		.began_us = clock_us(),
	};
}

void page_job_take(struct page_job *job, const struct page_content *content)
{
	job->content = *content;
	/* Drop a domain that is a host name of this installation: the web server would otherwise
	 * show the page there. */
	if (!site_shows(job->publisher->site, job->content.view.page.domain))
		job->content.view.page.domain = NULL;
}

/* Reads the page from the database. The caller has read the note before, under the lock. */
static enum result read_page(struct page_job *job, struct error *error)
{
	const struct publisher *publisher = job->publisher;
	const struct page_content_query query = { &job->order->page_id, 1, publisher->now,
						  publisher->until_ms };
	struct page_content_list list = { 0 };
	enum result result = page_failure(
		page_content_read(publisher->db, &query, publisher->arena, &list, error));
	if (list.count > 0)
		page_job_take(job, list.rows);
	return result;
}

/* Whether the page's note has a slug that the page does not have any more. */
static bool has_left_slug(const struct page_job *job)
{
	return job->state.is_known &&
	       (!job->content.is_found || !str_same(job->state.slug, job->content.view.page.slug));
}

static bool has_left_domain(const struct page_job *job)
{
	return job->state.domain && (!job->content.is_found ||
				     !str_same(job->state.domain, job->content.view.page.domain));
}

/* Whether the note has a slug or domain that the page does not have any more, or the page is
 * deleted. */
static bool has_left(const struct page_job *job)
{
	return has_left_slug(job) || has_left_domain(job);
}

/* Whether the disk has a folder for this slug or domain. */
static bool is_used(const struct pages_dir *dir, const char *folder, bool is_domain)
{
	for (enum pages_place place = 0; place < PAGES_STATE; place++)
		if (pages_place_is_by_domain(place) == is_domain &&
		    pages_dir_has_folder(dir, place, folder))
			return true;
	return false;
}

/* Whether the page has a new slug or domain whose folder exists: it may be of another page, whose
 * publisher may still be writing there. */
static bool has_taken_over(const struct page_job *job)
{
	const struct status_page *page = &job->content.view.page;
	if (!job->content.is_found)
		return false;
	return (!job->state.is_known && is_used(job->dir, page->slug, false)) ||
	       (page->domain && !str_same(job->state.domain, page->domain) &&
		is_used(job->dir, page->domain, true));
}

bool page_job_needs_all(const struct page_job *job)
{
	return has_left(job) || has_taken_over(job);
}

/* Finds out which addresses in the page's note belong to other pages now. The caller has locked all
 * pages: a page that takes such an address later can only be published after this job. */
static enum result find_taken(const struct page_job *job, struct publication_taken *taken,
			      struct error *error)
{
	*taken = (struct publication_taken){ 0 };
	if (!has_left(job))
		return OK;
	enum result result = page_failure(publication_taken(job->publisher->db, job->state.slug,
							    job->state.domain,
							    job->publisher->arena, taken, error));
	taken->is_domain_taken &= site_shows(job->publisher->site, job->state.domain);
	return result;
}

/*
 * Removes the note after all files were removed. Until then, the sweep repeats a removal that a
 * crash has interrupted. Mirrors remove the page because the list of gone.h names it, not because
 * the note is missing.
 */
static enum result remove_note(const struct page_job *job, struct error *error)
{
	int64_t page_id = job->order->page_id;
	struct arena *arena = job->publisher->arena;
	if (job->state.is_broken)
		return error_log(error, E_FAILED, "publish: the note of page %lld is damaged",
				 (long long)page_id);
	enum result result = page_state_unfinish(job->dir, page_id, arena, error);
	if (result == OK)
		result = publish_note_gone(job->publisher, job->dir, page_id, error);
	journal_add(job->dir, page_id);
	return result == OK ? page_state_remove(job->dir, page_id, arena, error) : result;
}

/* Removes addresses that were given up, unless another page has taken them. */
static enum result remove_left(const struct page_job *job, struct error *error)
{
	struct publication_taken taken;
	enum result result = find_taken(job, &taken, error);
	if (result == OK && has_left_slug(job) && !taken.is_slug_taken)
		result = page_address_remove(job->dir, job->state.slug, false, error);
	if (result == OK && has_left_domain(job) && !taken.is_domain_taken)
		result = page_address_remove(job->dir, job->state.domain, true, error);
	return result == OK && !job->content.is_found ? remove_note(job, error) : result;
}

/*
 * Sets is_done if the disk has the wanted revision. A newer revision also suffices for a follower,
 * and for a job that has waited for the page's publisher. For other jobs the database must know the
 * newer revision: a database that has lost changes may assign their revisions again to other
 * changes.
 */
static enum result find_done(struct page_job *job, struct error *error)
{
	const struct publication_version *wanted = &job->wanted;
	int order = page_state_compare(&job->state, wanted->epoch, wanted->revision);
	bool is_known = order == 0 || job->has_waited || job->publisher->is_follower;
	job->is_done = false;
	if (wanted->revision == 0 || !job->state.is_whole || order < 0 ||
	    page_state_is_due(&job->state, job->publisher->now) ||
	    !page_state_is_there(job->dir, &job->state))
		return OK;
	struct publication_version newest = { 0 };
	enum result result =
		is_known ? OK
			 : page_failure(publication_version(job->publisher->db, job->order->page_id,
							    job->publisher->arena, &newest, error));
	job->is_done = is_known || (result == OK && page_state_compare(&job->state, newest.epoch,
								       newest.revision) <= 0);
	return result == E_NOT_FOUND ? OK : result;
}

/* Needs no lock: while a publisher replaces files of the page, the note has the name
 * PAGE_STATE_UNFINISHED. */
enum result page_job_compare(struct page_job *job, struct error *error)
{
	enum result result = page_state_read(job->dir, job->order->page_id, job->publisher->arena,
					     &job->state, error);
	job->is_done = false;
	return result == OK ? find_done(job, error) : result;
}

/* If the job may join another publisher, sets job->wanted to the present revision of the page. A
 * publisher that begins after this writes at least this revision, so the job need not write it. */
static enum result find_wanted(struct page_job *job, struct error *error)
{
	if (job->wanted.revision > 0 || !job->order->joins)
		return OK;
	enum result result = publication_version(job->publisher->db, job->order->page_id,
						 job->publisher->arena, &job->wanted, error);
	return result == E_NOT_FOUND ? OK : page_failure(result);
}

/* Returns the time until which the job may wait for locks. */
static int64_t wait_until(const struct page_job *job)
{
	int64_t until_ms = job->publisher->until_ms;
	return until_ms > 0 ? until_ms : FILE_LOCK_FOREVER;
}

static enum result lock_all(struct page_job *job, struct error *error)
{
	return pages_dir_lock_all_until(job->dir, wait_until(job), &job->lock, error);
}

/* Waits up to GATHER_MAX_US before this job publishes a busy page, so that more writers can commit,
 * and the job publishes all their changes. */
static void gather_writers(int64_t waited_us)
{
	enum { GATHER_MAX_US = 5000 };
	int64_t us = waited_us / 2;
	usleep((useconds_t)(us < GATHER_MAX_US ? us : GATHER_MAX_US));
}

/* Locks the page, or waits for other publishers until the disk has the wanted revision. If many
 * callers wait for a publisher, the first of them to get the lock publishes for all. */
static enum result lock_or_join(struct page_job *job, struct error *error)
{
	enum { JOINS_MAX = 8 };
	int64_t page_id = job->order->page_id, began_us = clock_us();
	for (int i = 0; i < JOINS_MAX; i++) {
		bool is_free;
		enum result result =
			pages_dir_try_page(job->dir, page_id, &job->lock, &is_free, error);
		if (result == OK && is_free && job->has_waited)
			gather_writers(clock_us() - began_us);
		if (result != OK || is_free)
			return result;
		result = find_wanted(job, error);
		if (job->publisher->pause)
			job->publisher->pause(job->publisher->context);
		if (result == OK)
			result = pages_dir_await_page(job->dir, page_id, wait_until(job), error);
		job->has_waited = true;
		if (result == OK)
			result = page_job_compare(job, error);
		if (result != OK || job->is_done)
			return result;
	}
	return pages_dir_lock_page_until(job->dir, page_id, wait_until(job), &job->lock, error);
}

/* Whether a follower would replace the page by an older revision. */
static bool would_go_back(const struct page_job *job)
{
	return job->publisher->is_follower && job->content.is_found &&
	       page_state_compare(&job->state, job->content.epoch,
				  job->content.view.page.revision) > 0 &&
	       page_state_is_there(job->dir, &job->state);
}

static enum result end_write(const struct page_job *job, enum result result)
{
	const struct publisher *publisher = job->publisher;
	if (result == OK && publisher->written)
		++*publisher->written;
	metrics_add(METRIC_PAGES, METRIC_LABELS(result == OK ? METRIC_OK : METRIC_FAILED), 1);
	metrics_observe(METRIC_PUBLISH_TIME, METRIC_UNLABELLED, clock_us() - job->began_us);
	if (result != OK)
		page_hide(job->dir, &job->content.view.page, publisher->arena);
	/* Add the page to the journal even after a failure: files may have been removed. */
	journal_add(job->dir, job->order->page_id);
	return result;
}

enum result page_job_open(struct page_job *job, struct page_writing *writing, bool is_grouped,
			  struct error *error)
{
	*writing = PAGE_WRITING(job->publisher, job->order);
	writing->is_grouped = is_grouped;
	if (would_go_back(job))
		return OK;
	return page_failure(
		page_writing_open(writing, job->dir, &job->content, &job->state, error));
}

enum result page_job_commit(struct page_job *job, struct page_writing *writing, enum result result,
			    struct error *error)
{
	bool is_open = writing->dir != NULL;
	if (result == OK && is_open)
		result = page_failure(page_writing_commit(writing, error));
	page_writing_close(writing);
	return is_open ? end_write(job, result) : result;
}

/*
 * Makes the files on the disk equal to the content that was read; `result` is the result of
 * reading. Even if the page cannot be read or written, removes the files that visitors must not
 * see any more.
 */
static enum result write_page(struct page_job *job, enum result result, struct error *error)
{
	const struct page_content *content = &job->content;
	struct page_writing writing;
	struct page_writing *const writings[] = { &writing };
	struct error failure = { 0 };
	if (!content->is_row_read || would_go_back(job))
		return result;
	enum result removed = OK;
	if (!content->is_found || has_left(job))
		removed = remove_left(job, &failure);
	if (result == OK && removed != OK) {
		*error = failure;
		result = removed;
	}
	if (!content->is_found)
		return result;
	if (result != OK)
		return end_write(job, result);
	result = page_job_open(job, &writing, false, error);
	if (result == OK)
		result = page_failure(page_writings_sync(writings, 1, error));
	return page_job_commit(job, &writing, result, error);
}

/* Brings the page's files up to date. The caller has locked the page, or all pages. */
static enum result publish_locked(struct page_job *job, struct error *error)
{
	enum result result = read_page(job, error);
	if (job->content.is_row_read && !job->order->has_moved && page_job_needs_all(job)) {
		pages_dir_unlock(&job->lock);
		result = lock_all(job, error);
		if (result != OK)
			return result;
		/* Empty the arena, because reading the page again may need all of it. */
		arena_reset(job->publisher->arena);
		result = page_state_read(job->dir, job->order->page_id, job->publisher->arena,
					 &job->state, error);
		if (result == OK)
			result = read_page(job, error);
	}
	return write_page(job, result, error);
}

bool page_job_marks(const struct page_job *job)
{
	return job->content.is_found && !job->publisher->is_follower;
}

struct publication_mark page_job_mark(const struct page_job *job)
{
	const struct page_snapshot *view = &job->content.view;
	return (struct publication_mark){ view->page.id, view->page.revision,
					  page_snapshot_due(view) };
}

/* Marks the page as published. Unlocks the page first: a transaction that changes the page may lock
 * its row for long. */
static enum result mark_published(struct page_job *job, struct error *error)
{
	pages_dir_unlock(&job->lock);
	if (!page_job_marks(job))
		return OK;
	struct publication_mark mark = page_job_mark(job);
	if (!job->publisher->rest)
		return publication_mark_all_published(job->publisher->db, &mark, 1,
						      job->publisher->arena, error);
	publish_mark_later(job->publisher, mark);
	return OK;
}

enum result page_job_run(struct page_job *job, struct error *error)
{
	/* Addresses that the page gave up (has_moved) can be removed only if all pages are
	 * locked. */
	enum result result = job->order->has_moved ? lock_all(job, error)
						   : lock_or_join(job, error);
	if (result == OK && !job->is_done)
		result = page_job_compare(job, error);
	if (result != OK || job->is_done)
		return result;
	result = publish_locked(job, error);
	return result == OK ? mark_published(job, error) : result;
}
