/*
 * Status pages in MySQL. A statement that finds a page by an id from a request also names the
 * account, so that a mistake cannot reach the page of another account.
 *
 * A change increments the page's revision and sets unpublished_since. store/page/publication.h
 * reads and clears unpublished_since. Columns and values come from
 * store/page/status_page_columns.h.
 */
#ifndef STORE_PAGE_STATUS_PAGE_H
#define STORE_PAGE_STATUS_PAGE_H

#include "db/db.h"
#include "domain/page/status_page.h"
#include "store/list.h"

enum status_page_sort { STATUS_PAGE_BY_ID, STATUS_PAGE_BY_NAME };

struct status_page_query {
	struct list_query list; /* searches the name; sort_by: enum status_page_sort */
	int64_t monitor_id;	/* only pages that show this monitor; 0: all */
};

struct status_page_list {
	struct status_page *rows;
	size_t count;
	int64_t total; /* the number of rows, ignoring limit and offset */
};

/* Reads one page of the list, without custom_css and custom_js. Runs one statement, or two if the
 * offset is past the end of the list. */
enum result status_page_list(struct db *db, const struct status_page_query *query,
			     struct arena *arena, struct status_page_list *list,
			     struct error *error) MUST_USE;

/* Finds a page, and locks the row if for_update. E_NOT_FOUND: there is no such page in the
 * account. */
enum result status_page_find(struct db *db, int64_t account_id, int64_t id, bool for_update,
			     struct arena *arena, struct status_page *page, struct error *error)
	MUST_USE;

/*
 * status_page_insert() and status_page_update() write the page's row. If password_hash is NULL, an
 * update keeps the stored hash. E_CONFLICT: the slug or the domain is in use;
 * status_page_conflicts() tells which.
 */
enum result status_page_insert(struct db *db, struct status_page *page, struct error *error)
	MUST_USE;
enum result status_page_update(struct db *db, struct status_page *page, struct error *error)
	MUST_USE;
enum result status_page_delete(struct db *db, int64_t account_id, int64_t id, struct error *error)
	MUST_USE;

/* To replace the page's list of monitors, first clear the list, and then add page->monitor_ids.
 * E_INVALID: a monitor is retired, or does not belong to the account. */
enum result status_page_add_monitors(struct db *db, const struct status_page *page,
				     struct arena *arena, struct error *error) MUST_USE;
enum result status_page_clear_monitors(struct db *db, int64_t page_id, struct error *error)
	MUST_USE;

/* An image of a page; a NULL name removes it. */
struct page_file {
	const char *kind; /* one of status_page_pictures */
	const char *name;
	const void *data;
	size_t len;
};
/* Stores the files in one statement. */
enum result status_page_put_files(struct db *db, int64_t page_id, const struct page_file *files,
				  size_t count, struct error *error) MUST_USE;

struct status_page_conflicts {
	bool is_slug_taken;
	bool is_domain_taken;
	struct id_list unknown; /* ids in the page's list that name no monitor of the account */
};
/* Finds values of the page (id 0: a new page) that conflict with stored data. One statement. */
enum result status_page_conflicts(struct db *db, const struct status_page *page,
				  struct arena *arena, struct status_page_conflicts *conflicts,
				  struct error *error) MUST_USE;

#endif
