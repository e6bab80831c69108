/* The steps of publishing one page; only for publish.c and group.c. */
#ifndef PUBLISH_PAGE_PAGE_JOB_H
#define PUBLISH_PAGE_PAGE_JOB_H

#include "publish/page/page_state.h"
#include "publish/page/page_writer.h"
#include "publish/publish.h"
#include "store/snapshot/page_content.h"

struct page_job {
	const struct publisher *publisher; /* its arena owns the page's rows */
	const struct publish_order *order;
	const struct pages_dir *dir;
	struct pages_lock lock;
	struct page_state state;
	struct page_content content;
	struct publication_version wanted; /* revision 0: not known */
	bool has_waited; /* the job has waited for another publisher of this page */
	bool is_done;	 /* the disk has the wanted revision, so the job need not write the page */
	int64_t began_us;
};

/* Starts the job. `order` has the wanted revision. */
void page_job_start(struct page_job *job, const struct publisher *publisher,
		    const struct publish_order *order, const struct pages_dir *dir);
/* Reads the note. Sets is_done if the disk has the wanted revision. If the disk has a newer
 * revision, executes one statement. */
enum result page_job_compare(struct page_job *job, struct error *error) MUST_USE;
/* Copies the page's content into the job. */
void page_job_take(struct page_job *job, const struct page_content *content);
/*
 * Whether the job needs the lock of all pages. It does if the page has given up an address, or has
 * an address whose folder may belong to another page. The publisher of the other page may have read
 * it before it was deleted or moved, and may still be writing there.
 */
bool page_job_needs_all(const struct page_job *job);
/*
 * Write the page's files in three steps: page_job_open() for each page, page_writings_sync() for
 * all opened pages together, page_job_commit() for each page. `result` is the page's result of the
 * first two steps. Even if the page cannot be written, files that visitors must not see any more
 * are removed.
 */
enum result page_job_open(struct page_job *job, struct page_writing *writing, bool is_grouped,
			  struct error *error) MUST_USE;
enum result page_job_commit(struct page_job *job, struct page_writing *writing, enum result result,
			    struct error *error) MUST_USE;
/* Publishes one page: locks, reads, writes, and marks it. */
enum result page_job_run(struct page_job *job, struct error *error) MUST_USE;
/* Whether the page must be marked as published after the job; page_job_mark() returns the mark. */
bool page_job_marks(const struct page_job *job);
struct publication_mark page_job_mark(const struct page_job *job);
/* Adds a mark to publisher->rest. */
void publish_mark_later(const struct publisher *publisher, struct publication_mark mark);

#endif
