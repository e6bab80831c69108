/* The files of received pages: for mirror/receive/receive.c. */
#ifndef MIRROR_RECEIVE_RECEIVED_PAGE_H
#define MIRROR_RECEIVE_RECEIVED_PAGE_H

#include "base/buf.h"
#include "mirror/page_copy.h"
#include "mirror/receive/plan.h"
#include "mirror/receive/incoming.h"
#include "publish/page/page_state.h"

/* A page of a manifest, and the same page on the disk. */
struct received_page {
	const struct receiver *receiver;
	const struct page_copy *copy;
	struct page_address address;
	struct page_state state;
	int folder_fd; /* the page's present folder; -1: the disk does not have the page */
};

/* Returns the state of the file with this name and content in the page's folder. NULL: the file is
 * missing, or was changed. */
const struct file_state *received_page_in_place(const struct received_page *arrival,
						const struct page_copy_file *file);
/* Appends the hashes of the files that the mirror lacks. Does not check the content of the files
 * that the mirror has: received_page_plan_file() does. E_PRECONDITION_FAILED: files are missing. */
enum result received_page_find_missing(const struct received_page *arrival, struct buf *missing)
	MUST_USE;
/* Whether the mirror already has exactly this version of the page. */
bool received_page_is_current(const struct received_page *arrival);
/*
 * Adds a file to the plan. If the file is not in place yet, writes it under a temporary name.
 * Returns E_PRECONDITION_FAILED if the file's content is damaged: the file then counts as missing.
 * Returns E_INVALID if the file is an access record that is not valid for the page.
 */
enum result received_page_plan_file(const struct received_page *arrival,
				    const struct page_copy_file *file, struct plan_file *planned,
				    struct buf *missing, struct error *error) MUST_USE;

#endif
