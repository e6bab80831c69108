/* Writes all files of a page to the disk from its snapshot. */
#ifndef PUBLISH_PAGE_PAGE_WRITER_H
#define PUBLISH_PAGE_PAGE_WRITER_H

#include "publish/page/page_output.h"
#include "publish/page/page_state.h"
#include "publish/publish.h"
#include "store/snapshot/page_content.h"

/*
 * Writes pages in steps: page_writing_open() for each page, page_writings_sync() for all pages,
 * page_writing_commit() for each page. The caller has locked all these pages. `state` is the page's
 * note on the disk. The new note is written last. One statement reads the months of history that
 * the disk lacks. Another statement reads the pictures that are neither on the disk nor in
 * order->at_hand. These functions do not mark the pages as published.
 */
struct page_writing {
	const struct publisher *publisher;
	const struct publish_order *order;
	bool is_grouped; /* one call syncs the whole file system; otherwise each file is synced
			    separately */

	/* Private. */
	const struct pages_dir *dir;
	const struct page_content *content;
	struct page_snapshot *snapshot;
	bool removes_replaced; /* do not keep replaced files, because the visitors who may see the
				  page have changed */
	bool is_new_address;   /* the page had no files at this address before */
	struct page_state after;
	struct page_output output;
	struct page_note note;
};
#define PAGE_WRITING(its_publisher, its_order) \
	((struct page_writing){ .publisher = (its_publisher), \
				.order = (its_order), \
				.output.batch.folder_fd = -1, \
				.note = PAGE_NOTE_CLOSED })

/* Sets the members of the snapshot that rendering needs and the database does not have, such as the
 * URL. page_writing_open() calls this function. */
void page_writing_prepare(const struct publisher *publisher, struct page_snapshot *snapshot,
			  struct arena *arena);
/*
 * Writes the page's files under temporary names. Removes files that visitors must not see any
 * more.
 */
enum result page_writing_open(struct page_writing *writing, const struct pages_dir *dir,
			      struct page_content *content, const struct page_state *state,
			      struct error *error) MUST_USE;
/* Waits until the files of the pages are on the disk. If the pages are grouped, one call syncs the
 * whole file system, including writes of other programs. */
enum result page_writings_sync(struct page_writing *const *writings, size_t count,
			       struct error *error) MUST_USE;
/* Renames the page's files into place. */
enum result page_writing_commit(struct page_writing *writing, struct error *error) MUST_USE;
void page_writing_close(struct page_writing *writing);

/* Adds the files of months and of incidents; reads the months whose files the disk lacks. */
enum result page_months_put(struct page_writing *writing, struct error *error) MUST_USE;
/* Adds the files of reports. Only page_months_put() calls this function. `frame` is the digest of
 * the content that the files of all months share. */
enum result page_reports_put(struct page_writing *writing, const char *frame, struct error *error)
	MUST_USE;

/*
 * Adds the page's pictures and its preview to the output: from the disk, from the caller, or from
 * the database. Sets the sizes of the pictures in the snapshot. The page's note has the size of a
 * picture in place of a digest: a digest is not needed, because the name of a picture contains the
 * hash of its content.
 */
enum result page_pictures_put(struct page_writing *writing, struct error *error) MUST_USE;

/*
 * Returns the result for a page that could not be read or written. Changes the refusal of a
 * statement, for example because of a time limit, into a failure of this page. Otherwise the
 * refusal would be understood as a refusal of all writes.
 */
enum result page_failure(enum result result);

/*
 * Hides a page that is not public and could not be written. Removes the page from all public
 * places. Removes it from the private place, too, if the access file there does not have the
 * present privacy or password of the page. The caller holds the page's lock.
 */
void page_hide(const struct pages_dir *dir, const struct status_page *page, struct arena *arena);

#endif
