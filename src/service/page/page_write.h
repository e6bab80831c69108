/*
 * A write of a status page, from the input to the stored row: the parts of the operations in
 * service/page/status_pages.h, for operations that write several pages. The principal has the
 * account.
 */
#ifndef SERVICE_PAGE_PAGE_WRITE_H
#define SERVICE_PAGE_PAGE_WRITE_H

#include "service/page/page_domain.h"
#include "service/page/status_pages.h"
#include "store/page/status_page.h"

struct page_write {
	struct status_page_change *change;
	int64_t id; /* 0: of a new page */
	const char *password_hash;
	struct page_domain domain;
	/* New files; a file without a name is a removal. */
	struct page_file files[STATUS_PAGE_PICTURES];
	size_t file_count;
	struct status_page *page; /* the outcome */
};

/* Brings the input into its stored form, and makes the checks that need neither the database nor
 * DNS. */
void page_write_check(struct service *service, struct page_write *write);
/* Copies the sent fields to write->page, and checks the rules that need old and new values. */
void page_write_merge(struct service *service, struct page_write *write);

/*
 * In a transaction: store the page, add its events, and mark the page to be published. Before
 * page_write_create(), call page_write_merge(). Before page_write_update(), lock the page and read
 * it into `before`; the function merges by itself. E_INVALID: there are violations, including taken
 * addresses and unknown monitors.
 */
enum result page_write_create(struct service *service, struct page_write *write) MUST_USE;
enum result page_write_update(struct service *service, struct page_write *write,
			      const struct status_page *before) MUST_USE;
enum result page_write_delete(struct service *service, const struct status_page *page) MUST_USE;

#endif
