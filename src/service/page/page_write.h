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

/* Brings the input into the form in which it is stored, and checks it without the database and
 * DNS. */
void page_write_check(struct service *service, struct page_write *write);
/* Copies the sent fields to write->page, and checks the rules that need old and new values. */
void page_write_merge(struct service *service, struct page_write *write);

/*
 * For use in a transaction: store the page, add its events, and mark it to be published. Call
 * page_write_merge() before page_write_create(). Before page_write_update(), lock the page and read
 * it into `before`; page_write_update() calls page_write_merge() itself. E_INVALID, with
 * violations, also for taken addresses and unknown monitors.
 */
enum result page_write_create(struct service *service, struct page_write *write) MUST_USE;
enum result page_write_update(struct service *service, struct page_write *write,
			      const struct status_page *before) MUST_USE;
enum result page_write_delete(struct service *service, const struct status_page *page) MUST_USE;

#endif
