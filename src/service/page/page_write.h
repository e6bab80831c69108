/*
 * The steps of writing a status page, from the input to the stored row. The operations in
 * service/page/status_pages.h write one page with them; service/configuration/ writes several
 * pages. The account is the principal's.
 */
#ifndef SERVICE_PAGE_PAGE_WRITE_H
#define SERVICE_PAGE_PAGE_WRITE_H

#include "service/page/page_domain.h"
#include "service/page/status_pages.h"
#include "store/page/status_page.h"

struct page_write {
	struct status_page_change *change;
	int64_t id; /* 0: a new page */
	const char *password_hash;
	struct page_domain domain;
	/* New files. A file without a name removes the stored file. */
	struct page_file files[STATUS_PAGE_PICTURES];
	size_t file_count;
	struct status_page *page; /* the page after the write */
};

/* Normalizes the input, and makes the checks that need neither the database nor DNS. */
void page_write_check(struct service *service, struct page_write *write);
/* Copies the sent fields to write->page, and checks the rules that need old and new values. */
void page_write_merge(struct service *service, struct page_write *write);

/*
 * These functions run in a transaction. They store the page, add its events, and mark it to be
 * published. E_INVALID, with violations, also for taken addresses and unknown monitors.
 * - Before page_write_create(), call page_write_merge().
 * - Before page_write_update(), which calls page_write_merge() itself, lock the page, and read it
 *   into `before`.
 */
enum result page_write_create(struct service *service, struct page_write *write) MUST_USE;
enum result page_write_update(struct service *service, struct page_write *write,
			      const struct status_page *before) MUST_USE;
enum result page_write_delete(struct service *service, const struct status_page *page) MUST_USE;

#endif
