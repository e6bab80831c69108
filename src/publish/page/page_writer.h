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
	bool removes_replaced; /* keep no replaced files: other visitors may now see the page */
	bool is_new_address;   /* the former note has another address, or there is no former note */
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

/* Adds the files of months and incidents. If files of a month are missing on the disk, reads the
 * month from the database. */
enum result page_months_put(struct page_writing *writing, struct error *error) MUST_USE;
/* Adds the files of reports. Only page_months_put() calls this function. `frame` is the digest of
 * the content that the files of all months share. */
enum result page_reports_put(struct page_writing *writing, const char *frame, struct error *error)
	MUST_USE;

/*
 * Adds the page's pictures and its preview to the output: from the disk, from order->at_hand, or
 * from the database. Sets the sizes of the pictures in the snapshot. The name of a picture has the
 * hash of its content, so the note needs no digest for it, and has its size in the same field.
 */
enum result page_pictures_put(struct page_writing *writing, struct error *error) MUST_USE;

/*
 * Returns the result for a page that could not be read or written. Converts the refusal of a
 * statement (because of a time limit, say) to E_FAILED: callers understand a refusal to mean that
 * the database accepts no writes.
 */
enum result page_failure(enum result result);

/*
 * Hides a page that is not public and could not be written. Removes its files from all public
 * places. Also removes them from the private place, unless the access record there is as strict as
 * the page's present privacy and password. The caller has locked the page.
 */
void page_hide(const struct pages_dir *dir, const struct status_page *page, struct arena *arena);

#endif
